//! A user's own Verilog in the place of a circuit: from the given files to one source with the circuit's
//! ports.
//!
//! The files are preprocessed first, in order and as one compilation unit. The result has no `` `include ``
//! and no macros, so it is all that a model is built from and all that the cache key needs.

mod bits;
mod connections;
mod file;
mod filelist;
mod modules;
mod origin;
mod reads;
mod values;
mod words;
mod wrapper;

pub use modules::defines;
pub use origin::{ALL, Origin};
pub use reads::ReadFile;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::{panic, thread};

use thiserror::Error;
use warpsmith_rtl::verilog::{EmitError, EmitOptions, emit};
use warpsmith_rtl::{Module, PortLayout};

use crate::verilator::{
    BuildOptions, ModulePort, VerilatorError, VerilogFile, VerilogSource, Warning, hierarchy,
    inspect, preprocess,
};
use bits::MapError;
use connections::Connections;
use file::FileError;
use filelist::{Gathered, ListError};
use origin::OriginError;
use reads::ReadError;
use values::ValueError;

/// Stack to read a hierarchy with, whose expressions may be nested deeply, in bytes.
const HIERARCHY_STACK: usize = 1 << 28;

/// Name of the user's text in a source.
const TEXT: &str = "dut.sv";

/// A user's Verilog as given.
#[derive(Clone, Debug, Default)]
pub struct Dut {
    /// Files in reading order, after those of the lists.
    pub files: Vec<PathBuf>,
    /// File lists.
    pub lists: Vec<PathBuf>,
    /// Folders of included files.
    pub include: Vec<PathBuf>,
    /// Macros, `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// The top module, if its name is not the circuit's.
    pub top: Option<String>,
    /// Values of the top module's parameters.
    pub parameters: Vec<(String, String)>,
    /// The top module's ports, or bits of them like `p[7:4]`, with those of the circuit.
    pub map: Vec<(String, String)>,
    /// Constant inputs of the top module.
    pub ties: Vec<(String, String)>,
    /// Whether the top module's reset is active low.
    pub reset_is_low: bool,
    /// Clocks of a reset; none: one.
    pub reset_clocks: Option<u64>,
    /// Modules of the circuit that may stand in the user's own ones, or [`ALL`].
    pub ours: Vec<String>,
}

/// The files that a user gave, those of lists and libraries included.
#[derive(Clone, Debug)]
pub struct Sources {
    /// Files in reading order.
    pub files: Vec<PathBuf>,
    /// Folders of included files.
    pub include: Vec<PathBuf>,
    /// Macros, `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
}

/// A user's Verilog ready for Verilator and other tools.
#[derive(Clone, Debug)]
pub struct DutSource {
    /// The source, with the ports of the circuit.
    pub verilog: VerilogSource,
    /// Verilator's warnings, each once.
    pub warnings: Vec<Warning>,
    /// Whose the modules are.
    pub origin: Origin,
    /// The files that it reads when it begins.
    pub reads: Vec<ReadFile>,
}

impl Dut {
    /// Files given by name, without further settings.
    pub fn of_files(files: &[PathBuf]) -> Self {
        Self { files: files.to_vec(), ..Self::default() }
    }

    /// Whether any Verilog was given.
    pub fn is_given(&self) -> bool {
        !self.files.is_empty() || !self.lists.is_empty()
    }

    /// The files as they are, for tools that preprocess them.
    ///
    /// # Errors
    /// Returns [`DutError`] if a list or a file is rejected.
    pub fn sources(&self) -> Result<Sources, DutError> {
        let mut gathered = Gathered::of(self)?;
        let mut read = 0;
        let mut text = String::new();
        while read < gathered.files.len() {
            for path in &gathered.files[read..] {
                file::check(path)?;
                let bytes = fs::read(path)
                    .map_err(|source| FileError::Read { path: path.clone(), source })?;
                text += &String::from_utf8_lossy(&bytes);
            }
            read = gathered.files.len();
            let more = gathered.library_files(&text);
            gathered.files.extend(more);
        }
        let Gathered { files, include, defines, .. } = gathered;
        Ok(Sources { files, include, defines })
    }

    /// Reads the files and checks that they fit the circuit. Modules of the circuit that they do not define
    /// are taken from its own Verilog, below a module of it or where [`ours`](Self::ours) names them.
    ///
    /// # Errors
    /// Returns [`DutError`] if the files do not fit the circuit or Verilator rejects them.
    pub fn source(&self, circuit: &Module) -> Result<DutSource, DutError> {
        let options = BuildOptions::default();
        let text = preprocessed(Gathered::of(self)?, &options)?;
        let theirs = modules::defined(&text);
        let own = emit(circuit, &EmitOptions::default())?;
        let top = self.top_among(circuit, &theirs, own.iter().map(|own| own.module.as_str()))?;
        let names: Vec<_> = own.iter().map(|own| own.module.clone()).collect();
        origin::check_names(&self.ours, &names, &theirs)?;
        let own = own.into_iter().filter(|own| !theirs.contains(&own.module));
        let own = own.map(|own| VerilogFile { name: own.file_name(), text: own.text });
        let mut files = vec![VerilogFile { name: TEXT.to_string(), text }];
        files.extend(own);

        let mut verilog = VerilogSource { top, files };
        let parameters = values::parameters(&self.parameters)?;
        let (inspected, below) = thread::scope(|scope| {
            let below = thread::Builder::new()
                .stack_size(HIERARCHY_STACK)
                .spawn_scoped(scope, || hierarchy(&verilog, &parameters, &options))
                .expect("a thread starts");
            let inspected = inspect(&verilog, &parameters, &options);
            let below = below.join().unwrap_or_else(|panic| panic::resume_unwind(panic));
            (inspected, below)
        });
        // What Verilator refuses it refuses in both; its messages are those of the first.
        let (inspected, below) = (inspected?, below?);
        let origin = Origin::new(&below, &theirs, &self.ours)?;
        let layout = circuit.port_layout();
        let ports = Connections::new(self, inspected.ports, &below.ascending, &layout)?;
        if self.top.is_some() || !parameters.is_empty() || !ports.are_ours() {
            let is_free = |name: &String| {
                !theirs.contains(name)
                    && verilog.files.iter().all(|file| file.name != format!("{name}.v"))
            };
            let names = std::iter::successors(Some(format!("{}_dut", circuit.name)), |name| {
                Some(format!("{name}_"))
            });
            let name = names.into_iter().find(is_free).expect("one of ever longer names is free");
            let text = wrapper::text(&name, &verilog.top, &parameters, &ports, &layout, true);
            verilog.files.push(VerilogFile { name: format!("{name}.v"), text });
            verilog.top = name;
        }
        let reads = reads::found(&below.reads)?;
        let texts = verilog.files.iter_mut().map(|file| &mut file.text);
        reads::placed(&below.reads, &reads, texts)?;
        Ok(DutSource { verilog, warnings: inspected.warnings, origin, reads })
    }

