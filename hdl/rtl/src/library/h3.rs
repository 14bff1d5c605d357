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

    /// The function for a seed whose matrix has full rank and no zero column: each bit of the key moves the hash, and
    /// every hash is that of a key if a key has as many bits at least. `hash_bits` is 1 to 64.
    pub fn of_full_rank(key_bits: u32, hash_bits: u32, seed: u64) -> Self {
        let mut state = seed;
        let mut column = || loop {
            let column = split_mix(&mut state) >> (64 - hash_bits);
            if column != 0 {
                return column;
            }
        };
        loop {
            let columns: Vec<u64> = (0..key_bits).map(|_| column()).collect();
            if rank(&columns) == key_bits.min(hash_bits) {
                let row =
                    |row| Bits::from_fn(key_bits, |bit| columns[bit as usize] >> row & 1 == 1);
                return Self { rows: (0..hash_bits).map(row).collect() };
            }
        }
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

/// The number of linearly independent columns.
fn rank(columns: &[u64]) -> u32 {
    let mut independent: Vec<u64> = Vec::new();
    for column in columns {
        let rest = independent.iter().fold(*column, |rest, other| rest.min(rest ^ other));
        if rest != 0 {
            independent.push(rest);
            independent.sort_unstable_by(|a, b| b.cmp(a));
        }
    }
    independent.len() as u32
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_of_full_rank_has_every_hash_and_each_bit_of_a_key_moves_it() {
        for (key_bits, hash_bits) in [(2, 1), (3, 2), (2, 6), (10, 10), (12, 8)] {
            for seed in 0..20 {
                let hash = H3::of_full_rank(key_bits, hash_bits, seed);
                let of_key = |key: u64| hash.hash(&[key]);
                assert!((0..key_bits).all(|bit| of_key(1 << bit) != 0), "{key_bits}, {seed}");
                let mut hashes: Vec<_> = (0..1 << key_bits).map(of_key).collect();
                hashes.sort_unstable();
                hashes.dedup();
                let all = 1 << key_bits.min(hash_bits);
                assert_eq!(hashes.len(), all, "{key_bits} to {hash_bits}, seed {seed}");
            }
        }
    }
}
