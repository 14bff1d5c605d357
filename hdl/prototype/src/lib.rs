//! FPGA prototypes: every block as a [`rust_hdl`](https://docs.rs/rust-hdl) component,
//! and behind the host link of a board.

pub mod board;
pub mod components;
pub mod native;
pub mod shape;
