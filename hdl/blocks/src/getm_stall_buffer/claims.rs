//! The paper's figures about the stall buffer (tables 4.2 and 4.5), beside what our circuit has.

use super::circuit::circuit;
use super::params::Params;
use crate::kit::*;

/// Table 4.5: 30 B a line.
const LINE_BYTES: f64 = 30.0;

/// Bits of a line's state.
const STATE: u32 = 3;

fn entry_bits(p: &Params) -> u32 {
    2 + p.owner_bits + p.timestamp_bits
}

fn line_bits(p: &Params) -> u32 {
    p.granule_bits() + STATE + p.entries * entry_bits(p)
}

pub(super) fn claims(p: &Params) -> Vec<Claim> {
    let bits = storage(&circuit(p)).register_bits as f64;
    let (entry, line) = (entry_bits(p), line_bits(p));
    let lines_bits = f64::from(p.lines * line);
    claims! {
        "requests that can wait per partition", 16.0, "requests", "GETM table 4.2: 4 lines with 4 entries" =>
            f64::from(p.lines * p.entries),
            "lines x entries";
        "storage per line", LINE_BYTES, "B", "GETM table 4.5: stall buffer (30B x 4 x 6)" =>
            f64::from(line) / 8.0,
            format!(
                "granule {} + state {STATE} + {} entries of {entry}: taken 1, store 1, warp {}, \
                 warpts {}; no age, as entries are kept in order",
                p.granule_bits(),
                p.entries,
                p.owner_bits,
                p.timestamp_bits
            );
        "storage of the circuit", LINE_BYTES * 4.0, "B", "GETM table 4.5: stall buffer (30B x 4 x 6)" =>
            bits / 8.0,
            format!(
                "register bits of the circuit: lines, and {} for the turn on retry and for answers",
                bits - lines_bits
            );
    }
}

/// The buffer as table 4.5 counts it: a line a row.
pub(super) fn arrays(p: &Params) -> Vec<Array> {
    let what = "stall buffers of six partitions, a line a row";
    let array = Array::new(what, "GETM table 4.5: 30B x 4 x 6", 4, LINE_BYTES as u32 * 8);
    vec![Array {
        copies: 6,
        clock_mhz: 1400.0,
        paper_area_mm2: Some(0.0004),
        paper_power_mw: Some(2.67),
        counterpart: Some(Counterpart {
            units: 6,
            memories: &[],
            difference: format!(
                "in registers, {} B a line; no age, as the entries are kept in order",
                f64::from(line_bits(p)) / 8.0
            ),
        }),
        ..array.with_one_port()
    }]
}
