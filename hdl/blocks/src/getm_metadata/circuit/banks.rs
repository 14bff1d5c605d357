//! The banks of the precise table: a cuckoo hash table of one RAM a bank.
//!
//! The candidates of a request are read in stage 1. Until stage 4, whatever stage 5 writes to one of
//! its rows takes the place of what was read.

use super::control::Control;
use super::stage::{Stage, content_fields, entry_fields};
use crate::getm_metadata::params::Params;
use crate::kit::*;

pub(super) struct Written<'m> {
    /// To which bank once it is done with its request, one-hot, at its own rows.
    pub by_request: Signal<'m>,
    /// That entry.
    pub after: Signal<'m>,
    /// To which banks at this edge, one-hot.
    pub banks: Signal<'m>,
    /// That entry.
    pub entry: Signal<'m>,
}

/// The candidates of the request in stage 4.
pub(super) struct Candidates<'m> {
    /// One entry a bank, as it was before the request in stage 5.
    pub entries: Vec<Record<'m>>,
    /// The bank whose candidate is of the request's granule, one-hot; zero: none.
    pub hits: Signal<'m>,
    /// The banks whose candidate stage 5 writes, one-hot.
    pub replaced: Signal<'m>,
}

/// The banks. `stages` are stages 1 to 5; `hashed` are the rows of the entry that looks for a place.
pub(super) fn banks<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    control: &Control<'m>,
    stages: &[Stage<'m>; 5],
    hashed: &[Signal<'m>],
    written: &Written<'m>,
) -> Candidates<'m> {
    let [stage1, stage2, stage3, stage4, stage5] = stages;
    let reads = (control.moves | control.read).named("banks_are_read");
    let same_granule = stage3.granule(p).eq(stage5.granule(p)).named("stage3_granule_in_stage5");
    let (mut entries, mut hits, mut replaced4) = (Vec::new(), Vec::new(), Vec::new());
    for (bank, hashed_row) in hashed.iter().enumerate() {
        let name = format!("bank{bank}");
        let zero = m.constant(Bits::zeros(written.entry.width()));
        let write = Write {
            enable: control.clear | written.banks.bit(bank as u32),
            row: control.clear.mux(control.clear_row.truncate(p.row_bits()), stage5.rows[bank]),
            data: control.clear.mux(zero, written.entry),
        };
        let doc = format!("Bank {bank} of the precise table.");
        let row = control.read.mux(*hashed_row, stage1.rows[bank]);
        let read = Read { enable: reads, row };
        let read2 = write_first(m, &name, &doc, p.rows_per_way, write, read);

        let to_bank = written.by_request.bit(bank as u32);
        let replaced = |stage: &Stage<'m>, number: u32| {
            let same_row = stage.rows[bank].eq(stage5.rows[bank]);
            (to_bank & same_row).named(&format!("stage{number}_{name}_replaced"))
        };
        let read3 = m.reg_without_reset(&format!("stage3_{name}"), written.entry.width());
        m.when(control.moves, || {
            read3.set(replaced(stage2, 2).mux(written.after, read2));
        });
        let entry3 = Record::unpack(&entry_fields(p), *read3).named(&format!("stage3_{name}"));
        let hit3 = entry3.get("valid") & entry3.get("granule").eq(stage3.granule(p));
        let replaced3 = replaced(stage3, 3);
        let read4 = m.reg_without_reset(&format!("stage4_{name}"), written.entry.width());
        let hit4 = m.reg_without_reset(&format!("stage4_{name}_hit"), 1);
        m.when(control.moves, || {
            read4.set(replaced3.mux(written.after, *read3));
            hit4.set(replaced3.mux(same_granule, hit3));
        })
        .otherwise_when(control.load, || read4.set(read2));
        entries.push(Record::unpack(&entry_fields(p), *read4).named(&format!("stage4_{name}")));
        hits.push(*hit4);
        replaced4.push(replaced(stage4, 4));
    }
    let hits = m.concat_low_first(&hits).named("stage4_bank_hits");
    let replaced = m.concat_low_first(&replaced4).named("replaced_candidates");
    Candidates { entries, hits, replaced }
}

/// Where an entry goes among its candidates.
pub(super) struct Room<'m> {
    /// The bank, one-hot.
    pub bank: Signal<'m>,
    /// There is an empty place, or one that is not reserved.
    pub is_free: Signal<'m>,
    /// The entry that was there goes to the Bloom filter.
    pub evicts: Signal<'m>,
    /// The content of what is there.
    pub victim: Signal<'m>,
}

/// The lowest empty candidate, else the lowest that is not reserved, else that of `kick_bank`.
/// `written` is what takes the place of some, and whether it is reserved.
pub(super) fn room<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    candidates: &Candidates<'m>,
    (written, reserved): (Signal<'m>, Signal<'m>),
    kick_bank: Signal<'m>,
) -> Room<'m> {
    let Candidates { entries, replaced, .. } = candidates;
    let empty = column(m, entries.iter().map(|entry| !entry.get("valid")));
    let empty = empty.named("empty_candidates");
    let free = column(m, entries.iter().map(|entry| entry.get("writes").eq(0)));
    let free = free.named("free_candidates");
    let empty = (empty & !*replaced).named("empty_now");
    let free = ((free & !*replaced) | replaced.and_where(!reserved)).named("free_now");
    let any_empty = empty.any().named("any_empty");
    let any_free = free.any().named("any_free");
    let bank =
        any_empty.mux(one_hot::lowest(empty), any_free.mux(one_hot::lowest(free), kick_bank));
    let bank = bank.named("room");
    let content = |entry: &Record<'m>| pick(&content_fields(p), entry).pack();
    let written = content(&Record::unpack(&entry_fields(p), written));
    let entry = |(i, entry): (u32, &Record<'m>)| {
        replaced.bit(i).mux(written, content(entry)).named(&format!("candidate{i}"))
    };
    let entries: Vec<_> = (0..).zip(entries).map(entry).collect();
    Room {
        bank,
        is_free: any_empty | any_free,
        evicts: !any_empty & any_free,
        victim: one_hot::select(bank, &entries).named("victim"),
    }
}

// A RAM whose reads give what is written at the same edge: the RAM itself may give anything then.

/// The one write port of a RAM.
#[derive(Clone, Copy)]
pub(super) struct Write<'m> {
    pub enable: Signal<'m>,
    pub row: Signal<'m>,
    pub data: Signal<'m>,
}

/// The one read port of a RAM: its data is there in the clock after `enable`, and stays until the next.
#[derive(Clone, Copy)]
pub(super) struct Read<'m> {
    pub enable: Signal<'m>,
    pub row: Signal<'m>,
}

/// A RAM named `name` of that many rows. Gives the data read, named `<name>_read`.
pub(super) fn write_first<'m>(
    m: &'m ModuleBuilder,
    name: &str,
    doc: &str,
    rows: u32,
    write: Write<'m>,
    read: Read<'m>,
) -> Signal<'m> {
    let ram = m.memory(name, rows, write.data.width(), 1, Collision::Undefined).doc(doc);
    ram.write(write.enable, write.row, write.data);
    let data = ram.read(&format!("{name}_ram"), read.enable, read.row);
    let bypass = m
        .reg_without_reset(&format!("{name}_bypass"), 1)
        .doc("The row was written at the edge at which it was read.");
    let written = m.reg_without_reset(&format!("{name}_written"), write.data.width());
    m.when(read.enable, || {
        bypass.set(write.enable & write.row.eq(read.row));
        written.set(write.data);
    });
    bypass.mux(*written, data).named(&format!("{name}_read"))
}
