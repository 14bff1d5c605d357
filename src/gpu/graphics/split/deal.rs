//! Which GPU draws which draw of an opaque group (6.4.4).

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use warpsmith_blocks::chopin_draw_scheduler::{DRAW, Draw, GRANT, Grant, PROCESSED};
use warpsmith_testbench::place::Place;

use super::seats::Fault;

/// Clocks after which a report counts.
const REPORT_CLOCKS: u32 = 6;
/// Clocks for which a grant may take.
const GRANT_CLOCKS: u32 = 64;
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
    /// A scheduler in its place, for so many GPUs and a group's triangles and draws.
    pub(super) fn new(place: Place, gpus: usize, triangles: u64, draws: usize) -> Self {
        let pace = 2 * triangles / (draws.max(1) as u64);
        Self { place, held: vec![0; gpus], pace }
    }

    /// Transfers that were compared with the reference.
    pub(super) fn compared(&self) -> u64 {
        self.place.compared()
    }

    fn grant(&mut self, triangles: u64, random: &mut Xoshiro256PlusPlus) -> Result<usize, Fault> {
        // What the GPUs have set up since the last draw.
        let gpus = self.held.len() as u64;
        let done: Vec<_> = self
            .held
            .iter()
            .map(|held| random.random_range(0..=self.pace / gpus + 1).min(*held).min(MOST))
            .collect();
        self.held.iter_mut().zip(&done).for_each(|(held, done)| *held -= done);
        self.place.offer(PROCESSED, &done);
        // A circuit and the reference are to know the same at the draw.
        for _ in 0..REPORT_CLOCKS {
            self.place.clock(|_| false)?;
        }
        let triangles = triangles.min(MOST);
        self.place.offer(DRAW, &Draw { triangles }.encode());
        self.place.await_answer(true);
        for _ in 0..GRANT_CLOCKS {
            self.place.clock(|_| false)?;
            let grant = self.place.transfers().find(|(channel, _)| *channel == GRANT);
            if let Some((_, payload)) = grant {
                let gpu = Grant::decode(payload).gpu as usize;
                self.place.await_answer(false);
                let gpus = self.held.len();
                let held = self.held.get_mut(gpu).ok_or_else(|| {
                    Fault::Mismatch(format!(
                        "the draw scheduler grants a draw to GPU {gpu} of {gpus}"
                    ))
                })?;
                *held += triangles;
                return Ok(gpu);
            }
        }
        Err(Fault::Mismatch("the draw scheduler grants nothing".into()))
    }
}

impl Dealer {
    /// Transfers of a circuit that were compared with the reference.
    pub(super) fn compared(&self) -> u64 {
        match self {
            Self::RoundRobin(..) => 0,
            Self::Scheduler(scheduler) => scheduler.compared(),
        }
    }

    /// The GPU of the next draw, of so many triangles.
    ///
    /// # Errors
    /// If the scheduler does not answer.
    pub fn next(
        &mut self,
        triangles: u64,
        random: &mut Xoshiro256PlusPlus,
    ) -> Result<usize, Fault> {
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
