//! Memory behind the cores: the trait of a memory system, and the parts that systems are made of.
//!
//! The cores, the random tester and the litmus tests know [`MemorySystem`] and [`Shared`] only. The
//! systems themselves are in [`super::systems`], a room each.

mod access;
mod banks;
mod cache;
mod device;
mod dram;
mod events;
mod fabric;
mod flat;
mod heap;
mod homes;
mod intake;
mod misses;
pub mod planted;
mod rtl;
mod shared;
mod statistics;
mod transactions;
mod writes;

use std::fmt::Debug;
use std::ops::Range;

use warpsmith_testbench::verilator::Warning;

use super::config::{Config, LINE};
use super::isa::Scope;

pub use access::{Accesses, Pending, extract, gather, next_line, perform, perform_alone};
pub use banks::Banks;
pub use cache::{Cache, Victim, write};
pub use device::Device;
pub use dram::{
    CHANNEL_BITS, ChipChannel, Request as DramRequest, Row, Transfer, channel_and_rest,
};
pub use events::Events;
pub use fabric::{Fabric, HEADER, Packet, Port};
pub use flat::Flat;
pub use homes::{Homes, Topology};
pub use intake::{Intake, Takes, go_on, take};
pub use misses::{Miss, Misses};
pub use planted::{PlantedError, Planting};
pub use rtl::{Circuits, RtlError, RtlSettings, list_of_places, models};
pub use shared::Shared;
pub use statistics::{Costs, Dram, Hits, Lines, Link, Statistics, Traffic, Way};
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

    /// Takes an access of a CPU at its directory, of one lane; [`Done::Access`] tells its end. Only systems
    /// that have [`super::systems::System::cpus`] are given any.
    fn submit_of_cpu(&mut self, _: &mut Shared, _access: u32) {}

    /// Whether the end of a store is told too, by [`Done::Access`]: what waits for the loads of a warp
    /// then waits for its stores as well.
    fn acknowledges_stores(&self) -> bool {
        false
    }

    /// Whether it makes use of scopes. If not, cores take every scope for the GPU at least.
    fn is_scoped(&self) -> bool {
        true
    }

    /// Whether it takes this mark.
    fn takes(&self, _: Mark) -> bool {
        false
    }

    /// Handles an event that is neither the cores' nor that of DRAM.
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

    /// Counts of transactions, if it has them.
    fn transactions(&self) -> Option<TransactionCounts> {
        None
    }

    /// Plants an error; those that are not of this system change nothing.
    fn plant(&mut self, _: PlantedError) {}

    /// Puts RTL in the `chosen` of [`super::systems::System::places`]; gives what Verilator warns of.
    ///
    /// # Errors
    /// If the circuit cannot be simulated.
    fn use_rtl(
        &mut self,
        _: &Config,
        _: &RtlSettings,
        _chosen: &[bool],
    ) -> Result<Vec<Warning>, RtlError> {
        Ok(Vec::new())
    }

    /// Counts the clocks of GETM's metadata tables from now on; of other systems nothing.
    ///
    /// # Errors
    /// If the table's circuit cannot be simulated.
    fn time_metadata(&mut self, _: &Config, _: &RtlSettings) -> Result<(), RtlError> {
        Ok(())
    }

    /// Transfers of RTL that were compared with a reference.
    fn compared(&self) -> u64 {
        0
    }
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
    /// A warp has come to a mark, and all its answers have come.
    Mark {
        /// The warp's place in the core.
        warp: u32,
        /// Which one.
        mark: Mark,
    },
}

/// What a warp tells its memory system besides accesses, releases and acquires. It waits for
/// [`Done::Synchronised`] unless another answer is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A transaction begins, in the lanes of the mask.
    Begin(u32),
    /// A transaction has come to its end, in the lanes of the mask. The answer is
    /// [`Done::TransactionEnded`].
    Commit(u32),
    /// The warp's quantum of a deterministic execution is over.
    EndOfQuantum,
}

/// Answers to the cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// An access has its answer.
    Access(u32),
    /// A warp's release, acquire or mark is over.
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
    /// The core may issue accesses again.
    Accepts(u32),
}

/// An event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    /// A core may issue.
    Core(u32),
    /// A CTA begins in a core.
    Begin(u32),
    /// A core gives an access to its L1 that it has held.
    Held(u32),
    /// A core has the answer of an asynchronous copy.
    Answered(u32),
    /// A channel of DRAM of a GPM may start a transfer.
    Dram(u32, u32),
    /// A line has come from DRAM: the GPM, and its miss.
    Filled(u32, u32),
    /// A message of the system's fabric arrives.
    Arrive(u32),
    /// A bank serves a message.
    Serve(u32),
    /// A clock of a block of the system, by the number of its place.
    Clock(u32),
    /// A CPU executes its next instruction.
    Cpu(u32),
}
