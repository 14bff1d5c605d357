//! A core's side of the memory: issued accesses in order, the L1, and answers that come back.

use std::collections::VecDeque;

use super::l1::L1;
use super::request::Request;
use super::slice::Piece;
use crate::config::{Config, SimulatorConfig};

/// What a core has under way.
#[derive(Debug)]
pub(super) struct CoreSide {
    /// Requests of accesses, with the clock in which the load/store unit can take them.
    pub(super) issued: VecDeque<(u64, Vec<Request>)>,
    /// What is left of the access that the unit works on; the last is next.
    pub(super) requests: Vec<Request>,
    pub(super) l1: L1,
    /// Answers in the queue of the cluster, and in that of the core.
    pub(super) cluster: VecDeque<Piece>,
    pub(super) answers: VecDeque<Piece>,
    /// Accesses that have come from the L1, and an atomic.
    pub(super) ready: VecDeque<u32>,
    pub(super) atomic: Option<u32>,
    /// What is written to registers in the next clock.
    pub(super) written: Option<u32>,
    /// An atomic is next, if both are there.
    pub(super) atomic_next: bool,
    /// The core was told that there is no room.
    pub(super) refused: bool,
}

impl CoreSide {
    pub(super) fn new(config: &Config, simulator: &SimulatorConfig) -> Self {
        Self {
            issued: VecDeque::new(),
            requests: Vec::new(),
            l1: L1::new(config, &simulator.l1),
            cluster: VecDeque::new(),
            answers: VecDeque::new(),
            ready: VecDeque::new(),
            atomic: None,
            written: None,
            atomic_next: false,
            refused: false,
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.issued.is_empty()
            && self.requests.is_empty()
            && self.l1.is_idle()
            && self.ready.is_empty()
            && self.atomic.is_none()
            && self.written.is_none()
    }

    /// The access that was chosen in the clock before has been written; chooses another.
    pub(super) fn write_back(&mut self) -> Option<u32> {
        let written = self.written.take();
        let takes_atomic = self.atomic.is_some() && (self.atomic_next || self.ready.is_empty());
        self.written = match takes_atomic {
            true => self.atomic.take(),
            false => self.ready.pop_front(),
        };
        if self.written.is_some() {
            self.atomic_next = !takes_atomic;
        }
        written
    }
}
