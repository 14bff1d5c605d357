//! The documents of cosim, prove, synth, sweep and run, as far as the report shows them. Each is read from what the
//! command prints with `--json`, where lists stand, or from a record, which keeps their counts.

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, Serialize};

use crate::flow::synth::record::{AsicArea, FpgaArea, Stage};
use crate::sweep::record::PointRecord;

/// A command's document, as far as it is shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Document {
    /// Of `warpsmith cosim`.
    Cosim(Cosim),
    /// Of `warpsmith prove`.
    Prove(Prove),
    /// Of `warpsmith synth`.
    Synth(Synth),
    /// Of `warpsmith sweep`, or its journal.
    Sweep(Sweep),
    /// Of `warpsmith run`.
    Run(KernelRun),
}

/// A co-simulation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cosim {
    /// The block.
    pub block: String,
    /// Its preset.
    pub preset: String,
    /// Its simulator, or the user's files.
    pub circuit: String,
    /// `equal`, `no_difference_found` or `mismatch`.
    pub verdict: String,
    /// Requests accepted.
    pub requests: u64,
    /// Clocks per request.
    pub clocks_per_request: f64,
    /// Number of reachable corners.
    #[serde(deserialize_with = "reachable")]
    pub corners: usize,
    /// Names of those that were not met.
    pub missed_corners: Vec<String>,
}

/// The proofs of a block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prove {
    /// The block.
    pub block: String,
    /// Its preset.
    pub preset: String,
    /// `emitted`, or the user's files.
    pub circuit: String,
    /// Number of assertions by verdict.
    #[serde(deserialize_with = "by_verdict")]
    pub assertions: Assertions,
    /// Number of covers that were met, and of all.
    #[serde(deserialize_with = "met_of_all")]
    pub covers: (usize, usize),
    /// Corners of co-simulation without a cover.
    #[serde(deserialize_with = "length")]
    pub corners_without_cover: usize,
}

/// Number of assertions by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assertions {
    /// They hold for all time.
    pub proven: usize,
    /// They hold for so many clocks after reset.
    pub bounded: usize,
    /// They fail.
    pub fails: usize,
    /// Undecided.
    pub not_proven: usize,
}

/// Area and timing, or why there are none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Synth {
    /// The block.
    pub block: String,
    /// Its preset.
    pub preset: String,
    /// Device or library.
    pub target: String,
    /// How far the flow went.
    pub stage: Stage,
    /// Area on an FPGA.
    pub fpga: Option<FpgaArea>,
    /// Area in a library.
    pub asic: Option<AsicArea>,
    /// Timing.
    pub fmax: Option<Frequency>,
}

/// The highest clock frequency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frequency {
    /// Median of the placements, in MHz.
    pub median_mhz: f64,
    /// The clock constraint.
    pub asked_mhz: f64,
}

/// A sweep of one block.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sweep {
    /// Its points; a journal has at least one.
    pub points: Vec<PointRecord>,
}

impl Sweep {
    /// The points of a journal, which has one a line.
    ///
    /// # Errors
    /// Fails if it is malformed.
    pub fn of_journal(text: &str) -> Result<Self, serde_json::Error> {
        let points = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
        Ok(Self { points })
    }

    /// Names of the varied parameters.
    pub fn varied(&self) -> Vec<String> {
        let names = self.points.iter().flat_map(|point| point.varied.keys().cloned());
        names.collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// A run of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KernelRun {
    /// The module.
    pub file: String,
    /// Whether its results are right.
    pub as_expected: bool,
    /// Instructions of all warps.
    pub warp_instructions: u64,
    /// Counts of the timed machine.
    pub timing: Option<Timing>,
}

/// Counts of the timed machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// The machine.
    pub machine: String,
    /// The memory system.
    pub system: String,
    /// Clocks of the cores.
    pub cycles: u64,
    /// Counts of the memory hierarchy.
    pub statistics: Statistics,
}

/// Counts of the memory hierarchy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// L1 caches.
    pub l1: Hits,
    /// L2 slices, for lines whose home is another GPM.
    pub l2_remote: Hits,
    /// L2 slices, for lines whose home they are.
    pub l2_home: Hits,
    /// DRAM.
    pub dram: Dram,
    /// Links.
    pub traffic: Traffic,
}

/// Lines that hit and missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hits {
    /// Lines found.
    pub hits: u64,
    /// Lines not found.
    pub misses: u64,
}

/// Lines read and written at DRAM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dram {
    /// Lines read.
    pub reads: u64,
    /// Lines written.
    pub writes: u64,
}

/// Bytes on the links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// Bytes between the GPMs of a GPU.
    pub between_gpms: u64,
    /// Bytes between GPUs.
    pub between_gpus: u64,
}

/// A list in a command's document, or what a record keeps of it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Reduced<K, I> {
    Kept(K),
    List(Vec<I>),
}

fn reachable<'de, D: Deserializer<'de>>(from: D) -> Result<usize, D::Error> {
    #[derive(Deserialize)]
    struct Corner {
        reachable: bool,
    }
    Ok(match Reduced::<usize, Corner>::deserialize(from)? {
        Reduced::Kept(count) => count,
        Reduced::List(corners) => corners.iter().filter(|corner| corner.reachable).count(),
    })
}

fn by_verdict<'de, D: Deserializer<'de>>(from: D) -> Result<Assertions, D::Error> {
    #[derive(Deserialize)]
    struct Assertion {
        verdict: Verdict,
    }
    #[derive(Deserialize)]
    struct Verdict {
        verdict: String,
    }
    let list: Vec<Assertion> = match Reduced::deserialize(from)? {
        Reduced::Kept(counts) => return Ok(counts),
        Reduced::List(list) => list,
    };
    let count = |verdict: &str| list.iter().filter(|a| a.verdict.verdict == verdict).count();
    Ok(Assertions {
        proven: count("proven"),
        bounded: count("bounded"),
        fails: count("fails"),
        not_proven: count("not_proven"),
    })
}

fn met_of_all<'de, D: Deserializer<'de>>(from: D) -> Result<(usize, usize), D::Error> {
    #[derive(Deserialize)]
    struct Cover {
        clock: Option<u64>,
    }
    Ok(match Reduced::<(usize, usize), Cover>::deserialize(from)? {
        Reduced::Kept(counts) => counts,
        Reduced::List(covers) => {
            (covers.iter().filter(|c| c.clock.is_some()).count(), covers.len())
        }
    })
}

fn length<'de, D: Deserializer<'de>>(from: D) -> Result<usize, D::Error> {
    Ok(match Reduced::<usize, String>::deserialize(from)? {
        Reduced::Kept(count) => count,
        Reduced::List(list) => list.len(),
    })
}
