//! The contract as properties to be proven.

use super::params::Params;
use crate::kit::*;

/// The module `chopin_composition_scheduler_properties`.
pub(super) fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    in_range("gpus", p.gpus, 2, 4)?;
    Ok(Properties::new(&super::BLOCK, "todo", inside, |_, _| {}))
}
