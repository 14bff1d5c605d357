//! Commit by locks (6.2.2), to compare with. The thesis gives no detail; here, every wavefront takes its entries in order:
//! it swaps the lock of an entry's line until it holds it, reads the line's depths, writes depths and data of what wins,
//! waits for both, and releases the lock.

use std::collections::{HashMap, HashSet, VecDeque};

use super::log::log_line;
use super::message::{Kind, Message};
use super::{Gpudet, SystemEvent};
use crate::config::{Granularity, LINE};
use crate::memory::{Bytes, Shared};

/// Locks in a line: a word for each line of memory.
const LOCKS_IN_LINE: u32 = 32;
/// Bytes of a lock.
const WORD: u32 = 4;
/// The first line of locks.
const LOCKS: u32 = 3 << 28;

/// A step of a commit of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// A swap of the lock; its answer says whether the lock has been taken.
    Swap {
        is_taken: bool,
    },
    ReadDepths,
    WriteDepths,
    WriteData(Bytes),
    /// It is not answered.
    Release,
}

impl Step {
    /// Bytes of its message behind the header.
    pub fn bytes(self, is_request: bool) -> u32 {
        let line = LINE as u32;
        match (self, is_request) {
            (Self::Swap { .. }, _) => WORD,
            (Self::ReadDepths, false) | (Self::WriteDepths, true) => line,
            (Self::WriteData(bytes), true) => line / 8 + bytes.count_ones(),
            (Self::Release, true) => WORD,
            _ => 0,
        }
    }
}

/// Locks and depths of lines, and how far wavefronts are.
#[derive(Debug, Default)]
pub(super) struct Locks {
    held: HashSet<u32>,
    /// Depths of words or bytes, by line; others are the largest.
    depths: HashMap<u32, Vec<i64>>,
    /// By core: wavefronts with their next steps.
    queues: Vec<VecDeque<(usize, Step)>>,
    /// Cores that have an event to send.
    sends: Vec<bool>,
    /// By wavefront: its entry, and lines and writes that it waits for.
    progress: Vec<Progress>,
}

#[derive(Debug, Default, Clone)]
struct Progress {
    entry: usize,
    awaits: u32,
}

/// The line of a line's lock.
pub(super) fn lock_line(line: u32) -> u32 {
    LOCKS + line / LOCKS_IN_LINE
}

impl Locks {
    /// A swap finds the lock free.
    pub fn swap(&mut self, line: u32) -> bool {
        self.held.insert(line)
    }

    pub fn release(&mut self, line: u32) {
        self.held.remove(&line);
    }

    /// All depths are the largest.
    pub fn clear(&mut self) {
        self.depths.clear();
    }

    /// The bytes of an entry that win, whose depths are changed. The smallest wins; of equal ones, the later.
    fn win(&mut self, line: u32, bytes: Bytes, depth: i64, granularity: Granularity) -> Bytes {
        let width = match granularity {
            Granularity::Word => 4,
            Granularity::Byte => 1,
        };
        let depths = self.depths.entry(line).or_insert_with(|| vec![i64::MAX; LINE / width]);
        let mut won = 0;
        for (at, held) in depths.iter_mut().enumerate() {
            let own = bytes & (((1 << width) - 1) << (at * width));
            if own != 0 && depth <= *held {
                *held = depth;
                won |= own;
            }
        }
        won
    }
}

impl Gpudet {
    /// All wavefronts begin with their first entries, when their logs are in the L1.
    pub(super) fn begin_locks(&mut self, shared: &mut Shared) {
        let (wavefronts, cores) = (self.wavefronts.len(), self.l1.len());
        self.locks.progress = vec![Progress::default(); wavefronts];
        self.locks.queues.resize_with(cores, VecDeque::new);
        self.locks.sends.resize(cores, false);
        for index in 0..wavefronts {
            let core = self.place(index).0;
            let log = &self.wavefronts[index].log;
            if log.entries.is_empty() {
                continue;
            }
            let cache = &self.l1[core as usize].cache;
            let lines = log.lines().map(|number| log_line(index, number));
            let missing: Vec<_> = lines.filter(|line| cache.find(*line).is_none()).collect();
            self.locks.progress[index].awaits = missing.len() as u32;
            self.counts.fetched_lines += missing.len() as u64;
            if missing.is_empty() {
                self.next_step(shared, index, Step::Swap { is_taken: false });
            }
            for line in missing {
                self.request(shared, core, line, Kind::Fetch { access: None }, [0; LINE]);
            }
        }
    }

