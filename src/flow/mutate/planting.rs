//! Builds all mutants into one netlist with a chooser input.
//!
//! Yosys flattens the circuit and draws mutations; [others](super::own) are drawn from the same netlist. Each
//! is inserted behind a multiplexer. The result is written twice: as Verilog for co-simulation, and for
//! proofs with every undefined value made an input.

use std::time::Duration;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use warpsmith_blocks::same_row::Hashing;
use warpsmith_testbench::verilator::{VerilogFile, VerilogSource};

use super::edit::Editor;
use super::location::{Location, Names};
use super::mutation::{Mode, Mutation, MutationKind};
use super::no_fault;
use super::own;
use super::proof_netlist::{Memories, ProofNetlist, Registers, for_proofs};
use crate::flow::FlowError;
use crate::flow::folder::Folder;
use crate::flow::netlist::{self, Bit, Module};
use crate::flow::tool::Program;
use crate::flow::users::Verilog;
use crate::flow::yosys::run_script;

/// The input that selects the mutant; 0 is the unchanged circuit.
pub const CHOOSER: &str = "mutsel";
/// The flattened netlist that mutations are drawn from.
pub const DESIGN: &str = "design.json";
/// Mutants make the bits of a vector depend on each other. Verilator 5.006 sees a loop then, and may evaluate it
/// wrongly, unless each driver has a net of its own.
pub const TO_VERILOG: &str = "splitnets -driver\nopt_clean\n";
/// Time limit for preparing netlists, which mostly takes seconds.
pub const LIMIT: Duration = Duration::from_secs(3600);

/// A mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutant {
    /// Number, counted from 1.
    pub number: u32,
    /// The kind of fault.
    pub kind: MutationKind,
    /// The change.
    pub mutation: Mutation,
    /// The change in words.
    pub change: String,
    /// Location in the Verilog; absent if yosys gives none.
    pub location: Option<Location>,
    /// The signal that is changed, or the first named one in its fan-out.
    pub signal: Option<String>,
    /// Why it is no fault, if its place says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub argument: Option<String>,
}

impl Mutant {
    /// Mutant of a circuit whose author built in the mutants ([`planted_by_hand`]).
    pub fn by_hand(number: u32) -> Self {
        let (cell, port) = (format!("by hand {number}"), String::new());
        let mutation = Mutation { mode: Mode::Inv, cell, port, bit: 0, control: None };
        let (kind, change) = (MutationKind::Yosys, String::new());
        Self { number, kind, mutation, change, location: None, signal: None, argument: None }
    }

    /// Whether its change, signal or line contains the text.
    fn has(&self, text: &str) -> bool {
        let line = self.location.as_ref().map(|location| &location.text);
        [Some(&self.change), self.signal.as_ref(), line]
            .into_iter()
            .flatten()
            .any(|t| t.contains(text))
    }
}

/// A netlist with mutants.
#[derive(Clone)]
pub struct Planted {
    /// Name of the circuit's module.
    pub top: String,
    /// Width of the chooser.
    pub width: u32,
    /// The netlist in Verilog.
    pub verilog: VerilogSource,
    /// The netlist for proofs; none where a memory cannot be cut out.
    pub for_proofs: Option<ProofNetlist>,
    /// Prefix of its files.
    name: String,
    memories: Memories,
}

/// Which mutations to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The kinds, about the same number of each.
    pub kinds: Vec<MutationKind>,
    /// How many at most; none: all candidates, except yosys's.
    pub count: Option<u32>,
    /// Seed of the draw.
    pub seed: u32,
    /// Keep only mutants whose change, signal or line contains this text.
    pub only: Option<String>,
}

