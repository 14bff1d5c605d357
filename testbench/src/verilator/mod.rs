//! Runs Verilog at the speed of compiled code: Verilator translates a module to C++, the C++ is
//! compiled to a shared object, and the shared object is loaded into this process.
//!
//! ```no_run
//! use std::sync::Arc;
//! use warpsmith_rtl::PortLayout;
//! use warpsmith_testbench::verilator::{
//!     BuildOptions, VerilatedLibrary, VerilogFile, VerilogSource,
//! };
//!
//! let text = "module inc(input clk, input [7:0] a, output [7:0] y); assign y = a + 1; endmodule";
//! let source = VerilogSource {
//!     top: "inc".to_owned(),
//!     files: vec![VerilogFile { name: "inc.v".to_owned(), text: text.to_owned() }],
//! };
//! let mut ports = PortLayout::default();
//! ports.push_input("a", 8);
//! ports.push_output("y", 8);
//! let library = Arc::new(VerilatedLibrary::build(&source, &ports, &BuildOptions::default())?);
//! let mut model = library.instance();
//! model.inputs_mut()[0] = 41;
//! model.clock();
//! assert_eq!(model.outputs(), [42]);
//! # Ok::<(), warpsmith_testbench::verilator::VerilatorError>(())
//! ```
//!
//! Ports are exchanged as images, in the format of [`PortLayout`](warpsmith_rtl::PortLayout). The
//! clock is the port `clk`, which a combinational module may lack; `rst` is an input like any other.
//!
//! Builds are cached by the digest of everything that goes into them: sources, ports, options, and
//! the versions of the tools. The cache may be deleted at any time.
//!
//! Instances start from the same pseudo-random state. `$random` is reproducible only while a single
//! instance of the library exists, because Verilator keeps one generator per thread.

mod build;
mod cache;
mod compile;
mod error;
mod header;
mod hierarchy;
mod inspect;
mod library;
mod log;
mod loops;
mod model;
mod shim;
mod tools;

use std::path::PathBuf;

pub use error::{Direction, VerilatorError};
pub use header::{ModulePort, check as check_ports};
pub use hierarchy::{Hierarchy, Instance, Read, hierarchy};
pub use inspect::{Inspected, inspect, preprocess};
pub use library::VerilatedLibrary;
pub use log::Warning;
pub use model::{NO_FILE, VerilatedModel};

/// A Verilog file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerilogFile {
    /// Name in messages, such as `hmg_directory.v`; it may contain folders. Files named `.vh` and `.svh` are
    /// used only through `` `include ``.
    pub name: String,
    /// The text.
    pub text: String,
}

/// Verilog text to be simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerilogSource {
    /// Name of the top module.
    pub top: String,
    /// The files, in reading order.
    pub files: Vec<VerilogFile>,
}

/// Build options of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildOptions {
    /// Whether instances can write waves, which makes them slower even when they do not.
    pub trace: bool,
    /// Folder of the cache. By default `$WARPSMITH_CACHE`, else `$XDG_CACHE_HOME/warpsmith`, else
    /// `~/.cache/warpsmith`, else `warpsmith-` and the user's number in the folder for temporary files. It is
    /// made for the user alone, and refused if others may write to it.
    pub cache: Option<PathBuf>,
    /// The Verilator program, `verilator` by default.
    pub verilator: PathBuf,
    /// The C++ compiler, `g++` by default. It must take the options of g++.
    pub compiler: PathBuf,
}

impl Default for BuildOptions {
    fn default() -> Self {
        BuildOptions {
            trace: false,
            cache: None,
            verilator: "verilator".into(),
            compiler: "g++".into(),
        }
    }
}
