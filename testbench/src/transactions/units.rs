//! A partition with the circuits of a validation unit and a commit unit.
//!
//! ```text
//! accesses -> validation unit -> answers          commit unit -> words -> LLC
//!                    ^                                 |
//!                    +------------ releases <----------+<- logs
//! ```
//!
//! The commit unit has its own clock (table 4.2: 700 MHz versus 1400 MHz of the validation unit); releases
//! cross in a queue of two places.

use std::collections::VecDeque;

use thiserror::Error;
use warpsmith_blocks::getm_commit::{self, Item, Kind};
use warpsmith_blocks::getm_metadata;
use warpsmith_blocks::getm_validation::{self, Issue, Issued, Params, Release, Response};
use warpsmith_blocks::parameters::{ImpossibleParameter, Parameters as _};

use super::partition::{Access, Event, LogEntry, LogItem, Partition, Word};
use super::program::WORD_BYTES;
use super::stalled::Stalled;
use crate::agents::Stalls;
use crate::backend::BackendError;
use crate::bench::Bench;
use crate::mismatch::Mismatch;
use crate::place::{Occupant, Place, Surroundings};
use crate::serializability::Store;

/// Capacity of the queue of releases between the units.
const CROSSING: usize = 2;

/// Why two units cannot form a partition.
#[derive(Debug, Error)]
pub enum UnitsError {
    /// The parameters of a unit exclude each other.
    #[error(transparent)]
    Impossible(#[from] ImpossibleParameter),
    /// A granule is too small.
    #[error(
        "a granule of {0} bytes does not hold a word, of {WORD_BYTES} bytes: \
         granule_bytes must be {WORD_BYTES} to 128"
    )]
    SmallGranule(u32),
    /// The write count is too narrow.
    #[error(
        "a transaction may store to a granule twice, and 1 bit counts 1 write: write_count_bits must \
         be 2 to 16"
    )]
    FewWrites,
    /// Timestamps are as in the paper instead of unique.
    #[error(
        "transactions are judged in the order of timestamps of their own: faithful must be false"
    )]
    Faithful,
}

/// The two units' parameters.
pub struct Designs {
    /// The validation unit.
    pub validation: Params,
    /// The commit unit.
    pub commit: getm_commit::Params,
}

impl Designs {
    /// Units that fit together: the commit unit gets words, and the granules, addresses and counts of the
    /// validation unit.
    ///
    /// # Errors
    /// Returns [`UnitsError`] if they cannot.
    pub fn new(validation: &Params, commit: &getm_commit::Params) -> Result<Self, UnitsError> {
        validation.validate()?;
        if validation.faithful {
            return Err(UnitsError::Faithful);
        }
        if u64::from(validation.granule_bytes) < WORD_BYTES {
            return Err(UnitsError::SmallGranule(validation.granule_bytes));
        }
        if validation.write_count_bits < 2 {
            return Err(UnitsError::FewWrites);
        }
        let commit = getm_commit::Params {
            word_bytes: WORD_BYTES as u32,
            granule_bytes: validation.granule_bytes,
            address_bits: validation.address_bits,
            write_count_bits: validation.write_count_bits,
            ..commit.clone()
        };
        commit.validate()?;
        Ok(Self { validation: validation.clone(), commit })
    }
}

/// Settings of a partition's circuits.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// Clocks of the validation unit per clock of the commit unit.
    pub commit_clock: u64,
    /// Stalls at the channels.
    pub stalls: Stalls,
    /// Seed of the stalls.
    pub seed: u64,
}

/// A partition.
pub struct Units {
    validation: Place,
    commit: Place,
    commit_params: getm_commit::Params,
    manner: Manner,
    clock: u64,
    stalled: Stalled,
    /// Releases that the validation unit has accepted and not issued.
    releases: VecDeque<Release>,
    /// Requests to the metadata table, in order.
    asked: Vec<getm_metadata::Request>,
    overflow_requests: u64,
    /// Writes in logs that are not released.
    logged: u64,
}

impl Units {
    /// A partition after its reset, with these occupants.
    ///
    /// # Errors
    /// Fails if no model can be built.
    pub fn new(
        designs: &Designs,
        [validation, commit]: [(&Bench<'_>, Occupant<'_>); 2],
        manner: Manner,
    ) -> Result<Self, BackendError> {
        let place = |(bench, occupant), seed| {
            let surroundings = Surroundings { straps: &[], stalls: manner.stalls, seed };
            Place::new(bench, occupant, surroundings)
        };
        Ok(Self {
            validation: place(validation, manner.seed)?,
            commit: place(commit, !manner.seed)?,
            commit_params: designs.commit.clone(),
            manner,
            clock: 0,
            stalled: Stalled::new(&designs.validation),
            releases: VecDeque::new(),
            asked: Vec::new(),
            overflow_requests: 0,
            logged: 0,
        })
    }

    /// Requests to the metadata table, in order.
    pub fn asked(&self) -> &[getm_metadata::Request] {
        &self.asked
    }

    /// Requests to the table's overflow space in memory.
    pub fn overflow_requests(&self) -> u64 {
        self.overflow_requests
    }

