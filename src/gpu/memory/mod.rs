//! Memory behind the cores: the trait of a memory system, and the parts that systems are made of.
//!
//! The cores, the random tester and the litmus tests know [`MemorySystem`] and [`Shared`] only. The
//! systems themselves are in [`super::systems`], a room each.

mod access;
mod banks;
mod cache;
mod capabilities;
mod cpu_side;
mod device;
mod dram;
mod events;
mod fabric;
mod flat;
mod heap;
mod history;
mod homes;
mod intake;
mod misses;
pub mod planted;
mod policy;
mod rtl;
mod shared;
mod statistics;
mod system;
mod transactions;
mod writes;

use std::fmt::Debug;
use std::ops::Range;

use super::config::LINE;
use super::isa::Scope;

pub use access::{Accesses, Pending, extract, gather, next_line, perform, perform_alone};
pub use banks::Banks;
pub use cache::{Cache, Victim, write};
pub use capabilities::{CpuSide, Seats, Transactions};
pub use cpu_side::{CPUS, DIRECTORY, fabric_with_directory};
pub use device::Device;
pub use dram::{
    CHANNEL_BITS, ChipChannel, Request as DramRequest, Row, Transfer, channel_and_rest,
};
pub use events::{Event, Events, Unit};
pub use fabric::{Fabric, HEADER, Packet, Port};
pub use flat::Flat;
pub use history::{Block, History, Site};
pub use homes::{Homes, Topology};
pub use intake::{Intake, Takes, go_on, take};
pub use misses::{Miss, Misses};
pub use planted::{PlantedError, Planting};
pub use policy::{CtaSource, IssuePolicy, NextCta, NextInstruction, Permit, Request};
pub use rtl::{Circuits, RtlError, RtlSettings, list_of_places, models};
pub use shared::Shared;
pub use statistics::{Costs, Dram, Hits, Lines, Link, Statistics, Traffic, Way};
pub use system::{Make, Order, System, UnfitMachine};
pub use transactions::{MetadataClocks, TransactionCounts, UnitCounts};
pub use writes::Writes;

/// Contents of a line.
pub type Data = [u8; LINE];

/// Byte mask of a line, lowest byte first.
pub type Bytes = u128;

/// All bytes of a line.
pub const WHOLE: Bytes = Bytes::MAX;

/// All that cores, tester and litmus tests know of a memory system. The defaults are right for a
/// system without caches.
pub trait MemorySystem: Debug {
    /// The clock at which it takes the next operation of a core; none while it waits for lines.
    /// Then [`Done::Accepts`] tells the core when that is over.
    fn ready(&self, shared: &Shared, core: u32) -> Option<u64>;

    /// Takes an operation of a core. Returns the clock of its result if that is known at once;
    /// otherwise its end is told by [`Done`].
    fn submit(&mut self, shared: &mut Shared, core: u32, operation: Operation) -> Option<u64>;

    /// Whether the end of a store is told too, by [`Done::Access`]: what waits for the loads of a warp
    /// then waits for its stores as well.
    fn acknowledges_stores(&self) -> bool {
        false
    }

    /// Whether it makes use of scopes. If not, cores take every scope for the GPU at least.
    fn is_scoped(&self) -> bool {
        true
    }

    /// Handles one of its events, or of its units.
    fn handle(&mut self, shared: &mut Shared, event: Event);

    /// A launch begins: L1 caches may hold data older than the stores of the launch before.
    fn begin_launch(&mut self, _: &mut Shared) {}

    /// The last CTA of a launch has ended, and all its accesses: what the next launch is to see goes on its
    /// way, in time that the launch takes.
    fn end_launch(&mut self, _: &mut Shared) {}

    /// Writes dirty data back to memory, in no time: the host will read it.
    fn clean(&mut self, _: &mut Shared) {}

    /// The host has written these lines to memory: invalidates copies.
    fn forget(&mut self, _: Range<u32>) {}

    /// Traffic of its links.
    fn traffic(&self, shared: &Shared) -> Traffic;

    /// Counters of its own, by name, for reports.
    fn counters(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// The logical time of a core, in systems that have one.
    fn logical_time(&self, _core: u32) -> Option<u64> {
        None
    }

    /// Decides which warps issue; none: all that can.
    fn policy(&mut self) -> Option<&mut dyn IssuePolicy> {
        None
    }

    /// Deals CTAs to cores; none: whichever core has room gets the next of its GPM.
    fn ctas(&mut self) -> Option<&mut dyn CtaSource> {
        None
    }

    /// Its transactions, if it has any.
    fn transactions(&mut self) -> Option<&mut dyn Transactions> {
        None
    }

    /// Its places for blocks, if it has any.
    fn seats(&mut self) -> Option<&mut dyn Seats> {
        None
    }

    /// Its CPU side, if it has one: see [`System::cpus`].
    fn cpus(&mut self) -> Option<&mut dyn CpuSide> {
        None
    }

    /// Plants an error; those that are not of this system change nothing.
    fn plant(&mut self, _: PlantedError) {}
}

/// What a core gives to its memory system, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// An access, by its number among [`Shared::accesses`].
    Access(u32),
    /// A warp waits until all its earlier accesses are visible to a scope.
    Release {
        /// The warp's place in the core.
        warp: u32,
        /// The scope.
        scope: Scope,
        /// The access that releases; none for a fence. It is given to memory afterwards.
        of: Option<u32>,
    },
    /// A warp's later loads must see the stores of a scope.
    Acquire {
        /// The warp's place in the core.
        warp: u32,
        /// The scope.
        scope: Scope,
    },
}

/// Answers to the cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// An access has its answer.
    Access(u32),
    /// A warp's release or acquire is over, or the beginning of its transaction, or the end of its quantum.
    Synchronised {
        /// The core.
        core: u32,
        /// The warp's place in the core.
        warp: u32,
    },
    /// A warp's transaction is over.
    TransactionEnded {
        /// The core.
        core: u32,
        /// The warp's place in the core.
        warp: u32,
        /// Lanes that run it again; the others have committed.
        aborted: u32,
    },
    /// Lanes of a warp's transaction are to abort: they run no further, and when none is left, the
    /// transaction is at its end.
    Aborted {
        /// The core.
        core: u32,
        /// The warp's place in the core.
        warp: u32,
        /// The lanes.
        lanes: u32,
    },
    /// The log of a warp's transaction has no room for an access.
    LogFull {
        /// The core.
        core: u32,
        /// The warp's place in the core.
        warp: u32,
        /// Index of the instruction.
        pc: u32,
        /// The first of its lanes.
        lane: u32,
        /// The room for it, in entries of a thread.
        entries: u32,
    },
    /// A warp's store has a part of a word only, which the system does not take.
    PartOfWord {
        /// The core.
        core: u32,
        /// The warp's place in the core.
        warp: u32,
        /// Index of the instruction.
        pc: u32,
    },
    /// The core may issue accesses again.
    Accepts(u32),
}
