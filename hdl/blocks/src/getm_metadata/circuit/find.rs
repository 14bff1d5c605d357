//! From stage 4 to stage 5: where the request's granule is, what there is to know of it, and where it
//! would go if it is nowhere.
//!
//! The request before, in stage 5, is decided in the same clock. What it leaves is taken where both are
//! about one granule; else what it writes counts only as a candidate that is no longer there.

use super::banks::{Candidates, Room};
use super::bloom::Victim;
use super::control::Control;
use super::decide::facts_fields;
use super::stage::{Stage, content_fields, entry_fields, free_fields, is_free};
use crate::getm_metadata::params::Params;
use crate::kit::*;

/// What stage 5 knows of its request's granule; in a walk, of the entry that looks for a place.
pub(super) struct Found<'m> {
    /// The bank that has it, one-hot; zero: none.
    pub bank_hits: Reg<'m>,
    /// The slot of the stash that has it, one-hot; none if there is no stash.
    pub stash_hits: Option<Reg<'m>>,
    /// It is in a bank or in the stash.
    pub hit: Reg<'m>,
    /// The facts about it, from wherever it is.
    pub facts: Held<'m>,
    /// The bank where it would go, one-hot.
    pub room: Reg<'m>,
    /// That place is empty, or what is there is not reserved.
    pub room_is_free: Reg<'m>,
    /// The entry that is there, or another that goes to the Bloom filter.
    pub victim: Held<'m>,
    /// It goes there once stage 5 is done.
    pub evicts: Reg<'m>,
}

pub(super) struct Finds<'m> {
    /// There is a request that makes an entry if there is none.
    pub inserts: Signal<'m>,
    /// The granule is that of the request in stage 5.
    pub same_granule: Signal<'m>,
    /// And that one leaves it in a bank or in the stash, with these facts.
    pub left: (Signal<'m>, Record<'m>),
    /// The facts about a granule of which there is no entry.
    pub estimates: Record<'m>,
}

impl<'m> Found<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params) -> Self {
        let bits = |name: &str, width| m.reg_without_reset(&format!("stage5_{name}"), width);
        Self {
            bank_hits: bits("bank_hits", p.ways),
            stash_hits: (p.stash > 0).then(|| bits("stash_hits", p.stash)),
            hit: bits("hit", 1).doc("The granule is in a bank or in the stash."),
            facts: Held::new(m, "before", &facts_fields(p)),
            room: bits("room", p.ways).doc("The bank for a new entry, one-hot."),
            room_is_free: bits("room_is_free", 1),
            victim: Held::new(m, "stage5_victim", &content_fields(p)),
            evicts: m.reg("stage5_evicts", 1, 0).doc("The victim goes to the Bloom filter."),
        }
    }

    /// The entry that goes to the Bloom filter, with its rows there.
    pub fn victim(&self, p: &Params, rows: Vec<Signal<'m>>) -> Victim<'m> {
        Victim::of(p, *self.evicts, rows, self.victim.get())
    }

    /// Takes over what stage 4 has found where the stages advance, and the place chosen in a walk.
    pub fn take(
        &self,
        m: &'m ModuleBuilder,
        control: &Control<'m>,
        (candidates, stash): (&Candidates<'m>, &Stash<'m>),
        (selected, finds, room): (&Record<'m>, &Finds<'m>, &Room<'m>),
    ) {
        let Candidates { hits, replaced, .. } = candidates;
        let ways = hits.width();
        let bank_hits = (*hits & !*replaced).named("bank_hits_left");
        let bank_hits_now = bank_hits | (*replaced & finds.same_granule.repeat(ways));
        let in_stash = stash.hits.map_or(m.lit(1, 0), Signal::any);
        let hit_before = (bank_hits.any() | in_stash).named("stage4_hit");
        let hit = (bank_hits_now.any() | in_stash).named("stage4_hit_now");
        let (is_left, left) = &finds.left;
        let (selected, estimated) = (selected.pack(), finds.estimates.pack());
        let (selected, estimated) =
            (selected.named("facts_kept"), estimated.named("facts_estimated"));
        let left = left.pack().named("facts_left");
        let facts = is_left.mux(left, hit_before.mux(selected, estimated)).named("facts_now");
        let facts = Record::unpack(self.facts.get().fields(), facts);
        let victim = Record::unpack(self.victim.get().fields(), room.victim);
        let take_room = || {
            self.room.set(room.bank);
            self.room_is_free.set(room.is_free);
            self.victim.set(&victim);
        };
        m.when(control.advance, || {
            self.bank_hits.set(bank_hits_now);
            self.stash_hits.iter().zip(stash.hits).for_each(|(register, hits)| register.set(hits));
            self.hit.set(hit);
            self.facts.set(&facts);
            take_room();
            self.evicts.set(finds.inserts & !hit & room.evicts);
        })
        .otherwise_when(control.choose, || {
            take_room();
            self.evicts.set(room.evicts);
        });
    }
}

/// What is kept of the granule of the request in stage 4, in the bank or the slot that has it.
pub(super) fn select<'m>(
    candidates: &Candidates<'m>,
    stash: &Stash<'m>,
    part: impl Fn(&Record<'m>) -> Signal<'m>,
) -> Signal<'m> {
    let entries: Vec<_> = candidates.entries.iter().map(&part).collect();
    let in_bank = one_hot::select(candidates.hits, &entries);
    let Some(hits) = stash.hits else { return in_bank };
    let entries: Vec<_> = stash.entries().map(part).collect();
    in_bank | one_hot::select(hits, &entries)
}

