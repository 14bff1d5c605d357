//! Tops for FPGA boards: a block behind a host link. docs/boards.md describes the link's protocol.
//!
//! `lines -> link -> registers, queues, log <- block`: the link runs at the board's clock, the block at its own.
//! Signals between the two clocks begin with `cross_`: single bits go through two flip-flops, wider values change
//! only while nothing looks at them.

pub mod host;
pub mod lines;
pub mod link;
pub mod log;
pub mod pace;
pub mod queue;
pub mod registers;
pub mod spi;
pub mod tops;
pub mod uart;
