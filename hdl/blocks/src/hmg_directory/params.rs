//! Parameters of the directory, and what follows from them.

use serde::{Deserialize, Serialize};
use warpsmith_rtl::address_bits;

use crate::parameters::{ImpossibleParameter, ParameterInfo, Parameters, in_range, power_of_two};

/// Which entry of a full set makes room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Replacement {
    /// The one whose last load, store or atomic is longest ago.
    Lru,
    /// A binary tree of bits that point away from recent use; for ways that are a power of two.
    TreePlru,
    /// One after the other, moving on at each eviction.
    RoundRobin,
}

/// Parameters of the directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// GPU modules (GPMs) in a GPU: M.
    pub gpms_per_gpu: u32,
    /// GPUs in the machine: N.
    pub gpus: u32,
    /// HMG: other GPMs of this GPU and other GPUs are tracked. Else NHCC: all other GPMs are.
    pub hierarchical: bool,
    /// Sets.
    pub sets: u32,
    /// Entries in a set.
    pub ways: u32,
    /// Consecutive cache lines that one entry covers.
    pub lines_per_entry: u32,
    /// Bytes in a cache line.
    pub line_bytes: u32,
    /// Bits of a byte address.
    pub address_bits: u32,
    /// Which entry of a full set makes room.
    pub replacement: Replacement,
}

impl Params {
    /// Sharers that an entry can record: M+N-2 (HMG, section V-A) or M*N-1 (NHCC).
    pub fn sharers(&self) -> u32 {
        match self.hierarchical {
            true => self.gpms_per_gpu + self.gpus - 2,
            false => self.gpms_per_gpu * self.gpus - 1,
        }
    }

    /// Sharers that are GPMs; they are the low bits of the mask.
    pub fn gpm_sharers(&self) -> u32 {
        if self.hierarchical { self.gpms_per_gpu - 1 } else { self.sharers() }
    }

    /// Bits of an address below the block, which is what one entry covers.
    pub fn offset_bits(&self) -> u32 {
        (self.lines_per_entry * self.line_bytes).ilog2()
    }

    /// Bits of the set index, the lowest of the block number.
    pub fn index_bits(&self) -> u32 {
        self.sets.ilog2()
    }

    /// Bits of the tag: the rest of the address.
    pub fn tag_bits(&self) -> u32 {
        self.address_bits - self.offset_bits() - self.index_bits()
    }

    /// Bits of a node's number within its kind, as in requests.
    pub fn node_bits(&self) -> u32 {
        match self.hierarchical {
            true => address_bits(self.gpms_per_gpu.max(self.gpus)),
            false => address_bits(self.gpms_per_gpu * self.gpus),
        }
    }

    /// Number of nodes of the kind "GPM" that a request can name.
    pub fn gpm_nodes(&self) -> u32 {
        if self.hierarchical { self.gpms_per_gpu } else { self.gpms_per_gpu * self.gpus }
    }
}

const INFO: &[ParameterInfo] = &[
    ParameterInfo {
        name: "gpms_per_gpu",
        meaning: "GPU modules in a GPU (M)",
        accepted: "1 to 32",
    },
    ParameterInfo { name: "gpus", meaning: "GPUs in the machine (N)", accepted: "1 to 32" },
    ParameterInfo {
        name: "hierarchical",
        meaning: "true: HMG; false: flat NHCC",
        accepted: "true or false; 1 to 64 sharers: M+N-2 if true, M*N-1 if false",
    },
    ParameterInfo { name: "sets", meaning: "sets", accepted: "a power of two, 2 to 65536" },
    ParameterInfo {
        name: "ways",
        meaning: "entries in a set",
        accepted: "1 to 64; a power of two for tree_plru",
    },
    ParameterInfo {
        name: "lines_per_entry",
        meaning: "cache lines that an entry covers",
        accepted: "a power of two, 1 to 64",
    },
    ParameterInfo {
        name: "line_bytes",
        meaning: "bytes in a cache line",
        accepted: "a power of two, 4 to 4096",
    },
    ParameterInfo {
        name: "address_bits",
        meaning: "bits of a byte address",
        accepted: "offset + index + 1 to 64",
    },
    ParameterInfo {
        name: "replacement",
        meaning: "which entry of a full set makes room",
        accepted: "\"lru\", \"tree_plru\" or \"round_robin\"",
    },
];

impl Parameters for Params {
    fn describe() -> &'static [ParameterInfo] {
        INFO
    }

    fn presets() -> Vec<(&'static str, Self)> {
        let paper = Params {
            gpms_per_gpu: 4,
            gpus: 4,
            hierarchical: true,
            // Table II gives 12K entries; how they are divided into sets is assumed.
            sets: 1024,
            ways: 12,
            lines_per_entry: 4,
            line_bytes: 128,
            address_bits: 48,
            replacement: Replacement::Lru,
        };
        let fpga = Params { gpus: 2, sets: 256, ways: 4, address_bits: 40, ..paper.clone() };
        let tiny = Params {
            gpms_per_gpu: 3,
            gpus: 2,
            sets: 2,
            ways: 2,
            lines_per_entry: 2,
            line_bytes: 4,
            address_bits: 6,
            ..paper.clone()
        };
        vec![("tiny", tiny), ("fpga", fpga), ("paper", paper)]
    }

    fn validate(&self) -> Result<(), ImpossibleParameter> {
        in_range("gpms_per_gpu", self.gpms_per_gpu, 1, 32)?;
        in_range("gpus", self.gpus, 1, 32)?;
        if !(1..=64).contains(&self.sharers()) {
            let (m, n) = (self.gpms_per_gpu, self.gpus);
            return Err(ImpossibleParameter {
                field: "hierarchical",
                value: format!("{} with {} sharers", self.hierarchical, self.sharers()),
                accepted: format!(
                    "1 to 64 sharers; gpms_per_gpu = {m} and gpus = {n} give {} if true, {} if false",
                    m + n - 2,
                    m * n - 1
                ),
            });
        }
        power_of_two("sets", self.sets, 2, 1 << 16)?;
        in_range("ways", self.ways, 1, 64)?;
        power_of_two("lines_per_entry", self.lines_per_entry, 1, 64)?;
        power_of_two("line_bytes", self.line_bytes, 4, 4096)?;
        let below_tag = self.offset_bits() + self.index_bits();
        if !(below_tag + 1..=64).contains(&self.address_bits) {
            return Err(ImpossibleParameter {
                field: "address_bits",
                value: self.address_bits.to_string(),
                accepted: format!(
                    "{} to 64: {} for the place in a block of {} bytes, {} for the set, at least 1 for the tag",
                    below_tag + 1,
                    self.offset_bits(),
                    self.lines_per_entry * self.line_bytes,
                    self.index_bits()
                ),
            });
        }
        if self.replacement == Replacement::TreePlru && !self.ways.is_power_of_two() {
            return Err(ImpossibleParameter {
                field: "replacement",
                value: format!("tree_plru with ways = {}", self.ways),
                accepted: "tree_plru with ways a power of two; else lru or round_robin".to_string(),
            });
        }
        Ok(())
    }
}
