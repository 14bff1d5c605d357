//! Errors between Verilog text and a running model.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Direction of a port, seen from inside the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Driven by the testbench.
    Input,
    /// Driven by the module.
    Output,
    /// Driven by both.
    InOut,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Direction::Input => "input",
            Direction::Output => "output",
            Direction::InOut => "inout",
        })
    }
}

/// Why a Verilog module has no running model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerilatorError {
    /// A program or a library that the build needs is not installed.
    #[error("{tool} not found; on Debian: apt-get install {package}")]
    ToolMissing {
        /// The program as called, or the library's name.
        tool: String,
        /// The Debian package that provides it.
        package: &'static str,
    },
    /// A tool could not be run or gave an unusable answer.
    #[error("{tool} cannot be run")]
    Tool {
        /// The program as called.
        tool: String,
        /// The operating system's error.
        source: io::Error,
    },
    /// A tool exceeded its time limit.
    #[error(
        "{tool} was stopped after {limit} s: is there an endless loop in a constant function or a \
         generate block?"
    )]
    TimedOut {
        /// The program as called.
        tool: String,
        /// Limit of processor time in seconds.
        limit: u64,
    },
    /// A file name in the source is unusable.
    #[error("Verilog file name {name:?} {reason}")]
    FileName {
        /// The name.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Verilator rejected the source.
    #[error("Verilator refused the source:\n{log}")]
    Verilate {
        /// Verilator's own errors, with the names of the source's files.
        log: String,
    },
    /// The layout has a port that the module lacks.
    #[error("the module has no {direction} port {port} of {width} bits; it has: {found}")]
    MissingPort {
        /// The port in the layout.
        port: String,
        /// Its direction in the layout.
        direction: Direction,
        /// Its width in the layout.
        width: u32,
        /// The module's ports.
        found: String,
    },
    /// A port's width in the module is not that in the layout.
    #[error("port {port} has {found} bits, expected {expected}")]
    PortWidth {
        /// The port.
        port: String,
        /// Width in the layout.
        expected: u32,
        /// Width in the module.
        found: u32,
    },
    /// A port's direction in the module is not that in the layout.
    #[error("port {port} is an {found}, expected an {expected}")]
    PortDirection {
        /// The port.
        port: String,
        /// Direction in the layout.
        expected: Direction,
        /// Direction in the module.
        found: Direction,
    },
    /// The module has an input that the layout lacks, so it would be undriven.
    #[error("the module has an {direction} port {port} of {width} bits that nothing drives")]
    ExtraInput {
        /// The port.
        port: String,
        /// `Input` or `InOut`.
        direction: Direction,
        /// Its width.
        width: u32,
    },
    /// A port of the module is not a plain vector of bits.
    #[error("a port of the module is not a vector of bits: {declaration}")]
    UnsupportedPort {
        /// The port as Verilator declares it in C++.
        declaration: String,
    },
    /// The layout lists the clock, which the model drives itself.
    #[error("the port layout lists clk, which the model drives itself")]
    ClockInLayout,
    /// The C++ compiler or the linker rejected the model.
    #[error("the C++ compiler refused the model:\n{log}")]
    Compile {
        /// The compiler's own errors.
        log: String,
    },
    /// A freshly built model could not be loaded.
    #[error("cannot load {}: {reason}", path.display())]
    Load {
        /// The shared object.
        path: PathBuf,
        /// The loader's message.
        reason: String,
    },
    /// The cache folder cannot be used.
    #[error(
        "cannot use the model cache at {}; set WARPSMITH_CACHE to a writable folder",
        path.display()
    )]
    Cache {
        /// The file or folder in the way.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// Others could replace what is in the cache.
    #[error(
        "the model cache at {} is not used, since what is in it is run, and {why}: remove it, or set \
         WARPSMITH_CACHE to a folder of your own that only you may write to",
        path.display()
    )]
    CacheOfOthers {
        /// The file or folder.
        path: PathBuf,
        /// Who may write to it.
        why: String,
    },
    /// Waves were requested of a model built without [`trace`](super::BuildOptions::trace).
    #[error("the model was built without waves; build it with BuildOptions {{ trace: true, .. }}")]
    NoWaves,
    /// The wave file cannot be written.
    #[error("cannot write waves to {}", path.display())]
    Waves {
        /// The wave file.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
}
