//! The L2 cache of a GPM with its banks, its DRAM and its directory.

use std::collections::VecDeque;

use super::flush::Progress;
use super::message::{Kind, Port};
use super::{Event, Hierarchy};
use crate::gpu::cache::{Bytes, Cache, Data, Misses, Victim};
use crate::gpu::coherence::{Coherence, Directory, Output, Routing, System, reference};
use crate::gpu::config::{Config, WritePolicy};
use crate::gpu::dram::{Channel, Transfer};
use crate::gpu::isa::{GLOBALS_BASE, Scope};
use warpsmith_blocks::hmg_directory::{Op, Request, Source};

use super::LINE;

/// The L2 of a GPM. Requests that wait for a line are kept as messages.
#[derive(Debug)]
pub(super) struct L2 {
    pub(super) cache: Cache,
    pub(super) misses: Misses<u32>,
    /// When each bank is free.
    banks: Vec<u64>,
    dram: Vec<Channel>,
    pub(super) directory: Option<Box<dyn Directory>>,
    pub(super) progress: Progress,
    /// Flushes that wait for the directory, in order.
    pub(super) releases: VecDeque<u32>,
    /// A clock of the directory is to come.
    clocked: bool,
}

impl L2 {
    pub(super) fn new(config: &Config, system: System, gpm: u32) -> Self {
        let hierarchical = system.routing() == Routing::ByGpuHome;
        let has_directory = system.coherence() == Coherence::Directory;
        Self {
            cache: Cache::new(config.l2.bytes, config.l2.ways),
            misses: Misses::new(),
            banks: vec![0; config.l2.banks as usize],
            dram: (0..config.dram.channels).map(|_| Channel::new(&config.dram)).collect(),
            directory: has_directory.then(|| reference(config, hierarchical, gpm)),
            progress: Progress::new(config.machine.gpms()),
            releases: VecDeque::new(),
            clocked: false,
        }
    }
}

impl Hierarchy {
    /// A message has arrived: a request waits for its bank.
    pub(super) fn arrive(&mut self, message: u32) {
        let it = self.messages.get(message);
        let (kind, line, to) = (it.kind, it.line, it.to);
        let gpm = match to {
            Port::Gpm(gpm) if it.is_request() => gpm,
            _ => return self.answered(message),
        };
        let now = self.events.now();
        let l2 = &mut self.l2[gpm as usize];
        let turn = match kind {
            // After all that came before, in whatever bank.
            Kind::Flush(_) => l2.banks.iter().copied().max().unwrap_or(0).max(now),
            Kind::Drop { .. } => now,
            _ => {
                let banks = l2.banks.len() as u32;
                let bank = (line ^ (line / banks)) % banks;
                let free = &mut l2.banks[bank as usize];
                let turn = now.max(*free);
                *free = turn + 1;
                turn
            }
        };
        match turn == now {
            true => self.serve(message),
            false => self.events.at(turn, Event::Serve(message)),
        }
    }

    /// Serves a request in its turn.
    pub(super) fn serve(&mut self, message: u32) {
        let it = self.messages.get(message);
        let Port::Gpm(gpm) = it.to else { return };
        self.cause = it.cause;
        match it.kind {
            Kind::Load => self.serve_load(gpm, message),
            Kind::Store => self.serve_store(gpm, message),
            Kind::Atomic => self.serve_atomic(gpm, message),
            Kind::Flush(reach) => self.begin_flush(gpm, message, reach),
            Kind::Drop { everywhere } => self.serve_drop(gpm, message, everywhere),
            _ => {}
        }
    }

    /// Sends a request that this GPM does not answer to where it is answered.
    pub(super) fn forward(&mut self, gpm: u32, message: u32, next: u32) {
        let it = self.messages.get(message);
        (it.from, it.to) = (Port::Gpm(gpm), Port::Gpm(next));
        it.generation = None;
        if it.kind != Kind::Load {
            self.l2[gpm as usize].progress.requests.sent(next);
        }
        self.send(message);
    }

    /// Whether a GPM is the home of a line within its GPU, but not in the machine.
    pub(super) fn is_only_gpu_home(&self, gpm: u32, line: u32) -> bool {
        self.system.routing() == Routing::ByGpuHome
            && self.homes.home(line) != gpm
            && self.homes.gpu_home(gpm, line) == gpm
    }

    /// Bytes of a line change in this L2, which is its home in the machine.
    pub(super) fn change_at_home(&mut self, gpm: u32, line: u32, data: &Data, bytes: Bytes) {
        let keep = self.config.l2.write == WritePolicy::Back;
        if self.is_ideal() {
            // Memory has it already; what is kept is only that the line is here.
            let l2 = &mut self.l2[gpm as usize];
            if l2.cache.find(line).is_none() {
                let (place, victim) = l2.cache.allocate(line);
                l2.cache.change(place, bytes, keep);
                self.evicted(gpm, victim);
            }
            if !keep {
                self.transfer(gpm, Transfer { line, miss: None });
            }
            return;
        }
        let l2 = &mut self.l2[gpm as usize];
        let (place, victim) = match l2.cache.find(line) {
            Some(place) => (place, None),
            None => l2.cache.allocate(line),
        };
        crate::gpu::cache::write(l2.cache.change(place, bytes, keep), data, bytes);
        self.evicted(gpm, victim);
        if !keep {
            self.write_memory(line, data, bytes);
            self.transfer(gpm, Transfer { line, miss: None });
        }
    }

