//! The blocks of GETM in a machine: their parameters, their places, and circuits in these.

use warpsmith_blocks::block::Design;
use warpsmith_blocks::parameters::Parameters;
use warpsmith_blocks::{getm_commit, getm_rollover_ring, getm_validation};
use warpsmith_testbench::place::Place;
use warpsmith_testbench::verilator::Warning;

use crate::config::Config;
use crate::memory::{Circuits, RtlError, RtlSettings};

/// Bytes of an item of a log.
const WORD_BYTES: u32 = 8;

/// The blocks at each partition, in the order of its places.
const BLOCKS: [&str; 3] =
    [getm_validation::BLOCK.name, getm_commit::BLOCK.name, getm_rollover_ring::BLOCK.name];

/// Parameters of the two units of a partition.
pub(super) struct Designs {
    pub validation: getm_validation::Params,
    pub commit: getm_commit::Params,
}

/// The units of a machine, whose configuration has been checked.
pub(super) fn designs(config: &Config) -> Designs {
    let transactions = &config.transactions;
    let validation = getm_validation::Params {
        rows_per_way: transactions.rows_per_way,
        ways: transactions.ways,
        bloom_rows: transactions.bloom_rows,
        bloom_ways: transactions.bloom_ways,
        lines: transactions.stall_lines,
        entries: transactions.stall_entries,
        granule_bytes: transactions.granule_bytes,
        timestamp_bits: transactions.timestamp_bits,
        owner_bits: owner_bits(config),
        faithful: transactions.faithful,
        ..paper()
    };
    let commit = getm_commit::Params {
        word_bytes: WORD_BYTES,
        granule_bytes: validation.granule_bytes,
        address_bits: validation.address_bits,
        write_count_bits: validation.write_count_bits,
        ..paper()
    };
    for checked in [validation.validate(), commit.validate()] {
        checked.unwrap_or_else(|error| panic!("{error}"));
    }
    Designs { validation, commit }
}

/// A block's preset of the paper's sizes.
fn paper<P: Parameters>() -> P {
    let preset = P::presets().into_iter().find(|(name, _)| *name == "paper");
    preset.expect("every block has this preset").1
}

/// Bits of a warp's number.
pub(super) fn owner_bits(config: &Config) -> u32 {
    let warps = config.machine.cores() * config.core.warps;
    warps.next_power_of_two().ilog2().max(1)
}

/// Places of the machine's blocks.
pub(super) fn places(config: &Config) -> Vec<String> {
    let partitions = 0..config.machine.gpms() * config.l2.banks;
    let place = |partition| BLOCKS.map(|name| format!("{name}@partition{partition}"));
    partitions.flat_map(place).collect()
}

/// Of the chosen places those of each of the blocks, by partition.
pub(super) fn by_block(chosen: &[bool]) -> [Vec<bool>; 3] {
    [0, 1, 2].map(|block| chosen.iter().skip(block).step_by(BLOCKS.len()).copied().collect())
}

/// Puts circuits of a block in the chosen partitions; gives what Verilator warns of.
///
/// # Errors
/// If a circuit cannot be simulated.
pub(super) fn put_circuits<P: Design + Parameters>(
    params: &P,
    settings: &RtlSettings,
    chosen: &[bool],
    straps: impl Fn(usize) -> Vec<u64>,
    mut put: impl FnMut(usize, Place),
) -> Result<Vec<Warning>, RtlError> {
    if !chosen.contains(&true) {
        return Ok(Vec::new());
    }
    let circuits = Circuits::new(params.clone(), settings)?;
    for (partition, _) in chosen.iter().enumerate().filter(|(_, chosen)| **chosen) {
        put(partition, circuits.place(&straps(partition))?);
    }
    Ok(circuits.warnings)
}
