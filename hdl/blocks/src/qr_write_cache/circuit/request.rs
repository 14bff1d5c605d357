//! The request that is looked at: what is done about it.

use super::Enqueue;
use super::drain::{Drain, Drains};
use super::outputs::Outputs;
use super::places::{At, Places};
use super::surroundings::Surroundings;
use super::turns::Turns;
use crate::kit::*;
use crate::qr_write_cache::channels::Op;
use crate::qr_write_cache::params::Params;

/// The request, and where its block is or may be.
pub(super) struct Requests<'m> {
    m: &'m ModuleBuilder,
    pub payload: Record<'m>,
    valid: Signal<'m>,
    /// The way in which its block is dirty, one-hot.
    hit: Signal<'m>,
    is_hit: Signal<'m>,
    /// A way of its set is free.
    has_room: Signal<'m>,
    /// Where it reads or writes through: its block, or the one that is evicted if no way is free.
    pub slot: At<'m>,
    /// Where it is written.
    pub written: At<'m>,
    /// Of each set, the way in which a block began last; the next one is evicted.
    youngest: Option<MemoryHandle<'m>>,
}

/// What is done in this clock.
#[derive(Clone, Copy)]
pub(super) struct Does<'m> {
    /// The store combines with what is dirty.
    pub merges: Signal<'m>,
    /// The store is to the block that is written through in this clock, which begins anew.
    pub refills: Signal<'m>,
    /// The store begins a block in a free place.
    pub fills: Signal<'m>,
    /// The store begins a block in a place whose block is written through.
    pub evicts: Signal<'m>,
    /// The block is written through ahead of a read or atomic.
    pub flushes: Signal<'m>,
    /// The block of the read is read: whether all its bytes are dirty is known in the next clock.
    pub probes: Signal<'m>,
    /// It is known in this clock.
    pub compares: Signal<'m>,
    /// The read or atomic goes down.
    pub forwards: Signal<'m>,
    /// It is an atomic that goes down.
    pub forwards_atomic: Signal<'m>,
    /// The request is done with.
    pub leaves: Signal<'m>,
}

impl<'m> Requests<'m> {
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        request: &Turns<'m>,
        places: &Places<'_, 'm>,
    ) -> Self {
        let payload = request.payload.clone();
        let (set, dirty) = (places.set(payload.get("block")), places.dirty(payload.get("block")));
        let hit = (request.matches & dirty).named("hit");
        let is_hit = hit.any().named("is_hit");
        let free = !dirty;
        // No way is free but after a block has begun in each: it is written before it is of use.
        let youngest = (p.ways > 1)
            .then(|| m.memory("youngest", p.sets, address_bits(p.ways), 1, Collision::Undefined));
        let victim = youngest.map_or(m.lit(1, 1), |youngest| {
            one_hot::decode(youngest.read_without_clock("youngest_way", set) + 1, p.ways)
        });
        let victim = victim.named("victim");
        let room = free.any().mux(one_hot::lowest(free), victim).named("room");
        let one = (hit & (hit - 1)).eq(0) | !request.valid;
        m.assert("one_place", one, "A block is in one place at most.");
        Self {
            m,
            valid: request.valid,
            hit,
            is_hit,
            has_room: free.any().named("has_room"),
            slot: At { set, way: is_hit.mux(hit, victim) },
            written: At { set, way: is_hit.mux(hit, room).named("written_way") },
            payload,
            youngest,
        }
    }

    pub fn decide(
        &self,
        drain: &Drain<'m>,
        drains: &Drains<'m>,
        outputs: &Outputs<'_, 'm>,
        surroundings: &Surroundings<'m>,
        enqueue: &Enqueue<'m>,
    ) -> Does<'m> {
        let Self { m, valid, is_hit, has_room, .. } = *self;
        let op = self.payload.get("op");
        let is = |of: Op| valid & op.eq(of as u64);
        let [store, atomic, read, release] = [Op::Store, Op::Atomic, Op::Read, Op::Release].map(is);
        let slot = (outputs.free & !drains.takes_slot).named("slot_is_free");
        let inv_slot = (slot & surroundings.inv_room).named("slot_and_inv_room");
        let merges = store & is_hit;
        let fills = store & !is_hit & has_room;
        let evicts = store & !is_hit & !has_room & inv_slot;
        let goes_down = (atomic & !is_hit & slot).named("atomic_goes_down");
        enqueue.valid.set(merges | fills | evicts | goes_down | release);
        let [merges, fills, evicts, forwards_atomic, enters] =
            [merges, fills, evicts, goes_down, release].map(|does| does & *enqueue.ready);

        // A read of what is dirty: its block is read, then compared, then it has hit or not.
        let compares = m.reg("compares", 1, 0);
        let is_known = m.reg("is_known", 1, 0);
        let is_covered = m.reg_without_reset("is_covered", 1);
        m.when(*compares, || is_covered.set(outputs.covers));
        let same_place = drain.set_is_request & (self.hit & drain.at.way).any();
        let refills = merges & same_place & drains.writes_through;
        let has_hit = (*is_known & *is_covered).named("has_hit");
        let probes = read & is_hit & !*compares & !*is_known & slot;
        let flushes = ((*is_known & !*is_covered & is_hit) | (atomic & is_hit)) & inv_slot;
        let forwards = (read & !is_hit & !has_hit & slot) | forwards_atomic;
        let evicts = evicts.named("evicts");
        let does = Does {
            merges: merges.named("merges_request"),
            refills: refills.named("refills_place"),
            fills: fills.named("fills_place"),
            evicts,
            flushes: flushes.named("flushes"),
            probes: probes.named("probes"),
            compares: *compares,
            forwards: forwards.named("forwards"),
            forwards_atomic: forwards_atomic.named("forwards_atomic"),
            leaves: merges | fills | evicts | enters | has_hit | forwards,
        };
        compares.set(probes);
        is_known.set(*compares | (*is_known & !does.leaves));
        if let Some(youngest) = self.youngest {
            youngest.write(fills | evicts, self.written.set, one_hot::encode(self.written.way));
        }
        does
    }
}
