//! Which warps may issue.

use std::fmt::Debug;

use crate::gpu::isa::Operation;

/// What a warp may do that could issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permit {
    /// Issue.
    Issue,
    /// Wait until [`IssuePolicy::wakes`] names it.
    Wait,
    /// End its quantum: its memory system is told ([`crate::gpu::memory::Mark::EndOfQuantum`]), and then the
    /// policy is asked again.
    EndOfQuantum,
}

/// Who may issue, where a memory system holds warps back: until others have ended their quanta, or because
/// no more than some may run transactions. A warp is named by its core and its place there.
pub trait IssuePolicy: Debug {
    /// A warp begins.
    fn begins(&mut self, core: u32, warp: u32);

    /// What a warp may do whose next instruction has its operands: asked once for each instruction, and again
    /// when the warp has waited or its quantum has ended.
    fn permit(&mut self, core: u32, warp: u32, next: &Operation) -> Permit;

    /// A warp has ended.
    fn ends(&mut self, core: u32, warp: u32);

    /// A warp that has waited and is to be asked again, if there is one.
    fn wakes(&mut self) -> Option<(u32, u32)>;
}
