//! The contract as properties to be proven.
//!
//! All entries inside are remembered in the order of their coming, and how many of them are due.

use warpsmith_rtl::library::record::Record as Row;

use super::channels::{DEQUEUE, Entry, Kind};
use super::circuit::{entry_of_row, row_fields};
use super::corners::*;
use super::params::Params;
use super::rules;
use crate::kit::*;

/// The module `s_fifo_properties`.
pub(super) fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    // Each entry has registers of its own.
    in_range("depth", p.depth, 2, 16)?;
    let doc = "The contract of s_fifo on its ports: the entries inside, and how many are due.";
    Ok(Properties::new(&super::BLOCK, doc, inside, |m, probes| {
        let monitor = Monitor::new(m, p);
        monitor.cover();
        if let Some(probes) = probes {
            monitor.assert_invariants(probes);
        }
    }))
}

/// The ports, and what is remembered of what they showed.
struct Monitor<'p, 'm> {
    m: &'m ModuleBuilder,
    p: &'p Params,
    enqueue: Watched<'m>,
    dequeue: Watched<'m>,
    /// An entry that is well formed enters.
    enters: Signal<'m>,
    inside: Queue<'m>,
    /// How many of the oldest are due.
    due: Reg<'m>,
    /// The last entry was a release.
    after_release: Signal<'m>,
}

fn is_release<'m>(entry: &Row<'m>) -> Signal<'m> {
    entry.get("kind").eq(Kind::Release as u64)
}

impl<'p, 'm> Monitor<'p, 'm> {
    /// Watches the ports and asserts the rules.
    fn new(m: &'m ModuleBuilder, p: &'p Params) -> Self {
        let [enqueue, dequeue, error] = Watched::all(m, p);
        let reserved = enqueue.fires() & enqueue.get("kind").all();
        let enters = enqueue.fires() & !reserved;
        let inside = Queue::new(m, "entry", p.capacity(), &Entry::fields(p));
        let width = inside.count().width();
        let due = m.reg("due", width, 0).doc("Entries that are due.");

        rules::TAKES_WHILE_ROOM.assert(m, enqueue.ready.eq(!inside.full()));
        rules::ERROR_AS_DUE.assert(
            m,
            error.valid.eq(last_clock(m, "error_due", reserved))
                & (!error.valid | error.get("code").eq(0)),
        );
        let as_came = inside.any() & inside.oldest().pack().eq(dequeue.payload.pack());
        rules::IN_ORDER.assert(m, !dequeue.valid | as_came);
        rules::ONLY_WHEN_DUE.assert(m, !dequeue.valid | due.any());
        let leaves = dequeue.fires().zero_extend(width);
        let late = last_clock(m, "late", due.ne(leaves));
        rules::DUE_IN_TIME.assert(m, !late | dequeue.valid);

        let entry = kept(&enqueue.payload);
        let more = inside.count() + 1;
        let released = enters & is_release(&entry);
        let fills = enters & (more - *due).eq(p.depth);
        let due_now = released.mux(more, *due + fills.zero_extend(width));
        due.set(due_now - leaves);
        let last = m.reg("after_release", 1, 0).doc("The last entry was a release.");
        m.when(enters, || last.set(is_release(&entry)));
        inside.set(enters, &entry, dequeue.fires());
        Self { m, p, enqueue, dequeue, enters, inside, due, after_release: *last }
    }

    fn waits(&self, of: impl Fn(&Row<'m>) -> Signal<'m>) -> Signal<'m> {
        // Only what is not due waits.
        let due = *self.due;
        let places = (0u64..).zip(self.inside.entries());
        any_of(places.map(|(i, (taken, entry))| taken & due.le(i) & of(&entry)))
    }

    fn cover(&self) {
        let Self { m, p, enqueue, dequeue, enters, inside, due, .. } = self;
        let cover = |corner, condition| crate::properties::cover(m, *p, corner, condition);
        let releases = inside.entries().map(|(taken, entry)| taken & is_release(&entry));
        let releases = count_of(releases, inside.count().width());
        let count = inside.count();
        let full = count.ge(p.depth);
        cover(FULL_STEADY, *enters & dequeue.fires() & full & !releases.any());
        cover(NO_ROOM, inside.full());
        cover(RELEASES_INSIDE, releases.eq(2));
        let ends = dequeue.fires() & is_release(&dequeue.payload) & due.eq(1) & count.gt(1);
        cover(DRAINING_ENDS, ends & !*enters);

        let release = *enters & is_release(&enqueue.payload);
        let other = *enters & !is_release(&enqueue.payload);
        let waiting = count - **due;
        cover(FULL_DRAINS, other & waiting.eq(p.depth - 1));
        cover(RELEASE_LAST, release & waiting.eq(p.depth - 1));
        cover(RELEASE_ALONE, release & !inside.any());
        cover(RELEASE_DRAINS, release & waiting.any());
        cover(RELEASES_BACK_TO_BACK, release & self.after_release);
        cover(ACCEPTS_WHILE_DRAINING, other & releases.any());
        let again = self.waits(|entry| entry.get("block").eq(enqueue.get("block")));
        let of_kind = |kind: Kind| enqueue.get("kind").eq(kind as u64);
        cover(DUPLICATE, *enters & of_kind(Kind::Write) & again);
        cover(ATOMIC_OF_WRITTEN, *enters & of_kind(Kind::Atomic) & again);
        cover(WITH_ANSWER, release & enqueue.get("needs_ack"));
        cover(WITHOUT_ANSWER, release & !enqueue.get("needs_ack"));
        cover(RESERVED, enqueue.fires() & !*enters);
        for (channel, watched) in [(super::ENQUEUE, enqueue), (DEQUEUE, dequeue)] {
            cover_stalls(m, *p, STALLED, (channel, watched));
        }
    }

