//! Sweeps: one block over a grid of parameters, each point measured once.
//!
//! Points run in parallel. Each result is kept by the hash of everything it depends on, so a sweep that was
//! interrupted, or gets more values, measures only what is missing.

pub mod gather;
pub mod grid;
pub mod journal;
pub mod key;
pub mod live;
pub mod record;
pub mod run;
#[cfg(test)]
mod tests;
pub mod workflow;
