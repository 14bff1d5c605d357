//! A proof of the contract by SymbiYosys: a top around the block and its properties, and the script.

use warpsmith_rtl::verilog::innermost_first;

use super::Source;
use crate::emission::commented;
use crate::flow::prove::read_script;
use crate::flow::prove::top::top;

/// Clocks of the bounded proof, the reset included.
const DEPTH: u32 = 12;

/// The files of a proof.
pub struct Formal {
    /// Name of the top module.
    pub top: String,
    /// Its file's name and text.
    pub verilog: (String, String),
    /// The script's name and text.
    pub script: (String, String),
    /// Names of all Verilog files that the script reads.
    pub reads: Vec<String>,
}

/// A proof of the block with these files of properties.
pub fn of(source: &Source<'_>, properties: &[String]) -> Formal {
    let top = top(source.design, &source.circuit, false, source.prefix);
    let rtl = innermost_first(&source.circuit);
    let file = format!("{}.sv", top.name);
    let mut reads: Vec<_> =
        rtl.iter().map(|module| format!("{}{module}.v", source.prefix)).collect();
    reads.extend_from_slice(properties);
    reads.push(file.clone());

    let header = source.verilog_header("For proofs by SymbiYosys.");
    let text = format!("{header}`default_nettype none\n{}`default_nettype wire\n", top.verilog);
    let name = format!("{}.sby", source.name);
    let about = format!(
        "{}\nThe contract, in any legal environment, for {DEPTH} clocks. In this folder: sby -f -d /tmp/{} {name}",
        source.header, source.name
    );
    let script = format!(
        "{}[options]\nmode bmc\ndepth {DEPTH}\n\n[engines]\nsmtbmc yices\n\n[script]\n{}\n[files]\n{}\n",
        commented("#", &about),
        read_script(&reads, &top, ""),
        reads.join("\n"),
    );
    Formal { verilog: (file, text), script: (name, script), top: top.name, reads }
}
