//! The L2 of a GPM, a bank a partition. Memory's contents are behind it, for all cores alike; what it holds
//! decides on time and on transfers of DRAM.

use std::sync::Arc;

use super::message::Kind;
use super::{Getm, SystemEvent};
use crate::config::{Config, WritePolicy};
use crate::memory::{Banks, Bytes, Cache, Misses, Port, Shared, Transfer, Victim, WHOLE, perform};

/// The L2 of a GPM.
#[derive(Debug)]
pub(super) struct L2 {
    pub cache: Cache,
    misses: Misses<u32>,
    banks: Banks,
}

impl L2 {
    pub fn new(config: &Config) -> Self {
        Self {
            cache: Cache::new(config.l2.bytes, config.l2.ways),
            misses: Misses::default(),
            banks: Banks::new(&config.l2),
        }
    }
}

impl Getm {
    /// A message has arrived: a request waits for its bank.
    pub(super) fn arrive(&mut self, shared: &mut Shared, number: u32) {
        let message = self.fabric.get(number);
        let Port::Gpm(gpm) = message.ends[1] else { return self.take_answer(shared, number) };
        let banks = &mut self.l2[gpm as usize].banks;
        let clocks = match message.kind {
            Kind::Atomic { access, lanes, .. } => {
                banks.atomic(&shared.accesses.get(access).access, lanes)
            }
            _ => 1,
        };
        let now = shared.events.now();
        let turn = banks.turn_for(message.partition % self.banks, now, clocks);
        match turn == now {
            true => self.serve(shared, number),
            false => shared.events.at(turn, SystemEvent::Serve(number)),
        }
    }

    /// Serves a request in its turn.
    pub(super) fn serve(&mut self, shared: &mut Shared, number: u32) {
        let message = self.fabric.get(number);
        let (line, partition) = (message.line, message.partition);
        let Port::Gpm(gpm) = message.ends[1] else { return };
        match &mut message.kind {
            // Loads and atomics take effect now, in the order of the stores, although they may wait for DRAM.
            Kind::Load { .. } => {
                message.data = shared.line(line);
                self.look_up(shared, gpm, number);
            }
            Kind::Fetch { .. } => self.look_up(shared, gpm, number),
            Kind::Atomic { access, lanes, stored } => {
                let mut data = shared.line(line);
                let access = &mut shared.accesses.get(*access).access;
                *stored = perform(access, *lanes, &mut data)[1];
                let stored = *stored;
                self.oracle.plain_store(line, stored);
                shared.write_line(line, &data, stored);
                self.look_up(shared, gpm, number);
            }
            Kind::Store { bytes, .. } => {
                let (bytes, data) = (*bytes, message.data);
                self.oracle.plain_store(line, bytes);
                shared.write_line(line, &data, bytes);
                self.written(shared, gpm, line, bytes);
                self.answer(shared, number);
            }
            Kind::Spill => {
                self.written(shared, gpm, line, WHOLE);
                self.fabric.end(number);
            }
            Kind::Log(items) => {
                let items = std::mem::take(items);
                self.fabric.end(number);
                self.logs_under_way -= 1;
                self.units[partition as usize].take_log(items);
                self.clock_units(shared, partition);
            }
            Kind::Read { asked } => {
                let asked = *asked;
                self.asked[asked as usize].message = number;
                self.read_lazily(shared, asked);
            }
            Kind::Validation { id, decided, .. } => {
                let (id, decided) = (*id, *decided);
                self.fabric.end(number);
                self.take_logs(shared, partition, id, decided);
            }
            Kind::Decision { id, lanes } => {
                let (id, lanes) = (*id, *lanes);
                self.fabric.end(number);
                self.take_decision(shared, partition, id, lanes);
            }
            // These go to cores.
            Kind::Verdict { .. } | Kind::Written { .. } | Kind::Broadcast { .. } => {}
            Kind::Validate { asked, .. } => {
                let asked = *asked;
                self.asked[asked as usize].message = number;
                let access = self.asked[asked as usize].access();
                self.units[partition as usize].requests.push_back((asked, access));
                self.clock_units(shared, partition);
            }
        }
    }

