//! Stages 4 and 5: the depths are read, compared, and written.

use super::cache::Locked;
use super::misses::Misses;
use super::requests::Entering;
use crate::kit::*;
use crate::zbuffer_commit::channels::depths;
use crate::zbuffer_commit::params::Params;

/// What is in stage 5.
pub(super) struct Compared<'m> {
    /// A request is compared.
    pub valid: Signal<'m>,
    /// With depths that have come.
    pub fills: Signal<'m>,
    /// The depths that were read are those of an evicted block.
    pub evicts: Signal<'m>,
    pub old: Signal<'m>,
    /// Depths of the block whose request wins.
    pub wins: Signal<'m>,
    pub entry: Signal<'m>,
    pub comparator: Signal<'m>,
    pub set: Signal<'m>,
    pub way: Signal<'m>,
}

/// What stages 4 and 5 keep of stage 3.
fn fields(p: &Params) -> Fields {
    Fields::new()
        .with("fills", 1, "")
        .with("entry", p.entry_bits(), "")
        .with("comparator", p.comparator_bits(), "")
        .with("set", p.set_bits(), "")
        .with("way", address_bits(p.ways), "")
}

pub(super) fn compare<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    entering: &Entering<'_, 'm>,
    locked: &Locked<'m>,
    misses: &Misses<'m>,
) -> Compared<'m> {
    let valid = |name: &str, before: Signal<'m>| {
        let valid = m.reg(name, 1, 0);
        valid.set(before);
        *valid
    };
    let four = Held::new(m, "stage4", &fields(p));
    let set = locked.block.truncate(p.set_bits());
    let kept = vec![locked.fills, locked.entry, locked.comparator, set, locked.way];
    four.set(&Record::new(&fields(p), kept));
    let five = Held::new(m, "stage5", &fields(p));
    five.set(four.get());
    let compares = valid("stage5_compares", valid("stage4_compares", locked.compares));
    let evicts = valid("stage5_evicts", valid("stage4_evicts", locked.evicts));
    let of = |field: &str| five.get().get(field);

    // Of the request: depths and the mask, as they are compared.
    let mask_bits = (0..p.depths()).map(|i| entering.request.get("mask").bit(p.mask_bit_of(i)));
    let requested = m.concat(&[column(m, mask_bits), entering.request.get("depth")]);
    let requests = m
        .memory("requests", p.request_entries, requested.width(), 1, Collision::Undefined)
        .doc("Masks and depths of the requests.");
    requests.write(entering.enters, entering.entry, requested);
    let requested = requests.read("stage4_request", locked.compares, locked.entry);

    let width = depths(p).width();
    let rows = p.comparator_entries.max(2);
    let fills = m
        .memory("comparator_buffer", rows, width, 1, Collision::Undefined)
        .doc("Depths that have come from the L2.");
    let (came, data) = &misses.data;
    fills.write(*came, data.get("entry"), data.get("depths"));
    let filled = fills.read("stage4_filled", locked.compares & locked.fills, locked.comparator);
    let cache = m
        .memory("z_cache", p.sets * p.ways, width, 1, Collision::Undefined)
        .doc("Depths: the ways of a set have as many rows between them as there are sets.");
    let row =
        |way: Signal<'m>, set: Signal<'m>| way.concat(set).truncate(address_bits(p.sets * p.ways));
    let reads = ((locked.compares & !locked.fills) | locked.evicts).named("reads_z_cache");
    let cached = cache.read("stage4_cached", reads, row(locked.way, set));

    let kept = |name: &str, value: Signal<'m>| {
        let register = m.reg_without_reset(name, value.width());
        register.set(value);
        *register
    };
    let old = kept("stage5_old", four.get().get("fills").mux(filled, cached));
    let requested = kept("stage5_request", requested);
    let depth_bits = p.depth_bits;
    let lane = |values: Signal<'m>, i: u32| values.slice(i * depth_bits..(i + 1) * depth_bits);
    let (mut wins, mut new) = (Vec::new(), Vec::new());
    for i in 0..p.depths() {
        let depth = lane(requested, p.request_depth_of(i));
        let asked = requested.bit(p.request_depths() * depth_bits + i);
        let before = lane(old, i);
        let won = (asked & depth.le_signed(before)).named(&format!("depth{i}_wins"));
        new.push(won.mux(depth, before).named(&format!("depth{i}_new")));
        wins.push(won);
    }
    cache.write(compares, row(of("way"), of("set")), column(m, new));
    Compared {
        valid: compares,
        fills: of("fills"),
        evicts,
        old,
        wins: column(m, wins).named("wins"),
        entry: of("entry"),
        comparator: of("comparator"),
        set: of("set"),
        way: of("way"),
    }
}
