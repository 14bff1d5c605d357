//! Invariants: what is followed is in the circuit's stages, in its order, and what is dirty is in the RAMs.

use super::entries::here;
use super::{Place, Reads, Ways};
use crate::kit::*;
use crate::qr_write_cache::channels::{Op, Request};
use crate::qr_write_cache::properties::Monitor;
use crate::qr_write_cache::properties::forwards::{Entries, Forwards};
use crate::qr_write_cache::properties::stores::Stores;

/// Bits of a byte in a row of the data's RAM: its value, and whether it is dirty.
const LANE: u32 = 9;

/// Where requests are, the oldest first.
pub(super) struct Stages<'m> {
    /// On their way down: two in the buffer before `down`, and what was issued.
    pub down: [Place<'m>; 3],
    /// To be looked at.
    pub up: [Place<'m>; 3],
}

impl<'m> Stages<'m> {
    pub fn new(
        monitor: &Monitor<'_, 'm>,
        probes: &Probes,
        dirty: Signal<'m>,
        slots: [Place<'m>; 2],
        arriving: Place<'m>,
    ) -> Self {
        let Monitor { m, p, inv, hit, .. } = monitor;
        let fields = Request::fields(p);
        let below = SkidBuffer::new(m, probes, "below", &fields);
        let [oldest, older] =
            [0, 1].map(|i| Place { valid: below.valid[i], request: below.data[i].clone() });
        let issued = probes.record(m, "issued_", &fields);
        let is_write = issued.get("op").eq(Op::Store as u64);
        let request = record(&fields, |field| match field.name.as_str() {
            "block" => is_write.mux(inv.get("block"), issued.get("block")),
            "bytes" => is_write.mux(dirty, issued.get("bytes")),
            "data" => is_write.mux(hit.get("data"), issued.get("data")),
            name => issued.get(name),
        });
        let issued = Place { valid: probes.signal(m, "issued", 1), request };
        let [first, second] = slots;
        Self { down: [oldest, older, issued], up: [first, second, arriving] }
    }

    /// Stores to the chosen block.
    pub fn stores(
        &self,
        monitor: &Monitor<'_, 'm>,
        probes: &Probes,
        stores: &Stores<'m>,
        ways: &Ways<'m>,
    ) {
        let Monitor { m, marked, inv, .. } = monitor;
        let shown = !inv.valid | self.down[2].is(Op::Store);
        invariant(m, "inv_is_issued", shown, "What `inv` shows was issued.");
        invariant(m, "stores_in_order", stores.in_order(), "The queues have no gaps, and room.");
        let writes = self.down.iter().map(|place| {
            let request = &place.request;
            let value = stores.byte_of(request.get("data"));
            (Self::of_block(place, stores), request.get("bytes"), value)
        });
        let none = m.lit(3, 0);
        let writes = same(m, none, &stores.not_down(), writes);
        invariant(m, "writes_in_stages", writes, "Writes are on their way.");
        let before = (marked.valid & stores.is(marked.get("block"))).zero_extend(3);
        let unmerged = self.up.iter().map(|place| {
            let bytes = place.request.get("bytes");
            let value = stores.byte_of(place.request.get("data"));
            (Self::of_block(place, stores), bytes, value.and_where(stores.has(bytes)))
        });
        let unmerged = same(m, before, &stores.not_merged(), unmerged);
        invariant(m, "stores_in_stages", unmerged, "Stores to be merged are in the stages.");
        let bytes = self.up.iter().map(|s| !s.is(Op::Store) | s.request.get("bytes").any());
        let bytes = all_of(m, &bytes.collect::<Vec<_>>());
        invariant(m, "stores_have_bytes", bytes, "A store of no byte was refused.");
        self.rows(monitor, probes, stores, ways);
    }

    /// Reads and atomics.
    pub fn forwards(
        &self,
        monitor: &Monitor<'_, 'm>,
        stores: &Stores<'m>,
        forwards: &Forwards<'m>,
        reads: &Reads<'m>,
    ) {
        let Monitor { m, marked, .. } = monitor;
        let entries = forwards.with_new();
        let held = forwards.entries();
        let is_gone = reads.is_known & reads.is_covered;
        let count = |of: Signal<'m>| of.zero_extend(3);
        let (mut number, mut writes) = (m.lit(3, 0), m.lit(3, 0));
        let mut unmerged = count(marked.valid);
        let mut of_block = count(marked.valid & stores.is(marked.get("block")));
        let (mut here, mut ahead) = (Vec::new(), Vec::new());
        for (i, place) in self.down.iter().chain(&self.up).enumerate() {
            let is_up = i >= self.down.len();
            let is_read = place.is(Op::Read) & if i == 3 { !is_gone } else { m.lit(1, 1) };
            let is_here = is_read | place.is(Op::Atomic);
            let (valid, entry) = pick_entry(&entries, number);
            let (is_held, _) = pick_entry(&held, number);
            let get = |field: &str| place.request.get(field);
            let value = stores.byte_of(get("data"));
            let value = if is_up { value.and_where(place.is(Op::Atomic)) } else { value };
            let as_came = ["op", "block", "bytes", "wavefront"].map(|f| get(f).eq(entry.get(f)));
            let as_came = all_of(m, &as_came) & value.eq(entry.get("value"));
            let no_ack = if is_up { m.lit(1, 1) } else { !get("needs_ack") };
            here.push(!is_here | (valid & as_came & no_ack));

            let known = match is_up {
                true => {
                    let written = entry.get("writes_ahead").eq(stores.writes());
                    entry.get("unmerged_ahead").eq(unmerged)
                        & !entry.get("is_late")
                        & entry.get("stores_ahead").eq(of_block)
                        & entry.get("is_dirty").eq(stores.dirty.any())
                        & (entry.get("is_dirty") | written)
                }
                false => {
                    let clear = !entry.get("stores_ahead").any() & !entry.get("is_dirty");
                    let clear = clear & entry.get("writes_ahead").eq(writes);
                    !entry.get("unmerged_ahead").any() & (!stores.is(get("block")) | clear)
                }
            };
            ahead.push(!is_here | !is_held | known);
            number = number + count(is_here);
            let (store, of_it) = (place.is(Op::Store), Self::of_block(place, stores));
            match is_up {
                true => {
                    unmerged = unmerged + count(store);
                    of_block = of_block + count(of_it);
                }
                false => writes = writes + count(of_it),
            }
        }
        let all = count_of(entries.iter().map(|(valid, _)| *valid), 3).eq(number);
        let here = all_of(m, &here) & all & forwards.in_order();
        invariant(m, "forwards_in_stages", here, "Reads and atomics are in the stages.");
        invariant(m, "forwards_ahead", all_of(m, &ahead), "Stores ahead of them are counted.");
    }

    /// A read sees the row of its block, and one on its way down is not taken for it.
    pub fn reads(
        &self,
        monitor: &Monitor<'_, 'm>,
        stores: &Stores<'m>,
        forwards: &Forwards<'m>,
        (reads, ways): (&Reads<'m>, &Ways<'m>),
    ) {
        let Monitor { m, marked, inv, hit, .. } = monitor;
        let [first, ..] = &self.up;
        let same = ["block", "bytes", "wavefront"].map(|f| hit.get(f).eq(first.request.get(f)));
        let alone = !self.down[2].valid & !marked.valid & !inv.valid;
        let bytes = hit.get("bytes") & reads.dirty_bytes;
        let value = !stores.has(bytes) | stores.byte_of(hit.get("data")).eq(stores.value);
        let row = reads.dirty_bytes.eq(stores.dirty) & value;
        let sees = alone & all_of(m, &same) & (!stores.is(hit.get("block")) | row);
        invariant(m, "read_sees_row", !reads.compares | sees, "A read sees the row of its block.");
        let entries = forwards.entries();
        let mut number = m.lit(3, 0);
        let kept = self.down.iter().map(|place| {
            let (_, entry) = pick_entry(&entries, number);
            let is_here = place.is(Op::Read) | place.is(Op::Atomic);
            number = number + is_here.zero_extend(3);
            let late = entry.get("is_late") | marked.valid;
            let block = place.request.get("block");
            !place.is(Op::Read) | late | !here(monitor, ways, block).any()
        });
        let kept: Vec<_> = kept.collect();
        let doc = "A block of which a read goes down is dirty only by later stores.";
        invariant(m, "forwarded_is_clean", all_of(m, &kept), doc);
    }

    /// Whether a store to the chosen block is there.
    fn of_block(place: &Place<'m>, stores: &Stores<'m>) -> Signal<'m> {
        place.is(Op::Store) & stores.is(place.request.get("block"))
    }

    /// The row of the chosen block's place is what is dirty of it.
    fn rows(
        &self,
        monitor: &Monitor<'_, 'm>,
        probes: &Probes,
        stores: &Stores<'m>,
        ways: &Ways<'m>,
    ) {
        let Monitor { m, p, .. } = monitor;
        let (mut bytes, mut value) = (m.lit(p.block_bytes, 0), m.lit(8, 0));
        let (mut tags, mut some) = (Vec::new(), Vec::new());
        for set in 0..p.sets {
            for (way, sets) in (0..).zip(ways) {
                let (is_dirty, tag) = sets[set as usize];
                let place = set * p.ways + way;
                let kept = probes.row(m, "block_tags", place, p.tag_bits());
                tags.push(!is_dirty | kept.eq(tag));
                let row = probes.row(m, "data", place, LANE * p.block_bytes);
                let lanes = (0..p.block_bytes).map(|i| row.slice(LANE * i..LANE * (i + 1)));
                let lanes: Vec<_> = lanes.collect();
                let dirty = column(m, lanes.iter().map(|lane| lane.bit(8)));
                some.push(!is_dirty | dirty.any());
                let values = column(m, lanes.iter().map(|lane| lane.truncate(8)));
                let is_here = is_dirty & stores.is(tag.concat(m.lit(p.set_bits(), set.into())));
                bytes = bytes | dirty.and_where(is_here);
                value = value | stores.byte_of(values).and_where(is_here & stores.has(dirty));
            }
        }
        let after = stores.after();
        let same = after.get("bytes").eq(bytes) & after.get("value").eq(value);
        invariant(m, "row_is_dirty", same, "What is dirty is in the row of the block's place.");
        invariant(m, "dirty_has_bytes", all_of(m, &some), "A dirty block has a dirty byte.");
        invariant(m, "block_tags", all_of(m, &tags), "Both RAMs have the same tags.");
    }
}

/// The entry of that number, counted from the oldest.
fn pick_entry<'m>(entries: &Entries<'m>, number: Signal<'m>) -> (Signal<'m>, Record<'m>) {
    let at = one_hot::decode(number, entries.len() as u32);
    let is = any_of(entries.iter().enumerate().map(|(i, (valid, _))| *valid & at.bit(i as u32)));
    let entry = record(entries[0].1.fields(), |field| {
        let all: Vec<_> = entries.iter().map(|(_, entry)| entry.get(&field.name)).collect();
        one_hot::select(at, &all)
    });
    (is, entry)
}

/// Whether the stores in the stages, their bytes and the value of the chosen one are the entries, behind so many others.
fn same<'m>(
    m: &'m ModuleBuilder,
    before: Signal<'m>,
    entries: &Entries<'m>,
    stages: impl Iterator<Item = (Signal<'m>, Signal<'m>, Signal<'m>)>,
) -> Signal<'m> {
    let mut number = before;
    let mut kept = Vec::new();
    for (valid, bytes, value) in stages {
        let (is, entry) = pick_entry(entries, number);
        let same = entry.get("bytes").eq(bytes) & entry.get("value").eq(value);
        kept.push(!valid | (is & same));
        number = number + valid.zero_extend(number.width());
    }
    let count = count_of(entries.iter().map(|(valid, _)| *valid), number.width());
    all_of(m, &kept) & count.eq(number)
}
