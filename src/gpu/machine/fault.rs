//! Where a problem was met.

use std::fmt;

use super::report::Warning;
use crate::simt::{Identity, Problem};

/// A thread of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thread {
    /// The CTA.
    pub cta: [u32; 3],
    /// The thread within it; none where the whole warp is meant.
    pub thread: Option<[u32; 3]>,
    /// The warp within the CTA.
    pub warp: u32,
}

/// A problem, and where it was met.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("kernel {kernel}, {file}:{line}{}: {problem}{}", .thread.map(|it| format!(", {it}"))
    .unwrap_or_default(), told(found))]
pub struct Fault {
    /// The kernel.
    pub kernel: String,
    /// The file of the module.
    pub file: String,
    /// The line in it.
    pub line: u32,
    /// The thread or warp.
    pub thread: Option<Thread>,
    /// What went wrong.
    pub problem: Problem,
    /// What checks had found before.
    pub found: Vec<Warning>,
}

/// Findings that are told beside a problem.
const MOST_FOUND: usize = 8;

/// Findings in words, each on a line of its own.
fn told(found: &[Warning]) -> String {
    let line = |it: &Warning| format!("\n  found before: {}, {}", it.place, it.what);
    let lines: String = found.iter().take(MOST_FOUND).map(line).collect();
    match found.len() > MOST_FOUND {
        true => format!("{lines}\n  and {} more", found.len() - MOST_FOUND),
        false => lines,
    }
}

impl Thread {
    /// The thread of a lane, or the whole warp.
    pub(super) fn of(identity: &Identity, lane: Option<usize>) -> Self {
        let thread = lane.map(|lane| identity.position(lane));
        Self { cta: identity.cta, thread, warp: identity.warp }
    }
}

impl fmt::Display for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.cta;
        write!(f, "CTA ({x}, {y}, {z}) ")?;
        match self.thread {
            Some([x, y, z]) => write!(f, "thread ({x}, {y}, {z})"),
            None => write!(f, "warp {}", self.warp),
        }
    }
}
