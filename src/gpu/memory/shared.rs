//! What memory systems, cores and DRAM share.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::dram::Channel;
use super::{
    Accesses, Bytes, Data, Done, Event, Events, Flat, Homes, LINE, Statistics, Traffic, write,
};
use crate::config::{Config, PerturbationConfig};

/// Time, memory, accesses and counts.
#[derive(Debug)]
pub struct Shared {
    /// The machine.
    pub config: Config,
    /// Where lines are at home.
    pub homes: Homes,
    /// Global memory as DRAM has it, shared and const memory.
    pub flat: Flat,
    /// Events of cores, links, DRAM and the system in one queue.
    pub events: Events<Event>,
    /// Accesses that are not over.
    pub accesses: Accesses,
    /// Answers that the cores have not taken; the last is taken first.
    pub done: Vec<Done>,
    /// Counts.
    pub statistics: Statistics,
    /// The difference between RTL and its reference, if there is one.
    pub mismatch: Option<String>,
    /// What accesses did that an oracle names, and the indexes of their instructions.
    pub accused: Vec<(String, u32)>,
    /// Channels of DRAM, of each GPM.
    pub(super) dram: Vec<Vec<Channel>>,
    random: Option<Xoshiro256PlusPlus>,
}

impl Shared {
    /// Of a machine without contents. With a seed, it is perturbed.
    pub fn new(config: &Config, seed: Option<u64>) -> Self {
        let channels = || (0..config.dram.channels).map(|_| Channel::new(config)).collect();
        Self {
            homes: Homes::new(config),
            flat: Flat::default(),
            events: Events::new(),
            accesses: Accesses::default(),
            done: Vec::new(),
            statistics: Statistics::default(),
            mismatch: None,
            accused: Vec::new(),
            dram: (0..config.machine.gpms()).map(|_| channels()).collect(),
            random: seed.map(Xoshiro256PlusPlus::seed_from_u64),
            config: config.clone(),
        }
    }

    /// A random number below a bound; zero in a run that is not perturbed.
    pub fn random(&mut self, below: u32) -> u32 {
        match &mut self.random {
            Some(random) if below > 0 => random.random_range(0..below),
            _ => 0,
        }
    }

    /// A random delay of a message, in clocks.
    pub(super) fn jitter(&mut self) -> u32 {
        let PerturbationConfig { message, one_in, .. } = self.config.perturbation;
        if one_in > 1 && self.random(one_in) != 0 {
            return 0;
        }
        self.random(message + 1)
    }

    /// Whether arbitration and latencies are shuffled.
    pub fn is_perturbed(&self) -> bool {
        self.random.is_some()
    }

    /// A line as DRAM has it.
    pub fn line(&mut self, line: u32) -> Data {
        let at = line as usize * LINE;
        let mut data = [0; LINE];
        if let Some(bytes) = self.flat.device.contents().get(at..at + LINE) {
            data.copy_from_slice(bytes);
        }
        data
    }

    /// Changes bytes of a line as DRAM has it.
    pub fn write_line(&mut self, line: u32, data: &Data, bytes: Bytes) {
        let at = line as usize * LINE;
        if let Some(place) = self.flat.device.contents().get_mut(at..at + LINE) {
            write(place, data, bytes);
        }
    }

    /// Begins an access of a core: none of its lanes is sent, and its pages get a home.
    pub fn begin(&mut self, core: u32, access: u32) {
        let pending = self.accesses.get(access);
        (pending.left, pending.unsent) = (0, pending.access.mask);
        let gpm = self.homes.topology.gpm_of_core(core);
        for lane in pending.access.lanes() {
            self.homes.touch(gpm, (pending.access.addresses[lane] / LINE as u64) as u32);
        }
    }

    /// A line of an access has been answered. With the last one the core is told, if it waits, or
    /// else the access is over.
    pub fn answered(&mut self, access: u32) {
        let pending = self.accesses.get(access);
        pending.left -= 1;
        if pending.is_over() {
            match pending.is_awaited() {
                true => self.done.push(Done::Access(access)),
                false => self.accesses.end(access),
            }
        }
    }

    /// Counts, with the traffic of the system's links.
    pub fn statistics(&self, traffic: Traffic) -> Statistics {
        let mut statistics = Statistics { traffic, ..self.statistics.clone() };
        let channels = self.dram.iter().flatten();
        statistics.dram.row_hits += channels.map(Channel::row_hits).sum::<u64>();
        statistics
    }
}
