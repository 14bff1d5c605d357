//! Serial mode: atomics in the order of cores, and of wavefronts within each (4.5).

use std::collections::VecDeque;

use super::Gpudet;
use super::planted::{
    ALL_CORES_AT_ONCE, ANY_ORDER, ATOMICS_UNACKNOWLEDGED, MALLOC_AT_ONCE, SERIAL_FIRST,
};
use super::policy::Mode;
use super::slots::{Reason, Turn};
use crate::config::Serialization;
use crate::isa::{Operation, Service};
use crate::memory::{NextInstruction, Request, Shared};

/// A wavefront whose turn it is.
#[derive(Debug)]
struct Sends {
    core: u32,
    warp: u32,
    /// Its atomic is permitted to issue.
    issues: bool,
}

/// The wavefronts that have yet to send an atomic.
#[derive(Debug, Default)]
pub(super) struct Serial {
    /// Wavefronts of later cores, in order.
    queue: VecDeque<(u32, u32)>,
    /// Wavefronts whose turn it is.
    turns: Vec<Sends>,
    /// The core whose atomics may be in flight.
    core: Option<u32>,
}

impl Gpudet {
    /// The first core begins.
    pub(super) fn begin_serial(&mut self) {
        self.mode = Mode::Serial;
        let all = (0..self.wavefronts.len())
            .filter(|index| self.wavefronts[*index].turn == Turn::Ended(Reason::Atomic));
        self.serial.queue = all.map(|index| self.place(index)).collect();
        self.serial.core = None;
        self.counts.atomics += self.serial.queue.len() as u64;
    }

    /// The next wavefront sends its atomic if it may; behind the last the mode ends.
    pub(super) fn advance_serial(&mut self, shared: &mut Shared) {
        if !self.serial.turns.is_empty() {
            return;
        }
        let answered = self.in_flight == 0 || self.planted.is(ATOMICS_UNACKNOWLEDGED);
        let Some((core, _)) = self.serial.queue.front().copied() else {
            if answered && !self.reports_fault() {
                let next =
                    if self.planted.is(SERIAL_FIRST) { Mode::Commit } else { Mode::Parallel };
                self.cross(shared, next);
            }
            return;
        };
        let overlaps = self.settings.serialization == Serialization::Unit;
        if !(answered || overlaps && self.serial.core == Some(core)) {
            return;
        }
        self.serial.core = Some(core);
        let alone = !(self.planted.is(ALL_CORES_AT_ONCE) || self.planted.is(ANY_ORDER));
        while let Some((next, warp)) = self.serial.queue.front().copied()
            && (next == core || self.planted.is(ALL_CORES_AT_ONCE))
        {
            self.serial.queue.pop_front();
            self.serial.turns.push(Sends { core: next, warp, issues: false });
            self.requests.push_back(Request::Wake(next, warp));
            if alone {
                return;
            }
        }
    }

    /// Decides on a wavefront outside of parallel mode, or whose quantum has ended.
    pub(super) fn permit_in_serial(
        &mut self,
        core: u32,
        warp: u32,
        next: &NextInstruction,
    ) -> bool {
        let is_at_once = matches!(
            next.operation,
            Operation::Service(Service::Allocate { .. } | Service::Free { .. })
        );
        if is_at_once && self.planted.is(MALLOC_AT_ONCE) {
            return true;
        }
        let its = |turn: &&mut Sends| (turn.core, turn.warp) == (core, warp);
        match self.serial.turns.iter_mut().find(its) {
            Some(turn) if !turn.issues => {
                turn.issues = true;
                true
            }
            // Its instruction has sent no access, such as `malloc`.
            Some(_) => {
                self.pass_turn(core, warp);
                false
            }
            None => false,
        }
    }

    /// A wavefront has sent its atomic.
    pub(super) fn pass_turn(&mut self, core: u32, warp: u32) {
        self.serial.turns.retain(|turn| (turn.core, turn.warp) != (core, warp));
    }
}
