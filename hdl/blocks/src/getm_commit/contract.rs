//! What must hold whatever the reference says: what is written and released, region by region, against
//! the items of the logs. It does not know when a region leaves.

use std::collections::{HashMap, VecDeque};

use super::channels::{ERROR, Item, Kind, LOG, RELEASE, Region, Release, WRITE, decode_write};
use super::corners;
use super::params::Params;
use super::rules;
use crate::kit::*;

/// The run-time checks.
#[derive(Default)]
pub(super) struct CommitContract {
    params: Params,
    /// Of each region, the items that are not released, in the order of the log, with their numbers.
    due: HashMap<u64, VecDeque<(u64, Item)>>,
    /// Items taken, and those up to the last end of a log.
    items: u64,
    ended: u64,
    /// Regions accepted by the LLC that no release has accounted for.
    written: VecDeque<(u64, Region)>,
    errors: VecDeque<u64>,
    presented: bool,
    /// Region of the last item, and its clock.
    last: (u64, u64),
    clock: u64,
    stalls: Stalls,
}

impl CommitContract {
    pub(super) fn new(params: &Params) -> Self {
        Self {
            params: params.clone(),
            last: (0, u64::MAX / 2),
            stalls: Stalls::new(corners::STALLED),
            ..Self::default()
        }
    }

    fn accept(&mut self, item: Item, corners: &mut Corners) {
        match item.meaning(&self.params) {
            Err(misuse) => self.errors.push_back(misuse as u64),
            Ok(Kind::End) => self.ended = self.items,
            Ok(Kind::Commit | Kind::Abort) => {
                let granule = self.params.granule_of(item.address);
                let again = self.last == (granule, self.clock - 1);
                corners.count(corners::SAME_REGION_BACK_TO_BACK, again);
                self.last = (granule, self.clock);
                self.due.entry(granule).or_default().push_back((self.items, item));
                self.items += 1;
            }
        }
    }

    /// A release is presented for the first time: it accounts for the next items of its region.
    fn release(&mut self, address: u64, count: u64) -> Result<(), Violation> {
        let granule = self.params.granule_of(address);
        let told = |what: &str| format!("release of {count} writes to 0x{address:x}: {what}");
        let items = self.due.entry(granule).or_default();
        let mut region: Region = vec![None; self.params.granule_bytes as usize];
        let mut left = count;
        while left > 0 {
            let Some((_, item)) = items.front().copied().filter(|(_, item)| item.count <= left)
            else {
                let due: u64 = items.iter().map(|(_, item)| item.count).sum();
                let detail = format!("{left} too many; {due} writes of the next items are due");
                return Err(rules::COUNTS_RELEASED.broken(told(&detail)));
            };
            items.pop_front();
            left -= item.count;
            if item.kind == Some(Kind::Commit) {
                for byte in 0..self.params.word_bytes as usize {
                    if item.bytes >> byte & 1 == 1 {
                        let place = item.place(&self.params) + byte;
                        region[place] = Some((item.data >> (8 * byte)) as u8);
                    }
                }
            }
        }
        rules::COUNTS_RELEASED.require(count > 0, || told("it counts nothing"))?;
        if items.is_empty() {
            self.due.remove(&granule);
        }
        if region.iter().all(Option::is_none) {
            return Ok(());
        }
        let Some(index) = self.written.iter().position(|(written, _)| *written == granule) else {
            return Err(rules::RELEASE_AFTER_WRITE.broken(told("nothing was written there")));
        };
        let (_, written) = self.written.remove(index).expect("found");
        let show = |region: &Region| {
            let byte =
                |byte: &Option<u8>| byte.map_or("--".to_string(), |byte| format!("{byte:02x}"));
            region.iter().rev().map(byte).collect::<String>()
        };
        rules::LAST_WRITE_WINS.require(written == region, || {
            told(&format!("written was {}, due is {}", show(&written), show(&region)))
        })
    }
}

impl Contract for CommitContract {
    fn clock(&mut self, channels: &Channels<'_>, corners: &mut Corners) -> Result<(), Violation> {
        self.clock += 1;
        let (log, write) = (channels.at(LOG), channels.at(WRITE));
        let (release, error) = (channels.at(RELEASE), channels.at(ERROR));
        if log.fires() {
            self.accept(Item::decode(log.payload), corners);
        }
        // Before this clock's write counts: it has not been accepted yet.
        if release.valid && !self.presented {
            let Release { address, count } = Release::decode(release.payload);
            self.release(address, count)?;
        }
        self.presented = release.valid && !release.ready;
        if write.fires() {
            self.written.push_back(decode_write(&self.params, write.payload));
        }
        if error.valid {
            let (found, due) = (error.payload[0], self.errors.pop_front());
            let detail = || format!("code {found} came, due was {due:?}");
            rules::ERROR_AS_DUE.require(due == Some(found), detail)?;
        }
        self.stalls.clock(channels, corners);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Violation> {
        if let Some((granule, _)) = self.written.front() {
            let address = self.params.address_of(*granule);
            let detail = format!("0x{address:x} was written, and nothing was released");
            return Err(rules::COUNTS_RELEASED.broken(detail));
        }
        if let Some(code) = self.errors.front() {
            return Err(rules::ERROR_AS_DUE.broken(format!("code {code} never came")));
        }
        let oldest = self.due.values().filter_map(VecDeque::front).min_by_key(|(number, _)| number);
        match oldest {
            Some((number, item)) if *number < self.ended => {
                Err(rules::LOG_ENDS.broken(format!("{item} is not released")))
            }
            _ => Ok(()),
        }
    }
}
