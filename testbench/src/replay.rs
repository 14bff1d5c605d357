//! An episode that can be run again, from a file.

use serde::{Deserialize, Serialize};

use crate::agents::Stalls;
use crate::lockstep::{Episode, Source};

/// One payload offered on an input channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// Index of the channel.
    pub channel: usize,
    /// The payload's words.
    pub payload: Vec<u64>,
}

/// An episode: everything that decides what happens in it.
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
            source: Source::Offers(&self.offers),
        }
    }
}
