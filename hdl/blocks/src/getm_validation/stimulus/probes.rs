//! Transactions of one access each, which differ in one bit from what others do.

use super::logs::Log;
use super::{MIXED, PROBES, Roll, Transactions};
use crate::getm_validation::channels::Access;
use crate::kit::*;

impl Transactions {
    /// A granule that differs from one of the pool in one bit, or by what a bank's hash does not see:
    /// each difference has its turn.
    pub(super) fn missing(&mut self, rng: &mut StimulusRng) -> u64 {
        let bits = self.params.granule_bits() as usize;
        let turn = self.turn.unwrap_or_else(|| rng.random_range(0..1 << 16));
        self.turn = Some(turn + 1);
        let granule = self.pool[turn % self.pool.len()];
        let turn = turn / self.pool.len() % (bits + self.kernels.len());
        granule ^ turn.checked_sub(bits).map_or_else(|| 1 << turn, |vector| self.kernels[vector])
    }

    /// An access that differs in one bit from what a warp has reserved, or waits for.
    fn probe(&self, rng: &mut StimulusRng) -> Option<Access> {
        let start = rng.random_range(0..self.warps.len());
        let count = self.warps.len();
        let ids = (0..count).map(|i| (start + i) % count);
        let waits = rng.random_range(0..4) == 0;
        let (id, granule) = ids.clone().find_map(|id| {
            let warp = &self.warps[id];
            let written = warp.writes.keys().next().map(|a| a >> self.params.offset_bits());
            let of = if waits { warp.unanswered.first().copied() } else { written };
            Some((id, of?))
        })?;
        let warpts = self.warps[id].warpts;
        let warp = self.number(id);
        let time = bit(self.params.timestamp_bits, rng);
        let owner = bit(self.params.owner_bits, rng);
        let (warp, warpts) = match (waits, rng.random_range(0..3)) {
            (true, _) => (warp ^ owner, warpts ^ time),
            (false, 0) => (warp, ((warpts + 1) ^ time).saturating_sub(1)),
            (false, 1) => (warp ^ owner, (warpts + 1) ^ time),
            (false, _) => (warp ^ owner, warpts),
        };
        // Much later times are the end of the era.
        let later = warpts > self.warps[id].warpts + (8 << self.params.owner_bits);
        if warpts >= self.params.limit() || (later && rng.random_range(0..16) != 0) {
            return None;
        }
        let address = granule << self.params.offset_bits();
        Some(Access { address, store: rng.random(), warp, warpts })
    }

    /// The access right behind a store, in one bit of the time or of the warp another.
    pub(super) fn follower(&self, store: &Access, rng: &mut StimulusRng) -> Option<Access> {
        let address = self.params.address_of(self.params.granule_of(store.address));
        let behind = Access { address, ..*store };
        let follower = match rng.random_range(0..3) {
            0 => Access { warp: store.warp ^ bit(self.params.owner_bits, rng), ..behind },
            _ => Access { warpts: store.warpts ^ bit(self.params.timestamp_bits, rng), ..behind },
        };
        let later = follower.warpts > store.warpts + (8 << self.params.owner_bits);
        let sound =
            follower.warpts < self.params.limit() && (!later || rng.random_range(0..16) == 0);
        sound.then_some(follower)
    }

    /// A load of what the table has not, at the time of a reservation that the Bloom filter must not know
    /// yet: it is told of it at the end, for all granules of the same rows.
    pub(super) fn stranger(&self, log: &Log, rng: &mut StimulusRng) -> Option<Access> {
        let vector = self.bloom_kernel.get(rng.random_range(0..self.bloom_kernel.len().max(1)))?;
        let address = log.address ^ vector << self.params.offset_bits();
        let warp = self.number(rng.random_range(0..self.warps.len()));
        Some(Access { address, store: false, warp, warpts: log.warpts })
    }

    /// What of these transactions of one access is next.
    pub(super) fn next_probe(&mut self, rng: &mut StimulusRng) -> Option<Access> {
        let quiet = self.roll != Roll::None || self.params.faithful || self.stream != MIXED;
        if quiet || self.probes.len() >= PROBES {
            self.follower = None;
            return None;
        }
        let drawn = |this: &mut Self, rng: &mut StimulusRng| match rng.random_range(0..8) {
            0 => this.probe(rng),
            _ => None,
        };
        let probe = self.follower.take().or_else(|| drawn(self, rng))?;
        self.probes.push(probe);
        Some(probe)
    }
}

/// One bit of so many.
fn bit(width: u32, rng: &mut StimulusRng) -> u64 {
    1 << rng.random_range(0..width)
}
