//! The commit unit as a sequential program: one item of a log after the other.

use std::collections::VecDeque;

use super::channels::{
    ERROR, Item, Kind, LOG, Misuse, RELEASE, Region, Release, WRITE, encode_write,
};
use super::params::Params;
use super::{corners, exercise};
use crate::kit::*;

/// The reference model.
#[derive(Clone, Debug)]
pub struct Ring {
    params: Params,
    /// From the oldest that is open on.
    window: VecDeque<Entry>,
    items: u64,
    /// Regions begun so far.
    begun: usize,
    last: Option<Item>,
}

impl Ring {
    /// An empty commit unit.
    pub fn new(params: &Params) -> Self {
        Self { params: params.clone(), window: VecDeque::new(), items: 0, begun: 0, last: None }
    }

    /// One item of a log.
    pub fn apply(&mut self, item: &Item) -> Effect {
        let mut effect = Effect::default();
        self.last = Some(*item);
        match item.meaning(&self.params) {
            Err(misuse) => effect.error = Some(misuse),
            Ok(kind) => self.take(kind, item, &mut effect),
        }
        effect
    }

    fn take(&mut self, kind: Kind, item: &Item, effect: &mut Effect) {
        let (items, max_wait) = (self.items, u64::from(self.params.max_wait));
        self.close(|entry| items - entry.begun >= max_wait, Cause::Age, effect);
        match kind {
            Kind::End => self.close(|_| true, Cause::End, effect),
            Kind::Commit | Kind::Abort => self.coalesce(kind, item, effect),
        }
        self.items += 1;
    }

    fn coalesce(&mut self, kind: Kind, item: &Item, effect: &mut Effect) {
        let granule = self.params.granule_of(item.address);
        let is_open = |entry: &Entry| !entry.closed && entry.granule == granule;
        let room = self.params.most_writes() - item.count;
        if self.window.iter().any(|entry| is_open(entry) && entry.count > room) {
            self.close(is_open, Cause::CountOverflow, effect);
        }
        let open = self.window.iter().position(is_open);
        effect.coalesced = open.is_some();
        let index = open.unwrap_or_else(|| self.begin(granule, effect));
        let entry = &mut self.window[index];
        entry.count += item.count;
        entry.aborts |= kind == Kind::Abort;
        if kind == Kind::Commit {
            for byte in (0..self.params.word_bytes as usize).filter(|i| item.bytes >> i & 1 == 1) {
                entry.region[item.place(&self.params) + byte] =
                    Some((item.data >> (8 * byte)) as u8);
            }
        }
        self.close(|entry| entry.region.iter().all(Option::is_some), Cause::Covered, effect);
    }

    /// Begins a region; the oldest is closed if there is no room.
    fn begin(&mut self, granule: u64, effect: &mut Effect) -> usize {
        if self.window.len() == self.params.window as usize {
            let oldest = self.window[0].begun;
            self.close(|entry| entry.begun == oldest, Cause::Pressure, effect);
        }
        self.window.push_back(Entry {
            granule,
            region: vec![None; self.params.granule_bytes as usize],
            count: 0,
            begun: self.items,
            slot: self.begun % self.params.ring as usize,
            closed: false,
            aborts: false,
        });
        self.begun += 1;
        self.window.len() - 1
    }

    /// Closes regions; those at the front that are closed leave.
    fn close(&mut self, which: impl Fn(&Entry) -> bool, cause: Cause, effect: &mut Effect) {
        for entry in self.window.iter_mut().filter(|entry| !entry.closed && which(entry)) {
            entry.closed = true;
            effect.causes.push(cause);
        }
        while self.window.front().is_some_and(|entry| entry.closed) {
            effect.leaves.extend(self.window.pop_front());
        }
    }
}

impl Reference for Ring {
    fn accept(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        assert_eq!(channel, LOG, "logs are the only input");
        let item = Item::decode(payload);
        let (p, corners) = (&self.params, &mut *outcome.corners);
        exercise::count_compared(p, self.window.iter(), self.items, &item, corners);
        let effect = self.apply(&item);
        if let Some(misuse) = effect.error {
            outcome.sink.expect(ERROR, &[misuse as u64]);
        }
        for entry in &effect.leaves {
            let payload = encode_write(&self.params, entry.granule, &entry.region);
            exercise::note_read(&self.params, entry, &payload, outcome.corners);
            if entry.region.iter().any(Option::is_some) {
                outcome.sink.expect(WRITE, &payload);
            }
            let address = self.params.address_of(entry.granule);
            let release = Release { address, count: entry.count };
            outcome.sink.expect(RELEASE, &release.encode());
        }
        corners::count_effect(&item, &effect, outcome.corners);
    }

    fn state(&self) -> Vec<String> {
        let last = self.last.map(|item| format!("last item: {item}"));
        let show = |entry: &Entry| {
            let address = self.params.address_of(entry.granule);
            let bytes: String =
                entry.region.iter().rev().map(|b| if b.is_some() { '1' } else { '0' }).collect();
            let state = if entry.closed { "closed" } else { "open" };
            format!("0x{address:x}: {state}, bytes 0b{bytes}, {} writes", entry.count)
        };
        last.into_iter().chain(self.window.iter().map(show)).collect()
    }
}

// What an item of a log does, as the reference sees it.

/// A region on its way to the LLC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Number of the region.
    pub granule: u64,
    /// What is written to it; nothing if all of its writes were aborted.
    pub region: Region,
    /// Writes that are done with once it is written.
    pub count: u64,
    /// Items taken before it was begun.
    pub(super) begun: u64,
    pub(super) slot: usize,
    /// Nothing more is coalesced into it.
    pub(super) closed: bool,
    pub(super) aborts: bool,
}

/// Why a region is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    Covered,
    End,
    Pressure,
    Age,
    CountOverflow,
}

/// What an item does.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// Why it is malformed, if it is.
    pub error: Option<Misuse>,
    /// The regions that leave, in order.
    pub leaves: Vec<Entry>,
    pub(super) causes: Vec<Cause>,
    pub(super) coalesced: bool,
}
