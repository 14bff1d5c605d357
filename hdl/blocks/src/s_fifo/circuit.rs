//! The synchronization FIFO as hardware: a ring in RAM, and two registered places on the way out.
//!
//! While the ring is full or has a release, its oldest entry moves on at every clock at which there is a place
//! for it. So a full FIFO takes one entry and gives one at every clock, and neither ready nor valid passes
//! through.

use super::channels::{self, DEQUEUE, ENQUEUE, ERROR, RESERVED_KIND};
use super::params::Params;
use crate::kit::*;

/// The module `s_fifo`.
pub fn circuit(p: &Params) -> Module {
    module("s_fifo", |m| build(m, p))
}

/// A row of the ring: a block, or a wavefront and whether it wants an answer, in the same bits.
pub(crate) fn row_fields(p: &Params) -> Fields {
    Fields::new().with("kind", 2, "").with("content", p.content_bits(), "")
}

/// The entry of a row, with zeros where it says nothing.
pub(crate) fn entry_of_row<'m>(p: &Params, row: &Record<'m>) -> Record<'m> {
    let (kind, content) = (row.get("kind"), row.get("content"));
    let is_release = is_release(kind);
    let wavefront = content.slice(1..p.wavefront_bits + 1).and_where(is_release);
    let block = content.truncate(p.block_bits).and_where(!is_release);
    let needs_ack = content.bit(0) & is_release;
    Record::new(&channels::Entry::fields(p), vec![kind, block, wavefront, needs_ack])
}

/// Whether a kind, which is not the reserved one, is a release.
fn is_release(kind: Signal<'_>) -> Signal<'_> {
    kind.bit(1)
}

fn row_of_entry<'m>(p: &Params, entry: &Record<'m>) -> Record<'m> {
    let kind = entry.get("kind");
    let release = entry.get("wavefront").concat(entry.get("needs_ack"));
    let [release, block] =
        [release, entry.get("block")].map(|content| content.zero_extend(p.content_bits()));
    let content = is_release(kind).mux(release, block);
    Record::new(&row_fields(p), vec![kind, content])
}

fn build(m: &ModuleBuilder, p: &Params) {
    describe(
        m,
        "Synchronization FIFO: writes, atomics and releases in the order in which the write\n\
        cache accepted them. QuickRelease, section 3.\n\n\
        The oldest entry leaves while all entries are taken or a release is inside. enqueue is\n\
        ready while fewer than depth + 2 entries are inside: two are on their way out.",
        p,
    );
    let channels = channels::channels(p);
    let enqueue = Stream::input(m, channels[ENQUEUE].name, &channels[ENQUEUE].fields);
    let kind = enqueue.payload.get("kind");
    let is_reserved = kind.all().named("is_reserved");
    let push = (enqueue.fires() & !is_reserved).named("push");
    let error = m.reg("reserved_came", 1, 0).doc("The last clock had an entry of a reserved kind.");
    error.set(enqueue.fires() & is_reserved);
    m.output("error_valid", *error);
    m.output("error_code", m.lit(1, RESERVED_KIND)).doc(channels[ERROR].codes());

    let way_out = m.wire("way_out", 1).doc("There is a place on the way out.");
    let ring = Ring::new(m, p);
    let drains = (ring.full | ring.to_release.any()).named("drains");
    let pop = (drains & *way_out).named("pop");
    enqueue.ready.set(!ring.full | *way_out);
    let head = ring.read(p, *enqueue.ready, push, &row_of_entry(p, &enqueue.payload), pop);
    let pushes_release = (push & is_release(kind)).named("pushes_release");
    ring.count(push, pushes_release, pop);

    let leaving = Stream { valid: drains, payload: head, ready: way_out };
    let out = skid_buffer::buffer(m, "out", leaving);
    let payload = entry_of_row(p, &out.payload);
    Stream { payload, ..out }.output(m, channels[DEQUEUE].name);
    m.assert("drains_entries", !drains | ring.held.any(), "What drains is not empty.");
    m.assert("held_in_range", ring.held.le(p.depth), "No more is held than there are rows.");
    let fewer = ring.to_release.le(*ring.held);
    m.assert("release_in_range", fewer, "The last release is among what is held.");
}

/// The ring and its pointers.
struct Ring<'m> {
    m: &'m ModuleBuilder,
    write_pointer: Reg<'m>,
    read_pointer: Reg<'m>,
    held: Reg<'m>,
    to_release: Reg<'m>,
    full: Signal<'m>,
}

impl<'m> Ring<'m> {
    fn new(m: &'m ModuleBuilder, p: &Params) -> Self {
        let (pointer_bits, count_bits) = (address_bits(p.depth), address_bits(p.depth + 1));
        let write_pointer = m.reg("write_pointer", pointer_bits, 0);
        let read_pointer = m.reg("read_pointer", pointer_bits, 0);
        let held = m.reg("entries_held", count_bits, 0).doc("Entries in the ring.");
        let to_release = m.reg("to_release", count_bits, 0).doc("Those up to the last release.");
        // For a power of two, the highest bit of the count.
        let full = match p.depth.is_power_of_two() {
            true => held.bit(pointer_bits),
            false => held.eq(p.depth),
        };
        Self { m, write_pointer, read_pointer, held, to_release, full: full.named("full") }
    }

    /// Counts what enters and leaves.
    fn count(&self, push: Signal<'m>, pushes_release: Signal<'m>, pop: Signal<'m>) {
        let Self { m, held, to_release, .. } = self;
        // Plus or minus one: -1 is all ones.
        let change = pop.repeat(held.width() - 1).concat(m.lit(1, 1));
        let held_next = (push ^ pop).mux(**held + change, **held).named("held_next");
        held.set(held_next);
        // No row is looked at: RAM is slow.
        m.when(pushes_release, || to_release.set(held_next))
            .otherwise_when(pop & to_release.any(), || to_release.set(**to_release - 1));
    }

    /// The oldest entry; a new one enters at `push`, the oldest goes at `pop`. While there is room, the row behind
    /// the newest is written at every clock: `push` is late, and what has not entered is written over.
    fn read(
        &self,
        p: &Params,
        has_room: Signal<'m>,
        push: Signal<'m>,
        row: &Record<'m>,
        pop: Signal<'m>,
    ) -> Record<'m> {
        let Self { m, write_pointer, read_pointer, .. } = self;
        let following = |pointer: &Reg<'m>| match p.depth.is_power_of_two() {
            true => **pointer + 1,
            false => pointer.eq(p.depth - 1).mux(m.lit(pointer.width(), 0), **pointer + 1),
        };
        m.when(push, || write_pointer.set(following(write_pointer)));
        let next = pop.mux(following(read_pointer), **read_pointer).named("read_next");
        read_pointer.set(next);
        // The row to leave next is read at every edge; write-first makes an entry that enters an empty ring
        // appear at once.
        let rows = m.memory("ring", p.depth, p.row_bits(), 1, Collision::WriteFirst);
        rows.write(has_room, **write_pointer, row.pack());
        let head = rows.read("head", m.lit(1, 1), next);
        Record::unpack(&row_fields(p), head)
    }
}
