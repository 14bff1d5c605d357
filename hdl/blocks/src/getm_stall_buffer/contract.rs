//! What must hold whatever the reference says. It knows no lines: all waiters are in one list, in the
//! order in which they came, and the first to go is found there when an address is released.

use super::channels::{
    Access, ERROR, NO_SUCH_RETRY, PARK, PARKED, Parked, RELEASE, RETRY, RETRY_RESULT, Release,
    RetryResult,
};
use super::corners;
use super::params::Params;
use super::rules;
use crate::kit::*;

/// The run-time checks.
#[derive(Default)]
pub(super) struct StallBufferContract {
    lines: usize,
    entries: usize,
    offset_bits: u32,
    /// All waiters, in the order of their coming.
    waiting: Vec<Waiting>,
    /// Addresses of retries that were taken and have no result.
    retried: Vec<u64>,
    /// Of these and of those that were chosen, what was released since.
    again: Vec<u64>,
    /// Whether the park of the last clock has room.
    answer_due: Option<bool>,
    /// The last clock had a result of no retry.
    error_due: bool,
    stalls: Stalls,
}

struct Waiting {
    access: Access,
    /// It is to leave now: the one to be retried of its address.
    chosen: bool,
    /// Retries of others that were taken since.
    overtaken: usize,
}

/// What comes at one clock, for corners.
struct Arrivals {
    park: Option<Access>,
    result: Option<RetryResult>,
    release: Option<Release>,
}

impl StallBufferContract {
    pub(super) fn new(p: &Params) -> Self {
        Self {
            lines: p.lines as usize,
            entries: p.entries as usize,
            offset_bits: p.offset_bits(),
            stalls: Stalls::new(corners::STALLED),
            ..Self::default()
        }
    }

    /// The address of the granule.
    fn granule(&self, address: u64) -> u64 {
        address >> self.offset_bits << self.offset_bits
    }

    fn waiting_for(&self, address: u64) -> impl Iterator<Item = &Waiting> {
        self.waiting.iter().filter(move |w| w.access.address == address)
    }

    /// Addresses that have waiters, or whose retry is under way.
    fn addresses(&self) -> Vec<u64> {
        let waited = self.waiting.iter().map(|w| w.access.address);
        let mut addresses: Vec<_> = waited.chain(self.retried.iter().copied()).collect();
        addresses.sort_unstable();
        addresses.dedup();
        addresses
    }

    fn park(&mut self, access: Access) {
        let addresses = self.addresses();
        let has_line = addresses.binary_search(&access.address).is_ok();
        let room = match has_line {
            true => self.waiting_for(access.address).count() < self.entries,
            false => addresses.len() < self.lines,
        };
        self.answer_due = Some(room);
        if room {
            self.waiting.push(Waiting { access, chosen: false, overtaken: 0 });
        }
    }

    /// An address is not reserved any more.
    fn wake(&mut self, address: u64) {
        let is_awake = self.waiting_for(address).any(|w| w.chosen);
        if is_awake || self.retried.contains(&address) {
            self.again.push(address);
            return;
        }
        let of_address = self.waiting.iter_mut().filter(|w| w.access.address == address);
        // Of equal ones the first, which came before the others.
        if let Some(first) = of_address.min_by_key(|w| w.access.warpts) {
            first.chosen = true;
        }
    }

    fn retry_result(&mut self, result: RetryResult) {
        let Some(at) = self.retried.iter().position(|&address| address == result.address) else {
            self.error_due = true;
            return;
        };
        self.retried.remove(at);
        let again = self.again.contains(&result.address);
        self.again.retain(|address| *address != result.address);
        if !result.reserved || again {
            self.wake(result.address);
        }
    }

    fn release(&mut self, release: Release) {
        let addresses = if release.all { self.addresses() } else { vec![release.address] };
        addresses.into_iter().for_each(|address| self.wake(address));
    }

    fn retry(&mut self, access: Access, taken: bool) -> Result<(), Violation> {
        let offered = |w: &Waiting| w.access == access;
        let Some(at) = self.waiting.iter().position(|w| offered(w) && w.chosen) else {
            let rule = if !self.waiting.iter().any(offered) {
                rules::LEAVES_ONCE
            } else if self.waiting_for(access.address).any(|w| w.chosen) {
                rules::OLDEST_FIRST
            } else {
                rules::WOKEN_BY_RELEASE
            };
            return Err(rule.broken(format!("{access} is offered")));
        };
        if taken {
            self.waiting.remove(at);
            self.retried.push(access.address);
        }
        Ok(())
    }

