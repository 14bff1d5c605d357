//! Litmus tests: what threads that race may see of each other, and what they must not.
//!
//! A test is a few threads, each a few instructions with scope and order, and conditions on what they
//! end with. It becomes a kernel, which is run many times on a perturbed machine, with threads and
//! locations placed near and far.

pub mod axioms;
mod branch;
mod excuse;
mod herd;
mod instruction;
mod parse;
mod place;
mod proxy;
mod ptx;
mod run;
mod teeth;

pub use branch::{Barrier, BranchCondition, Comparator};
pub use excuse::{Mechanism, excuse_of_error};
pub use instruction::{Address, Check, Compute, Instruction, Kind, Strength, Value};
pub use parse::{LitmusError, parse};
pub use place::{NoCpus, Place, ThreadPlace, Variant};
pub use proxy::{Proxy, ProxyFence, Via};
pub use run::{Counts, LitmusRunError, Settings, run};
pub use teeth::{Tooth, teeth};

/// Tests that come with the program: name of the file, and text.
pub const TESTS: [(&str, &str); 48] = [
    ("mp.litmus", include_str!("../../../tests/litmus/mp.litmus")),
    ("mp_fences.litmus", include_str!("../../../tests/litmus/mp_fences.litmus")),
    ("sb.litmus", include_str!("../../../tests/litmus/sb.litmus")),
    ("lb.litmus", include_str!("../../../tests/litmus/lb.litmus")),
    ("lb_release.litmus", include_str!("../../../tests/litmus/lb_release.litmus")),
    ("iriw.litmus", include_str!("../../../tests/litmus/iriw.litmus")),
    ("wrc.litmus", include_str!("../../../tests/litmus/wrc.litmus")),
    ("wrc_gpus.litmus", include_str!("../../../tests/litmus/wrc_gpus.litmus")),
    ("rwc.litmus", include_str!("../../../tests/litmus/rwc.litmus")),
    ("2+2w.litmus", include_str!("../../../tests/litmus/2+2w.litmus")),
    ("s.litmus", include_str!("../../../tests/litmus/s.litmus")),
    ("r.litmus", include_str!("../../../tests/litmus/r.litmus")),
    ("corr.litmus", include_str!("../../../tests/litmus/corr.litmus")),
    ("cowr.litmus", include_str!("../../../tests/litmus/cowr.litmus")),
    ("corw.litmus", include_str!("../../../tests/litmus/corw.litmus")),
    ("coww.litmus", include_str!("../../../tests/litmus/coww.litmus")),
    ("cas.litmus", include_str!("../../../tests/litmus/cas.litmus")),
    ("mp_bar.litmus", include_str!("../../../tests/litmus/mp_bar.litmus")),
    ("mp_loop.litmus", include_str!("../../../tests/litmus/mp_loop.litmus")),
    ("lb_dependencies.litmus", include_str!("../../../tests/litmus/lb_dependencies.litmus")),
    ("atomics.litmus", include_str!("../../../tests/litmus/atomics.litmus")),
    ("isa2.litmus", include_str!("../../../tests/litmus/isa2.litmus")),
    ("3.2w.litmus", include_str!("../../../tests/litmus/3.2w.litmus")),
    ("z6.litmus", include_str!("../../../tests/litmus/z6.litmus")),
    ("release_sequence.litmus", include_str!("../../../tests/litmus/release_sequence.litmus")),
    ("fence_cumulativity.litmus", include_str!("../../../tests/litmus/fence_cumulativity.litmus")),
    ("mp_scopes.litmus", include_str!("../../../tests/litmus/mp_scopes.litmus")),
    ("mp_siblings.litmus", include_str!("../../../tests/litmus/mp_siblings.litmus")),
    ("sb_siblings.litmus", include_str!("../../../tests/litmus/sb_siblings.litmus")),
    ("iriw_siblings.litmus", include_str!("../../../tests/litmus/iriw_siblings.litmus")),
    ("wrc_siblings.litmus", include_str!("../../../tests/litmus/wrc_siblings.litmus")),
    ("cowr_siblings.litmus", include_str!("../../../tests/litmus/cowr_siblings.litmus")),
    ("corr_siblings.litmus", include_str!("../../../tests/litmus/corr_siblings.litmus")),
    ("bar_release.litmus", include_str!("../../../tests/litmus/bar_release.litmus")),
    ("mp_swaps.litmus", include_str!("../../../tests/litmus/mp_swaps.litmus")),
    ("sb_swaps.litmus", include_str!("../../../tests/litmus/sb_swaps.litmus")),
    ("iriw_swaps.litmus", include_str!("../../../tests/litmus/iriw_swaps.litmus")),
    ("wrc_swaps.litmus", include_str!("../../../tests/litmus/wrc_swaps.litmus")),
    ("cowr_swaps.litmus", include_str!("../../../tests/litmus/cowr_swaps.litmus")),
    ("corr_swaps.litmus", include_str!("../../../tests/litmus/corr_swaps.litmus")),
    ("mp_cpu_writes.litmus", include_str!("../../../tests/litmus/mp_cpu_writes.litmus")),
    ("mp_cpu_reads.litmus", include_str!("../../../tests/litmus/mp_cpu_reads.litmus")),
    ("mp_cpu_fences.litmus", include_str!("../../../tests/litmus/mp_cpu_fences.litmus")),
    ("sb_cpu.litmus", include_str!("../../../tests/litmus/sb_cpu.litmus")),
    ("s_cpu.litmus", include_str!("../../../tests/litmus/s_cpu.litmus")),
    ("corr_cpu.litmus", include_str!("../../../tests/litmus/corr_cpu.litmus")),
    ("atomics_cpu.litmus", include_str!("../../../tests/litmus/atomics_cpu.litmus")),
    ("wrc_cpu.litmus", include_str!("../../../tests/litmus/wrc_cpu.litmus")),
];

