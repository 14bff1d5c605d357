//! The ring buffer: the data of the regions, and the sizes of those that have left the window.

use super::Waiting;
use crate::circuit::byte_mask;
use crate::getm_commit::channels::{Release, write_fields};
use crate::getm_commit::params::Params;
use crate::kit::*;

/// The places of the ring: from `head` to `window_head` regions that wait to be written, from there
/// to `tail` those of the window. One bit more than a slot's number, to tell full from empty.
pub(super) struct Ring<'m> {
    head: Reg<'m>,
    pub window_head: Reg<'m>,
    pub tail: Reg<'m>,
    /// No region can be begun.
    pub is_full: Signal<'m>,
}

/// What happens at the two ends of the window at the edge.
pub(super) struct Ends<'m> {
    pub begins: Signal<'m>,
    /// The oldest region leaves the window.
    pub leaves: Signal<'m>,
    /// Region number, bytes and count of the oldest.
    pub oldest: [Signal<'m>; 3],
}

/// A word for the data RAM.
pub(super) struct Word<'m> {
    pub written: Signal<'m>,
    pub slot: Signal<'m>,
    pub data: Signal<'m>,
    pub bytes: Signal<'m>,
}

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

        // A region is read only after it has left the window, so that no row is written as it is read.
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
        let data = data & byte_mask(m, bytes);
        let payload = vec![granule, bytes, sizes.truncate(bytes_low), data];
        Stream { valid: *valid, payload: Record::new(&region_fields(p), payload), ready }
    }
}

// What leaves: a region to the LLC first, then its release.

/// Presents a region; once it was accepted, its release moves on. A region of which nothing is
/// written has a release only.
///
/// Both buffers have a registered ready, so no port's ready reaches another port combinationally.
pub(super) fn leave<'m>(m: &'m ModuleBuilder, p: &Params, region: Stream<'m>) {
    let region = skid_buffer::buffer(m, "region_buffer", region);
    let release_room = m.wire("release_room", 1);
    let has_bytes = region.payload.get("bytes").any().named("has_bytes");
    let granule = region.payload.get("granule");
    let address = p.address(granule);
    let write_ready = m.wire("write_done", 1).doc("The region is accepted at the edge.");
    let payload = vec![address, region.payload.get("data"), region.payload.get("bytes")];
    let write = Stream {
        valid: region.valid & has_bytes & *release_room,
        payload: Record::new(&write_fields(p), payload),
        ready: write_ready,
    };
    write.output(m, "write");

    let written = (*write_ready | !has_bytes).named("is_written");
    let release = Stream {
        valid: region.valid & written,
        payload: Record::new(&Release::fields(p), vec![address, region.payload.get("count")]),
        ready: release_room,
    };
    region.ready.set(*release_room & written);
    skid_buffer::buffer(m, "release_buffer", release).output(m, "release");
}

// The window: the youngest regions of the ring, in registers, all compared at once.

struct Place<'m> {
    /// Writes may be coalesced into it.
    open: Reg<'m>,
    granule: Reg<'m>,
    bytes: Reg<'m>,
    count: Reg<'m>,
    /// Items taken since it was begun, the one that began it included.
    age: Reg<'m>,
    /// The high bits of its slot in the ring; the low ones are the place's own number.
    lap: Reg<'m>,
}

/// What the window does at the edge with the item that waits.
pub(super) struct Window<'m> {
    pub takes: Signal<'m>,
    /// The slot that a word of it goes to.
    pub slot: Signal<'m>,
    pub ends: Ends<'m>,
}

