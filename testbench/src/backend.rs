//! What simulates the circuit under test.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use warpsmith_rtl::netlist::NetlistError;
use warpsmith_rtl::verilog::{EmitError, EmitOptions, emit};
use warpsmith_rtl::{Module, PortLayout, Simulator};

use crate::model::{HeldModel, Model, NativeModel};
use crate::verilator::{
    BuildOptions, VerilatedLibrary, VerilatorError, VerilogFile, VerilogSource,
};

/// Who simulates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Backend {
    /// The native simulator, from the circuit itself.
    Native,
    /// Verilator, from the emitted Verilog.
    Verilator,
}

/// Why there is no model.
#[derive(Debug, Error)]
pub enum BackendError {
    /// The circuit has no Verilog.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// The circuit cannot be simulated.
    #[error(transparent)]
    Netlist(#[from] NetlistError),
    /// The Verilog cannot be built.
    #[error(transparent)]
    Verilator(#[from] VerilatorError),
}

/// Makes models of one circuit under test.
pub enum Models {
    /// Native ones.
    Native(Module),
    /// Verilated ones.
    Verilated(Arc<VerilatedLibrary>),
    /// Verilated ones of one variant of a circuit.
    Variant {
        /// Models of every variant.
        library: Arc<VerilatedLibrary>,
        /// What the input that chooses is held at.
        choice: u64,
    },
}

impl Models {
    /// Models of a design's own circuit, Verilated ones with waves if they are to write any.
    ///
    /// # Errors
    /// See [`BackendError`].
    pub fn of_circuit(
        circuit: &Module,
        backend: Backend,
        waves: bool,
    ) -> Result<Self, BackendError> {
        match backend {
            Backend::Native => Ok(Models::Native(circuit.clone())),
            Backend::Verilator => {
                let source = verilog_source(circuit)?;
                Self::of_verilog(&source, &circuit.port_layout(), waves)
            }
        }
    }

    /// Models of Verilog from elsewhere that must have the ports of `layout`.
    ///
    /// # Errors
    /// See [`VerilatorError`].
    pub fn of_verilog(
        source: &VerilogSource,
        layout: &PortLayout,
        waves: bool,
    ) -> Result<Self, BackendError> {
        let options = BuildOptions { trace: waves, ..BuildOptions::default() };
        let library = VerilatedLibrary::build(source, layout, &options)?;
        Ok(Models::Verilated(Arc::new(library)))
    }

    /// A new model, at power-up.
    ///
    /// # Errors
    /// See [`BackendError`].
    pub fn instance(&self) -> Result<Box<dyn Model>, BackendError> {
        Ok(match self {
            Models::Native(circuit) => Box::new(NativeModel::new(Simulator::new(circuit)?)),
            Models::Verilated(library) => Box::new(library.instance()),
            Models::Variant { library, choice } => {
                Box::new(HeldModel::new(library.instance(), *choice))
            }
        })
    }
}

/// A circuit in variants that one model holds: an input of up to 64 bits beside those of the layout
/// chooses among them.
pub struct Variants {
    library: Arc<VerilatedLibrary>,
}

impl Variants {
    /// Builds the model of Verilog with the ports of `layout` and the input `chooser`.
    ///
    /// # Errors
    /// See [`VerilatorError`].
    pub fn of_verilog(
        source: &VerilogSource,
        layout: &PortLayout,
        chooser: &str,
        width: u32,
    ) -> Result<Self, BackendError> {
        let mut layout = layout.clone();
        layout.push_input(chooser, width);
        let library = VerilatedLibrary::build(source, &layout, &BuildOptions::default())?;
        Ok(Self { library: Arc::new(library) })
    }

    /// Models of one variant.
    pub fn models(&self, choice: u64) -> Models {
        Models::Variant { library: Arc::clone(&self.library), choice }
    }
}

/// The emitted Verilog of a circuit.
///
/// # Errors
/// See [`EmitError`].
pub fn verilog_source(circuit: &Module) -> Result<VerilogSource, EmitError> {
    let files = emit(circuit, &EmitOptions::default())?.into_iter();
    let files = files.map(|file| VerilogFile { name: file.file_name(), text: file.text });
    Ok(VerilogSource { top: circuit.name.clone(), files: files.collect() })
}

/// A user's Verilog files in the place of a circuit or of modules within it. Modules of the circuit
/// that no file defines are taken from its own Verilog.
///
/// # Errors
/// See [`UserSourceError`].
pub fn user_source(
    circuit: &Module,
    paths: &[impl AsRef<Path>],
) -> Result<VerilogSource, UserSourceError> {
    let read = |path: &Path| {
        let text = std::fs::read_to_string(path)
            .map_err(|source| UserSourceError::Read { path: path.to_path_buf(), source })?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Ok::<_, UserSourceError>(VerilogFile { name, text })
    };
    let mut files: Vec<_> =
        paths.iter().map(|path| read(path.as_ref())).collect::<Result<_, _>>()?;
    let own = emit(circuit, &EmitOptions::default())?;
    let (replaced, missing): (Vec<_>, Vec<_>) =
        own.into_iter().partition(|own| files.iter().any(|file| defines(&file.text, &own.module)));
    if replaced.is_empty() {
        let modules = missing.into_iter().map(|own| own.module).collect();
        return Err(UserSourceError::NoModule { modules });
    }
    let missing = missing.into_iter();
    files.extend(missing.map(|own| VerilogFile { name: own.file_name(), text: own.text }));
    Ok(VerilogSource { top: circuit.name.clone(), files })
}

/// Why a user's Verilog is no source.
#[derive(Debug, Error)]
pub enum UserSourceError {
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Which.
        path: std::path::PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// No file has a module of the circuit.
    #[error("no file defines a module of the circuit; it has: {}", .modules.join(", "))]
    NoModule {
        /// The circuit's modules.
        modules: Vec<String>,
    },
    /// The circuit has no Verilog.
    #[error(transparent)]
    Emit(#[from] EmitError),
}

/// Whether Verilog text has the words `module <name>`.
fn defines(text: &str, name: &str) -> bool {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.windows(2).any(|pair| pair == ["module", name])
}
