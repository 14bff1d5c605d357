//! The contract as properties to be proven.
//!
//! One arbitrary granule is chosen, and an ideal table without limits is kept for it. Of the others only
//! what answers say is remembered: which are reserved; and which are in the overflow space. As at run
//! time, nothing is known of hashes and places.

mod corners;
mod inside;
mod monitor;
mod truth;

use super::params::Params;
use crate::kit::*;
pub(crate) use monitor::Monitor;

/// The module `getm_metadata_properties`.
pub(super) fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    small_enough(p)?;
    let doc =
        "The contract of getm_metadata on its ports, for an arbitrary granule: chosen_granule.";
    let properties = Properties::new(&super::BLOCK, doc, inside, |m, probes| {
        let monitor = Monitor::new(m, p, m.input("chosen_granule", p.granule_bits()));
        corners::cover(&monitor);
        if let Some(probes) = probes {
            inside::assert_invariants(&monitor, probes);
        }
    });
    // An entry comes to the overflow space after 41 clocks at the earliest.
    Ok(Properties { unseen: corners::of_the_inside(), cover_depth: 60, ..properties })
}

/// Each granule has bits of its own, and the RAMs become registers too.
fn small_enough(p: &Params) -> Result<(), ImpossibleParameter> {
    in_range("rows_per_way", p.rows_per_way, 2, 8)?;
    in_range("bloom_rows", p.bloom_rows, 2, 8)?;
    in_range("granule_bits", p.granule_bits(), 1, 6)
}
