//! The release-consistency-directed protocols of the Primer (Nagarajan et al., "A Primer on Memory Consistency and
//! Cache Coherence", second edition, section 10.1.4). The page beside this file has their tables.

mod cpus;
mod l1;
mod l2;
mod message;
pub mod planted;
mod protocol;
#[cfg(test)]
mod timelines;
mod variant;

use std::collections::VecDeque;
use std::ops::Range;

use crate::config::Config;
use crate::events;
use crate::isa::AccessKind;
use crate::memory::planted::{KEEP_L1, OVERTAKE};
use crate::memory::{
    Bytes, CpuSide, Data, Done, Event, Fabric, Intake, MemorySystem, Operation, PlantedError,
    Planting, Shared, Takes, Traffic, Unit, fabric_with_directory, go_on, take,
};
use l1::{L1, Release};
use l2::L2;
use message::{Kind, Message};
use protocol::{Event as Of, Protocol, State};

pub use variant::{ALL, BASE, LAZY, OWNERSHIP};

events! {
    /// Events of the system.
    enum SystemEvent of Unit::SYSTEM;
    /// A message arrives.
    Arrive(message),
    /// A bank serves a message.
    Serve(message),
    /// A line has come from DRAM.
    Filled(line),
    /// With a planted error, a result is stored a second time.
    StoreAgain(unused),
}

/// The caches and the messages of a machine.
#[derive(Debug)]
struct ReleaseConsistency {
    protocol: Protocol,
    is_scoped: bool,
    fabric: Fabric<Message>,
    l1: Vec<L1>,
    l2: L2,
    planted: Planting,
    /// Of a planted error: words of atomics that are stored again.
    again: VecDeque<(u32, Data, Bytes)>,
}

impl ReleaseConsistency {
    fn new(config: &Config, protocol: Protocol, is_scoped: bool) -> Self {
        Self {
            protocol,
            is_scoped,
            fabric: fabric_with_directory(config, |message| SystemEvent::Arrive(message).into()),
            l1: (0..config.machine.cores()).map(|_| L1::new(config)).collect(),
            l2: L2::new(config),
            planted: Planting::default(),
            again: VecDeque::new(),
        }
    }

    /// A release whose stores have been performed.
    fn release(&mut self, shared: &mut Shared, core: u32, release: Release) {
        let Release { warp, flush } = release;
        if flush {
            self.flush(shared, core);
            let mark = Message::up(Kind::Mark, core, 0);
            return self.fabric.send_new(shared, Message { token: warp, ..mark });
        }
        shared.done.push(Done::Synchronised { core, warp });
    }

    /// A warp acquires: its L1 is emptied, unless it has read a release of its own core.
    fn acquire(&mut self, shared: &mut Shared, core: u32, warp: u32) {
        shared.statistics.coherence.acquires += 1;
        let acquired = self.l1[core as usize].acquired[warp as usize].take();
        let is_known = acquired.is_some_and(|(_, is_known)| is_known);
        let invalidates =
            self.protocol.row(State::V, Of::Acquire).is_some_and(|row| row.invalidate);
        if invalidates && !is_known && !self.planted.errs(KEEP_L1) {
            self.empty(shared, core, acquired.map(|(line, _)| line));
        }
        shared.done.push(Done::Synchronised { core, warp });
    }

    /// A message has come to a core.
    fn at_core(&mut self, shared: &mut Shared, core: u32, number: u32) {
        let Message { kind, line, token, data, .. } = *self.fabric.get(number);
        self.fabric.end(number);
        match kind {
            Kind::Data { is_owned } => self.line_for_l1(shared, core, line, &data, is_owned),
            Kind::AtomicDone => shared.answered(token),
            Kind::Ack => shared.done.push(Done::Synchronised { core, warp: token }),
            Kind::RequestWriteBack => self.requested(shared, core, line),
            _ => {}
        }
        go_on(self, shared, core);
    }
}

impl Takes for ReleaseConsistency {
    fn intake(&mut self, core: u32) -> &mut Intake {
        &mut self.l1[core as usize].intake
    }

    fn line(&mut self, shared: &mut Shared, access: u32, line: u32, lanes: u32) -> bool {
        self.access(shared, access, line, lanes)
    }

    fn synchronise(&mut self, shared: &mut Shared, core: u32, operation: Operation) {
        match operation {
            Operation::Release { warp, of, .. } => {
                shared.statistics.coherence.releases += 1;
                let of = of.map(|access| shared.accesses.get(access).access.kind);
                let flush = match of {
                    Some(AccessKind::Store) => {
                        self.protocol.row(State::V, Of::Release).is_some_and(|row| row.flush)
                    }
                    _ => self.protocol.fence_flushes,
                };
                let release = self.l1[core as usize].writes.wait(Release { warp, flush });
                if let Some(release) = release {
                    self.release(shared, core, release);
                }
            }
            Operation::Acquire { warp, .. } => self.acquire(shared, core, warp),
            Operation::Access(_) => {}
        }
    }
}

impl MemorySystem for ReleaseConsistency {
    fn ready(&self, _: &Shared, core: u32) -> Option<u64> {
        self.l1[core as usize].intake.ready().map(|free| free.max(self.fabric.core_ready(core)))
    }

    fn submit(&mut self, shared: &mut Shared, core: u32, operation: Operation) -> Option<u64> {
        take(self, shared, core, operation)
    }

    fn cpus(&mut self) -> Option<&mut dyn CpuSide> {
        Some(self)
    }

    fn acknowledges_stores(&self) -> bool {
        true
    }

    fn is_scoped(&self) -> bool {
        self.is_scoped
    }

    fn handle(&mut self, shared: &mut Shared, event: Event) {
        match event.into() {
            SystemEvent::Arrive(number) => self.arrive(shared, number),
            SystemEvent::Serve(number) => self.serve(shared, number),
            SystemEvent::StoreAgain(_) => self.store_again(shared),
            SystemEvent::Filled(line) => self.filled(shared, line),
        }
    }

    fn begin_launch(&mut self, shared: &mut Shared) {
        (0..self.l1.len() as u32).for_each(|core| self.empty(shared, core, None));
    }

    fn end_launch(&mut self, shared: &mut Shared) {
        (0..self.l1.len() as u32).for_each(|core| self.flush(shared, core));
    }

    /// What an L1 has of a line is newer than what the L2 has.
    fn clean(&mut self, shared: &mut Shared) {
        let l2 = &mut self.l2.cache;
        l2.clean(|line, data, dirty| shared.write_line(line, data, dirty));
        for l1 in &mut self.l1 {
            l1.cache.clean(|line, data, dirty| {
                shared.write_line(line, data, dirty);
                l2.update(line, data, dirty);
            });
        }
    }

    fn forget(&mut self, lines: Range<u32>) {
        self.l1.iter_mut().for_each(|l1| _ = l1.cache.drop_where(|line| lines.contains(&line)));
        self.l2.forget(&lines);
    }

    fn traffic(&self, shared: &Shared) -> Traffic {
        self.fabric.traffic(shared)
    }

    fn plant(&mut self, error: PlantedError) {
        self.planted.plant(error);
        self.fabric.overtakes = error == OVERTAKE;
    }
}

impl CpuSide for ReleaseConsistency {
    fn submit_of_cpu(&mut self, shared: &mut Shared, access: u32) {
        self.request_of_cpu(shared, access);
    }
}
