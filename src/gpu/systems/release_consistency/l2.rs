//! The L2 controller (tables 10.13 and 10.16), with DRAM behind it. It does one thing about a line at a time; what
//! else comes for the line waits.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use super::ReleaseConsistency;
use super::message::{Kind, Message};
use super::planted::FORGET_L1_OWNER;
use crate::config::Config;
use crate::memory::planted::ATOMICS_STORE_TWICE;
use crate::memory::{
    Banks, Bytes, Cache, Data, Port, Shared, Transfer, Victim, Writes, perform, write,
};
use crate::systems::release_consistency::SystemEvent;

/// Longest time in clocks until an atomic with a planted error stores again.
const AGAIN: u32 = 300;

/// What is under way about a line, in a transient state of ours, and the messages that wait.
#[derive(Debug, Default)]
struct Busy {
    /// The line makes room: its owner's data goes to memory.
    evicts: bool,
    waiting: VecDeque<u32>,
}

/// The L2, with the owners of lines.
#[derive(Debug)]
pub(super) struct L2 {
    pub(super) cache: Cache,
    owners: HashMap<u32, u32>,
    banks: Banks,
    busy: HashMap<u32, Busy>,
    /// Writes that wait, and marks that wait for them.
    writes: Writes<u32>,
}

impl L2 {
    pub(super) fn new(config: &Config) -> Self {
        Self {
            cache: Cache::new(config.l2.bytes, config.l2.ways),
            owners: HashMap::new(),
            banks: Banks::new(&config.l2),
            busy: HashMap::new(),
            writes: Writes::default(),
        }
    }

    pub(super) fn forget(&mut self, lines: &Range<u32>) {
        self.cache.drop_where(|line| lines.contains(&line));
        self.owners.retain(|line, _| !lines.contains(line));
    }
}

impl ReleaseConsistency {
    /// A message has arrived: at the L2 it waits for its bank.
    pub(super) fn arrive(&mut self, shared: &mut Shared, number: u32) {
        let packet = self.fabric.get(number);
        let (kind, line, to) = (packet.kind, packet.line, packet.ends[1]);
        let (token, lanes) = (packet.token, packet.lanes);
        match to {
            Port::Core(_) => return self.serve(shared, number),
            Port::Unit(_) => return self.for_cpu(shared, number),
            Port::Gpm(_) => {}
        }
        let now = shared.events.now();
        let turn = match kind {
            // Behind all write-backs before it, in any bank.
            Kind::Mark | Kind::WrittenBack { .. } => self.l2.banks.after_all(now),
            Kind::Atomic => {
                let banks = &mut self.l2.banks;
                let clocks = banks.atomic(&shared.accesses.get(token).access, lanes);
                banks.turn_for(banks.of(line), now, clocks)
            }
            _ => self.l2.banks.turn(line, now),
        };
        match turn == now {
            true => self.serve(shared, number),
            false => shared.events.at(turn, SystemEvent::Serve(number)),
        }
    }

    /// Handles a message in its turn.
    pub(super) fn serve(&mut self, shared: &mut Shared, number: u32) {
        let Message { kind, ends, line, .. } = *self.fabric.get(number);
        if let Port::Core(core) = ends[1] {
            return self.at_core(shared, core, number);
        }
        match kind {
            Kind::Mark => {
                if let Some(number) = self.l2.writes.wait(number) {
                    self.acknowledge(shared, number);
                }
            }
            Kind::WrittenBack { had } => {
                let Message { bytes, data, .. } = *self.fabric.get(number);
                self.fabric.end(number);
                self.l2.owners.remove(&line);
                let evicts = self.l2.busy.get(&line).is_some_and(|busy| busy.evicts);
                match had {
                    true if evicts => self.write_memory(shared, line, &data, bytes),
                    true => self.write_l2(shared, line, &data, bytes),
                    false => {}
                }
                self.go_on_with(shared, line);
            }
            _ if self.l2.busy.contains_key(&line) && !self.is_of_owner(number) => {
                self.waits(number);
            }
            _ => self.perform(shared, number),
        }
    }

    /// Whether it is a write-back with which the owner gives a line up; it may have been asked for it meanwhile.
    fn is_of_owner(&mut self, number: u32) -> bool {
        let packet = self.fabric.get(number);
        let gives_up = packet.kind == Kind::WriteBack { gives_up: true };
        gives_up && self.l2.owners.get(&packet.line) == Some(&packet.core())
    }

    /// A message waits for what is under way about its line.
    fn waits(&mut self, number: u32) {
        let packet = self.fabric.get(number);
        if matches!(packet.kind, Kind::WriteBack { .. } | Kind::Atomic) {
            packet.generation = self.l2.writes.begin(packet.generation);
        }
        self.l2.busy.entry(packet.line).or_default().waiting.push_back(number);
    }

    /// What was under way about a line is over.
    pub(super) fn go_on_with(&mut self, shared: &mut Shared, line: u32) {
        let Some(mut busy) = self.l2.busy.remove(&line) else { return };
        while let Some(number) = busy.waiting.pop_front() {
            let generation = self.fabric.get(number).generation;
            self.perform(shared, number);
            for mark in self.l2.writes.end(generation) {
                self.acknowledge(shared, mark);
            }
            if let Some(again) = self.l2.busy.get_mut(&line) {
                again.waiting.append(&mut busy.waiting);
            }
        }
    }

