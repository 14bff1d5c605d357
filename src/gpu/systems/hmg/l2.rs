//! The L2 cache of a GPM with its banks, and what each message does that arrives at one.

use std::collections::VecDeque;

use super::Hmg;
use super::directory::{Directory, reference};
use super::flush::Progress;
use super::message::Kind;
use super::variant::{Coherence, Variant};
use crate::config::{Config, WritePolicy};
use crate::isa::Scope;
use crate::memory::{
    Banks, Bytes, Cache, Data, Done, Misses, Packet, Port, Shared, Transfer, Victim, write,
};
use crate::systems::hmg::SystemEvent;

/// The L2 of a GPM. Requests that wait for a line are kept as messages.
#[derive(Debug)]
pub(super) struct L2 {
    pub(super) cache: Cache,
    pub(super) misses: Misses<u32>,
    banks: Banks,
    pub(super) directory: Option<Box<dyn Directory>>,
    pub(super) progress: Progress,
    /// Flushes that wait for the directory, in order.
    pub(super) releases: VecDeque<u32>,
    /// A clock of the directory is scheduled.
    pub(super) clocked: bool,
}

impl L2 {
    pub(super) fn new(config: &Config, variant: Variant, gpm: u32) -> Self {
        let has_directory = variant.coherence == Coherence::Directory;
        Self {
            cache: Cache::new(config.l2.bytes, config.l2.ways),
            misses: Misses::default(),
            banks: Banks::new(&config.l2),
            directory: has_directory.then(|| reference(config, variant.is_hierarchical(), gpm)),
            progress: Progress::new(config.machine.gpms()),
            releases: VecDeque::new(),
            clocked: false,
        }
    }
}

impl Hmg {
    /// A message has arrived: a request waits for its bank.
    pub(super) fn arrive(&mut self, shared: &mut Shared, message: u32) {
        let packet = self.fabric.get(message);
        let (kind, line, to, is_request) =
            (packet.kind, packet.line, packet.to, packet.is_request());
        let (token, lanes, scope) = (packet.token, packet.lanes, packet.scope.max(Scope::Gpu));
        let gpm = match to {
            Port::Gpm(gpm) if is_request => gpm,
            _ => return self.take_answer(shared, message),
        };
        let now = shared.events.now();
        let l2 = &mut self.l2[gpm as usize];
        let turn = match kind {
            // After all earlier messages, in any bank.
            Kind::Flush(_) => l2.banks.after_all(now),
            Kind::Drop { .. } => now,
            Kind::Atomic if self.variant.is_home(&shared.homes, gpm, line, scope) => {
                let access = &shared.accesses.get(token).access;
                let clocks = l2.banks.atomic(access, lanes);
                l2.banks.turn_for(l2.banks.of(line), now, clocks)
            }
            _ => l2.banks.turn(line, now),
        };
        match turn == now {
            true => self.serve(shared, message),
            false => shared.events.at(turn, SystemEvent::Serve(message)),
        }
    }

    /// Serves a request in its turn.
    pub(super) fn serve(&mut self, shared: &mut Shared, message: u32) {
        let packet = self.fabric.get(message);
        let Port::Gpm(gpm) = packet.to else { return };
        self.cause = packet.cause;
        match packet.kind {
            Kind::Load => self.serve_load(shared, gpm, message),
            Kind::Store => self.serve_store(shared, gpm, message),
            Kind::Atomic => self.serve_atomic(shared, gpm, message),
            Kind::Flush(reach) => self.begin_flush(shared, gpm, message, reach),
            Kind::Drop { .. } => self.serve_drop(shared, gpm, message),
            _ => {}
        }
    }

    /// An answer, an invalidation or a mark has arrived.
    pub(super) fn take_answer(&mut self, shared: &mut Shared, message: u32) {
        let packet = self.fabric.get(message);
        let (kind, from, to, token) = (packet.kind, packet.from, packet.to, packet.token);
        let (line, data) = (packet.line, packet.data);
        self.cause = packet.cause;
        match (kind, to) {
            (Kind::Data, Port::Core(core)) => self.line_for_l1(shared, core, token, &data),
            (Kind::Data, Port::Gpm(gpm)) => self.filled(shared, gpm, token, &data),
            (Kind::AtomicDone, Port::Core(_)) => shared.answered(token),
            (Kind::AtomicDone, Port::Gpm(gpm)) => {
                let core = shared.accesses.get(token).core;
                let packet = self.fabric.get(message);
                (packet.from, packet.to) = (Port::Gpm(gpm), Port::Core(core));
                self.fabric.send(shared, message);
                return;
            }
            (Kind::Invalidate, Port::Gpm(gpm)) => self.invalidated(shared, gpm, from, line),
            (Kind::Mark(reach), Port::Gpm(gpm)) => {
                self.begin_flush(shared, gpm, message, reach);
                return;
            }
            (Kind::Acknowledge, Port::Core(core)) => {
                shared.done.push(Done::Synchronised { core, warp: token });
            }
            (Kind::Acknowledge, Port::Gpm(_)) => self.acknowledged(shared, message),
            _ => {}
        }
        self.fabric.end(message);
    }

    /// Forwards a request to the GPM that answers it.
    pub(super) fn forward(&mut self, shared: &mut Shared, gpm: u32, message: u32, next: u32) {
        let packet = self.fabric.get(message);
        (packet.from, packet.to) = (Port::Gpm(gpm), Port::Gpm(next));
        packet.generation = None;
        if packet.kind != Kind::Load {
            self.l2[gpm as usize].progress.requests.sent(next);
        }
        self.fabric.send(shared, message);
    }

    /// Whether a GPM is the home of a line within its GPU, but not in the machine.
    pub(super) fn is_only_gpu_home(&self, shared: &Shared, gpm: u32, line: u32) -> bool {
        self.variant.is_hierarchical()
            && shared.homes.home(line) != gpm
            && shared.homes.gpu_home(gpm, line) == gpm
    }

    /// Bytes of a line change in this L2, which is its home in the machine.
    pub(super) fn change_at_home(
        &mut self,
        shared: &mut Shared,
        gpm: u32,
        line: u32,
        data: &Data,
        bytes: Bytes,
    ) {
        let keep = shared.config.l2.write == WritePolicy::Back;
        if self.variant.is_ideal() {
            // Memory has the data already; the line is only marked present.
            let l2 = &mut self.l2[gpm as usize];
            if l2.cache.find(line).is_none() {
                let (place, victim) = l2.cache.allocate(line);
                l2.cache.change(place, bytes, keep);
                self.evicted(shared, gpm, victim);
            }
            if !keep {
                shared.transfer(gpm, Transfer::write(line));
            }
            return;
        }
        let l2 = &mut self.l2[gpm as usize];
        let (place, victim) = match l2.cache.find(line) {
            Some(place) => (place, None),
            None => l2.cache.allocate(line),
        };
        write(l2.cache.change(place, bytes, keep), data, bytes);
        self.evicted(shared, gpm, victim);
        if !keep {
            shared.write_line(line, data, bytes);
            shared.transfer(gpm, Transfer::write(line));
        }
    }

    /// A line was evicted.
    pub(super) fn evicted(&mut self, shared: &mut Shared, gpm: u32, victim: Option<Victim>) {
        let Some(victim) = victim.filter(|victim| victim.dirty != 0) else { return };
        if !self.variant.is_ideal() {
            shared.write_line(victim.line, &victim.data, victim.dirty);
        }
        shared.transfer(gpm, Transfer::write(victim.line));
    }
}
