//! Accesses in flight: a warp has one at most (3.4.1). Its next memory instruction waits, and so do barriers, or a warp
//! behind one would hit a copy older than a store before it.

use std::ops::Range;

use super::Relativistic;
use super::planted::{BARRIER_WITHOUT_WAIT, MANY_LOADS, MANY_STORES};
use crate::isa::{AccessKind, Operation};
use crate::memory::{IssuePolicy, NextInstruction, Permit, Request, Shared};

/// The access of a warp.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Warp {
    /// Accesses in flight; more than one only with a planted error.
    in_flight: u32,
    waits: bool,
}

impl Relativistic {
    fn warp(&mut self, core: u32, warp: u32) -> &mut Warp {
        &mut self.warps[(core * self.warps_per_core + warp) as usize]
    }

    /// An access of a warp has been sent.
    pub(super) fn sent(&mut self, core: u32, warp: u32) {
        self.warp(core, warp).in_flight += 1;
    }

    /// A part of an access has its answer.
    pub(super) fn answered(&mut self, shared: &mut Shared, access: u32) {
        let pending = shared.accesses.get(access);
        let (core, warp, is_last) = (pending.core, pending.warp, pending.left == 1);
        shared.answered(access);
        if is_last {
            let of = self.warp(core, warp);
            of.in_flight -= 1;
            if of.in_flight == 0 && std::mem::take(&mut of.waits) {
                self.requests.push_back(Request::Wake(core, warp));
            }
        }
    }
}

impl IssuePolicy for Relativistic {
    fn begins(&mut self, core: u32, _: u32, warps: Range<u32>) {
        for warp in warps {
            *self.warp(core, warp) = Warp::default();
        }
    }

    fn permit(&mut self, core: u32, warp: u32, next: &NextInstruction) -> Permit {
        let waits = match next.operation {
            Operation::Access(form) => match form.kind {
                AccessKind::Load => !self.planted.is(MANY_LOADS),
                AccessKind::Store => !self.planted.is(MANY_STORES),
                AccessKind::Atomic(_) => true,
            },
            Operation::Barrier { .. } => !self.planted.is(BARRIER_WITHOUT_WAIT),
            _ => false,
        };
        let of = self.warp(core, warp);
        of.waits = waits && of.in_flight > 0;
        if of.waits { Permit::Wait } else { Permit::Issue }
    }

    fn ends(&mut self, _: u32, _: u32) {}

    fn request(&mut self, _: &mut Shared) -> Option<Request> {
        self.requests.pop_front()
    }
}
