//! Roll-over, mnow, and the walk through all sets that clears them: after reset, and of their times at a roll-over.

use super::act::Act;
use super::misses::Misses;
use crate::kit::*;
use crate::relativistic_l2::channels::{ROLL, ROLLED, RollOver, channels};
use crate::relativistic_l2::params::Params;

pub(super) struct Roll<'m> {
    m: &'m ModuleBuilder,
    p: Params,
    request: Stream<'m>,
    /// The sets have been cleared after reset.
    pub initialised: Reg<'m>,
    /// A roll-over has come, and its end is not told: requests do not enter.
    pub pending: Reg<'m>,
    /// A malformed one has come, and has not entered.
    pub bad: Reg<'m>,
    /// The largest time of any block that was evicted (3.4.4).
    pub mnow: Reg<'m>,
    walk: Reg<'m>,
    pub walking: Signal<'m>,
    pub walk_set: Signal<'m>,
}

impl<'m> Roll<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params) -> Self {
        let channel = &channels(p)[ROLL];
        let request = Stream::input(m, channel.name, &channel.fields);
        let initialised = m.reg("initialised", 1, 0).doc("All sets are cleared.");
        m.output("init_done", *initialised).doc("the RAMs have been cleared after reset");
        let pending = m.reg("roll_pending", 1, 0).doc("A roll-over has come.");
        let bad = m.reg("roll_bad", 1, 0).doc("A malformed roll-over is to be told.");
        request.ready.set(*initialised & !*pending & !*bad);
        let mnow = m.reg("mnow", p.timestamp_bits, 0).doc("Largest time of an evicted block.");
        let walk = m.reg("walk", p.set_bits() + 1, 0).doc("Next set to clear; high bit: none.");
        let walking = !walk.bit(p.set_bits());
        let walk_set = walk.truncate(p.set_bits());
        Self {
            m,
            p: p.clone(),
            request,
            initialised,
            pending,
            bad,
            mnow,
            walk,
            walking: walking.named("walking"),
            walk_set,
        }
    }

    /// Fills enter, unless a roll-over has everything stopped.
    pub fn fills_enter(&self, misses: &Misses<'m>) -> Signal<'m> {
        let stopped =
            if self.p.faithful { *self.pending } else { *self.pending & !misses.fetches() };
        !*self.bad & !stopped
    }

    /// Next state; one if a roll-over is acted on. A roll-over starts when `is_empty`: no event is in the stages, and,
    /// but with the thesis's rules, no block is fetched.
    pub fn update(
        &self,
        act: &Act<'m>,
        acts: Signal<'m>,
        is_empty: Signal<'m>,
        inside: Signal<'m>,
    ) -> Signal<'m> {
        let Self { m, pending, walk, .. } = self;
        let comes = self.request.fires();
        match self.p.faithful {
            true => m.when(comes, || pending.set(1)),
            false => m.when(comes, || {
                pending.set(!inside);
                self.bad.set(inside);
            }),
        };
        let cleared_due = m.reg("cleared_due", 1, 0).doc("The end of the roll-over is to be told.");
        let starts = (**pending & !self.walking & !*cleared_due & is_empty).named("walk_starts");
        let ends = (self.walking & self.walk_set.all()).named("walk_ends");
        m.when(self.walking, || walk.set(**walk + 1));
        m.when(starts, || walk.set(0));
        m.when(ends, || self.initialised.set(1));
        let rolls = (ends & *self.initialised).named("rolls_over");
        m.when(acts & act.evicts, || self.mnow.set(act.mnow));
        m.when(rolls, || self.mnow.set(0));
        self.tell(acts & act.time_ends, rolls, &cleared_due);
        rolls
    }

    /// The end of time is told once between roll-overs, and the end of each roll-over.
    fn tell(&self, time_ends: Signal<'m>, rolls: Signal<'m>, cleared_due: &Reg<'m>) {
        let Self { m, p, pending, .. } = self;
        let ended = m.reg("time_ended", 1, 0).doc("A lease was clipped, or a ver is the last.");
        ended.set(time_ends);
        let wanted = m.reg("roll_wanted", 1, 0).doc("A roll-over was wanted since the last one.");
        let wanted_due = m.reg("wanted_due", 1, 0).doc("That is to be told.");
        let channel = &channels(p)[ROLLED];
        let code = |kind: RollOver| m.lit(1, kind as u64);
        let kind = wanted_due.mux(code(RollOver::Wanted), code(RollOver::Cleared));
        let payload = Record::new(&channel.fields, vec![kind]);
        let ready = m.wire("rolled_taken", 1);
        let told = Stream { valid: *wanted_due | **cleared_due, payload, ready };
        let fires = told.fires().named("rolled_fires");
        told.output(m, channel.name);
        m.when(fires & *wanted_due, || wanted_due.set(0));
        m.when(fires & !*wanted_due, || {
            cleared_due.set(0);
            pending.set(0);
        });
        m.when(*ended & !*wanted, || {
            wanted.set(1);
            wanted_due.set(1);
        });
        m.when(rolls, || {
            wanted.set(0);
            cleared_due.set(1);
        });
    }
}
