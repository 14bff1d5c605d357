//! The banks of the precise table: a cuckoo hash table of one RAM a bank.
//!
//! The candidates of a request are read in stage 1. Until stage 4, whatever stage 4 writes to one of
//! its rows takes the place of what was read.

use warpsmith_rtl::library::one_hot;
use warpsmith_rtl::library::record::Record;
use warpsmith_rtl::{Bits, ModuleBuilder, Signal};

use super::control::Control;
use super::ram::{self, Read, Write};
use super::stage::{Stage, entry_fields};
use crate::getm_metadata::params::Params;

/// What stage 4 writes.
pub(super) struct Written<'m> {
    /// To which banks, one-hot, at its own rows.
    pub banks: Signal<'m>,
    /// An entry.
    pub entry: Signal<'m>,
}

/// The candidates of the request in stage 4.
pub(super) struct Candidates<'m> {
    /// One entry a bank.
    pub entries: Vec<Record<'m>>,
    /// The bank whose candidate is of the request's granule, one-hot; zero: none.
    pub hits: Signal<'m>,
}

/// The banks. `stages` are stages 1 to 4; `hashed` are the rows of the entry that looks for a place.
pub(super) fn banks<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    control: &Control<'m>,
    stages: [&Stage<'m>; 4],
    hashed: &[Signal<'m>],
    written: &Written<'m>,
) -> Candidates<'m> {
    let [stage1, stage2, stage3, stage4] = stages;
    let reads = (control.advance | control.read | control.refetch3 | control.refetch2)
        .named("banks_are_read");
    let same_granule = stage3.granule(p).eq(stage4.granule(p)).named("stage3_granule_in_stage4");
    let (mut entries, mut hits) = (Vec::new(), Vec::new());
    for (bank, to_bank) in written.banks.to_bits().into_iter().enumerate() {
        let name = format!("bank{bank}");
        let read = control.refetch3.mux(
            stage3.rows[bank],
            control
                .refetch2
                .mux(stage2.rows[bank], control.read.mux(hashed[bank], stage1.rows[bank])),
        );
        let zero = m.constant(Bits::zeros(written.entry.width()));
        let write = Write {
            enable: control.clear | to_bank,
            row: control.clear.mux(control.clear_row.truncate(p.row_bits()), stage4.rows[bank]),
            data: control.clear.mux(zero, written.entry),
        };
        let doc = format!("Bank {bank} of the precise table.");
        let read = Read { enable: reads, row: read };
        let read2 = ram::write_first(m, &name, &doc, p.rows_per_way, write, read);

        let replaced = |stage: &Stage<'m>, number: u32| {
            let same_row = stage.rows[bank].eq(stage4.rows[bank]);
            (to_bank & same_row).named(&format!("stage{number}_{name}_replaced"))
        };
        let read3 = m.reg_without_reset(&format!("stage3_{name}"), written.entry.width());
        m.when(control.advance | control.refetch2, || {
            read3.set(replaced(stage2, 2).mux(written.entry, read2));
        });
        let entry3 = Record::unpack(&entry_fields(p), *read3).named(&format!("stage3_{name}"));
        let hit3 = entry3.get("valid") & entry3.get("granule").eq(stage3.granule(p));
        let replaced3 = replaced(stage3, 3);
        let read4 = m.reg_without_reset(&format!("stage4_{name}"), written.entry.width());
        let hit4 = m.reg_without_reset(&format!("stage4_{name}_hit"), 1);
        m.when(control.advance, || {
            read4.set(replaced3.mux(written.entry, *read3));
            hit4.set(replaced3.mux(same_granule, hit3));
        })
        .otherwise_when(control.load, || read4.set(read2));
        entries.push(Record::unpack(&entry_fields(p), *read4).named(&format!("stage4_{name}")));
        hits.push(*hit4);
    }
    let hits = m.concat_low_first(&hits);
    m.assert(
        "one_bank_has_the_granule",
        !stage4.valid | !control.run | (hits & (hits - 1)).eq(0),
        "At most one bank has an entry of a granule.",
    );
    Candidates { entries, hits }
}

/// Where an entry goes among its candidates.
pub(super) struct Room<'m> {
    /// The bank, one-hot; zero: none.
    pub bank: Signal<'m>,
    /// There is an empty place, or one that nobody reserves.
    pub is_free: Signal<'m>,
    /// The entry that was there goes to the Bloom filter.
    pub evicts: Signal<'m>,
    /// The entry that was there.
    pub victim: Record<'m>,
}

/// The lowest empty candidate, else the lowest that nobody reserves, else that of `kick_bank`.
pub(super) fn room<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    candidates: &[Record<'m>],
    kick_bank: Signal<'m>,
) -> Room<'m> {
    let column = |bit: &dyn Fn(&Record<'m>) -> Signal<'m>, name: &str| {
        m.concat_low_first(&candidates.iter().map(bit).collect::<Vec<_>>()).named(name)
    };
    let empty = column(&|entry| !entry.get("valid"), "empty_candidates");
    let free = column(&|entry| entry.get("writes").eq(0), "free_candidates");
    let any_empty = empty.any().named("any_empty");
    let any_free = free.any().named("any_free");
    let bank =
        any_empty.mux(one_hot::lowest(empty), any_free.mux(one_hot::lowest(free), kick_bank));
    let bank = bank.named("room");
    let packed: Vec<_> = candidates.iter().map(Record::pack).collect();
    let victim = Record::unpack(&entry_fields(p), one_hot::select(bank, &packed)).named("victim");
    Room { bank, is_free: any_empty | any_free, evicts: !any_empty & any_free, victim }
}
