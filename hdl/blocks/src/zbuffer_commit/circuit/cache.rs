//! The tags and locks of the Z-cache: stages 1 to 3.

use super::compare::Compared;
use super::misses::Misses;
use super::requests::{Buffer, Picked};
use crate::kit::*;
use crate::zbuffer_commit::params::Params;

/// What is known of each way of each set.
pub(super) struct Cache<'p, 'm> {
    m: &'m ModuleBuilder,
    p: &'p Params,
    valid: Vec<Reg<'m>>,
    locked: Vec<Reg<'m>>,
    /// Ways above the one that was taken last.
    above: Reg<'m>,
    /// The set and the way that stage 5 unlocks, one-hot.
    unlocked_set: Wire<'m>,
    unlocked_way: Wire<'m>,
}

/// What is in stage 3.
pub(super) struct Locked<'m> {
    /// Its depths are read: those of the cache if it hits, or those that have come.
    pub compares: Signal<'m>,
    /// They have come.
    pub fills: Signal<'m>,
    /// It takes a way and a comparator entry.
    pub reserves: Signal<'m>,
    /// The depths of the block that was there are read.
    pub evicts: Signal<'m>,
    /// It finds no room.
    pub refused: Signal<'m>,
    pub entry: Signal<'m>,
    /// The comparator entry that it has, or takes.
    pub comparator: Signal<'m>,
    pub block: Signal<'m>,
    pub way: Signal<'m>,
    pub evicted: Signal<'m>,
}

impl<'p, 'm> Cache<'p, 'm> {
    pub fn new(m: &'m ModuleBuilder, p: &'p Params) -> Self {
        let valid = (0..p.sets).map(|set| m.reg(&format!("set{set}_valid"), p.ways, 0)).collect();
        let locked = |set| m.reg_without_reset(&format!("set{set}_locked"), p.ways);
        let locked = (0..p.sets).map(locked).collect();
        let above =
            m.reg("above_last_way", p.ways, 0).doc("Ways above the one that was taken last.");
        let unlocked_set = m.wire("unlocked_set", p.sets);
        let unlocked_way = m.wire("unlocked_way", p.ways);
        Self { m, p, valid, locked, above, unlocked_set, unlocked_way }
    }

    /// Stages 1 to 3: reads and compares the tags, and locks a block.
    pub fn lock(
        &self,
        one: Picked<'m>,
        buffer: &Buffer<'_, 'm>,
        misses: &Misses<'m>,
    ) -> Locked<'m> {
        let Self { m, p, .. } = *self;
        let tags = m
            .memory("tags", p.sets, p.ways * p.tag_bits(), p.ways, Collision::ReadFirst)
            .doc("The tags of a set, a way a lane.");
        let set_of = |block: Signal<'m>| block.truncate(p.set_bits());
        let tag_of = |block: Signal<'m>| block.slice(p.set_bits()..p.block_bits());

        let row = tags.read("stage2_tags", m.lit(1, 1), set_of(one.block));
        let two = self.stage("stage2", &one);
        let of_ways =
            |row: Signal<'m>, way: u32| row.slice(way * p.tag_bits()..(way + 1) * p.tag_bits());
        let matches =
            |way: u32| of_ways(row, way).eq(tag_of(two.block)).named(&format!("way{way}_matches"));
        let matches = column(m, (0..p.ways).map(matches)).named("stage2_matches");

        let three = self.stage("stage3", &two);
        let held = |name: &str, value: Signal<'m>| {
            let register = m.reg_without_reset(name, value.width());
            register.set(value);
            *register
        };
        let (matches, row) = (held("stage3_matches", matches), held("stage3_tags", row));
        let set = set_of(three.block).named("stage3_set");
        let here = one_hot::decode(set, p.sets).named("stage3_sets");
        let of_set = |ways: &[Reg<'m>], name: &str| {
            let ways: Vec<_> = ways.iter().map(|ways| **ways).collect();
            one_hot::select(here, &ways).named(name)
        };
        let (valid, locked) =
            (of_set(&self.valid, "valid_here"), of_set(&self.locked, "locked_here"));

        // A block that a request is under way for is locked, and no other request of it is here: what
        // matches a locked way is the tag of a block that was evicted meanwhile.
        let hit_way = (matches & valid & !locked).named("hit_way");
        let empty = !valid;
        let above = !locked & *self.above;
        let candidates =
            empty.any().mux(empty, above.any().mux(above, !locked)).named("candidates");
        let new_way = one_hot::lowest(candidates).named("new_way");
        let asks = (three.valid & !three.fills).named("asks");
        let hits = (asks & hit_way.any()).named("hits");
        let misses_here = (asks & !hit_way.any()).named("misses");
        let no_way = (valid & locked).all().named("no_way");
        let me = one_hot::decode(three.entry, p.request_entries);
        let yields = (buffer.hungry & !me).any().named("yields");
        let no_room = (no_way | !misses.has_room | yields).named("no_room");
        let reserves = (misses_here & !no_room).named("reserves");
        let way = hit_way.any().mux(hit_way, new_way).named("stage3_new_way");

        let taken = (hits | reserves).named("takes_way");
        for (set, (valid, locked)) in (0..).zip(self.valid.iter().zip(&self.locked)) {
            let locks = way.and_where(taken & here.bit(set));
            let unlocks = self.unlocked_way.and_where(self.unlocked_set.bit(set));
            locked.set((**locked | locks) & !unlocks);
            // Ways become valid from the lowest up.
            let more = valid.concat(m.lit(1, 1)).truncate(p.ways);
            m.when(reserves & here.bit(set), || valid.set(more));
        }
        m.when(reserves, || self.above.set(one_hot::above_lowest(new_way)));
        tags.write_lanes(reserves, set, tag_of(three.block).repeat(p.ways), new_way);

        let victim: Vec<_> = (0..p.ways).map(|way| of_ways(row, way)).collect();
        let victim = one_hot::select(new_way, &victim);
        Locked {
            compares: hits | (three.valid & three.fills),
            fills: three.fills,
            reserves,
            evicts: (reserves & (new_way & valid).any()).named("evicts"),
            refused: (misses_here & no_room).named("refused"),
            entry: three.entry,
            comparator: three.fills.mux(three.comparator, misses.free).named("stage3_entry_taken"),
            block: three.block,
            way: three.fills.mux(three.way, one_hot::encode(way)).named("stage3_way_taken"),
            evicted: victim.concat(set).named("stage3_evicted"),
        }
    }

    /// The next stage.
    fn stage(&self, name: &str, before: &Picked<'m>) -> Picked<'m> {
        let held = |field: &str, value: Signal<'m>| {
            let register = self.m.reg_without_reset(&format!("{name}_{field}"), value.width());
            register.set(value);
            *register
        };
        let valid = self.m.reg(&format!("{name}_valid"), 1, 0);
        valid.set(before.valid);
        Picked {
            valid: *valid,
            fills: held("fills", before.fills),
            entry: held("entry", before.entry),
            comparator: held("comparator", before.comparator),
            block: held("block", before.block),
            way: held("way", before.way),
        }
    }

    /// Stage 5 has written a block.
    pub fn unlock(&self, compared: &Compared<'m>) {
        let set = one_hot::decode(compared.set, self.p.sets);
        self.unlocked_set.set(set.and_where(compared.valid));
        self.unlocked_way.set(one_hot::decode(compared.way, self.p.ways));
    }

    /// Discards all blocks.
    pub fn clear(&self, clears: Signal<'m>) {
        self.m.when(clears, || self.valid.iter().for_each(|valid| valid.set(0)));
    }
}
