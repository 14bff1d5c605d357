//! What is told of a launch that was stopped.

use super::cta::{Cta, OF_CLUSTER, State};
use super::fault::{Fault, Thread};
use super::launch::Work;
use crate::isa::Kernel;
use crate::simt::{Image, Passed, Path, Problem, Warnings, Warp};
use serde::Serialize;

/// Stuck warps whose state is told.
const MOST_SHOWN: usize = 8;

/// A problem with its place.
pub(super) fn fault(
    image: &Image,
    kernel: &Kernel,
    pc: u32,
    thread: Option<Thread>,
    problem: Problem,
) -> Box<Fault> {
    let program = &image.program;
    let line = program.lines.get(pc as usize).copied().unwrap_or_default();
    let kernel = program.body(kernel).name.clone();
    Box::new(Fault { kernel, file: program.file.clone(), line, thread, problem, found: Vec::new() })
}

/// What a lenient run has gone past at one place of the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// Kernel and line.
    pub place: String,
    /// The thread in which it was first met, and what it was.
    pub what: String,
    /// How often it was met, in lanes.
    pub count: u64,
    /// A race of stores, each time of the same value: a race by PTX's letter, whatever comes last.
    pub of_equal_values: bool,
}

/// The warnings of a run, in the order of launches and of the source.
pub(super) fn warnings(image: &Image, work: &[Work], warnings: Option<&Warnings>) -> Vec<Warning> {
    let passed = warnings.map(Warnings::passed).unwrap_or_default();
    let warning = |(pc, passed): (u32, Passed)| {
        let thread = Thread::of(&passed.identity, passed.lane);
        let kernel = work[passed.identity.launch as usize].kernel;
        let fault = fault(image, kernel, pc, Some(thread), passed.problem);
        let place = format!("kernel {}, {}:{}", fault.kernel, fault.file, fault.line);
        Warning {
            place,
            what: format!("{thread}: {}", fault.problem),
            count: passed.count,
            of_equal_values: false,
        }
    };
    passed.into_iter().map(warning).collect()
}

/// The state of warps that do not come to an end.
pub(super) fn stuck<'c>(
    image: &Image,
    work: &[Work],
    ctas: impl Iterator<Item = &'c Cta>,
    reason: String,
) -> Box<Fault> {
    let warps = ctas.flat_map(|cta| &cta.warps).filter(|(_, state)| *state != State::Done);
    let warps: Vec<_> = warps.collect();
    let shown = warps.iter().take(MOST_SHOWN);
    let mut shown: Vec<_> = shown.map(|(warp, state)| state_of(image, warp, *state)).collect();
    if warps.len() > MOST_SHOWN {
        shown.push(format!("  and {} more", warps.len() - MOST_SHOWN));
    }
    let pc = match warps.first() {
        Some((_, State::Waits(_, pc) | State::Held(_, pc))) => *pc,
        Some((warp, _)) => warp.paths().next().map_or(0, |path| path.pc),
        None => 0,
    };
    let launch = warps.first().map_or(0, |(warp, _)| warp.identity.launch);
    let kernel = work[launch as usize].kernel;
    fault(image, kernel, pc, None, Problem::Stuck { reason, warps: shown.join("\n") })
}

fn state_of(image: &Image, warp: &Warp, state: State) -> String {
    let lines = &image.program.lines;
    let line = |pc: u32| lines.get(pc as usize).copied().unwrap_or_default();
    let thread = Thread::of(&warp.identity, None);
    if let State::Waits(barrier, pc) | State::Held(barrier, pc) = state {
        let barrier = match barrier {
            OF_CLUSTER => "barrier.cluster".to_string(),
            number => format!("barrier {number}"),
        };
        return format!("  {thread}: waits at {barrier}, line {}", line(pc));
    }
    let path = |path: &Path| format!("lanes {:#010x} line {}", path.mask, line(path.pc));
    let paths: Vec<_> = warp.paths().map(path).collect();
    format!("  {thread}: {}", paths.join(", then "))
}
