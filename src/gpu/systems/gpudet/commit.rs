//! Commit mode: cores send the entries of their store buffers to the Z-buffer commit units (4.4.2).

use super::locks::Step;
use super::log::{Log, log_line, wavefront_of};
use super::message::{Kind, Message};
use super::planted::{DEPTH_OF_CORE, PRIORITY_REVERSED};
use super::policy::Mode;
use super::units::{Output, Update};
use super::{Gpudet, SystemEvent};
use crate::config::CommitBy;
use crate::memory::Shared;

/// Clocks of a core's L1 for an entry: its data, and its header.
const READS: u64 = 2;

/// The next entry that a core sends.
#[derive(Debug, Default)]
pub(super) struct Sender {
    warp: u32,
    entry: usize,
    /// Lines of the log that the L1 has yet to get.
    awaits: u32,
}

impl Gpudet {
    /// All cores begin to send.
    pub(super) fn begin_commit(&mut self, shared: &mut Shared) {
        self.mode = Mode::Commit;
        let entries = |log: &Log| log.entries.len() as u64;
        self.unsent = self.wavefronts.iter().map(|wavefront| entries(&wavefront.log)).sum();
        self.counts.entries += self.unsent;
        if self.settings.commit == CommitBy::Locks {
            return self.begin_locks(shared);
        }
        for core in 0..self.l1.len() as u32 {
            self.senders[core as usize] = Sender::default();
            self.fetch_log_then_send(shared, core);
        }
    }

    /// A core gets the lines that it lacks of the next wavefront's log, and sends the log's entries.
    fn fetch_log_then_send(&mut self, shared: &mut Shared, core: u32) {
        let first = (core * self.warps_per_core) as usize;
        let sender = &mut self.senders[core as usize];
        let wavefronts = &self.wavefronts[first..][..self.warps_per_core as usize];
        let rest = wavefronts.iter().enumerate().skip(sender.warp as usize);
        let mut rest = rest.filter(|(_, wavefront)| !wavefront.log.entries.is_empty());
        let Some((warp, wavefront)) = rest.next() else { return };
        (sender.warp, sender.entry) = (warp as u32, 0);
        let cache = &self.l1[core as usize].cache;
        let lines = wavefront.log.lines().map(|number| log_line(first + warp, number));
        let missing: Vec<_> = lines.filter(|line| cache.find(*line).is_none()).collect();
        sender.awaits = missing.len() as u32;
        self.counts.fetched_lines += missing.len() as u64;
        if missing.is_empty() {
            shared.events.at(shared.events.now() + READS, SystemEvent::Send(core));
        }
        for line in missing {
            self.request(shared, core, line, Kind::Fetch { access: None }, [0; 128]);
        }
    }

    /// A line of the log has come to the L1 for commit mode.
    pub(super) fn fetched_for_commit(&mut self, shared: &mut Shared, core: u32, line: u32) {
        if self.settings.commit == CommitBy::Locks {
            return self.awaited(shared, wavefront_of(line), Step::Swap { is_taken: false });
        }
        let sender = &mut self.senders[core as usize];
        sender.awaits -= 1;
        if sender.awaits == 0 {
            shared.events.at(shared.events.now() + READS, SystemEvent::Send(core));
        }
    }

    /// A core sends an entry, or a step of one.
    pub(super) fn send_update(&mut self, shared: &mut Shared, core: u32) {
        if self.settings.commit == CommitBy::Locks {
            return self.send_step(shared, core);
        }
        let Sender { warp, entry, .. } = self.senders[core as usize];
        let index = self.index(core, warp);
        let log = &self.wavefronts[index].log;
        let sent = &log.entries[entry];
        let (line, bytes, data) = (sent.line, sent.bytes, sent.data);
        let is_last = entry + 1 == log.entries.len();
        let depth = self.depth(index);
        self.unsent -= 1;
        self.unacknowledged += 1;
        self.request(shared, core, line, Kind::Update { bytes, depth }, data);
        let sender = &mut self.senders[core as usize];
        sender.entry += 1;
        if is_last {
            sender.warp += 1;
            return self.fetch_log_then_send(shared, core);
        }
        let next = (shared.events.now() + READS).max(self.fabric.core_ready(core));
        shared.events.at(next, SystemEvent::Send(core));
    }

