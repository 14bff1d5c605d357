//! Runs a kernel: on the functional machine, CTAs in order, their warps in turn, no time; or on the
//! timed one, with cores, caches and links.

mod answer;
mod bulk;
mod checkers;
mod cluster;
mod cta;
mod digest;
mod fault;
mod launch;
mod memory_check;
mod oracle;
pub mod planted;
mod print;
pub mod profile;
mod races;
mod report;
mod run;
mod timed;

pub use digest::of_memory as digest_of_memory;
pub use fault::{Fault, Thread};
pub use launch::{Checks, Divergence, Launch, LaunchError, PATIENCE, Work};
pub use memory_check::leaks;
pub use oracle::Oracle;
pub use report::Warning;
pub use run::{Outcome, run};
pub use timed::{Machine, TimedOutcome, Write};
