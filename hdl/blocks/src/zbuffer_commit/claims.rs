//! The paper's figures about the Z-buffer commit unit, beside what our circuit has.

use super::circuit::circuit;
use super::params::Params;
use crate::kit::*;

const CACHE: &str = "GPUDet table of the baseline: Z-cache, 16 kB, 4-way, 128 B blocks";
const REQUEST: &str = "GPUDet 4.4.1, figure 4.7: 128-byte chunk, 32 colors, 32 depths, byte mask";

/// GPUDet: the clock of the interconnect and the L2.
const CLOCK_MHZ: f64 = 650.0;

/// The Z-cache as the paper counts it, a block a row.
pub(super) fn arrays(p: &Params) -> Vec<Array> {
    vec![Array {
        clock_mhz: CLOCK_MHZ,
        counterpart: Some(Counterpart {
            units: 1,
            memories: &["z_cache", "tags"],
            difference: format!(
                "tags of {} bits, which the paper does not count; valid and locked bits are registers",
                p.tag_bits()
            ),
        }),
        ..Array::new("Z-cache of a unit, a block a row", CACHE, 128, 1024)
    }]
}

pub(super) fn claims(p: &Params) -> Vec<Claim> {
    let storage = storage(&circuit(p));
    let kilobytes = |bits: f64| bits / 8.0 / 1024.0;
    let blocks = f64::from(p.sets * p.ways);
    claims! {
        "Z-cache, depths", 16.0, "kB", CACHE =>
            kilobytes(blocks * f64::from(p.depths() * p.depth_bits)),
            "sets x ways x depths of a block";
        "Z-cache, with tags and what is known of its ways", 16.0, "kB", CACHE =>
            kilobytes(blocks * f64::from(p.depths() * p.depth_bits + p.tag_bits() + 2)),
            format!("a tag of {} bits, a valid and a locked bit a block", p.tag_bits());
        "bytes of colors in a request", 128.0, "B", REQUEST =>
            f64::from(p.bytes()),
            "lanes x 4";
        "depths that are compared at a clock", 32.0, "depths", "GPUDet 4.4.3: up to 32" =>
            f64::from(p.depths()),
            "depths of a block";
        "requests accepted at a clock", 1.0, "requests", "GPUDet 4.4.3: one in each cycle" =>
            1.0,
            "on hits to distinct blocks; measured in testbench/tests/zbuffer_commit.rs";
        "storage of the unit", 16.0, "kB", CACHE =>
            kilobytes((storage.memory_bits + storage.register_bits) as f64),
            format!(
                "all RAM ({} bits) and registers ({} bits): beside the Z-cache {} requests with their \
                 data and depths, and {} comparator entries with depths that come and that leave",
                storage.memory_bits,
                storage.register_bits,
                p.request_entries,
                p.comparator_entries
            );
    }
}
