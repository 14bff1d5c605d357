//! What the default stream must exercise bit by bit: depths and blocks that are compared, and what the
//! Z-cache and the request buffer keep.

use super::channels::{Color, Request};
use super::params::Params;
use super::reference::Effect;
use crate::kit::*;

// Comparisons, as indices.
indices!(DEPTHS, BLOCKS, TAGS, EVICTED);
// Tables, as indices.
indices!(STORED, DATA, MASKS);

/// The depths of a request and of its block, in each lane.
pub(super) fn depths(p: &Params) -> Compared {
    Compared::bits("depths of a request and of its block", p.depth_bits).in_places(p.depths())
}

/// The blocks of a request and of another one that is under way.
pub(super) fn blocks(p: &Params) -> Compared {
    Compared::bits("blocks of a request and of one under way", p.block_bits())
}

/// What is compared, and what is kept in memories.
pub(super) fn exercise(p: &Params) -> Exercise {
    let tags = "tags of a request and of a block in its set";
    let evicted = "blocks to be read and to be written back";
    let tags = Compared::bits(tags, p.tag_bits()).without_boundaries();
    let evicted = Compared::bits(evicted, p.block_bits()).without_boundaries();
    let table = |name, rows: u32, width| Table { name, rows: rows as usize, width };
    Exercise {
        compared: vec![depths(p), blocks(p), tags, evicted],
        tables: vec![
            table("depths of the blocks of a set", p.sets * p.depths(), p.depth_bits),
            table("data of requests", p.request_entries * p.lanes, 32),
            table(
                "bytes that a request wins",
                p.request_entries * p.bytes().div_ceil(64),
                p.bytes().min(64),
            ),
        ],
    }
}

/// Counts with which depths those of a request are compared.
pub(super) fn count_depths(p: &Params, request: &Request, effect: &Effect, corners: &mut Corners) {
    let set = p.set_of(p.block_of(request.address)) as usize;
    for (place, &stored) in effect.before.iter().enumerate() {
        if request.mask[p.mask_bit_of(place as u32) as usize] == 1 {
            let new = request.depth[p.request_depth_of(place as u32) as usize];
            corners.compare_at(DEPTHS, place, new, stored);
            corners.read(STORED, set * p.depths() as usize + place, stored);
        }
    }
}

/// Notes that an entry kept what is written of its request.
pub(super) fn note_kept(p: &Params, entry: u64, color: &Color, corners: &mut Corners) {
    let entry = entry as usize;
    for (lane, &word) in color.data.iter().enumerate() {
        corners.read(DATA, entry * p.lanes as usize + lane, word);
    }
    let rows = color.mask.len().div_ceil(64);
    for (row, bytes) in color.mask.chunks(64).enumerate() {
        let bytes = bytes.iter().zip(0..).map(|(byte, bit)| byte << bit).sum();
        corners.read(MASKS, entry * rows + row, bytes);
    }
}
