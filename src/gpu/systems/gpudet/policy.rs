//! What ends a wavefront's quantum (4.2), and what its workgroup decides then (4.2.1).

use std::ops::Range;

use super::Gpudet;
use super::planted;
use super::slots::{Reason, State, Turn};
use crate::config::{BarrierRule, SharedOrder};
use crate::isa::{AccessForm, AccessKind, Operation, Order, Service, Space};
use crate::memory::{IssuePolicy, NextInstruction, Permit, Request, Shared};

/// The part of a mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mode {
    /// No launch is in flight.
    Idle,
    Parallel,
    Commit,
    Serial,
    /// The Z-buffer is being reset.
    RollOver,
}

/// Whether an operation is performed in serial mode.
fn is_serial(operation: &Operation) -> bool {
    match operation {
        Operation::Access(form) => {
            matches!(form.kind, AccessKind::Atomic(_))
                && matches!(form.space, Space::Global | Space::Generic)
        }
        Operation::Service(service) => {
            matches!(service, Service::Allocate { .. } | Service::Free { .. })
        }
        _ => false,
    }
}

/// Whether an operation orders global memory. Releases and acquires that are known to be of global memory need not: all
/// stores of a quantum appear at once.
fn is_fence(operation: &Operation) -> bool {
    match operation {
        Operation::Fence { .. } => true,
        Operation::Access(form) => {
            matches!(form.order, Order::Release | Order::Acquire | Order::AcquireRelease)
                && form.space.may_be_shared()
        }
        _ => false,
    }
}

fn stores_to_global(form: &AccessForm) -> bool {
    form.kind == AccessKind::Store && matches!(form.space, Space::Global | Space::Generic)
}

impl Gpudet {
    /// Why a wavefront's quantum ends before an instruction, if it does.
    fn reason(&self, index: usize, next: &NextInstruction) -> Option<Reason> {
        let wavefront = &self.wavefronts[index];
        let by_clock =
            self.is_late && wavefront.count > 0 && self.planted.is(planted::ENDS_BY_CLOCK);
        if wavefront.count >= self.settings.instructions
            || by_clock
            || self.stops_with_others(index)
        {
            return Some(Reason::Count);
        }
        let operation = next.operation;
        if next.lanes == 0 {
            return None;
        }
        if is_serial(operation) {
            return Some(Reason::Atomic);
        }
        if is_fence(operation) && !wavefront.resumes && !self.planted.is(planted::FENCE_IGNORED) {
            return Some(Reason::Fence);
        }
        let free = (self.settings.log_entries as usize).saturating_sub(wavefront.log.entries.len());
        let is_full = || (free as u32) < next.lanes.count_ones() && (free as u32) < next.lines();
        match operation {
            Operation::Access(form) if stores_to_global(form) && is_full() => Some(Reason::LogFull),
            Operation::Service(Service::Print { .. }) if !wavefront.log.entries.is_empty() => {
                Some(Reason::Print)
            }
            _ => None,
        }
    }

    /// A planted error: a wavefront stops when another of its workgroup has.
    fn stops_with_others(&self, index: usize) -> bool {
        if !self.planted.is(planted::ALL_STOP_WITH_THE_FIRST) {
            return false;
        }
        let core = index as u32 / self.warps_per_core;
        let slot = &self.slots[self.slot_of(core, self.wavefronts[index].place)];
        let turn = |warp| self.wavefronts[self.index(core, warp)].turn;
        slot.warps.clone().any(|warp| matches!(turn(warp), Turn::Ended(_)))
    }

    /// Whether an access may be one to shared memory, and their order matters.
    fn is_ordered(&self, form: &AccessForm) -> bool {
        self.settings.shared_order == SharedOrder::Deterministic && form.space.may_be_shared()
    }

    /// A wavefront goes on: it has issued what it was permitted before.
    fn has_issued(&mut self, core: u32, warp: u32) {
        let place = self.wavefronts[self.index(core, warp)].place;
        let at = self.slot_of(core, place);
        let slot = self.slots.get_mut(at);
        if slot.and_then(|slot| slot.accesses.take_if(|it| *it == warp)).is_some() {
            self.wake_for_shared(core, place);
        }
    }

    /// Whether a wavefront's access to shared memory must wait for others of its workgroup.
    fn waits_for_others(&self, core: u32, index: usize, operation: &Operation) -> bool {
        let Operation::Access(form) = operation else { return false };
        if !self.is_ordered(form) {
            return false;
        }
        let slot = &self.slots[self.slot_of(core, self.wavefronts[index].place)];
        if slot.accesses.is_some() {
            return true;
        }
        let first = slot
            .warps
            .clone()
            .map(|warp| self.index(core, warp))
            .filter(|other| self.wavefronts[*other].turn == Turn::Runs)
            .min_by_key(|other| (self.wavefronts[*other].count, *other));
        first != Some(index)
    }

    /// Wakes those that wait for their turn at shared memory.
    fn wake_for_shared(&mut self, core: u32, place: u32) {
        if self.settings.shared_order == SharedOrder::Thesis {
            return;
        }
        for warp in self.slots[self.slot_of(core, place)].warps.clone() {
            let index = self.index(core, warp);
            let wavefront = &mut self.wavefronts[index];
            if wavefront.turn == Turn::Runs && std::mem::take(&mut wavefront.waits) {
                self.requests.push_back(Request::Wake(core, warp));
            }
        }
    }

