//! An episode: the operation of a circuit from a reset until it is idle. Everything that determines it, as a
//! value and as a file.

use serde::{Deserialize, Serialize};

use crate::agents::Stalls;

/// One payload offered on an input channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// Index of the channel.
    pub channel: usize,
    /// The payload's words.
    pub payload: Vec<u64>,
    /// Earliest clock since reset of the offer; 0: as soon as the channel is free.
    #[serde(default)]
    pub clock: u64,
}

/// The source of an episode's requests.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// So many requests from the stream of that index and this seed.
    Stream {
        /// Index in the design's streams.
        stream: usize,
        /// Seed.
        seed: u64,
        /// Number of requests.
        requests: u64,
    },
    /// Recorded offers.
    Offers(&'a [Offer]),
}

/// Everything that determines an episode.
#[derive(Clone, Debug)]
pub struct Episode<'a> {
    /// Values of the straps.
    pub straps: &'a [u64],
    /// Stalls of the environment.
    pub stalls: Stalls,
    /// Seed of the stalls.
    pub stall_seed: u64,
    /// Whether the initial reset comes in the middle of other requests, which are not judged.
    pub warm: bool,
    /// The requests.
    pub source: Source<'a>,
}

/// A recorded episode in a file, with its design.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replay {
    /// Name of the block.
    pub block: String,
    /// Its parameters.
    pub params: serde_json::Value,
    /// Values of the straps.
    pub straps: Vec<u64>,
    /// Stalls of the environment.
    pub stalls: Stalls,
    /// The seed of the stalls.
    pub stall_seed: u64,
    /// Whether the reset comes in the middle of other requests.
    #[serde(default)]
    pub warm: bool,
    /// Clocks of a reset.
    #[serde(default = "one")]
    pub reset_clocks: u64,
    /// Offers, in order on each channel.
    pub offers: Vec<Offer>,
}

fn one() -> u64 {
    1
}

impl Replay {
    /// The episode.
    pub fn episode(&self) -> Episode<'_> {
        Episode {
            straps: &self.straps,
            stalls: self.stalls,
            stall_seed: self.stall_seed,
            warm: self.warm,
            source: Source::Offers(&self.offers),
        }
    }
}

/// Counts of an episode.
#[derive(Clone, Debug, Default)]
pub struct EpisodeStats {
    /// Requests accepted, on all input channels.
    pub accepted: u64,
    /// Clocks after reset.
    pub clocks: u64,
    /// Clocks from the first acceptance to the last, both included.
    pub busy_clocks: u64,
    /// Transfers on each channel.
    pub transfers: Vec<u64>,
}
