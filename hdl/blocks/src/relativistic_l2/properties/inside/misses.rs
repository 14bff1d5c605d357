//! Each MSHR in use is in one place: its fetch leaves, or is asked, or its fill is on its way to stage 5.

use super::Inside;
use crate::kit::*;
use crate::relativistic_l2::channels::Fetch;
use crate::relativistic_l2::circuit::{place_fields, state};

impl<'m> Inside<'_, 'm> {
    pub(super) fn misses_are_somewhere(&self) {
        let (m, p) = (self.m, self.p);
        let fetch = SkidBuffer::new(m, self.probes, "fetch", &Fetch::fields(p));
        let asked = self.probes.signal(m, "mshrs_asked", p.mshrs);
        let waits = self.bit("fill_waits");
        let next = waits & !self.bit("fill_bad");
        let next_mshr = self.probes.signal(m, "fill_mshr", p.mshr_bits());
        let next_place = self.probes.signal(m, "fill_place", place_fields(p).width());

        let mut kept = vec![fetch.valid[0] | !fetch.valid[1], self.initialised | !waits];
        for number in 0..p.mshrs {
            let is = |mshr: Signal<'m>| mshr.eq(number);
            let leaving = fetch.valid.iter().zip(&fetch.data);
            let leaving = leaving.map(|(valid, data)| *valid & is(data.get("mshr")));
            let fills = self.stages.iter().map(|stage| stage.is_fill() & is(stage.get("mshr")));
            let others = [asked.bit(number), next & is(next_mshr)];
            let there = count_of(leaving.chain(fills).chain(others), 4);
            kept.push(there.eq(self.busy.bit(number).zero_extend(4)));
        }
        self.invariant("mshrs", &kept, "Each MSHR in use is in one place.");
        self.fetches_are_remembered(&fetch);

        let mut kept = vec![!next | next_place.eq(self.place_of(next_mshr).pack())];
        for (number, stage) in self.stages.iter().enumerate() {
            let place = self.place_of(stage.get("mshr"));
            kept.push(!stage.is_fill() | stage.set(p).eq(place.get("set")));
            if number < 3 {
                kept.push(!stage.is_fill() | stage.get("way").eq(place.get("way")));
            }
        }
        for (number, place) in self.places.iter().enumerate() {
            let place = Record::unpack(&place_fields(p), *place);
            let row = self.rams.of(place.get("set"));
            let way = row.way(one_hot::decode(place.get("way"), p.ways));
            let fetched = way.get("state").eq(state::IV) | way.get("state").eq(state::IAV);
            let own = fetched & way.get("k").eq(number as u64);
            kept.push(!self.busy.bit(number as u32) | own);
        }
        self.invariant("places", &kept, "The way of each MSHR is fetched.");
        self.fetched_ways_have_mshrs();
    }

    /// The chosen block is fetched in its set as the monitor remembers, once its fetch has left.
    fn fetches_are_remembered(&self, fetch: &SkidBuffer<'m>) {
        let (p, monitor) = (self.p, self.monitor);
        let filled = monitor.is_filled();
        let waits = *monitor.fetched & !filled;
        let row = self.rams.of(monitor.chosen.truncate(p.set_bits()));
        let hits = row.hits(monitor.chosen.slice(p.set_bits()..p.block_bits()));
        let way = row.way(hits);
        let is = |code: u64| way.get("state").eq(code);
        let is_fetched = hits.any() & (is(state::IV) | is(state::IAV)) & self.initialised;
        let [older, younger] = &fetch.data;
        let mut leaves = monitor.m.lit(1, 0);
        let its = way.get("k").truncate(p.mshr_bits()).eq(*monitor.fetched_mshr);
        let mut kept = vec![!filled | *monitor.fetched, !waits | its];
        for (valid, fetch) in fetch.valid.iter().zip([older, younger]) {
            let block = p.block(fetch.get("address"));
            let place = self.place_of(fetch.get("mshr"));
            let of = self.rams.of(place.get("set")).way(one_hot::decode(place.get("way"), p.ways));
            kept.push(!*valid | of.get("tag").concat(place.get("set")).eq(block));
            kept.push(!(*valid & waits & fetch.get("mshr").eq(*monitor.fetched_mshr)));
            let evicts = fetch.get("evict") & monitor.is_chosen(fetch.get("victim"));
            kept.push(!(*valid & waits & evicts));
            leaves = leaves | (*valid & block.eq(monitor.chosen));
        }
        let evicts =
            younger.get("evict") & p.block(younger.get("victim")).eq(p.block(older.get("address")));
        kept.push(!(fetch.valid[1] & evicts));
        kept.push(waits.eq(is_fetched & !leaves));
        self.invariant("fetches", &kept, "The chosen block is fetched as is remembered.");
    }

    fn fetched_ways_have_mshrs(&self) {
        let (m, p) = (self.m, self.p);
        let mut kept = Vec::new();
        for (set, row) in (0u64..).zip(&self.rams.0) {
            let cleared = self.initialised | self.walk.gt(set);
            for (number, way) in (0u64..).zip(&row.ways) {
                let fetched = way.get("state").eq(state::IV) | way.get("state").eq(state::IAV);
                let k = way.get("k");
                let mshr = k.truncate(p.mshr_bits());
                let busy = (one_hot::decode(k, p.mshrs) & self.busy).any();
                let values = vec![m.lit(p.set_bits(), set), m.lit(p.way_bits(), number)];
                let place = Record::new(&place_fields(p), values).pack();
                kept.push(!(cleared & fetched) | (busy & self.place_of(mshr).pack().eq(place)));
            }
        }
        self.invariant("fetched", &kept, "Each way that is fetched has an MSHR.");
    }
}
