//! FPGA prototypes: every block as a [`rust_hdl`](https://docs.rs/rust-hdl) component.

pub mod components;
pub mod native;
pub mod shape;
