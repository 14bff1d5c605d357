//! An episode that can be run again, from a file; and what of an episode is kept for that.

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

/// The latest payloads of an episode. Nothing is allocated once it is full.
#[derive(Debug)]
pub struct Latest {
    capacity: usize,
    /// Words of room for each payload.
    stride: usize,
    /// For each payload its clock and its channel, in the order of their places.
    heads: Vec<(u64, usize)>,
    /// Payloads, each in its place.
    words: Vec<u64>,
    /// The next place to be used.
    next: usize,
}

impl Latest {
    /// Room for so many payloads of up to so many words.
    pub fn new(capacity: usize, stride: usize) -> Self {
        Self { capacity, stride, heads: Vec::new(), words: vec![0; capacity * stride], next: 0 }
    }

    /// Keeps a payload; if there is no room, in the place of the oldest.
    #[inline]
    pub fn keep(&mut self, clock: u64, channel: usize, payload: &[u64]) {
        match self.heads.get_mut(self.next) {
            Some(head) => *head = (clock, channel),
            None => self.heads.push((clock, channel)),
        }
        let place = &mut self.words[self.next * self.stride..][..self.stride];
        place.iter_mut().zip(payload).for_each(|(to, from)| *to = *from);
        self.next = if self.next + 1 == self.capacity { 0 } else { self.next + 1 };
    }

    /// Whether payloads may have been dropped.
    pub fn is_full(&self) -> bool {
        self.heads.len() == self.capacity
    }

    /// Clocks, channels and places of payloads, the latest last. A place may be longer than the
    /// payload.
    pub fn iter(&self) -> impl Iterator<Item = (u64, usize, &[u64])> {
        let oldest = if self.is_full() { self.next } else { 0 };
        let places = (oldest..self.heads.len()).chain(0..oldest);
        places.map(|place| {
            let (clock, channel) = self.heads[place];
            (clock, channel, &self.words[place * self.stride..][..self.stride])
        })
    }
}
