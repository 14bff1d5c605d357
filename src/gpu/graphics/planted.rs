//! Errors in the pipeline that are planted for tests; those of split frames are elsewhere.

use std::cell::Cell;

/// An error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A pixel's centre on any edge is covered.
    AllEdges,
    /// Depth is written before the shader discards.
    DepthBeforeDiscard,
    /// Edges are clipped in the order of their vertices.
    ClipsInOrder,
    /// Lanes whose pixel is not covered write it.
    HelpersWrite,
}

thread_local! {
    static PLANTED: Cell<Option<Fault>> = const { Cell::new(None) };
}

/// The error is planted; never outside of tests.
#[inline]
pub fn is(fault: Fault) -> bool {
    cfg!(test) && PLANTED.get() == Some(fault)
}

/// Works with a planted error.
#[cfg(test)]
pub fn with<T>(fault: Fault, work: impl FnOnce() -> T) -> T {
    PLANTED.set(Some(fault));
    let done = work();
    PLANTED.set(None);
    done
}
