//! The memory systems, and the errors that can be planted in them.

pub mod gpgpusim;
pub mod hmg;

use std::fmt;

use serde::{Serialize, Serializer};

use super::config::Config;
use super::core::IssuePolicy;
use super::machine::planted;
use super::memory::{MemorySystem, PlantedError};

/// Makes a system for a machine, with empty caches.
pub type Make = fn(&Config) -> Box<dyn MemorySystem>;

/// Makes a policy for a launch on a machine.
pub type MakePolicy = fn(&Config) -> Box<dyn IssuePolicy>;

/// A memory system.
#[derive(Clone, Copy)]
pub struct System {
    /// Its name, on the command line and in JSON.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Errors that can be planted in it.
    pub errors: &'static [PlantedError],
    /// Whether stores take effect in order, everywhere at once.
    pub effect_at_once: bool,
    /// Those of its errors that therefore no test sees.
    pub unseen: &'static [PlantedError],
    /// The places of a machine in which RTL of blocks can stand, as `BLOCK@PLACE`.
    pub places: fn(&Config) -> Vec<String>,
    /// Makes it.
    pub make: Make,
    /// Makes what decides who may issue; without it every warp may.
    pub policy: Option<MakePolicy>,
}

impl System {
    /// All of them, in the order of figure 8 of the HMG paper.
    pub const ALL: [Self; 6] = [
        hmg::NO_REMOTE_CACHING,
        hmg::SOFTWARE,
        hmg::SOFTWARE_HIERARCHICAL,
        hmg::NHCC,
        hmg::HMG,
        hmg::IDEAL,
    ];

    /// A system in which no errors can be planted and no blocks stand.
    pub const fn new(name: &'static str, about: &'static str, make: Make) -> Self {
        let places = |_: &Config| Vec::new();
        let (errors, unseen): (&[_], &[_]) = (&[], &[]);
        Self { name, about, errors, effect_at_once: false, unseen, places, make, policy: None }
    }

    /// The system of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|system| system.name == name)
    }

    /// Whether an error can be planted in it, or in the cores in front of it.
    pub fn has(&self, error: PlantedError) -> bool {
        [&planted::ERRORS, self.errors].iter().any(|errors| errors.contains(&error))
    }
}

/// All errors: those of the cores, which every system has in front of it, and those of each room.
pub fn errors() -> Vec<PlantedError> {
    [&planted::ERRORS[..], &hmg::planted::ERRORS].concat()
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
