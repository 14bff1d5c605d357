//! Why an outcome that is allowed is not seen in some place of some memory system, and why an outcome
//! that is forbidden is not seen there although an error is planted.

use super::Condition;
use super::place::{Place, Variant};
use crate::PlantedError;
use crate::machine::planted::{ACQUIRE_DOES_NOTHING, RELEASE_DOES_NOTHING};
use crate::systems::{Order, System};

/// A mechanism that keeps an outcome from being seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mechanism {
    /// With ideal caching.
    EffectAtOnce,
    /// Within a GPM, or a CTA, in systems with such an order.
    OneGpm,
    /// Everywhere.
    NoSpeculation,
    /// Of errors: where releases or acquires have little to do.
    OneWay,
    /// Of errors that take more lines than a test has.
    FewLines,
    /// In systems that execute deterministically.
    Deterministic,
    /// In systems that are sequentially consistent.
    Sequential,
}

impl Mechanism {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::EffectAtOnce,
        Self::OneGpm,
        Self::NoSpeculation,
        Self::OneWay,
        Self::FewLines,
        Self::Deterministic,
        Self::Sequential,
    ];

    /// Its name in a test.
    pub fn name(self) -> &'static str {
        match self {
            Self::EffectAtOnce => "effect-at-once",
            Self::OneGpm => "one-gpm",
            Self::NoSpeculation => "no-speculation",
            Self::OneWay => "one-way",
            Self::FewLines => "few-lines",
            Self::Deterministic => "deterministic",
            Self::Sequential => "sequential",
        }
    }

    /// What it is.
    pub fn why(self) -> &'static str {
        match self {
            Self::EffectAtOnce => "ideal caching: stores take effect in order, everywhere at once",
            Self::OneGpm => {
                "threads of a GPM share an L2, and those of a CTA an L1: what one of them stores goes \
                 the same way as what it asks for, in order, unless a write cache or a miss keeps it"
            }
            Self::NoSpeculation => {
                "a core, weak or with an error, issues no store before the loads that it depends on \
                 have returned"
            }
            Self::OneWay => {
                "what a core stores and asks for goes one way in order, or copies are invalidated: without a \
                 release or an acquire little is out of order, so the error may show or not"
            }
            Self::FewLines => {
                "the error takes lines that are evicted, or that two threads release to; a test has few, so it \
                 may show or not"
            }
            Self::Deterministic => {
                "a program ends in one state, which is one of those that are allowed"
            }
            Self::Sequential => {
                "all accesses are in one order, which keeps that of each thread: no interleaving ends so"
            }
        }
    }

    /// Whether it is at work.
    pub fn covers(self, system: System, variant: Variant) -> bool {
        match self {
            Self::EffectAtOnce => system.effect_at_once,
            Self::OneGpm => match variant.place {
                Place::SameCta => system.order >= Order::Core,
                Place::OtherCta => system.order >= Order::Gpm,
                _ => false,
            },
            Self::OneWay | Self::FewLines => false,
            Self::NoSpeculation => true,
            Self::Deterministic => system.deterministic,
            Self::Sequential => system.sequential,
        }
    }
}

impl Mechanism {
    /// Whether what it excuses must not be seen.
    pub fn is_strict(self, system: System) -> bool {
        match self {
            Self::OneWay | Self::FewLines | Self::Deterministic => false,
            // Where caches have stores that memory does not, with most errors one may have what an earlier run stored,
            // and any value with it.
            Self::NoSpeculation => !system.errors.iter().any(|error| error.loses_stores),
            _ => true,
        }
    }
}

/// What keeps every test from seeing an error on a memory system that has it.
pub fn excuse_of_error(error: PlantedError, system: System) -> Option<Mechanism> {
    let mechanism = match error {
        _ if system.effect_at_once => Mechanism::EffectAtOnce,
        RELEASE_DOES_NOTHING | ACQUIRE_DOES_NOTHING => Mechanism::OneWay,
        _ => Mechanism::FewLines,
    };
    system.unseen.contains(&error).then_some(mechanism)
}

impl Condition {
    /// The memory system or the mechanism that excuses that it is not seen in a test, if one does.
    pub fn excuse(&self, test: &str, system: System, variant: Variant) -> Option<&str> {
        let here = (test, self.text.as_str());
        if system.never_shows.iter().any(|line| line.split_once(": ") == Some(here)) {
            return Some(system.name);
        }
        if system.deterministic {
            return Some(Mechanism::Deterministic.name());
        }
        let covers = |name: &&String| {
            let mechanism = Mechanism::ALL.into_iter().find(|it| it.name() == name.as_str());
            mechanism.map_or(name.as_str() == system.name, |it| it.covers(system, variant))
        };
        self.except.iter().find(covers).map(String::as_str)
    }
}

/// Whether a word names what may excuse.
pub(super) fn is_excuse(name: &str) -> Result<(), String> {
    let systems = System::ALL.map(|it| it.name);
    let mechanisms = Mechanism::ALL.map(Mechanism::name);
    match systems.contains(&name) || mechanisms.contains(&name) {
        true => Ok(()),
        false => Err(format!(
            "no memory system or mechanism {name}; there are: {}, {}",
            systems.join(", "),
            mechanisms.join(", ")
        )),
    }
}
