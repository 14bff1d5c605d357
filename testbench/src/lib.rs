//! Testbench.

pub mod verilator;
