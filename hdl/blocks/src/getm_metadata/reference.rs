//! The table as a sequential program: one request after the other.

mod insertion;

use std::collections::BTreeMap;

use super::access::{self, Effect, Insertion, Metadata, Place, Verdict};
use super::channels::{
    Answer, ERROR, Misuse, OVERFLOW_REQ, OVERFLOW_RESP, Op, OverflowOp, OverflowRequest, REQ, RESP,
    Request,
};
use super::corners;
use super::exercise::{self, Evicted, Exercised, Source};
use super::hashes::{BloomFilter, Hashes};
use super::params::Params;
use crate::kit::*;

/// An entry of the precise table, the stash or the overflow space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    granule: u64,
    metadata: Metadata,
}

/// The reference model.
#[derive(Clone, Debug)]
pub struct Table {
    params: Params,
    hashes: Hashes,
    banks: Vec<Vec<Option<Entry>>>,
    stash: Vec<Option<Entry>>,
    bloom: BloomFilter,
    overflow: BTreeMap<u64, Metadata>,
    last: Option<(Request, Effect)>,
    /// Granules and banks of the entries of the last request, and of the one before it.
    in_banks: [Option<(u64, usize)>; 2],
    evicted: Evicted,
    exercised: Exercised,
}

impl Table {
    /// An empty table.
    pub fn new(params: &Params) -> Self {
        Self::with(params, Exercised::new(params, true))
    }

    /// An empty table within a unit that does not exercise its RAM.
    pub(crate) fn within_unit(params: &Params) -> Self {
        Self::with(params, Exercised::new(params, false))
    }

    fn with(params: &Params, exercised: Exercised) -> Self {
        Self {
            params: params.clone(),
            hashes: Hashes::new(params),
            banks: vec![vec![None; params.rows_per_way as usize]; params.ways as usize],
            stash: vec![None; params.stash as usize],
            bloom: BloomFilter::new(params),
            overflow: BTreeMap::new(),
            last: None,
            in_banks: [None; 2],
            evicted: Evicted::default(),
            exercised,
        }
    }

    /// What the table knows of the granule of an address: exact while it is reserved, else at
    /// least the true timestamps.
    pub fn metadata(&self, address: u64) -> Metadata {
        let granule = self.params.granule_of(address);
        match self.find(granule) {
            Some((_, metadata)) => metadata,
            None => self.bloom.estimate(&self.hashes, granule),
        }
    }

    /// Entries in the banks, over places.
    pub fn occupancy(&self) -> f64 {
        let places = self.params.rows_per_way * self.params.ways;
        self.banks.iter().flatten().flatten().count() as f64 / f64::from(places)
    }

    /// Addresses of the entries in the stash and in the overflow space.
    pub(super) fn spilled(&self) -> impl Iterator<Item = u64> {
        let stash = self.stash.iter().flatten().map(|entry| entry.granule);
        let granules = stash.chain(self.overflow.keys().copied());
        granules.map(|granule| self.params.address_of(granule))
    }

    /// Addresses of the entries in the overflow space.
    pub(super) fn overflown(&self) -> impl Iterator<Item = u64> {
        self.overflow.keys().map(|granule| self.params.address_of(*granule))
    }

    /// The latest time that a way of the Bloom filter has for a granule, and for all that share its row.
    pub(super) fn filtered(&self, way: usize, granule: u64) -> u64 {
        self.bloom.latest(&self.hashes, way, granule)
    }

    /// Whether an entry that is reserved finds a place in the stash.
    pub(super) fn stash_has_room(&self) -> bool {
        let has_room = |slot: &Option<Entry>| slot.is_none_or(|e| !e.metadata.is_reserved());
        self.stash.iter().any(has_room)
    }

    pub(super) fn place(&self, address: u64) -> Place {
        let found = self.find(self.params.granule_of(address));
        found.map_or(Place::Absent, |(place, _)| place)
    }

    pub(super) fn stashed(&self, slot: usize) -> Option<u64> {
        self.stash.get(slot).copied().flatten().map(|entry| entry.granule)
    }

    pub(super) fn overflow_entries(&self) -> usize {
        self.overflow.len()
    }

    /// One request.
    pub fn apply(&mut self, request: &Request) -> Effect {
        self.apply_and_count(request, None)
    }

