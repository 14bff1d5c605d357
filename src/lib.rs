//! Warpsmith: hardware blocks of published GPU designs, as RTL that emits Verilog and is
//! co-simulated against reference models.
//!
//! This crate is the command line with its flows and reports; it uses [`warpsmith_rtl`] (circuits),
//! [`warpsmith_blocks`] (the blocks), [`warpsmith_testbench`] (co-simulation) and [`warpsmith_gpu`] (the GPU).

pub mod baseline;
pub mod cli;
pub mod constraints;
pub mod emission;
pub mod export;
pub mod flow;
pub mod journal;
pub mod measure;
pub mod records;
pub mod report;
pub mod scores;
pub mod sweep;

pub use warpsmith_gpu as gpu;
