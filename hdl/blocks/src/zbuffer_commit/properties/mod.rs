//! The contract as properties to be proven.
//!
//! One arbitrary block is chosen, of it one lane, and of that lane's data one bit. The requests to that block
//! are remembered in the order of their arrival, with what each comes to for that lane. Of the L2 it is
//! assumed that it answers each transfer once, and that it returns the depths that were written to it.

mod corners;
mod inside;
mod monitor;

use super::params::{Granularity, Params};
use crate::kit::*;
use monitor::Monitor;

/// The module `zbuffer_commit_properties`.
pub(super) fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    small_enough(p)?;
    let doc = "The contract of zbuffer_commit on its ports, for one arbitrary lane of an arbitrary block\n\
        and an arbitrary bit of its data: chosen_block, chosen_lane, chosen_bit.";
    let properties = Properties::new(&super::BLOCK, doc, inside, |m, probes| {
        let monitor = Monitor::new(m, p);
        corners::cover(&monitor);
        if let Some(probes) = probes {
            inside::assert_invariants(&monitor, probes);
        }
    });
    Ok(Properties { cover_depth: 45, unseen: corners::unseen(), ..properties })
}

/// Each entry has bits of its own, and the RAMs become registers too.
fn small_enough(p: &Params) -> Result<(), ImpossibleParameter> {
    in_range("lanes", p.lanes, 2, 4)?;
    in_range("request_entries", p.request_entries, 2, 4)?;
    in_range("sets", p.sets, 2, 2)?;
    in_range("ways", p.ways, 1, 2)?;
    in_range("depth_bits", p.depth_bits, 3, 4)?;
    in_range("id_bits", p.id_bits, 1, 3)?;
    in_range("address_bits", p.address_bits, 1, 8)?;
    if p.granularity == Granularity::Byte || p.depth_per_lane {
        let value = format!("{:?}, depth_per_lane = {}", p.granularity, p.depth_per_lane);
        let accepted = "word, depth_per_lane = false".to_string();
        return Err(ImpossibleParameter::new("granularity", value, accepted));
    }
    Ok(())
}
