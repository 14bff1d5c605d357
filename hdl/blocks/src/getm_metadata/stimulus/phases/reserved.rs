//! Requests to granules that are reserved.

use super::Phases;
use crate::getm_metadata::channels::{Op, Request};
use crate::kit::*;

impl Phases {
    /// A reserved granule, those outside the banks more often.
    pub(super) fn some_reserved(&self, rng: &mut StimulusRng) -> Option<u64> {
        if self.reserved.is_empty() {
            return None;
        }
        if rng.random_range(0..4) == 0 {
            let spilled: Vec<u64> = self.table.spilled().collect();
            if !spilled.is_empty() {
                return Some(spilled[rng.random_range(0..spilled.len())]);
            }
        }
        Some(self.reserved[rng.random_range(0..self.reserved.len())])
    }

    pub(super) fn release(&self, rng: &mut StimulusRng) -> Option<Request> {
        let address = self.some_reserved(rng)?;
        let writes = self.table.metadata(address).writes;
        let count = match rng.random_range(0..8) {
            0 | 1 => rng.random_range(0..=writes),
            2 => writes ^ 1 << rng.random_range(0..self.params.write_count_bits),
            _ => writes,
        };
        Some(Request { count, ..self.request(Op::Release, address, rng) })
    }

    /// The first load by the owner of a granule in the overflow space, which raises its `rts`.
    pub(super) fn load_of_overflown(&self, rng: &mut StimulusRng) -> Option<Request> {
        let mut held =
            self.table.overflown().map(|address| (address, self.table.metadata(address)));
        let (address, held) = held.find(|(_, held)| held.rts + 1 < held.wts)?;
        let (warp, warpts) = (held.owner, held.wts - 1);
        Some(Request { warp, warpts, ..self.request(Op::Load, address, rng) })
    }

    /// An access to a reserved granule: by its owner, by its warp at another time, or by another.
    pub(super) fn contended(&self, rng: &mut StimulusRng) -> Option<Request> {
        let address = self.some_reserved(rng)?;
        let metadata = self.table.metadata(address);
        let op = [Op::Load, Op::Store][rng.random_range(0..2)];
        let request = self.request(op, address, rng);
        let at = metadata.wts.saturating_sub(1);
        Some(match rng.random_range(0..4) {
            0 | 1 => Request { warp: metadata.owner, warpts: at, ..request },
            2 => Request { warp: metadata.owner, ..request },
            _ => request,
        })
    }

    pub(super) fn hammer(&mut self, rng: &mut StimulusRng) -> Request {
        let owned = self.table.metadata(self.hammered);
        let left = self.count_bit.map(|bit| 1 << bit);
        if let Some(left) = left.filter(|left| owned.writes & left != 0 && owned.writes > *left) {
            let next = self.count_bit.map_or(0, |bit| (bit + 1) % self.params.write_count_bits);
            self.count_bit = Some(next);
            let release = self.request(Op::Release, self.hammered, rng);
            return Request { count: owned.writes ^ left, ..release };
        }
        let more = owned.writes | 1 << rng.random_range(0..self.params.write_count_bits);
        if more != owned.writes && rng.random_range(0..16) == 0 {
            // An error, which changes nothing.
            return Request { count: more, ..self.request(Op::Release, self.hammered, rng) };
        }
        let (warp, warpts) = (owned.owner, owned.wts.saturating_sub(1));
        Request { warp, warpts, ..self.request(Op::Store, self.hammered, rng) }
    }
}
