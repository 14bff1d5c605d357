//! The actions of a warp in its turn.

use super::{Begins, Plan, Run};
use crate::transactions::partition::{LogEntry, LogItem, Partition};

impl<P: Partition> Run<'_, P> {
    /// Lets warps of a core begin new transactions, up to the limit.
    pub(super) fn admit(&mut self, core: usize) {
        while let Some(index) = self.cores[core].admit() {
            let awake = self.report.clocks + self.latency();
            let told = self.told(core);
            let Plan { warps, lanes, transactions, .. } = self.plan;
            let slot = &mut self.slots[index];
            let first = ((transactions - slot.left) * warps + index as u64) * lanes;
            let programs =
                (first..first + lanes).map(|number| self.source.program(&mut self.rng, number));
            slot.warp.begin(&mut self.history, programs, told);
            slot.awake = awake;
            slot.admitted = true;
        }
    }

    /// The latest time told to other warps of the core.
    fn told(&self, core: usize) -> Option<u64> {
        let warps = self.slots.iter().skip(core).step_by(self.cores.len());
        match self.plan.begins {
            Begins::AfterWarp => None,
            Begins::AfterCore => warps.filter_map(|slot| slot.warp.told()).max(),
        }
    }

    /// A warp's actions in one clock: it sends its log, or else issues accesses.
    pub(super) fn act(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        if !slot.has_sent_log() {
            for (partition, log) in self.partitions.iter_mut().zip(&mut slot.log) {
                if log.front().is_some_and(|item| partition.log(item)) {
                    log.pop_front();
                }
            }
            return;
        }
        let clock = self.report.clocks;
        if slot.halts.is_some_and(|halts| halts <= clock) {
            if slot.asked.is_empty() {
                self.halt(index);
            }
            return;
        }
        if let Some(next) = slot.next_to_ask(self.plan.granule_bytes) {
            let home = self.home(next.access.address);
            let is_taken = self.partitions[home].access(&next.access);
            let slot = &mut self.slots[index];
            match is_taken {
                true => slot.asked.push(next),
                false => slot.to_ask.push_front(next),
            }
            return;
        }
        if slot.waits_for_loads() || !slot.admitted || slot.halted || clock < slot.awake {
            return;
        }
        if slot.ended {
            return self.follow(index);
        }
        let (accesses, aborts) = slot.warp.next(&mut self.history);
        slot.to_ask.extend(accesses);
        if aborts > 0 {
            *self.report.aborts.entry("LANE").or_default() += aborts;
        }
        if slot.to_ask.is_empty() && slot.asked.is_empty() {
            slot.ended = true;
            let log = slot.warp.end(&mut self.history, &mut self.committed);
            self.send(index, log);
        }
    }

    /// Queues a log, with its end for each partition involved.
    fn send(&mut self, index: usize, log: Vec<LogEntry>) {
        for entry in log {
            let home = self.home(entry.address);
            self.slots[index].log[home].push_back(LogItem::Entry(entry));
        }
        for log in self.slots[index].log.iter_mut().filter(|log| !log.is_empty()) {
            log.push_back(LogItem::End);
        }
    }

    /// Restarts aborted lanes; if there are none, another warp of the core begins.
    fn follow(&mut self, index: usize) {
        let latency = self.latency();
        let slot = &mut self.slots[index];
        slot.ended = false;
        if !slot.warp.has_committed() {
            let pause = slot.warp.retry(&mut self.history, &mut self.rng, self.plan.back_off);
            slot.awake = self.report.clocks + latency + pause;
            return;
        }
        slot.left -= 1;
        slot.admitted = false;
        let (core, left) = (index % self.cores.len(), slot.left);
        self.cores[core].leaves();
        if left > 0 {
            self.cores[core].waits(index);
        }
        self.admit(core);
    }

    /// Aborts a warp's transactions until time begins again.
    pub(super) fn halt(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        slot.halts = None;
        if slot.is_running() {
            slot.to_ask.clear();
            let (log, running) = slot.warp.halted();
            *self.report.aborts.entry("ROLLOVER").or_default() += running;
            self.send(index, log);
        }
        self.slots[index].halted = true;
    }
}
