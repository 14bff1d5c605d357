//! Where each request and each miss is.

use super::{Inside, Late, Stage};
use crate::kit::*;

impl<'m> Inside<'_, 'm> {
    /// Of two live requests one is older, and the younger of two to one block waits.
    pub(super) fn requests_are_in_order(&self) {
        let mut kept = Vec::new();
        for (i, one) in Self::index(&self.entries) {
            kept.push(one.live | !one.under_way);
            kept.push(!one.under_way | !one.before.any());
            for (j, other) in Self::index(&self.entries).filter(|(j, _)| *j != i) {
                let both = one.live & other.live;
                let same = one.block.eq(other.block);
                kept.push(!both | (one.older.bit(j) ^ other.older.bit(i)));
                kept.push(!both | one.before.bit(j).eq(one.older.bit(j) & same));
                kept.push(!one.live | other.live | !(one.older.bit(j) | one.before.bit(j)));
                for (k, third) in Self::index(&self.entries).filter(|(k, _)| *k != i && *k != j) {
                    let chain = one.older.bit(j) & other.older.bit(k);
                    kept.push(!(both & third.live & chain) | one.older.bit(k));
                }
            }
        }
        invariant(self.m, "in_order", all_of(self.m, &kept), "Requests are ordered by age.");
    }

    fn in_stage(stage: &Stage<'m>, number: u32) -> Signal<'m> {
        stage.valid & !stage.fills & stage.entry.eq(number)
    }

    fn fills_in(stage: &Stage<'m>, number: u32) -> Signal<'m> {
        stage.valid & stage.fills & stage.comparator.eq(number)
    }

    fn late_hit(late: &Late<'m>, number: u32) -> Signal<'m> {
        late.compares & !late.fills & late.entry.eq(number)
    }

    /// The request has won nothing, in the last clock.
    pub(super) fn lost_here(&self, number: u32) -> Signal<'m> {
        self.lost.0 & self.lost.1.eq(number)
    }

    /// Places of a miss on its way to be compared, but for the one in which it is not asked for.
    pub(super) fn fill_places(&self, number: u32) -> Vec<Signal<'m>> {
        let late = |late: &Late<'m>| late.compares & late.fills & late.comparator.eq(number);
        let (zread, filled) = (self.zread, self.filled);
        let mut places = vec![
            zread.0 & zread.1.eq(number),
            self.monitor.reads.bit(number),
            filled.0 & filled.1.eq(number),
        ];
        places.extend(self.stages.iter().map(|stage| Self::fills_in(stage, number)));
        places.extend(self.late.iter().map(late));
        places
    }

    /// Each request under way, each miss, and each evicted block is in one place.
    pub(super) fn each_is_in_one_place(&self) {
        let Self { m, monitor, .. } = *self;
        let mut requests = Vec::new();
        for (i, entry) in Self::index(&self.entries) {
            let [one, two, three] = &self.stages;
            let mut places = vec![
                one.valid & !one.fills & self.picked.bit(i),
                Self::in_stage(two, i),
                Self::in_stage(three, i),
                monitor.colors.bit(i),
                self.lost_here(i),
                self.done.bit(i),
            ];
            places.extend(self.late.iter().map(|late| Self::late_hit(late, i)));
            places.extend(self.misses.iter().map(|miss| miss.open() & miss.request.eq(i)));
            places.extend(self.colors.holds(i));
            let expected = (entry.live & entry.under_way).zero_extend(5);
            requests.push(self.count(&places).eq(expected));
        }
        let [one, ..] = &self.stages;
        let single = (self.picked & (self.picked - 1)).eq(0) & self.picked.any();
        requests.push(!one.valid | one.fills | single);
        requests.extend([self.colors.sound, self.evicted.sound]);
        self.invariants("one_place", &requests, "A request under way is in one place.");

        let (mut fills, mut writes) = (Vec::new(), Vec::new());
        for (i, miss) in Self::index(&self.misses) {
            let others = self.fill_places(i);
            let all = [&others[..], &[miss.open() & !miss.asked]].concat();
            fills.push(self.count(&all).eq(miss.open().zero_extend(5)));
            let mut places = self.evicted.holds(i);
            places.push(monitor.writes.bit(i));
            places.extend(self.late.iter().map(|late| late.evicts & late.comparator.eq(i)));
            writes.push(self.count(&places).eq(miss.unwritten.zero_extend(5)));
            writes.push(miss.reserved | !(miss.unwritten | miss.compared));
            fills.push(!miss.compared | miss.asked);
        }
        self.invariants("one_fill", &fills, "A miss is in one place until it is compared.");
        self.invariants("one_write", &writes, "An evicted block is in one place.");
        let exclusive = self.late.iter().map(|late| !late.evicts | !(late.compares | late.fills));
        invariant(m, "evicts_alone", all_of(m, &exclusive.collect::<Vec<_>>()), "Not both.");
    }

    /// What stages and comparator entries hold of their requests.
    pub(super) fn stages_know_their_requests(&self, probes: &Probes) {
        let mut kept = Vec::new();
        for stage in &self.stages {
            let block = self.of_entry(stage.entry, |entry| entry.block);
            let same_tag = self.tag(stage.block).eq(self.tag(block));
            let same = self.set(stage.block).eq(self.set(block)) & (stage.fills | same_tag);
            kept.push(!stage.valid | same);
            let request = self.of_miss(stage.comparator, |miss| miss.request);
            kept.push(!(stage.valid & stage.fills) | stage.entry.eq(request));
        }
        for stage in &self.stages[1..] {
            let way = self.of_miss(stage.comparator, |miss| miss.way);
            kept.push(!(stage.valid & stage.fills) | stage.way.eq(way));
        }
        for late in &self.late {
            let block = self.of_entry(late.entry, |entry| entry.block);
            kept.push(!late.compares | late.set.eq(self.set(block)));
            let request = self.of_miss(late.comparator, |miss| miss.request);
            let way = self.of_miss(late.comparator, |miss| miss.way);
            kept.push(!(late.compares & late.fills) | (late.entry.eq(request) & late.way.eq(way)));
        }
        for miss in &self.misses {
            let block = self.of_entry(miss.request, |entry| entry.block);
            kept.push(!miss.open() | miss.block.eq(block));
        }
        let address = probes.signal(self.m, "zread_shown_address", self.p.address_bits);
        let block = self.of_miss(self.zread.1, |miss| miss.block);
        kept.push(!self.zread.0 | address.eq(self.p.address(block)));
        self.invariants("known", &kept, "A stage has the block of its request.");
    }

    /// Where the monitor is in a reset is where the circuit is, and the unit is empty after it drained.
    pub(super) fn resets_are_followed(&self, probes: &Probes) {
        let (m, monitor) = (self.m, self.monitor);
        let state = probes.signal(m, "reset_state", 3);
        let is = |of_circuit: u32, of_monitor: u32| {
            state.eq(of_circuit) & monitor.resetting.eq(of_monitor)
        };
        let clearing = is(2, 1) | is(2, 2);
        let together = is(0, 0) | is(1, 1) | clearing | is(3, 3) | is(4, 4);
        let shown = self.ack_shown;
        let live = any_of(self.entries.iter().map(|entry| entry.live));
        let reserved = any_of(self.misses.iter().map(|miss| miss.reserved));
        let valid = any_of(self.valid.iter().map(|valid| valid.any()));
        let empty = !live & !reserved & !shown & !valid & !monitor.ids.any();
        let shown = monitor.resetting.eq(1) & monitor.zclear.valid;
        let kept = [together, state.le(1) | empty, !shown | monitor.cleared_now];
        self.invariants("reset", &kept, "A reset is followed, and clears the unit.");
    }
}
