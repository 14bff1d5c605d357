//! The request that is looked at: what is done about it.

use super::drain::Drains;
use super::outputs::Outputs;
use super::stage::Stage;
use super::surroundings::Surroundings;
use super::{Enqueue, Places};
use crate::kit::*;
use crate::qr_write_cache::channels::Op;
use crate::qr_write_cache::params::Params;

/// The request, and where its block is or may be.
pub(super) struct Requests<'p, 'm> {
    m: &'m ModuleBuilder,
    p: &'p Params,
    pub payload: Record<'m>,
    valid: Signal<'m>,
    /// The place of its block, one-hot; none if it is not dirty.
    pub hit: Signal<'m>,
    is_hit: Signal<'m>,
    /// All its bytes are dirty.
    covered: Signal<'m>,
    /// The place where its block may begin, one-hot.
    pub room: Signal<'m>,
    /// That place is free.
    has_room: Signal<'m>,
    /// Of each set the way to evict next.
    victims: Vec<Reg<'m>>,
}

/// What is done in this clock.
#[derive(Clone, Copy)]
pub(super) struct Does<'m> {
    /// The store combines with what is dirty.
    pub merges: Signal<'m>,
    /// The store begins a block in a free place.
    pub fills: Signal<'m>,
    /// The store begins a block in a place whose block is written through.
    pub evicts: Signal<'m>,
    /// The block is written through ahead of a read or atomic.
    pub flushes: Signal<'m>,
    /// The read hits.
    pub hits: Signal<'m>,
    /// The read or atomic goes down.
    pub forwards: Signal<'m>,
    /// It is an atomic that goes down.
    pub forwards_atomic: Signal<'m>,
    /// The request is done with.
    pub leaves: Signal<'m>,
    /// The place that the request reads or writes through, one-hot.
    pub slot_place: Signal<'m>,
}

impl<'p, 'm> Requests<'p, 'm> {
    pub fn new(
        m: &'m ModuleBuilder,
        p: &'p Params,
        request: &Stage<'m>,
        places: &Places<'p, 'm>,
    ) -> Self {
        let payload = request.payload.clone();
        let hit = places.column("has_request").named("hit");
        let missing = payload.get("bytes") & !places.select(hit, "bytes");
        let is_hit = hit.any().named("is_hit");
        let covered = (is_hit & !missing.any()).named("is_covered");
        let free = (!places.of_set(places.column("dirty"))).named("free_ways");
        let has_room = free.any().named("has_room");
        let victims: Vec<_> = (0..p.sets)
            .map(|set| m.reg(&format!("victim{set}"), address_bits(p.ways), 0))
            .collect();
        let victim = one_hot::select(places.sets, &victims.iter().map(|v| **v).collect::<Vec<_>>());
        let victim = one_hot::decode(victim, p.ways).named("victim_way");
        let way = has_room.mux(one_hot::lowest(free), victim).named("room_way");
        let room = places.in_set(way).named("room");
        Self { m, p, payload, valid: *request.valid, hit, is_hit, covered, room, has_room, victims }
    }

    pub fn decide(
        &self,
        drained: &Signal<'m>,
        drains: &Drains<'m>,
        outputs: &Outputs<'_, 'm>,
        surroundings: &Surroundings<'m>,
        enqueue: &Enqueue<'m>,
    ) -> Does<'m> {
        let Self { valid, is_hit, covered, has_room, .. } = *self;
        let op = self.payload.get("op");
        let is = |of: Op| valid & op.eq(of as u64);
        let [store, atomic, read, release] = [Op::Store, Op::Atomic, Op::Read, Op::Release].map(is);
        let slot = (outputs.free & !drains.takes_slot).named("slot_is_free");
        let inv_slot = (slot & surroundings.inv_room).named("slot_and_inv_room");
        // Reading the data and clearing dirty is one event: a store to that block waits for it.
        let held = (self.hit & *drained).any().named("held_by_drain");

        let merges = store & is_hit & !held;
        let fills = store & !is_hit & has_room;
        let evicts = store & !is_hit & !has_room & inv_slot;
        let goes_down = (atomic & !is_hit & slot).named("atomic_goes_down");
        enqueue.valid.set(merges | fills | evicts | goes_down | release);
        let [merges, fills, evicts, forwards_atomic, enters] =
            [merges, fills, evicts, goes_down, release].map(|does| does & *enqueue.ready);

        let hits = read & covered & slot;
        let flushes = ((read & is_hit & !covered) | (atomic & is_hit)) & inv_slot;
        let forwards = (read & !is_hit & slot) | forwards_atomic;
        let evicts = evicts.named("evicts");
        let does = Does {
            merges: merges.named("merges_request"),
            fills: fills.named("fills_place"),
            evicts,
            flushes: flushes.named("flushes"),
            hits: hits.named("read_hits"),
            forwards: forwards.named("forwards"),
            forwards_atomic: forwards_atomic.named("forwards_atomic"),
            leaves: merges | fills | evicts | enters | hits | forwards,
            slot_place: is_hit.mux(self.hit, self.room).named("request_place"),
        };
        self.next_victim(evicts);
        does
    }

    /// Ways are evicted one after the other.
    fn next_victim(&self, evicts: Signal<'m>) {
        if self.p.ways == 1 {
            self.victims.iter().for_each(|victim| victim.set(0));
            return;
        }
        let set = self.payload.get("block").truncate(self.p.set_bits());
        for (number, victim) in (0u64..).zip(&self.victims) {
            self.m.when(evicts & set.eq(number), || victim.set(**victim + 1));
        }
    }
}
