//! Memory from the cores' L1 caches to DRAM, with its protocol. Caches hold data: an error of the
//! protocol shows as a wrong value.
//!
//! A message goes along links that keep its order between two ends, and an event brings it to
//! where it is to be handled. Requests and answers have networks of their own; answers and
//! invalidations share one, as the directory's rule demands.

mod access;
mod acquire;
mod answer;
mod atomics;
mod flush;
mod invalidate;
mod l1;
mod l2;
mod links;
mod loads;
mod message;
mod planted;
mod statistics;
mod stores;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use warpsmith_blocks::hmg_directory::Source;
use warpsmith_testbench::verilator::Warning;

use super::cache::{Data, write};
use super::coherence::{
    Cause, Circuits, Coherence, DirectoryMismatch, Homes, Output, Routing, RtlError, RtlSettings,
    System, parameters,
};
use super::config::{Config, LINE, PerturbationConfig};
use super::events::Events;
use super::memory::Flat;
use access::Pool;
use flush::Flushes;
use l1::L1;
use l2::L2;
use links::Links;
use message::Messages;

pub(super) use l1::Operation;
pub use planted::PlantedError;
pub use statistics::{Costs, Dram, Hits, Lines, Link, Statistics, Traffic, Way};

/// What is to happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// A core may issue.
    Core(u32),
    /// A CTA begins in a core.
    Begin(u32),
    /// A message arrives.
    Arrive(u32),
    /// It is a request's turn at a bank of its L2.
    Serve(u32),
    /// A channel of DRAM of a GPM may start a transfer.
    Dram(u32, u32),
    /// A line has come from DRAM: the GPM, and its miss.
    Filled(u32, u32),
    /// A clock of the directory of a GPM.
    Directory(u32),
    /// A core gives an access to its L1 that it has held.
    Held(u32),
}

/// What the cores are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Done {
    /// An access has its answer.
    Access(u32),
    /// A warp's flush or its acquire is over.
    Synchronised { core: u32, warp: u32 },
    /// The core may issue accesses again.
    Accepts(u32),
}

/// The memory hierarchy.
#[derive(Debug)]
pub(super) struct Hierarchy {
    config: Config,
    system: System,
    pub(super) homes: Homes,
    /// Global memory as DRAM has it, shared and const memory.
    pub(super) flat: Flat,
    pub(super) events: Events<Event>,
    pub(super) pool: Pool,
    pub(super) done: Vec<Done>,
    pub(super) statistics: Statistics,
    messages: Messages,
    l1: Vec<L1>,
    l2: Vec<L2>,
    links: Links,
    flushes: Flushes,
    /// Flushes whose writes have been done.
    ready: Vec<u32>,
    outputs: Vec<Output>,
    /// On whose behalf something is done.
    cause: Cause,
    /// Where the RTL of a directory differs from the reference.
    pub(super) mismatch: Option<Box<DirectoryMismatch>>,
    random: Option<Xoshiro256PlusPlus>,
    pub(super) planted: Option<PlantedError>,
    chances: u32,
    /// Loads that are yet to be shown to the directory, by [`PlantedError::PresentLate`].
    late: Vec<(u32, Source, u32)>,
}

impl Hierarchy {
    pub(super) fn new(config: &Config, system: System, seed: Option<u64>) -> Self {
        let machine = &config.machine;
        Self {
            homes: Homes::new(config, system),
            flat: Flat::default(),
            events: Events::new(),
            pool: Pool::default(),
            done: Vec::new(),
            statistics: Statistics::default(),
            messages: Messages::default(),
            l1: (0..machine.cores()).map(|_| L1::new(config)).collect(),
            l2: (0..machine.gpms()).map(|gpm| L2::new(config, system, gpm)).collect(),
            links: Links::new(config),
            flushes: Flushes::default(),
            ready: Vec::new(),
            outputs: Vec::new(),
            cause: Cause::default(),
            mismatch: None,
            random: seed.map(Xoshiro256PlusPlus::seed_from_u64),
            planted: None,
            chances: 0,
            late: Vec::new(),
            config: config.clone(),
            system,
        }
    }

    /// Puts RTL in the place of directories; gives what Verilator warns of.
    pub(super) fn use_rtl(&mut self, settings: &RtlSettings) -> Result<Vec<Warning>, RtlError> {
        let chosen = settings.chosen(&self.config, self.system)?;
        let hierarchical = self.system.routing() == Routing::ByGpuHome;
        let circuits = Circuits::new(parameters(&self.config, hierarchical), settings)?;
        for ((gpm, l2), is_chosen) in (0..).zip(&mut self.l2).zip(chosen) {
            if is_chosen {
                l2.directory = Some(circuits.directory(gpm, settings.shadow)?);
            }
        }
        Ok(circuits.warnings)
    }

