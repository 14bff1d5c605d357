//! Invariants that make the proof of our own circuit close: what its registers hold, beside what
//! the properties remember. They are proven together with the rules, by induction over one clock.

mod held;
mod ring;

use super::due::Item;
use super::monitor::Monitor;
use crate::getm_commit::channels::{self, Release};
use crate::getm_commit::circuit::region_fields;
use crate::getm_commit::params::Params;
use crate::kit::*;
use held::{Before, Moves};
use ring::{Region, Ring};

/// The circuit's registers, from the oldest region to the youngest item.
struct Inside<'a, 'm> {
    m: &'m ModuleBuilder,
    p: &'a Params,
    monitor: &'a Monitor<'a, 'm>,
    /// Releases that have not been presented: their regions are written.
    releases: [Region<'m>; 2],
    /// They have the addresses of regions.
    aligned: [Signal<'m>; 2],
    /// Regions in the buffer behind the RAMs, and the one that was read from them.
    leaving: [Region<'m>; 3],
    ring: Ring<'m>,
    /// Items that have not been taken.
    items: [Waiting<'m>; 2],
}

struct Waiting<'m> {
    valid: Signal<'m>,
    /// How many writes are due before it.
    before: Signal<'m>,
    item: Item<'m>,
}

/// A skid buffer, and whether its first place is free at the edge.
struct Buffer<'m> {
    places: SkidBuffer<'m>,
    leaves: Signal<'m>,
}

pub(super) fn assert_invariants<'m>(monitor: &Monitor<'_, 'm>, probes: &Probes) {
    let inside = Inside::new(monitor, probes);
    inside.ring_is_sound();
    inside.what_is_due_is_held();
    inside.errors_are_raised(probes);
    inside.everything_moves_on();
    inside.cover_why_regions_leave(probes);
}

impl<'a, 'm> Inside<'a, 'm> {
    fn new(monitor: &'a Monitor<'a, 'm>, probes: &Probes) -> Self {
        let (m, p) = (monitor.m, monitor.p);
        let buffer = |name: &str, fields: &Fields| Buffer {
            places: SkidBuffer::new(m, probes, name, fields),
            leaves: probes.signal(m, &format!("{name}.leaves"), 1),
        };
        let entering = buffer("item", &channels::Item::fields(p));
        let regions = buffer("region_buffer", &region_fields(p));
        let outgoing = buffer("release_buffer", &Release::fields(p));
        let pointer = |name| probes.signal(m, name, p.slot_bits() + 1);
        let pointers = ["head", "window_head", "tail"].map(pointer);
        let slot = |pointer: Signal<'m>| one_hot::decode(pointer.truncate(p.slot_bits()), p.ring);
        let [begins, reads] = ["begins", "region_is_read"].map(|name| probes.signal(m, name, 1));
        let before = Before::new(
            m,
            &Moves {
                due: *monitor.due.there,
                leave: monitor.leave,
                items: &entering,
                begins: slot(pointers[2]).and_where(begins),
                reads: slot(pointers[0]).and_where(reads),
                leaving: &regions,
                releases: &outgoing,
            },
        );

        let ring = Ring::new(monitor, probes, pointers, &before);
        let leaving = |i: usize| {
            let region = &regions.places.data[i];
            let [granule, bytes, count, data] =
                ["granule", "bytes", "count", "data"].map(|field| region.get(field));
            let place = (regions.places.valid[i], before.leaving[i]);
            Region::new(monitor, place, granule, count, (bytes, data))
        };
        let leaving = [leaving(0), leaving(1), ring.read.clone()];
        let SkidBuffer { valid, data: release } = &outgoing.places;
        let unseen = [valid[0] & !monitor.shown, valid[1]];
        let releases = [0, 1].map(|i| {
            let granule = p.granule(release[i].get("address"));
            let none = (m.lit(p.granule_bytes, 0), m.lit(8 * p.granule_bytes, 0));
            let place = (unseen[i], before.releases[i]);
            Region::new(monitor, place, granule, release[i].get("count"), none)
        });
        let aligned = [0, 1].map(|i| !valid[i] | p.is_aligned(release[i].get("address")));
        let items = [0, 1].map(|i| {
            let SkidBuffer { valid, data } = &entering.places;
            let item = m.scope(&format!("item{i}"), || Item::of(m, p, &monitor.chosen, &data[i]));
            Waiting { valid: valid[i], before: before.items[i], item }
        });
        Self { m, p, monitor, releases, aligned, leaving, ring, items }
    }

    fn invariant(&self, name: &str, kept: &[Signal<'m>], doc: &str) {
        invariant(self.m, name, all_of(self.m, kept), doc);
    }

    /// An invariant in parts, for a solver that cannot take the whole.
    fn invariant_in_parts(&self, name: &str, kept: &[Signal<'m>], doc: &str) {
        for (part, kept) in kept.iter().enumerate() {
            invariant(self.m, &format!("{name}_{part}"), *kept, doc);
        }
    }

    /// All places for regions, from the oldest on.
    fn regions(&self) -> impl Iterator<Item = &Region<'m>> {
        self.releases
            .iter()
            .chain(&self.leaving)
            .chain(self.ring.in_order.iter().map(|slot| &slot.region))
    }

    fn end_waits(&self) -> Signal<'m> {
        let [first, second] = [0, 1].map(|i| self.items[i].valid & self.items[i].item.ends);
        first | second
    }
}