    /// A retry of another address is taken before that of a waiter that was chosen before this clock.
    fn overtake(&mut self, address: u64) -> Result<(), Violation> {
        let others = self.waiting.iter_mut().filter(|w| w.chosen && w.access.address != address);
        for Waiting { access, overtaken, .. } in others {
            *overtaken += 1;
            rules::FAIR.require(*overtaken < self.lines, || {
                format!("{access} waits behind {overtaken} retries")
            })?;
        }
        Ok(())
    }

    fn check_answers(&mut self, channels: &Channels<'_>) -> Result<(), Violation> {
        let (parked, error) = (channels.at(PARKED), channels.at(ERROR));
        let room = self.answer_due.take();
        rules::ANSWER_NEXT_CLOCK.require(room.is_some() == parked.valid, || {
            match parked.valid {
                true => "an answer without a park".to_string(),
                false => "a park was not answered".to_string(),
            }
        })?;
        if let Some(room) = room {
            let as_due = room == Parked::decode(parked.payload).room;
            rules::REFUSED_ONLY_IF_FULL.require(as_due, || {
                format!("answered {}, due was {}", u64::from(!room), u64::from(room))
            })?;
        }
        let (due, raised) = (std::mem::take(&mut self.error_due), error.valid);
        let as_due = due == raised && (!raised || error.payload[0] == NO_SUCH_RETRY);
        rules::ERROR_AS_DUE.require(as_due, || format!("due: {due}, raised: {raised}"))
    }

    fn count_arrivals(&self, arrivals: &Arrivals, retry: Option<Access>, corners: &mut Corners) {
        let Arrivals { park, result, release } = arrivals;
        let is_released = |address| release.is_some_and(|r| r.all || r.address == address);
        if let Some(result) = result {
            let both = is_released(result.address);
            corners.count(corners::RESULT_AND_RELEASE, both);
            let both = park.is_some_and(|park| park.address == result.address);
            corners.count(corners::PARK_AND_RESULT, both);
        }
        if let Some(park) = park {
            let others = self.waiting_for(park.address).count();
            let leaves = retry.is_some_and(|retry| retry.address == park.address);
            corners.count(corners::PARK_AS_RETRY_LEAVES, leaves && others == self.entries);
            let both = is_released(park.address) && others < self.entries;
            corners.count(corners::PARK_AND_RELEASE, both);
            let is_new = others == 0 && !self.retried.contains(&park.address);
            corners.count(corners::PARK_AND_RELEASE_FIRST, both && is_new);
            let mut others = self.waiting_for(park.address);
            let first = others.all(|w| !w.chosen && park.warpts < w.access.warpts);
            let asleep = !is_new && !self.retried.contains(&park.address);
            corners.count(corners::PARK_AND_RELEASE_CHOSEN, both && first && asleep);
        }
    }
}

impl Contract for StallBufferContract {
    fn clock(&mut self, channels: &Channels<'_>, corners: &mut Corners) -> Result<(), Violation> {
        self.check_answers(channels)?;
        let retry = channels.at(RETRY);
        let offered = retry.valid.then(|| Access::decode(retry.payload));
        let taken = retry.fires();
        self.stalls.clock(channels, corners);

        let park = channels.taken(PARK).map(Access::decode);
        let result = channels.taken(RETRY_RESULT).map(RetryResult::decode);
        let release = channels.taken(RELEASE).map(Release::decode);
        let arrivals = Arrivals {
            park: park.map(|p| Access { address: self.granule(p.address), ..p }),
            result: result.map(|r| RetryResult { address: self.granule(r.address), ..r }),
            release: release.map(|r| Release { address: self.granule(r.address), ..r }),
        };
        self.count_arrivals(&arrivals, offered.filter(|_| taken), corners);

        // What is offered was chosen before this clock; what is taken leaves at its end.
        if let Some(access) = offered {
            self.retry(access, false)?;
            if taken {
                self.overtake(access.address)?;
            }
        }
        if let Some(park) = arrivals.park {
            self.park(park);
        }
        if let Some(result) = arrivals.result {
            self.retry_result(result);
        }
        if let Some(release) = arrivals.release {
            self.release(release);
        }
        match offered {
            Some(access) if taken => self.retry(access, true),
            _ => Ok(()),
        }
    }

    fn finish(&mut self) -> Result<(), Violation> {
        self.waiting.iter().find(|w| w.chosen).map_or(Ok(()), |w| {
            Err(rules::NOBODY_STRANDED.broken(format!("{} never left", w.access)))
        })
    }
}