    /// Transfers of directories' RTL that were compared.
    pub(super) fn compared(&self) -> u64 {
        let directories = self.l2.iter().filter_map(|l2| l2.directory.as_ref());
        directories.map(|directory| directory.compared()).sum()
    }

    /// Whether this time the planted error happens, if it is this one.
    fn errs(&mut self, kind: impl Fn(PlantedError) -> Option<u32>) -> bool {
        let Some(one_in) = self.planted.and_then(kind) else { return false };
        self.chances += 1;
        self.chances.is_multiple_of(one_in.max(1))
    }

    /// A random number below a bound; zero in a run that is not perturbed.
    pub(super) fn random(&mut self, below: u32) -> u32 {
        match &mut self.random {
            Some(random) if below > 0 => random.random_range(0..below),
            _ => 0,
        }
    }

    /// A random delay of a message.
    fn jitter(&mut self) -> u32 {
        let one_in = self.config.perturbation.one_in;
        if one_in > 1 && self.random(one_in) != 0 {
            return 0;
        }
        self.random(self.config.perturbation.message + 1)
    }

    /// Changes how long random delays are.
    pub(super) fn perturb(&mut self, perturbation: PerturbationConfig) {
        self.config.perturbation = perturbation;
    }

    pub(super) fn is_perturbed(&self) -> bool {
        self.random.is_some()
    }

    /// Handles an event that is not the cores'.
    pub(super) fn handle(&mut self, event: Event) {
        match event {
            Event::Core(_) | Event::Begin(_) | Event::Held(_) => {}
            Event::Arrive(message) => self.arrive(message),
            Event::Serve(message) => self.serve(message),
            Event::Dram(gpm, channel) => self.start_transfer(gpm, channel),
            Event::Filled(gpm, miss) => {
                let line = self.l2[gpm as usize].misses.get(miss).line;
                let data = self.in_memory(line);
                self.filled(gpm, miss, &data);
            }
            Event::Directory(gpm) => self.clock_directory(gpm),
        }
    }

    /// Whether copies are always those of the home: then what L2 caches hold is not looked at, and
    /// all data is in memory.
    fn is_ideal(&self) -> bool {
        self.system.coherence() == Coherence::Free
    }

    /// A line as DRAM has it.
    fn in_memory(&mut self, line: u32) -> Data {
        let at = line as usize * LINE;
        let mut data = [0; LINE];
        if let Some(bytes) = self.flat.device.contents().get(at..at + LINE) {
            data.copy_from_slice(bytes);
        }
        data
    }

    fn write_memory(&mut self, line: u32, data: &Data, bytes: super::cache::Bytes) {
        let at = line as usize * LINE;
        if let Some(place) = self.flat.device.contents().get_mut(at..at + LINE) {
            write(place, data, bytes);
        }
    }

    /// What is dirty in caches goes to memory, without taking time: the host looks at it.
    pub(super) fn clean(&mut self) {
        let contents = self.flat.device.contents();
        let is_ideal = self.system.coherence() == Coherence::Free;
        for l2 in &mut self.l2 {
            l2.cache.clean(|line, data, dirty| {
                let at = line as usize * LINE;
                if let Some(place) = contents.get_mut(at..at + LINE).filter(|_| !is_ideal) {
                    write(place, data, dirty);
                }
            });
        }
    }

    /// The host has written to memory: no cache knows.
    pub(super) fn forget(&mut self, lines: std::ops::Range<u32>) {
        for l2 in &mut self.l2 {
            l2.cache.drop_where(|line| lines.contains(&line));
        }
        for l1 in &mut self.l1 {
            l1.cache.drop_where(|line| lines.contains(&line));
        }
    }

    /// What was counted.
    pub(super) fn statistics(&self) -> Statistics {
        let mut statistics = self.statistics.clone();
        let gpms_per_gpu = self.homes.topology.gpms_per_gpu;
        statistics.traffic = self.links.traffic(gpms_per_gpu, self.events.now());
        statistics.dram.row_hits = self.row_hits();
        statistics
    }

    /// The beginning of a launch is an acquire of the machine (HMG II-D).
    pub(super) fn begin_launch(&mut self) {
        for l1 in &mut self.l1 {
            l1.cache.drop_where(|_| true);
        }
        if self.system.coherence() == Coherence::Bulk {
            for gpm in 0..self.l2.len() as u32 {
                self.drop_copies(gpm, super::isa::Scope::Sys);
            }
        }
    }
}
