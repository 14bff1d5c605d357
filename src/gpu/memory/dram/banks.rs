//! A channel with banks, each with one open row; rows that are open go first. A write to a line that
//! still waits to be written joins it, as in the write queue of gem5's controller.
//! Only so many may pass the oldest: warps that spin on a line keep its row open, and would keep all
//! others waiting (Mutlu and Moscibroda, MICRO 2007: FR-FCFS with a cap).

use std::collections::{HashSet, VecDeque};
use std::hash::BuildHasherDefault;

use super::Transfer;
use crate::config::{DramConfig, LINE};
use crate::memory::misses::LineHasher;

/// Transfers that may pass the oldest: more than an open row brings unless something spins.
const PASSING: u32 = 64;

/// A transfer that waits for its bank and row.
#[derive(Debug, Clone, Copy)]
struct Queued {
    transfer: Transfer,
    bank: u32,
    /// Its row, plus one.
    row: u64,
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
pub(super) struct BankChannel {
    queue: VecDeque<Queued>,
    /// How many have passed the oldest.
    passed: u32,
    /// Lines that wait to be written.
    writes: HashSet<u32, BuildHasherDefault<LineHasher>>,
    banks: Vec<Bank>,
    /// Lines that lie in one row of this channel, with those between them in other channels.
    lines_per_row: u64,
    bus_free: u64,
    /// Clocks that a line takes on the bus, and what is left of a clock.
    burst: f64,
    pub(super) row_hits: u64,
    transfers: u64,
}

impl BankChannel {
    pub(super) fn new(config: &DramConfig) -> Self {
        Self {
            queue: VecDeque::new(),
            passed: 0,
            writes: HashSet::default(),
            lines_per_row: u64::from(config.channels) * u64::from(config.row_bytes) / LINE as u64,
            banks: vec![Bank::default(); config.banks as usize],
            bus_free: 0,
            burst: LINE as f64 / config.bytes_per_clock,
            row_hits: 0,
            transfers: 0,
        }
    }

    /// Queues a transfer; false if a write has joined one that waits.
    pub(super) fn push(&mut self, transfer: Transfer) -> bool {
        if transfer.then.is_none() && !self.writes.insert(transfer.line) {
            return false;
        }
        let row = u64::from(transfer.line) / self.lines_per_row;
        let banks = self.banks.len() as u64;
        let (bank, row) = ((row % banks) as u32, row / banks + 1);
        self.queue.push_back(Queued { transfer, bank, row });
        true
    }

    pub(super) fn is_idle(&self) -> bool {
        self.queue.is_empty()
    }

    /// Starts a transfer: the oldest of an open row whose bank is free, else the oldest (first ready,
    /// first come, first served), which is served in any case when enough have passed it. Returns it with
    /// the clock of its data, and when the next can start.
    pub(super) fn start(&mut self, now: u64, config: &DramConfig) -> Option<(Transfer, u64, u64)> {
        let mut ready = None;
        let mut open = None;
        for (at, queued) in self.queue.iter().enumerate() {
            let bank = &self.banks[queued.bank as usize];
            if bank.free > now {
                continue;
            }
            if bank.row == queued.row {
                open = Some(at);
                break;
            }
            ready = ready.or(Some(at));
        }
        let chosen = open.or(ready).filter(|_| self.passed < PASSING).unwrap_or(0);
        self.passed = if chosen == 0 { 0 } else { self.passed + 1 };
        let Queued { transfer, bank, row } = self.queue.remove(chosen)?;
        if transfer.then.is_none() {
            self.writes.remove(&transfer.line);
        }
        let bank = &mut self.banks[bank as usize];
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

#[cfg(test)]
mod tests {
    use super::{BankChannel, PASSING, Transfer};
    use crate::config::Config;
    use crate::memory::{Event, Unit};

    const EVENT: Event = Event { unit: Unit::SYSTEM, kind: 0, numbers: [0; 2] };

    #[test]
    fn open_rows_go_first_and_writes_to_a_line_that_waits_join() {
        let config = Config::preset("hmg_4x4").expect("a preset").dram;
        let mut channel = BankChannel::new(&config);
        let row = config.channels * config.row_bytes / 128;
        let read = |line| Transfer::read(line, EVENT);
        let write = Transfer::write;
        // Rows of one bank are 16 rows apart; the second read opens another row of it.
        let far = 16 * row;
        let joined = [read(0), read(far), write(1), write(1), read(1), write(far)];
        let joined = joined.map(|transfer| channel.push(transfer));
        assert_eq!(joined, [true, true, true, false, true, true]);
        let mut now = 0;
        let mut order = Vec::new();
        while let Some((transfer, _, again)) = channel.start(now, &config) {
            order.push((transfer.line, transfer.then.is_some()));
            now = again + 100;
        }
        assert_eq!(order, [(0, true), (1, false), (1, true), (far, true), (far, false)]);
        assert_eq!(channel.row_hits, 3);
        assert!(channel.push(write(1)), "the one before it has gone");
    }

    #[test]
    fn a_line_that_is_written_all_the_time_does_not_keep_others_waiting() {
        let config = Config::preset("hmg_4x4").expect("a preset").dram;
        let mut channel = BankChannel::new(&config);
        let far = 16 * config.channels * config.row_bytes / 128;
        let (mut now, mut read_at) = (0, None);
        for count in 0..200 {
            channel.push(Transfer::write(0));
            if count == 10 {
                channel.push(Transfer::read(far, EVENT));
            }
            channel.push(Transfer::write(1));
            let (transfer, _, again) = channel.start(now, &config).expect("something waits");
            if transfer.then.is_some() {
                read_at = Some(count);
            }
            now = again + 100;
        }
        assert!(read_at.is_some_and(|at| at <= 10 + 1 + PASSING), "{read_at:?}");
    }
}
