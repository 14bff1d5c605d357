//! The L2: a bank a partition. Contents are in memory, for all cores alike; what it holds decides on time and on transfers
//! of DRAM. Beside lines of memory it holds lines of depths, which are bound to them (4.4.3), and of store buffers.

use super::locks::{Step, lock_line};
use super::message::{Kind, Message};
use super::units::Answer;
use super::{Gpudet, SystemEvent};
use crate::config::{Config, Granularity, WritePolicy};
use crate::memory::{Banks, Bytes, Cache, Misses, Shared, Transfer, Victim, WHOLE, perform};

/// Clocks until the L2 has answered the unit beside it (assumed).
pub(super) const BANK_CLOCKS: u64 = 8;
/// The first line of depths.
const DEPTHS: u32 = 1 << 29;

/// Requester of a line from DRAM.
#[derive(Debug, Clone, Copy)]
pub(super) enum Waiter {
    /// A request, by its message.
    Request(u32),
    /// A unit's read, by its partition and the number of its answer.
    Depths(u32, u32),
}

/// The L2.
#[derive(Debug)]
pub(super) struct L2 {
    cache: Cache,
    misses: Misses<Waiter>,
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

impl Gpudet {
    /// The partition of a line.
    pub(super) fn partition(&self, line: u32) -> u32 {
        self.l2.banks.of(line)
    }

    /// A message has arrived: a request waits for its bank.
    pub(super) fn arrive(&mut self, shared: &mut Shared, number: u32) {
        let message = self.fabric.get(number);
        if !message.is_request {
            return self.take_answer(shared, number);
        }
        let clocks = match message.kind {
            Kind::Atomic { access, lanes, .. } => {
                self.l2.banks.atomic(&shared.accesses.get(access).access, lanes)
            }
            _ => 1,
        };
        let now = shared.events.now();
        let turn = self.l2.banks.turn_for(message.partition, now, clocks);
        match turn == now {
            true => self.serve(shared, number),
            false => shared.events.at(turn, SystemEvent::Serve(number)),
        }
    }

    /// Serves a request in its turn.
    pub(super) fn serve(&mut self, shared: &mut Shared, number: u32) {
        let message = self.fabric.get(number);
        let (line, data) = (message.line, message.data);
        match &mut message.kind {
            // Loads and atomics take effect now, in the order of the stores, although they may wait for DRAM.
            Kind::Load { .. } => {
                message.data = shared.line(line);
                self.look_up(shared, line, Waiter::Request(number));
            }
            Kind::Fetch { .. } => self.look_up(shared, line, Waiter::Request(number)),
            Kind::Atomic { access, lanes, stored } => {
                let mut data = shared.line(line);
                let access = &mut shared.accesses.get(*access).access;
                *stored = perform(access, *lanes, &mut data)[1];
                shared.write_line(line, &data, *stored);
                self.look_up(shared, line, Waiter::Request(number));
            }
            Kind::Store { bytes, .. } => {
                let bytes = *bytes;
                shared.write_line(line, &data, bytes);
                self.written(shared, line, bytes);
                self.answer(shared, number);
            }
            Kind::Spill => {
                self.written(shared, line, WHOLE);
                self.fabric.end(number);
            }
            Kind::Locked { step, .. } => {
                let step = *step;
                self.serve_step(shared, number, step);
            }
            Kind::Update { .. } => {
                let message = self.fabric.take(number);
                self.take_update(shared, message);
            }
        }
    }

    /// A request is answered when the L2 has a line.
    pub(super) fn look_up_for(&mut self, shared: &mut Shared, line: u32, number: u32) {
        self.look_up(shared, line, Waiter::Request(number));
    }

    /// A line's waiter is answered at once if it is there, or else when it comes.
    fn look_up(&mut self, shared: &mut Shared, line: u32, waiter: Waiter) {
        if let Some(miss) = self.l2.misses.of(line) {
            self.l2.misses.get(miss).waiting.push(waiter);
            shared.statistics.l2_home.misses += 1;
        } else if self.l2.cache.hit(line).is_some() {
            shared.statistics.l2_home.hits += 1;
            self.answer_waiter(shared, waiter);
        } else {
            shared.statistics.l2_home.misses += 1;
            let miss = self.l2.misses.begin(line, true, waiter);
            shared.transfer(0, Transfer::read(line, SystemEvent::Filled(miss)));
        }
    }

