//! The write cache as hardware: places for blocks with comparators of their own, data in RAM, and the
//! synchronization FIFO.
//!
//! At each clock one request and one drained entry are looked at; their blocks were compared with all places in the
//! clock before. What needs the RAM's read port and the way down is one thing a clock; the entry that drains goes
//! first.

mod drain;
mod entry;
mod outputs;
mod request;
mod stage;
mod surroundings;
mod turns;

use super::channels::{self, ERROR, Error, REQ, Request};
use super::params::Params;
use crate::kit::*;
use drain::Drain;
use outputs::{Drained, Issue, Outputs};
use request::Requests;
use stage::Stage;
use surroundings::Surroundings;
use turns::Turns;

/// The module `qr_write_cache`.
pub fn circuit(p: &Params) -> Module {
    module("qr_write_cache", |m| build(m, p))
}

fn build(m: &ModuleBuilder, p: &Params) {
    describe(
        m,
        "Write cache with a synchronization FIFO. QuickRelease, section 3.\n\n\
        Stores combine with what is dirty. A block is written through, on down, as its entry\n\
        drains from the FIFO, as another block needs its place, or as it is read or the target\n\
        of an atomic; inv tells every read cache. mark_written, inv and hit show what was done\n\
        one clock before; down follows in order.",
        p,
    );
    let surroundings = Surroundings::new(m, p);
    let arriving = input(m, p, &surroundings);
    let request = Turns::new(m, "request", &arriving);
    let outputs = Outputs::new(m, p);
    let enqueue = Enqueue::new(m);
    let draining = drain::fifo(m, p, &enqueue, &request.payload);
    let drained_stage = Stage::new(m, "drain", &draining);
    let places = Places::new(m, p, &request, &drained_stage);
    let drain = Drain::new(m, p, &drained_stage, &places);
    let drained = places.column("has_drained").and_where(drain.is_write).named("drained");

    let drains = drain.decide(m, &drained, &outputs, &surroundings);
    let requests = Requests::new(m, p, &request, &places);
    let does = requests.decide(&drained, &drains, &outputs, &surroundings, &enqueue);
    request.leaves.set(does.leaves);

    let writes_through =
        (drains.writes_through | does.evicts | does.flushes).named("writes_through");
    places.update(&does, &drains, &drained, &requests);
    surroundings.update(&drain, &drains, &does, writes_through);
    let slot = drains.takes_slot.mux(one_hot::encode(drained), requests.slot).named("slot_place");
    let data = places.data(&does, &requests, slot, outputs.free);
    let bytes = places.select(drained, "bytes").named("drained_bytes");
    let drained = Drained { block: drain.block, bytes };
    outputs.issue(Issue { drain: &drain, drained, drains, requests, does, writes_through, data });
}

/// The request that is looked at; what is refused raises error, and goes no further.
fn input<'m>(m: &'m ModuleBuilder, p: &Params, surroundings: &Surroundings<'m>) -> Stream<'m> {
    let channels = channels::channels(p);
    let req = Stream::input(m, channels[REQ].name, &Request::fields(p));
    let op = req.payload.get("op");
    let early = surroundings.waits_for_release(&req).named("is_early");
    let empty = (op.eq(0) & !req.payload.get("bytes").any()).named("has_no_bytes");
    let refused = (early | empty).named("refused");
    let code = early.mux(m.lit(1, Error::EarlyFlag as u64), m.lit(1, Error::NoBytes as u64));
    raise_errors(m, &channels[ERROR], "a request", &[req.fires(), refused], code);
    Stream { valid: (req.valid & !refused).named("arrives"), ..req }
}

/// What enters the synchronization FIFO.
struct Enqueue<'m> {
    valid: Wire<'m>,
    ready: Wire<'m>,
}

impl<'m> Enqueue<'m> {
    fn new(m: &'m ModuleBuilder) -> Self {
        Self { valid: m.wire("enqueues", 1), ready: m.wire("has_entry", 1) }
    }
}

/// The places for blocks, counted set after set.
struct Places<'p, 'm> {
    m: &'m ModuleBuilder,
    p: &'p Params,
    entries: Vec<InstanceHandle<'m>>,
    fills: Wire<'m>,
    merges: Wire<'m>,
    clears: Wire<'m>,
    /// The set of the request, one-hot.
    sets: Signal<'m>,
    /// The request that is looked at has the block that comes to drain.
    draining_is_request: Signal<'m>,
}

