//! Entries: in banks, in the stash, and the one that looks for a place.

use super::{Doing, Inside, at, content_fields, count, entry_fields, is_one_hot};
use crate::getm_metadata::access::Metadata;
use crate::getm_metadata::channels::Op;
use crate::getm_metadata::params::Params;
use crate::kit::*;
use crate::properties::INVARIANT;

/// A place for an entry.
#[derive(Clone)]
pub(super) struct Entry<'m> {
    pub valid: Signal<'m>,
    pub granule: Signal<'m>,
    pub metadata: Record<'m>,
}

impl<'m> Entry<'m> {
    pub fn new(p: &Params, packed: Signal<'m>) -> Self {
        let entry = Record::unpack(&entry_fields(p), packed);
        let metadata = pick(&Metadata::fields(p), &entry);
        Self { valid: entry.get("valid"), granule: entry.get("granule"), metadata }
    }

    /// An entry in registers for its content.
    pub fn registers(
        m: &'m ModuleBuilder,
        p: &Params,
        probes: &Probes,
        name: &str,
        valid: Signal<'m>,
    ) -> Self {
        let content = probes.record(m, &format!("{name}_"), &content_fields(p));
        let metadata = pick(&Metadata::fields(p), &content);
        Self { valid, granule: content.get("granule"), metadata }
    }

    pub fn is_of(&self, granule: Signal<'m>) -> Signal<'m> {
        self.valid & self.granule.eq(granule)
    }

    pub(super) fn is_reserved(&self) -> Signal<'m> {
        self.metadata.get("writes").any()
    }
}

/// All places but the overflow space.
pub(super) struct Entries<'m> {
    /// Rows of each bank as they are.
    pub rows: Vec<Vec<Signal<'m>>>,
    /// The same as entries: none in a row that is yet to be cleared after power-up.
    pub banks: Vec<Vec<Entry<'m>>>,
    pub stash: Vec<Entry<'m>>,
    pub moving: Entry<'m>,
}

impl<'m> Entries<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params, probes: &Probes, state: &Doing<'m>) -> Self {
        let width = entry_fields(p).width();
        let bank = |bank: u32| -> Vec<_> {
            let row = |row| probes.row(m, &format!("bank{bank}"), row, width);
            (0..p.rows_per_way).map(row).collect()
        };
        let rows: Vec<_> = (0..p.ways).map(bank).collect();
        let entry = |(row, packed): (u32, &Signal<'m>)| {
            let entry = Entry::new(p, *packed);
            Entry { valid: entry.valid & (!state.clear | state.clear_row.gt(row)), ..entry }
        };
        let banks = rows.iter().map(|bank| (0..).zip(bank).map(entry).collect()).collect();
        let moving = Entry::registers(m, p, probes, "moving", state.walks);
        let slot = |slot: u32| {
            let entry = probes.record(m, &format!("stash{slot}_"), &entry_fields(p));
            Entry::new(p, entry.pack())
        };
        let stash = (0..p.stash).map(slot).collect();
        Self { rows, banks, stash, moving }
    }

    pub fn all(&self) -> impl Iterator<Item = &Entry<'m>> {
        self.banks.iter().flatten().chain(&self.stash).chain([&self.moving])
    }
}

