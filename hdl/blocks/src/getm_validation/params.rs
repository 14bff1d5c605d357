//! Parameters of the validation unit: those of its metadata table and of its stall buffer.

use crate::getm_metadata::{self, params::table_parameters};
use crate::getm_stall_buffer;
use crate::kit::*;
use crate::parameters::{Settings as _, part};

/// Bits of the tag that an access takes through the table: it is a retry.
const TAG_BITS: u32 = 1;

granules!(Params);

table_parameters! {
    /// Parameters of the validation unit.
    "true: the paper's owner check and timestamps; false: timestamps hold the warp";
    lines: u32, "lines of the stall buffer", range(1, 64);
    entries: u32, "entries of a line of the stall buffer", range(1, 64);
}

impl Params {
    /// Of the metadata table.
    pub fn table(&self) -> getm_metadata::Params {
        let mut params = self.params();
        params.insert("tag_bits".to_string(), TAG_BITS.into());
        part(params)
    }

    /// Of the stall buffer.
    pub fn stall_buffer(&self) -> getm_stall_buffer::Params {
        part(self.params())
    }

    /// The first timestamp at which no access is made any more: a warp that aborts or commits below it
    /// finds a next timestamp of its own that has a successor.
    pub fn limit(&self) -> u64 {
        let last = (1 << self.timestamp_bits) - 1;
        // Unless faithful, the low bits of a timestamp hold the warp's number.
        last - if self.faithful { 1 } else { 1 << self.owner_bits }
    }
}

impl Parameters for Params {
    fn presets() -> Vec<(&'static str, Self)> {
        let tables = getm_metadata::Params::presets().into_iter();
        let pairs = tables.zip(getm_stall_buffer::Params::presets());
        let all = pairs.map(|((name, table), (_, stall_buffer))| {
            // What both have is the table's.
            let params = stall_buffer.params().into_iter().chain(table.params());
            (name, part(params.collect()))
        });
        all.collect()
    }
}
