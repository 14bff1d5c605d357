//! A behavioural model of GPUs that runs CUDA kernels.

pub mod isa;
