//! Random pairs of circuits, and the verdicts of `prove --equiv` on them.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::circuit::Circuit;
use super::equivalence;
use super::support::prove::json;

/// Verdict of `prove --equiv` on a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    pub seed: u64,
    pub verdict: String,
    pub code: i32,
    pub from_reset: bool,
    /// A simulator shows an undefined value that does not matter.
    pub is_noted: bool,
}

/// The pair of a seed.
pub fn pair(seed: u64) -> Option<[Circuit; 2]> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let a = Circuit::random(&mut rng);
    // Each undefined bit of the second doubles the states that the judge visits.
    let b = std::iter::repeat_with(|| a.changed(&mut rng)).take(50).find(|b| b.sites() <= 6)?;
    Some([a, b])
}

impl Verdict {
    pub fn of(seed: u64) -> Option<Self> {
        let [a, b] = pair(seed)?;
        let ended = equivalence(&a.verilog(), &b.verilog());
        let record = json(&ended);
        Some(Self {
            seed,
            verdict: record["verdict"].as_str().expect("a verdict").to_string(),
            code: ended.code,
            from_reset: record["from"] != "power-up",
            is_noted: record["notes"].to_string().contains("a simulator shows"),
        })
    }
}
