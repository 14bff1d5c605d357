//! Which warps may issue.

use std::fmt::Debug;

use crate::isa::Operation;

/// The decision on a warp that could issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permit {
    /// Issue.
    Issue,
    /// Wait until [`IssuePolicy::wakes`] names it.
    Wait,
    /// End its quantum: its memory system is told ([`crate::memory::Mark::EndOfQuantum`]), and then the
    /// policy is asked again.
    EndOfQuantum,
}

/// Decides which warps may issue. A memory system brings one to hold warps back at the end of a quantum, or to
/// limit concurrent transactions. A warp is named by its core and its slot there.
pub trait IssuePolicy: Debug {
    /// A warp begins.
    fn begins(&mut self, core: u32, warp: u32);

    /// Decides on a warp whose next instruction has its operands: once for each instruction, and again after
    /// the warp has waited or its quantum has ended.
    fn permit(&mut self, core: u32, warp: u32, next: &Operation) -> Permit;

    /// A warp has ended.
    fn ends(&mut self, core: u32, warp: u32);

    /// The next warp that has waited and needs a new decision.
    fn wakes(&mut self) -> Option<(u32, u32)>;
}
