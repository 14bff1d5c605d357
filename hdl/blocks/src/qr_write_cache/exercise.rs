//! What the default stream must exercise bit by bit: blocks that are compared with what is dirty.

use super::params::Params;
use crate::kit::*;

// Comparisons, as indices.
indices!(STORES, READS);

/// Blocks of one set: only the tags are compared.
pub(super) fn tags(name: &'static str, p: &Params) -> Compared {
    Compared::bits(name, p.tag_bits())
}

/// What is compared.
pub(super) fn exercise(p: &Params) -> Exercise {
    let compared = vec![
        tags("tags of a store and of what is dirty in its set", p),
        tags("tags of a read or atomic and of what is dirty in its set", p),
    ];
    Exercise { compared, tables: Vec::new() }
}

/// Counts that a request's block is compared with a dirty one.
pub(super) fn compare(p: &Params, comparison: usize, one: u64, other: u64, corners: &mut Corners) {
    if p.set_of(one) == p.set_of(other) {
        corners.compare(comparison, one >> p.set_bits(), other >> p.set_bits());
    }
}
