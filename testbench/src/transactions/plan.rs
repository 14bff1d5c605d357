//! The plan of a run and its report.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use thiserror::Error;
use warpsmith_blocks::verification::StimulusRng;

use super::program::Program;
use super::timestamp::Timestamps;
use crate::serializability::{Summary, Violation};

/// The size and settings of a run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Number of cores.
    pub cores: u64,
    /// Warps of all cores.
    pub warps: u64,
    /// Warps of a core that may run transactions at once.
    pub concurrency: u64,
    /// Lanes per warp.
    pub lanes: u64,
    /// Transactions that each lane commits.
    pub transactions: u64,
    /// Bytes per granule.
    pub granule_bytes: u64,
    /// Longest time of a message between a core and a partition, in clocks.
    pub latency: u64,
    /// Clocks of the pause after an abort, for each abort so far.
    pub back_off: u64,
    /// Time at which new transactions begin.
    pub begins: Begins,
    /// How timestamps advance.
    pub timestamps: Timestamps,
    /// Seed of everything random.
    pub seed: u64,
}

/// The logical time after which new transactions begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Begins {
    /// The latest time told to any warp of the core, as in the simulator of GETM's authors.
    AfterCore,
    /// The latest time told to the warp: 0 at first (4.4.1).
    AfterWarp,
}

/// The source of transactions and of initial memory.
pub trait Source {
    /// The transaction of a number. Numbers count the lanes of a warp, then the warps, then the transactions
    /// of each lane.
    fn program(&self, rng: &mut StimulusRng, number: u64) -> Box<dyn Program>;

    /// Initial value of a word.
    fn initial(&self, address: u64) -> u32;
}

/// The report of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The oracle's summary.
    pub summary: Summary,
    /// Aborts by reason.
    pub aborts: BTreeMap<&'static str, u64>,
    /// Clocks.
    pub clocks: u64,
    /// Number of roll-overs of the timestamps.
    pub roll_overs: u64,
    /// Most accesses waiting at once, in all partitions.
    pub most_waiting: usize,
    /// Most granules with waiters at once, in all partitions.
    pub most_waited_for: usize,
    /// Sums, over clocks with waiting accesses, of the accesses and of the granules they wait for.
    pub waiting: (u64, u64),
    /// Final memory.
    pub memory: HashMap<u64, u32>,
}

/// Why a run is incorrect.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RunError {
    /// It is not serializable.
    #[error(transparent)]
    Violation(#[from] Violation),
    /// A partition is faulty.
    #[error("partition {partition}, clock {clock}: {what}")]
    Wrong {
        /// Number of the partition.
        partition: usize,
        /// Clock.
        clock: u64,
        /// The fault.
        what: String,
    },
    /// No transaction commits any more.
    #[error(
        "no transaction has committed since clock {clock}; {aborts} have aborted since, {waiting} \
         accesses wait for a granule"
    )]
    Stuck {
        /// The last clock with a commit.
        clock: u64,
        /// Transactions aborted since.
        aborts: u64,
        /// Waiting accesses.
        waiting: usize,
    },
    /// Memory differs from that of the serial execution of the committed transactions.
    #[error(
        "0x{address:x} finally holds {is}; the serial execution in timestamp order leaves {must_be}"
    )]
    Memory {
        /// Byte address of the word.
        address: u64,
        /// Its value.
        is: u32,
        /// The expected value.
        must_be: u32,
    },
}
