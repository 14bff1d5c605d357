//! The request that is looked at: what is done about it.

use super::drain::Drains;
use super::outputs::Outputs;
use super::surroundings::Surroundings;
use super::turns::Turns;
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
    /// All its bytes were dirty in the clock before, if it was looked at then.
    covered: Reg<'m>,
    /// It was looked at in the clock before, and is a read.
    looked_at: Reg<'m>,
    /// The place where its block may begin, one-hot.
    pub room: Signal<'m>,
    /// That place is free.
    has_room: Signal<'m>,
    /// The place that is evicted if none is free, one-hot.
    pub victim: Signal<'m>,
    /// Number of the place that it reads or writes through.
    pub slot: Signal<'m>,
    /// Number of the place that it writes.
    pub written: Signal<'m>,
    /// The block that is written through, and its bytes, if it has to make room or to be flushed.
    pub through: (Signal<'m>, Signal<'m>),
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
}

impl<'p, 'm> Requests<'p, 'm> {
    pub fn new(
        m: &'m ModuleBuilder,
        p: &'p Params,
        request: &Turns<'m>,
        places: &Places<'p, 'm>,
    ) -> Self {
        let payload = request.payload.clone();
        let hit = places.column("has_request").named("hit");
        let hit_bytes = places.select(hit, "bytes").named("hit_place_bytes");
        let missing = payload.get("bytes") & !hit_bytes;
        let is_hit = hit.any().named("is_hit");
        // The path to whether all bytes are dirty is long: a read that hits is looked at twice.
        let covered = m.reg_without_reset("was_covered", 1);
        covered.set(!missing.any());
        let victims: Vec<_> = (0..p.sets)
            .map(|set| m.reg(&format!("victim{set}"), address_bits(p.ways), 0))
            .collect();
        // Of each set, before it is known which is asked for.
        let dirty = places.column("dirty");
        let free: Vec<_> =
            (0..p.sets).map(|set| !dirty.slice(set * p.ways..(set + 1) * p.ways)).collect();
        let victim: Vec<_> = victims.iter().map(|v| one_hot::decode(**v, p.ways)).collect();
        let room = free.iter().zip(&victim);
        let room = room.map(|(f, v)| f.any().mux(one_hot::lowest(*f), *v));
        let room = (0..p.sets).zip(room);
        let room: Vec<_> =
            room.map(|(set, room)| room.named(&format!("room_in_set{set}"))).collect();
        let has_room = free.iter().map(|free| free.any()).collect::<Vec<_>>();
        let has_room = one_hot::select(places.sets, &has_room).named("has_room");
        let set = payload.get("block").truncate(p.set_bits());
        let number = |ways: &[Signal<'m>]| match p.ways {
            1 => set,
            _ => {
                let ways: Vec<_> = ways.iter().map(|way| one_hot::encode(*way)).collect();
                set.concat(one_hot::select(places.sets, &ways))
            }
        };
        let hit_number = one_hot::encode(hit);
        let is_store = (!payload.get("op").any()).named("is_store");
        let tag = places.select_way(&victim, "tag");
        let bytes = places.select_way(&victim, "bytes").named("victim_bytes");
        Self {
            m,
            p,
            valid: request.valid,
            hit,
            is_hit,
            covered,
            looked_at: m.reg("was_looked_at", 1, 0),
            room: places.in_set(&room).named("room"),
            has_room,
            victim: places.in_set(&victim).named("victim"),
            slot: is_hit.mux(hit_number, number(&victim)).named("request_place"),
            written: is_hit.mux(hit_number, number(&room)).named("written_place"),
            through: (
                is_store.mux(tag.concat(set), payload.get("block")),
                is_store.mux(bytes, hit_bytes),
            ),
            payload,
            victims,
        }
    }

    pub fn decide(
        &self,
        drained: &Signal<'m>,
        drains: &Drains<'m>,
        outputs: &Outputs<'_, 'm>,
        surroundings: &Surroundings<'m>,
        enqueue: &Enqueue<'m>,
    ) -> Does<'m> {
        let Self { valid, is_hit, ref covered, ref looked_at, has_room, .. } = *self;
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

        let is_known = (read & is_hit & **looked_at).named("read_is_known");
        let hits = is_known & **covered & slot;
        let flushes = ((is_known & !**covered) | (atomic & is_hit)) & inv_slot;
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
        };
        looked_at.set(read & !does.leaves);
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
