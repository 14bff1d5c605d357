//! Mutants: one netlist that holds them all, with an input that chooses.
//!
//! Yosys flattens the circuit, draws mutations, and builds every one of them in behind a multiplexer.
//! The result is written twice: as Verilog for co-simulation, and for proofs with everything that is
//! undefined made an input.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use warpsmith_testbench::verilator::{VerilogFile, VerilogSource};

use super::location::{Location, Names};
use super::mutation::Mutation;
use crate::flow::FlowError;
use crate::flow::folder::Folder;
use crate::flow::tool::Program;
use crate::flow::yosys::run_script;

/// The input that chooses the mutant; 0 is the circuit itself.
pub const CHOOSER: &str = "mutsel";
/// The netlist for proofs, a module of the circuit's name.
pub const PROOF_NETLIST: &str = "proof.il";
/// Time limit for preparing netlists: mostly seconds.
const LIMIT: Duration = Duration::from_secs(3600);

/// The most mutations that are built into one netlist.
pub const MOST: u32 = 1 << 16;

/// A mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutant {
    /// Its number from 1: what the chooser is set to.
    pub number: u32,
    /// What is changed.
    pub mutation: Mutation,
    /// The change in words.
    pub change: String,
    /// Where; absent if yosys does not say.
    pub location: Option<Location>,
    /// The signal that is changed, or the first that follows from what is.
    pub signal: Option<String>,
}

/// A netlist with its mutants.
pub struct Planted {
    /// Name of the circuit's module.
    pub top: String,
    /// Width of the chooser.
    pub width: u32,
    /// The mutants, in the order of their numbers.
    pub mutants: Vec<Mutant>,
    /// The netlist in Verilog.
    pub verilog: VerilogSource,
    /// Inputs of [`PROOF_NETLIST`] that stand for what is undefined, with their widths.
    pub undefined: Vec<(String, u32)>,
}

/// Draws mutations of a circuit and builds them in.
///
/// # Errors
/// See [`FlowError`].
pub fn plant(
    yosys: &Program,
    folder: &Folder,
    source: &VerilogSource,
    count: u32,
    seed: u32,
) -> Result<Planted, FlowError> {
    let mut script = flatten(folder, source)?;
    // The circuit's own assertions are watched, not mutated.
    script += "write_rtlil whole.il\nchformal -remove\nopt_clean\nwrite_json design.json\n";
    let drawn = count.saturating_add(count / 4 + 32);
    script += &format!("mutate -list {drawn} -seed {seed} -o mutations.txt\n");
    run_script(yosys, folder, "draw", &script, LIMIT)?;

    let mutants = read_mutants(folder, source, count)?;
    let width = (mutants.len() as u32 + 1).next_power_of_two().trailing_zeros().max(1);
    let mut script = "read_rtlil whole.il\n".to_string();
    for Mutant { number, mutation, .. } in &mutants {
        script += &mutation.command(&source.top, CHOOSER, width, *number);
        script.push('\n');
    }
    finish(yosys, folder, source, script, width, mutants)
}

/// Takes a circuit whose author has built mutants in, with the input [`CHOOSER`] of that width.
///
/// # Errors
/// See [`FlowError`].
pub fn planted_by_hand(
    yosys: &Program,
    folder: &Folder,
    source: &VerilogSource,
    width: u32,
    mutants: Vec<Mutant>,
) -> Result<Planted, FlowError> {
    let script = flatten(folder, source)?;
    finish(yosys, folder, source, script, width, mutants)
}

/// As `prep -flatten`, but reads of memories stay as they were written: what they give for a row that
/// is being written is then an undefined value like any other.
fn flatten(folder: &Folder, source: &VerilogSource) -> Result<String, FlowError> {
    let mut script = String::new();
    for VerilogFile { name, text } in &source.files {
        folder.write(name, text)?;
        script += &format!("read_verilog -formal {name}\n");
    }
    script += &format!("hierarchy -check -top {}\n", source.top);
    script += "proc\nflatten\nopt_expr -keepdc\nopt_clean\nopt -noff -keepdc\nwreduce -keepdc\n\
               opt_clean\nmemory_collect\nopt -noff -keepdc -fast\n";
    Ok(script)
}

fn finish(
    yosys: &Program,
    folder: &Folder,
    source: &VerilogSource,
    mut script: String,
    width: u32,
    mutants: Vec<Mutant>,
) -> Result<Planted, FlowError> {
    folder.write("powerup.v", include_str!("powerup.v"))?;
    script += "chformal -remove\nopt_clean\nwrite_verilog -noattr mutants.v\n";
    script += "memory_map\nopt_clean\ntechmap -autoproc -max_iter 1 -map powerup.v\n";
    // Every undefined constant gets a net of its own, and every such net becomes an input.
    script += "setundef -anyseq\n\
               select -set free t:$anyseq %co1 t:* %d w:*undefined %u\n\
               delete t:$anyseq\n\
               rename -enumerate -pattern undefined_% @free\n\
               setundef -undriven -expose -undef\nopt_clean\n";
    script += &format!("write_rtlil {PROOF_NETLIST}\nwrite_json proof.json\n");
    run_script(yosys, folder, "plant", &script, LIMIT)?;

    let text = folder.read("mutants.v")?;
    let file = VerilogFile { name: "mutants.v".to_string(), text };
    Ok(Planted {
        top: source.top.clone(),
        width,
        mutants,
        verilog: VerilogSource { top: source.top.clone(), files: vec![file] },
        undefined: undefined_inputs(folder, &source.top)?,
    })
}

fn read_mutants(
    folder: &Folder,
    source: &VerilogSource,
    count: u32,
) -> Result<Vec<Mutant>, FlowError> {
    let netlist = folder.read_json("design.json")?;
    let files: Vec<_> =
        source.files.iter().map(|file| (file.name.as_str(), file.text.as_str())).collect();
    let unusable = |file: &str, what: String| FlowError::Report { path: folder.file(file), what };
    let names = Names::read(&netlist, &source.top, &files)
        .ok_or_else(|| unusable("design.json", format!("no netlist of {}", source.top)))?;
    let mut mutants = Vec::new();
    for line in folder.read("mutations.txt")?.lines() {
        let mutation = Mutation::read(line)
            .ok_or_else(|| unusable("mutations.txt", format!("`{line}` is no mutation")))?;
        if !mutation.is_of_logic() {
            continue;
        }
        mutants.push(Mutant {
            number: mutants.len() as u32 + 1,
            change: match names.kind(&mutation) {
                Some(kind) => format!("{kind} {mutation}"),
                None => mutation.to_string(),
            },
            location: names.location(&mutation),
            signal: names.signal(&mutation),
            mutation,
        });
        if mutants.len() == count as usize {
            break;
        }
    }
    match mutants.is_empty() {
        true => Err(FlowError::Input(format!("{} has no cell to be mutated", source.top))),
        false => Ok(mutants),
    }
}

fn undefined_inputs(folder: &Folder, top: &str) -> Result<Vec<(String, u32)>, FlowError> {
    let netlist = folder.read_json("proof.json")?;
    let ports = netlist["modules"][top]["ports"].as_object();
    let ports = ports.ok_or_else(|| FlowError::Report {
        path: folder.file("proof.json"),
        what: format!("no ports of module {top}"),
    })?;
    let inputs = ports.iter().filter(|(name, _)| name.starts_with("undefined_"));
    let width = |port: &serde_json::Value| port["bits"].as_array().map_or(0, Vec::len) as u32;
    Ok(inputs.map(|(name, port)| (name.clone(), width(port))).collect())
}
