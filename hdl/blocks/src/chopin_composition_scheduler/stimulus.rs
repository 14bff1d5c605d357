//! Streams for the scheduler: GPUs that finish groups and end transfers, now and then wrongly.

use super::channels::{DONE, FINISHED, Finished, START, Start, Transfer};
use super::params::Params;
use crate::kit::*;

pub(super) const STREAMS: &[StreamInfo] = &[
    StreamInfo { name: "mixed", doc: "opaque and transparent groups, in changing phases" },
    StreamInfo { name: "opaque", doc: "opaque groups" },
    StreamInfo { name: "transparent", doc: "transparent groups" },
];
const OPAQUE: usize = 1;
const TRANSPARENT: usize = 2;

/// How likely things are in a phase, of 16.
#[derive(Clone, Copy, Debug, Default)]
struct Phase {
    finished: u32,
    done: u32,
    /// A GPU that finishes nothing as long as others compose.
    last: Option<usize>,
    /// Of finished: of a GPU that composes still.
    ahead: u32,
    /// Of finished: of a GPU whose last transfer ends in the same clock.
    same: u32,
    /// Of dones: the latest transfer first, instead of any.
    latest: u32,
    /// Of finished and done: malformed.
    wrong: u32,
}

/// The generator.
pub(super) struct Gpus {
    gpus: usize,
    numbers: u64,
    stream: usize,
    phase: Phase,
    left_in_phase: u32,
    /// Of each GPU how many groups it has finished, and how many have ended for it.
    finished: Vec<u64>,
    ended: Vec<u64>,
    /// Kinds of the groups that no GPU or not all have finished, and the number of the first of them.
    kinds: Vec<bool>,
    first: u64,
    /// Transfers that have ended in the group of each GPU, as source or receiver.
    transfers: Vec<u64>,
    under_way: Vec<Transfer>,
    /// The last transfer of a GPU that finishes a group in this clock.
    ends_now: Option<Transfer>,
    /// Of each GPU the groups that it finishes, and the transfers that end, drawn and not observed.
    finishing: Vec<usize>,
    ending: Vec<Transfer>,
}

impl Gpus {
    pub(super) fn new(p: &Params, stream: usize) -> Self {
        let gpus = p.gpus as usize;
        Self {
            gpus,
            numbers: 1 << p.gpu_bits(),
            stream,
            phase: Phase::default(),
            left_in_phase: 0,
            finished: vec![0; gpus],
            ended: vec![0; gpus],
            kinds: Vec::new(),
            first: 1,
            transfers: vec![0; gpus],
            under_way: Vec::new(),
            ends_now: None,
            finishing: vec![0; gpus],
            ending: Vec::new(),
        }
    }

    fn begin_phase(&mut self, rng: &mut StimulusRng) {
        let gpu = rng.random_range(0..self.gpus);
        self.phase = match rng.random_range(0..7) {
            // All at once and fast, one last, groups apart, slow transfers, and each at its own time.
            0 => Phase { finished: 16, done: 16, ..Phase::default() },
            1 => Phase { finished: 16, done: 8, last: Some(gpu), ..Phase::default() },
            2 => Phase { finished: 16, done: 16, ahead: 16, same: 4, ..Phase::default() },
            3 => Phase { finished: 8, done: 1, ahead: 4, same: 12, latest: 8, ..Phase::default() },
            4 => Phase { finished: 1, done: 16, ahead: 8, same: 16, ..Phase::default() },
            5 => Phase { finished: 8, done: 8, ahead: 8, wrong: 4, ..Phase::default() },
            _ => Phase { finished: 4, done: 4, ahead: 2, wrong: 1, latest: 15, ..Phase::default() },
        };
        self.left_in_phase = rng.random_range(64..=1024);
    }

    /// The kind of a group.
    fn kind(&mut self, number: u64, rng: &mut StimulusRng) -> bool {
        let at = (number - self.first) as usize;
        while self.kinds.len() <= at {
            self.kinds.push(match self.stream {
                OPAQUE => false,
                TRANSPARENT => true,
                _ => rng.random(),
            });
        }
        self.kinds[at]
    }

