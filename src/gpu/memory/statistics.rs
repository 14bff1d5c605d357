//! Counters.

use serde::Serialize;

/// Counts of a run, from the beginning of the machine.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Statistics {
    /// Lines that warps load, store to or do atomics in, after coalescing.
    pub lines: Lines,
    /// L1 caches: lines loaded.
    pub l1: Hits,
    /// Texture caches, in machines that have them and runs that read textures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texture: Option<Hits>,
    /// L2 caches of GPMs that are not at home for the line.
    pub l2_remote: Hits,
    /// L2 caches of GPMs at home for the line.
    pub l2_home: Hits,
    /// Lines that DRAM gave and took.
    pub dram: Dram,
    /// Bytes between GPMs and between GPUs.
    pub traffic: Traffic,
    /// Costs of coherence.
    pub coherence: Costs,
}

/// Lines that warps requested.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "kinds of access")]
pub struct Lines {
    pub loads: u64,
    pub stores: u64,
    pub atomics: u64,
}

/// Lookups of loads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Hits {
    /// Hits.
    pub hits: u64,
    /// Misses, and loads that may not hit here.
    pub misses: u64,
}

/// Transfers of DRAM, in lines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "ways")]
pub struct Dram {
    pub reads: u64,
    pub writes: u64,
    /// Transfers whose row was open.
    pub row_hits: u64,
}

/// Traffic of links.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Traffic {
    /// Bytes between GPMs of one GPU.
    pub between_gpms: u64,
    /// Bytes between GPUs.
    pub between_gpus: u64,
    /// The link of each GPM to the others of its GPU.
    pub gpm_links: Vec<Link>,
    /// The link of each GPU to the others.
    pub gpu_links: Vec<Link>,
    /// The link of the GPU to the directory that it shares with the CPUs, in systems that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<Link>,
    /// Bytes that L1s received, in machines with such a directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub into_l1s: Option<u64>,
}

/// A link, both ways.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Link {
    /// Its GPM or GPU: `gpu0.gpm1`, or `gpu0`.
    pub port: String,
    /// What was sent.
    pub out: Way,
    /// What was received.
    #[serde(rename = "in")]
    pub into: Way,
}

/// One way of a link.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Way {
    /// Messages.
    pub messages: u64,
    /// Their bytes, headers included.
    pub bytes: u64,
    /// The share of the bandwidth that they took, of all clocks until now.
    pub utilisation: f64,
}

/// Costs of coherence.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Costs {
    /// Invalidations sent.
    pub invalidations: u64,
    /// Lines that they found.
    pub invalidated_lines: u64,
    /// Lines that acquires dropped from L2 caches.
    pub dropped_lines: u64,
    /// Lines that acquires and launches dropped from L1 caches, in systems that count them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emptied_lines: Option<u64>,
    /// Loads that hit in an L1 that owns the line, in systems with owners.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owned_hits: Option<u64>,
    /// Releases and fences beyond a CTA.
    pub releases: u64,
    /// Acquires and fences beyond a CTA.
    pub acquires: u64,
}