impl<'p, 'm> Places<'p, 'm> {
    fn new(m: &'m ModuleBuilder, p: &'p Params, request: &Turns<'m>, drain: &Stage<'m>) -> Self {
        let (set_bits, block) = (p.set_bits(), request.payload.get("block"));
        let set_of = |block: Signal<'m>| one_hot::decode(block.truncate(set_bits), p.sets);
        let tag_of = |block: Signal<'m>| block.slice(set_bits..p.block_bits);
        let sets = set_of(block).named("request_sets");
        let [fills, merges, clears] =
            ["fills", "merges", "clears"].map(|name| m.wire(name, p.blocks()));
        let next = [&request.next, &drain.next].map(|next| next.get("block"));
        let next_sets =
            [set_of(next[0]).named("arriving_sets"), set_of(next[1]).named("draining_sets")];
        let is_request = |other: Signal<'m>| tag_of(other).eq(tag_of(block));
        let same = [
            is_request(next[0]).named("arriving_is_request"),
            is_request(next[1]).named("draining_is_request"),
        ];
        let same_drained = drain.payload.get("block").eq(block).named("drained_is_request");
        let same_set = next[1].truncate(set_bits).eq(block.truncate(set_bits));
        let draining_is_request =
            (request.valid & same[1] & same_set).named("request_has_draining");
        let module = entry::entry(p);
        let entry = |place: u32| {
            let set = place / p.ways;
            let inputs = [
                ("request_tag", tag_of(block)),
                ("request_bytes", request.payload.get("bytes")),
                ("fills", fills.bit(place)),
                ("merges", merges.bit(place)),
                ("clears", clears.bit(place)),
                ("arriving_tag", tag_of(next[0])),
                ("arriving_in_set", next_sets[0].bit(set)),
                ("arriving_is_request", same[0]),
                ("request_turn", request.turn),
                ("requests_empty", request.empty),
                ("fills_other", request.same_block),
                ("draining_tag", tag_of(next[1])),
                ("draining_in_set", next_sets[1].bit(set)),
                ("draining_is_request", same[1]),
                ("draining_advances", drain.advances),
                ("fills_drained", same_drained),
            ];
            m.instance(&format!("entry{place}"), &module, &inputs)
        };
        let entries = (0..p.blocks()).map(entry).collect();
        Self { m, p, entries, fills, merges, clears, sets, draining_is_request }
    }

    fn outputs(&self, name: &str) -> Vec<Signal<'m>> {
        self.entries.iter().map(|entry| entry.output(name)).collect()
    }

    /// A one-bit output, one bit a place.
    fn column(&self, name: &str) -> Signal<'m> {
        self.m.concat_low_first(&self.outputs(name))
    }

    /// The output of the place whose bit is one.
    fn select(&self, place: Signal<'m>, name: &str) -> Signal<'m> {
        one_hot::select(place, &self.outputs(name))
    }

    /// One bit a place from one a way of each set: those of the request's set.
    fn in_set(&self, ways: &[Signal<'m>]) -> Signal<'m> {
        let of_set = |(set, ways): (u32, &Signal<'m>)| ways.and_where(self.sets.bit(set));
        self.m.concat_low_first(&(0..).zip(ways).map(of_set).collect::<Vec<_>>())
    }

    /// The output of a way of each set, in the request's set.
    fn select_way(&self, ways: &[Signal<'m>], name: &str) -> Signal<'m> {
        let outputs = self.outputs(name);
        let sets = (0..self.p.sets).zip(outputs.chunks(self.p.ways as usize).zip(ways));
        let value = |(set, (of_set, way)): (u32, (&[Signal<'m>], &Signal<'m>))| {
            one_hot::select(*way, of_set).named(&format!("{name}_in_set{set}"))
        };
        let values: Vec<_> = sets.map(value).collect();
        one_hot::select(self.sets, &values)
    }

    fn update(
        &self,
        does: &request::Does<'m>,
        drains: &drain::Drains<'m>,
        drained: &Signal<'m>,
        requests: &Requests<'_, 'm>,
    ) {
        self.fills.set(requests.room.and_where(does.fills | does.evicts));
        self.merges.set(requests.hit.and_where(does.merges));
        let by_request =
            requests.victim.and_where(does.evicts) | requests.hit.and_where(does.flushes);
        self.clears.set(by_request | drained.and_where(drains.clears));
        let dirty = self.column("dirty");
        let filled = (*self.fills & dirty & !*self.clears).any();
        self.m.assert(
            "fills_free",
            !filled,
            "A block begins in a place that is free, or becomes so.",
        );
        let hit = requests.hit;
        self.m.assert("one_place", (hit & (hit - 1)).eq(0), "A block is in one place at most.");
    }

    /// The data of the slot's place, in the next clock.
    fn data(
        &self,
        does: &request::Does<'m>,
        requests: &Requests<'_, 'm>,
        slot: Signal<'m>,
        reads: Signal<'m>,
    ) -> Signal<'m> {
        let Self { m, p, .. } = self;
        // A block may begin in a place at the clock at which the one before it is read.
        let rows =
            m.memory("data", p.blocks(), 8 * p.block_bytes, p.block_bytes, Collision::ReadFirst);
        let stores = (does.fills | does.evicts | does.merges).named("stores");
        let (data, bytes) = (requests.payload.get("data"), requests.payload.get("bytes"));
        rows.write_lanes(stores, requests.written, data, bytes);
        rows.read("data_read", reads, slot)
    }
}