/// Draws mutations of a circuit.
///
/// # Errors
/// Returns [`FlowError`] if a tool is missing or fails.
pub fn draw(
    yosys: &Program,
    folder: &Folder,
    source: &Verilog,
    selection: &Selection,
    hashing: &Hashing,
) -> Result<Vec<Mutant>, FlowError> {
    let Selection { kinds, count, seed, only } = selection;
    prepare(yosys, folder, source, selection)?;
    let module = flattened(folder, &source.top)?;
    let of_yosys = count.filter(|_| kinds.contains(&MutationKind::Yosys));
    let own: Vec<_> = kinds.iter().copied().filter(|kind| *kind != MutationKind::Yosys).collect();
    let share = |count: u32| count - of_yosys.map_or(0, |count| count.div_ceil(kinds.len() as u32));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(u64::from(*seed));
    let names = Names::new(&module, &source.files);
    let mut mutations = own::draw(&names, &own, count.map(share), &mut rng);
    if let Some(count) = of_yosys {
        let count = (count as usize).saturating_sub(mutations.len());
        let of_logic = |mutation: &Mutation| !is_of_undefined(&module, mutation);
        mutations.extend(read_mutations(folder)?.into_iter().filter(of_logic).take(count));
    }
    if mutations.is_empty() {
        let (top, names) = (&source.top, kinds.iter().map(|kind| kind.name()));
        let names = names.collect::<Vec<_>>().join(", ");
        return Err(FlowError::Input(format!("{top} has no place for a mutation of kind {names}")));
    }
    let mutant = |(number, mutation)| mutant(&names, number, mutation, hashing);
    let mut mutants: Vec<_> = (1..).zip(mutations).map(mutant).collect();
    if let Some(only) = only {
        let count = mutants.len();
        mutants.retain(|mutant| mutant.has(only));
        if mutants.is_empty() {
            let what = format!("--only `{only}`: none of the {count} mutants drawn contains it");
            return Err(FlowError::Input(what + " in its change, its signal or its line"));
        }
    }
    Ok(mutants)
}

/// Makes the flattened netlist, and yosys's mutations if requested.
///
/// # Errors
/// Returns [`FlowError`] if a tool is missing or fails.
pub fn prepare(
    yosys: &Program,
    folder: &Folder,
    source: &Verilog,
    selection: &Selection,
) -> Result<(), FlowError> {
    let Selection { kinds, count, seed, .. } = selection;
    let mut script = flatten(folder, source)?;
    // The circuit's own assertions are checked, not mutated.
    script += &format!("chformal -remove\nopt_clean\nwrite_rtlil whole.il\nwrite_json {DESIGN}\n");
    if let Some(count) = count.filter(|_| kinds.contains(&MutationKind::Yosys)) {
        // Some of them are discarded later.
        let drawn = count.saturating_add(count / 4 + 32);
        script += &format!("mutate -list {drawn} -seed {seed} -o mutations.txt\n");
    }
    run_script(yosys, folder, "draw", &script, LIMIT)?;
    Ok(())
}

/// The flattened netlist.
///
/// # Errors
/// Returns [`FlowError`] if a tool is missing or fails.
pub fn flattened(folder: &Folder, top: &str) -> Result<Module, FlowError> {
    netlist::module(folder, DESIGN, top)
}

/// Builds mutants into the netlist that they were drawn from. The first has chooser value 1.
///
/// # Errors
/// Returns [`FlowError`] if a tool is missing or fails.
pub fn plant(
    yosys: &Program,
    folder: &Folder,
    top: &str,
    mutants: &[Mutant],
    name: &str,
    memories: Memories,
) -> Result<Planted, FlowError> {
    let width = (mutants.len() as u32 + 1).next_power_of_two().trailing_zeros();
    let mut editor = Editor::new(&folder.read(DESIGN)?, top, CHOOSER, width);
    let mut commands = String::new();
    for (choice, Mutant { mutation, .. }) in (1..).zip(mutants) {
        if let Some(command) = mutation.command(top, CHOOSER, width, choice) {
            commands += &format!("{command}\n");
        } else if editor.as_mut().and_then(|editor| editor.make(mutation, choice)).is_none() {
            let (path, cell) = (folder.file(DESIGN), &mutation.cell);
            return Err(FlowError::Report {
                path,
                what: format!("no place for {mutation} in {cell}"),
            });
        }
    }
    let mut script = "read_rtlil whole.il\n".to_string();
    if let Some(editor) = editor.filter(|_| mutants.iter().any(|m| m.kind != MutationKind::Yosys)) {
        let file = format!("{name}.json");
        folder.write(&file, &editor.text())?;
        script = format!("read_json {file}\n");
    }
    script += &commands;
    finish(yosys, folder, top, script, width, name, memories)
}

/// Wraps a circuit whose author built in the mutants, with an input [`CHOOSER`] of `width` bits.
///
/// # Errors
/// Returns [`FlowError`] if a tool is missing or fails.
pub fn planted_by_hand(
    yosys: &Program,
    folder: &Folder,
    source: &Verilog,
    width: u32,
    memories: Memories,
) -> Result<Planted, FlowError> {
    let script = flatten(folder, source)? + &format!("write_json {DESIGN}\n");
    finish(yosys, folder, &source.top, script, width, "by-hand", memories)
}

