//! The directory: the point of system coherence, with the memory-side L3 and DRAM behind it (4.1). It is
//! stateless. The GPU does not write to the L3, but in read-for-ownership. What passes its write cache takes effect in the order of arrival.

use std::ops::Range;

use super::QuickRelease;
use super::message::{Kind, Message};
use crate::config::{Config, LINE};
use crate::memory::planted::ATOMICS_STORE_TWICE;
use crate::memory::{
    Cache, DIRECTORY, Data, Misses, Port, Shared, Transfer, Victim, WHOLE, perform, write,
};
use crate::systems::quick_release::SystemEvent;

/// The memory-side L3, with DRAM behind it. All data is in memory; what waits for a line has a number.
#[derive(Debug)]
pub(super) struct L3 {
    cache: Cache,
    misses: Misses<u32>,
}

impl L3 {
    pub(super) fn new(config: &Config) -> Self {
        let cache = config.l3.as_ref().map(|l3| Cache::new(l3.bytes, l3.ways));
        // Checked before: see `System::fits`.
        let cache = cache.unwrap_or_else(|| Cache::new(config.l2.bytes, config.l2.ways));
        Self { cache, misses: Misses::default() }
    }

    /// Whether a line is there; else [`L3::filled`] gives the number back.
    pub(super) fn read(&mut self, shared: &mut Shared, line: u32, number: u32) -> bool {
        if self.cache.hit(line).is_some() {
            return true;
        }
        match self.misses.of(line) {
            Some(miss) => self.misses.get(miss).waiting.push(number),
            None => {
                let miss = self.misses.begin(line, true, number);
                shared.transfer(0, Transfer::read(line, SystemEvent::Filled(miss)));
            }
        }
        false
    }

    /// A line has come from DRAM: what waits for it.
    pub(super) fn filled(&mut self, shared: &mut Shared, miss: u32) -> (u32, Vec<u32>) {
        let line = self.misses.get(miss).line;
        let (_, waiting) = self.misses.take(miss);
        let victim = self.cache.fill(line, &[0; LINE]);
        self.evicted(shared, victim);
        self.misses.end(miss, Vec::new());
        (line, waiting)
    }

    /// A line is written, and stays here until it makes room.
    pub(super) fn write_back(&mut self, shared: &mut Shared, line: u32) {
        let (place, victim) = match self.cache.find(line) {
            Some(place) => (place, None),
            None => self.cache.allocate(line),
        };
        self.cache.change(place, WHOLE, true);
        self.evicted(shared, victim);
    }

    fn evicted(&mut self, shared: &mut Shared, victim: Option<Victim>) {
        if let Some(Victim { line, .. }) = victim.filter(|victim| victim.dirty != 0) {
            shared.transfer(0, Transfer::write(line));
        }
    }

    /// The host has written these lines.
    pub(super) fn forget(&mut self, lines: &Range<u32>) {
        self.cache.drop_where(|line| lines.contains(&line));
    }
}

impl QuickRelease {
    /// A load, a store or an atomic has passed the write cache of the directory.
    pub(super) fn at_memory(&mut self, shared: &mut Shared, mut message: Message) {
        let Message { kind, line, token, lanes, bytes, .. } = message;
        match kind {
            Kind::Store => {
                shared.write_line(line, &message.data, bytes);
                shared.transfer(0, Transfer::write(line));
                return;
            }
            Kind::Atomic => {
                let mut data = shared.line(line);
                let access = &mut shared.accesses.get(token).access;
                let [words, stored] = perform(access, lanes, &mut data);
                shared.write_line(line, &data, stored);
                if self.planted.errs(ATOMICS_STORE_TWICE) {
                    let mut again = Message::new(Kind::Store, 0, 0);
                    (again.line, again.bytes, again.data) = (line, words, data);
                    again.ends = [Port::Gpm(0), DIRECTORY];
                    self.fabric.send_new(shared, again);
                }
                if stored != 0 {
                    shared.transfer(0, Transfer::write(line));
                }
                let level = self.levels.len() - 1;
                self.levels[level].write_cache.atomic_done();
            }
            _ => {
                // It reads now, though DRAM may take its time: what comes behind it may be of its own thread.
                write(&mut message.data, &shared.line(line), !message.have);
                message.have = WHOLE;
            }
        }
        let number = self.fabric.add(message);
        if self.l3.read(shared, line, number) {
            let data = shared.line(line);
            self.answer(shared, number, &data);
        }
    }

    /// A line has come from DRAM.
    pub(super) fn filled(&mut self, shared: &mut Shared, miss: u32) {
        let (line, waiting) = self.l3.filled(shared, miss);
        let data = shared.line(line);
        waiting.into_iter().for_each(|number| self.answer(shared, number, &data));
    }

    /// Answers a load, but for bytes that a write cache on its way had, or an atomic.
    pub(super) fn answer(&mut self, shared: &mut Shared, number: u32, data: &Data) {
        let packet = self.fabric.get(number);
        packet.ends = [DIRECTORY, packet.ends[0]];
        match packet.kind {
            Kind::Atomic => packet.kind = Kind::AtomicDone,
            _ => {
                packet.kind = Kind::Data;
                write(&mut packet.data, data, !packet.have);
            }
        }
        self.fabric.send(shared, number);
    }
}
