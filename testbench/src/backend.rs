//! Simulators of the circuit under test.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use warpsmith_rtl::netlist::NetlistError;
use warpsmith_rtl::simulator::Execution;
use warpsmith_rtl::verilog::{EmitError, EmitOptions, emit};
use warpsmith_rtl::{Module, PortLayout, Simulator};

use crate::model::{HeldModel, Model, NativeModel};
use crate::verilator::{
    BuildOptions, VerilatedLibrary, VerilatorError, VerilogFile, VerilogSource,
};

/// A simulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Backend {
    /// The native simulator, from the circuit itself; compiled in long runs where the machine can.
    Native,
    /// The native simulator without compiling.
    Interpreter,
    /// Verilator, from the emitted Verilog.
    Verilator,
}

/// Why a model cannot be built.
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

/// Factory of models of one circuit under test.
pub enum Models {
    /// Native.
    Native {
        /// The circuit.
        circuit: Module,
        /// How its clocks are run.
        execution: Execution,
        /// What all instances are copies of, once there is one: they share compiled code.
        powered_up: OnceLock<Box<Simulator>>,
    },
    /// Verilated.
    Verilated(Arc<VerilatedLibrary>),
    /// Verilated, one variant of a circuit.
    Variant {
        /// The model of all variants.
        library: Arc<VerilatedLibrary>,
        /// Value of the chooser input.
        choice: u64,
    },
}

impl Models {
    /// Models of a design's own circuit; Verilated ones can write waves only with `trace`.
    ///
    /// # Errors
    /// Returns [`BackendError`] if no model can be built.
    pub fn of_circuit(
        circuit: &Module,
        backend: Backend,
        waves: bool,
    ) -> Result<Self, BackendError> {
        match backend {
            Backend::Native => Ok(Self::native(circuit, Execution::Adaptive)),
            Backend::Interpreter => Ok(Self::native(circuit, Execution::Interpreted)),
            Backend::Verilator => {
                let source = verilog_source(circuit)?;
                Self::of_verilog(&source, &circuit.port_layout(), waves)
            }
        }
    }

    /// Models in the native simulator.
    pub fn native(circuit: &Module, execution: Execution) -> Self {
        Models::Native { circuit: circuit.clone(), execution, powered_up: OnceLock::new() }
    }

    /// Models of external Verilog, which must have the ports of `layout`.
    ///
    /// # Errors
    /// Returns [`VerilatorError`] if the Verilog cannot be built.
    pub fn of_verilog(
        source: &VerilogSource,
        layout: &PortLayout,
        waves: bool,
    ) -> Result<Self, BackendError> {
        let options = BuildOptions { trace: waves, ..BuildOptions::default() };
        let library = VerilatedLibrary::build(source, layout, &options)?;
        Ok(Models::Verilated(Arc::new(library)))
    }

    /// A new model at power-up.
    ///
    /// # Errors
    /// Returns [`BackendError`] if no model can be built.
    pub fn instance(&self) -> Result<Box<dyn Model>, BackendError> {
        Ok(match self {
            Models::Native { circuit, execution, powered_up } => {
                let simulator = match powered_up.get() {
                    Some(simulator) => simulator,
                    None => {
                        let mut simulator = Simulator::new(circuit)?;
                        simulator.set_execution(*execution);
                        powered_up.get_or_init(|| Box::new(simulator))
                    }
                };
                Box::new(NativeModel::new(Simulator::clone(simulator)))
            }
            Models::Verilated(library) => Box::new(library.instance()),
            Models::Variant { library, choice } => {
                Box::new(HeldModel::new(library.instance(), *choice))
            }
        })
    }
}

/// Variants of a circuit in one model, chosen by an input of up to 64 bits beside those of the layout.
pub struct Variants {
    library: Arc<VerilatedLibrary>,
}

impl Variants {
    /// Builds the model of Verilog with the ports of `layout` and the input `chooser`.
    ///
    /// # Errors
    /// Returns [`VerilatorError`] if the Verilog cannot be built.
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
/// Returns [`EmitError`] if the circuit cannot be emitted.
pub fn verilog_source(circuit: &Module) -> Result<VerilogSource, EmitError> {
    let files = emit(circuit, &EmitOptions::default())?.into_iter();
    let files = files.map(|file| VerilogFile { name: file.file_name(), text: file.text });
    Ok(VerilogSource { top: circuit.name.clone(), files: files.collect() })
}