    /// A module `name` with the ports of the layout, and a clock if `has_clock`, around the user's module `top`,
    /// whose ports another tool has read.
    ///
    /// # Errors
    /// Returns [`DutError`] if a port cannot be mapped or tied, or the result has not the layout's ports.
    pub fn wrapped(
        &self,
        name: &str,
        top: &str,
        ports: Vec<ModulePort>,
        layout: &PortLayout,
        has_clock: bool,
    ) -> Result<String, DutError> {
        let parameters = values::parameters(&self.parameters)?;
        let ports = Connections::new(self, ports, &[], layout)?;
        Ok(wrapper::text(name, top, &parameters, &ports, layout, has_clock))
    }

    /// The parameters with their values in Verilog.
    ///
    /// # Errors
    /// Returns [`DutError`] if a value is malformed.
    pub fn parameter_values(&self) -> Result<Vec<(String, String)>, DutError> {
        Ok(values::parameters(&self.parameters)?)
    }

    fn top_among<'a>(
        &self,
        circuit: &Module,
        theirs: &[String],
        own: impl Iterator<Item = &'a str>,
    ) -> Result<String, DutError> {
        let own: Vec<_> = own.map(str::to_string).collect();
        match &self.top {
            Some(top) if theirs.contains(top) => Ok(top.clone()),
            Some(top) => Err(DutError::NoTop { top: top.clone(), found: modules::listed(theirs) }),
            None if own.iter().any(|module| theirs.contains(module)) => Ok(circuit.name.clone()),
            None => {
                Err(DutError::NoModule { found: modules::listed(theirs), circuit: own.join(", ") })
            }
        }
    }
}

/// Why a user's Verilog cannot replace a circuit.
#[derive(Debug, Error)]
pub enum DutError {
    /// A file is rejected.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file list is rejected.
    #[error(transparent)]
    List(#[from] ListError),
    /// A value on the command line is malformed.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// A port cannot be mapped or tied.
    #[error(transparent)]
    Map(#[from] MapError),
    /// No file defines the top module.
    #[error("--top {top}: no file defines that module; the files define: {found}")]
    NoTop {
        /// The module.
        top: String,
        /// The defined modules.
        found: String,
    },
    /// No file has a module of the circuit.
    #[error(
        "no file defines a module of the circuit, which has: {circuit}. The files define: {found}; \
         --top NAME says which of them takes the circuit's place"
    )]
    NoModule {
        /// The defined modules.
        found: String,
        /// The circuit's modules.
        circuit: String,
    },
    /// A module is neither given nor to be taken from ours.
    #[error(transparent)]
    Origin(#[from] OriginError),
    /// A file that it reads is refused.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The ports are not those of the circuit.
    #[error(
        "{0}; --map THEIRS=OURS gives a port of yours our name, or some bits of it, like --map 'p[7:4]=OURS', or \
         --map 'p=OURS[7:4]' if several make up one of ours; inputs of yours may share one of ours, such as clk; \
         --tie PORT=VALUE holds an input"
    )]
    Ports(VerilatorError),
    /// Verilator rejects the files.
    #[error(transparent)]
    Verilator(#[from] VerilatorError),
    /// The circuit has no Verilog.
    #[error(transparent)]
    Emit(#[from] EmitError),
}

/// The preprocessed text of all files and the library files that they need.
fn preprocessed(mut gathered: Gathered, options: &BuildOptions) -> Result<String, DutError> {
    let mut seen = BTreeSet::new();
    let mut check = |path: &PathBuf, include: &[PathBuf]| {
        file::check(path)?;
        file::check_included(path, include, &mut seen)
    };
    gathered.files.iter().try_for_each(|path| check(path, &gathered.include))?;
    loop {
        let Gathered { files, include, defines, .. } = &gathered;
        let text = preprocess(files, include, defines, &options.verilator)?;
        let more = gathered.library_files(&text);
        if more.is_empty() {
            return Ok(text);
        }
        more.iter().try_for_each(|path| check(path, &gathered.include))?;
        gathered.files.extend(more);
    }
}

/// A path that cannot be read as an option.
fn plain(path: &Path) -> PathBuf {
    match path.to_string_lossy().starts_with(['-', '+']) {
        true => Path::new(".").join(path),
        false => path.to_path_buf(),
    }
}
