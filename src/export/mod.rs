//! A block as a package for other people's projects: a FuseSoC core, the contract as a SystemVerilog bind
//! file, a proof of it, an IP-XACT component, an instantiation template, and a testbench.

mod checks;
mod core;
mod formal;
mod ipxact;
mod template;
mod testbench;
mod vectors;

use std::path::{Path, PathBuf};

use thiserror::Error;
use warpsmith_blocks::block::Design;
use warpsmith_rtl::verilog::{EmitError, innermost_first};
use warpsmith_rtl::{Module, PortLayout};

use crate::emission::{Folders, commented, header, of_design, variant};

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
    /// The folder that they are in.
    pub folder: PathBuf,
    /// Vendor, library, name and version of the FuseSoC core.
    pub core: String,
    /// Its name.
    pub package: String,
    /// Assertions that the bind file checks.
    pub assertions: usize,
    /// Assumptions about the block's environment that it checks.
    pub assumptions: usize,
    /// Why the block's own properties are not among them, if so.
    pub without_properties: Option<String>,
    /// Clocks that the testbench runs.
    pub clocks: usize,
    /// Folders of other packages with modules of the same names, which one design cannot hold beside these.
    pub same_modules: Vec<PathBuf>,
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
    /// What no other parameters are called.
    variant: String,
    /// Version, licence, block and parameters, line by line.
    header: String,
}

/// Files of one kind in the order in which they are read.
struct Named {
    rtl: Vec<String>,
    checks: Vec<String>,
    formal: formal::Formal,
    constraints: String,
    testbench: String,
    vectors: String,
}

/// The package of a design in a folder of its own in `cores`. `prefix` is prepended to every module name.
///
/// # Errors
/// Returns [`ExportError`].
pub fn of_block(design: &dyn Design, cores: &Path, prefix: &str) -> Result<Export, ExportError> {
    let source = Source::new(design, prefix);
    let folder = &cores.join(&source.name).join(&source.variant);
    let mut folders = of_design(design, folder, prefix)?;
    folders.command = "export";
    let checks = checks::of(&source)?;
    let recorded = vectors::record(&source)?;
    let name = &source.name;
    let named = Named {
        rtl: innermost_first(&source.circuit)
            .iter()
            .map(|module| format!("{prefix}{module}.v"))
            .collect(),
        checks: checks.files.iter().map(|(file, _)| file.clone()).collect(),
        formal: formal::of(&source, &checks.properties),
        constraints: format!("{name}.sdc"),
        testbench: format!("{name}_tb.sv"),
        vectors: format!("{name}_vectors.hex"),
    };
    for (file, text) in checks.files {
        folders.push(folder, &file, text);
    }
    let formal::Formal { verilog, script, .. } = &named.formal;
    for (file, text) in [verilog, script] {
        folders.push(folder, file, text.clone());
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
        folder: folder.clone(),
        core: source.vlnv(),
        package: source.package(),
        assertions: checks.assertions,
        assumptions: checks.assumptions,
        without_properties: checks.without,
        clocks: recorded.clocks.len(),
        same_modules: same_modules(cores, folder, &named.rtl),
    })
}

/// The folders of other packages in `cores` that hold one of these files. A folder that cannot be read holds none.
fn same_modules(cores: &Path, own: &Path, files: &[String]) -> Vec<PathBuf> {
    let within = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let packages = within(cores).into_iter().flat_map(|block| within(&block));
    let is_same = |folder: &PathBuf| files.iter().any(|file| folder.join(file).exists());
    let mut same: Vec<_> = packages.filter(|folder| folder != own).filter(is_same).collect();
    same.sort();
    same
}

impl<'d> Source<'d> {
    fn new(design: &'d dyn Design, prefix: &'d str) -> Self {
        let circuit = design.circuit();
        let layout = circuit.port_layout();
        let name = format!("{prefix}{}", design.name());
        let (variant, header) = (variant(design), header(design));
        Self { design, circuit, layout, prefix, name, variant, header }
    }

    /// Name of the core and of the component. Other parameters are another design, hence another name.
    fn package(&self) -> String {
        format!("{}_{}", self.name, self.variant)
    }

    /// Vendor, library, name and version of the core.
    fn vlnv(&self) -> String {
        format!("{VENDOR}:{LIBRARY}:{}:{VERSION}", self.package())
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
