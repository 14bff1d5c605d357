//! Whether clocks are interpreted or compiled.

use std::time::{Duration, Instant};

use super::compile::Places;
#[cfg(all(feature = "compiled", target_arch = "x86_64"))]
use super::compiled::{Compiled, Shared};
#[cfg(not(all(feature = "compiled", target_arch = "x86_64")))]
use super::uncompiled::{Compiled, Shared};
use crate::netlist::Netlist;

/// How clocks are run. It changes nothing but the speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Execution {
    /// Compiled once a run is long enough for it to pay, unless the interpreter is faster because most of the
    /// design is idle. Which code is the fastest is measured.
    Adaptive,
    /// Compiled from the first clock on, each variant of the code for some clocks in turn, and the machine code
    /// verified.
    Compiled,
    /// Never compiled.
    Interpreted,
}

/// Clocks after which a design is compiled, if no copy of it was: about as long as compiling takes.
const PATIENCE: u32 = 4096;
/// Clocks of each way of running in a trial; the second half of them is timed.
const TRIAL: u32 = 256;
/// Clocks of each variant in turn where all are wanted.
const TURN: usize = 8;
/// Clocks until the next trial.
const PAUSE: u32 = 1 << 19;

/// The code of a design, when there is one.
enum Code {
    /// To be made after that many clocks.
    Later(u32),
    Made(Box<Made>),
    /// Not wanted, or not possible.
    None,
}

/// The variants of a design's code, and which of them is the fastest.
struct Made {
    variants: Vec<Compiled>,
    /// What runs the next clocks; none: the interpreter.
    runs: Option<usize>,
    /// Clocks until the next trial starts, or the current one ends.
    pause: u32,
    trial: Option<Trial>,
}

/// A comparison of the interpreter and the variants.
struct Trial {
    /// Each way of running, with the time of its timed clocks.
    ways: Vec<(Option<usize>, Duration)>,
    clocks: u32,
}

impl Made {
    fn new(variants: Vec<Compiled>) -> Self {
        Self { variants, runs: Some(0), pause: PAUSE, trial: None }
    }

    /// Starts or ends a trial before a clock.
    #[cold]
    fn consider(&mut self, gated: bool) {
        self.pause = PAUSE;
        if let Some(Trial { ways, .. }) = self.trial.take() {
            let fastest = ways.into_iter().min_by_key(|(_, spent)| *spent);
            self.runs = fastest.map_or(Some(0), |(way, _)| way);
            return;
        }
        let interpreter = gated.then_some(None);
        let ways = interpreter.into_iter().chain((0..self.variants.len()).map(Some));
        let ways: Vec<_> = ways.map(|way| (way, Duration::ZERO)).collect();
        self.runs = ways[0].0;
        if ways.len() > 1 {
            self.pause = ways.len() as u32 * TRIAL;
            self.trial = Some(Trial { ways, clocks: 0 });
        }
    }
}

impl Clone for Engine {
    fn clone(&self) -> Self {
        Self::sharing(self.execution, self.shared.clone())
    }
}

/// How a simulator runs its clocks.
pub(super) struct Engine {
    execution: Execution,
    code: Code,
    shared: Shared,
    /// Clocks that were run compiled.
    pub clocks: u64,
}

impl Engine {
    pub fn new(execution: Execution) -> Self {
        Self::sharing(execution, Shared::default())
    }

    /// An engine that has run nothing, and shares the code of another.
    fn sharing(execution: Execution, shared: Shared) -> Self {
        let code = match execution {
            Execution::Adaptive if shared.is_made() => Code::Later(1),
            Execution::Adaptive => Code::Later(PATIENCE),
            Execution::Compiled => Code::Later(1),
            Execution::Interpreted => Code::None,
        };
        Self { execution, code, shared, clocks: 0 }
    }

    /// Compiles the design. `gated` says whether the interpreter skips what is idle, so that it may be the
    /// fastest.
    pub fn compile(
        &mut self,
        netlist: &Netlist,
        places: &Places,
        gated: bool,
    ) -> Result<(), String> {
        self.code = Code::None;
        let verify = self.execution == Execution::Compiled;
        let idle = gated || verify;
        let variants = Compiled::variants(netlist, places, verify, idle, &self.shared)?;
        self.code = Code::Made(Box::new(Made::new(variants)));
        self.consider(gated);
        Ok(())
    }

    /// Starts or ends a trial.
    fn consider(&mut self, gated: bool) {
        match &mut self.code {
            Code::Made(made) if self.execution == Execution::Adaptive => made.consider(gated),
            Code::Made(made) => made.pause = PAUSE,
            _ => {}
        }
    }

    /// The design's code, if the next clock is to be run by it; `gated` as for [`compile`](Self::compile).
    #[inline]
    pub fn code(
        &mut self,
        netlist: &Netlist,
        places: &Places,
        gated: bool,
    ) -> Option<&mut Compiled> {
        if let Code::Later(left) = &mut self.code {
            *left -= 1;
            if *left == 0 {
                // A design that cannot be compiled is interpreted.
                let _ = self.compile(netlist, places, gated);
            }
        }
        let Code::Made(made) = &mut self.code else { return None };
        made.pause -= 1;
        if made.pause == 0 {
            self.consider(gated);
        }
        let turn = self.clocks as usize;
        let Code::Made(made) = &mut self.code else { return None };
        let variant = match self.execution {
            Execution::Compiled => Some(turn / TURN % made.variants.len()),
            _ => made.runs,
        };
        variant.map(|variant| &mut made.variants[variant])
    }

    /// The time before a clock, if it is part of a trial.
    #[inline]
    pub fn start(&self) -> Option<Instant> {
        match &self.code {
            Code::Made(made) if made.trial.is_some() => Some(Instant::now()),
            _ => None,
        }
    }

    /// The end of a clock that is part of a trial.
    #[cold]
    pub fn end(&mut self, start: Instant) {
        let Code::Made(made) = &mut self.code else { return };
        let Some(trial) = &mut made.trial else { return };
        let (way, clock) = ((trial.clocks / TRIAL) as usize, trial.clocks % TRIAL);
        if let Some((_, spent)) = trial.ways.get_mut(way)
            && clock >= TRIAL / 2
        {
            *spent += start.elapsed();
        }
        trial.clocks += 1;
        if let Some((next, _)) = trial.ways.get((trial.clocks / TRIAL) as usize) {
            made.runs = *next;
        }
    }
}

/// Whether this machine and this build can run compiled designs.
///
/// # Errors
/// Returns the reason if they cannot; designs are interpreted then.
pub fn can_compile() -> Result<(), String> {
    Compiled::possible()
}
