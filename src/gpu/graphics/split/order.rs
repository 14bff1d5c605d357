//! The order in which GPUs exchange their sub-images (6.4.5).

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use warpsmith_blocks::chopin_composition_scheduler::{
    DONE, FINISHED, Finished, START, Start, Transfer,
};
use warpsmith_testbench::place::Place;

use super::seats::Fault;

/// Clocks without a start after which the scheduler hangs.
const PATIENCE: u32 = 1_000;

/// A transfer: from, to. To itself: a transparent sub-image meets the background.
pub type Pair = [usize; 2];

/// GPUs come to the end of their draws in any order.
fn finishes(gpus: usize, random: &mut Xoshiro256PlusPlus) -> Vec<usize> {
    let mut order: Vec<_> = (0..gpus).collect();
    order.shuffle(random);
    order
}

/// The composition scheduler in its place.
pub struct Scheduler {
    place: Place,
    gpus: usize,
}

impl Scheduler {
    /// A scheduler in its place, for so many GPUs.
    pub(super) fn new(place: Place, gpus: usize) -> Self {
        Self { place, gpus }
    }

    /// Transfers that were compared with the reference.
    pub(super) fn compared(&self) -> u64 {
        self.place.compared()
    }

    /// The transfers of a group in the order of their ends.
    ///
    /// # Errors
    /// If the scheduler never ends it.
    pub fn group(
        &mut self,
        transparent: bool,
        random: &mut Xoshiro256PlusPlus,
    ) -> Result<Vec<Pair>, Fault> {
        let all = self.gpus * if transparent { self.gpus } else { self.gpus - 1 };
        let mut finishes = finishes(self.gpus, random);
        let (mut under_way, mut ended) = (Vec::new(), Vec::new());
        let mut idle = 0;
        while ended.len() < all {
            if random.random_range(0..3) == 0
                && let Some(gpu) = finishes.pop()
            {
                let finished = Finished { gpu: gpu as u64, transparent };
                self.place.offer(FINISHED, &finished.encode());
            }
            if !under_way.is_empty() && random.random_range(0..3) == 0 {
                let at = random.random_range(0..under_way.len());
                let [src, dst]: Pair = under_way.swap_remove(at);
                ended.push([src, dst]);
                let transfer = Transfer { src: src as u64, dst: dst as u64 };
                self.place.offer(DONE, &transfer.encode());
            }
            self.place.clock(|_| false)?;
            for [src, dst] in self.starts() {
                if src.max(dst) >= self.gpus {
                    return Err(wrong(format!("starts a transfer from GPU {src} to {dst}")));
                }
                under_way.push([src, dst]);
            }
            idle = if under_way.is_empty() && finishes.is_empty() { idle + 1 } else { 0 };
            self.place.await_answer(idle > 0);
            if idle > PATIENCE {
                return Err(wrong("starts no transfer any more".to_string()));
            }
        }
        self.place.await_answer(false);
        Ok(ended)
    }

    /// Transfers that start at this clock.
    fn starts(&self) -> Vec<Pair> {
        let starts = self.place.transfers().filter(|(channel, _)| *channel == START);
        let pair = |(_, payload): (usize, &[u64])| {
            let start = Start::decode(payload);
            [start.src as usize, start.dst as usize]
        };
        starts.map(pair).collect()
    }
}

fn wrong(what: String) -> Fault {
    Fault::Mismatch(format!("the composition scheduler {what}"))
}

/// Direct-send: each GPU sends to 0, 1, 2, ... in turn, and waits for one that is not ready.
pub fn direct_send(
    gpus: usize,
    transparent: bool,
    any_neighbour: bool,
    random: &mut Xoshiro256PlusPlus,
) -> Result<Vec<Pair>, String> {
    let mut finishes = finishes(gpus, random);
    let mut ready = vec![false; gpus];
    // The destination of each GPU's next transfer, and the run of GPUs whose sub-images it has.
    let mut next: Vec<_> = (0..gpus).map(|gpu| usize::from(gpu == 0)).collect();
    let mut runs: Vec<_> = (0..gpus).map(|gpu| [gpu, gpu]).collect();
    let mut ended = Vec::new();
    while ended.len() < gpus * (gpus - 1) {
        if let Some(gpu) = finishes.pop() {
            ready[gpu] = true;
        }
        let may = |src: usize| {
            let dst = next[src];
            let is_neighbour = || src + 1 == runs[dst][0] || src == runs[dst][1] + 1;
            let in_order = !transparent || any_neighbour || is_neighbour();
            dst < gpus && ready[src] && ready[dst] && in_order
        };
        let able: Vec<_> = (0..gpus).filter(|src| next[*src] < gpus && may(*src)).collect();
        if able.is_empty() && finishes.is_empty() {
            return Err("direct-send: every GPU waits for another".into());
        }
        if able.is_empty() || random.random_range(0..4) == 0 && !finishes.is_empty() {
            continue;
        }
        let src = able[random.random_range(0..able.len())];
        let dst = next[src];
        next[src] += 1 + usize::from(dst + 1 == src);
        runs[dst] = [runs[dst][0].min(src), runs[dst][1].max(src)];
        ended.push([src, dst]);
    }
    if transparent {
        ended.extend((0..gpus).map(|gpu| [gpu, gpu]));
    }
    Ok(ended)
}
