//! The registry: the memory systems, and the errors that can be planted in them.

pub mod getm;
pub mod gpgpusim;
pub mod gpudet;
pub mod hmg;
pub mod quick_release;
pub mod relativistic;
pub mod release_consistency;

use super::config::Config;
use super::machine::planted;
use super::memory::{self, PlantedError};
pub use super::memory::{Order, System};

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

    /// Deterministic systems, and the baseline beside them.
    pub const DETERMINISTIC: [Self; 2] = [gpudet::GPUDET, gpudet::NONDET];

    /// Systems with logical time.
    pub const RELATIVISTIC: [Self; 1] = [relativistic::SEQUENTIAL];

    /// Every system.
    pub fn known() -> impl Iterator<Item = Self> {
        let transactional = Self::TRANSACTIONAL.into_iter().chain([getm::LOCKS]);
        Self::ALL
            .into_iter()
            .chain(transactional)
            .chain(Self::DETERMINISTIC)
            .chain(Self::RELATIVISTIC)
    }

    /// The system of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::known().find(|system| system.name == name)
    }

    /// Those that a machine has the parts for.
    pub fn fitting(config: &Config) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|system| (system.fits)(config).is_ok())
    }

    /// Systems with places for RTL, on their own small machines.
    pub fn with_places() -> impl Iterator<Item = Self> {
        let has = |system: &Self| {
            Config::preset(system.small).is_ok_and(|config| !(system.places)(&config).is_empty())
        };
        Self::known().filter(has)
    }

    /// Whether an error can be planted in it, or in the cores in front of it.
    pub fn has(&self, error: PlantedError) -> bool {
        [&planted::ERRORS, self.errors].iter().any(|errors| errors.contains(&error))
    }
}

/// All errors that litmus tests plant: those of the cores, which every system has in front of it, those of several
/// rooms, and those of each system.
pub fn errors() -> Vec<PlantedError> {
    let of_systems = System::ALL.into_iter().flat_map(|system| system.errors);
    let mut all = [&planted::ERRORS[..], &memory::planted::ERRORS].concat();
    for error in of_systems {
        if !all.contains(error) {
            all.push(*error);
        }
    }
    all
}
