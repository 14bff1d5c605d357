//! Answers under way keep the rules, one after the other, and the bank is beyond them all.

use super::super::monitor::judge;
use super::Inside;
use crate::kit::*;
use crate::relativistic_l2::channels::Action;
use crate::relativistic_l2::circuit::state;

impl<'m> Inside<'_, 'm> {
    pub(super) fn answers_keep_the_rules(&self) {
        let (m, p, monitor) = (self.m, self.p, self.monitor);
        let signal = |name: &str, width| self.probes.signal(m, name, width);
        let times = Fields::new().with("kind", 2, "").with("exp", p.timestamp_bits, "");
        let fields = times.with("ver", p.timestamp_bits, "");
        let leave = self.probes.record(m, "leave_", &fields);
        let block = signal("leave_block", p.block_bits());
        let left = signal("leave_cores_left", p.cores);
        let chosen = |address: Signal<'m>| monitor.is_chosen(address);
        let [older, younger] = &self.answers.data;
        let [first_valid, second_valid] = self.answers.valid;
        let under_way = [
            (first_valid & chosen(older.get("address")), older),
            (second_valid & chosen(younger.get("address")), younger),
            (self.leaving & left.any() & block.eq(monitor.chosen), &leave),
        ];
        let first = signal("leave_first", 1);
        let something = !self.leaving | first | left.any();
        let mut kept = vec![first_valid | !second_valid, something];
        let (mut ver, mut exp) = (*monitor.told_ver, *monitor.told_exp);
        for (there, answer) in under_way {
            let judged = judge(p, answer, (ver, exp));
            kept.push(!there | judged.kept());
            (ver, exp) = (there.mux(judged.ver, ver), there.mux(judged.exp, exp));
        }
        self.invariant("answers", &kept, "Answers under way keep the rules.");
        self.bank_is_beyond(ver, exp);
        self.times_are_cleared();
    }

    /// The bank's times of the chosen block are after its last store and lease.
    fn bank_is_beyond(&self, ver: Signal<'m>, exp: Signal<'m>) {
        let (p, monitor) = (self.p, self.monitor);
        let chosen = monitor.chosen;
        let row = self.rams.of(chosen.truncate(p.set_bits()));
        let hits = row.hits(chosen.slice(p.set_bits()..p.block_bits()));
        let way = row.way(hits);
        let is = |code: u64| hits.any() & way.get("state").eq(code);
        let beyond = way.get("ver").gt(exp);
        let rises = way.get("ver").ge(ver);
        let read = way.get("dirty").mux(beyond, way.get("ver").ge(exp));
        let kept = hits.any().mux(rises, self.mnow.ge(ver) & self.mnow.ge(exp))
            & (!is(state::V) | way.get("exp").ge(exp) | beyond)
            & (!is(state::IV) | read)
            & (!is(state::IAV) | beyond);
        // While times are cleared, what was told is not yet forgotten.
        let rolls = !self.walk.bit(p.set_bits()) & self.initialised;
        let forgets = rolls | (monitor.shows(Action::Roll) & !monitor.error.valid);
        let none = monitor.told_ver.eq(0) & monitor.told_exp.eq(0);
        let kept = [!self.initialised | forgets | kept, self.initialised | none, exp.le(p.limit())];
        self.invariant("beyond", &kept, "The bank is beyond what was told of the chosen block.");
    }

    /// A roll-over sets all times to 0, one set a clock.
    fn times_are_cleared(&self) {
        let p = self.p;
        let cleared_due = self.cleared_due;
        let rolls = !self.walk.bit(p.set_bits()) & self.initialised;
        let mut kept = vec![!cleared_due | self.mnow.eq(0), self.initialised | self.mnow.eq(0)];
        for (set, row) in (0u64..).zip(&self.rams.0) {
            let due = cleared_due | (rolls & self.walk.gt(set));
            let zero = |way: &Record<'m>| way.get("ver").eq(0) & way.get("exp").eq(0);
            kept.extend(row.ways.iter().map(|way| !due | zero(way)));
        }
        self.invariant("cleared", &kept, "A roll-over clears all times.");
    }
}
