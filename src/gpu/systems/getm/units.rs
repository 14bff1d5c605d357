//! The units of a partition: a validation unit and a commit unit, as reference or as circuit (4.5.2, 4.5.3).
//!
//! ```text
//! accesses -> validation unit -> answers          logs -> commit unit -> regions -> LLC
//!                    ^                                         |
//!                    +----------------- releases --------------+
//! ```
//!
//! Each has its own clock (table 4.2). Releases cross in a queue of two places.

use std::collections::{HashMap, VecDeque};
use std::fmt;

use warpsmith_blocks::block::Design;
use warpsmith_blocks::getm_commit::{self, Item, Kind, Region};
use warpsmith_blocks::getm_validation::{self, Access, Issued, Release, Response};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::mismatch::Mismatch;
use warpsmith_testbench::place::{Occupant, Place, Surroundings};
use warpsmith_testbench::verilator::Warning;

use super::counters::Counters;
use super::designs::{Designs, put_circuits};
use super::metadata_access::MetadataAccess;
use crate::config::Config;
use crate::memory::{Circuits, RtlError, RtlSettings};

/// Releases between the units.
const CROSSING: usize = 2;
/// Clocks for which a circuit goes on after it was given something.
const TAIL: u32 = 64;

/// What a partition's units do in a clock.
#[derive(Debug)]
pub(super) enum Output {
    /// Accesses of a warp, by their number, are decided on.
    Answer(u32, Response),
    /// A region, by its number, is written.
    Write(u64, Region),
    /// So many writes to the granule at an address are released.
    Released { address: u64, count: u64 },
    /// The validation unit has stopped for a roll-over, or goes on.
    Rolled { go: bool },
}

/// The units of a partition.
pub(super) struct Units {
    number: usize,
    commit_params: getm_commit::Params,
    validation: Place,
    commit: Place,
    /// Accesses that the validation unit has not been offered, with their number.
    pub requests: VecDeque<(u32, Access)>,
    /// Accesses without an answer, by warp and granule.
    unanswered: HashMap<(u64, u64), u32>,
    /// Items of logs that the commit unit has not been offered.
    pub log: VecDeque<Item>,
    /// Writes in logs that are not released.
    pub logged: u64,
    /// The last access that the validation unit was offered.
    last: Option<Access>,
    /// Clocks left over, of the validation unit and of the commit unit.
    credit: [f64; 2],
    /// Clocks of each for a clock of the cores.
    rate: [f64; 2],
    has_circuit: bool,
    tail: u32,
    /// Warps of a core, to name one.
    warps: u64,
    /// Whether an event will clock it.
    pub clocked: bool,
    pub counters: Counters,
}

impl fmt::Debug for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "units of partition {}", self.number)
    }
}

