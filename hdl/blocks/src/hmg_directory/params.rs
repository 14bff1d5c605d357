//! Parameters of the directory, and what follows from them.

use crate::kit::*;
use serde::{Deserialize, Serialize};

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

parameters! {
    /// Parameters of the directory.
    pub struct Params {
        gpms_per_gpu: u32, "GPU modules in a GPU (M)", range(1, 32);
        gpus: u32, "GPUs in the machine (N)", range(1, 32);
        hierarchical: bool, "true: HMG; false: flat NHCC",
            Words("true or false; 1 to 64 sharers: M+N-2 if true, M*N-1 if false");
        sets: u32, "sets", power(2, 1 << 16);
        ways: u32, "entries in a set", range(1, of("64; a power of two for tree_plru", |_| 64));
        lines_per_entry: u32, "cache lines that an entry covers", power(1, 64);
        line_bytes: u32, "bytes in a cache line", power(4, 4096);
        address_bits: u32, "bits of a byte address", Words("offset + index + 1 to 64");
        replacement: Replacement, "which entry of a full set makes room",
            Words("\"lru\", \"tree_plru\" or \"round_robin\"");
    }
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

impl Parameters for Params {
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

    fn check(&self) -> Result<(), ImpossibleParameter> {
        if !(1..=64).contains(&self.sharers()) {
            let (m, n) = (self.gpms_per_gpu, self.gpus);
            let value = format!("{} with {} sharers", self.hierarchical, self.sharers());
            let accepted = format!(
                "1 to 64 sharers; gpms_per_gpu = {m} and gpus = {n} give {} if true, {} if false",
                m + n - 2,
                m * n - 1
            );
            return Err(ImpossibleParameter::new("hierarchical", value, accepted));
        }
        let below_tag = self.offset_bits() + self.index_bits();
        if !(below_tag + 1..=64).contains(&self.address_bits) {
            let accepted = format!(
                "{} to 64: {} for the place in a block of {} bytes, {} for the set, at least 1 for the tag",
                below_tag + 1,
                self.offset_bits(),
                self.lines_per_entry * self.line_bytes,
                self.index_bits()
            );
            return Err(ImpossibleParameter::new("address_bits", self.address_bits, accepted));
        }
        if self.replacement == Replacement::TreePlru && !self.ways.is_power_of_two() {
            let value = format!("tree_plru with ways = {}", self.ways);
            let accepted = "tree_plru with ways a power of two; else lru or round_robin";
            return Err(ImpossibleParameter::new("replacement", value, accepted.to_string()));
        }
        Ok(())
    }
}
