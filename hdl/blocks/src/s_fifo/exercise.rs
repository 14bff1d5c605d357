//! What the default stream must exercise bit by bit: every row of the ring.

use super::channels::Entry;
use super::params::Params;
use crate::kit::*;

// Tables, as indices.
indices!(RING);

/// What is kept: nothing is compared with it.
pub(super) fn exercise(p: &Params) -> Exercise {
    let table = Table { name: "entries of the ring", rows: p.depth as usize, width: p.row_bits() };
    Exercise { compared: Vec::new(), tables: vec![table] }
}

/// Notes that an entry leaves the ring's row.
pub(super) fn note_left(p: &Params, row: usize, entry: &Entry, corners: &mut Corners) {
    let kind = entry.kind.map_or(0, |kind| kind as u64);
    let (content, said) = match entry.is_release() {
        true => ((entry.wavefront << 1) | u64::from(entry.needs_ack), p.wavefront_bits + 1),
        false => (entry.block, p.block_bits),
    };
    let mask = ((1 << said) - 1) | (3 << p.content_bits());
    corners.read_bits(RING, row, (kind << p.content_bits()) | content, mask);
}
