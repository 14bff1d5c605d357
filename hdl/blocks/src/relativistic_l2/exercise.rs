//! Bits that the default stream must exercise one by one: tags that are compared, in each way.

use super::bank::Bank;
use super::params::Params;
use super::ways::State;
use crate::kit::*;

// Comparisons, as indices.
indices!(TAGS, BLOCKS);

/// The tags of a request and of a block in its set.
fn tags(p: &Params) -> Compared {
    let name = "tags of a request and of a block in its set";
    // A set of one way has no other block.
    let bits = if p.ways > 1 { p.block_tag_bits() } else { 0 };
    Compared::bits(name, bits).without_boundaries().in_places(p.ways)
}

/// Blocks of requests in consecutive clocks.
pub(super) fn blocks(p: &Params) -> Compared {
    Compared::bits("blocks of requests in consecutive clocks", p.block_bits())
}

/// Comparisons.
pub(super) fn exercise(p: &Params) -> Exercise {
    Exercise { compared: vec![tags(p), blocks(p)], tables: Vec::new() }
}

/// Counts with which tags that of a request is compared; its own way has its tag.
pub(super) fn note_tags(p: &Params, bank: &Bank, block: u64, corners: &mut Corners) {
    let set = p.set_of(block) as usize;
    for (place, way) in bank.ways(set).iter().enumerate() {
        if way.state != State::I && way.block != block {
            let [one, other] = [block, way.block].map(|block| block >> p.set_bits());
            corners.compare_at(TAGS, place, one, other);
        }
    }
}

/// Counts blocks of requests that are acted on in consecutive clocks.
pub(super) fn note_blocks(before: u64, block: u64, corners: &mut Corners) {
    corners.compare(BLOCKS, before, block);
}
