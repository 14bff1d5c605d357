//! Undefined values: noise, the same in every run, so that a circuit that relies on them fails reproducibly.

use super::wide::top_mask;
use crate::ports::words;

/// The splitmix64 sequence. Its state is in that slot of the arena, so that compiled code draws from it too.
#[derive(Clone, Copy)]
pub(super) struct Noise(pub u32);

impl Noise {
    /// What the state of the sequence grows by.
    pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    /// How a word is made of the state: shift right, combine, multiply, twice; and a last shift.
    pub const ROUNDS: [(u32, u64); 2] = [(30, 0xbf58_476d_1ce4_e5b9), (27, 0x94d0_49bb_1331_11eb)];
    /// The last shift.
    pub const LAST: u32 = 31;

    /// Sets the state that every simulation starts with.
    pub fn start(self, arena: &mut [u64]) {
        arena[self.0 as usize] = 0x5eed;
    }

    /// Fills a value of that width.
    pub fn fill(self, arena: &mut [u64], first: usize, width: u32) {
        let last = first + words(width) - 1;
        (first..=last).for_each(|slot| arena[slot] = self.word(arena));
        arena[last] &= top_mask(width);
    }

    fn word(self, arena: &mut [u64]) -> u64 {
        let state = &mut arena[self.0 as usize];
        *state = state.wrapping_add(Self::STEP);
        let round = |z: u64, (by, factor): (u32, u64)| (z ^ z >> by).wrapping_mul(factor);
        let z = Self::ROUNDS.into_iter().fold(*state, round);
        z ^ z >> Self::LAST
    }
}