    fn acknowledge(&mut self, shared: &mut Shared, number: u32) {
        let packet = self.fabric.get(number);
        (packet.ends, packet.kind) = ([Port::Gpm(0), packet.ends[0]], Kind::Ack);
        self.fabric.send(shared, number);
    }

    /// A request or a write-back, of a line about which nothing is under way.
    fn perform(&mut self, shared: &mut Shared, number: u32) {
        let Message { kind, line, lanes, token, bytes, data, .. } = *self.fabric.get(number);
        let core = self.fabric.get(number).core();
        let owner = self.l2.owners.get(&line).copied();
        if let Some(owner) = owner.filter(|owner| *owner != core || kind == Kind::OfCpu) {
            if !self.planted.errs(FORGET_L1_OWNER) {
                self.waits(number);
                return self.recall(shared, line, owner);
            }
            self.l2.owners.remove(&line);
        }
        if kind == Kind::OfCpu {
            return self.probed(shared, number);
        }
        if let Kind::WriteBack { gives_up } = kind {
            self.fabric.end(number);
            if gives_up {
                self.l2.owners.remove(&line);
            }
            return self.write_l2(shared, line, &data, bytes);
        }
        let hits = &mut shared.statistics.l2_home;
        let Some(place) = self.l2.cache.hit(line) else {
            hits.misses += 1;
            self.waits(number);
            return shared.transfer(0, Transfer::read(line, SystemEvent::Filled(line)));
        };
        hits.hits += 1;
        let mut contents = *self.l2.cache.data(place);
        let mut answer = Message::down(Kind::Data { is_owned: kind == Kind::GetO }, core, line);
        match kind {
            Kind::Atomic => {
                let access = &mut shared.accesses.get(token).access;
                let [words, stored] = perform(access, lanes, &mut contents);
                if stored != 0 {
                    write(self.l2.cache.change(place, stored, true), &contents, stored);
                }
                (answer.kind, answer.token, answer.lanes) = (Kind::AtomicDone, token, lanes);
                self.will_store_again(shared, line, &contents, words);
            }
            Kind::GetO => _ = self.l2.owners.insert(line, core),
            _ => {}
        }
        self.fabric.end(number);
        answer.data = contents;
        self.fabric.send_new(shared, answer);
    }

    /// The planted error [`ATOMICS_STORE_TWICE`]: the words of an atomic are to be stored a second time.
    pub(super) fn will_store_again(
        &mut self,
        shared: &mut Shared,
        line: u32,
        data: &Data,
        bytes: Bytes,
    ) {
        if self.planted.errs(ATOMICS_STORE_TWICE) {
            self.again.push_back((line, *data, bytes));
            let later = shared.events.now() + 1 + u64::from(shared.random(AGAIN));
            shared.events.at(later, SystemEvent::StoreAgain(0));
        }
    }

    /// They are, wherever their line is.
    pub(super) fn store_again(&mut self, shared: &mut Shared) {
        let Some((line, data, bytes)) = self.again.pop_front() else { return };
        shared.write_line(line, &data, bytes);
        self.l2.cache.update(line, &data, bytes);
        for l1 in &mut self.l1 {
            l1.cache.update(line, &data, bytes);
        }
    }

    fn recall(&mut self, shared: &mut Shared, line: u32, owner: u32) {
        self.l2.busy.entry(line).or_default();
        shared.statistics.coherence.invalidations += 1;
        self.fabric.send_new(shared, Message::down(Kind::RequestWriteBack, owner, line));
    }

    /// A line has come from DRAM.
    pub(super) fn filled(&mut self, shared: &mut Shared, line: u32) {
        let data = shared.line(line);
        let victim = self.l2.cache.fill(line, &data);
        self.evicted_from_l2(shared, victim);
        self.go_on_with(shared, line);
    }

    fn write_l2(&mut self, shared: &mut Shared, line: u32, data: &Data, bytes: Bytes) {
        let (place, victim) = match self.l2.cache.find(line) {
            Some(place) => (place, None),
            None => self.l2.cache.allocate(line),
        };
        write(self.l2.cache.change(place, bytes, true), data, bytes);
        self.evicted_from_l2(shared, victim);
    }

    pub(super) fn write_memory(
        &mut self,
        shared: &mut Shared,
        line: u32,
        data: &Data,
        bytes: Bytes,
    ) {
        if bytes != 0 {
            shared.write_line(line, data, bytes);
            shared.transfer(0, Transfer::write(line));
        }
    }

    /// A line makes room; a line that is owned does not do so silently (table 10.16).
    fn evicted_from_l2(&mut self, shared: &mut Shared, victim: Option<Victim>) {
        let Some(Victim { line, dirty, data, .. }) = victim else { return };
        self.write_memory(shared, line, &data, dirty);
        let owner = self.l2.owners.get(&line).copied();
        if let Some(owner) = owner.filter(|_| !self.l2.busy.contains_key(&line)) {
            self.recall(shared, line, owner);
            self.l2.busy.entry(line).or_default().evicts = true;
        }
    }
}
