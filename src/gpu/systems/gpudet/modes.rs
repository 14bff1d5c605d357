//! The modes of a quantum and the barriers between them (figure 4.1): parallel, commit, serial, distribution.

use super::planted::{
    COMMITS_UNACKNOWLEDGED, L1_KEPT, LOADS_IN_FLIGHT, LOG_KEPT, NO_ROLL_OVER, QUANTUM_RESTARTS,
    SERIAL_FIRST,
};
use super::policy::Mode;
use super::slots::{Reason, State, Turn, deal, take_back};
use super::{Gpudet, SystemEvent};
use crate::memory::{CtaSource, NextCta, Request, Shared};

/// Clocks of a quantum that a planted error ends by clock.
const LATE: u64 = 400;

impl Gpudet {
    /// Ends the mode if all is done that belongs to it.
    pub(super) fn advance(&mut self, shared: &mut Shared) {
        shared.mismatch = shared.mismatch.take().or_else(|| self.wrong.take());
        if self.crosses || self.is_faulty {
            return;
        }
        match self.mode {
            Mode::Idle => {}
            Mode::Parallel => {
                self.is_late = shared.events.now() - self.mode_since > LATE;
                let answered = self.in_flight == 0 || self.planted.is(LOADS_IN_FLIGHT);
                if self.running_slots == 0 && answered {
                    self.end_parallel(shared);
                }
            }
            Mode::Commit => {
                let acknowledged =
                    self.unacknowledged == 0 || self.planted.is(COMMITS_UNACKNOWLEDGED);
                if self.unsent == 0 && acknowledged {
                    self.end_commit(shared);
                }
            }
            Mode::Serial => self.advance_serial(shared),
            Mode::RollOver => {
                if self.resets == 0 {
                    self.begin_quantum(shared);
                }
            }
        }
    }

    /// All workgroups have ended their quantum, and all loads are answered.
    fn end_parallel(&mut self, shared: &mut Shared) {
        for wavefront in &self.wavefronts {
            match wavefront.turn {
                Turn::Ended(reason) => self.counts.ended[reason as usize] += 1,
                Turn::AtBarrier => self.counts.ended[Reason::Barrier as usize] += 1,
                Turn::Absent | Turn::Runs | Turn::Faulty => {}
            }
        }
        self.requests.push_back(Request::AskWatchdog);
        if self.reports_fault() {
            return;
        }
        match self.planted.is(SERIAL_FIRST) && self.has_atomics() {
            true => self.cross(shared, Mode::Serial),
            false => self.cross(shared, Mode::Commit),
        }
    }

    /// Reports the fault of the smallest wavefront number, if there is one.
    pub(super) fn reports_fault(&mut self) -> bool {
        let faulty = self.wavefronts.iter().position(|wavefront| wavefront.turn == Turn::Faulty);
        if let Some(index) = faulty {
            let (core, warp) = self.place(index);
            self.requests.push_back(Request::ReportFault(core, warp));
            self.is_faulty = true;
        }
        faulty.is_some()
    }

    /// Whether a wavefront's quantum has ended at an atomic.
    pub(super) fn has_atomics(&self) -> bool {
        self.wavefronts.iter().any(|it| it.turn == Turn::Ended(Reason::Atomic))
    }

    /// Crosses a barrier of the whole GPU, behind which another mode begins.
    pub(super) fn cross(&mut self, shared: &mut Shared, next: Mode) {
        let now = shared.events.now();
        let written = self.l1.iter().map(|l1| l1.free).max().unwrap_or(0);
        let opens = match self.mode {
            // Lines of store buffers are written.
            Mode::Parallel => now.max(written),
            _ => now,
        } + u64::from(self.settings.barrier_clocks);
        self.crosses = true;
        self.counts.barriers += 1;
        shared.events.at(opens, SystemEvent::Boundary(next as u32));
    }

    /// A barrier has opened.
    pub(super) fn crossed(&mut self, shared: &mut Shared, next: u32) {
        self.crosses = false;
        let now = shared.events.now();
        self.counts.clocks[self.mode as usize] += now - self.mode_since;
        self.mode_since = now;
        if next == Mode::Commit as u32 {
            self.begin_commit(shared);
        } else if next == Mode::Serial as u32 {
            self.begin_serial();
        } else {
            self.end_quantum(shared);
        }
    }

    /// All entries of store buffers are committed.
    fn end_commit(&mut self, shared: &mut Shared) {
        let keeps = self.planted.is(LOG_KEPT);
        {
            for (index, wavefront) in self.wavefronts.iter_mut().enumerate() {
                // One that is full would end every quantum.
                if keeps && wavefront.log.entries.len() < 8 {
                    continue;
                }
                let core = index as u32 / self.warps_per_core;
                let cache = &mut self.l1[core as usize].cache;
                for number in wavefront.log.lines() {
                    cache.drop_line(super::log::log_line(index, number));
                }
                wavefront.log.entries.clear();
                wavefront.log.begin = 0;
            }
        }
        (0..self.wavefronts.len()).for_each(|index| self.clear_filter(index));
        match self.has_atomics() && !self.planted.is(SERIAL_FIRST) {
            true => self.cross(shared, Mode::Serial),
            false => self.cross(shared, Mode::Parallel),
        }
    }

