//! A behavioural model of GPUs that runs CUDA kernels.

pub mod isa;
pub mod launch;
pub mod machine;
pub mod memory;
pub mod simt;
