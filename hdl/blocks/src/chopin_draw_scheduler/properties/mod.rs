//! The contract as properties to be proven.

use super::params::Params;
use crate::kit::*;

/// The module `chopin_draw_scheduler_properties`.
pub(super) fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    in_range("gpus", p.gpus, 2, 8)?;
    let doc = "The contract of chopin_draw_scheduler on its ports.";
    Ok(Properties::new(&super::BLOCK, doc, inside, |_, _| {}))
}