    /// A GPU may finish the next group, which it does beside the one that it composes if it is ahead.
    fn may_finish(&self, gpu: usize, ahead: bool) -> bool {
        let limit = self.ended[gpu] + 1 + u64::from(ahead);
        let is_held = self.phase.last == Some(gpu) && !self.under_way.is_empty();
        self.drawn(gpu) < limit && !is_held
    }

    /// Groups that a GPU has finished, or finishes by what is drawn.
    fn drawn(&self, gpu: usize) -> u64 {
        self.finished[gpu] + self.finishing[gpu] as u64
    }

    fn finished(&mut self, rng: &mut StimulusRng) -> Option<Finished> {
        if draw(rng, self.phase.wrong) {
            return self.wrong_finished(rng);
        }
        let last = self.last_transfer().filter(|_| draw(rng, self.phase.same));
        if let Some((gpu, transfer)) = last {
            self.ends_now = Some(transfer);
            let transparent = self.kind(self.drawn(gpu) + 1, rng);
            return Some(Finished { gpu: gpu as u64, transparent });
        }
        let ahead = draw(rng, self.phase.ahead);
        let start = rng.random_range(0..self.gpus);
        let mut gpus = (start..start + self.gpus).map(|gpu| gpu % self.gpus);
        let gpu = gpus.find(|&gpu| self.may_finish(gpu, ahead))?;
        let transparent = self.kind(self.drawn(gpu) + 1, rng);
        Some(Finished { gpu: gpu as u64, transparent })
    }

    /// A transfer that is the last one of a GPU, which may finish its next group.
    fn last_transfer(&self) -> Option<(usize, Transfer)> {
        let way = |gpu: usize| {
            let is_own = |way: &&Transfer| way.src == gpu as u64 || way.dst == gpu as u64;
            let is_last = self.transfers[gpu] + 1 == self.transfers_of(gpu);
            let way = self.under_way.iter().find(is_own)?;
            (is_last && self.may_finish(gpu, true)).then_some((gpu, *way))
        };
        (0..self.gpus).find_map(way)
    }

    /// Transfers of the GPU in the group that it composes.
    fn transfers_of(&self, gpu: usize) -> u64 {
        let at = (self.ended[gpu] + 1 - self.first) as usize;
        2 * (self.gpus as u64 - 1) + u64::from(self.kinds.get(at) == Some(&true))
    }

    /// A third group, another kind, or no GPU.
    fn wrong_finished(&mut self, rng: &mut StimulusRng) -> Option<Finished> {
        let gpu = rng.random_range(0..self.numbers);
        let transparent: bool = rng.random();
        if gpu >= self.gpus as u64 {
            return Some(Finished { gpu, transparent });
        }
        let at = gpu as usize;
        let number = self.finished[at] + 1;
        let newest = *self.finished.iter().max().expect("a GPU");
        if self.finished[at] > self.ended[at] + 1 {
            return Some(Finished { gpu, transparent });
        }
        let other = !self.kind(number, rng);
        (number <= newest).then_some(Finished { gpu, transparent: other })
    }

    fn done(&mut self, rng: &mut StimulusRng) -> Option<Transfer> {
        if let Some(last) = self.ends_now.take() {
            return Some(last);
        }
        if draw(rng, self.phase.wrong) {
            let [src, dst] = std::array::from_fn(|_| rng.random_range(0..self.numbers));
            let wrong = Transfer { src, dst };
            let near = self.one_bit_off(rng).filter(|_| rng.random()).unwrap_or(wrong);
            return (!self.under_way.contains(&near)).then_some(near);
        }
        let latest = draw(rng, self.phase.latest);
        let mut ways = self.under_way.iter().filter(|way| !self.ending.contains(way));
        let count = ways.clone().count();
        let at =
            (count > 0).then(|| if latest { count - 1 } else { rng.random_range(0..count) })?;
        ways.nth(at).copied()
    }

