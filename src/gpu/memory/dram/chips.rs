//! A channel of DRAM, command by command: each bank has a request, the oldest of its open row or else the oldest; a clock
//! brings a column command of one bank, or a row command.

use std::collections::VecDeque;

use super::addresses::Row;
use crate::config::{ChipsConfig, DramTiming};

/// Rows that may be opened within `faw` clocks.
const ROWS_OF_FAW: usize = 4;

/// What is asked of a channel.
#[derive(Debug, Clone, Copy)]
pub struct Request {
    /// Who asks.
    pub tag: u32,
    /// Its first byte.
    pub address: u64,
    /// Where that is.
    pub place: Row,
    /// How many.
    pub bytes: u32,
    /// Whether they are written.
    pub is_write: bool,
}

/// A bank; times are the clocks from which on it takes commands.
#[derive(Debug, Clone, Default)]
struct Bank {
    request: Option<Request>,
    sent: u32,
    waiting: VecDeque<Request>,
    /// How many have passed the oldest that waits.
    passed: u32,
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
pub struct ChipChannel {
    config: ChipsConfig,
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
    /// When the last rows were opened.
    opened: VecDeque<u64>,
    next_refresh: u64,
    /// For each group of banks the next column command, and the next precharge after a read.
    groups: Vec<[u64; 2]>,
    /// Bursts on the pins, with the clock of their end and the request that ends with them.
    pins: VecDeque<(u64, Option<Request>)>,
    returned: VecDeque<Request>,
    /// What it has done.
    pub counts: Counts,
}

/// Column commands, and rows that were opened for them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counts {
    /// Bursts that were read.
    pub reads: u64,
    /// Bursts that were written.
    pub writes: u64,
    /// Rows that were opened.
    pub activations: u64,
}

impl ChipChannel {
    /// A channel without requests.
    pub fn new(config: &ChipsConfig) -> Self {
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
            opened: VecDeque::new(),
            next_refresh: u64::from(config.timing.refi),
            groups: vec![[0; 2]; bank_groups as usize],
            pins: VecDeque::new(),
            returned: VecDeque::new(),
            counts: Counts::default(),
        }
    }

    /// Whether it takes no request.
    pub fn is_full(&self) -> bool {
        self.pending >= self.config.queue
    }

    /// Takes a request.
    pub fn push(&mut self, request: Request) {
        self.pending += 1;
        self.banks[request.place.bank as usize].waiting.push_back(request);
    }

    /// The oldest answer.
    pub fn answer(&self) -> Option<&Request> {
        self.returned.front()
    }

    /// Drops it.
    pub fn take_answer(&mut self) {
        self.returned.pop_front();
    }

    /// One clock of DRAM; the write that ended in it.
    pub fn clock(&mut self) -> Option<Request> {
        self.now += 1;
        self.refresh();
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

    /// Sleeps until that clock.
    pub fn sleep_until(&mut self, now: u64) {
        self.now = self.now.max(now);
    }

    /// Clocks so far.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Closes all rows for a refresh when one is due.
    fn refresh(&mut self) {
        let DramTiming { refi, rfc, .. } = self.config.timing;
        if refi == 0 || self.now < self.next_refresh {
            return;
        }
        self.next_refresh = self.now + u64::from(refi);
        for bank in &mut self.banks {
            bank.open = None;
            bank.activate = bank.activate.max(self.now + u64::from(rfc));
        }
    }

    fn end_burst(&mut self) -> Option<Request> {
        if self.returned.len() as u32 >= self.config.return_queue {
            return None;
        }
        let (end, _) = self.pins.front()?;
        if *end > self.now {
            return None;
        }
        let request = self.pins.pop_front()?.1?;
        if request.is_write {
            return Some(request);
        }
        self.returned.push_back(request);
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
            let cap = self.config.cap;
            let chosen = open.filter(|_| cap == 0 || bank.passed < cap).unwrap_or(0);
            bank.passed = if chosen == 0 { 0 } else { bank.passed + 1 };
            bank.request = bank.waiting.remove(chosen);
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
        let of_four = match self.opened.front() {
            Some(first) if self.opened.len() == ROWS_OF_FAW => first + u64::from(timing.faw),
            _ => 0,
        };
        match bank.open {
            None if now >= bank.activate.max(self.activate).max(of_four) => {
                bank.open = Some(request.place.row);
                bank.row = bank.open;
                self.activate = now + u64::from(timing.rrd);
                self.opened.push_back(now);
                if self.opened.len() > ROWS_OF_FAW {
                    self.opened.pop_front();
                }
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

#[cfg(test)]
mod tests {
    use super::{ChipChannel, Request, Row};
    use crate::config::{ChipsConfig, Config};

    fn chips(change: impl FnOnce(&mut ChipsConfig)) -> ChipChannel {
        let config = Config::preset("gtx480").expect("a preset");
        let mut chips = config.dram.chips.expect("chips");
        change(&mut chips);
        ChipChannel::new(&chips)
    }

    /// The tags of reads of bank and row in the order of their answers, with the last clock.
    fn order(channel: &mut ChipChannel, reads: &[(u32, u32)]) -> (Vec<u32>, u64) {
        for (&(bank, row), tag) in reads.iter().zip(0..) {
            let place = Row { bank, row };
            channel.push(Request { tag, address: 0, place, bytes: 64, is_write: false });
        }
        let mut tags = Vec::new();
        while tags.len() < reads.len() {
            channel.clock();
            tags.extend(channel.answer().map(|answer| answer.tag));
            channel.take_answer();
        }
        (tags, channel.now)
    }

    #[test]
    fn open_rows_go_first_but_for_the_cap() {
        let reads = [(0, 1), (0, 2), (0, 1), (0, 1), (0, 1)];
        assert_eq!(order(&mut chips(|_| ()), &reads).0, [0, 2, 3, 4, 1]);
        assert_eq!(order(&mut chips(|chips| chips.cap = 2), &reads).0, [0, 2, 3, 1, 4]);
    }

    #[test]
    fn four_rows_are_opened_in_the_clocks_of_faw() {
        let reads = [0, 1, 2, 3, 4].map(|bank| (bank, 7));
        let timing = Config::preset("gtx480").expect("a preset").dram.chips.expect("chips").timing;
        let (_, without) = order(&mut chips(|_| ()), &reads);
        let (_, with) = order(&mut chips(|chips| chips.timing.faw = 200), &reads);
        assert_eq!(with - without, 200 - u64::from(4 * timing.rrd));
    }

    #[test]
    fn a_refresh_closes_rows_and_keeps_them_closed() {
        let refreshed = |chips: &mut ChipsConfig| {
            (chips.timing.refi, chips.timing.rfc) = (300, 100);
        };
        let mut ends = [chips(|_| ()), chips(refreshed)].map(|mut channel| {
            order(&mut channel, &[(0, 7)]);
            channel.sleep_until(299);
            let (_, end) = order(&mut channel, &[(0, 7)]);
            (end, channel.counts.activations)
        });
        ends[1].0 -= ends[0].0;
        assert_eq!(ends.map(|(_, rows)| rows), [1, 2]);
        assert_eq!(ends[1].0, 100 + 12, "rfc and rcd");
    }
}
