//! The contract as properties to be proven.
//!
//! Remembered is, for an arbitrary wavefront and an arbitrary line, in which sub-arrays the line's bit is set.

mod corners;
mod inside;
mod monitor;

use super::corners::FULL_ROW;
use super::params::Params;
use crate::kit::*;
use monitor::Monitor;

/// The module `bloom_filter_properties`.
pub(super) fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    if inside {
        // Every row is compared.
        in_range("wavefronts", p.wavefronts, 1, 4)?;
        in_range("sub_arrays", p.sub_arrays, 1, 4)?;
        in_range("bits", p.bits, 4, 16)?;
    }
    let doc = "The contract of bloom_filter on its ports: of chosen_wavefront and chosen_line, arbitrary\n\
        ones, in which sub-arrays the line's bit is set.";
    let properties = Properties::new(&super::BLOCK, doc, inside, |m, probes| {
        let monitor = Monitor::new(m, p);
        corners::cover(&monitor);
        if let Some(probes) = probes {
            inside::assert_invariants(&monitor, probes);
        }
    });
    let unseen = vec![(FULL_ROW, "only the bits of one line are remembered")];
    Ok(Properties { unseen, ..properties })
}
