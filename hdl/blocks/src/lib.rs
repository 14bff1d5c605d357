//! The hardware blocks. One block is one folder: its parameters, channels, reference model,
//! circuit, contract, and the paper's figures.
//!
//! [`all`] lists them; a [`block::Design`] is a block with parameters.

// So that a block says the same of the kit here and in another crate.
extern crate self as warpsmith_blocks;

pub mod block;
pub mod bloom_filter;
pub mod board;
pub mod channel;
pub mod chopin_composition_scheduler;
pub mod chopin_draw_scheduler;
pub mod circuit;
pub mod claim;
pub mod corners;
pub mod exercise;
pub mod free_choice;
pub mod getm_commit;
pub mod getm_metadata;
pub mod getm_rollover_ring;
pub mod getm_stall_buffer;
pub mod getm_validation;
mod granules;
pub mod hmg_directory;
pub mod kit;
pub mod parameters;
pub mod payload;
pub mod properties;
pub mod qr_write_cache;
pub mod relativistic_l2;
pub mod rule;
pub mod s_fifo;
pub mod same_row;
pub mod verification;
pub mod zbuffer_commit;

/// For parameters of a type of one's own, and for `parameters!`: a crate with a block needs no serde beside it.
pub use serde;

use block::Block;

/// Every block there is.
pub fn all() -> &'static [&'static Block] {
    static ALL: &[&Block] = &[
        &bloom_filter::BLOCK,
        &chopin_composition_scheduler::BLOCK,
        &chopin_draw_scheduler::BLOCK,
        &getm_commit::BLOCK,
        &getm_metadata::BLOCK,
        &getm_rollover_ring::BLOCK,
        &getm_stall_buffer::BLOCK,
        &getm_validation::BLOCK,
        &hmg_directory::BLOCK,
        &qr_write_cache::BLOCK,
        &relativistic_l2::BLOCK,
        &s_fifo::BLOCK,
        &zbuffer_commit::BLOCK,
    ];
    ALL
}

/// The block of that name.
pub fn find(name: &str) -> Option<&'static Block> {
    all().iter().copied().find(|block| block.name == name)
}