    /// A line has come from DRAM.
    pub(super) fn filled(&mut self, shared: &mut Shared, miss: u32) {
        let line = self.l2.misses.get(miss).line;
        let (_, waiting) = self.l2.misses.take(miss);
        let victim = self.l2.cache.fill(line, &[0; 128]);
        for waiter in &waiting {
            self.answer_waiter(shared, *waiter);
        }
        self.l2.misses.end(miss, waiting);
        self.evicted(shared, victim);
    }

    fn answer_waiter(&mut self, shared: &mut Shared, waiter: Waiter) {
        match waiter {
            Waiter::Request(number) => self.answer(shared, number),
            Waiter::Depths(partition, answer) => {
                let at = shared.events.now() + BANK_CLOCKS;
                shared.events.at(at, SystemEvent::Answer(partition, answer));
            }
        }
    }

    /// Bytes of a line have been written.
    pub(super) fn written(&mut self, shared: &mut Shared, line: u32, bytes: Bytes) {
        let keeps = shared.config.l2.write == WritePolicy::Back;
        let cache = &mut self.l2.cache;
        let (place, victim) = match cache.find(line) {
            Some(place) => (place, None),
            None => cache.allocate(line),
        };
        cache.change(place, bytes, keeps);
        if !keeps {
            shared.transfer(0, Transfer::write(line));
        }
        self.evicted(shared, victim);
    }

    fn evicted(&mut self, shared: &mut Shared, victim: Option<Victim>) {
        if let Some(Victim { line, .. }) = victim.filter(|victim| victim.dirty != 0) {
            shared.transfer(0, Transfer::write(line));
        }
    }

    /// The first line of the depths of a line, and how many there are.
    pub(super) fn lines_of_depths(&self, line: u32) -> (u32, u32) {
        let lines = match self.settings.granularity {
            Granularity::Word => 1,
            Granularity::Byte => 4,
        };
        (DEPTHS + line * lines, lines)
    }

    /// A unit reads the depths of a line. The last of their lines answers.
    pub(super) fn read_depths(
        &mut self,
        shared: &mut Shared,
        partition: u32,
        entry: u64,
        line: u32,
    ) {
        let answer = self.units[partition as usize].answers.insert(Answer::Depths(entry, line));
        let (first, lines) = self.lines_of_depths(line);
        self.look_up(shared, first + lines - 1, Waiter::Depths(partition, answer as u32));
    }

    /// A unit writes the depths of a line.
    pub(super) fn write_depths(&mut self, shared: &mut Shared, line: u32) {
        let (first, lines) = self.lines_of_depths(line);
        (first..first + lines).for_each(|line| self.written(shared, line, WHOLE));
    }

    /// Sends a request back as its answer. Swaps of locks take effect now.
    pub(super) fn answer(&mut self, shared: &mut Shared, number: u32) {
        let message = self.fabric.get(number);
        message.is_request = false;
        let line = message.line;
        match &mut message.kind {
            Kind::Locked { step: Step::Swap { is_taken }, .. } => {
                *is_taken = self.locks.swap(line);
                self.written(shared, lock_line(line), 0xf);
            }
            Kind::Atomic { stored, .. } => {
                let stored = *stored;
                self.written(shared, line, stored);
            }
            _ => {}
        }
        self.fabric.send(shared, number);
    }

    /// An answer has come to its core.
    fn take_answer(&mut self, shared: &mut Shared, number: u32) {
        let Message { kind, core, line, data, .. } = self.fabric.take(number);
        match kind {
            Kind::Load { miss } => self.line_for_l1(shared, core, miss, &data),
            Kind::Store { epoch, .. } => self.stored(shared, core, epoch),
            Kind::Atomic { access, .. } => self.answered(shared, access),
            Kind::Fetch { access } => self.fetched(shared, core, line, access),
            Kind::Update { .. } => self.unacknowledged -= 1,
            Kind::Locked { wavefront, step } => self.step_done(shared, wavefront as usize, step),
            // It is not answered.
            Kind::Spill => {}
        }
    }
}
