//! Read-for-ownership: a cache-coherence protocol of CPUs on a GPU (2.4.2). At any time a line has one writer or
//! readers. The directory stands beside the L2 with a full map of the L1s; L1s and L2 are write-back, and below
//! them the memory-side L3 may be written.
//!
//! The directory does one thing about a line at a time; requests for it wait. As stores end when their L1 owns the
//! line, a release waits for the stores of its core, and an acquire has nothing to do. Atomics are done in the L1.

mod cpus;
mod home;
mod l1;
mod message;
mod transaction;

use std::collections::VecDeque;
use std::ops::Range;

use super::directory::L3;
use super::planted::{FORGET_OWNER, KEEP_COPY, LOSE_WRITE_BACK};
use super::variant::with_directory;
use crate::config::Config;
use crate::events;
use crate::machine::planted::{ACQUIRE_DOES_NOTHING, RELEASE_DOES_NOTHING};
use crate::memory::planted::{ATOMICS_STORE_TWICE, DONE_BEFORE_PROBE, OVERTAKE, SKIP_PROBE};
use crate::memory::{
    Bytes, CpuSide, DIRECTORY, Data, Event, Fabric, MemorySystem, Operation, PlantedError,
    Planting, Port, Shared, Traffic, Unit, fabric_with_directory, take,
};
use crate::systems::{Order, System};
use home::Home;
use l1::L1;
use message::{Kind, Message};

/// A line has one writer or readers; stores wait for permission (2.4.2).
pub const READ_FOR_OWNERSHIP: System = System {
    errors: &[
        OVERTAKE,
        ATOMICS_STORE_TWICE,
        FORGET_OWNER,
        KEEP_COPY,
        LOSE_WRITE_BACK,
        SKIP_PROBE,
        DONE_BEFORE_PROBE,
    ],
    unseen: &[RELEASE_DOES_NOTHING, ACQUIRE_DOES_NOTHING, LOSE_WRITE_BACK],
    cpus: true,
    fits: with_directory,
    small: "small_apu",
    order: Order::Core,
    ..System::new(
        "read-for-ownership",
        "a directory; stores wait until their L1 owns the line (QuickRelease, section 2.4.2)",
        Ownership::boxed,
    )
};

events! {
    /// Events of the system.
    enum SystemEvent of Unit::SYSTEM;
    /// A message arrives.
    Arrive(message),
    /// A bank serves a message.
    Serve(message),
    /// A line has come from DRAM for a miss.
    Filled(miss),
    /// With a planted error, a result is stored a second time.
    StoreAgain(unused),
}

/// The caches, the directory and the messages of a machine.
#[derive(Debug)]
struct Ownership {
    fabric: Fabric<Message>,
    l1: Vec<L1>,
    home: Home,
    l3: L3,
    planted: Planting,
    /// Of a planted error: words of atomics that are stored again.
    again: VecDeque<(u32, Data, Bytes)>,
}

/// Longest time in clocks until then.
const AGAIN: u32 = 300;

impl Ownership {
    fn boxed(config: &Config) -> Box<dyn MemorySystem> {
        Box::new(Self {
            fabric: fabric_with_directory(config, |message| SystemEvent::Arrive(message).into()),
            l1: (0..config.machine.cores()).map(|_| L1::new(config)).collect(),
            home: Home::new(config),
            l3: L3::new(config),
            planted: Planting::default(),
            again: VecDeque::new(),
        })
    }

    /// A message that has come to the L3.
    fn at_l3(&mut self, shared: &mut Shared, number: u32) {
        let Message { kind, line, access, bytes, data, .. } = *self.fabric.get(number);
        if kind == Kind::WriteBack {
            shared.write_line(line, &data, bytes);
            self.l3.write_back(shared, line);
            self.fabric.end(number);
        } else if kind == Kind::Access {
            self.fabric.end(number);
            self.probe(shared, line, access);
        } else if kind == Kind::Probed {
            let message = self.fabric.get(number).clone();
            self.fabric.end(number);
            self.probed(shared, &message);
        } else if self.l3.read(shared, line, number) {
            self.answer(shared, number);
        }
    }

    fn answer(&mut self, shared: &mut Shared, number: u32) {
        let packet = self.fabric.get(number);
        (packet.kind, packet.ends) = (Kind::Data, [DIRECTORY, Port::Gpm(0)]);
        packet.data = shared.line(packet.line);
        self.fabric.send(shared, number);
    }
}

impl MemorySystem for Ownership {
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

    fn handle(&mut self, shared: &mut Shared, event: Event) {
        match event.into() {
            SystemEvent::Arrive(number) => match self.fabric.get(number).ends[1] {
                Port::Core(core) => self.at_l1(shared, core, number),
                Port::Gpm(_) => self.at_home(shared, number),
                DIRECTORY => self.at_l3(shared, number),
                // The CPUs.
                Port::Unit(_) => {
                    let access = self.fabric.get(number).access;
                    self.fabric.end(number);
                    shared.answered(access);
                }
            },
            SystemEvent::Serve(number) => self.serve(shared, number),
            SystemEvent::StoreAgain(_) => self.store_again(shared),
            SystemEvent::Filled(miss) => {
                let (_, waiting) = self.l3.filled(shared, miss);
                waiting.into_iter().for_each(|number| self.answer(shared, number));
            }
        }
    }

    /// An owner's data is newer than the L2's.
    fn clean(&mut self, shared: &mut Shared) {
        self.home.l2.clean(|line, data, dirty| shared.write_line(line, data, dirty));
        for l1 in &mut self.l1 {
            l1.cache.clean(|line, data, dirty| shared.write_line(line, data, dirty));
        }
    }

    fn forget(&mut self, lines: Range<u32>) {
        self.l1.iter_mut().for_each(|l1| _ = l1.cache.drop_where(|line| lines.contains(&line)));
        self.home.forget(&lines);
        self.l3.forget(&lines);
    }

    fn traffic(&self, shared: &Shared) -> Traffic {
        self.fabric.traffic(shared)
    }

    fn plant(&mut self, error: PlantedError) {
        self.planted.plant(error);
        self.fabric.overtakes = error == OVERTAKE;
    }
}

impl CpuSide for Ownership {
    fn submit_of_cpu(&mut self, shared: &mut Shared, access: u32) {
        self.request_of_cpu(shared, access);
    }
}
