//! Leases of relativistic coherence.

use serde::{Deserialize, Serialize};

use super::{Config, ImpossibleConfig};

/// Leases, in logical time. The defaults are those of Ren's thesis: 3.4.4, 3.4.5 and table 3.3.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LeasesConfig {
    /// Bits of a logical time.
    pub timestamp_bits: u32,
    /// Shortest lease.
    pub lease_min: u32,
    /// Doublings from the shortest lease to the longest.
    pub lease_doublings: u32,
    /// Longest lease that an L1 keeps of what is granted.
    pub lease_max: u32,
    /// Fetches in flight of a bank of the L2.
    pub mshrs: u32,
    /// Clocks after which a core's logical time goes on without an access.
    pub tick_clocks: u32,
    /// Logical time by which it does.
    pub tick_step: u32,
    /// Whether each launch is judged for sequential consistency.
    pub check: bool,
    /// The thesis's rules as they stand. Programs may see what no sequentially consistent machine shows.
    pub faithful: bool,
}

impl Default for LeasesConfig {
    fn default() -> Self {
        Self {
            timestamp_bits: 32,
            lease_min: 8,
            lease_doublings: 8,
            lease_max: 2048,
            mshrs: 128,
            tick_clocks: 10_000,
            tick_step: 1,
            check: false,
            faithful: false,
        }
    }
}

impl LeasesConfig {
    /// Whether it has the values of no preset.
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Refuses what no cache has.
    pub(super) fn check(&self) -> Result<(), ImpossibleConfig> {
        let ranges = [
            ("leases.timestamp_bits", self.timestamp_bits, 4..=48, "4 to 48 are accepted"),
            ("leases.lease_min", self.lease_min, 1..=1 << 16, "1 to 65536 are accepted"),
            ("leases.lease_doublings", self.lease_doublings, 0..=15, "0 to 15 are accepted"),
            ("leases.lease_max", self.lease_max, 1..=1 << 24, "1 to 16777216 are accepted"),
            ("leases.mshrs", self.mshrs, 1..=1024, "1 to 1024 are accepted"),
            ("leases.tick_clocks", self.tick_clocks, 1..=1 << 30, "1 to 2^30 are accepted"),
            ("leases.tick_step", self.tick_step, 1..=1 << 16, "1 to 65536 are accepted"),
        ];
        for (field, found, range, accepted) in ranges {
            if !range.contains(&found) {
                return Err(ImpossibleConfig::Value { field, found: found.to_string(), accepted });
            }
        }
        let longest = u64::from(self.lease_min) << self.lease_doublings;
        if longest >= (1 << self.timestamp_bits) - 2 {
            return Err(ImpossibleConfig::Value {
                field: "the longest lease, leases.lease_min x 2^lease_doublings,",
                found: longest.to_string(),
                accepted: "less than 2^timestamp_bits - 2 is accepted",
            });
        }
        Ok(())
    }
}

impl Config {
    /// Lines of a set of a bank of the L2, and sets.
    pub(crate) fn sets_of_bank(&self) -> u32 {
        self.l2.bytes / (super::LINE as u32 * self.l2.banks * self.l2.ways)
    }
}
