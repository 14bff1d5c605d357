//! What the default stream must exercise bit by bit: the sources that a `done` is compared with, and the
//! CGIDs of the entries.

use super::params::Params;
use crate::kit::*;

// Comparisons, as indices.
indices!(SOURCES);
// Tables, as indices.
indices!(CGIDS);

/// What is compared, and what is kept.
pub(super) fn exercise(p: &Params) -> Exercise {
    // Not every number that differs in one bit is a GPU's.
    let sources = Compared::bits("sources of a done and of its receiver", p.gpu_bits());
    let sources = Compared { boundaries: vec![0, u64::from(p.gpus) - 1], ..sources };
    let cgids = Table { name: "CGIDs of receivers", rows: p.gpus as usize, width: p.cgid_bits };
    Exercise { compared: vec![sources.in_places(p.gpus)], tables: vec![cgids] }
}
