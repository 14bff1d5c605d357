//! Counters of quanta.

use super::Gpudet;
use super::slots::Reason;
use crate::config::CommitBy;

/// Counts since the machine was made.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub quanta: u64,
    /// Ends of wavefronts' quanta, by reason.
    pub ended: [u64; Reason::ALL.len()],
    pub entries: u64,
    pub insertions: u64,
    pub queries: u64,
    pub hits: u64,
    pub false_hits: u64,
    pub atomics: u64,
    pub searched_lines: u64,
    pub spilled_lines: u64,
    pub fetched_lines: u64,
    pub barriers: u64,
    pub roll_overs: u64,
    /// Swaps of locks, with commit by locks.
    pub lock_swaps: u64,
    /// Clocks in each mode.
    pub clocks: [u64; 5],
}

impl Gpudet {
    /// Counters for reports. Those of [`super::DETERMINISTIC`] are the same for every seed.
    pub(super) fn all_counters(&self) -> Vec<(&'static str, u64)> {
        let counts = &self.counts;
        let [_, parallel, commit, serial, _] = counts.clocks;
        let reasons = Reason::ALL.map(|reason| (reason.name(), counts.ended[reason as usize]));
        let others = [
            ("quanta", counts.quanta),
            ("log_entries", counts.entries),
            ("bloom_insertions", counts.insertions),
            ("bloom_queries", counts.queries),
            ("bloom_hits", counts.hits),
            ("bloom_false_hits", counts.false_hits),
            ("serial_atomics", counts.atomics),
            ("log_lines_searched", counts.searched_lines),
            ("log_lines_spilled", counts.spilled_lines),
            ("log_lines_fetched", counts.fetched_lines),
            ("global_barriers", counts.barriers),
            ("roll_overs", counts.roll_overs),
            ("lock_swaps", counts.lock_swaps),
            ("clocks_parallel_mode", parallel),
            (self.name_of_commit_clocks(), commit),
            ("clocks_serial_mode", serial),
        ];
        reasons.into_iter().chain(others).collect()
    }

    /// Says whether commit mode has the time of the units: a reference answers at once and reads no depths.
    fn name_of_commit_clocks(&self) -> &'static str {
        let has_time = self.settings.commit == CommitBy::Locks
            || self.units.iter().all(|unit| unit.is_circuit);
        if has_time { "clocks_commit_mode" } else { "clocks_commit_mode_without_units" }
    }
}