    /// One request; counts what it exercises.
    pub(crate) fn apply_and_count(
        &mut self,
        request: &Request,
        corners: Option<&mut Corners>,
    ) -> Effect {
        let Request { op, address, warp, warpts, tag, .. } = *request;
        let (verdict, wts, rts, reserved) = (Verdict::Success, 0, 0, false);
        let answer = Answer { op, address, warp, warpts, tag, verdict, wts, rts, reserved };
        let mut effect = Effect {
            answer,
            error: None,
            overflow: Vec::new(),
            place: Place::Absent,
            reserved_before: false,
            same_warp_later: false,
            insertion: None,
            victim: None,
            new_bank: None,
        };
        if let Err(misuse) = self.perform(request, &mut effect, corners) {
            effect.error = Some(misuse);
            effect.answer.verdict = Verdict::Error;
        }
        let granule = self.params.granule_of(request.address);
        let bank = effect.bank(self.params.ways).map(|bank| (granule, bank));
        self.in_banks = [bank, self.in_banks[0]];
        self.last = Some((*request, effect.clone()));
        effect
    }

    fn perform(
        &mut self,
        request: &Request,
        effect: &mut Effect,
        mut corners: Option<&mut Corners>,
    ) -> Result<(), Misuse> {
        match request.op {
            Op::Clear if self.any_reserved() => return Err(Misuse::ClearWhileReserved),
            Op::Clear => {
                self.clear();
                return Ok(());
            }
            Op::Load | Op::Store if request.warpts == self.params.last_timestamp() => {
                return Err(Misuse::LastTimestamp);
            }
            Op::Load | Op::Store | Op::Release => {}
        }
        let granule = self.params.granule_of(request.address);
        let found = self.find_and_count(granule, corners.as_deref_mut());
        // The overflow space is asked only if the entry may be there.
        if matches!(found, None | Some((Place::Overflow, _))) && !self.overflow.is_empty() {
            self.ask_overflow(OverflowOp::Lookup, granule, Metadata::default(), effect);
        }
        let before = found
            .map_or_else(|| self.bloom.estimate(&self.hashes, granule), |(_, metadata)| metadata);
        if let Some(corners) = corners {
            self.count_stand(request, granule, (found, before), corners);
        }
        let (verdict, after) = match request.op {
            Op::Release => (Verdict::Success, access::release(before, request.count)?),
            op => access::access(&self.params, op, request.warp, request.warpts, before),
        };
        effect.reserved_before = before.is_reserved();
        effect.same_warp_later = request.op != Op::Release
            && before.is_reserved()
            && before.owner == request.warp
            && before.wts != request.warpts + 1;
        effect.answer.verdict = verdict;
        (effect.answer.wts, effect.answer.rts) = (before.wts, before.rts);
        effect.answer.reserved = after.is_reserved();
        let entry = Entry { granule, metadata: after };
        match found {
            Some((place, before)) => {
                effect.place = place;
                self.update(place, entry, before != after, effect);
            }
            None => self.insert(entry, effect),
        }
        Ok(())
    }

    fn clear(&mut self) {
        self.banks.iter_mut().for_each(|bank| bank.fill(None));
        self.stash.fill(None);
        self.bloom = BloomFilter::new(&self.params);
        self.overflow.clear();
    }

    fn find(&self, granule: u64) -> Option<(Place, Metadata)> {
        self.find_and_count(granule, None)
    }

    fn find_and_count(
        &self,
        granule: u64,
        mut corners: Option<&mut Corners>,
    ) -> Option<(Place, Metadata)> {
        for (bank, row) in self.hashes.rows(granule).enumerate() {
            let Some(entry) = self.banks[bank][row] else { continue };
            if entry.granule == granule {
                return Some((Place::Bank(row * self.banks.len() + bank), entry.metadata));
            }
            if let Some(corners) = corners.as_deref_mut() {
                self.exercised.in_bank(bank, entry.granule, granule, corners);
                if let Some((other, other_bank)) = self.in_banks[1]
                    && other_bank == bank
                    && other == entry.granule
                {
                    self.exercised.two_apart(bank, entry.granule, granule, corners);
                }
            }
        }
        for (slot, entry) in self.stash.iter().enumerate() {
            let Some(entry) = entry else { continue };
            if let Some(corners) = corners.as_deref_mut() {
                self.exercised.in_stash(slot, entry.granule, granule, corners);
            }
            if entry.granule == granule {
                return Some((Place::Stash(slot), entry.metadata));
            }
        }
        self.overflow.get(&granule).map(|&metadata| (Place::Overflow, metadata))
    }

