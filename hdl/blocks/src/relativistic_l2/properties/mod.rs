//! The contract as properties to be proven.
//!
//! Requests are remembered from the port until they are shown on `issued`; of an arbitrary block, the ver of its last
//! store, and its last lease.

mod corners;
mod inside;
mod monitor;

use super::params::Params;
use crate::kit::*;
use monitor::Monitor;

/// The module `relativistic_l2_properties`.
pub(super) fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    if inside {
        // Every set is compared.
        in_range("sets", p.sets, 2, 4)?;
        in_range("ways", p.ways, 1, 4)?;
        in_range("mshrs", p.mshrs, 2, 8)?;
        in_range("timestamp_bits", p.timestamp_bits, 4, 8)?;
    }
    let doc = "The contract of relativistic_l2 on its ports: requests in their order, and the times of\n\
        chosen_block, an arbitrary one.";
    let properties = Properties::new(&super::BLOCK, doc, inside, |m, probes| {
        let monitor = Monitor::new(m, p);
        corners::cover(&monitor);
        if let Some(probes) = probes {
            inside::assert_invariants(&monitor, probes);
        }
    });
    Ok(Properties { unseen: corners::unseen(p), cover_depth: 30, ..properties })
}
