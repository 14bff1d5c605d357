//! The window: the youngest regions of the ring, in registers, all compared at once.

use warpsmith_rtl::library::one_hot;
use warpsmith_rtl::{ModuleBuilder, Reg, Signal, address_bits};

use super::Waiting;
use super::ring::{Ends, Ring};
use crate::getm_commit::params::Params;

/// A region of the window.
struct Place<'m> {
    /// Writes may be coalesced into it.
    open: Reg<'m>,
    granule: Reg<'m>,
    bytes: Reg<'m>,
    count: Reg<'m>,
    /// Items taken before it was begun.
    begun: Reg<'m>,
    /// The high bits of its slot in the ring; the low ones are the place's own number.
    lap: Reg<'m>,
}

/// What the window does with the item that waits.
pub(super) struct Window<'m> {
    /// It takes it at the edge.
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
    let age_bits = address_bits(p.max_wait + 1);
    let items = m.reg("items", age_bits, 0).doc("Items taken, as far as ages need it.");

    let column = |bit: &dyn Fn(&Place<'m>) -> Signal<'m>, name: &str| {
        m.concat_low_first(&places.iter().map(bit).collect::<Vec<_>>()).named(name)
    };
    let select = |one_hot: Signal<'m>, of: &dyn Fn(&Place<'m>) -> Signal<'m>| {
        one_hot::select(one_hot, &places.iter().map(of).collect::<Vec<_>>())
    };
    let open = column(&|place| *place.open, "open");
    // A region that is too old takes nothing more, not even this item.
    let old = column(&|place| (*items - *place.begun).eq(p.max_wait), "is_old") & open;
    let same = column(&|place| place.granule.eq(item.granule), "same_region");
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
            place.begun.set(*items);
            place.lap.set(ring.tail.slice(p.window.ilog2()..p.slot_bits()));
        });
    }
    m.when(takes, || items.set(*items + 1));
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
            begun: held("begun", address_bits(p.max_wait + 1)),
            lap: held("lap", p.slot_bits() - p.window.ilog2()),
        }
    };
    (0..p.window).map(place).collect()
}
