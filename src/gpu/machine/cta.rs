//! A CTA that runs: its warps and its barriers.

use crate::isa::Kernel;
use crate::simt::{Arrival, BARRIERS, Identity, Image, LANES, Warp};

/// What a warp of a CTA is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Ready,
    /// At a barrier: its number, and the instruction that brought the warp there.
    Waits(u32, u32),
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
}

impl Cta {
    pub(super) fn new(image: &Image, kernel: &Kernel, identity: Identity) -> Self {
        let warp = |warp| Warp::new(image, kernel, Identity { warp, ..identity });
        let warps = (0..identity.warps()).map(|at| (warp(at), State::Ready)).collect();
        Self { warps, barriers: Default::default() }
    }

    pub(super) fn is_done(&self) -> bool {
        self.warps.iter().all(|(_, state)| *state == State::Done)
    }

    /// A warp has come to a barrier.
    pub(super) fn arrive(&mut self, warp: usize, arrival: Arrival, pc: u32) {
        let barrier = &mut self.barriers[arrival.id as usize];
        barrier.warps += 1;
        barrier.threads += arrival.lanes.count_ones();
        barrier.holds += arrival.holds.count_ones();
        barrier.expected = arrival.threads;
        if arrival.waits {
            self.warps[warp].1 = State::Waits(arrival.id, pc);
        }
        self.open(arrival.id);
    }

    /// Whether nobody is at a barrier.
    pub(super) fn is_empty(&self, barrier: usize) -> bool {
        self.barriers[barrier].warps == 0
    }

    /// A warp has left the kernel: barriers do not wait for it any more.
    pub(super) fn leave(&mut self, warp: usize) {
        self.warps[warp].1 = State::Done;
        (0..BARRIERS).for_each(|id| self.open(id));
    }

    /// Opens a barrier that all have come to.
    fn open(&mut self, id: u32) {
        let barrier = self.barriers[id as usize];
        let living = self.warps.iter().filter(|(_, state)| *state != State::Done).count() as u32;
        let expected = barrier.expected.map_or(living, |threads| threads / LANES as u32);
        if barrier.warps == 0 || barrier.warps < expected {
            return;
        }
        self.barriers[id as usize] = Barrier::default();
        for (warp, state) in &mut self.warps {
            if matches!(state, State::Waits(at, _) if *at == id) {
                *state = State::Ready;
                warp.release(barrier.holds, barrier.threads);
            }
        }
    }
}
