//! Invariants: releases and atomics are counted, and what the followed release waits for is ahead of it.

use super::entries::{COUNT, Entries, Entry, here, serves};
use super::stages::Stages;
use super::{Place, Ways};
use crate::kit::*;
use crate::qr_write_cache::channels::Op;
use crate::qr_write_cache::properties::stores::Stores;
use crate::qr_write_cache::properties::{Known, Monitor};
use crate::s_fifo::Kind;

/// Where the followed release is.
struct Followed<'m> {
    /// On its way down, inside the FIFO and the stages behind it, and not yet there: a bit each position.
    down: Vec<Signal<'m>>,
    inside: Vec<Signal<'m>>,
    up: Vec<Signal<'m>>,
}

impl<'m> Entries<'m> {
    /// Releases and atomics, which the circuit counts too.
    pub fn releases(
        &self,
        monitor: &Monitor<'_, 'm>,
        probes: &Probes,
        known: &Known<'m>,
        (stages, ways, is_noted): (&Stages<'m>, &Ways<'m>, Signal<'m>),
    ) {
        let Monitor { m, p, .. } = monitor;
        let followed = self.followed(monitor, stages, known);
        let signal = |name: &str, width| probes.signal(m, name, width);
        let count = |bits: Vec<Signal<'m>>| count_of(bits, COUNT);
        let atomics_bits = address_bits(p.fifo_depth + 5);
        let [in_flight, finished] = ["atomics_in_flight", "atomics_finished"]
            .map(|name| signal(name, atomics_bits).zero_extend(COUNT));
        let is_atomic = |places: &[Place<'m>]| places.iter().map(|of| of.is(Op::Atomic)).collect();
        let down = count(is_atomic(&stages.down));
        let inside = count(self.inside.iter().map(|entry| entry.is(Kind::Atomic)).collect());
        let atomics = &known.releases.atomics;
        let same = [
            atomics.in_flight.eq(in_flight),
            inside.eq(in_flight + finished + down),
            atomics.inside.eq(in_flight + down + count(is_atomic(&stages.up))),
        ];
        invariant(m, "atomics", all_of(m, &same), "Atomics are counted.");

        // Atomics complete in their order.
        let mut older = m.lit(COUNT, 0);
        let mut kept = Vec::new();
        let entries = self.inside.iter().chain(&self.up);
        for (entry, is_it) in entries.zip(followed.inside.iter().chain(&followed.up)) {
            let ahead = known.releases.atomics_ahead;
            let left = older.le(finished).mux(!ahead.any(), older.eq(ahead + finished));
            kept.push(!*is_it | left);
            older = older + entry.is(Kind::Atomic).zero_extend(COUNT);
        }
        let none = !any_of(followed.down.iter().copied());
        kept.push(none | !known.releases.atomics_ahead.any());
        invariant(
            m,
            "atomics_ahead",
            all_of(m, &kept),
            "Atomics ahead of the release are counted.",
        );
        self.stores_ahead(monitor, known, (stages, ways), &followed);
        self.invs_ahead(monitor, probes, known, (&followed, is_noted));
    }

    /// Where the followed release is; it is as it came.
    fn followed(
        &self,
        monitor: &Monitor<'_, 'm>,
        stages: &Stages<'m>,
        known: &Known<'m>,
    ) -> Followed<'m> {
        let Monitor { m, p, ack, .. } = monitor;
        let releases = &known.releases;
        let mut number = m.lit(COUNT, 0);
        let mut same = Vec::new();
        let mut is_it = |ends: Signal<'m>, of: &dyn Fn(&str) -> Signal<'m>| {
            let is_it = releases.follows & ends & number.eq(releases.ahead);
            let fields = releases.release.fields().iter();
            let kept: Vec<_> =
                fields.map(|f| of(&f.name).eq(releases.release.get(&f.name))).collect();
            same.push(!is_it | all_of(m, &kept));
            number = number + ends.zero_extend(COUNT);
            is_it
        };
        let down: Vec<_> = match p.last_level {
            true => {
                let of = |field: &str| match field {
                    "wavefront" => ack.get(field),
                    _ => m.lit(1, 1),
                };
                vec![is_it(ack.valid, &of)]
            }
            false => {
                let down = stages.down.iter();
                down.map(|of| is_it(of.is(Op::Release), &|field| of.request.get(field))).collect()
            }
        };
        let mut of_entries = |entries: &[Entry<'m>]| -> Vec<_> {
            entries.iter().map(|of| is_it(of.ends(p), &|field| of.entry.get(field))).collect()
        };
        let (inside, up) = (of_entries(&self.inside), of_entries(&self.up));
        let counted = releases.inside.eq(number);
        invariant(m, "releases", counted, "Releases are counted.");
        let nothing = stages.down.iter().map(|of| {
            let fields = ["block", "bytes", "data"].map(|field| !of.request.get(field).any());
            !of.is(Op::Release) | all_of(m, &fields)
        });
        same.extend(nothing);
        let found = any_of(down.iter().chain(&inside).chain(&up).copied());
        let same = all_of(m, &same) & (found | !releases.follows);
        invariant(m, "followed_release", same, "The followed release is as it came.");
        Followed { down, inside, up }
    }

    /// Stores to the chosen block that are ahead of the followed release.
    fn stores_ahead(
        &self,
        monitor: &Monitor<'_, 'm>,
        known: &Known<'m>,
        (stages, ways): (&Stages<'m>, &Ways<'m>),
        followed: &Followed<'m>,
    ) {
        let Monitor { m, marked, .. } = monitor;
        let stores: &Stores<'m> = &known.stores;
        let ahead = &known.releases.stores_ahead;
        let [left, is_dirty, writes] =
            ["stores_ahead", "is_dirty", "writes_ahead"].map(|field| ahead.get(field));
        let is_of_block = |place: &Place<'m>| {
            (place.is(Op::Store) & stores.is(place.request.get("block"))).zero_extend(3)
        };
        let mut kept = Vec::new();
        let mut older = m.lit(3, 0);
        for (place, is_it) in stages.down.iter().zip(&followed.down) {
            kept.push(!*is_it | (!left.any() & !is_dirty & writes.le(older)));
            older = older + is_of_block(place);
        }
        let here = here(monitor, ways, stores.block);
        let mut written = m.lit(1, 0);
        let no_more = is_dirty | writes.le(stores.writes());
        for (entry, is_it) in self.inside.iter().zip(&followed.inside) {
            // Until it is written through, an entry ahead of the release will do so.
            let due = !is_dirty | stores.invalidates | (stores.dirty.any() & written);
            kept.push(!*is_it | (!left.any() & due & no_more));
            written = written | serves(entry, known, here);
        }
        let mut unmerged = (marked.valid & stores.is(marked.get("block"))).zero_extend(3);
        for (place, is_it) in stages.up.iter().zip(&followed.up) {
            let due = is_dirty.eq(stores.dirty.any()) & left.eq(unmerged);
            kept.push(!*is_it | (due & no_more));
            unmerged = unmerged + is_of_block(place);
        }
        let doc = "Stores ahead of the release are counted.";
        invariant(m, "stores_ahead", all_of(m, &kept), doc);
    }

    /// Invalidations that are ahead of the followed release.
    fn invs_ahead(
        &self,
        monitor: &Monitor<'_, 'm>,
        probes: &Probes,
        known: &Known<'m>,
        (followed, is_noted): (&Followed<'m>, Signal<'m>),
    ) {
        let Monitor { m, p, .. } = monitor;
        let invs = &known.invs;
        let (waits, stores) = (&known.releases.stores_ahead, &known.stores);
        let (ahead, is_dirty) = (waits.get("invs_ahead"), waits.get("is_dirty"));
        let width = ahead.width();
        let owed = probes.signal(m, "owed0", width - 1).zero_extend(width);
        let is_first = followed.inside[0];
        let is_down = any_of(followed.down.iter().copied());
        let kept = [
            invs.before.le(p.invalidations),
            stores.invs_left().le(invs.before),
            !known.releases.follows | ahead.le(invs.before),
            !(is_first & is_noted) | (ahead.le(owed) & !is_dirty),
            !is_down | !ahead.any(),
            !is_noted | (self.inside[0].is(Kind::Release) & owed.le(invs.now)),
        ];
        invariant(m, "invs_ahead", all_of(m, &kept), "Invalidations ahead of it are counted.");
    }
}
