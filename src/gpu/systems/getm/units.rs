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
use warpsmith_blocks::getm_validation::{self, Access, Issued, Response};
use warpsmith_blocks::parameters::Parameters;
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::mismatch::Mismatch;
use warpsmith_testbench::place::{Occupant, Place, Surroundings};
use warpsmith_testbench::transactions::units::Designs;

use crate::gpu::config::Config;
use crate::gpu::memory::{RtlError, RtlSettings, models};

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
    /// Accesses that were issued.
    pub validations: u64,
}

impl fmt::Debug for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "units of partition {}", self.number)
    }
}

/// The units of a machine, whose parameters its configuration has been checked for.
pub(super) fn designs(config: &Config) -> Designs {
    let transactions = &config.transactions;
    let paper = getm_validation::Params::presets().into_iter().find(|(name, _)| *name == "paper");
    let (_, validation) = paper.expect("the block has this preset");
    let validation = getm_validation::Params {
        rows_per_way: transactions.rows_per_way,
        bloom_rows: transactions.bloom_rows,
        lines: transactions.stall_lines,
        entries: transactions.stall_entries,
        granule_bytes: transactions.granule_bytes,
        timestamp_bits: transactions.timestamp_bits,
        owner_bits: owner_bits(config),
        ..validation
    };
    let commit = getm_commit::Params::presets().into_iter().find(|(name, _)| *name == "paper");
    let (_, commit) = commit.expect("the block has this preset");
    Designs::new(&validation, &commit).unwrap_or_else(|error| panic!("{error}"))
}

/// Bits of a warp's number.
pub(super) fn owner_bits(config: &Config) -> u32 {
    let warps = config.machine.cores() * config.core.warps;
    warps.next_power_of_two().ilog2().max(1)
}

/// Places of the machine's units.
pub(super) fn places(config: &Config) -> Vec<String> {
    let partitions = 0..config.machine.gpms() * config.l2.banks;
    let names = [getm_validation::BLOCK.name, getm_commit::BLOCK.name];
    let place = |partition| names.map(|name| format!("{name}@partition{partition}"));
    partitions.flat_map(place).collect()
}

fn at(design: &dyn Design, occupant: Occupant<'_>) -> Result<Place, RtlError> {
    let bench = Bench::checked(design, &design.circuit())?;
    let surroundings = Surroundings { straps: &[], stalls: Stalls::None, seed: 0 };
    let mut place = Place::new(&bench, occupant, surroundings)?;
    place.initialise().map_err(RtlError::Start)?;
    Ok(place)
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
            validations: 0,
        };
        (0..config.machine.gpms() * config.l2.banks).map(units).collect()
    }

    /// Puts circuits in the chosen places, a validation unit and a commit unit of each partition in turn.
    ///
    /// # Errors
    /// If a circuit cannot be simulated.
    pub fn use_rtl(
        all: &mut [Self],
        designs: &Designs,
        settings: &RtlSettings,
        chosen: &[bool],
    ) -> Result<Vec<warpsmith_testbench::verilator::Warning>, RtlError> {
        let mut warnings = Vec::new();
        let design: [&dyn Design; 2] = [&designs.validation, &designs.commit];
        for (kind, design) in design.into_iter().enumerate() {
            let chosen: Vec<_> = chosen.iter().skip(kind).step_by(2).copied().collect();
            if !chosen.contains(&true) {
                continue;
            }
            let (models, more) = models(design, settings)?;
            warnings.extend(more);
            for (units, _) in all.iter_mut().zip(chosen).filter(|(_, chosen)| *chosen) {
                let occupant = match settings.shadow {
                    true => Occupant::Shadowed(&models),
                    false => Occupant::Circuit(&models),
                };
                let place = at(design, occupant)?;
                units.has_circuit = true;
                match kind {
                    0 => units.validation = place,
                    _ => units.commit = place,
                }
            }
        }
        Ok(warnings)
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
                    let count = getm_validation::Release::decode(payload).count;
                    let Some(left) = self.logged.checked_sub(count) else {
                        return Err(self.found(&format!("{count} writes are released too many")));
                    };
                    self.logged = left;
                }
                getm_validation::ISSUED => {
                    use getm_validation::Issue::{Request, Retry};
                    let issued = Issued::of(payload);
                    let is_access = |it: Issued| matches!(it.what, Request | Retry);
                    self.validations += u64::from(issued.is_some_and(is_access));
                }
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
