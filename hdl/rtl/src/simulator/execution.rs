//! Whether clocks are interpreted or compiled.

use std::time::{Duration, Instant};

use super::compile::Places;
#[cfg(all(feature = "compiled", target_arch = "x86_64"))]
use super::compiled::Compiled;
#[cfg(not(all(feature = "compiled", target_arch = "x86_64")))]
use super::uncompiled::Compiled;
use crate::netlist::Netlist;

/// How clocks are run. It changes nothing but the speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Execution {
    /// Compiled once a run is long enough for it to pay, unless the interpreter is faster because most of the
    /// design is idle.
    Adaptive,
    /// Compiled from the first clock on, and the machine code verified.
    Compiled,
    /// Never compiled.
    Interpreted,
}

/// Clocks after which a design is compiled: about as long as compiling takes.
const PATIENCE: u32 = 4096;
/// Clocks of each way of running in a trial; the second half of them is timed.
const TRIAL: u32 = 256;
/// Clocks until the next trial, after one that the interpreter has won, and after one that it has lost.
const PAUSE: [u32; 2] = [1 << 18, 1 << 20];

/// The code of a design, when there is one.
enum Code {
    /// To be made after that many clocks.
    Later(u32),
    Made(Box<Made>),
    /// Not wanted, or not possible.
    None,
}

/// Code, and whether it is faster than the interpreter.
struct Made {
    code: Compiled,
    /// Whether it runs the next clocks.
    runs: bool,
    /// Clocks until the next trial.
    pause: u32,
    trial: Option<Trial>,
}

/// A comparison of the interpreter, whose clocks come first, with compiled code.
#[derive(Default)]
struct Trial {
    clocks: u32,
    /// Of the timed clocks of either way.
    spent: [Duration; 2],
}

impl Made {
    fn new(code: Compiled) -> Self {
        Self { code, runs: true, pause: PAUSE[1], trial: None }
    }

    /// Starts or ends a trial before a clock.
    #[cold]
    fn consider(&mut self, gated: bool) {
        match &self.trial {
            Some(Trial { spent: [interpreted, compiled], .. }) => {
                self.runs = compiled < interpreted;
                self.pause = PAUSE[usize::from(self.runs)];
                self.trial = None;
            }
            None if gated => {
                self.runs = false;
                self.pause = 2 * TRIAL;
                self.trial = Some(Trial::default());
            }
            None => {
                self.runs = true;
                self.pause = PAUSE[1];
            }
        }
    }
}

/// How a simulator runs its clocks.
pub(super) struct Engine {
    execution: Execution,
    code: Code,
    /// Clocks that were run compiled.
    pub clocks: u64,
}

impl Engine {
    pub fn new(execution: Execution) -> Self {
        let code = match execution {
            Execution::Adaptive => Code::Later(PATIENCE),
            Execution::Compiled => Code::Later(1),
            Execution::Interpreted => Code::None,
        };
        Self { execution, code, clocks: 0 }
    }

    pub fn compile(&mut self, netlist: &Netlist, places: &Places) -> Result<(), String> {
        self.code = Code::None;
        let verify = self.execution == Execution::Compiled;
        self.code = Code::Made(Box::new(Made::new(Compiled::new(netlist, places, verify)?)));
        Ok(())
    }

    /// The design's code, if the next clock is to be run by it. `gated` says whether the interpreter skips
    /// what is idle.
    #[inline]
    pub fn code(&mut self, netlist: &Netlist, places: &Places, gated: bool) -> Option<&Compiled> {
        if let Code::Later(left) = &mut self.code {
            *left -= 1;
            if *left == 0 && self.compile(netlist, places).is_ok() {
                self.try_if(gated);
            }
        }
        let Code::Made(made) = &mut self.code else { return None };
        made.pause -= 1;
        if made.pause == 0 {
            self.try_if(gated);
        }
        match &self.code {
            Code::Made(made) if made.runs => Some(&made.code),
            _ => None,
        }
    }

    fn try_if(&mut self, gated: bool) {
        let gated = gated && self.execution == Execution::Adaptive;
        if let Code::Made(made) = &mut self.code {
            made.consider(gated);
        }
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
        let (way, clock) = (trial.clocks / TRIAL, trial.clocks % TRIAL);
        if clock >= TRIAL / 2 {
            trial.spent[way.min(1) as usize] += start.elapsed();
        }
        trial.clocks += 1;
        made.runs = trial.clocks >= TRIAL;
    }
}

/// Whether this machine and this build can run compiled designs.
///
/// # Errors
/// Returns the reason if they cannot; designs are interpreted then.
pub fn can_compile() -> Result<(), String> {
    Compiled::possible()
}
