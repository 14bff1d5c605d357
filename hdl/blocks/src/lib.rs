//! The hardware blocks. One block is one folder: its parameters, channels, reference model,
//! circuit, contract, and the paper's figures.
//!
//! [`all`] lists them; a [`block::Design`] is a block with parameters.

pub mod block;
pub mod channel;
pub mod claim;
pub mod exercise;
pub mod getm_commit;
pub mod getm_metadata;
pub mod getm_stall_buffer;
pub mod getm_validation;
pub mod hmg_directory;
pub mod parameters;
pub mod properties;
pub mod rule;
pub mod same_row;
pub mod verification;

use block::AnyBlock;

/// Every block there is.
pub fn all() -> &'static [&'static dyn AnyBlock] {
    &[
        &getm_commit::GetmCommit,
        &getm_metadata::GetmMetadata,
        &getm_stall_buffer::GetmStallBuffer,
        &getm_validation::GetmValidation,
        &hmg_directory::HmgDirectory,
    ]
}

/// The block of that name.
pub fn find(name: &str) -> Option<&'static dyn AnyBlock> {
    all().iter().copied().find(|block| block.name() == name)
}
