//! What the benchmarks share.

pub mod bare;
