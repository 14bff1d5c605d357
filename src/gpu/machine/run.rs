//! A launch from its first CTA to its last.

use std::collections::BTreeMap;

use super::cta::{Cta, State};
use super::fault::{Fault, Thread};
use super::launch::{Launch, LaunchError, PATIENCE, check};
use super::print;
use crate::gpu::isa::Kernel;
use crate::gpu::memory::{Flat, Memory};
use crate::gpu::simt::{
    Access, Identity, Image, Path, Problem, Step, Surroundings, Warp, lanes_of,
};

/// Steps of a warp before it is another's turn.
const TURN: u32 = 64;
/// Stuck warps whose state is told.
const MOST_SHOWN: usize = 8;

/// What a launch came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Warp instructions.
    pub warp_instructions: u64,
    /// The same, counted for each lane that executed them.
    pub thread_instructions: u64,
    /// What the kernel printed, in the order of its threads.
    pub printed: String,
}

/// Runs a kernel.
pub fn run(
    image: &Image,
    kernel: &Kernel,
    launch: &Launch,
    memory: &mut Flat,
) -> Result<Outcome, LaunchError> {
    check(kernel, launch)?;
    Machine::new(image, kernel, launch, memory).run().map_err(LaunchError::Fault)
}

struct Machine<'a> {
    image: &'a Image,
    kernel: &'a Kernel,
    launch: &'a Launch,
    memory: &'a mut Flat,
    access: Box<Access>,
    outcome: Outcome,
    /// Texts by CTA and thread.
    printed: BTreeMap<(u64, u32), String>,
    /// Warp instructions when something last came to an end.
    progress: u64,
    /// Most instructions that one warp has executed.
    longest: u64,
}

impl<'a> Machine<'a> {
    fn new(image: &'a Image, kernel: &'a Kernel, launch: &'a Launch, memory: &'a mut Flat) -> Self {
        Self {
            image,
            kernel,
            launch,
            memory,
            access: Box::default(),
            outcome: Outcome::default(),
            printed: BTreeMap::new(),
            progress: 0,
            longest: 0,
        }
    }

    fn run(mut self) -> Result<Outcome, Box<Fault>> {
        let total = self.launch.grid.iter().map(|side| u64::from(*side)).product();
        let slots = u64::from(self.launch.resident.max(1)).min(total);
        let mut next = slots;
        let mut running: Vec<_> = (0..slots).map(|at| Some(self.begin(at, at as usize))).collect();
        while running.iter().any(Option::is_some) {
            let mut moved = false;
            for (slot, place) in running.iter_mut().enumerate() {
                let Some(cta) = place else { continue };
                moved |= self.turn(slot, cta)?;
                if cta.is_done() {
                    *place = (next < total).then(|| self.begin(next, slot));
                    next += 1;
                }
            }
            let Launch { watchdog, .. } = *self.launch;
            let idle = self.outcome.warp_instructions - self.progress;
            let reason = match () {
                _ if !moved => "all warps wait at barriers that nobody opens".to_string(),
                _ if idle > watchdog => format!(
                    "no warp has ended and none has come to a barrier for {watchdog} instructions \
                     (watchdog)"
                ),
                _ if self.longest > watchdog.saturating_mul(PATIENCE) => {
                    format!("a warp has executed {} instructions (watchdog)", self.longest)
                }
                () => continue,
            };
            return Err(self.stuck(running.iter().flatten(), reason));
        }
        self.outcome.printed = self.printed.into_values().collect();
        Ok(self.outcome)
    }

    fn begin(&mut self, number: u64, slot: usize) -> Cta {
        let Launch { grid, block, dynamic_shared, .. } = *self.launch;
        let [x, y] = [grid[0], grid[1]].map(u64::from);
        let cta = [number % x, number / x % y, number / x / y].map(|at| at as u32);
        let core = [slot as u32, self.launch.resident];
        let base = self.image.program.dynamic_shared_base;
        self.memory.begin_cta(slot, self.kernel.shared_bytes, base, dynamic_shared);
        let identity = Identity { block, grid, cta, warp: 0, dynamic_shared, core };
        Cta::new(self.image, self.kernel, identity)
    }

    /// Each warp of a CTA runs for a while; gives whether any could.
    fn turn(&mut self, slot: usize, cta: &mut Cta) -> Result<bool, Box<Fault>> {
        let mut moved = false;
        for warp in 0..cta.warps.len() {
            for _ in 0..TURN {
                if cta.warps[warp].1 != State::Ready {
                    break;
                }
                moved = true;
                self.step(slot, cta, warp)?;
            }
            self.longest = self.longest.max(cta.warps[warp].0.executed());
        }
        Ok(moved)
    }

