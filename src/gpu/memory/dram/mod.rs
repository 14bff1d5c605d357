//! DRAM of a GPM: its channels are banks with a few times, or chips command by command.

mod addresses;
mod banks;
mod chips;

use std::collections::VecDeque;

pub use addresses::{CHANNEL_BITS, Row, channel_and_rest};
use banks::BankChannel;
pub use chips::{ChipChannel, Request};
use slab::Slab;

use super::{Event, LINE, Shared, Unit};
use crate::config::{ChipsConfig, Config};
use crate::events;

events! {
    /// Events of DRAM.
    enum DramEvent of Unit::DRAM;
    /// A channel of a GPM may start a transfer, or its chips have a clock.
    Channel(gpm, channel),
}

/// A line to be read or written.
#[derive(Debug, Clone, Copy)]
pub struct Transfer {
    /// Which.
    pub line: u32,
    /// The event that brings the line; none for a write.
    pub then: Option<Event>,
}

impl Transfer {
    /// A line to be written.
    pub fn write(line: u32) -> Self {
        Self { line, then: None }
    }

    /// A line to be read, and the event that brings it.
    pub fn read(line: u32, then: impl Into<Event>) -> Self {
        Self { line, then: Some(then.into()) }
    }
}

/// A channel of a GPM.
#[derive(Debug)]
pub(super) struct Channel {
    kind: Kind,
    /// An event will look at what waits.
    awake: bool,
}

#[derive(Debug)]
enum Kind {
    Banks(BankChannel),
    Chips(Box<Chips>),
}

/// Chips, with what waits for them.
#[derive(Debug)]
struct Chips {
    channel: ChipChannel,
    /// Their clocks in one of the cores.
    ratio: f64,
    /// Bursts of a line.
    bursts: u64,
    waiting: VecDeque<Request>,
    /// The events that bring what is read, by the tags of requests.
    reads: Slab<Event>,
    /// Requests that they have.
    under_way: u32,
}

/// The tag of a request that nothing waits for.
const WRITE: u32 = u32::MAX;

impl Channel {
    pub(super) fn new(config: &Config) -> Self {
        let kind = match &config.dram.chips {
            Some(chips) => Kind::Chips(Box::new(Chips::new(chips, config.machine.clock_mhz))),
            None => Kind::Banks(BankChannel::new(&config.dram)),
        };
        Self { kind, awake: false }
    }

    /// Transfers of lines whose row was open.
    pub(super) fn row_hits(&self) -> u64 {
        match &self.kind {
            Kind::Banks(banks) => banks.row_hits,
            Kind::Chips(chips) => {
                let counts = chips.channel.counts;
                ((counts.reads + counts.writes) / chips.bursts).saturating_sub(counts.activations)
            }
        }
    }
}

impl Chips {
    fn new(config: &ChipsConfig, core_mhz: f64) -> Self {
        Self {
            channel: ChipChannel::new(config),
            ratio: config.clock_mhz / core_mhz,
            bursts: (LINE as u64).div_ceil(u64::from(config.burst_bytes)),
            waiting: VecDeque::new(),
            reads: Slab::new(),
            under_way: 0,
        }
    }

    /// The clock of the chips at the beginning of a clock of the cores.
    fn at(&self, clock: u64) -> u64 {
        (clock as f64 * self.ratio) as u64
    }

    /// Takes a transfer of the rest of an address.
    fn push(&mut self, transfer: Transfer, rest: u64) {
        let tag = transfer.then.map_or(WRITE, |then| self.reads.insert(then) as u32);
        self.waiting.push_back(Request {
            tag,
            address: u64::from(transfer.line) * LINE as u64,
            place: Row::of(rest),
            bytes: LINE as u32,
            is_write: transfer.then.is_none(),
        });
    }

    /// The clocks of the chips in a clock of the cores; `filled` gets the events of the lines that have come.
    fn clock(&mut self, now: u64, mut filled: impl FnMut(Event)) {
        let end = self.at(now + 1);
        while self.channel.now() < end {
            if !self.channel.is_full()
                && let Some(request) = self.waiting.pop_front()
            {
                self.under_way += 1;
                self.channel.push(request);
            }
            let written = self.channel.clock();
            self.under_way -= u32::from(written.is_some());
            if let Some(answer) = self.channel.answer() {
                filled(self.reads.remove(answer.tag as usize));
                self.channel.take_answer();
                self.under_way -= 1;
            }
        }
    }

    fn is_idle(&self) -> bool {
        self.under_way == 0 && self.waiting.is_empty()
    }
}

impl Shared {
    /// Writes a line to the DRAM of a GPM, or reads it.
    pub fn transfer(&mut self, gpm: u32, transfer: Transfer) {
        let channels = self.config.dram.channels;
        let (at, rest) = match self.config.dram.chips {
            Some(_) => channel_and_rest(channels, u64::from(transfer.line) * LINE as u64),
            None => ((transfer.line ^ (transfer.line / channels)) % channels, 0),
        };
        let now = self.events.now();
        let channel = &mut self.dram[gpm as usize][at as usize];
        let is_queued = match &mut channel.kind {
            Kind::Banks(banks) => banks.push(transfer),
            Kind::Chips(chips) => {
                if !channel.awake {
                    let slept = chips.at(now);
                    chips.channel.sleep_until(slept);
                }
                chips.push(transfer, rest);
                true
            }
        };
        match transfer.then {
            Some(_) => self.statistics.dram.reads += 1,
            None => self.statistics.dram.writes += u64::from(is_queued),
        }
        if !std::mem::replace(&mut channel.awake, true) {
            self.events.at(now, DramEvent::Channel(gpm, at));
        }
    }

    /// Handles an event of [`Unit::DRAM`].
    pub fn handle_dram(&mut self, event: Event) {
        let DramEvent::Channel(gpm, at) = event.into();
        let now = self.events.now();
        let channel = &mut self.dram[gpm as usize][at as usize];
        match &mut channel.kind {
            Kind::Banks(banks) => {
                let Some((transfer, data, again)) = banks.start(now, &self.config.dram) else {
                    channel.awake = false;
                    return;
                };
                channel.awake = !banks.is_idle();
                if channel.awake {
                    self.events.at(again, DramEvent::Channel(gpm, at));
                }
                if let Some(then) = transfer.then {
                    self.events.at(data, then);
                }
            }
            Kind::Chips(chips) => {
                let ready = now + u64::from(self.config.dram.latency);
                chips.clock(now, |then| self.events.at(ready, then));
                channel.awake = !chips.is_idle();
                if channel.awake {
                    self.events.at(now + 1, DramEvent::Channel(gpm, at));
                }
            }
        }
    }
}
