//! A behavioural model of GPUs that runs CUDA kernels.

pub mod config;
pub mod core;
pub mod determinism;
pub mod graphics;
pub mod isa;
pub mod launch;
pub mod litmus;
pub mod machine;
pub mod memory;
pub mod replay;
pub mod simt;
pub mod systems;
pub mod tester;
pub mod texture;
pub mod workloads;

pub use memory::{Costs, Dram, Hits, Lines, Link, PlantedError, Statistics, Traffic, Way};
