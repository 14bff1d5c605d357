//! The circuits of the write cache and of its S-FIFO in their places.

mod s_fifo;
mod write_cache;

use std::fmt;

use warpsmith_blocks::block::Design;
use warpsmith_blocks::qr_write_cache::Params;
use warpsmith_blocks::s_fifo::Params as FifoParams;
use warpsmith_testbench::place::Place;
use warpsmith_testbench::verilator::Warning;

use super::levels::{At, Level};
use super::s_fifo::SFifo;
use super::write_cache::{Combining, Output, WriteCache};
use crate::config::{Config, WriteCacheConfig};
use crate::memory::{Circuits, RtlError, RtlSettings};

/// Bytes of a block.
const BLOCK: usize = 64;
/// Bits of a warp's number in its core.
const WARP_BITS: u32 = 6;
/// Invalidations that a read cache has not acknowledged, at most; as in the block's preset `paper`.
const INVALIDATIONS: u32 = 15;

const BLOCKS: [&str; 2] = ["qr_write_cache", "s_fifo"];

/// The levels of a machine, by number.
fn levels(config: &Config) -> impl Iterator<Item = At> {
    let cores = config.machine.cores();
    (0..cores + 2).map(move |number| At::of(number, cores))
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::L1(core) => write!(f, "l1.core{core}"),
            Self::L2 => f.write_str("l2"),
            Self::Directory => f.write_str("directory"),
        }
    }
}

/// The write cache and the S-FIFO of each level.
pub(super) fn places(config: &Config) -> Vec<String> {
    match config.write_caches {
        None => Vec::new(),
        Some(_) => BLOCKS
            .into_iter()
            .flat_map(|block| levels(config).map(move |at| format!("{block}@{at}")))
            .collect(),
    }
}

/// Bits of a block's number: of addresses of 48 bits.
const BLOCK_BITS: u32 = 42;

fn wavefront_bits(at: At, config: &Config) -> u32 {
    match at {
        At::L1(_) => WARP_BITS,
        _ => WARP_BITS + config.machine.cores().next_power_of_two().ilog2().max(1),
    }
}

/// Parameters of the write cache of a level.
fn parameters(at: At, config: &Config, cache: &WriteCacheConfig) -> Params {
    Params {
        sets: cache.bytes / BLOCK as u32 / cache.ways,
        ways: cache.ways,
        block_bytes: BLOCK as u32,
        block_bits: BLOCK_BITS,
        fifo_depth: cache.entries,
        wavefront_bits: wavefront_bits(at, config),
        level: match at {
            At::L1(_) => 1,
            At::L2 => 2,
            At::Directory => 3,
        },
        last_level: at == At::Directory,
        read_caches: at.read_caches(config),
        invalidations: INVALIDATIONS,
    }
}

/// Puts circuits in the chosen places. A write cache's circuit has its S-FIFO's in it: where both are chosen,
/// that is the one.
pub(super) fn put(
    all: &mut [Level],
    config: &Config,
    settings: &RtlSettings,
    chosen: &[bool],
) -> Result<Vec<Warning>, RtlError> {
    let (caches, fifos) = chosen.split_at(chosen.len() / BLOCKS.len());
    let mut warnings = Vec::new();
    let (mut write_caches, mut s_fifos) =
        (Vec::<Made<Params>>::new(), Vec::<Made<FifoParams>>::new());
    for (((level, at), is_cache), is_fifo) in
        all.iter_mut().zip(levels(config)).zip(caches).zip(fifos)
    {
        let Some(cache) = at.config(config) else { continue };
        if *is_cache {
            let params = parameters(at, config, cache);
            let place = made(&mut write_caches, &params, settings, &mut warnings)?;
            level.write_cache =
                Box::new(write_cache::Circuit::new(place, params, at, settings.shadow));
        } else if *is_fifo {
            let (depth, wavefront_bits) = (cache.entries, WARP_BITS + 6);
            let params = FifoParams { depth, block_bits: BLOCK_BITS, wavefront_bits };
            let place = made(&mut s_fifos, &params, settings, &mut warnings)?;
            let fifo = Box::new(s_fifo::Circuit::new(place, at, depth));
            let is_last = at == At::Directory;
            level.write_cache =
                Box::new(Combining::new(cache, fifo, at.read_caches(config), is_last));
        }
    }
    Ok(warnings)
}

/// Circuits with the same parameters, which are built once.
type Made<P> = (P, Circuits<P>);

fn made<P>(
    all: &mut Vec<Made<P>>,
    params: &P,
    settings: &RtlSettings,
    warnings: &mut Vec<Warning>,
) -> Result<Place, RtlError>
where
    P: Design + warpsmith_blocks::parameters::Parameters + Clone + PartialEq,
{
    if !all.iter().any(|(known, _)| known == params) {
        let mut circuits = Circuits::new(params.clone(), settings)?.without_partner();
        warnings.append(&mut circuits.warnings);
        all.push((params.clone(), circuits));
    }
    let circuits = all.iter().find(|(known, _)| known == params).map(|(_, circuits)| circuits);
    circuits.map_or_else(|| unreachable!("it was just made"), |circuits| circuits.place(&[]))
}