    /// A line of a wavefront's log has come, or one of its writes is done.
    pub(super) fn awaited(&mut self, shared: &mut Shared, index: usize, next: Step) {
        let progress = &mut self.locks.progress[index];
        progress.awaits -= 1;
        if progress.awaits == 0 {
            self.next_step(shared, index, next);
        }
    }

    /// A wavefront's step waits for the core's port.
    fn next_step(&mut self, shared: &mut Shared, index: usize, step: Step) {
        let core = self.place(index).0;
        self.locks.queues[core as usize].push_back((index, step));
        self.send_step_later(shared, core);
    }

    fn send_step_later(&mut self, shared: &mut Shared, core: u32) {
        let waits = !self.locks.queues[core as usize].is_empty();
        if waits && !std::mem::replace(&mut self.locks.sends[core as usize], true) {
            let at = (shared.events.now() + 1).max(self.fabric.core_ready(core));
            shared.events.at(at, SystemEvent::Send(core));
        }
    }

    /// A core sends the next step of a wavefront.
    pub(super) fn send_step(&mut self, shared: &mut Shared, core: u32) {
        self.locks.sends[core as usize] = false;
        if let Some((index, step)) = self.locks.queues[core as usize].pop_front() {
            let entry = &self.wavefronts[index].log.entries[self.locks.progress[index].entry];
            let (line, data) = (entry.line, entry.data);
            self.unacknowledged += 1;
            self.counts.lock_swaps += u64::from(matches!(step, Step::Swap { .. }));
            let kind = Kind::Locked { wavefront: index as u32, step };
            self.request(shared, core, line, kind, data);
            if step == Step::Release {
                self.unsent -= 1;
                self.locks.progress[index].entry += 1;
                if self.locks.progress[index].entry < self.wavefronts[index].log.entries.len() {
                    self.next_step(shared, index, Step::Swap { is_taken: false });
                }
            }
        }
        self.send_step_later(shared, core);
    }

    /// A step has its answer.
    pub(super) fn step_done(&mut self, shared: &mut Shared, index: usize, step: Step) {
        self.unacknowledged -= 1;
        match step {
            Step::Swap { is_taken: false } => self.next_step(shared, index, step),
            Step::Swap { is_taken: true } => self.next_step(shared, index, Step::ReadDepths),
            Step::ReadDepths => {
                let entry = &self.wavefronts[index].log.entries[self.locks.progress[index].entry];
                let (line, bytes) = (entry.line, entry.bytes);
                let depth = self.z_params.signed(self.depth(index));
                let won = self.locks.win(line, bytes, depth, self.settings.granularity);
                if won == 0 {
                    return self.next_step(shared, index, Step::Release);
                }
                self.locks.progress[index].awaits = 2;
                self.next_step(shared, index, Step::WriteData(won));
                self.next_step(shared, index, Step::WriteDepths);
            }
            Step::WriteDepths | Step::WriteData(_) => self.awaited(shared, index, Step::Release),
            Step::Release => {}
        }
    }

    /// Serves a step at the L2.
    pub(super) fn serve_step(&mut self, shared: &mut Shared, number: u32, step: Step) {
        let Message { line, data, .. } = *self.fabric.get(number);
        match step {
            Step::Swap { .. } => self.look_up_for(shared, lock_line(line), number),
            Step::ReadDepths => {
                let (first, lines) = self.lines_of_depths(line);
                self.look_up_for(shared, first + lines - 1, number);
            }
            Step::WriteDepths => {
                self.write_depths(shared, line);
                self.answer(shared, number);
            }
            Step::WriteData(bytes) => {
                shared.write_line(line, &data, bytes);
                self.written(shared, line, bytes);
                self.answer(shared, number);
            }
            Step::Release => {
                self.locks.release(line);
                self.unacknowledged -= 1;
                self.written(shared, lock_line(line), 0xf);
                self.fabric.end(number);
            }
        }
    }
}
