//! Quanta of a deterministic machine.

use serde::{Deserialize, Serialize};

use super::{Config, ImpossibleConfig};

/// Quanta, store buffers and commit units of GPUDet, for the memory system of that name. The defaults are those of the
/// thesis: sections 5.2, 6.1 and table 5.2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct QuantaConfig {
    /// Instructions of a wavefront in a quantum.
    pub instructions: u32,
    /// Barrier termination avoidance: a workgroup may pass its barriers within a quantum (4.2.1).
    pub bta: bool,
    /// Deterministic workgroup partitioning: a slot may begin another workgroup within a quantum (4.2.2).
    pub dwp: bool,
    /// Workgroups that may pass a barrier within a quantum.
    pub barriers: BarrierRule,
    /// Clocks of a barrier of the whole GPU.
    pub barrier_clocks: u32,
    /// Entries of a wavefront's store buffer.
    pub log_entries: u32,
    /// Bits of a wavefront's Bloom filter, in four sub-arrays; 0: an exact set.
    pub bloom_bits: u32,
    /// Bytes that have a depth of their own.
    pub granularity: Granularity,
    /// Bytes of the Z-cache of a partition.
    pub z_cache_bytes: u32,
    /// Clock of the commit units, in MHz.
    pub z_mhz: f64,
    /// Bits of a quantum's number.
    pub quantum_bits: u32,
    /// Atomics that may overlap in serial mode (4.5).
    pub serialization: Serialization,
    /// Commit of store buffers.
    pub commit: CommitBy,
    /// Order of accesses to shared memory within a workgroup.
    pub shared_order: SharedOrder,
}

/// Commit of store buffers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommitBy {
    /// By the Z-buffer commit unit of each partition (4.4).
    #[default]
    Zbuffer,
    /// By locks of lines, to compare with (6.2.2).
    Locks,
}

/// Workgroups that may pass a barrier within a quantum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BarrierRule {
    /// Workgroups without a store to global memory in this quantum.
    #[default]
    Stores,
    /// All workgroups (4.2.1). Programs without races may end wrong.
    Thesis,
}

/// Bytes that have a depth of their own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Granularity {
    /// A word of 32 bits (4.6).
    #[default]
    Word,
    /// A byte.
    Byte,
}

/// Atomics that may overlap in serial mode.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Serialization {
    /// Atomics of one compute unit.
    #[default]
    Unit,
    /// No atomics.
    Wavefront,
}

/// Order of accesses to shared memory within a workgroup.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SharedOrder {
    /// In time (4.6). Races in shared memory are not deterministic.
    #[default]
    Thesis,
    /// By the count of instructions, then by wavefront.
    Deterministic,
}

impl Default for QuantaConfig {
    fn default() -> Self {
        Self {
            instructions: 200,
            bta: true,
            dwp: true,
            barriers: BarrierRule::default(),
            barrier_clocks: 0,
            log_entries: 1024,
            bloom_bits: 1024,
            granularity: Granularity::default(),
            z_cache_bytes: 16384,
            z_mhz: 650.0,
            quantum_bits: 21,
            serialization: Serialization::default(),
            commit: CommitBy::default(),
            shared_order: SharedOrder::default(),
        }
    }
}

impl QuantaConfig {
    /// Whether it has the values of no preset.
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Refuses what no unit has, on a machine with so many warps.
    pub(super) fn check(&self, warps: u32) -> Result<(), ImpossibleConfig> {
        let ranges = [
            ("quanta.instructions", self.instructions, 1..=65536, "1 to 65536 are accepted"),
            ("quanta.log_entries", self.log_entries, 32..=4096, "32 to 4096 are accepted"),
            ("quanta.quantum_bits", self.quantum_bits, 1..=47, "1 to 47 are accepted"),
        ];
        let value =
            |field, found: String, accepted| ImpossibleConfig::Value { field, found, accepted };
        for (field, found, range, accepted) in ranges {
            if !range.contains(&found) {
                return Err(value(field, found.to_string(), accepted));
            }
        }
        if self.bloom_bits != 0 && !matches!(self.bloom_bits, 128 | 256 | 512 | 1024) {
            let accepted = "128, 256, 512, 1024, and 0 for an exact set are accepted";
            return Err(value("quanta.bloom_bits", self.bloom_bits.to_string(), accepted));
        }
        let z_cache = self.z_cache_bytes;
        if !z_cache.is_power_of_two() || !(1024..=512 << 10).contains(&z_cache) {
            let accepted = "a power of two, 1024 to 524288, is accepted";
            return Err(value("quanta.z_cache_bytes", z_cache.to_string(), accepted));
        }
        if !(1.0..=1e6).contains(&self.z_mhz) {
            let accepted = "1 to 1000000 are accepted";
            return Err(value("quanta.z_mhz", self.z_mhz.to_string(), accepted));
        }
        match warps > 1 << 16 {
            true => Err(value("machine", format!("{warps} warps"), "65536 warps are accepted")),
            false => Ok(()),
        }
    }
}

impl Config {
    /// Bits of a warp's number in the machine: m of a depth (4.4.2).
    pub fn warp_bits(&self) -> u32 {
        let warps = self.machine.cores() * self.core.warps;
        warps.next_power_of_two().ilog2().max(1)
    }
}
