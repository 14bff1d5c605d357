//! What `warpsmith cosim` compares with the reference: our circuit, or the user's.

use warpsmith_rtl::Module;
use warpsmith_testbench::backend::{Backend, Models};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::dut::{DutSource, Origin, defines};

use super::super::UserError;
use super::super::dut::DutArgs;
use super::CosimArgs;

/// What simulates the circuit.
pub(super) enum Subject<'a> {
    Own(Backend),
    User { source: DutSource, dut: &'a DutArgs },
}

impl<'a> Subject<'a> {
    pub fn new(args: &'a CosimArgs, circuit: &Module) -> Result<Self, UserError> {
        Ok(match args.dut.source(circuit)? {
            None => Subject::Own(args.backend.chosen()),
            Some(source) => Subject::User { source, dut: &args.dut },
        })
    }

    pub fn models(
        &self,
        bench: &Bench<'_>,
        circuit: &Module,
        waves: bool,
    ) -> Result<Models, UserError> {
        Ok(match self {
            Subject::Own(backend) => Models::of_circuit(circuit, *backend, waves)?,
            Subject::User { source, .. } => {
                Models::of_verilog(&source.verilog, bench.layout(), waves)?
            }
        })
    }

    /// Whether the user's own files, which come first, define a module.
    pub fn defines(&self, module: &str) -> bool {
        match self {
            Subject::Own(_) => false,
            Subject::User { source, .. } => {
                source.verilog.files.first().is_some_and(|file| defines(&file.text, module))
            }
        }
    }

    /// Whose the modules are, of a user's Verilog.
    pub fn origin(&self) -> Option<&Origin> {
        match self {
            Subject::Own(_) => None,
            Subject::User { source, .. } => Some(&source.origin),
        }
    }

    pub fn name(&self) -> String {
        match self {
            Subject::Own(Backend::Native) => "the native simulator".to_string(),
            Subject::Own(Backend::Interpreter) => "the interpreter".to_string(),
            Subject::Own(Backend::Verilator) => "Verilator".to_string(),
            Subject::User { dut, .. } => format!("Verilator: {}", dut.names()),
        }
    }

    pub fn is_verilated(&self) -> bool {
        !matches!(self, Subject::Own(Backend::Native | Backend::Interpreter))
    }

    pub fn as_arguments(&self) -> String {
        match self {
            Subject::Own(Backend::Native) => String::new(),
            Subject::Own(Backend::Interpreter) => " --backend interpreter".to_string(),
            Subject::Own(Backend::Verilator) => " --backend verilator".to_string(),
            Subject::User { dut, .. } => dut.as_arguments(),
        }
    }
}
