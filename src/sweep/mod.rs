//! Sweeps: one block over a grid of parameters, each point measured once.
//!
//! Points run in parallel and are kept as each ends, by the hash of all that they depend on: a sweep
//! that was interrupted, or is asked for again with more values, measures only what is missing.

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
