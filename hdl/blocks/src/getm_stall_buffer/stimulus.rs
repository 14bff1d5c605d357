//! Streams for the stall buffer. Who parks, releases and answers retries is made up, but as a
//! validation unit would: results belong to retries that were taken, and some of these park again.

use rand::RngExt;

use super::channels::{Access, PARK, RELEASE, RETRY, RETRY_RESULT, Release, RetryResult};
use super::params::Params;
use crate::verification::{Stimulus, StimulusRng, StreamInfo};

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
pub(super) struct Traffic {
    params: Params,
    stream: usize,
    /// Where the addresses of an episode lie.
    base: Option<u64>,
    phase: Phase,
    /// Addresses that a phase uses, and timestamps.
    addresses: u64,
    timestamps: u64,
    left_in_phase: u32,
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
            base: None,
            phase: Phase::default(),
            addresses: 1,
            timestamps: 1,
            left_in_phase: 0,
            retried: Vec::new(),
            parks_now: None,
        }
    }

    fn begin_phase(&mut self, rng: &mut StimulusRng) {
        let lines = u64::from(self.params.lines);
        self.addresses = match self.stream {
            MIXED => [1, 2, lines, lines, lines + 1, 2 * lines][rng.random_range(0..6)],
            ONE_ADDRESS => 1,
            _ => u64::MAX,
        };
        let timestamps = [2, 4, u64::MAX][rng.random_range(0..3)];
        self.timestamps = timestamps.min(1 << self.params.timestamp_bits);
        self.phase = match rng.random_range(0..4) {
            // Filling up, draining, as fast as can be, slow.
            0 => Phase { park: 16, result: 4, release: 1, again: 4, reserved: 8, same: 2 },
            1 => Phase { park: 2, result: 16, release: 16, again: 2, reserved: 2, same: 4 },
            2 => Phase { park: 16, result: 16, release: 16, again: 4, reserved: 8, same: 8 },
            _ => Phase { park: 4, result: 4, release: 4, again: 8, reserved: 8, same: 8 },
        };
        self.left_in_phase = rng.random_range(32..=512);
    }

    fn address(&mut self, rng: &mut StimulusRng) -> u64 {
        let granules = u64::MAX >> (64 - self.params.granule_bits());
        let base = *self.base.get_or_insert_with(|| rng.random_range(0..=granules));
        // Neighbours differ in the lowest bits or in the highest.
        let number = rng.random_range(0..self.addresses);
        let granule = match base & 1 {
            0 => base.wrapping_add(number),
            _ => base ^ number.reverse_bits() >> (64 - self.params.granule_bits()),
        };
        let place = rng.random_range(0..u64::from(self.params.granule_bytes));
        (granule & granules) << self.params.offset_bits() | place
    }

    fn park(&mut self, rng: &mut StimulusRng) -> Access {
        let again = self.retried.iter_mut().filter(|(_, parked)| !parked);
        if draw(rng, self.phase.again)
            && let Some((access, parked)) = again.last()
        {
            *parked = true;
            return *access;
        }
        Access {
            address: self.address(rng),
            store: rng.random(),
            warp: rng.random_range(0..1 << self.params.owner_bits),
            warpts: rng.random_range(0..self.timestamps),
        }
    }

    fn retry_result(&mut self, rng: &mut StimulusRng) -> Option<RetryResult> {
        if draw(rng, 1) && draw(rng, 1) {
            return Some(RetryResult { address: self.address(rng), reserved: rng.random() })
                .filter(|result| !self.is_retried(result.address));
        }
        let count = self.retried.len();
        let at = (count > 0).then(|| rng.random_range(0..count))?;
        let (access, parked_again) = self.retried.swap_remove(at);
        // What parks again does so because its address is reserved.
        let reserved = parked_again || draw(rng, self.phase.reserved);
        Some(RetryResult { address: access.address, reserved })
    }

    fn is_retried(&self, address: u64) -> bool {
        let granule = |address| address >> self.params.offset_bits();
        self.retried.iter().any(|(access, _)| granule(access.address) == granule(address))
    }

    fn release(&mut self, rng: &mut StimulusRng) -> Release {
        let all = draw(rng, 1) && draw(rng, 2);
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

    fn observe(&mut self, channel: usize, payload: &[u64]) {
        match channel {
            PARK => self.parks_now = None,
            RETRY => self.retried.push((Access::decode(payload), false)),
            _ => {}
        }
    }
}
