//! DRAM of a GPM: channels with banks, each with one open row; rows that are open go first.

use std::collections::VecDeque;

use super::config::{DramConfig, LINE};

/// A line to be read or written. Reads carry what waits for them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Transfer {
    pub(super) line: u32,
    /// The miss that waits; none for a write.
    pub(super) miss: Option<u32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Bank {
    /// The open row, plus one.
    row: u64,
    free: u64,
    /// When the row may be closed.
    close: u64,
}

/// One channel.
#[derive(Debug)]
pub(super) struct Channel {
    queue: VecDeque<Transfer>,
    banks: Vec<Bank>,
    bus_free: u64,
    /// Clocks that a line takes on the bus, and what is left of a clock.
    burst: f64,
    /// Whether an event will look at the queue.
    pub(super) awake: bool,
    pub(super) row_hits: u64,
    pub(super) transfers: u64,
}

impl Channel {
    pub(super) fn new(config: &DramConfig) -> Self {
        Self {
            queue: VecDeque::new(),
            banks: vec![Bank::default(); config.banks as usize],
            bus_free: 0,
            burst: LINE as f64 / config.bytes_per_clock,
            awake: false,
            row_hits: 0,
            transfers: 0,
        }
    }

    pub(super) fn push(&mut self, transfer: Transfer) {
        self.queue.push_back(transfer);
    }

    pub(super) fn is_idle(&self) -> bool {
        self.queue.is_empty()
    }

    /// Starts a transfer: the oldest of an open row whose bank is free, else the oldest (first
    /// ready, first come, first served). Gives it with the clock of its data, and when to come
    /// again for the next.
    pub(super) fn start(&mut self, now: u64, config: &DramConfig) -> Option<(Transfer, u64, u64)> {
        let lines_per_row = u64::from(config.row_bytes) / LINE as u64;
        let channels = u64::from(config.channels);
        let banks = self.banks.len() as u64;
        let place = |line: u32| {
            let row = u64::from(line) / channels / lines_per_row;
            ((row % banks) as usize, row / banks + 1)
        };
        let open = self.queue.iter().position(|transfer| {
            let (bank, row) = place(transfer.line);
            self.banks[bank].row == row && self.banks[bank].free <= now
        });
        let ready = || {
            let free = |transfer: &Transfer| self.banks[place(transfer.line).0].free <= now;
            self.queue.iter().position(free)
        };
        let at = open.or_else(ready).unwrap_or(0);
        let transfer = self.queue.remove(at)?;
        let (bank, row) = place(transfer.line);
        let bank = &mut self.banks[bank];
        let start = bank.free.max(now);
        let column = if bank.row == row {
            self.row_hits += 1;
            start
        } else {
            let closed = if bank.row == 0 {
                start
            } else {
                start.max(bank.close) + u64::from(config.precharge)
            };
            bank.row = row;
            bank.close = closed + u64::from(config.row_open);
            closed + u64::from(config.activate)
        };
        self.transfers += 1;
        let data = (column + u64::from(config.column)).max(self.bus_free);
        // Fractions of clocks are kept by rounding the busy time of all transfers together.
        let count = self.transfers as f64;
        let burst = (count * self.burst).floor() - ((count - 1.0) * self.burst).floor();
        let end = data + (burst as u64).max(1);
        self.bus_free = end;
        bank.free = column + (burst as u64).max(1);
        // The next may be prepared while this one is on its way.
        let ahead = u64::from(config.column + config.activate + config.precharge);
        let again = (now + 1).max(end.saturating_sub(ahead));
        Some((transfer, end + u64::from(config.latency), again))
    }
}
