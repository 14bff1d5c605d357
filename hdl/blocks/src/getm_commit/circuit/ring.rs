//! The ring buffer: the data of the regions, and the sizes of those that have left the window.

use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::library::stream::Stream;
use warpsmith_rtl::{Collision, ModuleBuilder, Reg, Signal};

use crate::getm_commit::params::Params;

/// The places of the ring: from `head` to `window_head` regions that wait to be written, from there
/// to `tail` those of the window. One bit more than a slot's number, to tell full from empty.
pub(super) struct Ring<'m> {
    head: Reg<'m>,
    pub window_head: Reg<'m>,
    pub tail: Reg<'m>,
    /// No region can be begun.
    pub is_full: Signal<'m>,
}

/// What happens at the two ends of the window.
pub(super) struct Ends<'m> {
    /// A region is begun at the edge.
    pub begins: Signal<'m>,
    /// The oldest region leaves the window at the edge.
    pub leaves: Signal<'m>,
    /// Region number, bytes and count of the oldest.
    pub oldest: [Signal<'m>; 3],
}

/// A word for the data RAM.
pub(super) struct Word<'m> {
    pub written: Signal<'m>,
    pub slot: Signal<'m>,
    pub data: Signal<'m>,
    /// The bytes of the region that are written.
    pub bytes: Signal<'m>,
}

/// The fields of a region that leaves.
pub(in crate::getm_commit) fn region_fields(p: &Params) -> Fields {
    Fields::new()
        .with("granule", p.granule_bits(), "number of the region")
        .with("bytes", p.granule_bytes, "the bytes that are written")
        .with("count", p.write_count_bits, "writes that are done with")
        .with("data", 8 * p.granule_bytes, "the region; zero where nothing is written")
}

impl<'m> Ring<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params) -> Self {
        let pointer = |name, doc| m.reg(name, p.slot_bits() + 1, 0).doc(doc);
        let head = pointer("head", "The slot that is written to the LLC next.");
        let window_head = pointer("window_head", "The oldest slot of the window.");
        let tail = pointer("tail", "The slot that is begun next.");
        let is_full = (*tail - *head).eq(p.ring).named("ring_is_full");
        Self { head, window_head, tail, is_full }
    }

    /// The RAMs. Gives the regions that have left the window, in order.
    pub fn regions(
        &self,
        m: &'m ModuleBuilder,
        p: &Params,
        word: &Word<'m>,
        window: &Ends<'m>,
    ) -> Stream<'m> {
        m.when(window.begins, || self.tail.set(*self.tail + 1));
        m.when(window.leaves, || self.window_head.set(*self.window_head + 1));
        let slot = |pointer: Reg<'m>| pointer.truncate(p.slot_bits());

        // A region is read only after it has left the window, so that no row is written as it is
        // read.
        let lanes = p.granule_bytes;
        let data = m
            .memory("data", p.ring, 8 * p.granule_bytes, lanes, Collision::Undefined)
            .doc("The regions' data, a byte a lane.");
        let words = word.data.repeat(p.words());
        data.write_lanes(word.written, word.slot, words, word.bytes);
        let sizes_width = p.granule_bits() + p.granule_bytes + p.write_count_bits;
        let sizes = m
            .memory("sizes", p.ring, sizes_width, 1, Collision::Undefined)
            .doc("Of regions that have left the window: number, bytes and count.");
        sizes.write(window.leaves, slot(self.window_head), m.concat(&window.oldest));

        let ready = m.wire("region_ready", 1);
        let valid = m.reg("region_valid", 1, 0).doc("A region was read from the RAMs.");
        let moves = (!*valid | *ready).named("region_moves");
        let waits = self.head.ne(self.window_head).named("region_waits");
        let reads = (moves & waits).named("region_is_read");
        m.when(moves, || valid.set(waits));
        m.when(reads, || self.head.set(*self.head + 1));
        let sizes = sizes.read("sizes_read", reads, slot(self.head));
        let data = data.read("data_read", reads, slot(self.head));

        let bytes_low = p.write_count_bits;
        let bytes = sizes.slice(bytes_low..bytes_low + p.granule_bytes);
        let granule = sizes.slice(bytes_low + p.granule_bytes..sizes_width);
        let mask: Vec<_> = bytes.to_bits().into_iter().map(|bit| bit.repeat(8)).collect();
        let data = data & m.concat_low_first(&mask);
        let payload = vec![granule, bytes, sizes.truncate(bytes_low), data];
        Stream { valid: *valid, payload: Record::new(&region_fields(p), payload), ready }
    }
}
