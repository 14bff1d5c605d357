//! When each side of a channel is willing: the stalls of an episode.

use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use warpsmith_blocks::verification::StimulusRng;

/// How willing the environment is, on every channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stalls {
    /// It always offers and always takes.
    None,
    /// Each channel by itself changes between willing, half, rarely, mostly and never, every 64
    /// clocks or more.
    Random,
}

/// The willingness of one channel, drawn 64 clocks at a time.
#[derive(Clone, Debug)]
pub struct Willing {
    rng: Option<StimulusRng>,
    /// The next clocks, the lowest bit first.
    bits: u64,
    left: u32,
    manner: u32,
    /// Times 64 clocks before the manner changes.
    manner_left: u32,
}

impl Willing {
    /// The willingness of the channel of that index in an episode of that seed.
    pub fn new(stalls: Stalls, seed: u64, channel: usize) -> Self {
        let rng = (stalls == Stalls::Random)
            .then(|| StimulusRng::seed_from_u64(seed ^ (channel as u64 + 1).rotate_left(32)));
        Self { rng, bits: 0, left: 0, manner: 0, manner_left: 0 }
    }

    /// Whether the environment is willing at this clock.
    #[inline]
    pub fn next(&mut self) -> bool {
        if self.left == 0 {
            self.refill();
        }
        let willing = self.bits & 1 == 1;
        self.bits >>= 1;
        self.left -= 1;
        willing
    }

    fn refill(&mut self) {
        self.left = 64;
        let Some(rng) = &mut self.rng else {
            self.bits = u64::MAX;
            return;
        };
        if self.manner_left == 0 {
            let choice = rng.next_u32();
            self.manner = choice % 8;
            self.manner_left = 1 + choice / 8 % 4;
        }
        self.manner_left -= 1;
        let mut draw = || rng.next_u64();
        self.bits = match self.manner {
            0..=2 => u64::MAX,
            3 | 4 => draw(),
            5 => draw() & draw() & draw(),
            6 => draw() | draw() | draw(),
            _ => {
                // Never, but for not longer than these clocks.
                self.manner_left = 0;
                0
            }
        };
    }
}
