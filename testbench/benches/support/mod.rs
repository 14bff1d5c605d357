//! What the benchmarks share.

pub mod bare;
pub mod recorded;
