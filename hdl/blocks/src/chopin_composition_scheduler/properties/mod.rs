//! The contract as properties to be proven.
//!
//! Of each GPU it is remembered which group it composes, and with whom it has composed; of each ordered
//! pair, whether its transfer is under way.

mod corners;
mod gpus;
mod inside;
mod monitor;

use super::corners::{CGID_WRAP, TWO_GROUPS};
use super::params::Params;
use crate::kit::*;
use monitor::Monitor;

/// Clocks in which three GPUs can compose a transparent group.
const COVER_DEPTH: u32 = 16;

/// The module `chopin_composition_scheduler_properties`.
pub(super) fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    // Each ordered pair has bits of its own.
    in_range("gpus", p.gpus, 2, 4)?;
    let doc = "The contract of chopin_composition_scheduler on its ports: of each GPU the group that it\n\
        composes and with whom it has composed, of each pair whether its transfer is under way.";
    let properties = Properties::new(&super::BLOCK, doc, inside, |m, probes| {
        let monitor = Monitor::new(m, p);
        corners::cover(&monitor);
        if let Some(probes) = probes {
            inside::assert_invariants(&monitor, probes);
        }
    });
    let unseen = vec![
        (CGID_WRAP, "it takes as many groups as there are CGIDs"),
        (TWO_GROUPS, "of three GPUs, two are in their second group then"),
    ];
    Ok(Properties { unseen, cover_depth: COVER_DEPTH, ..properties })
}
