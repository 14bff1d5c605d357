//! The paper's figures about the S-FIFO (table 1), beside what our circuit has.

use super::circuit::circuit;
use super::params::Params;
use crate::kit::*;

const SOURCE: &str = "QuickRelease table 1: S-FIFO1, 64 entries";

/// Table 1.
const ENTRIES: u32 = 64;
const COMPUTE_UNITS: u32 = 8;
const CLOCK_MHZ: f64 = 1000.0;

pub(super) fn claims(p: &Params) -> Vec<Claim> {
    let kept = storage(&circuit(p));
    let row = p.row_bits();
    claims! {
        "entries that wait", f64::from(ENTRIES), "entries", SOURCE =>
            f64::from(p.depth),
            "depth; two more are on their way out";
        "storage that the paper counts", 0.0, "B", "QuickRelease 4.1: 80 kB are the write caches alone" =>
            (kept.memory_bits + kept.register_bits) as f64 / 8.0,
            format!(
                "RAM ({} rows of {row} bits: kind 2, block {}, in whose place a release has its \
                 wavefront) and registers of the circuit; the paper gives entries, and no bits",
                p.depth, p.block_bits
            );
    }
}

/// The FIFOs of the first level: an entry a row.
pub(super) fn arrays(p: &Params) -> Vec<Array> {
    let what = "S-FIFOs of eight compute units, an entry a row";
    vec![Array {
        copies: COMPUTE_UNITS,
        clock_mhz: CLOCK_MHZ,
        counterpart: Some(Counterpart {
            units: COMPUTE_UNITS,
            memories: &["ring"],
            difference: "the paper gives entries; the bits of an entry are ours".to_string(),
        }),
        ..Array::new(what, SOURCE, ENTRIES, p.row_bits())
    }]
}
