//! The contract as properties to be proven.
//!
//! One arbitrary bit of memory is chosen. Of its region the writes that are not released are
//! remembered one by one, in the order of the log, with what each comes to for that bit. As at run
//! time, nothing is assumed of when a region leaves.

mod corners;
mod due;
mod inside;
mod monitor;

use super::params::Params;
use crate::kit::*;
use monitor::Monitor;

/// The module `getm_commit_properties`.
pub(super) fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    small_enough(p)?;
    let doc = "The contract of getm_commit on its ports, for one arbitrary bit of memory: chosen_bit of the\n\
        byte at chosen_address.";
    let properties = Properties::new(&super::BLOCK, doc, inside, |m, probes| {
        let monitor = Monitor::new(m, p);
        corners::cover(&monitor);
        if let Some(probes) = probes {
            inside::assert_invariants(&monitor, probes);
        }
    });
    let unseen = if inside { Vec::new() } else { corners::of_the_inside() };
    Ok(Properties { unseen, ..properties })
}

/// Places for regions: the ring, the region read from it, and two in each of two buffers. Our circuit
/// has as many.
fn places(p: &Params) -> u32 {
    p.ring + 1 + 2 + 2
}

/// Writes of a region that may be due: in each place as many as a region carries, and in two items.
fn reach(p: &Params) -> u32 {
    (places(p) + 2) * p.most_writes() as u32
}

/// Each write that is due has bits of its own, and the RAMs become registers too.
fn small_enough(p: &Params) -> Result<(), ImpossibleParameter> {
    in_range("ring", p.ring, 1, 8)?;
    in_range("write_count_bits", p.write_count_bits, 1, 3)?;
    in_range("granule_bytes", p.granule_bytes, 1, 8)?;
    in_range("address_bits", p.address_bits, 1, 8)
}
