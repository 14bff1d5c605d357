//! A warp of a core with its transactions, and a transactional access.

use std::collections::{BTreeMap, HashMap, VecDeque};

use warpsmith_blocks::getm_validation::{Access, Outcome};

use super::log::Log;

/// What a warp does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum State {
    /// It runs no transaction.
    #[default]
    Outside,
    /// It waits to begin.
    Waits,
    /// Its lanes run transactions.
    Runs,
    /// They are at their end, and accesses are outstanding.
    Ends,
    /// Its log is gone through for conflicts of its lanes, and then sent.
    Checks,
    /// Of WarpTM: partitions validate its log.
    Validates,
    /// Of WarpTM: partitions write its log.
    Commits,
}

/// A warp.
#[derive(Debug, Default)]
pub(super) struct Warp {
    pub state: State,
    /// Lanes of the transaction, and those of them that have aborted.
    pub lanes: u32,
    pub aborted: u32,
    /// The logical time of the transactions.
    pub warpts: u64,
    /// That of the last ones; none at first and after a roll-over.
    pub past: Option<u64>,
    /// The latest `wts` or `rts` that it was told since.
    pub told: Option<u64>,
    /// Its place among those of its core that may run transactions; it keeps it until all lanes have committed.
    pub is_admitted: bool,
    /// Restarts since it was admitted.
    pub restarts: u64,
    /// Counts its transactions, so that late answers are known.
    pub serial: u64,
    /// Accesses without an answer.
    pub outstanding: u32,
    /// Granules with an unanswered access.
    pub granules: HashMap<u64, Granule>,
    /// Writes that validation units have counted, by granule.
    pub reserved: BTreeMap<u64, u64>,
    /// Writes in its logs that are not released.
    pub logged: u64,
    pub log: Log,
    /// Lines of the log that have yet to come back to the L1.
    pub fetches: u32,
    /// When the state began, in clocks.
    pub since: u64,
}

impl Warp {
    /// Lanes that have not aborted.
    pub fn running(&self) -> u32 {
        self.lanes & !self.aborted
    }
}

/// A granule with an unanswered access of a warp.
#[derive(Debug)]
pub(super) struct Granule {
    /// That access.
    pub first: u32,
    /// Accesses that wait for its answer.
    pub behind: VecDeque<u32>,
}

/// Accesses of lanes of a warp to a granule, by one instruction: one message.
#[derive(Debug)]
pub(super) struct Asked {
    pub core: u32,
    /// The warp's number in the machine.
    pub number: u64,
    pub serial: u64,
    pub warpts: u64,
    /// Byte address of the granule.
    pub address: u64,
    pub lanes: u32,
    /// The access of the cores, of a load.
    pub access: Option<u32>,
    /// Words that are stored to and not yet counted by the validation unit: each is an item of the log.
    pub words: u64,
    /// Those that are.
    pub granted: u64,
    pub outcome: Outcome,
    pub timestamp: u64,
    /// The unit has decided; the answer is under way.
    pub is_decided: bool,
    /// Later loads of the granule, which the answer is for too.
    pub joined: Vec<u32>,
    /// The message that brings it.
    pub message: u32,
}

impl Asked {
    /// As the validation unit is asked.
    pub fn access(&self) -> Access {
        let Self { address, number, warpts, .. } = *self;
        Access { address, store: self.access.is_none(), warp: number, warpts }
    }
}
