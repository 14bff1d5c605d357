//! Undefined values: noise, the same in every run, so that a circuit that relies on them fails reproducibly.

use super::wide::top_mask;

/// The splitmix64 sequence.
pub(super) struct Noise(u64);

impl Noise {
    /// The sequence that every simulation starts with.
    pub fn new() -> Self {
        Self(0x5eed)
    }

    /// Fills a value of that width.
    pub fn fill(&mut self, value: &mut [u64], width: u32) {
        value.iter_mut().for_each(|word| *word = self.word());
        if let Some(top) = value.last_mut() {
            *top &= top_mask(width);
        }
    }

    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}