    /// The depth of a wavefront's entries: its number - quantum x 2^m.
    pub(super) fn depth(&self, index: usize) -> u64 {
        let number = match () {
            () if self.planted.is(DEPTH_OF_CORE) => index % self.warps_per_core as usize,
            () if self.planted.is(PRIORITY_REVERSED) => self.wavefronts.len() - 1 - index,
            () => index,
        };
        self.z_params.depth_of(number as u64, self.quantum)
    }

    /// A request comes to the unit of its partition.
    pub(super) fn take_update(&mut self, shared: &mut Shared, message: Message) {
        let Message { kind: Kind::Update { bytes, depth }, core, partition, line, data, .. } =
            message
        else {
            return;
        };
        let update = Update { core, line, bytes, depth, data };
        self.units[partition as usize].queue.push_back(update);
        self.clock_unit_later(shared, partition);
    }

    /// The unit of a partition gets a clock, if it has something to do.
    pub(super) fn clock_unit_later(&mut self, shared: &mut Shared, partition: u32) {
        let unit = &mut self.units[partition as usize];
        if unit.is_busy() && !std::mem::replace(&mut unit.clocked, true) {
            shared.events.at(shared.events.now() + 1, SystemEvent::Clock(partition));
        }
    }

    /// A clock of the cores, for the unit of a partition.
    pub(super) fn clock_unit(&mut self, shared: &mut Shared, partition: u32) {
        let unit = &mut self.units[partition as usize];
        unit.clocked = false;
        let outputs = match unit.clock() {
            Ok(outputs) => outputs,
            Err(wrong) => {
                shared.mismatch = Some(wrong);
                return;
            }
        };
        for output in outputs {
            match output {
                Output::Color { entry, line, bytes, data } => {
                    shared.write_line(line, &data, bytes);
                    self.written(shared, line, bytes);
                    self.acknowledge(shared, partition, super::units::Answer::Color(entry));
                }
                Output::Done { core, line } => {
                    let kind = Kind::Update { bytes: 0, depth: 0 };
                    let (is_request, data) = (false, [0; 128]);
                    let message = Message { kind, is_request, core, partition, line, data };
                    self.fabric.send_new(shared, message);
                }
                Output::ReadDepths { entry, line } => {
                    self.read_depths(shared, partition, entry, line);
                }
                Output::WriteDepths { entry, line } => {
                    self.write_depths(shared, line);
                    self.acknowledge(shared, partition, super::units::Answer::Written(entry));
                }
                Output::Cleared => {
                    self.acknowledge(shared, partition, super::units::Answer::Cleared);
                }
                Output::Reset => self.resets -= 1,
            }
        }
        self.clock_unit_later(shared, partition);
    }

    /// The L2 answers a unit, if that is a circuit: a reference waits for nothing.
    fn acknowledge(&mut self, shared: &mut Shared, partition: u32, answer: super::units::Answer) {
        let unit = &mut self.units[partition as usize];
        if unit.is_circuit {
            let number = unit.answers.insert(answer) as u32;
            let at = shared.events.now() + super::l2::BANK_CLOCKS;
            shared.events.at(at, SystemEvent::Answer(partition, number));
        }
    }

    /// An answer of the L2 has come to a unit.
    pub(super) fn answer_unit(&mut self, shared: &mut Shared, partition: u32, number: u32) {
        self.units[partition as usize].answered(number);
        self.clock_unit_later(shared, partition);
    }

    /// The quantum's number has rolled over: every unit resets its Z-buffer.
    pub(super) fn reset_units(&mut self, shared: &mut Shared) {
        self.locks.clear();
        self.resets = self.units.len() as u32;
        for partition in 0..self.units.len() as u32 {
            self.units[partition as usize].reset();
            self.clock_unit_later(shared, partition);
        }
    }
}
