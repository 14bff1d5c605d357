//! A block as a package for other people's projects: a FuseSoC core, the contract as a SystemVerilog bind
//! file, an IP-XACT component, an instantiation template, and a testbench.

mod checks;
mod core;
mod ipxact;
mod template;
mod testbench;
mod vectors;

use std::path::Path;

use thiserror::Error;
use warpsmith_blocks::block::Design;
use warpsmith_rtl::verilog::{EmitError, innermost_first};
use warpsmith_rtl::{Module, PortLayout};

use crate::emission::{Folders, commented, header, of_design};

pub use self::vectors::VectorsError;

/// The vendor in the names of cores and components.
const VENDOR: &str = "warpsmith";
/// The library in their names.
const LIBRARY: &str = "blocks";
/// Version of what is exported.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Why a block cannot be exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// Its Verilog cannot be emitted.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// No simulation could be recorded.
    #[error(transparent)]
    Vectors(#[from] VectorsError),
}

/// An exported block.
pub struct Export {
    /// Its files.
    pub folders: Folders,
    /// Name of the FuseSoC core.
    pub core: String,
    /// Assertions that the bind file checks.
    pub assertions: usize,
    /// Assumptions about the block's environment that it checks.
    pub assumptions: usize,
    /// Why the block's own properties are not among them, if so.
    pub without_properties: Option<String>,
    /// Clocks that the testbench runs.
    pub clocks: usize,
}

/// What every file is made from.
struct Source<'d> {
    design: &'d dyn Design,
    circuit: Module,
    layout: PortLayout,
    /// Prefix of every module name.
    prefix: &'d str,
    /// Module name of the block, with the prefix.
    name: String,
    /// Version, licence, block and parameters, line by line.
    header: String,
}

/// Files of one kind in the order in which they are read.
struct Named {
    rtl: Vec<String>,
    checks: Vec<String>,
    constraints: String,
    testbench: String,
    vectors: String,
}

/// The package of a design in `folder`. `prefix` is prepended to every module name.
///
/// # Errors
/// Returns [`ExportError`].
pub fn of_block(design: &dyn Design, folder: &Path, prefix: &str) -> Result<Export, ExportError> {
    let mut folders = of_design(design, folder, prefix)?;
    folders.command = "export";
    let source = Source::new(design, prefix);
    let checks = checks::of(&source)?;
    let recorded = vectors::record(&source)?;
    let name = &source.name;
    let named = Named {
        rtl: innermost_first(&source.circuit)
            .iter()
            .map(|module| format!("{prefix}{module}.v"))
            .collect(),
        checks: checks.files.iter().map(|(file, _)| file.clone()).collect(),
        constraints: format!("{name}.sdc"),
        testbench: format!("{name}_tb.sv"),
        vectors: format!("{name}_vectors.hex"),
    };
    for (file, text) in checks.files {
        folders.push(folder, &file, text);
    }
    folders.push(folder, &named.testbench, testbench::text(&source, &named, &recorded));
    folders.push(folder, &named.vectors, recorded.lines());
    folders.push(folder, &format!("{name}.core"), core::text(&source, &named));
    folders.push(folder, &format!("{name}.veo"), template::text(&source));
    for (file, text) in ipxact::files(&source, &named) {
        folders.push(folder, &file, text);
    }
    Ok(Export {
        folders,
        core: source.vlnv(),
        assertions: checks.assertions,
        assumptions: checks.assumptions,
        without_properties: checks.without,
        clocks: recorded.clocks.len(),
    })
}

impl<'d> Source<'d> {
    fn new(design: &'d dyn Design, prefix: &'d str) -> Self {
        let circuit = design.circuit();
        let layout = circuit.port_layout();
        let name = format!("{prefix}{}", design.name());
        Self { design, circuit, layout, prefix, name, header: header(design) }
    }

    /// Vendor, library, name and version of the core.
    fn vlnv(&self) -> String {
        format!("{VENDOR}:{LIBRARY}:{}:{VERSION}", self.name)
    }

    /// The header as a Verilog comment, then `about`.
    fn verilog_header(&self, about: &str) -> String {
        commented("//", &format!("{}\n{about}", self.header))
    }

    /// What a port means, from the circuit.
    fn port_doc(&self, name: &str) -> Option<&str> {
        let mut ports = self.circuit.inputs().chain(self.circuit.outputs());
        let port = ports.find(|port| self.circuit.port_name(*port) == name)?;
        self.circuit.node(port).doc.as_deref()
    }
}
