//! RTL builder.
mod bits;
pub mod ir;
mod ports;
pub use bits::Bits;
pub use ir::{Module, address_bits};
pub use ports::{PortLayout, PortSlot, words};
