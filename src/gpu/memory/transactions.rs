//! Counts of transactions.

use std::collections::BTreeMap;
use std::ops::AddAssign;

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
    /// What validation units count, if there are any (GETM).
    pub units: Option<UnitCounts>,
}

/// What GETM's validation units count, in all partitions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct UnitCounts {
    /// Most addresses at once for which accesses wait in stall buffers (figure 4.15).
    pub most_queued_addresses: u64,
    /// Accesses that wait in stall buffers, summed over clocks.
    pub queued_access_clocks: u64,
    /// Addresses that they wait for, summed over clocks.
    pub queued_address_clocks: u64,
    /// Requests to the overflow spaces of metadata tables in memory.
    pub overflow_requests: u64,
    /// Clocks of the metadata tables, if they were counted.
    pub metadata: Option<MetadataClocks>,
}

impl UnitCounts {
    /// Mean number of accesses that wait for an address, if any ever waited (figure 4.16).
    pub fn requests_per_address(&self) -> Option<f64> {
        mean(self.queued_access_clocks, self.queued_address_clocks)
    }
}

/// Requests to metadata tables, and clocks of their circuit (figure 4.13).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct MetadataClocks {
    /// Requests.
    pub requests: u64,
    /// Their clocks.
    pub clocks: u64,
    /// Requests that met a table more than 90 % full.
    pub crowded_requests: u64,
    /// Their clocks.
    pub crowded_clocks: u64,
}

impl MetadataClocks {
    /// Mean clocks of a request; none without requests.
    pub fn mean(&self) -> Option<f64> {
        mean(self.clocks, self.requests)
    }

    /// The same for those that met a table more than 90 % full.
    pub fn crowded_mean(&self) -> Option<f64> {
        mean(self.crowded_clocks, self.crowded_requests)
    }
}

impl AddAssign for MetadataClocks {
    fn add_assign(&mut self, other: Self) {
        self.requests += other.requests;
        self.clocks += other.clocks;
        self.crowded_requests += other.crowded_requests;
        self.crowded_clocks += other.crowded_clocks;
    }
}

fn mean(sum: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
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
