//! A channel of DRAM, command by command: each bank has a request, the oldest of its open row or else the oldest; a clock
//! brings a column command of one bank, or a row command.

use std::collections::VecDeque;

use super::addresses::Row;
use crate::gpu::config::{DramTiming, SimulatorDram};

/// What a slice asks of DRAM.
#[derive(Debug, Clone, Copy)]
pub(super) struct Transfer {
    /// The slice within its channel.
    pub(super) slice: u32,
    pub(super) address: u64,
    pub(super) place: Row,
    pub(super) bytes: u32,
    pub(super) is_write: bool,
}

/// A bank; times are the clocks from which on it takes commands.
#[derive(Debug, Clone, Default)]
struct Bank {
    request: Option<Transfer>,
    sent: u32,
    waiting: VecDeque<Transfer>,
    open: Option<u32>,
    /// The row opened last.
    row: Option<u32>,
    read: u64,
    write: u64,
    precharge: u64,
    activate: u64,
}

/// A channel.
#[derive(Debug)]
pub(super) struct Channel {
    config: SimulatorDram,
    banks: Vec<Bank>,
    /// Requests that wait for a bank.
    pending: u32,
    first: u32,
    now: u64,
    /// When the bus takes another column command, of any kind or of one kind.
    column: u64,
    read: u64,
    write: u64,
    activate: u64,
    /// For each group of banks the next column command, and the next precharge after a read.
    groups: Vec<[u64; 2]>,
    last_was_write: bool,
    /// Bursts on the pins, with the clock of their end and the request that ends with them.
    pins: VecDeque<(u64, Option<Transfer>)>,
    returned: VecDeque<Transfer>,
    pub(super) counts: Counts,
}

/// Column commands, and those to rows that were open.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) reads: u64,
    pub(super) writes: u64,
    pub(super) activations: u64,
}

impl Channel {
    pub(super) fn new(config: &SimulatorDram) -> Self {
        let DramTiming { banks, bank_groups, .. } = config.timing;
        Self {
            config: config.clone(),
            banks: vec![Bank::default(); banks as usize],
            pending: 0,
            first: 0,
            now: 0,
            column: 0,
            read: 0,
            write: 0,
            activate: 0,
            groups: vec![[0; 2]; bank_groups as usize],
            last_was_write: false,
            pins: VecDeque::new(),
            returned: VecDeque::new(),
            counts: Counts::default(),
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.pending >= self.config.queue
    }

    pub(super) fn push(&mut self, transfer: Transfer) {
        self.pending += 1;
        self.banks[transfer.place.bank as usize].waiting.push_back(transfer);
    }

    /// The oldest answer.
    pub(super) fn answer(&self) -> Option<&Transfer> {
        self.returned.front()
    }

    pub(super) fn take_answer(&mut self) {
        self.returned.pop_front();
    }

    /// One clock of DRAM; the write that ended in it.
    pub(super) fn clock(&mut self) -> Option<Transfer> {
        self.now += 1;
        let ended = self.end_burst();
        self.choose();
        let (from, count) = (self.first, self.banks.len() as u32);
        let turns = (0..count).map(|step| (from + step) % count);
        // One command a clock: a column command of any bank, unless a bank before it has a row command.
        let mut row_issued = false;
        for at in turns {
            if self.banks[at as usize].request.is_none() {
                continue;
            }
            if self.issue_column(at as usize) {
                break;
            }
            row_issued = row_issued || self.issue_row(at as usize);
        }
        ended
    }

    fn end_burst(&mut self) -> Option<Transfer> {
        if self.returned.len() as u32 >= self.config.return_queue {
            return None;
        }
        let (end, _) = self.pins.front()?;
        if *end > self.now {
            return None;
        }
        let transfer = self.pins.pop_front()?.1?;
        if transfer.is_write {
            return Some(transfer);
        }
        self.returned.push_back(transfer);
        None
    }

    /// A bank without a request gets one.
    fn choose(&mut self) {
        let count = self.banks.len() as u32;
        for step in 0..count {
            let bank = &mut self.banks[((self.first + step) % count) as usize];
            if bank.request.is_some() || bank.waiting.is_empty() {
                continue;
            }
            let row = bank.row;
            let open = bank.waiting.iter().position(|it| Some(it.place.row) == row);
            bank.request = bank.waiting.remove(open.unwrap_or(0));
            bank.sent = 0;
            self.pending -= 1;
            self.first = (self.first + 1) % count;
            return;
        }
    }

    fn group(&self, bank: usize) -> usize {
        bank % self.groups.len()
    }

    fn issue_column(&mut self, at: usize) -> bool {
        let group = self.group(at);
        let (now, timing) = (self.now, &self.config.timing);
        let bank = &mut self.banks[at];
        let Some(request) = bank.request else { return false };
        let (own, all) = match request.is_write {
            true => (bank.write, self.write),
            false => (bank.read, self.read),
        };
        let stuck = self.pins.len() > timing.cl as usize;
        let free = own.max(all).max(self.column).max(self.groups[group][0]);
        if bank.open != Some(request.place.row) || now < free || stuck {
            return false;
        }
        let burst = u64::from(self.config.burst);
        let [cl, wl] = [timing.cl, timing.wl].map(u64::from);
        self.column = now + u64::from(timing.ccd);
        self.groups[group][0] = now + u64::from(timing.ccdl);
        let delay = if request.is_write { wl } else { cl };
        if request.is_write {
            if timing.turnaround {
                self.read = now + wl + burst + u64::from(timing.cdlr);
            }
            bank.precharge = bank.precharge.max(now + wl + burst + u64::from(timing.wr));
            self.counts.writes += 1;
        } else {
            if timing.turnaround {
                self.write = now + cl + burst + 2 - wl;
            }
            bank.precharge = bank.precharge.max(now + burst);
            self.groups[group][1] = now + u64::from(timing.rtpl);
            self.counts.reads += 1;
        }
        self.last_was_write = request.is_write;
        bank.sent += self.config.burst_bytes;
        let is_over = bank.sent >= request.bytes;
        let end = self.pins.back().map_or(0, |(end, _)| *end + 1).max(now + delay);
        self.pins.push_back((end, is_over.then_some(request)));
        if is_over {
            bank.request = None;
        }
        true
    }

    fn issue_row(&mut self, at: usize) -> bool {
        let group = self.group(at);
        let (now, timing) = (self.now, &self.config.timing);
        let bank = &mut self.banks[at];
        let Some(request) = bank.request else { return false };
        match bank.open {
            None if now >= bank.activate.max(self.activate) => {
                bank.open = Some(request.place.row);
                bank.row = bank.open;
                self.activate = now + u64::from(timing.rrd);
                bank.read = now + u64::from(timing.rcd);
                bank.write = now + u64::from(timing.rcd - (timing.wl + 1).min(timing.rcd));
                bank.precharge = bank.precharge.max(now + u64::from(timing.ras));
                bank.activate = now + u64::from(timing.rc);
                self.counts.activations += 1;
            }
            Some(row)
                if row != request.place.row && now >= bank.precharge.max(self.groups[group][1]) =>
            {
                bank.open = None;
                bank.activate = bank.activate.max(now + u64::from(timing.rp));
            }
            _ => return false,
        }
        self.first = (at as u32 + 1) % self.banks.len() as u32;
        true
    }
}
