//! The contract as properties to be proven.
//!
//! An arbitrary transaction and an arbitrary granule are chosen. Of the granule the true metadata is kept, by
//! the verdicts; of the transaction, where its access to the granule is. `issued` tells the order, as
//! at run time.

mod corners;
mod granule;
mod inside;
mod monitor;
mod transaction;

use super::params::Params;
use crate::getm_metadata;
use crate::kit::*;
use monitor::Monitor;

/// The module `getm_validation_properties`.
pub(super) fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    small_enough(p)?;
    let doc = "The contract of getm_validation on its ports, for the accesses of an arbitrary transaction,\n\
        that of chosen_warp at chosen_warpts, to an arbitrary granule, chosen_granule.";
    let properties = Properties::new(&super::BLOCK, doc, inside, |m, probes| {
        let monitor = Monitor::new(m, p);
        corners::cover(&monitor);
        if let Some(probes) = probes {
            inside::assert_invariants(&monitor, probes);
        }
    });
    let parts = if inside { vec![getm_metadata::circuit(&p.table())] } else { Vec::new() };
    Ok(Properties { parts, unseen: corners::unseen(), cover_depth: 30, ..properties })
}

/// The RAMs of the table become registers.
fn small_enough(p: &Params) -> Result<(), ImpossibleParameter> {
    in_range("rows_per_way", p.rows_per_way, 2, 8)?;
    in_range("bloom_rows", p.bloom_rows, 2, 8)?;
    in_range("max_kicks", p.max_kicks, 0, 8)?;
    in_range("address_bits", p.address_bits, p.offset_bits() + 2, p.offset_bits() + 6)
}
