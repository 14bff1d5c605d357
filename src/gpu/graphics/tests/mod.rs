//! The fixed-function stages against slow references and by hand.

mod after_groups;
mod assembly;
mod frames;
mod output;
mod planted;
mod raster;
mod reference;
mod rounded;
mod sampling;
mod scene;
mod speed;
mod split;
mod ties;
mod view;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A generator with a seed that is printed, and can be given: `GRAPHICS_SEED=7 cargo test ...`.
fn random(default: u64) -> Xoshiro256PlusPlus {
    let given = std::env::var("GRAPHICS_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = given.unwrap_or(default);
    println!("GRAPHICS_SEED={seed}");
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// One of a list.
fn pick<T: Copy>(random: &mut Xoshiro256PlusPlus, of: &[T]) -> T {
    of[random.random_range(0..of.len())]
}