    /// A line has made room.
    pub(super) fn evicted(&mut self, gpm: u32, victim: Option<Victim>) {
        let Some(victim) = victim.filter(|victim| victim.dirty != 0) else { return };
        if !self.is_ideal() {
            self.write_memory(victim.line, &victim.data, victim.dirty);
        }
        self.transfer(gpm, Transfer { line: victim.line, miss: None });
    }

    /// Gives a line to DRAM, or asks for it.
    pub(super) fn transfer(&mut self, gpm: u32, transfer: Transfer) {
        let channels = self.config.dram.channels;
        let at = (transfer.line ^ (transfer.line / channels)) % channels;
        let channel = &mut self.l2[gpm as usize].dram[at as usize];
        let is_queued = channel.push(transfer);
        match transfer.miss {
            Some(_) => self.statistics.dram.reads += 1,
            None => self.statistics.dram.writes += u64::from(is_queued),
        }
        if !std::mem::replace(&mut channel.awake, true) {
            self.events.at(self.events.now(), Event::Dram(gpm, at));
        }
    }

    pub(super) fn start_transfer(&mut self, gpm: u32, at: u32) {
        let now = self.events.now();
        let channel = &mut self.l2[gpm as usize].dram[at as usize];
        let Some((transfer, data, again)) = channel.start(now, &self.config.dram) else {
            channel.awake = false;
            return;
        };
        channel.awake = !channel.is_idle();
        if channel.awake {
            self.events.at(again, Event::Dram(gpm, at));
        }
        if let Some(miss) = transfer.miss {
            self.events.at(data, Event::Filled(gpm, miss));
        }
    }

    /// Shows a request for a line to the directory beside an L2, if there is one.
    pub(super) fn present(&mut self, gpm: u32, op: Op, source: Source, line: u32) {
        let l2 = &mut self.l2[gpm as usize];
        let Some(directory) = &mut l2.directory else { return };
        let address = GLOBALS_BASE + u64::from(line) * LINE as u64;
        let mut outputs = std::mem::take(&mut self.outputs);
        directory.present(&Request { op: Some(op), source, address }, self.cause, &mut outputs);
        if directory.is_busy() && !std::mem::replace(&mut l2.clocked, true) {
            self.events.at(self.events.now() + 1, Event::Directory(gpm));
        }
        self.directory_says(gpm, outputs);
    }

    pub(super) fn clock_directory(&mut self, gpm: u32) {
        let mut outputs = std::mem::take(&mut self.outputs);
        let l2 = &mut self.l2[gpm as usize];
        let Some(directory) = &mut l2.directory else { return };
        l2.clocked = directory.clock(&mut outputs);
        if l2.clocked {
            self.events.at(self.events.now() + 1, Event::Directory(gpm));
        }
        if self.mismatch.is_none() {
            self.mismatch = directory.mismatch().cloned().map(Box::new);
        }
        self.directory_says(gpm, outputs);
    }

    fn directory_says(&mut self, gpm: u32, mut outputs: Vec<Output>) {
        for output in outputs.drain(..) {
            match output {
                Output::Invalidate(invalidation, cause) => {
                    self.cause = cause;
                    self.invalidate_sharers(gpm, invalidation);
                }
                Output::Released => {
                    if let Some(flush) = self.l2[gpm as usize].releases.pop_front() {
                        self.spread(flush);
                    }
                }
            }
        }
        self.outputs = outputs;
    }

    /// Who sent a request, as the directory of a GPM names him.
    pub(super) fn source(&self, gpm: u32, from: Port) -> Source {
        let Port::Gpm(other) = from else { return Source::Local };
        let topology = self.homes.topology;
        match self.system.routing() {
            Routing::Direct => Source::Gpm(other),
            Routing::ByGpuHome if topology.gpu(other) == topology.gpu(gpm) => {
                Source::Gpm(other % topology.gpms_per_gpu)
            }
            Routing::ByGpuHome => Source::Gpu(topology.gpu(other)),
        }
    }

    /// Copies of other homes, as seen by a scope, are forgotten.
    pub(super) fn drop_copies(&mut self, gpm: u32, scope: Scope) {
        let homes = &self.homes;
        let is_copy = |line| !homes.is_home(gpm, line, scope);
        let l2 = &mut self.l2[gpm as usize];
        self.statistics.coherence.dropped_lines += l2.cache.drop_where(is_copy);
        l2.misses.detach_where(is_copy);
    }

    /// Transfers of DRAM whose row was open.
    pub(in crate::gpu) fn row_hits(&self) -> u64 {
        self.l2.iter().flat_map(|l2| &l2.dram).map(|channel| channel.row_hits).sum()
    }
}
