//! Litmus tests: what threads that race may see of each other, and what they must not.
//!
//! A test is a few threads, each a few instructions with scope and order, and conditions on what they
//! end with. It becomes a kernel, which is run many times on a perturbed machine, with threads and
//! locations placed near and far.

mod parse;
mod place;
mod ptx;
mod run;

pub use parse::{LitmusError, parse};
pub use place::{Place, Variant};
pub use run::{Counts, LitmusRunError, run};

/// Tests that come with the program: name of the file, and text.
pub const TESTS: [(&str, &str); 14] = [
    ("mp.litmus", include_str!("../../../tests/litmus/mp.litmus")),
    ("mp_fences.litmus", include_str!("../../../tests/litmus/mp_fences.litmus")),
    ("sb.litmus", include_str!("../../../tests/litmus/sb.litmus")),
    ("lb.litmus", include_str!("../../../tests/litmus/lb.litmus")),
    ("iriw.litmus", include_str!("../../../tests/litmus/iriw.litmus")),
    ("wrc.litmus", include_str!("../../../tests/litmus/wrc.litmus")),
    ("rwc.litmus", include_str!("../../../tests/litmus/rwc.litmus")),
    ("2+2w.litmus", include_str!("../../../tests/litmus/2+2w.litmus")),
    ("s.litmus", include_str!("../../../tests/litmus/s.litmus")),
    ("r.litmus", include_str!("../../../tests/litmus/r.litmus")),
    ("corr.litmus", include_str!("../../../tests/litmus/corr.litmus")),
    ("cowr.litmus", include_str!("../../../tests/litmus/cowr.litmus")),
    ("corw.litmus", include_str!("../../../tests/litmus/corw.litmus")),
    ("coww.litmus", include_str!("../../../tests/litmus/coww.litmus")),
];

/// Most registers of a thread.
pub const REGISTERS: usize = 8;

/// A test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// Instructions of each thread, one a line, with `$` for the scope.
    pub threads: Vec<Vec<Instruction>>,
    /// Locations; all hold 0 at the beginning.
    pub locations: Vec<String>,
    /// Whether an instruction has a scope to be filled in.
    pub is_scoped: bool,
    /// What must never be.
    pub forbidden: Vec<Condition>,
    /// What is allowed, and must be seen at least once.
    pub allowed: Vec<Condition>,
}

/// An instruction of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// Its name in PTX, without space and type: `ld.acquire.$`.
    pub name: String,
    /// The register that is loaded.
    pub register: Option<usize>,
    /// Index of the location; none for a fence.
    pub location: Option<usize>,
    /// What is stored, or the operands of an atomic.
    pub values: Vec<u32>,
}

/// A conjunction of what registers and locations hold at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// As it was written.
    pub text: String,
    /// Each must hold.
    pub terms: Vec<(Term, u32)>,
    /// Names of the memory systems on which it cannot be seen, although it is allowed.
    pub except: Vec<String>,
}

/// What a condition is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Term {
    /// A register of a thread.
    Register(usize, usize),
    /// A location.
    Location(usize),
}
