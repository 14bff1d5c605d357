//! The systems that the HMG paper compares (Ren et al., HPCA 2020): software coherence, flat and
//! hierarchical, directories, flat (NHCC) and hierarchical (HMG), and its two bounds.
//!
//! Caches hold data: an error of the protocol shows as a wrong value. Answers and invalidations
//! share a network, as the directory's rule demands. Ideal caching has no room of its own: its
//! clocks are those of the same L1s, misses, homes and flushes, and a second copy of all of them
//! would be as long as this room.

mod acquire;
mod atomics;
mod directory;
mod flush;
mod l1;
mod l2;
mod loads;
mod message;
pub mod planted;
mod rtl;
mod sharers;
mod stores;
mod variant;

use std::ops::Range;

use warpsmith_blocks::hmg_directory::Source;
use warpsmith_testbench::verilator::Warning;

use super::System;
use crate::config::Config;
use crate::events;
use crate::isa::Scope;
use crate::memory::planted::OVERTAKE;
use crate::memory::{
    Circuits, Event, Fabric, MemorySystem, Operation, PlantedError, Planting, RtlError,
    RtlSettings, Seats, Shared, Traffic, Unit, take,
};
use directory::{Cause, Output, parameters};
use flush::Flushes;
use l1::L1;
use l2::L2;
use message::Message;
use variant::{Coherence, Variant};

pub use variant::{HMG, IDEAL, NHCC, NO_REMOTE_CACHING, SOFTWARE, SOFTWARE_HIERARCHICAL};

events! {
    /// Events of the system.
    enum SystemEvent of Unit::SYSTEM;
    /// A message arrives.
    Arrive(message),
    /// A bank serves a message.
    Serve(message),
    /// A line has come from DRAM: the GPM, and its miss.
    Filled(gpm, miss),
    /// A clock of a GPM's directory.
    Clock(gpm),
}

/// The caches, directories and messages of a machine.
#[derive(Debug)]
struct Hmg {
    variant: Variant,
    fabric: Fabric<Message>,
    l1: Vec<L1>,
    l2: Vec<L2>,
    flushes: Flushes,
    /// Flushes whose writes are complete.
    ready: Vec<u32>,
    outputs: Vec<Output>,
    /// The warp that caused what is being done.
    cause: Cause,
    planted: Planting,
    /// Loads that are yet to be shown to the directory, by [`planted::PRESENT_LATE`].
    late: Vec<(u32, Source, u32)>,
}

impl Hmg {
    fn boxed(config: &Config, variant: Variant) -> Box<dyn MemorySystem> {
        let machine = &config.machine;
        Box::new(Self {
            variant,
            fabric: Fabric::new(config, |message| SystemEvent::Arrive(message).into()),
            l1: (0..machine.cores()).map(|_| L1::new(config)).collect(),
            l2: (0..machine.gpms()).map(|gpm| L2::new(config, variant, gpm)).collect(),
            flushes: Flushes::default(),
            ready: Vec::new(),
            outputs: Vec::new(),
            cause: Cause::default(),
            planted: Planting::default(),
            late: Vec::new(),
        })
    }
}

impl MemorySystem for Hmg {
    fn ready(&self, _: &Shared, core: u32) -> Option<u64> {
        self.l1[core as usize].intake.ready().map(|free| free.max(self.fabric.core_ready(core)))
    }

    fn submit(&mut self, shared: &mut Shared, core: u32, operation: Operation) -> Option<u64> {
        take(self, shared, core, operation)
    }

    fn handle(&mut self, shared: &mut Shared, event: Event) {
        match event.into() {
            SystemEvent::Arrive(message) => self.arrive(shared, message),
            SystemEvent::Serve(message) => self.serve(shared, message),
            SystemEvent::Filled(gpm, miss) => {
                let line = self.l2[gpm as usize].misses.get(miss).line;
                let data = shared.line(line);
                self.filled(shared, gpm, miss, &data);
            }
            SystemEvent::Clock(gpm) => self.clock_directory(shared, gpm),
        }
    }

    /// The beginning of a launch is an acquire of the machine (II-D).
    fn begin_launch(&mut self, shared: &mut Shared) {
        for l1 in &mut self.l1 {
            l1.cache.drop_where(|_| true);
        }
        if self.variant.coherence == Coherence::Bulk {
            for gpm in 0..self.l2.len() as u32 {
                self.drop_copies(shared, gpm, Scope::Sys);
            }
        }
    }

    fn clean(&mut self, shared: &mut Shared) {
        let is_ideal = self.variant.is_ideal();
        for l2 in &mut self.l2 {
            l2.cache.clean(|line, data, dirty| {
                if !is_ideal {
                    shared.write_line(line, data, dirty);
                }
            });
        }
    }

    fn forget(&mut self, lines: Range<u32>) {
        let l2 = self.l2.iter_mut().map(|l2| &mut l2.cache);
        for cache in self.l1.iter_mut().map(|l1| &mut l1.cache).chain(l2) {
            cache.drop_where(|line| lines.contains(&line));
        }
    }

    fn traffic(&self, shared: &Shared) -> Traffic {
        self.fabric.traffic(shared)
    }

    fn plant(&mut self, error: PlantedError) {
        self.planted.plant(error);
        self.fabric.overtakes = error == OVERTAKE;
    }

    fn seats(&mut self) -> Option<&mut dyn Seats> {
        Some(self)
    }
}

impl Seats for Hmg {
    fn use_rtl(
        &mut self,
        config: &Config,
        settings: &RtlSettings,
        chosen: &[bool],
    ) -> Result<Vec<Warning>, RtlError> {
        let params = parameters(config, self.variant.is_hierarchical());
        let circuits = Circuits::new(params.clone(), settings)?;
        for ((gpm, l2), is_chosen) in (0..).zip(&mut self.l2).zip(chosen) {
            if *is_chosen {
                l2.directory = Some(rtl::directory(&circuits, &params, gpm)?);
            }
        }
        Ok(circuits.warnings)
    }

    fn compared(&self) -> u64 {
        let directories = self.l2.iter().filter_map(|l2| l2.directory.as_ref());
        directories.map(|directory| directory.compared()).sum()
    }
}
