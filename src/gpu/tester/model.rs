//! The value that each location must hold, and which episodes may use it.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::isa::Scope;

/// Locations of data.
const LOCATIONS: u32 = 600;
/// Words that locations lie in: 24 blocks of 512 bytes, more than an L2 holds.
const WORDS: u32 = 24 * 128;
/// Counters of atomics: for all, and for each GPU.
const COUNTERS: u32 = 4;

#[derive(Debug, Clone, Copy)]
struct Location {
    place: usize,
    value: u32,
    writer: u32,
    /// Where the last store is visible: everywhere, or in a GPU.
    seen_by: Option<u32>,
    /// Episodes that load from it; [`Self::STORED`] while one stores to it.
    users: u32,
}

impl Location {
    const STORED: u32 = u32::MAX;
}

/// What memory must hold.
#[derive(Debug)]
pub(super) struct Model {
    locations: Vec<Location>,
    /// Where counters are and what they are: those of all, then those of each GPU.
    counters: Vec<(usize, u32)>,
    stored: u32,
}

impl Model {
    /// Locations at random places.
    pub(super) fn new(random: &mut Xoshiro256PlusPlus, gpus: u32) -> Self {
        let mut words: Vec<u32> = (0..WORDS).collect();
        words.shuffle(random);
        let mut places = words.into_iter().map(|word| word as usize * 4);
        let location = |place| Location { place, value: 0, writer: 0, seen_by: None, users: 0 };
        let locations = places.by_ref().take(LOCATIONS as usize).map(location).collect();
        let counters = COUNTERS * (1 + gpus);
        let counters = places.take(counters as usize).map(|place| (place, 0)).collect();
        Self { locations, counters, stored: 0 }
    }

    /// Bytes of memory that they lie in.
    pub(super) fn bytes(&self) -> usize {
        WORDS as usize * 4
    }

    pub(super) fn place(&self, location: u32) -> usize {
        self.locations[location as usize].place
    }

    pub(super) fn value(&self, location: u32) -> u32 {
        self.locations[location as usize].value
    }

    pub(super) fn writer(&self, location: u32) -> u32 {
        self.locations[location as usize].writer
    }

    /// A counter of a scope is counted up: where it is.
    pub(super) fn count(
        &mut self,
        random: &mut Xoshiro256PlusPlus,
        scope: Scope,
        gpu: u32,
    ) -> usize {
        let group = if scope == Scope::Sys { 0 } else { 1 + gpu };
        let (place, value) =
            &mut self.counters[(group * COUNTERS + random.random_range(0..COUNTERS)) as usize];
        *value += 1;
        *place
    }

    /// Takes locations for an episode: those that it stores to for itself, others with all that load
    /// from them. An episode of the machine sees what was stored for the machine or in its GPU; one
    /// of a GPU sees only what was stored in its GPU, or never.
    pub(super) fn take(
        &mut self,
        random: &mut Xoshiro256PlusPlus,
        scope: Scope,
        gpu: u32,
        stores: bool,
    ) -> Option<u32> {
        for _ in 0..20 {
            let at = random.random_range(0..LOCATIONS);
            let location = &mut self.locations[at as usize];
            let seen = match (location.seen_by, scope) {
                (Some(other), _) if other == gpu => true,
                (None, Scope::Sys) => true,
                (None, _) => location.writer == 0,
                (Some(_), _) => false,
            };
            let free = location.users == 0 || !stores && location.users != Location::STORED;
            if seen && free {
                location.users = if stores { Location::STORED } else { location.users + 1 };
                return Some(at);
            }
        }
        None
    }

    /// A new value for a location.
    pub(super) fn store(&mut self, location: u32, episode: u32) -> u32 {
        self.stored += 1;
        let known = &mut self.locations[location as usize];
        (known.value, known.writer) = (self.stored, episode);
        self.stored
    }

    /// An episode gives its locations back.
    pub(super) fn end(&mut self, uses: &[(u32, bool)], scope: Scope, gpu: u32) {
        for (location, stored) in uses {
            let known = &mut self.locations[*location as usize];
            if *stored {
                known.users = 0;
                known.seen_by = (scope != Scope::Sys).then_some(gpu);
            } else {
                known.users -= 1;
            }
        }
    }

    /// Number, place and value of all locations, then of the counters.
    pub(super) fn contents(&self) -> Vec<(u32, usize, u32)> {
        let locations = self.locations.iter().map(|known| (known.place, known.value));
        let all = locations.chain(self.counters.iter().copied());
        all.enumerate().map(|(at, (place, value))| (at as u32, place, value)).collect()
    }
}