/// Longest time in clocks for which litmus tests let a core hold a load, unless they are told.
pub const WEAK_LOADS: u32 = 100;

/// Most registers of a thread.
pub const REGISTERS: usize = 8;

/// A test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    /// Where its text comes from.
    pub file: String,
    /// Its name.
    pub name: String,
    /// Instructions of each thread.
    pub threads: Vec<Vec<Instruction>>,
    /// Where each thread runs; empty if the test does not say.
    pub places: Vec<ThreadPlace>,
    /// Locations.
    pub locations: Vec<String>,
    /// Other addresses of locations.
    pub aliases: Vec<(String, usize)>,
    /// What each location holds at the beginning.
    pub initial: Vec<u32>,
    /// Whether an instruction has a scope to be filled in.
    pub is_scoped: bool,
    /// What must never be.
    pub forbidden: Vec<Condition>,
    /// What is allowed, and must be seen at least once.
    pub allowed: Vec<Condition>,
    /// Questions (`exists`), which the axioms answer.
    pub asked: Vec<Condition>,
}

/// A conjunction of what registers and locations hold at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The line of the file.
    pub line: usize,
    /// As it was written.
    pub text: String,
    /// Each must hold.
    pub terms: Vec<Comparison>,
    /// Memory systems and mechanisms with which it cannot be seen: although it is allowed, or if it
    /// is forbidden, although an error is planted.
    pub except: Vec<String>,
}

/// A comparison with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comparison {
    /// Left side.
    pub term: Term,
    /// Right side.
    pub value: Side,
    /// `=`, or `!=`.
    pub is_equal: bool,
}

impl Comparison {
    /// Compares a value; `register` gives what registers of threads hold.
    pub fn holds(&self, found: u32, register: impl Fn(usize, usize) -> u32) -> bool {
        let value = match self.value {
            Side::Number(value) => value,
            Side::Register(thread, number) => register(thread, number),
        };
        (found == value) == self.is_equal
    }
}

/// Right side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// A number.
    Number(u32),
    /// A register of a thread.
    Register(usize, usize),
}

/// What a condition is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Term {
    /// A register of a thread.
    Register(usize, usize),
    /// A location.
    Location(usize),
}
