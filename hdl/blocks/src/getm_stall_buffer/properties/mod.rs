//! The contract as properties to be proven.
//!
//! Of each granule an ideal line is kept: how many wait, and whether they are woken. Of an arbitrary
//! granule and timestamp, the waiters are remembered in the order of their coming.

mod corners;
mod inside;
mod monitor;

use super::params::Params;
use crate::kit::*;
use monitor::Monitor;

/// The module `getm_stall_buffer_properties`.
pub(super) fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    // Each granule has an ideal line of its own.
    in_range("lines", p.lines, 1, 4)?;
    in_range("entries", p.entries, 1, 4)?;
    in_range("address_bits", p.address_bits, p.offset_bits() + 2, p.offset_bits() + 4)?;
    let doc = "The contract of getm_stall_buffer on its ports. Of each granule it is known how many wait\n\
        and whether they are woken; of chosen_granule and chosen_warpts, arbitrary ones, the waiters.";
    Ok(Properties::new(&super::BLOCK, doc, inside, |m, probes| {
        let monitor = Monitor::new(m, p);
        corners::cover(&monitor);
        if let Some(probes) = probes {
            inside::assert_invariants(&monitor, probes);
        }
    }))
}
