//! The L2: its read cache with banks, and what each message does that arrives at a core or at the L2.

use slab::Slab;

use super::QuickRelease;
use super::message::{Kind, Message, OF_WRITE_CACHE};
use super::planted::{KEEP_PROBED, PROBE_ENDS_AT_L2};
use crate::config::Config;
use crate::memory::{
    Banks, Cache, DIRECTORY, Data, Misses, Packet, Port, Shared, WHOLE, go_on, write,
};
use crate::systems::quick_release::SystemEvent;

/// An atomic or a probe of which L1s are told.
#[derive(Debug)]
struct Told {
    /// L1s that have not acknowledged.
    left: u32,
    /// The line of a probe.
    probe: Option<u32>,
}

/// The L2. Loads that wait for a line are kept as messages. The tag of a line is its written bit.
#[derive(Debug)]
pub(super) struct L2 {
    pub(super) cache: Cache<bool>,
    pub(super) misses: Misses<u32>,
    banks: Banks,
    /// Atomics and probes whose invalidations are under way.
    told: Slab<Told>,
}

impl L2 {
    pub(super) fn new(config: &Config) -> Self {
        Self {
            cache: Cache::new(config.l2.bytes, config.l2.ways),
            misses: Misses::default(),
            banks: Banks::new(&config.l2),
            told: Slab::new(),
        }
    }
}

impl QuickRelease {
    /// A message has arrived: a request to the L2 waits for its bank.
    pub(super) fn arrive(&mut self, shared: &mut Shared, number: u32) {
        let packet = self.fabric.get(number);
        let (kind, line, to) = (packet.kind, packet.line, packet.ends[1]);
        if to != Port::Gpm(0) || !packet.is_request() {
            return self.serve(shared, number);
        }
        let now = shared.events.now();
        let turn = match kind {
            Kind::Release { .. } => self.l2.banks.after_all(now),
            Kind::InvalidateDone => now,
            _ => self.l2.banks.turn(line, now),
        };
        match turn == now {
            true => self.serve(shared, number),
            false => shared.events.at(turn, SystemEvent::Serve(number)),
        }
    }

    /// Handles a message in its turn.
    pub(super) fn serve(&mut self, shared: &mut Shared, number: u32) {
        let packet = self.fabric.get(number);
        match (packet.ends[1], packet.kind) {
            (Port::Gpm(_), Kind::Load) => return self.serve_load(shared, number),
            (DIRECTORY, _) => {
                let message = packet.clone();
                self.at_directory(shared, message);
            }
            (Port::Unit(_), _) => {
                let message = packet.clone();
                self.answered_at_cpu(shared, &message);
            }
            (Port::Gpm(_), Kind::Store | Kind::Atomic | Kind::Release { .. }) => {
                let message = packet.clone();
                self.pass_l2(&message);
                self.request_at_l2(shared, message);
            }
            (Port::Gpm(_), Kind::AtomicDone) => return self.atomic_at_l2(shared, number),
            (Port::Gpm(_), _) => {
                let message = packet.clone();
                self.answered_at_l2(shared, &message);
            }
            (Port::Core(core), _) => {
                let message = packet.clone();
                self.answered_at_core(shared, core, &message);
            }
        }
        self.fabric.end(number);
    }

    fn serve_load(&mut self, shared: &mut Shared, number: u32) {
        let packet = self.fabric.get(number);
        let (line, core, warp) = (packet.line, packet.core, packet.warp);
        if let Some(miss) = self.l2.misses.of(line) {
            self.l2.misses.get(miss).waiting.push(number);
            return;
        }
        let place = self.l2.cache.hit(line);
        if let Some(place) = place.filter(|place| !*self.l2.cache.tag(*place)) {
            shared.statistics.l2_home.hits += 1;
            let data = *self.l2.cache.data(place);
            return self.give(shared, number, &data);
        }
        shared.statistics.l2_home.misses += 1;
        let mut load = Message::new(Kind::Load, core, warp);
        (load.line, load.bytes) = (line, WHOLE);
        load.token = self.l2.misses.begin(line, true, number);
        self.request_at_l2(shared, load);
    }

    /// Gives a load its line.
    pub(super) fn give(&mut self, shared: &mut Shared, number: u32, data: &Data) {
        let packet = self.fabric.get(number);
        (packet.kind, packet.ends) = (Kind::Data, [Port::Gpm(0), Port::Core(packet.core)]);
        write(&mut packet.data, data, !packet.have);
        self.fabric.send(shared, number);
    }

