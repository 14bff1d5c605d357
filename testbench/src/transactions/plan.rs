//! What a run is to be, and what it came to.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use thiserror::Error;
use warpsmith_blocks::verification::StimulusRng;

use super::program::Program;
use super::timestamp::Timestamps;
use crate::serializability::{Summary, Violation};

/// How much runs, and how.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Cores.
    pub cores: u64,
    /// Warps, of all cores.
    pub warps: u64,
    /// Warps of a core that run transactions at once.
    pub concurrency: u64,
    /// Lanes of a warp.
    pub lanes: u64,
    /// Transactions that each lane commits.
    pub transactions: u64,
    /// Bytes of a granule.
    pub granule_bytes: u64,
    /// Clocks that a message between a core and a partition takes at most.
    pub latency: u64,
    /// Clocks of the pause after an abort, for each abort so far.
    pub back_off: u64,
    /// When new transactions begin.
    pub begins: Begins,
    /// How time advances.
    pub timestamps: Timestamps,
    /// Seed of everything random.
    pub seed: u64,
}

/// After which logical time new transactions begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Begins {
    /// The latest that any warp of their core was told, as in the simulator of GETM's authors.
    AfterCore,
    /// The latest that their warp was told: 0 for its first ones (4.4.1).
    AfterWarp,
}

/// Where transactions come from, and what they find.
pub trait Source {
    /// The transaction of that number. Those of the lanes of a warp follow each other; so do those of
    /// warp after warp, and then come each lane's second ones.
    fn program(&self, rng: &mut StimulusRng, number: u64) -> Box<dyn Program>;

    /// What a word holds at first.
    fn initial(&self, address: u64) -> u32;
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The oracle's.
    pub summary: Summary,
    /// Aborts by reason.
    pub aborts: BTreeMap<&'static str, u64>,
    /// Clocks.
    pub clocks: u64,
    /// Times that timestamps rolled over.
    pub roll_overs: u64,
    /// The most accesses that waited at once, in all partitions.
    pub most_waiting: usize,
    /// The most granules that were waited for at once, in all partitions.
    pub most_waited_for: usize,
    /// The sums, over clocks in which any waited, of accesses and of granules that they waited for.
    pub waiting: (u64, u64),
    /// The values of memory at the end.
    pub memory: HashMap<u64, u32>,
}

/// Why a run is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RunError {
    /// It is not serializable.
    #[error(transparent)]
    Violation(#[from] Violation),
    /// A partition says, or does, what it must not.
    #[error("partition {partition}, clock {clock}: {what}")]
    Wrong {
        /// Its number.
        partition: usize,
        /// When.
        clock: u64,
        /// What is wrong.
        what: String,
    },
    /// Nothing is committed any more.
    #[error(
        "no transaction has committed since clock {clock}; {aborts} have aborted since, {waiting} \
         accesses wait for a granule"
    )]
    Stuck {
        /// The last clock with a commit.
        clock: u64,
        /// Transactions that have aborted since.
        aborts: u64,
        /// Accesses that wait.
        waiting: usize,
    },
    /// Memory is not what the committed transactions make of it, one after the other.
    #[error(
        "0x{address:x} holds {is} in the end; the committed transactions in the order of time \
         leave {must_be}"
    )]
    Memory {
        /// Byte address of the word.
        address: u64,
        /// Its value.
        is: u32,
        /// The value that it must have.
        must_be: u32,
    },
}
