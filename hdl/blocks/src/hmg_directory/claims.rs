//! The paper's figures about the directory (HMG VII-C), beside what our circuit has.

use warpsmith_rtl::netlist::Netlist;

use super::circuit::circuit;
use super::params::Params;
use crate::claim::{Array, Claim};

/// The paper's L2 slice: 12 MB per GPU over 4 GPMs (Table II).
const L2_SLICE_BYTES: f64 = 12.0 * 1024.0 * 1024.0 / 4.0;

/// HMG Table II.
const GPU_CLOCK_MHZ: f64 = 1300.0;

/// The directory of a GPM as the paper counts it, and the L2 data that it measures it against. One
/// access at a clock is assumed of both; the paper does not say, and gives neither area nor power.
pub(super) fn arrays(p: &Params) -> Vec<Array> {
    let array = |what: &str, source, rows, width, is_yardstick| Array {
        what: what.to_string(),
        source,
        rows,
        width,
        read_ports: 0,
        write_ports: 0,
        read_write_ports: 1,
        copies: 1,
        clock_mhz: GPU_CLOCK_MHZ,
        is_yardstick,
        paper_area_mm2: None,
        paper_power_mw: None,
        counterpart: None,
    };
    let entries = u64::from(p.sets) * u64::from(p.ways);
    let line_bits = u64::from(p.line_bytes) * 8;
    let lines = L2_SLICE_BYTES as u64 * 8 / line_bits;
    vec![
        array(
            "directory of a GPM, an entry a row",
            "HMG VII-C: 12K x 55 bits",
            entries,
            counted_bits(p).into(),
            false,
        ),
        array("L2 data of a GPM, a line a row", "HMG Table II: 12 MB / 4", lines, line_bits, true),
    ]
}

/// As the paper counts: the whole address as a tag, one state bit, one bit a sharer.
fn counted_bits(p: &Params) -> u32 {
    p.address_bits + 1 + p.sharers()
}

pub(super) fn claims(p: &Params) -> Vec<Claim> {
    let entries = f64::from(p.sets * p.ways);
    let counted_bits = f64::from(counted_bits(p));
    let counted_bytes = entries * counted_bits / 8.0;
    let netlist = Netlist::flatten(&circuit(p)).expect("the directory has no loop");
    let memory_bits = netlist.storage().memory_bits as f64;

    let claim = |what: &str, paper, source, ours, unit, how: String| Claim {
        what: what.to_string(),
        paper,
        source,
        ours,
        unit,
        how,
    };
    vec![
        claim(
            "sharers per entry",
            6.0,
            "HMG V-A, VII-C: M+N-2",
            f64::from(p.sharers()),
            "bits",
            "width of the sharer mask".to_string(),
        ),
        claim(
            "bits per entry, as the paper counts",
            55.0,
            "HMG VII-C: 48 + 1 + 6",
            counted_bits,
            "bits",
            "whole address + valid + sharers".to_string(),
        ),
        claim(
            "bits per entry, in the RAM",
            55.0,
            "HMG VII-C: 48 + 1 + 6",
            memory_bits / entries,
            "bits",
            format!(
                "RAM bits of the circuit / entries: tag {} + valid 1 + sharers {} + the set's \
                 recency shared by {} ways",
                p.tag_bits(),
                p.sharers(),
                p.ways
            ),
        ),
        claim(
            "directory entries per GPM",
            12.0 * 1024.0,
            "HMG Table II",
            entries,
            "entries",
            "sets x ways".to_string(),
        ),
        claim(
            "directory storage per GPM, as the paper counts",
            84_480.0,
            "HMG VII-C: 84KB = 12K x 55 bits",
            counted_bytes,
            "B",
            "entries x (whole address + valid + sharers)".to_string(),
        ),
        claim(
            "directory storage per GPM, in the RAM",
            84_480.0,
            "HMG VII-C: 84KB = 12K x 55 bits",
            memory_bits / 8.0,
            "B",
            "RAM bits of the circuit; a real tag leaves out the set index and the place in the \
             block, and recency is extra"
                .to_string(),
        ),
        claim(
            "share of the L2 slice, as the paper counts",
            2.7,
            "HMG VII-C: of 3 MB",
            counted_bytes / L2_SLICE_BYTES * 100.0,
            "%",
            "storage as the paper counts / 3 MB".to_string(),
        ),
        claim(
            "share of the L2 slice, in the RAM",
            2.7,
            "HMG VII-C: of 3 MB",
            memory_bits / 8.0 / L2_SLICE_BYTES * 100.0,
            "%",
            "storage in the RAM / 3 MB".to_string(),
        ),
        claim(
            "data that the directory can cover per GPM",
            6.0,
            "HMG VI: 12K x 4 x 128B = 6MB",
            entries * f64::from(p.lines_per_entry * p.line_bytes) / (1024.0 * 1024.0),
            "MB",
            "entries x lines per entry x line".to_string(),
        ),
    ]
}