    /// A store or an atomic comes to the L2: its copy is older, and what is on its way as well.
    fn pass_l2(&mut self, message: &Message) {
        let Message { kind, line, bytes, .. } = *message;
        let combines = self.variant.combines;
        match (kind, self.l2.cache.find(line)) {
            (Kind::Release { .. }, _) => return,
            (Kind::Store, Some(place)) if combines => *self.l2.cache.tag(place) = true,
            (Kind::Store, Some(place)) => {
                write(self.l2.cache.change(place, bytes, false), &message.data, bytes);
            }
            _ => _ = self.l2.cache.drop_line(line),
        }
        self.l2.misses.detach(line);
    }

    /// An atomic has been performed. Copies in other L1s are stale: a release waits until they are dropped, the
    /// warp itself does not.
    fn atomic_at_l2(&mut self, shared: &mut Shared, number: u32) {
        let packet = self.fabric.get(number);
        let (line, core) = (packet.line, packet.core);
        packet.ends = [Port::Gpm(0), Port::Core(core)];
        self.fabric.send(shared, number);
        if !self.variant.combines {
            return;
        }
        self.tell_l1s(shared, line, None, Some(core));
    }

    /// The directory tells that a CPU stores to a line: the copy here is stale, one that is on its way as well, and
    /// those of L1s that do not drop theirs when they acquire (3.1.1).
    fn probed(&mut self, shared: &mut Shared, line: u32) {
        self.l2.cache.drop_line(line);
        if !self.planted.errs(KEEP_PROBED) {
            self.l2.misses.detach(line);
        }
        match self.variant.combines && !self.planted.errs(PROBE_ENDS_AT_L2) {
            true => self.tell_l1s(shared, line, Some(line), None),
            false => self.told(shared, Some(line)),
        }
    }

    /// Tells L1s that their copies are stale, because of an atomic or a probe.
    fn tell_l1s(
        &mut self,
        shared: &mut Shared,
        line: u32,
        probe: Option<u32>,
        except: Option<u32>,
    ) {
        let number = self.l2.told.insert(Told { left: 0, probe });
        let left = self.broadcast(shared, line, number as u32, except);
        self.l2.told[number].left = left;
        if left == 0 {
            self.l2.told.remove(number);
            self.told(shared, probe);
        }
    }

    /// All L1s have dropped their copies.
    fn told(&mut self, shared: &mut Shared, probe: Option<u32>) {
        let Some(line) = probe else { return self.at_l2(shared, |level| level.atomic_done()) };
        let mut done = Message::new(Kind::InvalidateDone, 0, 0);
        (done.ends, done.line) = ([Port::Gpm(0), DIRECTORY], line);
        self.fabric.send_new(shared, done);
    }

    fn answered_at_l2(&mut self, shared: &mut Shared, message: &Message) {
        let Message { kind, token, core, warp, line, ref data, .. } = *message;
        match kind {
            Kind::Data => {
                let line = self.l2.misses.get(token).line;
                let (keep, waiting) = self.l2.misses.take(token);
                if keep {
                    self.l2.cache.fill(line, data);
                    if let Some(place) = self.l2.cache.find(line) {
                        *self.l2.cache.tag(place) = false;
                    }
                }
                waiting.iter().for_each(|waits| self.give(shared, *waits, data));
                self.l2.misses.end(token, waiting);
            }
            Kind::Released => self.at_l2(shared, |level| level.released(core, warp)),
            Kind::InvalidateDone if token == OF_WRITE_CACHE => {
                self.at_l2(shared, |level| level.acknowledged(core as usize));
            }
            Kind::InvalidateDone => {
                let told = &mut self.l2.told[token as usize];
                told.left -= 1;
                if told.left == 0 {
                    let Told { probe, .. } = self.l2.told.remove(token as usize);
                    self.told(shared, probe);
                }
            }
            Kind::Invalidate => self.probed(shared, line),
            _ => {}
        }
    }

    fn answered_at_core(&mut self, shared: &mut Shared, core: u32, message: &Message) {
        let Message { kind, token, warp, line, ref data, .. } = *message;
        match kind {
            Kind::Data => return self.line_for_l1(shared, core, token, data),
            Kind::AtomicDone => {
                self.levels[core as usize].write_cache.atomic_done();
                shared.answered(token);
            }
            Kind::Released => self.levels[core as usize].write_cache.released(core, warp),
            Kind::Invalidate => {
                self.drop_at_l1(shared, core, line);
                let mut done = Message::new(Kind::InvalidateDone, core, warp);
                (done.line, done.token) = (line, token);
                self.fabric.send_new(shared, done);
                return;
            }
            _ => {}
        }
        self.advance(shared, core);
        go_on(self, shared, core);
    }
}
