//! The contract as properties to be proven: stated in steps.

use super::params::Params;
use crate::kit::*;

/// The module `qr_write_cache_properties`.
pub(super) fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    in_range("block_bits", p.block_bits, 1, 8)?;
    let doc = "The contract of qr_write_cache on its ports.";
    Ok(Properties::new(&super::BLOCK, doc, inside, |_, _| {}))
}
