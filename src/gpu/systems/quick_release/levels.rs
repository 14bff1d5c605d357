//! The ways down of the levels: what their write caches do, and where it goes.

use super::QuickRelease;
use super::message::{Kind, Message, OF_WRITE_CACHE};
use super::planted::{KEEP_INVALIDATED, NO_BROADCAST};
use super::s_fifo::Queue;
use super::variant::Variant;
use super::write_cache::{Combining, Output, Through, WriteCache};
use crate::config::{Config, WriteCacheConfig};
use crate::memory::{DIRECTORY, Done, Port, Shared, go_on};
use crate::systems::quick_release::SystemEvent;

/// Where a level is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    /// Beside the L1 of a core.
    L1(u32),
    /// Beside the L2.
    L2,
    /// At the directory.
    Directory,
}

impl At {
    /// The level of a number, of a machine with so many cores.
    pub(super) fn of(number: u32, cores: u32) -> Self {
        match number.checked_sub(cores) {
            None => Self::L1(number),
            Some(0) => Self::L2,
            Some(_) => Self::Directory,
        }
    }

    /// Its write cache.
    pub(super) fn config(self, config: &Config) -> Option<&WriteCacheConfig> {
        let caches = config.write_caches.as_ref()?;
        Some(match self {
            Self::L1(_) => &caches.l1,
            Self::L2 => &caches.l2,
            Self::Directory => &caches.l3,
        })
    }

    /// The read caches that acknowledge its invalidations: that of the core; all cores, for the L2 beside it does
    /// so at once; the CPUs.
    pub(super) fn read_caches(self, config: &Config) -> u32 {
        if self == Self::L2 { config.machine.cores() } else { 1 }
    }
}

/// A level.
#[derive(Debug)]
pub(super) struct Level {
    pub(super) write_cache: Box<dyn WriteCache>,
    /// A clock of its circuits is scheduled.
    clocked: bool,
}

impl Level {
    /// The level of a number.
    pub(super) fn new(config: &Config, variant: Variant, number: u32) -> Self {
        let at = At::of(number, config.machine.cores());
        let is_last = at == At::Directory;
        let write_cache: Box<dyn WriteCache> = match at.config(config).filter(|_| variant.combines)
        {
            None => Box::new(Through { is_last, waiting: Vec::new() }),
            Some(cache) => {
                let fifo = Box::new(Queue::new(cache.entries));
                Box::new(Combining::new(cache, fifo, at.read_caches(config), is_last))
            }
        };
        Self { write_cache, clocked: false }
    }
}

impl QuickRelease {
    fn cores(&self) -> u32 {
        self.l1.len() as u32
    }

    /// Gives a request to a level.
    pub(super) fn request(&mut self, shared: &mut Shared, level: u32, message: Message) {
        self.levels[level as usize].write_cache.request(message);
        self.advance(shared, level);
    }

    pub(super) fn request_at_l2(&mut self, shared: &mut Shared, message: Message) {
        self.request(shared, self.cores(), message);
    }

    pub(super) fn request_at_directory(&mut self, shared: &mut Shared, message: Message) {
        self.request(shared, self.cores() + 1, message);
    }

    /// The write cache of the L2.
    pub(super) fn at_l2(&mut self, shared: &mut Shared, change: impl FnOnce(&mut dyn WriteCache)) {
        let level = self.cores();
        change(&mut *self.levels[level as usize].write_cache);
        self.advance(shared, level);
    }

    /// A level goes on after something has come.
    pub(super) fn advance(&mut self, shared: &mut Shared, level: u32) {
        let mut outputs = Vec::new();
        self.levels[level as usize].write_cache.advance(&mut outputs);
        self.handle_outputs(shared, level, outputs);
    }

    /// One clock of a level's circuits.
    pub(super) fn clock_level(&mut self, shared: &mut Shared, level: u32) {
        let mut outputs = Vec::new();
        let state = &mut self.levels[level as usize];
        state.clocked = false;
        state.write_cache.clock(&mut outputs);
        if let Some(mismatch) = state.write_cache.mismatch() {
            shared.mismatch = Some(mismatch.to_string());
            return;
        }
        self.handle_outputs(shared, level, outputs);
        if let At::L1(core) = At::of(level, self.cores()) {
            go_on(self, shared, core);
        }
    }

