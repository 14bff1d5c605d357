//! Barriers of a CTA.

use super::collective::Part;
use super::problem::Problem;
use super::registers::{Image, LANES, Word};
use super::step::Arrival;
use super::warp::{Waiting, Warp};
use crate::isa::{BarrierKind, Logic, Operation, Source};

/// Barriers of a CTA.
pub const BARRIERS: u32 = 16;

impl Warp {
    /// The number of a barrier, and its threads.
    fn barrier(&self, image: &Image, at: &Part) -> Option<(u32, Option<u32>)> {
        let Operation::Barrier { id, threads, .. } = *at.operation else { return None };
        let first = at.lanes.trailing_zeros() as usize % LANES;
        let of_first =
            |source: Source| u32::row_in(at.window, &self.registers, image, source)[first];
        Some((of_first(id), threads.map(of_first)))
    }

    /// Comes to a barrier, with lanes that wait at others like it, unless all are to come to one instruction.
    pub(super) fn arrive(
        &mut self,
        image: &Image,
        mask: u32,
        barrier: &Operation,
    ) -> Result<Arrival, Problem> {
        let (live, here) = (self.stack.live(), mask);
        let (&Operation::Barrier { kind, is_aligned, .. }, Some((id, threads))) =
            (barrier, self.barrier(image, &self.here(barrier, mask)))
        else {
            return Err(Problem::DivergentBarrier { here, live });
        };
        let is_alike = |other: &Part| {
            let kind = BarrierKind::Sync;
            let is_simple = matches!(*other.operation,
                Operation::Barrier { kind: it, is_aligned: false, .. } if it == kind);
            is_simple && self.barrier(image, other) == Some((id, threads))
        };
        let others = match mask != live && !is_aligned && kind == BarrierKind::Sync {
            true => self.waiting(image).filter(is_alike).fold(0, |all, it| all | it.lanes),
            false => 0,
        };
        let mask = mask | others;
        if mask != live {
            return Err(Problem::DivergentBarrier { here, live });
        }
        self.stack.go_past(others);
        let all = threads.unwrap_or(LANES as u32);
        if id >= BARRIERS || all == 0 || !all.is_multiple_of(LANES as u32) {
            return Err(Problem::NoSuchBarrier { id, threads: all });
        }
        let (waiting, holds) = match kind {
            BarrierKind::Sync | BarrierKind::Arrive => (Waiting::Nothing, 0),
            BarrierKind::Popc(d, condition) => {
                (Waiting::Count(d), self.registers.condition(image, condition))
            }
            BarrierKind::Reduce(op, d, condition) => {
                (Waiting::Logic(op, d), self.registers.condition(image, condition))
            }
        };
        self.waiting = waiting;
        let waits = kind != BarrierKind::Arrive;
        Ok(Arrival { id, threads, waits, holds: holds & mask, lanes: mask })
    }

    /// Lets a warp that waits go on: `held` threads of `came` had a predicate that holds.
    pub fn release(&mut self, held: u32, came: u32) {
        let mask = self.stack.live();
        match std::mem::replace(&mut self.waiting, Waiting::Nothing) {
            Waiting::Nothing => {}
            Waiting::Count(d) => self.registers.write(d, mask, &[held; LANES]),
            Waiting::Logic(op, d) => {
                let holds = if op == Logic::And { held == came } else { held > 0 };
                self.registers.write_predicate(d, mask, if holds { u32::MAX } else { 0 });
            }
        }
    }
}
