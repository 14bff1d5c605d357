//! Verilog-2005 of a module and of everything in it, one file a module, the same text every time.
//!
//! The text is clean under `verilator --lint-only -Wall`, `iverilog -Wall`, `yosys check -assert`
//! and slang without waivers. A memory is a module of its own, so that a RAM macro can take its
//! place.

mod expression;
mod liveness;
mod memory;
mod statements;
mod writer;

pub use memory::MEMORY_ARRAY;

use std::collections::BTreeMap;

use thiserror::Error;

use crate::ir::{Memory, Module};

/// One Verilog file: exactly one module, of the file's name.
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

/// Why a design has no Verilog.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EmitError {
    /// Two modules of one name differ.
    #[error("two different modules are both named `{0}`; put what they differ in into the name")]
    NameClash(String),
}

/// How to write Verilog.
#[derive(Clone, Debug, Default)]
pub struct EmitOptions {
    /// Memories of more bits than this become empty `(* blackbox *)` modules for a RAM macro, but
    /// for those that are read without a clock.
    pub black_box_memories_above: Option<u64>,
}

/// The Verilog of `top`, its memories and the modules in it; `top` is the first file, the others
/// follow by name.
///
/// # Errors
/// [`EmitError::NameClash`] if two different modules share a name.
pub fn emit(top: &Module, options: &EmitOptions) -> Result<Vec<VerilogFile>, EmitError> {
    let mut texts = BTreeMap::new();
    collect(top, options, &mut texts)?;
    let first = texts.remove(&top.name).expect("the top module was written");
    let mut files = vec![VerilogFile { module: top.name.clone(), text: first }];
    files.extend(texts.into_iter().map(|(module, text)| VerilogFile { module, text }));
    Ok(files)
}

fn collect(
    module: &Module,
    options: &EmitOptions,
    texts: &mut BTreeMap<String, String>,
) -> Result<(), EmitError> {
    put(texts, &module.name, writer::module_text(module))?;
    for memory in &module.memories {
        let name = memory_module_name(&module.name, memory);
        let limit = options.black_box_memories_above;
        let black_box = limit.is_some_and(|limit| memory.is_macro_above(limit));
        put(texts, &name, memory::memory_text(&name, memory, black_box))?;
    }
    module.instances.iter().try_for_each(|instance| collect(&instance.module, options, texts))
}

fn put(texts: &mut BTreeMap<String, String>, name: &str, text: String) -> Result<(), EmitError> {
    match texts.insert(name.to_string(), text.clone()) {
        Some(other) if other != text => Err(EmitError::NameClash(name.to_string())),
        _ => Ok(()),
    }
}

/// The Verilog name of a memory's module.
pub fn memory_module_name(module: &str, memory: &Memory) -> String {
    format!("{module}_{}", memory.name)
}

/// `[7:0] ` for eight bits, nothing for one.
fn range(width: u32) -> String {
    if width == 1 { String::new() } else { format!("[{}:0] ", width - 1) }
}

/// A comment, one `//` a line, at that indentation.
fn comment(indent: &str, text: &str) -> String {
    // An empty text is no comment, an empty line within one is.
    text.lines().map(|line| format!("{indent}// {line}").trim_end().to_string() + "\n").collect()
}
