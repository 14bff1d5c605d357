//! The contract as properties to be proven.
//!
//! One transaction and one granule are chosen, any ones. Of the granule the true metadata is kept, by
//! the verdicts; of the transaction, where its access to the granule is. `issued` tells the order, as
//! at run time.

mod answers;
mod corners;
mod events;
mod granule;
mod in_table;
mod inside;
mod monitor;
mod rollover;
mod taken;
mod transaction;

use warpsmith_rtl::{ModuleBuilder, Signal};

use super::params::Params;
use crate::getm_metadata;
use crate::parameters::{ImpossibleParameter, in_range};
use crate::properties::{NoProperties, Probes, Properties, Watched};
use monitor::Monitor;

/// The module `getm_validation_properties`.
pub(super) fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    small_enough(p)?;
    let m = ModuleBuilder::new("getm_validation_properties");
    let probes = Probes::default();
    build(&m, p, inside.then_some(&probes));
    let parts = if inside { vec![getm_metadata::circuit(&p.table())] } else { Vec::new() };
    let unseen = corners::unseen();
    Ok(Properties {
        module: m.finish(),
        probes: probes.into_list(),
        parts,
        unseen,
        cover_depth: 30,
    })
}

fn build(m: &ModuleBuilder, p: &Params, probes: Option<&Probes>) {
    m.describe(
        "The contract of getm_validation on its ports, for the accesses of one transaction, that of\n\
         chosen_warp at chosen_warpts, to one granule, chosen_granule: any ones.",
    );
    let monitor = Monitor::new(m, p);
    corners::cover(&monitor);
    if let Some(probes) = probes {
        inside::assert_invariants(&monitor, probes);
    }
}

/// The RAMs of the table become registers.
fn small_enough(p: &Params) -> Result<(), ImpossibleParameter> {
    in_range("rows_per_way", p.rows_per_way, 2, 8)?;
    in_range("bloom_rows", p.bloom_rows, 2, 8)?;
    in_range("max_kicks", p.max_kicks, 0, 8)?;
    in_range("address_bits", p.address_bits, p.offset_bits() + 2, p.offset_bits() + 6)
}

/// The number of the granule of a channel's address.
fn granule_of<'m>(p: &Params, channel: &Watched<'m>) -> Signal<'m> {
    channel.get("address").slice(p.offset_bits()..p.address_bits)
}

/// Whether an address is that of a granule.
fn is_aligned<'m>(p: &Params, address: Signal<'m>) -> Signal<'m> {
    match p.offset_bits() {
        0 => address.module().lit(1, 1),
        bits => !address.truncate(bits).any(),
    }
}
