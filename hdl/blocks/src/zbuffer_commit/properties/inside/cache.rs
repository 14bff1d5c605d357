//! What the Z-cache locks and holds.

use super::Inside;
use crate::kit::*;

impl<'m> Inside<'_, 'm> {
    /// A valid way that is locked has one request that holds it, with its tag.
    pub(super) fn locks_have_holders(&self) {
        let mut kept = Vec::new();
        for (s, (valid, locked)) in
            Self::index(&self.valid).map(|(s, valid)| (s, (*valid, self.locked[s as usize])))
        {
            for way in 0..self.p.ways {
                let mut holders = Vec::new();
                for late in &self.late {
                    let here = late.set.eq(s) & late.way.eq(way);
                    holders.push(late.compares & !late.fills & here);
                }
                for miss in &self.misses {
                    holders.push(miss.open() & self.set(miss.block).eq(s) & miss.way.eq(way));
                }
                let held = (valid.bit(way) & locked.bit(way)).zero_extend(5);
                kept.push(self.count(&holders).eq(held));
            }
            for way in 1..self.p.ways {
                kept.push(!valid.bit(way) | valid.bit(way - 1));
            }
        }
        for late in &self.late {
            let block = self.of_entry(late.entry, |entry| entry.block);
            let tag = self.tag_at(late.set, late.way);
            kept.push(!(late.compares & !late.fills) | tag.eq(self.tag(block)));
            kept.push(!late.compares | self.at(&self.valid, late.set, late.way));
        }
        for miss in &self.misses {
            let tag = self.tag_at(self.set(miss.block), miss.way);
            kept.push(!miss.open() | tag.eq(self.tag(miss.block)));
        }
        let bits = self.p.tag_bits();
        for (tags, valid) in self.tags.iter().zip(&self.valid) {
            for one in 0..self.p.ways {
                for other in 0..one {
                    let tag = |way: u32| tags.slice(way * bits..(way + 1) * bits);
                    kept.push(!(valid.bit(one) & valid.bit(other)) | tag(one).ne(tag(other)));
                }
            }
        }
        self.invariants("locks", &kept, "A valid way that is locked is held by one request.");
    }

    /// Tags in stages 2 and 3 are those of now, but for a way that was just taken and is locked.
    pub(super) fn tags_are_fresh(&self, probes: &Probes) {
        let (m, p) = (self.m, self.p);
        let [_, two, three] = &self.stages;
        let tag =
            |row: Signal<'m>, way: u32| row.slice(way * p.tag_bits()..(way + 1) * p.tag_bits());
        let matches = probes.signal(m, "stage3_matches", p.ways);
        let [two_row, three_row] = ["stage2_tags", "stage3_tags"]
            .map(|name| probes.signal(m, name, p.ways * p.tag_bits()));
        let mut kept = Vec::new();
        for (stage, row, asks) in [(two, two_row, m.lit(1, 0)), (three, three_row, self.zread.0)] {
            let set = self.set(stage.block);
            let now = self.select(set, self.tags.iter().copied());
            for way in 0..p.ways {
                let taken = Self::index(&self.misses).map(|(i, miss)| {
                    let is_new = !miss.asked | (asks & self.zread.1.eq(i));
                    miss.open() & is_new & self.set(miss.block).eq(set) & miss.way.eq(way)
                });
                let is_fresh = tag(row, way).eq(tag(now, way)) | any_of(taken);
                kept.push(!stage.valid | stage.fills | is_fresh);
            }
        }
        for way in 0..p.ways {
            let matching = matches.bit(way).eq(tag(three_row, way).eq(self.tag(three.block)));
            kept.push(!three.valid | three.fills | matching);
        }
        self.invariants("fresh", &kept, "Tags that were read are those of now.");
    }

    /// A block that is not written is awaited by the miss of the same block, and is not in the Z-cache but
    /// for that one.
    pub(super) fn evicted_blocks_are_awaited(&self) {
        let p = self.p;
        let mut kept = Vec::new();
        for (i, miss) in Self::index(&self.misses) {
            for (j, other) in Self::index(&self.misses) {
                let same = other.unwritten & other.evicted.eq(miss.block);
                kept.push(!(miss.open() & same) | (miss.awaits.bit(j) & !miss.asked));
                kept.push(!(miss.open() & miss.awaits.bit(j)) | other.unwritten);
                if j < i {
                    let both = miss.unwritten & other.unwritten;
                    kept.push(!both | miss.evicted.ne(other.evicted));
                }
            }
            for (s, (tags, valid)) in
                Self::index(&self.tags).map(|(s, tags)| (s, (*tags, self.valid[s as usize])))
            {
                for way in 0..p.ways {
                    let tag = tags.slice(way * p.tag_bits()..(way + 1) * p.tag_bits());
                    let here = self.set(miss.evicted).eq(s) & self.tag(miss.evicted).eq(tag);
                    let held = self.misses.iter().map(|other| {
                        other.open() & other.block.eq(miss.evicted) & other.way.eq(way)
                    });
                    kept.push(!(miss.unwritten & valid.bit(way) & here) | any_of(held));
                }
            }
        }
        self.invariants("awaited", &kept, "An evicted block is written before it is read.");
    }
}
