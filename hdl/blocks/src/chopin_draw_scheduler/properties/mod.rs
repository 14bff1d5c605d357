//! The contract as properties to be proven.
//!
//! An ideal table is kept in step with the circuit: what comes at the ports is checked, counted and decided
//! as many clocks later. Each GPU has the totals of the paper, and what remains of it is their difference.

mod corners;
mod inside;
mod monitor;

use super::corners::{ALL_LOADED, TOTAL_WRAPS};
use super::params::Params;
use crate::kit::*;
use monitor::Monitor;

/// Clocks in which all corners but those can be met.
const COVER_DEPTH: u32 = 14;
/// Beyond any search: as many draws as fill up a counter.
const LATE: [(usize, &str); 2] = [
    (ALL_LOADED, "16 draws load three GPUs, 22 clocks after reset at the earliest"),
    (TOTAL_WRAPS, "11 draws of one GPU, and as many reports of it, wrap its total around"),
];

/// The module `chopin_draw_scheduler_properties`.
pub(super) fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    in_range("gpus", p.gpus, 2, 4)?;
    in_range("remaining_bits", p.remaining_bits, 1, 8)?;
    in_range("report_latency", p.report_latency, 3, 3)?;
    in_range("counter_bits", p.counter_bits, p.segment_bits + 1, 2 * p.segment_bits)?;
    let doc = "The contract of chopin_draw_scheduler on its ports: an ideal table of what is scheduled,\n\
        given and processed of each GPU, in step with the circuit's.";
    let properties = Properties::new(&super::BLOCK, doc, inside, |m, probes| {
        let monitor = Monitor::new(m, p);
        corners::cover(&monitor);
        if let Some(probes) = probes {
            inside::assert_invariants(&monitor, probes);
        }
    });
    Ok(Properties { cover_depth: COVER_DEPTH, unseen: LATE.to_vec(), ..properties })
}
