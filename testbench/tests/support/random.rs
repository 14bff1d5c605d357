//! Random numbers from a printed, reproducible seed.

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use warpsmith_rtl::Bits;

/// A generator from `WARPSMITH_SEED`, or from the test's own seed. A failing test shows the printed seed.
pub fn generator(default: u64) -> Xoshiro256PlusPlus {
    let given = std::env::var("WARPSMITH_SEED").ok();
    let seed = given.map_or(default, |text| text.parse().expect("WARPSMITH_SEED is a number"));
    println!("random numbers: WARPSMITH_SEED={seed}");
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// A random value, often an extreme one: 0, all ones, one less, a single one or zero, the largest positive
/// number, a small number.
pub fn value(rng: &mut impl Rng, width: u32) -> Bits {
    let bit = rng.random_range(0..width);
    match rng.random_range(0..12) {
        0 => Bits::zeros(width),
        1 => Bits::ones(width),
        2 => Bits::from_fn(width, |i| i > 0),
        3 => Bits::from_fn(width, |i| i == bit),
        4 => Bits::from_fn(width, |i| i != bit),
        5 => Bits::from_fn(width, |i| i + 1 < width),
        6 => Bits::from_fn(width, |i| i + 1 == width),
        7 => Bits::from_words(width, &[rng.random_range(0..8)]),
        8 => Bits::from_words(width, &[rng.random_range(0..256)]),
        _ => Bits::from_fn(width, |_| rng.random()),
    }
}
