//! The thesis's figures about the L2 (3.6.4), beside what our circuit has.

use super::circuit::circuit;
use super::params::Params;
use crate::kit::*;

/// Section 3.6.4: what a block takes without its times.
const LINE_BYTES: f64 = 131.0;

pub(super) fn claims(p: &Params) -> Vec<Claim> {
    let blocks = f64::from(p.sets * p.ways);
    let times = f64::from(2 * p.timestamp_bits) / 8.0;
    let kept = storage(&circuit(p));
    claims! {
        "ver and exp of a bank", 8192.0, "B", "Ren 3.6.4: two 32-bit timestamps a block" =>
            blocks * times,
            format!("{} blocks of {times} bytes", p.sets * p.ways);
        "share of a block", 6.0, "%", "Ren 3.6.4: 8 of 131 bytes" =>
            100.0 * times / LINE_BYTES,
            "ver and exp / (128 bytes of data and 3 of tag)";
        "all RAM of a bank", 8192.0, "B", "Ren 3.6.4: ver and exp alone" =>
            kept.memory_bits as f64 / 8.0,
            format!(
                "with tags, states, readers, recency, the queue, and tags of waiting accesses; exponents: {} B; \
                 m.ver and m.rd stand in their way's ver and exp (of their own: {} B)",
                blocks * f64::from(p.exponent_bits()) / 8.0,
                2.0 * f64::from(p.mshrs) * f64::from(p.timestamp_bits) / 8.0,
            );
    }
}

/// Times of a bank, a set a row.
pub(super) fn arrays(p: &Params) -> Vec<Array> {
    let width = 2 * p.timestamp_bits * p.ways;
    vec![Array {
        clock_mhz: 1400.0,
        ..Array::new("ver and exp of a bank, a set a row", "Ren 3.6.4", p.sets, width)
    }]
}