    /// Counts how a request stands to what is known of its granule.
    fn count_stand(
        &self,
        request: &Request,
        granule: u64,
        (found, before): (Option<(Place, Metadata)>, Metadata),
        corners: &mut Corners,
    ) {
        let is_access = request.op != Op::Release;
        if let (false, Some((place, _))) = (is_access, found) {
            let overflown = place == Place::Overflow;
            exercise::releases(request.count, before.writes, overflown, corners);
        }
        let place = found.map_or(Place::Absent, |(place, _)| place);
        match place {
            // A release of what is not there is told nothing of the estimate.
            Place::Absent if is_access => {
                self.exercised.estimated(request, before, corners);
                self.bloom.count_least(&self.hashes, granule, &self.exercised, corners);
            }
            Place::Overflow if is_access => {
                exercise::stands(request, before, Source::Overflow, corners);
            }
            Place::Bank(_) | Place::Stash(_) if is_access => {
                exercise::stands(request, before, Source::Table, corners);
            }
            _ => {}
        }
        if let Place::Bank(index) = place {
            let mine = is_access && before.is_mine(&self.params, request.warp, request.warpts);
            self.exercised.read(index, granule, before, mine, corners);
        }
    }

    fn update(&mut self, place: Place, entry: Entry, changes: bool, effect: &mut Effect) {
        match place {
            Place::Bank(index) => {
                let ways = self.banks.len();
                self.banks[index % ways][index / ways] = Some(entry);
            }
            Place::Stash(slot) => self.stash[slot] = Some(entry),
            Place::Overflow if !entry.metadata.is_reserved() => {
                self.ask_overflow(OverflowOp::Remove, entry.granule, Metadata::default(), effect);
                self.evict(entry, effect);
            }
            Place::Overflow if changes => {
                self.ask_overflow(OverflowOp::Update, entry.granule, entry.metadata, effect);
            }
            Place::Overflow => {}
            Place::Absent => unreachable!("what is updated was found"),
        }
    }

    fn ask_overflow(
        &mut self,
        op: OverflowOp,
        granule: u64,
        metadata: Metadata,
        effect: &mut Effect,
    ) {
        match op {
            OverflowOp::Lookup => {}
            OverflowOp::Insert | OverflowOp::Update => {
                self.overflow.insert(granule, metadata);
            }
            OverflowOp::Remove => {
                self.overflow.remove(&granule);
            }
        }
        let address = self.params.address_of(granule);
        effect.overflow.push(OverflowRequest { op, address, metadata });
    }

    fn entries(&self) -> impl Iterator<Item = Entry> {
        let overflow = self.overflow.iter();
        let overflow = overflow.map(|(&granule, &metadata)| Entry { granule, metadata });
        self.banks.iter().flatten().chain(&self.stash).flatten().copied().chain(overflow)
    }

    fn any_reserved(&self) -> bool {
        self.entries().any(|entry| entry.metadata.is_reserved())
    }
}

impl Reference for Table {
    fn accept(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        if channel == OVERFLOW_RESP {
            // The table knows what it has put there.
            return;
        }
        assert_eq!(channel, REQ, "requests and answers of the overflow space are the inputs");
        let request = Request::decode(payload);
        let before = self.last.take();
        let effect = self.apply_and_count(&request, Some(&mut *outcome.corners));
        if let Some(misuse) = effect.error {
            outcome.sink.expect(ERROR, &[misuse as u64]);
        }
        for asked in &effect.overflow {
            outcome.sink.expect(OVERFLOW_REQ, &asked.encode());
        }
        outcome.sink.expect(RESP, &effect.answer.encode());
        let granule = self.params.granule_of(request.address);
        corners::count_effect(&self.params, granule, &effect, before.as_ref(), outcome.corners);
        self.evicted.count(effect.victim, &self.hashes, outcome.corners);
    }

    fn state(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some((request, effect)) = &self.last {
            lines.push(format!("last request: {request}"));
            lines.push(format!("its effect: {}, found in {:?}", effect.answer, effect.place));
            if let Some(Insertion { displaced, end }) = &effect.insertion {
                lines.push(format!("inserted: {end:?}, after {} displacements", displaced.len()));
            }
        }
        let show = |entry: Entry| {
            let Metadata { wts, rts, writes, owner } = entry.metadata;
            let address = self.params.address_of(entry.granule);
            let reserved = match writes {
                0 => "not reserved".to_string(),
                writes => format!("{writes} writes by warp {owner}"),
            };
            format!("0x{address:x}: wts={wts} rts={rts} {reserved}")
        };
        // All of a small table; of a large one what is reserved.
        let small = self.params.rows_per_way * self.params.ways <= 16;
        let shown = self.entries().filter(|entry| small || entry.metadata.is_reserved());
        lines.extend(shown.take(64).map(show));
        lines
    }
}
