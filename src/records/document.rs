//! The documents of cosim, prove, synth and run, as far as the report shows them. Each is read from what the
//! command prints with `--json`, where lists stand, or from a record, which keeps their counts.

use serde::{Deserialize, Deserializer, Serialize};

use crate::flow::synth::record::{AsicArea, FpgaArea, Stage};

/// A command's document, as far as it is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Document {
    Cosim(Cosim),
    Prove(Prove),
    Synth(Synth),
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
#[allow(missing_docs)]
pub struct Statistics {
    pub l1: Hits,
    pub l2_remote: Hits,
    pub l2_home: Hits,
    pub dram: Dram,
    pub traffic: Traffic,
}

/// Lines that hit and missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Hits {
    pub hits: u64,
    pub misses: u64,
}

/// Lines read and written at DRAM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Dram {
    pub reads: u64,
    pub writes: u64,
}

/// Bytes on the links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Traffic {
    pub between_gpms: u64,
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
