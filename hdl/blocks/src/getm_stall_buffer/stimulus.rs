//! Streams for the stall buffer. Parks, releases and results of retries are made up, but as a
//! validation unit would: results belong to retries that were taken, and some of these park again.

use super::channels::{Access, PARK, RELEASE, RETRY, RETRY_RESULT, Release, RetryResult};
use super::exercise;
use super::params::Params;
use crate::kit::*;

pub(super) const STREAMS: &[StreamInfo] = &[
    StreamInfo { name: "mixed", doc: "few addresses, filling up and draining in changing phases" },
    StreamInfo { name: "one-address", doc: "everybody waits for one address" },
    StreamInfo { name: "random", doc: "addresses anywhere" },
];
const MIXED: usize = 0;
const ONE_ADDRESS: usize = 1;

/// How likely things are in a phase, of 16.
#[derive(Clone, Copy, Debug, Default)]
struct Phase {
    park: u32,
    result: u32,
    release: u32,
    /// Of parks: a retried access again, where there is one.
    again: u32,
    /// Of results: the address is reserved.
    reserved: u32,
    /// Of releases: what parks in the same clock.
    same: u32,
}

/// The generator.
#[derive(Default)]
pub(super) struct Traffic {
    params: Params,
    stream: usize,
    phase: Phase,
    /// The granules of a phase, each of which differs from the first in one bit; none: anywhere.
    granules: Vec<u64>,
    granule_neighbours: Neighbours,
    /// Two warpts that differ in one bit; none: arbitrary ones below a limit.
    warpts: Vec<u64>,
    warpts_neighbours: Neighbours,
    warpts_limit: u64,
    left_in_phase: u32,
    /// The next release is of all: no access is to wait on for what the last phase used.
    releases_all: bool,
    /// Retries that were taken and have no result, with whether they parked again.
    retried: Vec<(Access, bool)>,
    /// What parks in this clock.
    parks_now: Option<u64>,
}

impl Traffic {
    pub(super) fn new(params: &Params, stream: usize) -> Self {
        Self {
            params: params.clone(),
            stream,
            granule_neighbours: Neighbours::new(&exercise::granules("granules", params)),
            warpts_neighbours: Neighbours::new(&exercise::warpts("warpts", params)),
            warpts_limit: 1,
            ..Self::default()
        }
    }

    fn begin_phase(&mut self, rng: &mut StimulusRng) {
        let lines = self.params.lines as usize;
        let count = match self.stream {
            MIXED => [1, 2, lines, lines, lines + 1, 2 * lines][rng.random_range(0..6)],
            ONE_ADDRESS => 1,
            _ => 0,
        };
        let is_first = self.granules.is_empty();
        if count > 0 && (is_first || self.stream == MIXED && rng.random()) {
            self.granules = self.granule_neighbours.pool(rng, count);
            self.releases_all = !is_first;
        }
        self.warpts.clear();
        let all = 1 << self.params.timestamp_bits;
        self.warpts_limit = match rng.random_range(0..8) {
            0 => 2,
            1 => 4,
            2 => all,
            _ => {
                self.warpts = self.warpts_neighbours.pool(rng, 2);
                self.warpts.sort_unstable();
                all
            }
        };
        self.phase = match rng.random_range(0..6) {
            // Filling up, draining, as fast as can be, slow, and full lines that move on.
            0 => Phase { park: 16, result: 4, release: 1, again: 4, reserved: 8, same: 2 },
            1 => Phase { park: 2, result: 16, release: 16, again: 2, reserved: 2, same: 4 },
            2 => Phase { park: 16, result: 16, release: 16, again: 4, reserved: 8, same: 8 },
            3 => Phase { park: 4, result: 4, release: 4, again: 8, reserved: 8, same: 8 },
            _ => Phase { park: 16, result: 16, release: 4, again: 2, reserved: 2, same: 2 },
        };
        self.left_in_phase = rng.random_range(32..=512);
    }

