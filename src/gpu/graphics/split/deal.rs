//! Which GPU draws which draw of an opaque group (6.4.4).

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use warpsmith_blocks::block::Design;
use warpsmith_blocks::chopin_draw_scheduler::{DRAW, Draw, GRANT, Grant, PROCESSED, Params};
use warpsmith_blocks::parameters::Parameters;
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::place::{Occupant, Place, Surroundings};

/// Most triangles of one draw that the scheduler is told of.
const MOST: u64 = (1 << 24) - 1;

/// Deals draws.
pub enum Dealer {
    /// In turn.
    RoundRobin(usize, usize),
    /// By the triangles that remain.
    Scheduler(Box<Scheduler>),
}

/// The draw scheduler in its place, and the GPUs that report to it.
pub struct Scheduler {
    place: Place,
    /// Triangles of each GPU that it has not reported.
    held: Vec<u64>,
    /// Most triangles that a GPU processes between two draws.
    pace: u64,
}

impl Scheduler {
    /// A scheduler for so many GPUs.
    ///
    /// # Errors
    /// If the block takes no such number.
    pub fn new(gpus: usize, triangles: u64, draws: usize) -> Result<Self, String> {
        let params = Params {
            gpus: gpus as u32,
            triangle_bits: 24,
            remaining_bits: 30,
            counter_bits: 64,
            segment_bits: 32,
            report_latency: 4,
        };
        params.validate().map_err(|error| error.to_string())?;
        let bench = Bench::new(&params, &params.circuit());
        let place = Place::new(&bench, Occupant::Reference, Surroundings::PLAIN);
        let place = place.map_err(|error| error.to_string())?;
        let pace = 2 * triangles / (draws.max(1) as u64);
        Ok(Self { place, held: vec![0; gpus], pace })
    }

    fn grant(&mut self, triangles: u64, random: &mut Xoshiro256PlusPlus) -> Result<usize, String> {
        // What the GPUs have set up since the last draw.
        let gpus = self.held.len() as u64;
        let done: Vec<_> = self
            .held
            .iter()
            .map(|held| random.random_range(0..=self.pace / gpus + 1).min(*held).min(MOST))
            .collect();
        self.held.iter_mut().zip(&done).for_each(|(held, done)| *held -= done);
        self.place.offer(PROCESSED, &done);
        let triangles = triangles.min(MOST);
        self.place.offer(DRAW, &Draw { triangles }.encode());
        for _ in 0..64 {
            self.place.clock(|_| false).map_err(|mismatch| mismatch.to_string())?;
            let grant = self.place.transfers().find(|(channel, _)| *channel == GRANT);
            if let Some((_, payload)) = grant {
                let gpu = Grant::decode(payload).gpu as usize;
                self.held[gpu] += triangles;
                return Ok(gpu);
            }
        }
        Err("the draw scheduler grants nothing".into())
    }
}

impl Dealer {
    /// The GPU of the next draw, of so many triangles.
    ///
    /// # Errors
    /// If the scheduler does not answer.
    pub fn next(
        &mut self,
        triangles: u64,
        random: &mut Xoshiro256PlusPlus,
    ) -> Result<usize, String> {
        match self {
            Self::RoundRobin(next, gpus) => {
                let gpu = *next;
                *next = (gpu + 1) % *gpus;
                Ok(gpu)
            }
            Self::Scheduler(scheduler) => scheduler.grant(triangles, random),
        }
    }
}