    /// A wavefront runs no further in this quantum.
    pub(super) fn stop(&mut self, core: u32, warp: u32, turn: Turn) {
        let index = self.index(core, warp);
        self.wavefronts[index].turn = turn;
        self.has_issued(core, warp);
        let place = self.wavefronts[index].place;
        self.wake_for_shared(core, place);
        let at = self.slot_of(core, place);
        let slot = &mut self.slots[at];
        if slot.state != State::Runs {
            return;
        }
        let first = (core * self.warps_per_core) as usize;
        let turns = |warps: &Range<u32>| {
            warps
                .clone()
                .map(|warp| self.wavefronts[first + warp as usize].turn)
                .collect::<Vec<_>>()
        };
        let turns = turns(&slot.warps);
        if turns.contains(&Turn::Runs) {
            return;
        }
        match turns.iter().all(|turn| *turn == Turn::Absent) {
            true if slot.share.is_empty() => {
                slot.state = State::Empty;
                self.running_slots -= 1;
            }
            true => slot.state = State::Due,
            false => {
                slot.state = State::Counted;
                self.requests.push_back(Request::CountArrivals(core, place));
            }
        }
    }

    /// Whether a workgroup passes its complete barriers within the quantum.
    fn passes(&self, core: u32, warps: Range<u32>) -> bool {
        let has_stored =
            || warps.clone().any(|warp| self.wavefronts[self.index(core, warp)].log.has_stores());
        let rule = match self.planted.is(planted::BARRIER_PASSED_WITH_STORES) {
            true => BarrierRule::Thesis,
            false => self.settings.barriers,
        };
        self.settings.bta && (rule == BarrierRule::Thesis || !has_stored())
    }

    /// Opens the barriers at which these wavefronts wait.
    pub(super) fn open(&mut self, core: u32, place: u32, held: u64) {
        let at = self.slot_of(core, place);
        self.slots[at].state = State::Runs;
        for (bit, warp) in self.slots[at].warps.clone().enumerate() {
            if held >> bit & 1 != 0 {
                let index = self.index(core, warp);
                self.wavefronts[index].turn = Turn::Runs;
            }
        }
        self.requests.push_back(Request::OpenBarriers(core, place));
    }

    /// Decides on a wavefront in parallel mode.
    fn permit_in_parallel(&mut self, core: u32, warp: u32, next: &NextInstruction) -> bool {
        let index = self.index(core, warp);
        self.has_issued(core, warp);
        if let Some(reason) = self.reason(index, next) {
            self.wavefronts[index].resumes = reason == Reason::Fence;
            self.stop(core, warp, Turn::Ended(reason));
            return false;
        }
        if next.lanes != 0 && self.waits_for_others(core, index, next.operation) {
            return false;
        }
        let wavefront = &mut self.wavefronts[index];
        wavefront.count += 1;
        wavefront.resumes = false;
        let place = wavefront.place;
        if next.lanes != 0
            && let Operation::Access(form) = next.operation
            && self.is_ordered(form)
        {
            let at = self.slot_of(core, place);
            self.slots[at].accesses = Some(warp);
        }
        self.wake_for_shared(core, place);
        true
    }
}

impl IssuePolicy for Gpudet {
    fn begins(&mut self, core: u32, place: u32, warps: Range<u32>) {
        let at = self.slot_of(core, place);
        self.slots[at].state = State::Runs;
        self.slots[at].warps = warps.clone();
        for warp in warps {
            let index = self.index(core, warp);
            if self.planted.is(planted::NEXT_DROPS_LOG) {
                self.wavefronts[index].log.entries.clear();
            }
            let sees = self.planted.is(planted::NEXT_SEES_LOG);
            let wavefront = &mut self.wavefronts[index];
            (wavefront.turn, wavefront.place) = (Turn::Runs, place);
            (wavefront.resumes, wavefront.waits) = (false, false);
            if !sees {
                wavefront.log.begin = wavefront.log.entries.len();
                self.clear_filter(index);
            }
        }
    }

    fn permit(&mut self, core: u32, warp: u32, next: &NextInstruction) -> Permit {
        let index = self.index(core, warp);
        let permits = match self.wavefronts[index].turn {
            Turn::Runs if self.mode == Mode::Parallel => self.permit_in_parallel(core, warp, next),
            _ => self.permit_in_serial(core, warp, next),
        };
        self.wavefronts[index].waits = !permits;
        if permits { Permit::Issue } else { Permit::Wait }
    }

    fn waits(&mut self, core: u32, warp: u32) {
        self.stop(core, warp, Turn::AtBarrier);
    }

    fn ends(&mut self, core: u32, warp: u32) {
        self.counts.ended[Reason::Complete as usize] += 1;
        self.stop(core, warp, Turn::Absent);
    }

    fn request(&mut self, shared: &mut Shared) -> Option<Request> {
        if self.requests.is_empty() {
            self.advance(shared);
        }
        self.requests.pop_front()
    }

    fn clock(&self, core: u32, warp: u32) -> Option<u64> {
        let count = self.wavefronts[self.index(core, warp)].count;
        let quanta = self.quantum_total * u64::from(self.settings.instructions);
        // The instruction that reads it has been counted.
        (!self.planted.is(planted::REAL_CLOCK)).then(|| quanta + u64::from(count))
    }

    fn defers_barriers(&self) -> bool {
        true
    }

    fn counted(&mut self, core: u32, place: u32, held: u64) {
        let at = self.slot_of(core, place);
        if held != 0 && self.passes(core, self.slots[at].warps.clone()) {
            return self.open(core, place, held);
        }
        self.slots[at].state = State::Ended(held);
        self.running_slots -= 1;
    }

    fn keeps_fault(&mut self, core: u32, warp: u32) -> bool {
        match self.mode {
            Mode::Parallel => self.stop(core, warp, Turn::Faulty),
            _ => {
                let index = self.index(core, warp);
                self.wavefronts[index].turn = Turn::Faulty;
                self.pass_turn(core, warp);
            }
        }
        true
    }
}