impl Units {
    /// The references of the units of each partition.
    pub fn all(config: &Config, designs: &Designs) -> Vec<Self> {
        let design: [&dyn Design; 2] = [&designs.validation, &designs.commit];
        let benches = design.map(|design| Bench::new(design, &design.circuit()));
        let place = |bench: &Bench<'_>| {
            let place = Place::new(bench, Occupant::Reference, Surroundings::PLAIN);
            place.unwrap_or_else(|error| panic!("a reference needs no model: {error}"))
        };
        let core = config.machine.clock_mhz;
        let rate = [config.transactions.validation_mhz, config.transactions.commit_mhz];
        let units = |number| Self {
            number: number as usize,
            commit_params: designs.commit.clone(),
            validation: place(&benches[0]),
            commit: place(&benches[1]),
            requests: VecDeque::new(),
            unanswered: HashMap::new(),
            log: VecDeque::new(),
            logged: 0,
            last: None,
            credit: [0.0; 2],
            rate: rate.map(|rate| rate / core),
            has_circuit: false,
            tail: 0,
            warps: config.core.warps.into(),
            clocked: false,
            counters: Counters::new(&designs.validation),
        };
        (0..config.machine.gpms() * config.l2.banks).map(units).collect()
    }

    /// Puts circuits in the place of validation units and of commit units, of the chosen partitions.
    ///
    /// # Errors
    /// If a circuit cannot be simulated.
    pub fn use_rtl(
        all: &mut [Self],
        designs: &Designs,
        settings: &RtlSettings,
        [validation, commit]: [&[bool]; 2],
    ) -> Result<Vec<Warning>, RtlError> {
        let none = |_: usize| Vec::new();
        let Designs { validation: first, commit: second } = designs;
        let mut warnings = put_circuits(first, settings, validation, none, |partition, place| {
            (all[partition].validation, all[partition].has_circuit) = (place, true);
        })?;
        warnings.extend(put_circuits(second, settings, commit, none, |partition, place| {
            (all[partition].commit, all[partition].has_circuit) = (place, true);
        })?);
        Ok(warnings)
    }

    /// Counts the clocks of the metadata tables from now on.
    ///
    /// # Errors
    /// If the table's circuit cannot be simulated.
    pub fn time_metadata(
        all: &mut [Self],
        designs: &Designs,
        settings: &RtlSettings,
    ) -> Result<(), RtlError> {
        let table = designs.validation.table();
        let circuits = Circuits::new(table.clone(), settings)?;
        for units in all {
            units.counters.metadata = Some(MetadataAccess::new(&table, &circuits)?);
        }
        Ok(())
    }

    /// Transfers that were compared with the references.
    pub fn compared(&self) -> u64 {
        self.validation.compared() + self.commit.compared()
    }

    /// Tells the validation unit to stop for a roll-over, or to go on.
    pub fn roll(&mut self, go: bool) {
        self.validation.offer(getm_validation::ROLL, &[u64::from(go)]);
        self.tail = TAIL;
    }

    /// Whether it needs clocks.
    pub fn is_busy(&self) -> bool {
        let waits = !self.requests.is_empty() || !self.log.is_empty();
        let works = !self.commit.is_at_rest() || !self.validation.is_at_rest();
        waits || works || self.has_circuit && (self.tail > 0 || !self.unanswered.is_empty())
    }

    /// One clock of the cores.
    ///
    /// # Errors
    /// What a unit does wrong.
    pub fn clock(&mut self, out: &mut Vec<Output>) -> Result<(), String> {
        self.tail = self.tail.saturating_sub(1);
        let credit = [0, 1].map(|unit| self.credit[unit] + self.rate[unit]);
        self.credit = credit.map(f64::fract);
        for _ in 0..credit[1] as u32 {
            self.clock_commit(out)?;
        }
        for _ in 0..credit[0] as u32 {
            self.clock_validation(out)?;
        }
        Ok(())
    }

    fn clock_commit(&mut self, out: &mut Vec<Output>) -> Result<(), String> {
        if self.commit.queued(getm_commit::LOG) == 0
            && let Some(item) = self.log.pop_front()
        {
            self.commit.offer(getm_commit::LOG, &item.encode());
            self.tail = TAIL;
        }
        let is_full = self.validation.queued(getm_validation::RELEASE) >= CROSSING;
        let clocked = self.commit.clock(|channel| is_full && channel == getm_commit::RELEASE);
        clocked.map_err(|wrong| self.told(&wrong, true))?;
        for (channel, payload) in self.commit.transfers() {
            match channel {
                getm_commit::WRITE => {
                    let (region, bytes) = getm_commit::decode_write(&self.commit_params, payload);
                    out.push(Output::Write(region, bytes));
                }
                getm_commit::RELEASE => {
                    self.validation.offer(getm_validation::RELEASE, payload);
                    self.tail = TAIL;
                }
                getm_commit::ERROR => return Err(self.misuse("commit", payload[0])),
                _ => {}
            }
        }
        Ok(())
    }

    fn clock_validation(&mut self, out: &mut Vec<Output>) -> Result<(), String> {
        if self.validation.queued(getm_validation::REQ) == 0
            && let Some((asked, access)) = self.requests.pop_front()
        {
            let granule = access.address / u64::from(self.commit_params.granule_bytes);
            self.unanswered.insert((access.warp, granule), asked);
            self.validation.offer(getm_validation::REQ, &access.encode());
            self.last = Some(access);
            self.tail = TAIL;
        }
        let clocked = self.validation.clock(|_| false);
        clocked.map_err(|wrong| self.told(&wrong, false))?;
        for (channel, payload) in self.validation.transfers() {
            match channel {
                getm_validation::RESP => {
                    let response = Response::decode(payload);
                    let Access { address, warp, .. } = response.access;
                    let granule = address / u64::from(self.commit_params.granule_bytes);
                    let Some(asked) = self.unanswered.remove(&(warp, granule)) else {
                        return Err(
                            self.found(&format!("it answers what nobody asked: {response}"))
                        );
                    };
                    out.push(Output::Answer(asked, response));
                }
                getm_validation::RELEASE => {
                    let release = Release::decode(payload);
                    let Release { address, count } = release;
                    self.counters.released(release);
                    let Some(left) = self.logged.checked_sub(count) else {
                        return Err(self.found(&format!("{count} writes are released too many")));
                    };
                    self.logged = left;
                    out.push(Output::Released { address, count });
                }
                getm_validation::ISSUED => {
                    let Some(issued) = Issued::of(payload) else {
                        return Err(self.found(&format!("it issues what is nothing: {payload:?}")));
                    };
                    self.counters.issued(issued)?;
                }
                getm_validation::DECIDED => self.counters.decided(payload[0]),
                getm_validation::OVERFLOW_REQ => self.counters.overflow_requests += 1,
                getm_validation::ROLLED => out.push(Output::Rolled { go: payload[0] != 0 }),
                getm_validation::ERROR => return Err(self.misuse("validation", payload[0])),
                _ => {}
            }
        }
        Ok(())
    }

    fn misuse(&self, unit: &str, code: u64) -> String {
        self.found(&format!("the {unit} unit reports error {code}"))
    }

    fn told(&self, wrong: &Mismatch, is_commit: bool) -> String {
        let block = if is_commit { self.commit.block() } else { self.validation.block() };
        self.found(&format!("{block}, its clock {}: {wrong}", wrong.clock))
    }

    /// What is wrong, with the access that was offered last.
    fn found(&self, what: &str) -> String {
        let last = self.last.map_or(String::new(), |Access { address, store, warp, warpts }| {
            let (core, place) = (warp / self.warps, warp % self.warps);
            let kind = if store { "store to" } else { "load of" };
            format!(
                ", last asked about the {kind} {address:#x} at {warpts}, of core {core} warp {place}"
            )
        });
        format!("partition {}{last}: {what}", self.number)
    }

    /// Items of a log, and its end.
    pub fn take_log(&mut self, items: Vec<Item>) {
        self.logged += items.iter().map(|item| item.count).sum::<u64>();
        self.log.extend(items);
        self.log.push_back(Item { kind: Some(Kind::End), address: 0, data: 0, bytes: 0, count: 0 });
    }
}
