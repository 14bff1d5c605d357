//! What PTX's memory model allows a litmus test to end with.
//!
//! The model is that of Lustig, Sahasrabuddhe and Giroux, "A Formal Analysis of the NVIDIA PTX Memory
//! Consistency Model" (ASPLOS 2019), figures 4 and 7. Every candidate execution of the test is
//! made (a path through each thread, a write for each read, an order of fences, an order of writes) and
//! judged by the axioms. What the paper leaves open is settled so:
//!
//! * A dependency is by address, by data, or by control; what follows a branch in program order
//!   depends on it. The write of an atomic depends on its read.
//! * A location ends with a write that no other follows in coherence order; of writes that race there
//!   may be several.
//! * A barrier synchronizes each thread that arrives in a phase with each other that waits (section 3.4.2). Where more
//!   threads use a barrier than a phase takes, any may meet. An execution in which a thread waits for ever has no end.
//! * A thread with labels branches backwards up to twice; where that gives too many executions, once. Loops are unrolled as they say.

mod barriers;
mod enumerate;
mod execution;
mod proxies;
mod relation;
mod trace;
mod values;

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;

use super::place::{Seat, seats};
use super::{Test, Variant};
use crate::config::MachineConfig;

pub use enumerate::judge;

/// Most candidate executions of a variant of a test.
pub const MOST: u64 = 1 << 18;

/// An axiom of figure 7.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Axiom {
    /// What follows in causality order follows in coherence order.
    Coherence,
    /// The order of fences agrees with causality order.
    #[serde(rename = "FenceSC")]
    FenceSc,
    /// No write comes between the read and the write of an atomic.
    Atomicity,
    /// No value justifies itself.
    #[serde(rename = "No-Thin-Air")]
    NoThinAir,
    /// Communication agrees with program order, location by location.
    #[serde(rename = "SC-per-Location")]
    ScPerLocation,
    /// Communication agrees with causality order.
    Causality,
}

impl fmt::Display for Axiom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Coherence => "Coherence",
            Self::FenceSc => "FenceSC",
            Self::Atomicity => "Atomicity",
            Self::NoThinAir => "No-Thin-Air",
            Self::ScPerLocation => "SC-per-Location",
            Self::Causality => "Causality",
        })
    }
}

/// What the axioms say of a condition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It can hold: in this execution.
    Allowed(String),
    /// It cannot. Each candidate execution in which it holds breaks one of these axioms; there are none
    /// if no candidate ends so.
    Forbidden(BTreeSet<Axiom>),
}

impl Verdict {
    /// Whether the condition can hold.
    pub fn is_allowed(&self) -> bool {
        matches!(self, Self::Allowed(_))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Allowed(_) => f.write_str("allowed"),
            Self::Forbidden(axioms) if axioms.is_empty() => {
                f.write_str("forbidden: no execution gives these values")
            }
            Self::Forbidden(axioms) => {
                let names: Vec<_> = axioms.iter().map(Axiom::to_string).collect();
                write!(f, "forbidden by {}", names.join(", "))
            }
        }
    }
}

/// What the axioms say of a variant of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// Candidate executions that were judged.
    pub candidates: u64,
    /// On each line `forbidden`.
    pub forbidden: Vec<Verdict>,
    /// On each line `allowed`.
    pub allowed: Vec<Verdict>,
    /// On each line `exists`.
    pub asked: Vec<Verdict>,
    /// All that the test may end with: registers that its threads set, and locations.
    pub outcomes: BTreeSet<String>,
}

/// A test that is too large to be judged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    /// Candidate executions.
    #[error("more than {0} candidate executions")]
    Executions(u64),
    /// Paths through a thread: values that its loads may return, and branches.
    #[error("more than {0} paths through a thread")]
    Ways(usize),
    /// Events of an execution.
    #[error("more than {0} events in a thread, or 128 in all")]
    Events(usize),
    /// Instructions of a thread.
    #[error("more than {0} instructions in a thread, with its loops unrolled")]
    Instructions(usize),
    /// States of the search for the order of arrivals at barriers.
    #[error("more than {0} orders in which threads arrive at barriers")]
    Barriers(usize),
}

/// CTA and GPU of each thread; none of a thread on a CPU.
struct Seats(Vec<Option<([u32; 2], u32)>>);

impl Seats {
    fn new(test: &Test, variant: Variant, machine: &MachineConfig) -> Self {
        let seats = seats(test, variant.place, 0, machine);
        let seat = |it: Seat| ([it.gpm, it.cta], it.gpm / machine.gpms_per_gpu);
        Self(seats.into_iter().map(|it| it.map(seat)).collect())
    }
}
