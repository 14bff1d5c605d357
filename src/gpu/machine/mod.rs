//! Runs a kernel on the functional machine: CTAs in order, their warps in turn, no time.

mod cta;
mod fault;
mod launch;
mod print;
mod run;

pub use fault::{Fault, Thread};
pub use launch::{Launch, LaunchError, PATIENCE};
pub use run::{Outcome, run};
