//! Transactions of a machine.

use serde::{Deserialize, Serialize};

use super::{Config, ImpossibleConfig};

/// Transactions; for the memory systems that have them. The values of a preset that names none are those of
/// GETM's table 4.2, with 1,024 precise and 256 approximate entries in each partition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TransactionConfig {
    /// Warps of a core that may run transactions at once; 0: no limit.
    pub concurrency: u32,
    /// Banks of a precise metadata table.
    pub ways: u32,
    /// Rows of each.
    pub rows_per_way: u32,
    /// Ways of a recency Bloom filter.
    pub bloom_ways: u32,
    /// Rows of each.
    pub bloom_rows: u32,
    /// Addresses of a stall buffer.
    pub stall_lines: u32,
    /// Accesses to each that it holds.
    pub stall_entries: u32,
    /// Bytes for which metadata is kept together, and that are written at once.
    pub granule_bytes: u32,
    /// Bits of a logical time.
    pub timestamp_bits: u32,
    /// Times of last writes that a partition of WarpTM keeps for temporal conflict detection.
    pub recency_entries: u32,
    /// Bytes of a warp's table of owners, four for each word.
    pub ownership_bytes: u32,
    /// Most accesses of a thread in a transaction.
    pub log_entries: u32,
    /// Clock of the validation units, in MHz.
    pub validation_mhz: f64,
    /// Clock of the commit units, in MHz.
    pub commit_mhz: f64,
    /// Shortest pause after an abort, in clocks of the cores; some are none, and it grows.
    pub back_off: u32,
    /// Restarts after which a warp runs its transactions alone, unless `faithful`; 0: never.
    pub alone_after: u32,
    /// Clocks without a commit after which the next warp that restarts runs its transactions alone, unless
    /// `alone_after` is 0.
    pub livelock_clocks: u64,
    /// The paper's rules as they stand: warps may have the same time, a unit knows who reserved a granule by the
    /// warp's number alone, and no warp runs alone.
    pub faithful: bool,
    /// Clocks without a commit, while transactions run, after which a launch is given up.
    pub patience: u64,
    /// Seed of the pauses.
    pub seed: u64,
}

impl Default for TransactionConfig {
    fn default() -> Self {
        Self {
            concurrency: 8,
            ways: 4,
            rows_per_way: 256,
            bloom_ways: 4,
            bloom_rows: 64,
            stall_lines: 4,
            stall_entries: 4,
            granule_bytes: 32,
            timestamp_bits: 32,
            recency_entries: 683,
            ownership_bytes: 4096,
            log_entries: 512,
            validation_mhz: 1400.0,
            commit_mhz: 700.0,
            back_off: 500,
            alone_after: 64,
            livelock_clocks: 20_000,
            faithful: false,
            patience: 5_000_000,
            seed: 1,
        }
    }
}

impl Config {
    /// Entries of all precise metadata tables, without stashes, and of all recency filters.
    pub fn metadata_entries(&self) -> [u64; 2] {
        let TransactionConfig { ways, rows_per_way, bloom_ways, bloom_rows, .. } =
            self.transactions;
        let partitions = u64::from(self.machine.gpms() * self.l2.banks);
        [(ways, rows_per_way), (bloom_ways, bloom_rows)]
            .map(|(ways, rows)| partitions * u64::from(ways) * u64::from(rows))
    }
}

impl TransactionConfig {
    /// Refuses what no units have, on a machine with so many warps.
    pub(super) fn check(&self, warps: u32) -> Result<(), ImpossibleConfig> {
        let value =
            |field, found: String, accepted| ImpossibleConfig::Value { field, found, accepted };
        let powers = [
            (
                "transactions.rows_per_way",
                self.rows_per_way,
                2..=1 << 16,
                "a power of two, 2 to 65536, is accepted",
            ),
            (
                "transactions.bloom_rows",
                self.bloom_rows,
                2..=1 << 16,
                "a power of two, 2 to 65536, is accepted",
            ),
            (
                "transactions.granule_bytes",
                self.granule_bytes,
                16..=128,
                "a power of two, 16 to 128, is accepted",
            ),
            (
                "transactions.ownership_bytes",
                self.ownership_bytes,
                4..=1 << 20,
                "a power of two, 4 to 1048576, is accepted",
            ),
        ];
        for (field, found, range, accepted) in powers {
            if !found.is_power_of_two() || !range.contains(&found) {
                return Err(value(field, found.to_string(), accepted));
            }
        }
        let numbers = [
            ("transactions.ways", self.ways, 1..=8, "1 to 8 are accepted"),
            ("transactions.bloom_ways", self.bloom_ways, 1..=8, "1 to 8 are accepted"),
            ("transactions.stall_lines", self.stall_lines, 1..=64, "1 to 64 are accepted"),
            ("transactions.stall_entries", self.stall_entries, 1..=64, "1 to 64 are accepted"),
            (
                "transactions.recency_entries",
                self.recency_entries,
                1..=65536,
                "1 to 65536 are accepted",
            ),
            ("transactions.log_entries", self.log_entries, 1..=3000, "1 to 3000 are accepted"),
        ];
        for (field, found, range, accepted) in numbers {
            if !range.contains(&found) {
                return Err(value(field, found.to_string(), accepted));
            }
        }
        let bits = warps.next_power_of_two().ilog2().max(1) + 2;
        if self.timestamp_bits < bits || self.timestamp_bits > 48 {
            let accepted = "two more than the bits of a warp's number, to 48, are accepted";
            return Err(value(
                "transactions.timestamp_bits",
                self.timestamp_bits.to_string(),
                accepted,
            ));
        }
        for (field, found) in [
            ("transactions.validation_mhz", self.validation_mhz),
            ("transactions.commit_mhz", self.commit_mhz),
        ] {
            if !(1.0..=1e6).contains(&found) {
                return Err(value(field, found.to_string(), "1 to 1000000 are accepted"));
            }
        }
        Ok(())
    }
}
