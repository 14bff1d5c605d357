//! H3 hashing: every bit of the hash is the parity of a chosen subset of the key's bits
//! (Carter and Wegman, "Universal classes of hash functions", 1979).

use crate::{Bits, Signal};

/// One function of the H3 family, for hardware and for reference models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct H3 {
    /// For each bit of the hash, the key bits that enter it.
    rows: Vec<Bits>,
}

impl H3 {
    /// The function from `key_bits` to `hash_bits` for a seed.
    pub fn new(key_bits: u32, hash_bits: u32, seed: u64) -> Self {
        let mut state = seed;
        let mut row = || Bits::from_fn(key_bits, |_| split_mix(&mut state) >> 63 == 1);
        Self { rows: (0..hash_bits).map(|_| row()).collect() }
    }

    /// The hash of a key, as hardware.
    ///
    /// # Panics
    /// If the key has another width than the function.
    #[track_caller]
    pub fn circuit<'m>(&self, key: Signal<'m>) -> Signal<'m> {
        let m = key.module();
        let bit = |row: &Bits| (key & m.constant(row.clone())).parity();
        m.concat_low_first(&self.rows.iter().map(bit).collect::<Vec<_>>())
    }

    /// The hash of a key, as a number: the key's words least significant first.
    pub fn hash(&self, key: &[u64]) -> u64 {
        let parity = |row: &Bits| {
            let overlap = row.words().iter().zip(key).map(|(r, k)| r & k);
            u64::from(overlap.fold(0, |sum, word| sum ^ word.count_ones()) & 1)
        };
        (0..).zip(&self.rows).map(|(i, row)| parity(row) << i).sum()
    }
}

/// Steele, Lea and Flood's SplitMix64. It is written out because these matrices are part of the hardware and
/// must not change, whereas a random number crate may change its streams.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