impl<'m> Inside<'_, 'm> {
    pub(super) fn rows_of(&self, granule: Signal<'m>) -> Vec<Signal<'m>> {
        self.hashes.banks.iter().map(|hash| hash.circuit(granule)).collect()
    }

    /// What a bank has in a row.
    pub(super) fn in_bank(&self, bank: usize, row: Signal<'m>) -> Signal<'m> {
        at(row, &self.entries.rows[bank])
    }

    pub(super) fn entries_are_sound(&self) {
        let p = self.p;
        for (bank, entries) in self.entries.banks.iter().enumerate() {
            for (row, entry) in entries.iter().enumerate() {
                let home = self.hashes.banks[bank].circuit(entry.granule).eq(row);
                let name = format!("bank{bank}_row{row}");
                self.invariant(&name, !entry.valid | home, "An entry is in a row of its granule.");
            }
        }
        let all: Vec<_> = self.entries.all().collect();
        for (i, entry) in all.iter().enumerate() {
            for (j, other) in all.iter().enumerate().skip(i + 1) {
                let twice = other.valid & entry.is_of(other.granule);
                let name = format!("place{i}_not_{j}");
                self.invariant(&name, !twice, "No granule is in two places.");
            }
            let there = at(entry.granule, &self.asked.there.to_bits());
            let doc = "What is in the table is not in the overflow space.";
            self.invariant(&format!("place{i}_not_overflow"), !(entry.valid & there), doc);
        }
        for granule in 0..1 << p.granule_bits() {
            let here = |entry: &&Entry<'m>| entry.valid & entry.granule.eq(granule);
            let reserved = all.iter().map(|entry| here(entry) & entry.is_reserved());
            let reserved = reserved.fold(self.asked.there.bit(granule), |a, b| a | b);
            let doc = "A granule is reserved by an entry somewhere.";
            let known = self.truth.reserved.bit(granule).eq(reserved);
            self.invariant(&format!("reserved{granule}"), known, doc);
        }
        let width = p.granule_bits() + 1;
        let registered = self.probes.signal(self.m, "reserved_count", width);
        let [more, less] = ["one_more_reserved", "one_less_reserved"]
            .map(|name| self.probes.signal(self.m, name, 1));
        self.invariant("count_once", !(more & less), "One is counted at a time.");
        let counted = (registered + more.zero_extend(width))
            .eq(count(self.truth.reserved, width) + less.zero_extend(width));
        self.invariant("reserved_count", counted, "What is reserved is counted.");
    }

    /// Wherever the chosen granule is, what is kept of it stands for the truth.
    pub(super) fn entries_are_true(&self) {
        let chosen = self.monitor.chosen;
        let mut present =
            (one_hot::decode(chosen, self.asked.there.width()) & self.asked.there).any();
        let kept = !present | self.stands_for_truth(&self.asked.kept);
        self.invariant("overflow_is_true", kept, "The overflow space has the truth.");
        let bit = at(chosen, &self.truth.reserved.to_bits());
        let reserved = bit.eq(self.truth.metadata.get("writes").any());
        self.invariant("reserved_truth", reserved, "Both kinds of truth agree.");
        for (i, entry) in self.entries.all().enumerate() {
            let here = entry.is_of(chosen);
            present = present | here;
            let true_here = !here | self.stands_for_truth(&entry.metadata);
            self.invariant(&format!("place{i}_is_true"), true_here, "An entry has the truth.");
        }
        let absent = !present;
        for (way, hash) in self.hashes.bloom.iter().enumerate() {
            let row = self.filter.row_after(&self.state, way, hash.circuit(chosen));
            for time in ["wts", "rts"] {
                let late = row.get(time).ge(self.truth.metadata.get(time));
                let name = format!("bloom{way}_{time}_is_true");
                let doc = "Else each way of the filter is not too early.";
                self.invariant(&name, !absent | late, doc);
            }
        }
    }
}

// What stage 5 knows of its request's granule, and what it decides.

impl<'m> Inside<'_, 'm> {
    pub(super) fn found_is_true(&self) {
        let (m, p) = (self.m, self.p);
        let signal = |name: &str, width| self.probes.signal(m, name, width);
        let busy = self.is_busy();
        let stage5 = &self.stages[4];
        let granule = self.granule5();
        let hits = signal("stage5_bank_hits", p.ways);
        let stash_hits = (p.stash > 0).then(|| signal("stage5_stash_hits", p.stash));
        let hit = signal("stage5_hit", 1);
        let candidates: Vec<_> =
            (0..p.ways as usize).map(|bank| self.in_bank(bank, stage5.rows[bank])).collect();
        let mut any = m.lit(1, 0);
        let mut places = Vec::new();
        for (bank, packed) in (0..).zip(&candidates) {
            places.push((format!("bank{bank}"), hits.bit(bank), Entry::new(p, *packed)));
        }
        for (slot, entry) in (0..).zip(&self.entries.stash) {
            let hits = stash_hits.expect("there is a stash");
            places.push((format!("stash{slot}"), hits.bit(slot), entry.clone()));
        }
        for (name, hit, entry) in places {
            any = any | hit;
            let known = !busy | hit.eq(entry.is_of(granule));
            self.invariant(&format!("stage5_{name}_hit"), known, "Stage 5 knows its hits.");
            let read = self.before.pack().eq(entry.metadata.pack());
            let kept = !(busy & hit) | read;
            self.invariant(&format!("stage5_{name}"), kept, "Stage 5 knows what is kept.");
        }
        self.invariant("stage5_hit", !busy | hit.eq(any), "Stage 5 knows whether it hits.");
        let misses = busy & !hit;
        self.invariant("asked", !self.asked.asked | (misses & self.asked.in_use), "Misses ask.");
        let looks = stage5.is(Op::Release)
            | ((stage5.is(Op::Load) | stage5.is(Op::Store)) & !stage5.request.get("warpts").all());
        let doc = "Only accesses and releases query the overflow space.";
        self.invariant("asked_looks", !self.asked.asked | looks, doc);

        let from_filter = misses & !self.asked.is_found();
        for time in ["wts", "rts"] {
            let rows = self.hashes.bloom.iter().enumerate();
            let rows =
                rows.map(|(way, hash)| self.filter.row(way, hash.circuit(granule)).get(time));
            let least = rows.reduce(|a, b| a.lt(b).mux(a, b)).expect("a way");
            let kept = !from_filter | self.before.get(time).eq(least);
            self.invariant(&format!("estimated_{time}"), kept, "Else it has the estimates.");
        }
        let free = !self.before.get("writes").any();
        self.invariant("estimated_free", !from_filter | free, "What is nowhere is not reserved.");

        let [wts, rts, writes, owner] =
            ["wts", "rts", "writes", "owner"].map(|field| self.before.get(field));
        let [warp, warpts, count] =
            ["warp", "warpts", "count"].map(|field| stage5.request.get(field));
        let read_later = signal("before_read_later", 1);
        let overflown = self.asked.is_found() & !m.lit(1, u64::from(p.faithful));
        let later = signal("before_written_later", 1).eq(wts.gt(warpts))
            & overflown.mux(!read_later, read_later.eq(rts.gt(warpts)));
        self.invariant("later", !busy | later, "Stage 5 knows what is later.");
        let in_time = if p.faithful { m.lit(1, 1) } else { wts.eq(warpts + 1) };
        let owned = signal("before_owned", 1).eq(owner.eq(warp) & in_time);
        self.invariant("owned", !busy | free | owned, "Stage 5 knows the owner.");
        let counted = stage5.is(Op::Release).mux(writes - count, writes + 1);
        let counted = signal("before_counted", p.write_count_bits).eq(counted);
        let matters = busy & (stage5.is(Op::Store) | !free);
        self.invariant("counted", !matters | counted, "Stage 5 knows what is counted.");

        // Where it goes if it is new, and where the entry of a walk goes.
        let access = stage5.is(Op::Load) | stage5.is(Op::Store);
        let is_new = from_filter & access & looks;
        let searches = is_new | self.state.place;
        let room = signal("stage5_room", p.ways);
        let room_is_free = signal("stage5_room_is_free", 1);
        self.invariant("room", !searches | is_one_hot(room), "A new entry has one place.");
        let there = one_hot::select(room, &candidates);
        let victim = &self.filter.entry5;
        let entry = Entry::new(p, there);
        let same =
            victim.granule.eq(entry.granule) & victim.metadata.pack().eq(entry.metadata.pack());
        let known = !(searches & entry.valid) | same;
        self.invariant("victim", known, "It is known what is in its place.");
        let reserved = entry.valid & entry.metadata.get("writes").any();
        let is_free = room_is_free.eq(!reserved);
        self.invariant("room_is_free", !searches | is_free, "It is known whether it is free.");
        let evicts = self.filter.victim5.valid;
        let due = room_is_free & entry.valid;
        self.invariant("evicts_victim", !searches | evicts.eq(due), "What makes room goes.");
        let stays = busy & !is_new & !self.asked.is_found();
        self.invariant("evicts_if_new", !(stays & evicts), "Nothing makes room for nothing.");

        let found = self.asked.is_found();
        let last = stage5.is(Op::Release) & count.eq(writes);
        self.invariant("evicts_found", !found | evicts.eq(last), "What is free leaves.");
        let same = all_of(
            m,
            &["wts", "rts"].map(|time| victim.metadata.get(time).eq(self.before.get(time))),
        );
        let same = victim.granule.eq(granule) & same;
        self.invariant("victim_found", !found | same, "It is what was found.");
        self.invariant("found_reserved", !found | writes.any(), "What is found is reserved.");
        let here = found & granule.eq(self.monitor.chosen);
        let exact = self.before.pack().eq(self.asked.kept.pack());
        self.invariant("found_exact", !here | exact, "What is found is what was kept.");
    }

    /// The decision keeps every rule.
    pub(super) fn decisions_are_right(&self) {
        for (rule, kept) in &self.judged.rules {
            let name = format!("{INVARIANT}decided_{}", rule.name);
            self.m.assert(&name, !self.done | *kept, rule.rule);
        }
    }
}
