//! The paper's figures about the directory (HMG VII-C), beside what our circuit has.

use super::circuit::circuit;
use super::params::Params;
use crate::kit::*;

/// The paper's L2 slice: 12 MB per GPU over 4 GPMs (Table II).
const L2_SLICE_BYTES: f64 = 12.0 * 1024.0 * 1024.0 / 4.0;

/// HMG Table II.
const GPU_CLOCK_MHZ: f64 = 1300.0;

/// The directory of a GPM as the paper counts it, and the L2 data that it measures it against. One
/// access at a clock is assumed of both; the paper does not say, and gives neither area nor power.
pub(super) fn arrays(p: &Params) -> Vec<Array> {
    let array = |what, source, rows, width| {
        let array = Array::new(what, source, rows, width).with_one_port();
        Array { clock_mhz: GPU_CLOCK_MHZ, ..array }
    };
    let (entries, line_bits) = (p.sets * p.ways, p.line_bytes * 8);
    let lines = L2_SLICE_BYTES as u32 * 8 / line_bits;
    let source = "HMG VII-C: 12K x 55 bits";
    let l2 = array("L2 data of a GPM, a line a row", "HMG Table II: 12 MB / 4", lines, line_bits);
    vec![
        array("directory of a GPM, an entry a row", source, entries, counted_bits(p)),
        Array { is_yardstick: true, ..l2 },
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
    let memory_bits = storage(&circuit(p)).memory_bits as f64;

    claims! {
        "sharers per entry", 6.0, "bits", "HMG V-A, VII-C: M+N-2" =>
            f64::from(p.sharers()),
            "width of the sharer mask";
        "bits per entry, as the paper counts", 55.0, "bits", "HMG VII-C: 48 + 1 + 6" =>
            counted_bits,
            "whole address + valid + sharers";
        "bits per entry, in the RAM", 55.0, "bits", "HMG VII-C: 48 + 1 + 6" =>
            memory_bits / entries,
            format!(
                "RAM bits of the circuit / entries: tag {} + valid 1 + sharers {} + the set's \
                 recency shared by {} ways",
                p.tag_bits(),
                p.sharers(),
                p.ways
            );
        "directory entries per GPM", 12.0 * 1024.0, "entries", "HMG Table II" =>
            entries,
            "sets x ways";
        "directory storage per GPM, as the paper counts", 84_480.0, "B", "HMG VII-C: 84KB = 12K x 55 bits" =>
            counted_bytes,
            "entries x (whole address + valid + sharers)";
        "directory storage per GPM, in the RAM", 84_480.0, "B", "HMG VII-C: 84KB = 12K x 55 bits" =>
            memory_bits / 8.0,
            "RAM bits of the circuit; a real tag leaves out the set index and the place in the \
             block, and recency is extra";
        "share of the L2 slice, as the paper counts", 2.7, "%", "HMG VII-C: of 3 MB" =>
            counted_bytes / L2_SLICE_BYTES * 100.0,
            "storage as the paper counts / 3 MB";
        "share of the L2 slice, in the RAM", 2.7, "%", "HMG VII-C: of 3 MB" =>
            memory_bits / 8.0 / L2_SLICE_BYTES * 100.0,
            "storage in the RAM / 3 MB";
        "data that the directory can cover per GPM", 6.0, "MB", "HMG VI: 12K x 4 x 128B = 6MB" =>
            entries * f64::from(p.lines_per_entry * p.line_bytes) / (1024.0 * 1024.0),
            "entries x lines per entry x line";
    }
}
