//! The paper's figures about the write caches (table 1), beside what our circuit has.

use super::circuit::circuit;
use super::params::Params;
use crate::kit::*;

const SOURCE: &str = "QuickRelease table 1: wL1, 4 kB";

/// Table 1.
const BYTES: u32 = 4096;
const COMPUTE_UNITS: u32 = 8;
const CLOCK_MHZ: f64 = 1000.0;

pub(super) fn claims(p: &Params) -> Vec<Claim> {
    let kept = storage(&circuit(p));
    let data = p.blocks() * p.block_bytes;
    claims! {
        "data of a compute unit's write cache", f64::from(BYTES), "B", SOURCE =>
            f64::from(data),
            "sets x ways x bytes of a block";
        "data of the write caches of eight compute units and two levels below", 80.0, "kB",
            "QuickRelease 4.1: 80 kB of additional storage" =>
            f64::from(COMPUTE_UNITS * data) / 1024.0 + 16.0 + 32.0,
            "8 of this, 16 kB and 32 kB; S-FIFOs are not counted";
        "all storage of a compute unit's write cache", f64::from(BYTES), "B", SOURCE =>
            (kept.memory_bits + kept.register_bits) as f64 / 8.0,
            format!(
                "RAM and registers: beside the data, each block has a tag ({} bits), a dirty bit a byte, and the \
                 S-FIFO {} entries; the paper counts neither",
                p.tag_bits(),
                p.fifo_depth
            );
    }
}

/// The data, a block a row.
pub(super) fn arrays(p: &Params) -> Vec<Array> {
    let what = "data of eight compute units' write caches, a block a row";
    let rows = BYTES / p.block_bytes;
    vec![Array {
        copies: COMPUTE_UNITS,
        clock_mhz: CLOCK_MHZ,
        counterpart: Some(Counterpart {
            units: COMPUTE_UNITS,
            memories: &["data"],
            difference: "a byte has a ninth bit: it is dirty; tags are in RAMs of their own"
                .to_string(),
        }),
        ..Array::new(what, SOURCE, rows, 8 * p.block_bytes)
    }]
}