    /// What makes the proof of our own circuit close: what its registers and rows hold.
    fn assert_invariants(&self, probes: &Probes) {
        let Self { m, p, inside, .. } = self;
        let skid = SkidBuffer::new(m, probes, "out", &row_fields(p));
        let count = inside.count();
        let width = count.width();
        let (pointer_bits, count_bits) = (address_bits(p.depth), address_bits(p.depth + 1));
        let [write, read] =
            ["write_pointer", "read_pointer"].map(|name| probes.signal(m, name, pointer_bits));
        let [held, to_release] =
            ["entries_held", "to_release"].map(|name| probes.signal(m, name, count_bits));
        let rows: Vec<_> =
            (0..p.depth).map(|row| probes.row(m, "ring", row, p.row_bits())).collect();
        let on_way = count_of(skid.valid, width);
        let invariant = |name: &str, kept: &[Signal<'m>], doc: &str| {
            invariant(m, name, all_of(m, kept), doc);
        };

        let in_place = [skid.valid[0] | !skid.valid[1], inside.in_order()];
        invariant("filled", &in_place, "Places are filled from the first on.");
        let both = (held.zero_extend(width) + on_way).eq(count);
        let is_row = |pointer: Signal<'m>| pointer.zero_extend(count_bits).lt(p.depth);
        let in_range = [held.le(p.depth), is_row(write), is_row(read)];
        invariant(
            "count",
            &[both, all_of(m, &in_range)],
            "What is inside is in the ring or beyond.",
        );
        let apart = self.row_after(read, held).eq(write.zero_extend(count_bits + 1));
        invariant("pointers", &[apart], "The pointers are as far apart as entries are held.");

        let mut same = Vec::new();
        let mut in_ring = Vec::new();
        for (i, (taken, entry)) in (0u64..).zip(inside.entries()) {
            same.push(!taken | !entry.get("kind").all());
            for (place, (valid, row)) in (0u64..).zip(skid.valid.iter().zip(&skid.data)) {
                if place == i {
                    same.push(!*valid | entry_of_row(p, row).pack().eq(entry.pack()));
                }
            }
            let beyond = on_way.le(i);
            let older = (m.lit(width, i) - on_way).truncate(count_bits);
            let at = self.row_after(read, older).truncate(pointer_bits);
            let row = one_hot::select(one_hot::decode(at, p.depth), &rows);
            let row = Row::unpack(&row_fields(p), row);
            let is_held = taken & beyond;
            same.push(!is_held | entry_of_row(p, &row).pack().eq(entry.pack()));
            in_ring.push(is_held & is_release(&entry));
        }
        invariant("same", &same, "Entries are where they should be, as they came.");

        // Due is what is beyond the ring, what a release of the ring is behind, and the oldest of a full ring.
        let mut last = on_way;
        for (i, release) in (1u64..).zip(&in_ring) {
            last = release.mux(m.lit(width, i), last);
        }
        let counted = (last - on_way).eq(to_release.zero_extend(width));
        invariant("release", &[counted], "It is counted how far the last release of the ring is.");
        let full = (held.eq(p.depth) & !to_release.any()).zero_extend(width);
        invariant("due", &[self.due.eq(last + full)], "What is due is on its way, or drains.");

        let head = probes.signal(m, "head", p.row_bits());
        let oldest = one_hot::select(one_hot::decode(read, p.depth), &rows);
        let read_ahead = !held.any() | head.eq(oldest);
        invariant("head", &[read_ahead], "The oldest row of the ring has been read.");
    }

    /// The row so many rows behind another.
    fn row_after(&self, row: Signal<'m>, more: Signal<'m>) -> Signal<'m> {
        let width = more.width() + 1;
        let sum = row.zero_extend(width) + more.zero_extend(width);
        sum.ge(self.p.depth).mux(sum - u64::from(self.p.depth), sum)
    }
}

/// An entry with zeros where it says nothing.
fn kept<'m>(entry: &Row<'m>) -> Row<'m> {
    let is_release = is_release(entry);
    record(entry.fields(), |field| {
        let value = entry.get(&field.name);
        match field.name.as_str() {
            "kind" => value,
            "block" => value.and_where(!is_release),
            _ => value.and_where(is_release),
        }
    })
}
