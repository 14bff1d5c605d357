//! An episode of a warp.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::model::Model;
use crate::isa::Scope;

/// Most locations of each kind.
const MOST: usize = 12;

/// What a warp does next.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// Counts a counter up.
    Atomic,
    /// Wants to see what was released.
    Acquire,
    /// Lanes load from locations.
    Loads(Vec<u32>),
    /// Lanes store to locations.
    Stores(Vec<u32>),
    /// Lets others see what it stored.
    Release,
    /// Gives its locations back.
    End,
}

/// An episode.
#[derive(Debug)]
pub(super) struct Episode {
    pub(super) number: u32,
    pub(super) scope: Scope,
    pub(super) gpu: u32,
    /// Its locations, and whether it stores to them.
    pub(super) uses: Vec<(u32, bool)>,
    /// Answers that have not come.
    pub(super) waiting: u32,
    /// Steps that are left, the next one last.
    steps: Vec<Step>,
    /// Locations and values that lanes wait for.
    expected: [(u32, u32); 32],
}

impl Episode {
    /// An episode with locations of its own; none if there are not enough at the moment.
    pub(super) fn begin(
        random: &mut Xoshiro256PlusPlus,
        model: &mut Model,
        gpu: u32,
        number: u32,
    ) -> Option<Self> {
        let scope = if random.random_range(0..3) == 0 { Scope::Gpu } else { Scope::Sys };
        let mut uses = Vec::new();
        for stores in [true, false] {
            for _ in 0..random.random_range(1..=MOST) {
                let taken = model.take(random, scope, gpu, stores);
                uses.extend(taken.map(|location| (location, stores)));
            }
        }
        if uses.is_empty() {
            return None;
        }
        let mut steps = vec![Step::End, Step::Atomic, Step::Release];
        for _ in 0..random.random_range(2..10) {
            let stores = random.random_range(0..2) == 0;
            let mut lanes: Vec<u32> = Vec::new();
            for (location, stored) in &uses {
                // A location is stored to by one lane at a time; many may load it.
                if (*stored || !stores)
                    && random.random_range(0..3) > 0
                    && !lanes.contains(location)
                {
                    lanes.push(*location);
                }
            }
            if !lanes.is_empty() {
                steps.push(if stores { Step::Stores(lanes) } else { Step::Loads(lanes) });
            }
        }
        steps.extend([Step::Acquire, Step::Atomic]);
        let expected = [(0, 0); 32];
        Some(Self { number, scope, gpu, uses, waiting: 0, steps, expected })
    }

    /// Takes the next step.
    pub(super) fn next(&mut self) -> Step {
        self.steps.pop().unwrap_or(Step::End)
    }

    /// A lane waits for the value of a location.
    pub(super) fn expect(&mut self, lane: usize, location: u32, value: u32) {
        self.expected[lane] = (location, value);
    }

    /// What a lane waits for.
    pub(super) fn expected(&self, lane: usize) -> (u32, u32) {
        self.expected[lane]
    }
}
