//! An episode: a circuit between a reset and its rest. What decides all that happens in it, as a
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
    /// The clock since reset before which it is not made; 0: as soon as the channel is free.
    #[serde(default)]
    pub clock: u64,
}

/// Where an episode's requests come from.
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
    /// These.
    Offers(&'a [Offer]),
}

/// Everything that decides what happens in an episode.
#[derive(Clone, Debug)]
pub struct Episode<'a> {
    /// Values of the straps.
    pub straps: &'a [u64],
    /// How willing the environment is.
    pub stalls: Stalls,
    /// Seed of the stalls.
    pub stall_seed: u64,
    /// Whether the reset that begins the episode comes in the middle of other requests, which
    /// nobody judges.
    pub warm: bool,
    /// The requests.
    pub source: Source<'a>,
}

/// An episode in a file, with the design that it is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replay {
    /// Name of the block.
    pub block: String,
    /// Its parameters.
    pub params: serde_json::Value,
    /// Values of the straps.
    pub straps: Vec<u64>,
    /// How willing the environment is.
    pub stalls: Stalls,
    /// The seed of the stalls.
    pub stall_seed: u64,
    /// Whether the reset comes in the middle of other requests.
    #[serde(default)]
    pub warm: bool,
    /// What is offered, in order on each channel.
    pub offers: Vec<Offer>,
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

/// What has happened in an episode.
#[derive(Clone, Debug, Default)]
pub struct EpisodeStats {
    /// Requests accepted, on all input channels.
    pub accepted: u64,
    /// Clocks after reset.
    pub clocks: u64,
    /// Clocks from the first acceptance to the last, both counted.
    pub busy_clocks: u64,
    /// Transfers on each channel.
    pub transfers: Vec<u64>,
}