/// Like `prep -flatten`, but keeps memory reads as written: reading a row at the clock of its write gives an
/// undefined value.
fn flatten(folder: &Folder, source: &Verilog) -> Result<String, FlowError> {
    let mut script = source.read(folder, true)?;
    script += &format!("hierarchy -check -top {}\n", source.top);
    script += "proc\nflatten\nopt_expr -keepdc\nopt_clean\nopt -noff -keepdc\nwreduce -keepdc\n\
               opt_clean\nmemory_collect\nopt -noff -keepdc -fast\n";
    Ok(script)
}

fn finish(
    yosys: &Program,
    folder: &Folder,
    top: &str,
    mut script: String,
    width: u32,
    name: &str,
    memories: Memories,
) -> Result<Planted, FlowError> {
    let verilog = format!("{name}.v");
    let whole = whole(name);
    // Mutants select several inputs of a parallel multiplexer at once, which has no defined meaning; a tree of
    // multiplexers has.
    script += &format!("chformal -remove\npmuxtree\nopt_clean\nwrite_json {whole}\n{TO_VERILOG}");
    script += &format!("write_verilog -noattr {verilog}\n");
    run_script(yosys, folder, name, &script, LIMIT)?;
    let file = VerilogFile { text: folder.read(&verilog)?, name: verilog };
    let for_proofs = for_proofs(yosys, folder, top, name, memories, Registers::Own)?;
    let verilog = VerilogSource { top: top.to_string(), files: vec![file] };
    Ok(Planted {
        top: top.to_string(),
        width,
        verilog,
        for_proofs,
        name: name.to_string(),
        memories,
    })
}

/// File of the netlist with all mutants.
pub fn whole(name: &str) -> String {
    format!("{name}-whole.json")
}

impl Planted {
    /// The same mutants with registers treated otherwise in the netlist for proofs.
    ///
    /// # Errors
    /// Returns [`FlowError`] if a tool is missing or fails.
    pub fn with(
        &self,
        registers: Registers<'_>,
        yosys: &Program,
        folder: &Folder,
    ) -> Result<Self, FlowError> {
        // Memories with the same writes need not be in the shared state.
        let memories = match registers {
            Registers::Shared => Memories::CutOut,
            _ => self.memories,
        };
        let for_proofs = for_proofs(yosys, folder, &self.top, &self.name, memories, registers)?;
        Ok(Self { for_proofs, ..self.clone() })
    }
}

/// Reads the mutations that yosys drew.
fn read_mutations(folder: &Folder) -> Result<Vec<Mutation>, FlowError> {
    let text = folder.read("mutations.txt")?;
    let read = |line| {
        Mutation::read(line).ok_or_else(|| FlowError::Report {
            path: folder.file("mutations.txt"),
            what: format!("`{line}` is not a mutation"),
        })
    };
    let all: Result<Vec<_>, _> = text.lines().map(read).collect();
    Ok(all?.into_iter().filter(Mutation::is_of_logic).collect())
}

/// Whether the changed bit is an undefined constant, of which any value is right.
fn is_of_undefined(module: &Module, mutation: &Mutation) -> bool {
    let port = module.cells.get(&mutation.cell).and_then(|c| c.connections.get(&mutation.port));
    let bit = port.and_then(|bits| bits.get(mutation.bit as usize));
    bit.is_some_and(|bit| *bit == Bit::Constant("x".to_string()))
}

/// A mutant with its location and description.
pub fn mutant(names: &Names<'_>, number: u32, mutation: Mutation, hashing: &Hashing) -> Mutant {
    let kind = mutation.mode.kind();
    let expression = match kind {
        MutationKind::Comparator | MutationKind::Limit | MutationKind::Swap => {
            names.expression(&mutation)
        }
        _ => None,
    };
    let change = match (expression, names.kind(&mutation)) {
        (Some(expression), _) => format!("`{expression}`: {mutation}"),
        (None, Some(cell)) => format!("{cell} {mutation}"),
        (None, None) => mutation.to_string(),
    };
    Mutant {
        number,
        kind,
        change,
        location: names.location(&mutation),
        signal: names.signal(&mutation),
        argument: no_fault::argument(names, &mutation, hashing),
        mutation,
    }
}