    #[inline]
    fn step(&mut self, slot: usize, cta: &mut Cta, at: usize) -> Result<(), Box<Fault>> {
        let around = Surroundings {
            image: self.image,
            parameters: &self.launch.parameters,
            clock: self.outcome.warp_instructions,
        };
        let warp = &mut cta.warps[at].0;
        let pc = warp.paths().last().map_or(0, |path| path.pc);
        let before = warp.lanes_executed();
        let step = warp.step(around, &mut self.access);
        self.outcome.warp_instructions += 1;
        self.outcome.thread_instructions += warp.lanes_executed() - before;
        let identity = warp.identity;
        let wrong = |machine: &Self, lane: Option<usize>, problem| {
            let thread = lane.map(|lane| identity.position(lane));
            let thread = Thread { cta: identity.cta, thread, warp: identity.warp };
            machine.fault(pc, Some(thread), problem)
        };
        match step.map_err(|(lane, problem)| wrong(self, lane, problem))? {
            Step::Done | Step::Private | Step::Fence(..) => {}
            Step::Access => {
                let answered = self.memory.access(slot, &mut self.access);
                answered.map_err(|(lane, problem)| wrong(self, Some(lane), problem))?;
                warp.complete(&mut self.access);
            }
            Step::Barrier(arrival) => {
                cta.arrive(at, arrival, pc);
                self.progress = self.outcome.warp_instructions;
            }
            Step::Print(print) => {
                let cta_number = number(identity.cta, identity.grid);
                for lane in lanes_of(print.mask) {
                    let from = [print.format[lane], print.arguments[lane]];
                    let Some((text, count)) = print::text(warp, lane, self.memory, from) else {
                        let problem = Problem::Print { format: from[0], arguments: from[1] };
                        return Err(wrong(self, Some(lane), problem));
                    };
                    let thread = (cta_number, identity.thread(lane));
                    self.printed.entry(thread).or_default().push_str(&text);
                    warp.printed(&print, lane, count);
                }
            }
            Step::Assertion(lane, message) => {
                let text = self.memory.text(message).map(String::from_utf8_lossy);
                let text = text.unwrap_or("no message".into()).into_owned();
                return Err(wrong(self, Some(lane), Problem::Assertion(text)));
            }
            Step::Exited => {
                cta.leave(at);
                self.progress = self.outcome.warp_instructions;
            }
        }
        Ok(())
    }

    fn fault(&self, pc: u32, thread: Option<Thread>, problem: Problem) -> Box<Fault> {
        let program = &self.image.program;
        let line = program.lines.get(pc as usize).copied().unwrap_or_default();
        let kernel = program.body(self.kernel).name.clone();
        Box::new(Fault { kernel, file: program.file.clone(), line, thread, problem })
    }

    /// The state of warps that do not come to an end.
    fn stuck<'c>(&self, ctas: impl Iterator<Item = &'c Cta>, reason: String) -> Box<Fault> {
        let warps = ctas.flat_map(|cta| &cta.warps).filter(|(_, state)| *state != State::Done);
        let warps: Vec<_> = warps.collect();
        let mut shown: Vec<_> = warps
            .iter()
            .take(MOST_SHOWN)
            .map(|(warp, state)| self.state_of(warp, *state))
            .collect();
        if warps.len() > MOST_SHOWN {
            shown.push(format!("  and {} more", warps.len() - MOST_SHOWN));
        }
        let pc = match warps.first() {
            Some((_, State::Waits(_, pc))) => *pc,
            Some((warp, _)) => warp.paths().last().map_or(0, |path| path.pc),
            None => 0,
        };
        self.fault(pc, None, Problem::Stuck { reason, warps: shown.join("\n") })
    }

    fn state_of(&self, warp: &Warp, state: State) -> String {
        let lines = &self.image.program.lines;
        let line = |pc: u32| lines.get(pc as usize).copied().unwrap_or_default();
        let thread = Thread { cta: warp.identity.cta, thread: None, warp: warp.identity.warp };
        if let State::Waits(barrier, pc) = state {
            return format!("  {thread}: waits at barrier {barrier}, line {}", line(pc));
        }
        let path = |path: &Path| format!("lanes {:#010x} line {}", path.mask, line(path.pc));
        let paths: Vec<_> = warp.paths().iter().rev().map(path).collect();
        format!("  {thread}: {}", paths.join(", then "))
    }
}

fn number(cta: [u32; 3], grid: [u32; 3]) -> u64 {
    let [cta, grid] = [cta, grid].map(|it| it.map(u64::from));
    (cta[2] * grid[1] + cta[1]) * grid[0] + cta[0]
}
