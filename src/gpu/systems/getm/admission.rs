//! When warps begin transactions: the limit of a core (table 4.4), the pause after an abort (4.5.1), roll-overs
//! of the timestamps (4.5.2), and warps that run alone: they have aborted too often, or none has committed for long.

use std::collections::VecDeque;

use rand::RngExt;

use super::ring::Order;
use super::warp::State;
use super::{Getm, SystemEvent};
use crate::memory::{Done, Shared};
use crate::simt::lanes_of;

/// The longest pause as a multiple of the shortest one, as in the simulator of GETM's authors.
const MOST_BACK_OFF: u64 = 10;

/// Transactional warps of a core.
#[derive(Debug, Default)]
pub(super) struct Core {
    admitted: u32,
    waiting: VecDeque<usize>,
    /// The latest time that any warp was told.
    pub told: Option<u64>,
}

/// A warp that runs its transaction alone, and those that will.
#[derive(Debug, Default)]
pub(super) struct Alone {
    warp: Option<usize>,
    next: VecDeque<usize>,
}

impl Getm {
    /// Lanes of a warp are to begin transactions, or to restart those that aborted.
    pub(super) fn begin_transaction(
        &mut self,
        shared: &mut Shared,
        core: u32,
        warp: u32,
        lanes: u32,
    ) {
        let index = self.index(core, warp);
        let now = shared.events.now();
        let state = &mut self.warps[index];
        (state.state, state.lanes, state.since) = (State::Waits, lanes, now);
        if !state.is_admitted {
            self.cores[core as usize].waiting.push_back(index);
            return self.admit(shared, core);
        }
        state.restarts += 1;
        let restarts = state.restarts;
        let limit = if self.settings.faithful { 0 } else { u64::from(self.settings.alone_after) };
        let is_livelock = now - self.progress > self.settings.livelock_clocks;
        let needs_alone = restarts >= limit || is_livelock && self.alone.warp.is_none();
        if limit > 0 && needs_alone && !self.alone.is_known(index) {
            self.alone.next.push_back(index);
            self.choose_alone();
        }
        let multiple = restarts % self.random.random_range(1..=MOST_BACK_OFF);
        let pause = u64::from(self.settings.back_off) * multiple;
        let pause = if self.alone.warp == Some(index) { 0 } else { pause };
        shared.events.at(now + pause, SystemEvent::Timer(index as u32));
    }

    /// Admits warps of a core, up to its limit.
    pub(super) fn admit(&mut self, shared: &mut Shared, core: u32) {
        let limit = self.settings.concurrency;
        loop {
            let state = &mut self.cores[core as usize];
            if limit > 0 && state.admitted >= limit {
                return;
            }
            let Some(index) = state.waiting.pop_front() else { return };
            state.admitted += 1;
            let warp = &mut self.warps[index];
            (warp.is_admitted, warp.restarts) = (true, 0);
            self.start_if_permitted(shared, index);
        }
    }

    /// A warp begins its transactions, now or when others have ended.
    pub(super) fn start_if_permitted(&mut self, shared: &mut Shared, index: usize) {
        let permitted = match self.alone.warp {
            None => true,
            Some(alone) => alone == index && self.running == 0,
        };
        // To a unit that knows a warp by its number alone, this transaction would be the one before.
        let is_logged = self.settings.faithful && self.warps[index].logged > 0;
        match permitted && !is_logged && !self.rolls {
            true => self.start(shared, index),
            false => self.held.push(index),
        }
    }

    /// Lets those begin that were held back and may now.
    pub(super) fn start_held(&mut self, shared: &mut Shared) {
        for index in std::mem::take(&mut self.held) {
            self.start_if_permitted(shared, index);
        }
    }

    /// All warps but the first of those that have aborted too often are held back.
    fn choose_alone(&mut self) {
        if self.alone.warp.is_none() {
            self.alone.warp = self.alone.next.pop_front();
            self.counts.alone += u64::from(self.alone.warp.is_some());
        }
    }