    fn clock_commit(&mut self, out: &mut Vec<Event>) -> Result<(), String> {
        let is_full = self.validation.queued(getm_validation::RELEASE) >= CROSSING;
        let clocked = self.commit.clock(|channel| is_full && channel == getm_commit::RELEASE);
        clocked.map_err(|wrong| told(&self.commit, &wrong))?;
        for (channel, payload) in self.commit.transfers() {
            match channel {
                getm_commit::WRITE => words(&self.commit_params, payload, out)?,
                getm_commit::RELEASE => self.validation.offer(getm_validation::RELEASE, payload),
                getm_commit::ERROR => {
                    return Err(format!("the commit unit reports error {}", payload[0]));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn clock_validation(&mut self, out: &mut Vec<Event>) -> Result<(), String> {
        self.validation.clock(|_| false).map_err(|wrong| told(&self.validation, &wrong))?;
        for (channel, payload) in self.validation.transfers() {
            match channel {
                getm_validation::RESP => out.push(Event::Answer(Response::decode(payload))),
                getm_validation::ROLLED => out.push(Event::Rolled { go: payload[0] != 0 }),
                getm_validation::RELEASE => {
                    let release = Release::decode(payload);
                    let left = self.logged.checked_sub(release.count);
                    self.logged = left.ok_or_else(|| {
                        format!("the commit unit releases {} writes too many", release.count)
                    })?;
                    self.releases.push_back(release);
                }
                getm_validation::ISSUED => {
                    let issued = Issued::of(payload).ok_or_else(|| {
                        format!("the validation unit issues a malformed item: {payload:?}")
                    })?;
                    self.stalled.issued(issued);
                    self.asked.extend(request(&issued, &mut self.releases));
                }
                getm_validation::OVERFLOW_REQ => self.overflow_requests += 1,
                getm_validation::DECIDED => self.stalled.decided(payload[0]),
                getm_validation::ERROR => {
                    return Err(format!("the validation unit reports error {}", payload[0]));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Formats a unit's mismatch.
fn told(unit: &Place, wrong: &Mismatch) -> String {
    format!("{}: {}", unit.block(), wrong.divergence)
}

/// The request to the table for an issued item.
fn request(issued: &Issued, releases: &mut VecDeque<Release>) -> Option<getm_metadata::Request> {
    use getm_metadata::Op;
    let Access { address, store, warp, warpts } = issued.access;
    let request = |op, count| getm_metadata::Request { op, address, warp, warpts, count, tag: 0 };
    Some(match issued.what {
        Issue::Request | Issue::Retry => request(if store { Op::Store } else { Op::Load }, 0),
        Issue::Release => request(Op::Release, releases.pop_front()?.count),
        Issue::Clear => request(Op::Clear, 0),
        Issue::Stop | Issue::RefusedRequest | Issue::RefusedRetry => return None,
    })
}

/// The words of a region that is written to the LLC.
fn words(p: &getm_commit::Params, payload: &[u64], out: &mut Vec<Event>) -> Result<(), String> {
    let (region, bytes) = getm_commit::decode_write(p, payload);
    let word_bytes = WORD_BYTES as usize;
    for (index, bytes) in bytes.chunks_exact(word_bytes).enumerate() {
        let address = (region << p.offset_bits()) + (index * word_bytes) as u64;
        let written: Vec<u8> = bytes.iter().copied().flatten().collect();
        if written.is_empty() {
            continue;
        }
        let bytes = <[u8; 8]>::try_from(written)
            .map_err(|_| format!("the commit unit writes a part of the word at 0x{address:x}"))?;
        out.push(Event::Write(address, unpack(u64::from_le_bytes(bytes))));
    }
    Ok(())
}

/// A word in the commit unit's format.
fn pack(word: Word) -> u64 {
    u64::from(word.store.0) << 32 | u64::from(word.value)
}

fn unpack(data: u64) -> Word {
    Word { value: data as u32, store: Store((data >> 32) as u32) }
}

impl Partition for Units {
    fn access(&mut self, access: &Access) -> bool {
        let is_free = self.validation.queued(getm_validation::REQ) == 0;
        if is_free {
            self.validation.offer(getm_validation::REQ, &access.encode());
        }
        is_free
    }

    fn log(&mut self, item: &LogItem) -> bool {
        let is_free = self.commit.queued(getm_commit::LOG) == 0;
        if is_free {
            let item = match *item {
                LogItem::End => {
                    Item { kind: Some(Kind::End), address: 0, data: 0, bytes: 0, count: 0 }
                }
                LogItem::Entry(LogEntry { address, word, committed }) => {
                    self.logged += 1;
                    let kind = if committed { Kind::Commit } else { Kind::Abort };
                    let (data, bytes) = (pack(word), (1 << WORD_BYTES) - 1);
                    Item { kind: Some(kind), address, data, bytes, count: 1 }
                }
            };
            self.commit.offer(getm_commit::LOG, &item.encode());
        }
        is_free
    }

    fn roll(&mut self, go: bool) {
        self.validation.offer(getm_validation::ROLL, &[u64::from(go)]);
    }

    fn is_drained(&self) -> bool {
        self.logged == 0
    }

    fn clock(&mut self, out: &mut Vec<Event>) -> Result<(), String> {
        if self.clock.is_multiple_of(self.manner.commit_clock) {
            self.clock_commit(out)?;
        }
        self.clock += 1;
        self.clock_validation(out)
    }

    fn waiting(&self) -> (usize, usize) {
        self.stalled.waiting()
    }
}
