//! The contract as properties to be proven.
//!
//! One arbitrary set is chosen. Requests are remembered from the port to their answer, and an ideal
//! set without limits knows which nodes hold which of its blocks by what was answered. As at run time, no
//! replacement policy is needed: what was evicted is learnt from the invalidation.

mod corners;
mod ideal;
mod inside;
mod monitor;

use super::params::Params;
use crate::kit::*;
use monitor::Monitor;

/// The module `hmg_directory_properties`.
pub(super) fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    small_enough(p)?;
    let doc = "The contract of hmg_directory on its ports, for an arbitrary set: chosen_set.\n\
        Holders of a block are the nodes that loaded or stored it, by what has been answered.";
    Ok(Properties::new(&super::BLOCK, doc, inside, |m, probes| {
        let monitor = Monitor::new(m, p);
        corners::cover(&monitor);
        if let Some(probes) = probes {
            inside::assert_invariants(&monitor, probes);
        }
    }))
}

/// Each block of the chosen set has a register of its own, and the RAM becomes registers too.
fn small_enough(p: &Params) -> Result<(), ImpossibleParameter> {
    let below_tag = p.offset_bits() + p.index_bits();
    in_range("address_bits", p.address_bits, below_tag + 1, below_tag + 4)?;
    in_range("sets", p.sets, 2, 16)
}

fn set_of<'m>(p: &Params, block: Signal<'m>) -> Signal<'m> {
    block.truncate(p.index_bits())
}

/// The rest of a block.
fn tag_of<'m>(p: &Params, block: Signal<'m>) -> Signal<'m> {
    block.slice(p.index_bits()..p.index_bits() + p.tag_bits())
}
