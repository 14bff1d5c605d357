//! Granules that have all their candidates in common, so that some of them must leave the banks.

use crate::getm_metadata::exercise::common_kernel;
use crate::getm_metadata::params::Params;
use crate::kit::*;

/// Such granules; they differ by sums of `differences`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crowd {
    differences: Vec<u64>,
    last: u64,
    places: usize,
    /// Counts crowds, from an arbitrary number.
    turn: Option<usize>,
}

impl Crowd {
    pub fn new(p: &Params) -> Self {
        let differences = common_kernel(p).into_iter().take(16).collect();
        Self {
            differences,
            last: p.last_granule(),
            places: (p.ways + p.stash) as usize,
            turn: None,
        }
    }

    /// As many as there are places for them in the banks and in the stash; mostly with the first granule
    /// of all or the last, each in turn at every place of the order, as that decides which leaves.
    pub fn granules(&mut self, rng: &mut StimulusRng) -> Vec<u64> {
        let turn = self.turn.unwrap_or_else(|| rng.random_range(0..1 << 16));
        self.turn = Some(turn + 1);
        let base = match (rng.random_range(0..8), turn % 2) {
            (0, _) => rng.next_u64() & self.last,
            (_, 0) => 0,
            _ => self.last,
        };
        let mut granules = vec![base];
        while granules.len() < self.places.min(1 << self.differences.len()) {
            let chosen = rng.next_u64();
            let differences = self.differences.iter().enumerate();
            let chosen = differences.filter(|(i, _)| chosen >> i & 1 == 1);
            let granule = chosen.fold(base, |sum, (_, difference)| sum ^ difference);
            if !granules.contains(&granule) {
                granules.push(granule);
            }
        }
        let place = turn / 2 % granules.len();
        granules.swap(0, place);
        granules
    }
}