    /// A wavefront's store buffer is empty for its filter, which hears of it if it has been told of a store.
    pub(super) fn clear_filter(&mut self, index: usize) {
        let (core, warp) = self.place(index);
        if std::mem::take(&mut self.wavefronts[index].is_in_filter)
            && let Err(wrong) = self.blooms[core as usize].clear(warp)
        {
            self.wrong = Some(wrong);
        }
    }

    /// The quantum is over. The Z-buffer is reset when its number rolls over.
    fn end_quantum(&mut self, shared: &mut Shared) {
        self.counts.quanta += 1;
        self.quantum_total += 1;
        self.quantum += 1;
        if self.quantum >> self.settings.quantum_bits == 0 {
            return self.begin_quantum(shared);
        }
        self.quantum = 0;
        if self.planted.is(NO_ROLL_OVER) {
            return self.begin_quantum(shared);
        }
        self.counts.roll_overs += 1;
        self.mode = Mode::RollOver;
        self.reset_units(shared);
    }

    /// Workgroups are distributed, and a quantum begins if a wavefront or a workgroup can.
    fn begin_quantum(&mut self, shared: &mut Shared) {
        self.mode_since = shared.events.now();
        self.start_quantum();
        for at in 0..self.slots.len() as u32 {
            if self.slots[at as usize].state == State::Due {
                let cores = self.l1.len() as u32;
                self.woken.push((at % cores, at / cores));
            }
        }
    }

    fn start_quantum(&mut self) {
        if !self.planted.is(L1_KEPT) {
            self.l1.iter_mut().for_each(|l1| l1.empty());
        }
        take_back(&mut self.pending, &mut self.slots);
        deal(&mut self.pending, &mut self.slots, self.settings.dwp);
        self.wavefronts.iter_mut().for_each(|wavefront| wavefront.count = 0);
        self.running_slots = 0;
        self.mode = Mode::Parallel;
        for at in 0..self.slots.len() {
            match self.slots[at].state {
                State::Due => self.running_slots += 1,
                State::Ended(held) => self.resume(at, held),
                _ => {}
            }
        }
        if self.running_slots == 0 {
            self.mode = Mode::Idle;
        }
    }

    /// A workgroup goes on in a new quantum, unless all its wavefronts wait at barriers that are not complete.
    fn resume(&mut self, at: usize, held: u64) {
        let cores = self.l1.len() as u32;
        let (core, place) = (at as u32 % cores, at as u32 / cores);
        let mut resumes = held != 0;
        for warp in self.slots[at].warps.clone() {
            let index = self.index(core, warp);
            let wavefront = &mut self.wavefronts[index];
            if matches!(wavefront.turn, Turn::Ended(_)) {
                wavefront.turn = Turn::Runs;
                resumes = true;
                if std::mem::take(&mut wavefront.waits) {
                    self.requests.push_back(Request::Wake(core, warp));
                }
            }
        }
        if !resumes {
            return;
        }
        self.slots[at].state = State::Runs;
        self.running_slots += 1;
        if held != 0 {
            self.open(core, place, held);
        }
    }
}

impl CtaSource for Gpudet {
    fn begin(&mut self, ctas: &[u64], places: u32) {
        let slots = places as usize * self.l1.len();
        self.slots = (0..slots).map(|_| Default::default()).collect();
        let launches = (0..).zip(ctas);
        let all = launches
            .flat_map(|(launch, ctas)| (0..*ctas).map(move |number| NextCta { launch, number }));
        self.pending = all.collect();
        if self.planted.is(QUANTUM_RESTARTS) {
            self.quantum = 0;
        }
        self.start_quantum();
    }

    fn next(&mut self, core: u32, place: u32) -> Option<NextCta> {
        let at = self.slot_of(core, place);
        let slot = &mut self.slots[at];
        if slot.state != State::Due {
            return None;
        }
        if self.planted.is(super::planted::FIRST_FREE_SLOT) {
            let first =
                (0..self.slots.len()).filter(|at| !self.slots[*at].share.is_empty()).min_by_key(
                    |at| self.slots[*at].share.front().map(|next| (next.launch, next.number)),
                )?;
            return self.slots[first].share.pop_front();
        }
        slot.share.pop_front()
    }

    fn wakes(&mut self) -> Option<(u32, u32)> {
        self.woken.pop()
    }

    fn left(&self) -> u64 {
        let shares = self.slots.iter().map(|slot| slot.share.len());
        (self.pending.len() + shares.sum::<usize>()) as u64
    }
}