    /// A transfer that is under way, but for one bit of its source.
    fn one_bit_off(&self, rng: &mut StimulusRng) -> Option<Transfer> {
        let bit = 1 << rng.random_range(0..self.numbers.ilog2());
        let count = self.under_way.len();
        let at = (count > 0).then(|| rng.random_range(0..count))?;
        let Transfer { src, dst } = self.under_way[at];
        Some(Transfer { src: src ^ bit, dst })
    }

    fn note_finished(&mut self, Finished { gpu, transparent }: Finished) {
        let gpu = gpu as usize;
        if gpu >= self.gpus || self.finished[gpu] > self.ended[gpu] + 1 {
            return;
        }
        let number = self.finished[gpu] + 1;
        let at = (number - self.first) as usize;
        // The first to finish a group says of which kind it is, also if it was to be refused when it was drawn.
        if self.finished.iter().all(|&finished| finished < number) {
            self.kinds.truncate(at);
            self.kinds.push(transparent);
        }
        if self.kinds.get(at) == Some(&transparent) {
            self.finished[gpu] += 1;
        }
    }

    fn note_done(&mut self, done: Transfer) {
        let Some(at) = self.under_way.iter().position(|way| *way == done) else { return };
        self.under_way.remove(at);
        let (src, dst) = (done.src as usize, done.dst as usize);
        let both = [src, dst].into_iter().take(if src == dst { 1 } else { 2 });
        // A wrong circuit starts transfers of GPUs that compose nothing.
        for gpu in both.filter(|&gpu| gpu < self.gpus) {
            if self.finished[gpu] == self.ended[gpu] {
                continue;
            }
            self.transfers[gpu] += 1;
            if self.transfers[gpu] == self.transfers_of(gpu) {
                self.transfers[gpu] = 0;
                self.ended[gpu] += 1;
            }
        }
        while self.ended.iter().all(|&ended| ended >= self.first) {
            self.kinds.remove(0);
            self.first += 1;
        }
    }
}

/// True that often of 16 times.
fn draw(rng: &mut StimulusRng, of_16: u32) -> bool {
    rng.random_range(0..16) < of_16
}

impl Stimulus for Gpus {
    fn next(&mut self, channel: usize, rng: &mut StimulusRng, payload: &mut [u64]) -> bool {
        if self.left_in_phase == 0 {
            self.begin_phase(rng);
        }
        self.left_in_phase -= 1;
        match channel {
            FINISHED if draw(rng, self.phase.finished) => {
                let Some(finished) = self.finished(rng) else { return false };
                payload.copy_from_slice(&finished.encode());
                if let Some(drawn) = self.finishing.get_mut(finished.gpu as usize) {
                    *drawn += 1;
                }
            }
            DONE if self.ends_now.is_some() || draw(rng, self.phase.done) => {
                let Some(done) = self.done(rng) else { return false };
                payload.copy_from_slice(&done.encode());
                self.ending.push(done);
            }
            _ => return false,
        }
        true
    }

    /// A GPU finishes two groups beyond the one that has ended, and is in one transfer.
    fn ahead(&self, channel: usize) -> usize {
        if channel == FINISHED { 2 * self.gpus } else { self.gpus }
    }

    fn observed(&self) -> u64 {
        1 << FINISHED | 1 << DONE | 1 << START
    }

    fn observe(&mut self, channel: usize, payload: &[u64]) {
        match channel {
            FINISHED => {
                let finished = Finished::decode(payload);
                if let Some(drawn) = self.finishing.get_mut(finished.gpu as usize) {
                    *drawn = drawn.saturating_sub(1);
                }
                self.note_finished(finished);
            }
            DONE => {
                let done = Transfer::decode(payload);
                self.ending.retain(|ending| *ending != done);
                self.note_done(done);
            }
            START => {
                let Start { src, dst, .. } = Start::decode(payload);
                self.under_way.push(Transfer { src, dst });
            }
            _ => {}
        }
    }
}
