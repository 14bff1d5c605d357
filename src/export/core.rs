//! The description of the package for FuseSoC, a CAPI2 core.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Named, Source};
use crate::emission::commented;

#[derive(Serialize)]
struct Core {
    name: String,
    description: String,
    filesets: BTreeMap<&'static str, FileSet>,
    targets: BTreeMap<&'static str, Target>,
}

#[derive(Serialize)]
struct FileSet {
    files: Vec<File>,
    file_type: &'static str,
}

/// A file by its name, or with attributes.
#[derive(Serialize)]
#[serde(untagged)]
enum File {
    Plain(String),
    With(BTreeMap<String, Attributes>),
}

#[derive(Serialize)]
struct Attributes {
    file_type: &'static str,
    copyto: String,
}

#[derive(Serialize)]
struct Target {
    description: &'static str,
    filesets: Vec<&'static str>,
    toplevel: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    flow: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flow_options: Option<FlowOptions>,
}

#[derive(Serialize)]
struct FlowOptions {
    tool: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'static str>,
    verilator_options: Vec<&'static str>,
}

/// The core's text: targets `default`, `lint` and `sim`.
pub fn text(source: &Source<'_>, named: &Named) -> String {
    let core = Core {
        name: source.vlnv(),
        description: source.design.block().summary.to_string(),
        filesets: filesets(named),
        targets: targets(source),
    };
    let yaml = serde_saphyr::to_string(&core).expect("strings and lists are YAML");
    format!("CAPI=2:\n{}{yaml}", commented("#", &source.header))
}

fn filesets(named: &Named) -> BTreeMap<&'static str, FileSet> {
    let plain = |names: &[String], file_type| FileSet {
        files: names.iter().cloned().map(File::Plain).collect(),
        file_type,
    };
    // The testbench reads the vectors from the folder in which it runs.
    let copied = Attributes { file_type: "user", copyto: named.vectors.clone() };
    let vectors = File::With([(named.vectors.clone(), copied)].into());
    let testbench = FileSet {
        files: vec![File::Plain(named.testbench.clone()), vectors],
        file_type: "systemVerilogSource",
    };
    [
        ("rtl", plain(&named.rtl, "verilogSource-2005")),
        ("constraints", plain(std::slice::from_ref(&named.constraints), "SDC")),
        ("checks", plain(&named.checks, "systemVerilogSource")),
        ("testbench", testbench),
    ]
    .into()
}

fn targets(source: &Source<'_>) -> BTreeMap<&'static str, Target> {
    let default = Target {
        description: "The block and its timing constraints, for a design that uses it",
        filesets: vec!["rtl", "constraints"],
        toplevel: source.name.clone(),
        flow: None,
        flow_options: None,
    };
    let verilator = |mode, options: &[&'static str]| {
        Some(FlowOptions { tool: "verilator", mode, verilator_options: options.to_vec() })
    };
    let lint = Target {
        description: "All warnings of Verilator",
        filesets: vec!["rtl"],
        toplevel: source.name.clone(),
        flow: Some("lint"),
        flow_options: verilator(None, &["-Wall"]),
    };
    let sim = Target {
        description: "A recorded simulation, with the contract checked",
        filesets: vec!["rtl", "checks", "testbench"],
        toplevel: format!("{}_tb", source.name),
        flow: Some("sim"),
        flow_options: verilator(Some("binary"), &["--assert"]),
    };
    [("default", default), ("lint", lint), ("sim", sim)].into()
}