pub(super) fn window<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    ring: &Ring<'m>,
    item: &Waiting<'m>,
) -> Window<'m> {
    let places = places(m, p);

    let of_places = |name: &str, bit: &dyn Fn(&Place<'m>) -> Signal<'m>| {
        column(m, places.iter().map(bit)).named(name)
    };
    let select = |one_hot: Signal<'m>, of: &dyn Fn(&Place<'m>) -> Signal<'m>| {
        one_hot::select(one_hot, &places.iter().map(of).collect::<Vec<_>>())
    };
    let open = of_places("open", &|place| *place.open);
    // A region that is too old takes nothing more, not even this item.
    let old = of_places("is_old", &|place| place.age.eq(p.max_wait)) & open;
    let same = of_places("same_region", &|place| place.granule.eq(item.granule));
    let matches = (open & !old & same & item.writes.repeat(p.window)).named("matching");
    let held = select(matches, &|place| *place.count);
    let sum = held.add_with_carry(item.count).named("sum");
    let too_many = (matches.any() & sum.bit(p.write_count_bits)).named("too_many_writes");
    let coalesces = (matches.any() & !too_many).named("coalesces");
    let begins = (item.writes & !coalesces).named("needs_a_slot");

    let takes = (item.valid & !(begins & ring.is_full)).named("takes_item");
    let begins = (takes & begins).named("begins");
    let ended = item.ends.repeat(p.window);
    let closes = old | (matches & too_many.repeat(p.window)) | ended;
    let closes = closes.and_where(takes).named("closes");

    // The oldest leaves when it is closed, or when its place is needed.
    let oldest = one_hot::decode(ring.window_head.truncate(p.window.ilog2()), p.window);
    let oldest = oldest.named("oldest");
    let youngest = one_hot::decode(ring.tail.truncate(p.window.ilog2()), p.window);
    let in_window = (*ring.tail - *ring.window_head).named("in_window");
    let pressed = begins & in_window.eq(p.window);
    let is_closed = !(open & !closes & oldest).any();
    let leaves = (in_window.any() & (is_closed | pressed)).named("leaves");

    let begun_at = youngest.and_where(begins);
    let joins = matches.and_where(takes & coalesces);
    for (index, place) in (0..).zip(&places) {
        let all = (*place.bytes | item.bytes).named(&format!("place{index}_bytes_with_item"));
        m.when(takes, || place.age.set(*place.age + 1));
        m.when(closes.bit(index), || place.open.set(0));
        m.when(joins.bit(index), || {
            place.open.set(!all.all());
            place.bytes.set(all);
            place.count.set(sum.truncate(p.write_count_bits));
        });
        m.when(begun_at.bit(index), || {
            place.open.set(!item.bytes.all());
            place.granule.set(item.granule);
            place.bytes.set(item.bytes);
            place.count.set(item.count);
            place.age.set(1);
            place.lap.set(ring.tail.slice(p.window.ilog2()..p.slot_bits()));
        });
    }
    m.assert(
        "one_open_region_matches",
        (matches & (matches - 1)).eq(0),
        "At most one region of the window takes an item.",
    );
    m.assert("window_not_overfull", in_window.le(p.window), "The window has so many places.");

    let slot_of =
        |(index, place): (u64, &Place<'m>)| m.concat(&[*place.lap, m.lit(p.window.ilog2(), index)]);
    let slots: Vec<_> = (0..).zip(&places).map(slot_of).collect();
    let slot = one_hot::select(matches, &slots);
    Window {
        takes,
        slot: coalesces.mux(slot, ring.tail.truncate(p.slot_bits())).named("word_slot"),
        ends: Ends {
            begins,
            leaves,
            oldest: [
                select(oldest, &|place| *place.granule).named("oldest_granule"),
                select(oldest, &|place| *place.bytes).named("oldest_bytes"),
                select(oldest, &|place| *place.count).named("oldest_count"),
            ],
        },
    }
}

fn places<'m>(m: &'m ModuleBuilder, p: &Params) -> Vec<Place<'m>> {
    let place = |index: u32| {
        let name = |field: &str| format!("place{index}_{field}");
        let held = |field: &str, width: u32| m.reg_without_reset(&name(field), width);
        Place {
            open: m.reg(&name("open"), 1, 0),
            granule: held("granule", p.granule_bits()),
            bytes: held("bytes", p.granule_bytes),
            count: held("count", p.write_count_bits),
            age: held("age", address_bits(p.max_wait + 1)),
            lap: held("lap", p.slot_bits() - p.window.ilog2()),
        }
    };
    (0..p.window).map(place).collect()
}
