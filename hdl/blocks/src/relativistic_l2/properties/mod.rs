//! The contract as properties to be proven.

mod monitor;

use super::params::Params;
use crate::kit::*;
use monitor::Monitor;

/// The module `relativistic_l2_properties`.
pub(super) fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    let doc = "The contract of relativistic_l2 on its ports.";
    Ok(Properties::new(&super::BLOCK, doc, inside, |m, _| {
        Monitor::new(m, p);
    }))
}
