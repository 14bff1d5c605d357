//! Entries: in banks, in the stash, and the one that looks for a place.

use warpsmith_rtl::library::one_hot;
use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::{Inside, State, at, count, entry_fields, metadata_fields};
use crate::getm_metadata::params::Params;
use crate::properties::Probes;

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
        let fields = metadata_fields(p, Fields::new());
        let metadata = fields.iter().map(|field| entry.get(&field.name)).collect();
        Self {
            valid: entry.get("valid"),
            granule: entry.get("granule"),
            metadata: Record::new(&fields, metadata),
        }
    }

    /// There is one, of that granule.
    pub fn is_of(&self, granule: Signal<'m>) -> Signal<'m> {
        self.valid & self.granule.eq(granule)
    }

    fn is_reserved(&self) -> Signal<'m> {
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
    pub fn new(m: &'m ModuleBuilder, p: &Params, probes: &Probes, state: &State<'m>) -> Self {
        let width = entry_fields(p).width();
        let bank = |bank: u32| -> Vec<_> {
            (0..p.rows_per_way)
                .map(|row| probes.row(m, &format!("bank{bank}"), row, width))
                .collect()
        };
        let rows: Vec<_> = (0..p.ways).map(bank).collect();
        let entry = |(row, packed): (u32, &Signal<'m>)| {
            let entry = Entry::new(p, *packed);
            Entry { valid: entry.valid & (!state.clear | state.clear_row.gt(row)), ..entry }
        };
        let banks = rows.iter().map(|bank| (0..).zip(bank).map(entry).collect()).collect();
        let registers = |name: &str| {
            let signal = |field: &str, width| probes.signal(m, &format!("{name}_{field}"), width);
            let values = entry_fields(p).iter().map(|f| signal(&f.name, f.width)).collect();
            Entry::new(p, Record::new(&entry_fields(p), values).pack())
        };
        let moving = registers("moving");
        let moving = Entry { valid: moving.valid & state.walks, ..moving };
        let stash = (0..p.stash).map(|slot| registers(&format!("stash{slot}"))).collect();
        Self { rows, banks, stash, moving }
    }

    /// Every place.
    pub fn all(&self) -> impl Iterator<Item = &Entry<'m>> {
        self.banks.iter().flatten().chain(&self.stash).chain([&self.moving])
    }
}

impl<'m> Inside<'_, 'm> {
    /// A granule's row in each bank.
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
                self.invariant(
                    &format!("place{i}_not_{j}"),
                    !twice,
                    "No granule is in two places.",
                );
            }
            let there = at(entry.granule, &self.asked.there.to_bits());
            let doc = "What is in the table is not in the overflow space.";
            self.invariant(&format!("place{i}_not_overflow"), !(entry.valid & there), doc);
        }
        let moves = !self.state.walks | self.entries.moving.valid;
        self.invariant("moving", moves, "In a walk there is an entry that looks for a place.");
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
                self.invariant(
                    &name,
                    !absent | late,
                    "Else each way of the filter is not too early.",
                );
            }
        }
    }
}
