//! A behavioural model of GPUs that runs CUDA kernels.

mod cache;
pub mod coherence;
pub mod config;
mod core;
mod dram;
mod events;
mod hierarchy;
mod interconnect;
pub mod isa;
pub mod launch;
pub mod litmus;
pub mod machine;
pub mod memory;
pub mod simt;
pub mod tester;

pub use hierarchy::{Costs, Dram, Hits, Lines, Link, PlantedError, Statistics, Traffic, Way};