    fn handle_outputs(&mut self, shared: &mut Shared, level: u32, outputs: Vec<Output>) {
        let mut goes_on = false;
        for output in outputs {
            match At::of(level, self.cores()) {
                At::L1(core) => goes_on |= self.output_of_l1(shared, core, output),
                At::L2 => self.output_of_l2(shared, output),
                At::Directory => goes_on |= self.output_of_directory(shared, output),
            }
        }
        if goes_on {
            self.advance(shared, level);
        }
        let state = &mut self.levels[level as usize];
        if state.write_cache.is_busy() && !std::mem::replace(&mut state.clocked, true) {
            shared.events.at(shared.events.now() + 1, SystemEvent::Clock(level));
        }
    }

    /// What the way down of an L1 does; whether its read cache has acknowledged something.
    fn output_of_l1(&mut self, shared: &mut Shared, core: u32, output: Output) -> bool {
        match output {
            Output::Down(mut message) => {
                if message.kind == Kind::Load && message.have != 0 {
                    // Some of it is still dirty here: what comes is not all of the line.
                    self.l1[core as usize].misses.detach(message.line);
                }
                message.ends = [Port::Core(core), Port::Gpm(0)];
                self.fabric.send_new(shared, message);
            }
            Output::Invalidate(line) => {
                self.drop_at_l1(shared, core, line);
                self.levels[core as usize].write_cache.acknowledged(0);
                return true;
            }
            Output::Hit(load) => self.hit_at_l1(shared, core, &load),
            Output::Released { core, warp } => {
                shared.done.push(Done::Synchronised { core, warp });
            }
        }
        false
    }

    fn output_of_l2(&mut self, shared: &mut Shared, output: Output) {
        match output {
            Output::Down(mut message) => {
                if message.kind == Kind::Load && message.have != 0 {
                    self.l2.misses.detach(message.line);
                }
                message.ends = [Port::Gpm(0), DIRECTORY];
                self.fabric.send_new(shared, message);
            }
            Output::Invalidate(line) => {
                self.l2.cache.drop_line(line);
                self.l2.misses.detach(line);
                if self.planted.errs(NO_BROADCAST) {
                    let all = 0..self.l1.len();
                    self.at_l2(shared, |level| all.for_each(|core| level.acknowledged(core)));
                    return;
                }
                self.broadcast(shared, line, OF_WRITE_CACHE, None);
            }
            Output::Hit(load) => {
                let (_, waiting) = self.l2.misses.take(load.token);
                waiting.iter().for_each(|waits| self.give(shared, *waits, &load.data));
                self.l2.misses.end(load.token, waiting);
            }
            Output::Released { core, warp } => {
                let mut released = Message::new(Kind::Released, core, warp);
                released.ends = [Port::Gpm(0), Port::Core(core)];
                self.fabric.send_new(shared, released);
            }
        }
    }

    /// What the way down of the directory does; whether an atomic is done, or the CPUs have acknowledged something:
    /// between launches they have no copies.
    fn output_of_directory(&mut self, shared: &mut Shared, output: Output) -> bool {
        match output {
            Output::Down(message) => {
                let is_atomic = message.kind == Kind::Atomic;
                self.at_memory(shared, message);
                return is_atomic;
            }
            Output::Invalidate(_) => {
                let level = self.cores() as usize + 1;
                self.levels[level].write_cache.acknowledged(0);
                return true;
            }
            Output::Hit(load) => {
                let data = load.data;
                let number = self.fabric.add(load);
                self.answer(shared, number, &data);
            }
            Output::Released { core, warp } => {
                let mut released = Message::new(Kind::Released, core, warp);
                released.ends = [DIRECTORY, Port::Gpm(0)];
                self.fabric.send_new(shared, released);
            }
        }
        false
    }

    /// Tells the L1s that copies of a line are stale; gives how many are told.
    pub(super) fn broadcast(
        &mut self,
        shared: &mut Shared,
        line: u32,
        token: u32,
        except: Option<u32>,
    ) -> u32 {
        let told = (0..self.cores()).filter(|core| Some(*core) != except);
        let mut count = 0;
        for core in told {
            let mut message = Message::new(Kind::Invalidate, core, 0);
            (message.line, message.token) = (line, token);
            message.ends = [Port::Gpm(0), Port::Core(core)];
            self.fabric.send_new(shared, message);
            count += 1;
        }
        shared.statistics.coherence.invalidations += u64::from(count);
        count
    }

    /// The read cache of a core drops a line; one that is on its way there is not kept.
    pub(super) fn drop_at_l1(&mut self, shared: &mut Shared, core: u32, line: u32) {
        let keeps = self.planted.errs(KEEP_INVALIDATED);
        let l1 = &mut self.l1[core as usize];
        shared.statistics.coherence.invalidated_lines += u64::from(l1.cache.drop_line(line));
        if !keeps {
            l1.misses.detach(line);
        }
    }
}
