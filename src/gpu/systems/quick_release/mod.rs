//! The systems that the QuickRelease paper compares (Hechtman et al., HPCA 2014), on a GPU with one L2 that
//! shares a directory, a memory-side L3 and DRAM with CPUs (figure 2).
//!
//! Without L1, write-through and QuickRelease are one design: the way down of a level is a write cache, or
//! nothing. Links keep order, so a release that follows stores arrives after them. Read-for-ownership is another
//! design, with a room of its own.

mod cpus;
mod directory;
mod l1;
mod l2;
mod levels;
mod message;
mod ownership;
pub mod planted;
mod rtl;
mod s_fifo;
mod variant;
mod write_cache;

use std::ops::Range;

use warpsmith_testbench::verilator::Warning;

use crate::config::Config;
use crate::events;
use crate::memory::planted::{KEEP_L1, OVERTAKE};
use crate::memory::{
    CpuSide, Done, Event, Fabric, MemorySystem, Operation, PlantedError, Planting, RtlError,
    RtlSettings, Seats, Shared, Traffic, Unit, fabric_with_directory, take,
};
use cpus::Front;
use directory::L3;
use l1::L1;
use l2::L2;
use levels::Level;
use message::{Kind, Message};
use variant::Variant;

pub use ownership::READ_FOR_OWNERSHIP;
pub use variant::{NO_L1, QUICK_RELEASE, WRITE_THROUGH};

events! {
    /// Events of the system.
    enum SystemEvent of Unit::SYSTEM;
    /// A message arrives.
    Arrive(message),
    /// A bank serves a message.
    Serve(message),
    /// A line has come from DRAM for a miss.
    Filled(miss),
    /// A clock of the blocks of a level.
    Clock(level),
}

/// The caches, write caches and messages of a machine.
#[derive(Debug)]
struct QuickRelease {
    variant: Variant,
    fabric: Fabric<Message>,
    l1: Vec<L1>,
    l2: L2,
    front: Front,
    l3: L3,
    /// The ways down: of each core's L1, of the L2, of the directory.
    levels: Vec<Level>,
    planted: Planting,
}

impl QuickRelease {
    fn boxed(config: &Config, variant: Variant) -> Box<dyn MemorySystem> {
        let cores = config.machine.cores();
        Box::new(Self {
            variant,
            fabric: fabric_with_directory(config, |message| SystemEvent::Arrive(message).into()),
            l1: (0..cores).map(|_| L1::new(config)).collect(),
            l2: L2::new(config),
            front: Front::default(),
            l3: L3::new(config),
            levels: (0..cores + 2).map(|at| Level::new(config, variant, at)).collect(),
            planted: Planting::default(),
        })
    }

    /// A warp acquires: what its L1 has may be stale, unless copies are invalidated.
    fn acquire(&mut self, shared: &mut Shared, core: u32, warp: u32) {
        shared.statistics.coherence.acquires += 1;
        if !self.planted.errs(KEEP_L1) {
            self.empty_l1(shared, core);
        }
        shared.done.push(Done::Synchronised { core, warp });
    }

    /// Invalidates an L1 whose copies nobody invalidates; lines in flight are not kept.
    fn empty_l1(&mut self, shared: &mut Shared, core: u32) {
        let emptied = shared.statistics.coherence.emptied_lines.get_or_insert(0);
        if !self.variant.combines {
            let l1 = &mut self.l1[core as usize];
            *emptied += l1.cache.drop_where(|_| true);
            l1.misses.detach_where(|_| true);
        }
    }
}

impl MemorySystem for QuickRelease {
    fn ready(&self, _: &Shared, core: u32) -> Option<u64> {
        self.l1[core as usize].intake.ready().map(|free| free.max(self.fabric.core_ready(core)))
    }

    fn submit(&mut self, shared: &mut Shared, core: u32, operation: Operation) -> Option<u64> {
        take(self, shared, core, operation)
    }

    fn cpus(&mut self) -> Option<&mut dyn CpuSide> {
        Some(self)
    }

    fn handle(&mut self, shared: &mut Shared, event: Event) {
        match event.into() {
            SystemEvent::Arrive(message) => self.arrive(shared, message),
            SystemEvent::Serve(message) => self.serve(shared, message),
            SystemEvent::Filled(miss) => self.filled(shared, miss),
            SystemEvent::Clock(level) => self.clock_level(shared, level),
        }
    }

    /// The beginning of a launch is an acquire (2.4.1).
    fn begin_launch(&mut self, shared: &mut Shared) {
        (0..self.l1.len() as u32).for_each(|core| self.empty_l1(shared, core));
    }

    /// The end of a launch is a release of every core (3.1.3).
    fn end_launch(&mut self, shared: &mut Shared) {
        for core in 0..self.l1.len() as u32 {
            let push = Message::new(Kind::Release { needs_ack: false }, core, 0);
            self.request(shared, core, push);
        }
    }

    fn forget(&mut self, lines: Range<u32>) {
        for cache in self.l1.iter_mut().map(|l1| &mut l1.cache).chain([&mut self.l2.cache]) {
            cache.drop_where(|line| lines.contains(&line));
        }
        self.l3.forget(&lines);
    }

    fn traffic(&self, shared: &Shared) -> Traffic {
        self.fabric.traffic(shared)
    }

    fn plant(&mut self, error: PlantedError) {
        self.planted.plant(error);
        self.fabric.overtakes = error == OVERTAKE;
        self.levels.iter_mut().for_each(|level| level.write_cache.plant(error));
    }

    fn seats(&mut self) -> Option<&mut dyn Seats> {
        Some(self)
    }
}

impl Seats for QuickRelease {
    fn use_rtl(
        &mut self,
        config: &Config,
        settings: &RtlSettings,
        chosen: &[bool],
    ) -> Result<Vec<Warning>, RtlError> {
        rtl::put(&mut self.levels, config, settings, chosen)
    }

    fn compared(&self) -> u64 {
        self.levels.iter().map(|level| level.write_cache.compared()).sum()
    }
}

impl CpuSide for QuickRelease {
    fn submit_of_cpu(&mut self, shared: &mut Shared, access: u32) {
        self.request_of_cpu(shared, access);
    }
}