/// Whether the request in stage 4 is about the granule of that in stage 5.
pub(super) fn same_granule<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    moves: Signal<'m>,
    [stage3, stage4]: [&Stage<'m>; 2],
) -> Signal<'m> {
    let same = m.reg_without_reset("stage4_granule_in_stage5", 1);
    m.when(moves, || same.set(stage3.granule(p).eq(stage4.granule(p))));
    *same
}

// The stash: a few entries in registers, all compared at once.

/// The stash, if there is one.
pub(super) struct Stash<'m> {
    slots: Vec<Slot<'m>>,
    /// The slot that has the granule of the request in stage 4, one-hot.
    pub hits: Option<Signal<'m>>,
}

struct Slot<'m> {
    registers: Vec<Reg<'m>>,
    entry: Record<'m>,
}

impl<'m> Stash<'m> {
    /// The slots, and the hits of stage 4. Which granules are there changes only while the stages stand still.
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        control: &Control<'m>,
        stage3: &Stage<'m>,
    ) -> Self {
        let slot = |index: u32| {
            let fields = entry_fields(p);
            let register = |field: &Field| {
                let name = format!("stash{index}_{}", field.name);
                match field.name.as_str() {
                    "valid" => m.reg(&name, 1, 0),
                    _ => m.reg_without_reset(&name, field.width),
                }
            };
            let registers: Vec<_> = fields.iter().map(register).collect();
            let entry = Record::new(&fields, registers.iter().map(|r| **r).collect());
            Slot { registers, entry }
        };
        let slots: Vec<_> = (0..p.stash).map(slot).collect();
        let hits = (!slots.is_empty()).then(|| {
            let hit = |Slot { entry, .. }: &Slot<'m>| {
                entry.get("valid") & entry.get("granule").eq(stage3.granule(p))
            };
            let hits3 = column(m, slots.iter().map(hit));
            let hits4 = m.reg_without_reset("stage4_stash_hits", p.stash);
            m.when(control.moves, || hits4.set(hits3));
            *hits4
        });
        Self { slots, hits }
    }

    /// The entries, some of them not valid.
    pub fn entries(&self) -> impl Iterator<Item = &Record<'m>> {
        self.slots.iter().map(|slot| &slot.entry)
    }

    /// Where an entry that leaves the banks goes: the lowest empty slot, else the lowest that is not
    /// reserved. Gives that slot one-hot (zero: none), and whether an entry has to go for it, and which.
    pub fn room(
        &self,
        m: &'m ModuleBuilder,
        p: &Params,
    ) -> Option<(Signal<'m>, Signal<'m>, Record<'m>)> {
        if self.slots.is_empty() {
            return None;
        }
        let empty = column(m, self.entries().map(|entry| !entry.get("valid")));
        let empty = empty.named("stash_empty");
        let free = column(m, self.entries().map(is_free)).named("stash_free");
        let slot = empty.any().mux(one_hot::lowest(empty), one_hot::lowest(free));
        let slot = slot.named("stash_room");
        let evicts = (!empty.any() & free.any()).named("stash_evicts");
        let fields = free_fields(p);
        let victims: Vec<_> = self.entries().map(|entry| pick(&fields, entry).pack()).collect();
        let victim = Record::unpack(&fields, one_hot::select(slot, &victims));
        Some((slot, evicts, victim.named("stash_victim")))
    }

    /// Writes an entry to the slots whose bit in `to` is one; `clears` empties all.
    pub fn write(
        &self,
        m: &'m ModuleBuilder,
        to: Signal<'m>,
        entry: &Record<'m>,
        clears: Signal<'m>,
    ) {
        for (slot, written) in self.slots.iter().zip(to.to_bits()) {
            m.when(written, || {
                for (register, field) in slot.registers.iter().zip(entry.fields().iter()) {
                    register.set(entry.get(&field.name));
                }
            });
            m.when(clears, || slot.registers[0].set(0));
        }
    }
}

// The end of a walk that found no place in the banks: the entry goes to the stash, to the overflow
// space, or to the Bloom filter.

/// Where an entry goes that has left the banks.
pub(super) struct Left<'m> {
    /// The slot of the stash, one-hot; none if there is no stash.
    pub slot: Option<Signal<'m>>,
    pub overflows: Signal<'m>,
    /// `victim` goes to the Bloom filter: the entry itself, or the one that made room in the stash.
    pub evicts: Signal<'m>,
    pub victim: Record<'m>,
}

pub(super) fn leave<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    control: &Control<'m>,
    stash: &Stash<'m>,
    moving: &Record<'m>,
) -> Left<'m> {
    // What was displaced is reserved; only a new entry, where none may be displaced, may be free.
    let reserved = match p.max_kicks {
        0 => moving.get("writes").any().named("moving_is_reserved"),
        _ => m.lit(1, 1),
    };
    let stays = control.leave & reserved;
    let goes = control.leave & !reserved;
    let moving = pick(&free_fields(p), moving);
    let (slot, in_stash, evicts, victim) = match stash.room(m, p) {
        None => (None, m.lit(1, 0), goes, moving.pack()),
        Some((slot, makes_room, victim)) => {
            let taken = slot.and_where(stays).named("stash_taken");
            let victim = reserved.mux(victim.pack(), moving.pack());
            (Some(taken), slot.any(), goes | (stays & makes_room), victim)
        }
    };
    let overflows = (stays & !in_stash).named("overflows");
    Left { slot, overflows, evicts, victim: Record::unpack(moving.fields(), victim) }
}
