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
    #[serde(skip_serializing_if = "Option::is_none")]
    default_tool: Option<&'static str>,
}

#[derive(Serialize)]
struct FlowOptions {
    tool: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'static str>,
    verilator_options: Vec<&'static str>,
}

/// The core's text: targets `default`, `synth`, `lint`, `sim` and `formal`.
pub fn text(source: &Source<'_>, named: &Named) -> String {
    let core = Core {
        name: source.vlnv(),
        description: source.design.block().summary.to_string(),
        filesets: filesets(named),
        targets: targets(source, named),
    };
    let yaml = serde_saphyr::to_string(&core).expect("strings and lists are YAML");
    format!("CAPI=2:\n{}{yaml}", commented("#", &source.header))
}

fn filesets(named: &Named) -> BTreeMap<&'static str, FileSet> {
    let plain = |names: &[String], file_type| FileSet {
        files: names.iter().cloned().map(File::Plain).collect(),
        file_type,
    };
    // The testbench reads the vectors from the folder in which it runs, and sby all of its files.
    let copied = |name: &String, file_type| {
        File::With([(name.clone(), Attributes { file_type, copyto: name.clone() })].into())
    };
    let testbench = FileSet {
        files: vec![File::Plain(named.testbench.clone()), copied(&named.vectors, "user")],
        file_type: "systemVerilogSource",
    };
    let read = named.formal.reads.iter().map(|name| copied(name, "systemVerilogSource"));
    let formal = FileSet {
        files: read.chain([copied(&named.formal.script.0, "sbyConfigTemplate")]).collect(),
        file_type: "systemVerilogSource",
    };
    [
        ("rtl", plain(&named.rtl, "verilogSource-2005")),
        ("constraints", plain(std::slice::from_ref(&named.constraints), "SDC")),
        ("checks", plain(&named.checks, "systemVerilogSource")),
        ("testbench", testbench),
        ("formal", formal),
    ]
    .into()
}

fn targets(source: &Source<'_>, named: &Named) -> BTreeMap<&'static str, Target> {
    let target = |description, filesets: &[&'static str], toplevel: &str| Target {
        description,
        filesets: filesets.to_vec(),
        toplevel: toplevel.to_string(),
        flow: None,
        flow_options: None,
        default_tool: None,
    };
    let verilator = |mode, options: &[&'static str]| {
        Some(FlowOptions { tool: "verilator", mode, verilator_options: options.to_vec() })
    };
    let default = target("The block, for a design that uses it", &["rtl"], &source.name);
    let synth =
        target("The block alone, with timing constraints", &["rtl", "constraints"], &source.name);
    let lint = Target {
        flow: Some("lint"),
        flow_options: verilator(None, &["-Wall"]),
        ..target("All warnings of Verilator", &["rtl"], &source.name)
    };
    let sim = Target {
        flow: Some("sim"),
        flow_options: verilator(Some("binary"), &["--assert"]),
        ..target(
            "A recorded simulation, with the contract checked",
            &["rtl", "checks", "testbench"],
            &format!("{}_tb", source.name),
        )
    };
    let formal = Target {
        default_tool: Some("symbiyosys"),
        ..target("A proof of the contract", &["formal"], &named.formal.top)
    };
    [("default", default), ("synth", synth), ("lint", lint), ("sim", sim), ("formal", formal)]
        .into()
}
