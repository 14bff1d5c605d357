//! Releases: one in four is followed, of an arbitrary residue.

use super::Monitor;
use super::stores::{Stores, one_less};
use crate::circuit::Held;
use crate::kit::*;
use crate::qr_write_cache::channels::Op;
use crate::qr_write_cache::params::Params;
use crate::qr_write_cache::rules;

/// Bits of the counts of releases and of atomics inside.
const COUNT: u32 = 6;

/// Releases inside, and the followed one.
pub(super) struct Releases<'m> {
    /// Releases inside, the one that comes in this clock included.
    pub inside: Signal<'m>,
    pub atomics: Atomics<'m>,
    /// One is followed: the number of releases ahead of it, what it is, and what else is ahead of it.
    pub follows: Signal<'m>,
    pub ahead: Signal<'m>,
    pub release: Record<'m>,
    pub stores_ahead: Record<'m>,
    pub atomics_ahead: Signal<'m>,
}

/// Atomics that have come and not completed.
pub(super) struct Atomics<'m> {
    /// Atomics that have gone down and are not done.
    pub in_flight: Signal<'m>,
    /// All, with one that has just come.
    pub inside: Signal<'m>,
    /// All after this clock, but for one that has just come.
    stay: Signal<'m>,
    /// One completes.
    completes: Signal<'m>,
}

impl<'m> Monitor<'_, 'm> {
    /// A release has come whose end is seen: at the last level those without an answer end unseen.
    pub(super) fn comes_to_an_end(&self) -> Signal<'m> {
        let release = self.takes(Op::Release);
        match self.p.last_level {
            true => release & self.accepted.get("needs_ack"),
            false => release,
        }
    }

    /// Such a release ends.
    pub(super) fn release_ends(&self) -> Signal<'m> {
        match self.p.last_level {
            true => self.ack.valid,
            false => self.down.fires() & Self::is(&self.down, Op::Release),
        }
    }

    /// Follows a release to its end.
    pub(super) fn follow_a_release(&self, stores: &Stores<'m>, ended: Signal<'m>) -> Releases<'m> {
        let Self { m, p, down, ack, accepted, .. } = self;
        let atomics = self.atomics();
        let comes = self.comes_to_an_end();
        let inside = m.reg("releases_inside", COUNT, 0);
        let count = m.reg("releases_accepted", 2, 0);
        let chosen = m.input("chosen_release", 2);
        m.when(comes, || count.set(*count + 1));
        let stay = one_less(*inside, ended);
        inside.set(stay + comes.zero_extend(COUNT));

        let follows = m.reg("follows_release", 1, 0);
        let begins = comes & !*follows & count.eq(chosen);
        let ahead = m.reg_without_reset("releases_ahead", COUNT);
        let ends = *follows & ended & !ahead.any();
        let fields = Fields::new().with("wavefront", p.wavefront_bits, "").with("needs_ack", 1, "");
        let release = Held::new(m, "release", &fields);
        let waits = Held::new(m, "release", &stores.ahead_fields());
        let atomics_ahead = m.reg_without_reset("atomics_ahead", COUNT);
        follows.set(begins | (*follows & !ends));
        m.when(begins, || {
            ahead.set(stay);
            release.set(&pick(&fields, accepted));
            waits.set(&stores.ahead_of_new());
            atomics_ahead.set(atomics.stay);
        })
        .otherwise(|| {
            ahead.set(one_less(*ahead, ended));
            waits.set(&stores.ahead_after(waits.get()));
            atomics_ahead.set(one_less(*atomics_ahead, atomics.completes));
        });

        let same =
            |channel: &Watched<'m>, field: &str| channel.get(field).eq(release.get().get(field));
        let as_came = match p.last_level {
            true => same(ack, "wavefront"),
            false => {
                let nothing = ["block", "bytes", "data"].map(|field| !down.get(field).any());
                same(down, "wavefront") & same(down, "needs_ack") & all_of(m, &nothing)
            }
        };
        rules::RELEASED_ONCE.assert(m, (!ended | inside.any()) & (!ends | as_came));
        let left = stores.ahead_after(waits.get());
        // What was written through may still be on its way from the last level.
        let written = if p.last_level { m.lit(1, 1) } else { !left.get("writes_ahead").any() };
        let written = written & !left.get("stores_ahead").any() & !left.get("is_dirty");
        rules::WRITES_BEFORE_RELEASE.assert(m, !ends | written);
        let before = waits.get();
        let through = stores.invalidates & before.get("is_dirty");
        rules::RELEASE_INVALIDATES.assert(m, !ends | (!before.get("invs_ahead").any() & !through));
        rules::ATOMIC_BEFORE_RELEASE.assert(m, !ends | !atomics_ahead.any());
        Releases {
            inside: *inside + comes.zero_extend(COUNT),
            atomics,
            follows: *follows,
            ahead: *ahead,
            release: release.get().clone(),
            stores_ahead: before.clone(),
            atomics_ahead: *atomics_ahead,
        }
    }

    fn atomics(&self) -> Atomics<'m> {
        let Self { m, down, done, .. } = self;
        let in_flight = m.reg("atomics_down", COUNT, 0);
        let inside = m.reg("atomics_inside", COUNT, 0);
        let more = (down.fires() & Self::is(down, Op::Atomic)).zero_extend(COUNT);
        let now = *in_flight + more;
        let completes = done.valid & now.any();
        in_flight.set(one_less(now, completes));
        let stay = one_less(*inside, completes);
        let comes = self.takes(Op::Atomic).zero_extend(COUNT);
        inside.set(stay + comes);
        Atomics { in_flight: *in_flight, inside: *inside + comes, stay, completes }
    }

    /// Clocks in which nothing need be seen of what is inside.
    pub(super) fn patience(p: &Params) -> u64 {
        10 * u64::from(p.fifo_depth) + 32
    }

    /// Clocks for which something has been inside without any progress, while the environment withheld nothing.
    pub(super) fn moves_on(&self, waits: Signal<'m>, withheld: Signal<'m>) -> Signal<'m> {
        let Self { m, p, down, marked, inv, hit, ack, .. } = self;
        let moves = marked.valid | inv.valid | hit.valid | down.fires();
        let moves = if p.last_level { moves | ack.valid } else { moves };
        let most = Self::patience(p);
        let still = waits & !withheld & !moves;
        let clocks = clocks_of(m, "still_for", most, still);
        rules::MOVES_ON.assert(m, clocks.ne(most));
        *clocks
    }
}