    /// A request is answered at once if its line is there, or else when it comes.
    pub(super) fn look_up(&mut self, shared: &mut Shared, gpm: u32, number: u32) {
        let line = self.fabric.get(number).line;
        let l2 = &mut self.l2[gpm as usize];
        if let Some(miss) = l2.misses.of(line) {
            l2.misses.get(miss).waiting.push(number);
            shared.statistics.l2_home.misses += 1;
        } else if l2.cache.hit(line).is_some() {
            shared.statistics.l2_home.hits += 1;
            self.answer(shared, number);
        } else {
            shared.statistics.l2_home.misses += 1;
            let miss = l2.misses.begin(line, true, number);
            shared.transfer(gpm, Transfer::read(line, SystemEvent::Filled(gpm, miss)));
        }
    }

    /// A line has come from DRAM.
    pub(super) fn filled(&mut self, shared: &mut Shared, gpm: u32, miss: u32) {
        let l2 = &mut self.l2[gpm as usize];
        let line = l2.misses.get(miss).line;
        let (_, waiting) = l2.misses.take(miss);
        let victim = l2.cache.fill(line, &[0; 128]);
        for number in &waiting {
            self.answer(shared, *number);
        }
        self.l2[gpm as usize].misses.end(miss, waiting);
        self.evicted(shared, gpm, victim);
    }

    /// Bytes of a line have been written.
    pub(super) fn written(&mut self, shared: &mut Shared, gpm: u32, line: u32, bytes: Bytes) {
        let keeps = shared.config.l2.write == WritePolicy::Back;
        let cache = &mut self.l2[gpm as usize].cache;
        let (place, victim) = match cache.find(line) {
            Some(place) => (place, None),
            None => cache.allocate(line),
        };
        cache.change(place, bytes, keeps);
        if !keeps {
            shared.transfer(gpm, Transfer::write(line));
        }
        self.evicted(shared, gpm, victim);
    }

    fn evicted(&mut self, shared: &mut Shared, gpm: u32, victim: Option<Victim>) {
        if let Some(Victim { line, .. }) = victim.filter(|victim| victim.dirty != 0) {
            shared.transfer(gpm, Transfer::write(line));
        }
    }

    /// Sends a request back as its answer.
    pub(super) fn answer(&mut self, shared: &mut Shared, number: u32) {
        let message = self.fabric.get(number);
        let [from, to] = message.ends;
        (message.ends, message.is_request) = ([to, from], false);
        if let (Kind::Atomic { stored, .. }, Port::Gpm(gpm)) = (&message.kind, to) {
            let (line, stored) = (message.line, *stored);
            self.written(shared, gpm, line, stored);
        }
        self.fabric.send(shared, number);
    }

    /// An answer has come to its core.
    fn take_answer(&mut self, shared: &mut Shared, number: u32) {
        let message = self.fabric.get(number);
        let (core, data) = (message.core, message.data);
        match message.kind {
            Kind::Load { miss } => self.line_for_l1(shared, core, miss, &data),
            Kind::Store { epoch, .. } => self.stored(shared, core, epoch),
            Kind::Atomic { access, .. } => shared.answered(access),
            Kind::Validate { asked, .. } => self.decided(shared, asked),
            Kind::Fetch { warp } => self.fetched(shared, core, warp),
            Kind::Read { asked } => self.loaded_lazily(shared, asked),
            Kind::Verdict { id, warp, failed } => {
                self.take_verdict(shared, [id, warp.into()], failed);
            }
            Kind::Written { id, warp } => self.take_written(shared, [id, warp.into()]),
            Kind::Broadcast { ref words, begins } => {
                let words = Arc::clone(words);
                self.take_broadcast(shared, core, &words, begins);
            }
            // These are not answered.
            Kind::Log(_) | Kind::Spill | Kind::Validation { .. } | Kind::Decision { .. } => {}
        }
        self.fabric.end(number);
    }
}
