//! Which warps may issue, and which CTAs cores get.

use std::fmt::Debug;
use std::ops::Range;

use super::Shared;
use crate::isa::Operation;

/// The decision on a warp that could issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permit {
    /// Issue.
    Issue,
    /// Wait for [`Request::Wake`].
    Wait,
    /// End its quantum: the policy is told when all its accesses are over ([`IssuePolicy::drained`]), and asked
    /// again after [`super::Done::Synchronised`].
    EndOfQuantum,
}

/// A policy's request to the cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// A warp that waits for a permit needs a new decision: its core, and its slot there.
    Wake(u32, u32),
    /// Count a CTA's arrivals at barriers, by warp, and in program order within each: its core, and its place there.
    /// [`IssuePolicy::counted`] gets the result.
    CountArrivals(u32, u32),
    /// Let the warps go on that wait at counted, complete barriers of a CTA.
    OpenBarriers(u32, u32),
    /// End the launch with the fault that a warp has kept.
    ReportFault(u32, u32),
    /// Ask the watchdog, which looks at no other time if the policy [opens barriers](IssuePolicy::defers_barriers).
    AskWatchdog,
}

/// The next instruction of a warp.
pub struct NextInstruction<'a> {
    /// The operation.
    pub operation: &'a Operation,
    /// Lanes that will execute it.
    pub lanes: u32,
    /// Counts the lines of global memory that it accesses.
    pub(crate) lines: &'a dyn Fn() -> u32,
}

impl NextInstruction<'_> {
    /// Lines of global memory that it accesses.
    pub fn lines(&self) -> u32 {
        (self.lines)()
    }
}

/// Decides which warps may issue. A memory system brings one to hold warps back at the end of a quantum, or to
/// limit concurrent transactions. A warp is named by its core and its slot there.
pub trait IssuePolicy: Debug {
    /// A CTA begins at a place of a core, in these slots.
    fn begins(&mut self, core: u32, place: u32, warps: Range<u32>);

    /// Decides on a warp whose next instruction has its operands: once for each instruction, and again after the
    /// warp has waited or its quantum has ended.
    fn permit(&mut self, core: u32, warp: u32, next: &NextInstruction) -> Permit;

    /// A warp whose quantum ends has all its answers; [`super::Done::Synchronised`] lets it go on.
    fn drained(&mut self, _: &mut Shared, _core: u32, _warp: u32) {}

    /// A warp waits at a barrier.
    fn waits(&mut self, _core: u32, _warp: u32) {}

    /// A warp has ended.
    fn ends(&mut self, core: u32, warp: u32);

    /// The next request. It is asked after each event, until it has none.
    fn request(&mut self, shared: &mut Shared) -> Option<Request>;

    /// The value of `%clock` for a warp; none for the machine's.
    fn clock(&self, _core: u32, _warp: u32) -> Option<u64> {
        None
    }

    /// Whether barriers wait for [`Request::CountArrivals`] and [`Request::OpenBarriers`], instead of opening with
    /// the last arrival.
    fn defers_barriers(&self) -> bool {
        false
    }

    /// A CTA's arrivals have been counted: of its warps, one bit each, those that wait at a complete barrier.
    fn counted(&mut self, _core: u32, _place: u32, _held: u64) {}

    /// A warp has met a fault. Whether it keeps it until [`Request::ReportFault`]; else the launch ends.
    fn keeps_fault(&mut self, _core: u32, _warp: u32) -> bool {
        false
    }
}

/// A CTA to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextCta {
    /// Its launch, among those in flight.
    pub launch: u32,
    /// Its number in that launch's grid.
    pub number: u64,
}

/// Deals CTAs to cores. A memory system brings one to distribute them itself, or to add some in the course of a run.
pub trait CtaSource: Debug {
    /// Launches begin together: the CTAs of each, and the places for CTAs in each core.
    fn begin(&mut self, ctas: &[u64], places: u32);

    /// The next CTA for a place of a core; none for now.
    fn next(&mut self, core: u32, place: u32) -> Option<NextCta>;

    /// The next free place, and its core, for which there is work now although there was none.
    fn wakes(&mut self) -> Option<(u32, u32)>;

    /// CTAs that have not begun.
    fn left(&self) -> u64;
}
