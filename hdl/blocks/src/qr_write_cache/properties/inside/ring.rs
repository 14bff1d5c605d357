//! The ring of the synchronization FIFO, and invariants about its registers.

use crate::kit::*;
use crate::s_fifo::{Params, entry_of_row, row_fields};

/// Entries of the ring, the oldest first.
pub(super) struct Ring<'m>(Vec<(Signal<'m>, Record<'m>)>);

impl<'m> Ring<'m> {
    pub fn new(m: &'m ModuleBuilder, probes: &Probes, p: &Params) -> Self {
        let (pointer_bits, count_bits) = (address_bits(p.depth), address_bits(p.depth + 1));
        let signal = |name: &str, width| probes.signal(m, &format!("fifo.{name}"), width);
        let [write, read] =
            ["write_pointer", "read_pointer"].map(|name| signal(name, pointer_bits));
        let [held, to_release] =
            ["entries_held", "to_release"].map(|name| signal(name, count_bits));
        let rows: Vec<_> =
            (0..p.depth).map(|row| probes.row(m, "fifo.ring", row, p.row_bits())).collect();
        // The row so many behind the one that is read.
        let width = count_bits + 1;
        let behind = |more: Signal<'m>| {
            let sum = read.zero_extend(width) + more.zero_extend(width);
            sum.ge(p.depth).mux(sum - u64::from(p.depth), sum)
        };
        let row = |more: Signal<'m>| {
            one_hot::select(one_hot::decode(behind(more).truncate(pointer_bits), p.depth), &rows)
        };
        let entry = |i: u32| {
            let row = Record::unpack(&row_fields(p), row(m.lit(count_bits, i.into())));
            (held.gt(i), entry_of_row(p, &row))
        };
        let entries: Vec<_> = (0..p.depth).map(entry).collect();

        let is_row = |pointer: Signal<'m>| pointer.zero_extend(count_bits).lt(p.depth);
        let apart = behind(held).eq(write.zero_extend(width)) & is_row(write) & is_row(read);
        invariant(m, "ring", apart, "The pointers are as far apart as entries are held.");
        let head = signal("head", p.row_bits());
        let read_ahead = !held.any() | head.eq(row(m.lit(count_bits, 0)));
        invariant(m, "ring_head", read_ahead, "The oldest row of the ring has been read.");
        let is_release = |entry: &Record<'m>| entry.get("kind").bit(1);
        let counted = entries.iter().zip(0u64..).map(|((valid, entry), i)| {
            let is_last = to_release.ne(i + 1) | is_release(entry);
            is_last & (!*valid | to_release.gt(i) | !is_release(entry))
        });
        let counted = all_of(m, &counted.collect::<Vec<_>>());
        invariant(m, "ring_release", counted, "It is counted how far the last release is.");
        Self(entries)
    }

    /// Whether each entry is there, and it.
    pub fn entries(self) -> Vec<(Signal<'m>, Record<'m>)> {
        self.0
    }
}
