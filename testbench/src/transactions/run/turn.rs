//! What a warp does when it is its turn.

use super::{Begins, Plan, Run};
use crate::transactions::partition::{LogEntry, LogItem, Partition};

impl<P: Partition> Run<'_, P> {
    /// Warps of a core begin new transactions, as many as may.
    pub(super) fn admit(&mut self, core: usize) {
        while let Some(index) = self.cores[core].admit() {
            let awake = self.report.clocks + self.latency();
            let told = self.told(core);
            let Plan { warps, lanes, transactions, .. } = self.plan;
            let place = &mut self.places[index];
            let first = ((transactions - place.left) * warps + index as u64) * lanes;
            let programs =
                (first..first + lanes).map(|number| self.source.program(&mut self.rng, number));
            place.warp.begin(&mut self.history, programs, told);
            place.awake = awake;
            place.admitted = true;
        }
    }

    /// What other warps of a core were told that new transactions have to be later than.
    fn told(&self, core: usize) -> Option<u64> {
        let warps = self.places.iter().skip(core).step_by(self.cores.len());
        match self.plan.begins {
            Begins::AfterWarp => None,
            Begins::AfterCore => warps.filter_map(|place| place.warp.told()).max(),
        }
    }

    /// A warp does what it can in this clock: send its log, or else ask.
    pub(super) fn act(&mut self, index: usize) {
        let place = &mut self.places[index];
        if !place.has_sent_log() {
            for (partition, log) in self.partitions.iter_mut().zip(&mut place.log) {
                if log.front().is_some_and(|item| partition.log(item)) {
                    log.pop_front();
                }
            }
            return;
        }
        let clock = self.report.clocks;
        if place.halts.is_some_and(|halts| halts <= clock) {
            if place.asked.is_empty() {
                self.halt(index);
            }
            return;
        }
        if let Some(next) = place.next_to_ask(self.plan.granule_bytes) {
            let home = self.home(next.access.address);
            let is_taken = self.partitions[home].access(&next.access);
            let place = &mut self.places[index];
            match is_taken {
                true => place.asked.push(next),
                false => place.to_ask.push_front(next),
            }
            return;
        }
        if place.waits_for_loads() || !place.admitted || place.halted || clock < place.awake {
            return;
        }
        if place.ended {
            return self.follow(index);
        }
        let (accesses, aborts) = place.warp.next(&mut self.history);
        place.to_ask.extend(accesses);
        if aborts > 0 {
            *self.report.aborts.entry("LANE").or_default() += aborts;
        }
        if place.to_ask.is_empty() && place.asked.is_empty() {
            place.ended = true;
            let log = place.warp.end(&mut self.history, &mut self.committed);
            self.send(index, log);
        }
    }

    /// A log is to be sent, and its end to every partition that gets some of it.
    fn send(&mut self, index: usize, log: Vec<LogEntry>) {
        for entry in log {
            let home = self.home(entry.address);
            self.places[index].log[home].push_back(LogItem::Entry(entry));
        }
        for log in self.places[index].log.iter_mut().filter(|log| !log.is_empty()) {
            log.push_back(LogItem::End);
        }
    }

    /// Lanes that have aborted start again; if there are none, another warp of the core begins.
    fn follow(&mut self, index: usize) {
        let latency = self.latency();
        let place = &mut self.places[index];
        place.ended = false;
        if !place.warp.has_committed() {
            let pause = place.warp.retry(&mut self.history, &mut self.rng, self.plan.back_off);
            place.awake = self.report.clocks + latency + pause;
            return;
        }
        place.left -= 1;
        place.admitted = false;
        let (core, left) = (index % self.cores.len(), place.left);
        self.cores[core].leaves();
        if left > 0 {
            self.cores[core].waits(index);
        }
        self.admit(core);
    }

    /// A warp aborts what it runs, and starts again when time does.
    pub(super) fn halt(&mut self, index: usize) {
        let place = &mut self.places[index];
        place.halts = None;
        if place.is_running() {
            place.to_ask.clear();
            let (log, running) = place.warp.halted();
            *self.report.aborts.entry("ROLLOVER").or_default() += running;
            self.send(index, log);
        }
        self.places[index].halted = true;
    }
}
