//! The paper's figures about the commit unit (GETM tables 4.2 and 4.5), beside what our circuit has.

use super::circuit::circuit;
use super::params::Params;
use crate::kit::*;

/// Memory partitions, each with a commit unit (GETM table 4.2).
const PARTITIONS: u32 = 6;

/// GETM table 4.2, commit unit.
const CLOCK_MHZ: f64 = 700.0;

const BUFFERS: &str = "GETM table 4.5: 16 KB x 6";

/// The write buffers: a region in and one out at a clock is assumed.
pub(super) fn arrays(p: &Params) -> Vec<Array> {
    let what = "write buffers of six units, a region a row";
    vec![Array {
        copies: PARTITIONS,
        clock_mhz: CLOCK_MHZ,
        paper_area_mm2: Some(0.522),
        paper_power_mw: Some(85.56),
        counterpart: Some(Counterpart {
            units: PARTITIONS,
            memories: &["data", "sizes"],
            difference: format!(
                "a region's number ({} bits), bytes ({}) and count ({}), which the paper does not count",
                p.granule_bits(),
                p.granule_bytes,
                p.write_count_bits
            ),
        }),
        ..Array::new(what, BUFFERS, p.ring, 8 * p.granule_bytes)
    }]
}

pub(super) fn claims(p: &Params) -> Vec<Claim> {
    let memory_bytes = storage(&circuit(p)).memory_bits as f64 / 8.0;
    let data_bytes = f64::from(p.ring * p.granule_bytes);
    claims! {
        "write buffer of a unit, data", 16_384.0, "B", BUFFERS =>
            data_bytes,
            "regions x bytes";
        "write buffer of a unit, all RAM of the circuit", 16_384.0, "B", BUFFERS =>
            memory_bytes,
            format!(
                "RAM bits of the circuit: beside the data, a region has its number ({} bits), bytes \
                 ({}) and count ({})",
                p.granule_bits(),
                p.granule_bytes,
                p.write_count_bits
            );
        "commit bandwidth of a unit", 32.0, "B/clock", "GETM table 4.2: 32 B/cycle per partition" =>
            f64::from(p.granule_bytes),
            "a region a clock; measured in testbench/tests/getm_commit.rs";
    }
}
