//! The memory systems, and the errors that can be planted in them.

pub mod getm;
pub mod gpgpusim;
pub mod hmg;
pub mod quick_release;
pub mod release_consistency;

use std::fmt;

use serde::{Serialize, Serializer};

use super::config::{Config, PRESETS};
use super::core::IssuePolicy;
use super::machine::planted;
use super::memory::{self, MemorySystem, PlantedError};

/// Makes a system for a machine, with empty caches.
pub type Make = fn(&Config) -> Box<dyn MemorySystem>;

/// Makes a policy for a launch on a machine.
pub type MakePolicy = fn(&Config) -> Box<dyn IssuePolicy>;

/// How far what a core stores stays in order with what it asks for.
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
    /// What it is.
    pub about: &'static str,
    /// What a machine lacks for it, if anything.
    pub fits: fn(&Config) -> Result<(), &'static str>,
    /// The preset of a machine so small that lines make room all the time, for tests.
    pub small: &'static str,
    /// How far stores and loads of a core stay in order.
    pub order: Order,
    /// Whether CPUs at its directory may run threads beside the GPU's.
    pub cpus: bool,
    /// Errors that can be planted in it.
    pub errors: &'static [PlantedError],
    /// Whether stores take effect in order, everywhere at once.
    pub effect_at_once: bool,
    /// Those of its errors that therefore no test sees.
    pub unseen: &'static [PlantedError],
    /// The tables of its protocol, if it is run from tables.
    pub tables: Option<fn() -> String>,
    /// The places of a machine in which RTL of blocks can stand, as `BLOCK@PLACE`.
    pub places: fn(&Config) -> Vec<String>,
    /// Makes it.
    pub make: Make,
    /// Makes what decides who may issue; without it every warp may.
    pub policy: Option<MakePolicy>,
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
    /// All of them: in the order of figure 8 of the HMG paper, then of figure 5 of the QuickRelease paper, then
    /// those of the Primer.
    pub const ALL: [Self; 16] = [
        hmg::NO_REMOTE_CACHING,
        hmg::SOFTWARE,
        hmg::SOFTWARE_HIERARCHICAL,
        hmg::NHCC,
        hmg::HMG,
        hmg::IDEAL,
        quick_release::NO_L1,
        quick_release::WRITE_THROUGH,
        quick_release::READ_FOR_OWNERSHIP,
        quick_release::QUICK_RELEASE,
        release_consistency::ALL[0],
        release_consistency::ALL[1],
        release_consistency::ALL[2],
        release_consistency::ALL[3],
        release_consistency::ALL[4],
        release_consistency::ALL[5],
    ];

    /// Those that have transactions.
    pub const TRANSACTIONAL: [Self; 4] =
        [getm::GETM, getm::warptm::WARPTM, getm::warptm::WARPTM_EL, getm::warptm::EAPG];

    /// A system in which no errors can be planted and no blocks stand.
    pub const fn new(name: &'static str, about: &'static str, make: Make) -> Self {
        let places = |_: &Config| Vec::new();
        let (errors, unseen): (&[_], &[_]) = (&[], &[]);
        let (fits, small, order) = (|_: &Config| Ok(()), "small", Order::Gpm);
        let (effect_at_once, cpus, tables, policy) = (false, false, None, None);
        Self {
            name,
            about,
            fits,
            small,
            order,
            cpus,
            errors,
            effect_at_once,
            unseen,
            tables,
            places,
            make,
            policy,
        }
    }

    /// Every system.
    pub fn known() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().chain(Self::TRANSACTIONAL).chain([getm::LOCKS])
    }

    /// The system of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::known().find(|system| system.name == name)
    }

    /// Those that a machine has the parts for.
    pub fn fitting(config: &Config) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|system| (system.fits)(config).is_ok())
    }

    /// Refuses machines that lack a part.
    ///
    /// # Errors
    /// What the machine lacks, and which presets do not.
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

    /// Whether an error can be planted in it, or in the cores in front of it.
    pub fn has(&self, error: PlantedError) -> bool {
        [&planted::ERRORS, self.errors].iter().any(|errors| errors.contains(&error))
    }
}

/// All errors: those of the cores, which every system has in front of it, those of several rooms, and of each room.
pub fn errors() -> Vec<PlantedError> {
    [
        &planted::ERRORS[..],
        &memory::planted::ERRORS,
        &hmg::planted::ERRORS,
        &quick_release::planted::ERRORS,
        &release_consistency::planted::ERRORS,
    ]
    .concat()
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
