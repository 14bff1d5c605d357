//! The descriptor of a memory system.

use std::fmt;

use serde::{Serialize, Serializer};

use super::{MemorySystem, PlantedError};
use crate::config::{Config, PRESETS};
use crate::isa::Operation;

/// Makes a system for a machine, with empty caches.
pub type Make = fn(&Config) -> Box<dyn MemorySystem>;

/// Level up to which stores and loads of a core stay in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Order {
    /// In its L1.
    Core,
    /// To the L2 of its GPM.
    Gpm,
}

/// A memory system.
#[derive(Clone, Copy)]
pub struct System {
    /// Its name, on the command line and in JSON.
    pub name: &'static str,
    /// Description in one line.
    pub about: &'static str,
    /// Requirement that a machine does not meet, if any.
    pub fits: fn(&Config) -> Result<(), &'static str>,
    /// The preset of a machine so small that lines make room all the time, for tests.
    pub small: &'static str,
    /// Level up to which stores and loads of a core stay in order.
    pub order: Order,
    /// Whether CPUs at its directory may run threads beside the GPU's.
    pub cpus: bool,
    /// Errors that can be planted in it.
    pub errors: &'static [PlantedError],
    /// Whether a program ends in one state, whatever takes how long. Then it shows few of the outcomes that are allowed.
    pub deterministic: bool,
    /// Whether it is sequentially consistent.
    pub sequential: bool,
    /// Whether stores take effect in order, everywhere at once.
    pub effect_at_once: bool,
    /// Errors that no litmus test sees here.
    pub unseen: &'static [PlantedError],
    /// Errors that the random tester finds in other systems, but not here.
    pub tester_misses: &'static [PlantedError],
    /// Lines of litmus tests, as `TEST: LINE`, that it never shows although they are allowed.
    pub never_shows: &'static [&'static str],
    /// Names an instruction that it does not take, if it is one.
    pub refuses: fn(&Operation) -> Option<&'static str>,
    /// The tables of its protocol, if it is run from tables.
    pub tables: Option<fn() -> String>,
    /// The places of a machine in which RTL of blocks can stand, as `BLOCK@PLACE`.
    pub places: fn(&Config) -> Vec<String>,
    /// Makes it, with all that belongs to it.
    pub make: Make,
}

/// A machine that lacks what a memory system needs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the memory system {system} needs {missing}, which {machine} does not have; presets that have: {fit}"
)]
pub struct UnfitMachine {
    system: &'static str,
    missing: &'static str,
    machine: String,
    fit: String,
}

impl System {
    /// A system in which no errors can be planted and no blocks stand.
    pub const fn new(name: &'static str, about: &'static str, make: Make) -> Self {
        let places = |_: &Config| Vec::new();
        let (errors, unseen, never_shows): (&[_], &[_], &[_]) = (&[], &[], &[]);
        let (fits, small, order) = (|_: &Config| Ok(()), "small", Order::Gpm);
        let (effect_at_once, cpus, tables) = (false, false, None);
        Self {
            name,
            about,
            fits,
            small,
            order,
            cpus,
            errors,
            deterministic: false,
            sequential: false,
            effect_at_once,
            unseen,
            tester_misses: &[],
            never_shows,
            refuses: |_| None,
            tables,
            places,
            make,
        }
    }

    /// Refuses machines that lack a part.
    ///
    /// # Errors
    /// [`UnfitMachine`] with the missing part, and the presets that have it.
    pub fn check(&self, config: &Config, machine: &str) -> Result<(), UnfitMachine> {
        let fits = |name: &&str| Config::preset(name).is_ok_and(|it| (self.fits)(&it).is_ok());
        (self.fits)(config).map_err(|missing| UnfitMachine {
            system: self.name,
            missing,
            machine: machine.to_string(),
            fit: PRESETS
                .map(|(name, _)| name)
                .into_iter()
                .filter(fits)
                .collect::<Vec<_>>()
                .join(", "),
        })
    }

    /// Whether it has a CPU side on a machine: with a directory shared with CPUs, and the L3 behind it.
    pub fn has_cpus(&self, config: &Config) -> bool {
        self.cpus && config.l3.is_some()
    }
}

impl PartialEq for System {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for System {}

impl fmt::Debug for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Serialize for System {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}
