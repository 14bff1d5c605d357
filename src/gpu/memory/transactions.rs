//! Counts of transactions.

use std::collections::BTreeMap;

use serde::Serialize;

/// Counts of a run with transactions, of lanes unless something else is named.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TransactionCounts {
    /// Transactions that committed.
    pub commits: u64,
    /// Aborts by reason: LANE for a conflict with a lane of the same warp, VALIDATION for a value that has
    /// changed (WarpTM), EARLY for one that is going to (EAPG), the others as the validation unit tells them.
    pub aborts: BTreeMap<&'static str, u64>,
    /// Those that only loaded and committed without validation (WarpTM).
    pub silent_commits: u64,
    /// Loads that waited for a commit (EAPG).
    pub paused: u64,
    /// Clocks that warps run transactions, restarts included.
    pub execution_clocks: u64,
    /// Clocks that warps wait to begin: for others of their core, or in a pause after an abort.
    pub wait_clocks: u64,
    /// Times that a warp ran its transaction alone.
    pub alone: u64,
    /// Roll-overs of the timestamps.
    pub roll_overs: u64,
    /// Lines of redo logs that were written.
    pub log_lines: u64,
    /// The longest redo log of a thread, in entries.
    pub longest_log: u64,
    /// Lines of redo logs that left the L1.
    pub spilled_lines: u64,
    /// Bytes between cores and partitions, of all accesses.
    pub crossbar_bytes: u64,
    /// Accesses that validation units decided on, retries included.
    pub validations: u64,
    /// Pairs of committed transactions whose order the oracle has judged.
    pub conflicts: u64,
    /// Launches that were found serializable.
    pub serializable_launches: u64,
}

impl TransactionCounts {
    /// Aborts for any reason.
    pub fn aborted(&self) -> u64 {
        self.aborts.values().sum()
    }

    /// Aborts for 1,000 commits.
    pub fn aborts_per_1000(&self) -> f64 {
        self.aborted() as f64 * 1000.0 / self.commits.max(1) as f64
    }
}
