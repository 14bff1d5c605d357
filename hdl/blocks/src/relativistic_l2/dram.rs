//! DRAM behind the bank: data come late and in any order, and now and then something comes that nobody has asked.

use rand::SeedableRng;

use super::channels::{DRAM, FILLED, Fetch, Filled};
use super::params::Params;
use crate::kit::*;

/// Fetches after which answers come in another manner.
const MANNER: u32 = 64;
/// Mean clocks without an answer between answers that nobody has asked for.
const STRAY: u32 = 4096;

/// The fetches that are due.
#[derive(Clone, Debug)]
pub struct Dram {
    mshrs: u32,
    /// Each with the clocks until it is answered.
    due: Vec<(u64, u64)>,
    rng: StimulusRng,
    manner: u32,
    left: u32,
}

impl Dram {
    /// A DRAM that nobody has asked for anything.
    pub fn new(params: &Params) -> Self {
        let rng = StimulusRng::seed_from_u64(1);
        Self { mshrs: params.mshrs, due: Vec::new(), rng, manner: 0, left: 0 }
    }

    /// After how many clocks a fetch is answered: at once, soon, late, or some of them very late.
    fn clocks(&mut self) -> u64 {
        if self.left == 0 {
            self.left = MANNER.max(2 * self.mshrs);
            self.manner = self.rng.random_range(0..8);
        }
        self.left -= 1;
        let late = 40 + 4 * u64::from(self.mshrs);
        match self.manner {
            0 | 1 => 0,
            2 | 3 => self.rng.random_range(0..8),
            4 | 5 => self.rng.random_range(0..64),
            6 if self.rng.random_range(0..4) == 0 => late,
            6 => self.rng.random_range(0..4),
            _ => late + self.rng.random_range(0..8),
        }
    }
}

impl Partner for Dram {
    fn channels(&self) -> &'static [usize] {
        &[FILLED]
    }

    fn observe(&mut self, channel: usize, payload: &[u64]) {
        if channel == DRAM {
            let clocks = self.clocks();
            self.due.push((Fetch::decode(payload).mshr, clocks));
        }
    }

    fn answer(&mut self, _: usize, payload: &mut [u64]) -> bool {
        self.due.iter_mut().for_each(|(_, clocks)| *clocks = clocks.saturating_sub(1));
        let ripe: Vec<_> = (0..self.due.len()).filter(|&at| self.due[at].1 == 0).collect();
        let mshr = match ripe.is_empty() {
            // While something is owed: else a run would not end.
            true if !self.due.is_empty() && self.rng.random_range(0..STRAY) == 0 => {
                self.rng.random_range(0..u64::from(self.mshrs))
            }
            true => return false,
            false => self.due.remove(ripe[self.rng.random_range(0..ripe.len())]).0,
        };
        payload.copy_from_slice(&Filled { mshr }.encode());
        true
    }

    fn owes(&self) -> bool {
        !self.due.is_empty()
    }
}
