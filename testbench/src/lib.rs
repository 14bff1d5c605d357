//! Co-simulation: a block's circuit, in the native simulator or Verilated, side by side with its
//! reference model and contract.
//!
//! [`cosim::cosim`] does it all: random streams with random stalls, transfers judged as they happen, the
//! first divergence reported and its stream shrunk. [`verilator`] builds and loads Verilated models.

pub mod agents;
pub mod backend;
pub mod bench;
pub mod board;
pub mod circuit;
pub mod cosim;
pub mod dut;
pub mod environment;
pub mod episode;
pub mod judge;
pub mod latest;
pub mod lockstep;
pub mod mismatch;
pub mod model;
pub mod place;
pub mod scoreboard;
pub mod serializability;
pub mod shrink;
pub mod verilator;
pub mod window;
pub mod wiring;
