//! The paper's figures about the Bloom filters (4.3, table 5.2), beside what our circuit has.

use super::circuit::circuit;
use super::params::Params;
use crate::kit::*;

/// Section 4.3: 6 kB for 48 wavefronts.
const WAVEFRONTS: u32 = 48;
const BYTES: f64 = 6.0 * 1024.0;

/// Table 5.2.
const ROW_BITS: u32 = 1024;
const HASHES: f64 = 4.0;
const COMPUTE_UNITS: u32 = 15;
const CLOCK_MHZ: f64 = 1400.0;

pub(super) fn claims(p: &Params) -> Vec<Claim> {
    let kept = storage(&circuit(p));
    claims! {
        "storage of a compute unit", BYTES, "B", "GPUDet 4.3: 6kB, assuming 48 wavefronts" =>
            kept.memory_bits as f64 / 8.0,
            format!(
                "RAM: {} rows of {} bits; the valid bits, {}, are registers",
                p.rows(), p.row_bits(), p.wavefronts
            );
        "bits of a wavefront's filter", f64::from(ROW_BITS), "bits", "GPUDet table 5.2: capacity" =>
            f64::from(p.row_bits()),
            format!("{} sub-arrays of {}", p.sub_arrays, p.bits);
        "hash functions", HASHES, "hashes", "GPUDet table 5.2" =>
            f64::from(p.sub_arrays),
            "a sub-array has one of its own";
    }
}

/// The filters of all compute units, a filter a row: a vector register (4.3).
pub(super) fn arrays(_: &Params) -> Vec<Array> {
    let what = "Bloom filters of fifteen compute units, a wavefront a row";
    vec![Array {
        copies: COMPUTE_UNITS,
        clock_mhz: CLOCK_MHZ,
        counterpart: Some(Counterpart {
            units: COMPUTE_UNITS,
            memories: &["rows"],
            difference: "nothing; valid bits are registers".to_string(),
        }),
        ..Array::new(what, "GPUDet 4.3, table 5.2", WAVEFRONTS, ROW_BITS)
    }]
}
