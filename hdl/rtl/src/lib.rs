//! The RTL builder: hardware described in Rust with widths known at run time.
//!
//! A [`ModuleBuilder`], whose operators check every width, makes a [`Module`]. From it come Verilog
//! ([`verilog::emit`]) and the native simulator. [`library`] holds the parts that most circuits need.
//!
//! ```
//! use warpsmith_rtl::{ModuleBuilder, verilog};
//!
//! let m = ModuleBuilder::new("counter");
//! let enable = m.input("enable", 1);
//! let count = m.reg("count", 8, 0);
//! m.when(enable, || count.set(*count + 1));
//! m.output("value", *count);
//! let counter = m.finish();
//!
//! let files = verilog::emit(&counter, &Default::default()).unwrap();
//! assert!(files[0].text.contains("count <= count + 8'd1;"));
//! ```

mod bits;
pub mod builder;
pub mod ir;
pub mod library;
pub mod netlist;
mod ports;
pub mod semantics;
pub mod simulator;
pub mod verilog;
pub mod waves;

pub use bits::Bits;
pub use builder::{ModuleBuilder, Operand, Reg, Signal, Wire};
pub use ir::{Collision, Module, address_bits};
pub use netlist::{Netlist, NetlistError, Storage};
pub use ports::{PortLayout, PortSlot, words};
pub use simulator::{SignalId, Simulator};
pub use waves::{Waves, WavesError};
