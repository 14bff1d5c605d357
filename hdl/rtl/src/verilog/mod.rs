//! Verilog-2005 of a module hierarchy, one file per module, deterministic.
//!
//! The text is clean under `verilator --lint-only -Wall`, `iverilog -Wall`, `yosys check -assert` and slang
//! without waivers. Each memory is a module of its own, so that a RAM macro can replace it.

mod expression;
mod instances;
mod liveness;
mod memory;
mod naming;
mod statements;
mod writer;

pub use memory::MEMORY_ARRAY;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use thiserror::Error;

use crate::builder::is_reserved;
use crate::ir::{Memory, Module};

/// Longest line in characters, unless it cannot be broken.
const COLUMNS: usize = 100;

/// A Verilog file with exactly one module, of the file's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerilogFile {
    /// Name of the module, and with `.v` of the file.
    pub module: String,
    /// Its text.
    pub text: String,
}

impl VerilogFile {
    /// File name: the module's with `.v`.
    pub fn file_name(&self) -> String {
        format!("{}.v", self.module)
    }
}

/// Why a design cannot be emitted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EmitError {
    /// Two different modules have the same name.
    #[error("two different modules are both named `{0}`; include their differences in the name")]
    NameClash(String),
    /// The prefix cannot begin an identifier, or is a reserved word.
    #[error(
        "`{0}` cannot be a prefix of module names; a prefix begins with a letter, continues with \
         at most {MAX_PREFIX} letters, digits and `_` in all, and is no reserved word of Verilog, \
         SystemVerilog or C++, like `gpu0_`"
    )]
    Prefix(String),
    /// A prefixed module has the name of something within it.
    #[error(
        "with that prefix the module `{0}` has the name of a signal in it, which Verilator refuses; \
         choose another prefix"
    )]
    PrefixClash(String),
}

/// Longest prefix of module names in characters, since file names and tools have limits.
pub const MAX_PREFIX: usize = 64;

/// When assertions, assumptions and covers are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Checks {
    /// Where the macro `FORMAL` is defined: in proofs, which begin in reset.
    #[default]
    Formal,
    /// Always, as SystemVerilog: in simulations.
    Simulated,
}

/// Options of the emitted Verilog.
#[derive(Clone, Debug, Default)]
pub struct EmitOptions {
    /// Prefix of every module name, so that a design can contain the circuit twice.
    pub prefix: String,
    /// Comment at the head of every file, line by line.
    pub header: String,
    /// When assertions, assumptions and covers are looked at.
    pub checks: Checks,
    /// Memories of more bits than this become empty `(* blackbox *)` modules for a RAM macro, except those
    /// with asynchronous reads.
    pub black_box_memories_above: Option<u64>,
}

/// The Verilog of `top`, its memories and its submodules; `top` is the first file, the others are sorted by
/// name. Every file restores `default_nettype`.
///
/// # Errors
/// [`EmitError::NameClash`] if two different modules share a name; [`EmitError::Prefix`] and
/// [`EmitError::PrefixClash`] for an unusable prefix.
pub fn emit(top: &Module, options: &EmitOptions) -> Result<Vec<VerilogFile>, EmitError> {
    check_prefix(&options.prefix)?;
    let mut texts = BTreeMap::new();
    collect(top, options, &mut texts)?;
    let name = format!("{}{}", options.prefix, top.name);
    let first = texts.remove(&name).expect("the top module was written");
    let mut files = vec![VerilogFile { module: name, text: first }];
    files.extend(texts.into_iter().map(|(module, text)| VerilogFile { module, text }));
    Ok(files)
}

/// The names of the modules that [`emit`] writes without a prefix, submodules first.
pub fn innermost_first(top: &Module) -> Vec<String> {
    fn add(module: &Module, names: &mut Vec<String>) {
        if names.contains(&module.name) {
            return;
        }
        module.instances.iter().for_each(|instance| add(&instance.module, names));
        names.extend(module.memories.iter().map(|m| memory_module_name(&module.name, m)));
        names.push(module.name.clone());
    }
    let mut names = Vec::new();
    add(top, &mut names);
    names
}

fn check_prefix(prefix: &str) -> Result<(), EmitError> {
    let starts_well = prefix.chars().next().is_none_or(|c| c.is_ascii_alphabetic());
    let goes_on_well = prefix.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let fits = starts_well && goes_on_well && prefix.len() <= MAX_PREFIX;
    match fits && !is_reserved(prefix) {
        true => Ok(()),
        false => Err(EmitError::Prefix(prefix.to_string())),
    }
}

fn collect(
    module: &Module,
    options: &EmitOptions,
    texts: &mut BTreeMap<String, String>,
) -> Result<(), EmitError> {
    let prefix = &options.prefix;
    let name = format!("{prefix}{}", module.name);
    if module.nodes.iter().any(|node| node.name.as_ref() == Some(&name)) {
        return Err(EmitError::PrefixClash(name));
    }
    put(texts, options, &name, writer::module_text(module, prefix, options.checks))?;
    for memory in &module.memories {
        let name = format!("{prefix}{}", memory_module_name(&module.name, memory));
        let limit = options.black_box_memories_above;
        let black_box = limit.is_some_and(|limit| memory.is_macro_above(limit));
        put(texts, options, &name, memory::memory_text(&name, memory, black_box))?;
    }
    module.instances.iter().try_for_each(|instance| collect(&instance.module, options, texts))
}

fn put(
    texts: &mut BTreeMap<String, String>,
    options: &EmitOptions,
    name: &str,
    module: String,
) -> Result<(), EmitError> {
    let header = comment("", &options.header);
    let text = format!("{header}`default_nettype none\n{module}`default_nettype wire\n");
    match texts.insert(name.to_string(), text.clone()) {
        Some(other) if other != text => Err(EmitError::NameClash(name.to_string())),
        _ => Ok(()),
    }
}

/// The Verilog name of a memory's module.
pub fn memory_module_name(module: &str, memory: &Memory) -> String {
    format!("{module}_{}", memory.name)
}

/// `[7:0] ` for eight bits, empty for one.
pub fn range(width: u32) -> String {
    if width == 1 { String::new() } else { format!("[{}:0] ", width - 1) }
}

/// A comment at that indentation, one `//` per line; long lines are broken between words.
fn comment(indent: &str, text: &str) -> String {
    let room = COLUMNS - indent.len() - "// ".len();
    let mut out = String::new();
    // An empty text gives no comment; an empty line within a text is kept.
    for mut line in text.lines() {
        while line.len() > room
            && let Some(space) = line[..=room].rfind(' ').or_else(|| line.find(' '))
        {
            let _ = writeln!(out, "{indent}// {}", &line[..space]);
            line = &line[space + 1..];
        }
        out += format!("{indent}// {line}").trim_end();
        out.push('\n');
    }
    out
}