    fn address(&self, rng: &mut StimulusRng) -> u64 {
        let granule = match self.granules.len() {
            0 => rng.next_u64() & self.params.last_granule(),
            count => self.granules[rng.random_range(0..count)],
        };
        let place = rng.random_range(0..u64::from(self.params.granule_bytes));
        granule << self.params.offset_bits() | place
    }

    /// Whether the phase uses the address.
    fn is_used(&self, address: u64) -> bool {
        self.granules.is_empty() || self.granules.contains(&self.params.granule_of(address))
    }

    fn warpts(&self, rng: &mut StimulusRng) -> u64 {
        match self.warpts.as_slice() {
            [] => rng.random_range(0..self.warpts_limit),
            // The earlier more often: it fills the entries that the later comes behind.
            pool => pool[usize::from(draw(rng, 4))],
        }
    }

    fn park(&mut self, rng: &mut StimulusRng) -> Access {
        if draw(rng, self.phase.again) {
            let may_park = |(last, parked): &(Access, bool)| !parked && self.is_used(last.address);
            if let Some(last) = self.retried.iter().rposition(may_park) {
                let (access, parked) = &mut self.retried[last];
                *parked = true;
                return *access;
            }
        }
        Access {
            address: self.address(rng),
            store: rng.random(),
            warp: rng.random_range(0..1 << self.params.owner_bits),
            warpts: self.warpts(rng),
        }
    }

    fn retry_result(&mut self, rng: &mut StimulusRng) -> Option<RetryResult> {
        if draw(rng, 2) {
            let result = RetryResult { address: self.address(rng), reserved: rng.random() };
            return (!self.is_retried(result.address)).then_some(result);
        }
        let count = self.retried.len();
        let at = (count > 0).then(|| rng.random_range(0..count))?;
        let (access, parked_again) = self.retried.swap_remove(at);
        // What parks again does so because its address is reserved.
        let is_used = self.is_used(access.address);
        let reserved = parked_again || is_used && draw(rng, self.phase.reserved);
        Some(RetryResult { address: access.address, reserved })
    }

    fn is_retried(&self, address: u64) -> bool {
        let granule = |address| self.params.granule_of(address);
        self.retried.iter().any(|(access, _)| granule(access.address) == granule(address))
    }

    fn release(&mut self, rng: &mut StimulusRng) -> Release {
        let all = std::mem::take(&mut self.releases_all) || draw(rng, 1) && draw(rng, 2);
        match self.parks_now.filter(|_| draw(rng, self.phase.same)) {
            Some(address) => Release { address, all },
            None => Release { address: self.address(rng), all },
        }
    }
}

/// True that often of 16 times.
fn draw(rng: &mut StimulusRng, of_16: u32) -> bool {
    rng.random_range(0..16) < of_16
}

impl Stimulus for Traffic {
    fn next(&mut self, channel: usize, rng: &mut StimulusRng, payload: &mut [u64]) -> bool {
        if self.left_in_phase == 0 {
            self.begin_phase(rng);
        }
        self.left_in_phase -= 1;
        match channel {
            PARK if draw(rng, self.phase.park) => {
                let access = self.park(rng);
                self.parks_now = Some(access.address);
                payload.copy_from_slice(&access.encode());
            }
            RETRY_RESULT if draw(rng, self.phase.result) => {
                let Some(result) = self.retry_result(rng) else { return false };
                payload.copy_from_slice(&result.encode());
            }
            RELEASE if draw(rng, self.phase.release) => {
                payload.copy_from_slice(&self.release(rng).encode());
            }
            _ => return false,
        }
        true
    }

    /// Few, so that retries have their results between parks and releases.
    fn ahead(&self, _: usize) -> usize {
        16
    }

    fn observed(&self) -> u64 {
        1 << PARK | 1 << RETRY
    }

    fn observe(&mut self, channel: usize, payload: &[u64]) {
        match channel {
            PARK => self.parks_now = None,
            RETRY => self.retried.push((Access::decode(payload), false)),
            _ => {}
        }
    }
}