    /// Begins the transactions of a warp: later than all times that it and others of its core were told, as in
    /// the simulator of GETM's authors; alone, later than all.
    fn start(&mut self, shared: &mut Shared, index: usize) {
        let (core, place) = self.place(index);
        let is_alone = self.alone.warp == Some(index);
        let warp = &mut self.warps[index];
        let told = warp.told.max(self.cores[core as usize].told).max(warp.past);
        let told = if is_alone { told.max(Some(self.latest)) } else { told };
        warp.warpts = match (told, self.settings.faithful) {
            (Some(told), true) => told + 1,
            (None, true) => 0,
            (Some(told), false) => later(told, index as u64, self.warp_bits),
            (None, false) => index as u64,
        };
        // Without room for a later time no access is granted: the units begin a roll-over.
        warp.warpts = warp.warpts.min((1 << self.settings.timestamp_bits) - 1);
        self.latest = self.latest.max(warp.warpts);
        self.begin_lazy(index);
        let warp = &mut self.warps[index];
        let now = shared.events.now();
        self.counts.wait_clocks += now - warp.since;
        (warp.state, warp.aborted, warp.since) = (State::Runs, 0, now);
        (warp.past, warp.serial) = (Some(warp.warpts), warp.serial + 1);
        for lane in lanes_of(warp.lanes) {
            let at = (self.epoch + warp.warpts) << 5;
            let at = if self.settings.faithful { at } else { at | lane as u64 };
            warp.log.begin(lane, self.oracle.begin(at));
        }
        self.running += 1;
        shared.done.push(Done::Synchronised { core, warp: place });
    }

    /// All lanes of a warp have committed: another of its core may run transactions.
    pub(super) fn leave(&mut self, shared: &mut Shared, index: usize) {
        let (core, _) = self.place(index);
        self.warps[index].is_admitted = false;
        self.cores[core as usize].admitted -= 1;
        if self.alone.warp == Some(index) {
            self.alone.warp = None;
            self.choose_alone();
        }
        self.admit(shared, core);
    }

    /// A validation unit has stopped for a roll-over, or goes on.
    pub(super) fn rolled(&mut self, shared: &mut Shared, unit: usize, go: bool) {
        self.ring.rolled(unit, go);
        if !std::mem::replace(&mut self.rolls, true) {
            shared.events.at(shared.events.now() + 1, SystemEvent::Ring(0));
        }
    }

    /// A clock of the ring between the validation units.
    pub(super) fn clock_ring(&mut self, shared: &mut Shared) {
        if self.gives_up(shared) {
            return;
        }
        let halted = self.halting && self.running == 0 && self.logs_under_way == 0;
        let units = &self.units;
        let orders = match self.ring.clock(halted, |unit| units[unit].logged == 0) {
            Ok(orders) => orders,
            Err(wrong) => {
                shared.mismatch = Some(wrong);
                return;
            }
        };
        for order in orders {
            match order {
                Order::Roll { unit, go } => {
                    self.units[unit].roll(go);
                    self.clock_units(shared, unit as u32);
                }
                Order::Halt => {
                    self.halting = true;
                    let runs = |index: &usize| self.warps[*index].state == State::Runs;
                    let running: Vec<_> = (0..self.warps.len()).filter(runs).collect();
                    for index in running {
                        self.abort(shared, index, u32::MAX, "ROLLOVER");
                    }
                }
                Order::Resume => self.begin_time_again(shared),
            }
        }
        if self.rolls {
            shared.events.at(shared.events.now() + 1, SystemEvent::Ring(0));
        }
    }

    fn begin_time_again(&mut self, shared: &mut Shared) {
        (self.halting, self.rolls) = (false, false);
        self.counts.roll_overs += 1;
        self.epoch += self.latest + 1;
        self.latest = 0;
        for warp in &mut self.warps {
            (warp.past, warp.told) = (None, None);
        }
        for core in &mut self.cores {
            core.told = None;
        }
        self.start_held(shared);
    }
}

impl Alone {
    fn is_known(&self, index: usize) -> bool {
        self.warp == Some(index) || self.next.contains(&index)
    }
}

/// The earliest time of a warp after `time`: the low bits are the warp's number, so that no two warps have the same.
fn later(time: u64, warp: u64, warp_bits: u32) -> u64 {
    let same = (time >> warp_bits << warp_bits) | warp;
    if same > time { same } else { same + (1 << warp_bits) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_time_of_a_warp_is_the_smallest_later_one_that_is_its_own() {
        for warp in 0..4 {
            for time in 0..40 {
                let smallest = (time + 1..).find(|later| later % 4 == warp);
                assert_eq!(Some(later(time, warp, 2)), smallest);
            }
        }
    }
}
