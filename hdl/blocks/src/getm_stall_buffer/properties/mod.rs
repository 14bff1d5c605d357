//! The contract as properties to be proven.
//!
//! Of each granule an ideal line is kept: how many wait, and whether they are woken. Of one granule
//! and one timestamp, any ones, those who wait are remembered in the order of their coming.

mod chosen;
mod corners;
mod ideal;
mod inside;
mod monitor;

use warpsmith_rtl::{ModuleBuilder, Signal};

use super::params::Params;
use crate::parameters::in_range;
use crate::properties::{NoProperties, Probes, Properties, Watched};
use monitor::Monitor;

/// The module `getm_stall_buffer_properties`.
pub(super) fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    // Each granule has an ideal line of its own.
    in_range("lines", p.lines, 1, 4)?;
    in_range("entries", p.entries, 1, 4)?;
    in_range("address_bits", p.address_bits, p.offset_bits() + 2, p.offset_bits() + 4)?;
    let m = ModuleBuilder::new("getm_stall_buffer_properties");
    let probes = Probes::default();
    build(&m, p, inside.then_some(&probes));
    Ok(Properties {
        module: m.finish(),
        probes: probes.into_list(),
        parts: Vec::new(),
        unseen: Vec::new(),
        cover_depth: Properties::COVER_DEPTH,
    })
}

fn build(m: &ModuleBuilder, p: &Params, probes: Option<&Probes>) {
    m.describe(
        "The contract of getm_stall_buffer on its ports. Of each granule it is known how many wait\n\
         and whether they are woken; of chosen_granule and chosen_warpts, any ones, who waits.",
    );
    let monitor = Monitor::new(m, p);
    corners::cover(&monitor);
    if let Some(probes) = probes {
        inside::assert_invariants(&monitor, probes);
    }
}

/// The granule of a channel's address.
fn granule_of<'m>(p: &Params, channel: &Watched<'m>) -> Signal<'m> {
    channel.get("address").slice(p.offset_bits()..p.address_bits)
}
