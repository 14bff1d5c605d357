//! A CTA that runs: its warps and its barriers.

use crate::isa::Kernel;
use crate::simt::{Arrival, BARRIERS, Identity, Image, LANES, Warp};

/// The barrier of the cluster, among those that a warp waits at.
pub(super) const OF_CLUSTER: u32 = BARRIERS;

/// What a warp of a CTA is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Ready,
    /// At a barrier: its number, and the instruction that brought the warp there.
    Waits(u32, u32),
    /// The same, at a complete barrier that the policy has yet to open.
    Held(u32, u32),
    /// It keeps a fault.
    Faulty,
    Done,
}

/// A barrier that warps have come to.
#[derive(Debug, Clone, Copy, Default)]
struct Barrier {
    warps: u32,
    threads: u32,
    holds: u32,
    /// Threads it waits for, if it does not wait for all.
    expected: Option<u32>,
}

/// A CTA that runs.
#[derive(Debug)]
pub(super) struct Cta {
    pub(super) warps: Vec<(Warp, State)>,
    barriers: [Barrier; BARRIERS as usize],
    /// Arrivals that the policy has yet to have counted, by warp.
    deferred: Vec<(usize, Arrival)>,
}

impl Cta {
    pub(super) fn new(image: &Image, kernel: &Kernel, identity: Identity) -> Self {
        let warp = |warp| Warp::new(image, kernel, Identity { warp, ..identity });
        let warps = (0..identity.warps()).map(|at| (warp(at), State::Ready)).collect();
        Self { warps, barriers: Default::default(), deferred: Vec::new() }
    }

    pub(super) fn is_done(&self) -> bool {
        self.warps.iter().all(|(_, state)| *state == State::Done)
    }

    /// A warp has come to a barrier.
    pub(super) fn arrive(&mut self, warp: usize, arrival: Arrival, pc: u32) {
        if arrival.waits {
            self.warps[warp].1 = State::Waits(arrival.id, pc);
        }
        self.count(arrival, false);
    }

    /// The same; it counts later.
    pub(super) fn defer(&mut self, warp: usize, arrival: Arrival, pc: u32) {
        if arrival.waits {
            self.warps[warp].1 = State::Waits(arrival.id, pc);
        }
        let at = self.deferred.partition_point(|(before, _)| *before <= warp);
        self.deferred.insert(at, (warp, arrival));
    }

    /// Counts the deferred arrivals and exits; the warps at complete barriers, one bit each.
    pub(super) fn count_deferred(&mut self) -> u64 {
        for (_, arrival) in std::mem::take(&mut self.deferred) {
            self.count(arrival, true);
        }
        (0..BARRIERS).for_each(|id| self.open(id, true));
        let warps = (0..).zip(&self.warps);
        let held = warps.filter(|(_, (_, state))| matches!(state, State::Held(..)));
        held.fold(0, |all, (warp, _): (u32, _)| all | 1 << warp)
    }

    /// Lets the warps at complete barriers go on.
    pub(super) fn let_held_go(&mut self) {
        for (_, state) in &mut self.warps {
            if matches!(state, State::Held(..)) {
                *state = State::Ready;
            }
        }
    }

    fn count(&mut self, arrival: Arrival, is_held: bool) {
        let barrier = &mut self.barriers[arrival.id as usize];
        barrier.warps += 1;
        barrier.threads += arrival.lanes.count_ones();
        barrier.holds += arrival.holds.count_ones();
        barrier.expected = arrival.threads;
        self.open(arrival.id, is_held);
    }

    /// Whether nobody is at a barrier.
    pub(super) fn is_empty(&self, barrier: usize) -> bool {
        self.barriers[barrier].warps == 0
    }

    /// A warp has left the kernel: barriers do not wait for it any more.
    pub(super) fn leave(&mut self, warp: usize) {
        self.warps[warp].1 = State::Done;
        (0..BARRIERS).for_each(|id| self.open(id, false));
    }

    /// The same; barriers look at it later.
    pub(super) fn leave_deferred(&mut self, warp: usize) {
        self.warps[warp].1 = State::Done;
    }

    /// Opens a barrier that all have come to; its warps go on, or are held.
    fn open(&mut self, id: u32, is_held: bool) {
        let barrier = self.barriers[id as usize];
        let living = self.warps.iter().filter(|(_, state)| *state != State::Done).count() as u32;
        let expected = barrier.expected.map_or(living, |threads| threads / LANES as u32);
        if barrier.warps == 0 || barrier.warps < expected {
            return;
        }
        self.barriers[id as usize] = Barrier::default();
        for (warp, state) in &mut self.warps {
            if let State::Waits(at, pc) = *state
                && at == id
            {
                *state = if is_held { State::Held(id, pc) } else { State::Ready };
                warp.release(barrier.holds, barrier.threads);
            }
        }
    }
}
