//! What is counted of a validation unit, from its ports: the accesses in its stall buffer (figures 4.15 and
//! 4.16), and the clocks of its metadata table (figure 4.13).

use std::collections::VecDeque;

use warpsmith_blocks::getm_metadata::{Op, Request};
use warpsmith_blocks::getm_validation::{Access, Issue, Issued, Params, Release};

use super::metadata_access::MetadataAccess;
use super::stalled::Stalled;
use crate::memory::{MetadataClocks, UnitCounts};

/// The counters of a unit.
pub(super) struct Counters {
    stalled: Stalled,
    /// Releases that the unit has accepted and not issued.
    releases: VecDeque<Release>,
    /// The table's circuit, if its clocks are counted.
    pub metadata: Option<MetadataAccess>,
    /// Accesses that were issued.
    pub validations: u64,
    /// Requests to the table's overflow space in memory.
    pub overflow_requests: u64,
}

impl Counters {
    /// Those of a unit after its reset.
    pub fn new(params: &Params) -> Self {
        Self {
            stalled: Stalled::new(params),
            releases: VecDeque::new(),
            metadata: None,
            validations: 0,
            overflow_requests: 0,
        }
    }

    /// The unit accepts a release.
    pub fn released(&mut self, release: Release) {
        self.releases.push_back(release);
    }

    /// The unit issues something.
    ///
    /// # Errors
    /// What the table's circuit does wrong.
    pub fn issued(&mut self, issued: Issued) -> Result<(), String> {
        self.validations += u64::from(matches!(issued.what, Issue::Request | Issue::Retry));
        self.stalled.issued(issued);
        let request = self.request(&issued);
        match (&mut self.metadata, request) {
            (Some(metadata), Some(request)) => metadata.ask(&request),
            _ => Ok(()),
        }
    }

    /// The unit decides.
    pub fn decided(&mut self, verdict: u64) {
        self.stalled.decided(verdict);
    }

    /// Accesses that wait, and addresses that they wait for.
    pub fn waiting(&self) -> [u64; 2] {
        self.stalled.waiting()
    }

    /// What the table is asked for an issued item.
    fn request(&mut self, issued: &Issued) -> Option<Request> {
        let Access { address, store, warp, warpts } = issued.access;
        let request = |op, count| Request { op, address, warp, warpts, count, tag: 0 };
        Some(match issued.what {
            Issue::Request | Issue::Retry => request(if store { Op::Store } else { Op::Load }, 0),
            Issue::Release => request(Op::Release, self.releases.pop_front()?.count),
            Issue::Clear => request(Op::Clear, 0),
            Issue::Stop | Issue::RefusedRequest | Issue::RefusedRetry => return None,
        })
    }
}

/// The accesses in all stall buffers, and their addresses, over the clocks of the cores.
#[derive(Debug, Default)]
pub(super) struct Queued {
    now: [u64; 2],
    since: u64,
    /// Sums over the clocks.
    clocks: [u64; 2],
    most_addresses: u64,
}

impl Queued {
    /// Those of one unit change.
    pub fn change(&mut self, clock: u64, before: [u64; 2], after: [u64; 2]) {
        for (which, clocks) in self.clocks.iter_mut().enumerate() {
            *clocks += self.now[which] * (clock - self.since);
            self.now[which] = self.now[which] + after[which] - before[which];
        }
        self.since = clock;
        self.most_addresses = self.most_addresses.max(self.now[1]);
    }

    /// The counts of all units.
    pub fn counts<'a>(&self, units: impl Iterator<Item = &'a Counters>) -> UnitCounts {
        let mut counts = UnitCounts {
            most_queued_addresses: self.most_addresses,
            queued_access_clocks: self.clocks[0],
            queued_address_clocks: self.clocks[1],
            ..UnitCounts::default()
        };
        for unit in units {
            counts.overflow_requests += unit.overflow_requests;
            if let Some(metadata) = &unit.metadata {
                *counts.metadata.get_or_insert(MetadataClocks::default()) += metadata.clocks;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_addresses_are_those_of_all_units_at_one_clock() {
        let mut queued = Queued::default();
        queued.change(10, [0, 0], [3, 1]);
        queued.change(14, [0, 0], [1, 1]);
        queued.change(15, [3, 1], [0, 0]);
        queued.change(20, [0, 0], [1, 1]);
        let counts = queued.counts([].into_iter());
        assert_eq!(counts.most_queued_addresses, 2);
        // Three accesses to one address for 4 clocks, four to two for one, one to one for five.
        assert_eq!((counts.queued_access_clocks, counts.queued_address_clocks), (21, 11));
        assert_eq!(counts.requests_per_address(), Some(21.0 / 11.0));
    }
}
