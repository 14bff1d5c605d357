//! Times at which granules are reserved and accessed.

use super::{Phases, Pool};
use crate::kit::*;

/// When granules are reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// At the present time.
    Calm,
    /// At any time of so many bits.
    Scattered(u32),
    /// At one of these two.
    Near([u64; 2]),
}

impl Phases {
    pub(super) fn begin_era(&mut self, rng: &mut StimulusRng) {
        let bits = self.params.timestamp_bits;
        let scale = if rng.random() { bits } else { rng.random_range(1..=bits) };
        let any = rng.next_u64() >> (64 - scale);
        self.era = match (self.pool, rng.random_range(0..4)) {
            (Pool::Changing, 0) => Era::Near([any, any ^ 1 << rng.random_range(0..scale)]),
            (Pool::Changing, 1 | 2) => Era::Scattered(scale),
            _ => Era::Calm,
        };
        self.is_first = true;
        self.now = match self.era {
            Era::Calm => 0,
            _ => any.min(self.params.last_timestamp().saturating_sub(4)),
        };
    }

    pub(super) fn time_of_era(&self, rng: &mut StimulusRng) -> u64 {
        let last = self.params.last_timestamp() - 1;
        let time = match self.era {
            Era::Calm => self.now,
            Era::Scattered(scale)
                if scale == self.params.timestamp_bits && rng.random_range(0..32) == 0 =>
            {
                last
            }
            Era::Scattered(scale) => rng.next_u64() >> (64 - scale),
            Era::Near(times) => times[rng.random_range(0..2)],
        };
        time.min(last)
    }

    /// A time with one more bit, and perhaps none of the lower ones.
    pub(super) fn one_bit_later(&mut self, time: u64, rng: &mut StimulusRng) -> u64 {
        let last = self.params.last_timestamp();
        let mut free = (0..8).map(|_| self.later_bits.take(rng)).filter(|bit| time & bit == 0);
        let Some(bit) = free.next().filter(|bit| time | bit < last) else { return time };
        let below = if rng.random_range(0..4) == 0 { bit - 1 } else { 0 };
        (time | bit) & !below
    }

    /// A time near the present one.
    pub(super) fn time(&self, rng: &mut StimulusRng) -> u64 {
        let latest = self.params.last_timestamp() - 1;
        match rng.random_range(0..8) {
            0 => self.now.saturating_sub(rng.random_range(0..8)),
            1 => (self.now + rng.random_range(0..8)).min(latest),
            _ => self.now.min(latest),
        }
    }
}
