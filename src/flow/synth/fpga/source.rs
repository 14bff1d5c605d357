//! The Verilog to synthesize: a design's or a user's.

use warpsmith_rtl::Netlist;
use warpsmith_rtl::verilog::MEMORY_ARRAY;
use warpsmith_testbench::backend::verilog_source;

use super::super::Subject;
use crate::flow::FlowError;
use crate::flow::folder::Folder;
use crate::flow::users::Verilog;

/// Verilog with a top module, one clock, and no bidirectional ports.
#[derive(Clone, Debug)]
pub struct Source {
    /// Name in the record.
    pub block: String,
    /// Preset, or `custom`.
    pub preset: String,
    /// Parameters, for the record.
    pub params: toml::Table,
    /// Its files, with the top module.
    pub verilog: Verilog,
    /// Its clock input. A reset is an ordinary input.
    pub clock: String,
    /// Its memories; if absent, those that yosys finds.
    pub memories: Option<Vec<ArrayMemory>>,
}

/// A memory to find among the cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayMemory {
    /// Name in the record.
    pub name: String,
    /// Its array in the Verilog, as a dotted instance path.
    pub array: String,
    /// Rows.
    pub rows: u32,
    /// Bits in a row.
    pub width: u32,
}

impl Source {
    /// The emitted Verilog of a design.
    ///
    /// # Errors
    /// [`FlowError::Emit`] or [`FlowError::Netlist`].
    pub fn of_design(subject: &Subject<'_>) -> Result<Self, FlowError> {
        let circuit = subject.design.circuit();
        let memories = Netlist::flatten(&circuit)?.storage().memories;
        let memories = memories.into_iter().map(|(name, rows, width)| {
            let array = format!("{name}.{MEMORY_ARRAY}");
            ArrayMemory { name, array, rows, width }
        });
        Ok(Self {
            block: subject.design.name().to_string(),
            preset: subject.preset.to_string(),
            params: subject.design.params(),
            verilog: Verilog::plain(verilog_source(&circuit)?),
            clock: "clk".to_string(),
            memories: Some(memories.collect()),
        })
    }

    /// Rejects names that a script cannot carry.
    ///
    /// # Errors
    /// [`FlowError::Input`] for such a name.
    pub fn check(&self) -> Result<(), FlowError> {
        let refuse = |what: String| Err(FlowError::Input(what));
        let Verilog { top, files, .. } = &self.verilog;
        if files.is_empty() {
            return refuse(format!("{}: no Verilog file is given", self.block));
        }
        let own = files.iter().map(|file| &file.name).take_while(|_| !self.verilog.is_users());
        for (i, name) in own.enumerate() {
            let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
            let begins_well = name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
            let is_verilog = name.ends_with(".v") || name.ends_with(".sv");
            if !(begins_well && name.chars().all(plain) && is_verilog) {
                return refuse(format!(
                    "Verilog file `{name}`: a name of letters, digits, `_`, `-` and `.` that ends \
                     in .v or .sv is accepted"
                ));
            }
            if files[..i].iter().any(|other| other.name == *name) {
                return refuse(format!("two Verilog files are both named {name}"));
            }
        }
        for (what, name) in [("top module", top), ("clock", &self.clock)] {
            if !is_identifier(name) {
                return refuse(format!("{what} `{name}` is not a plain Verilog identifier"));
            }
        }
        Ok(())
    }

    /// Writes the files and returns the script lines that read them.
    ///
    /// # Errors
    /// [`FlowError::File`] if a file cannot be written.
    pub fn write(&self, folder: &Folder) -> Result<String, FlowError> {
        self.verilog.read(folder, false)
    }
}

/// Whether it is a plain Verilog identifier without `$`.
pub(super) fn is_identifier(name: &str) -> bool {
    let first = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(first) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use warpsmith_testbench::verilator::{VerilogFile, VerilogSource};

    use super::*;

    fn verilog(file: &str, top: &str) -> Verilog {
        let files = vec![VerilogFile { name: file.to_string(), text: String::new() }];
        Verilog::plain(VerilogSource { top: top.to_string(), files })
    }

    fn source(file: &str, top: &str) -> Source {
        Source {
            block: "b".to_string(),
            preset: "custom".to_string(),
            params: toml::Table::new(),
            verilog: verilog(file, top),
            clock: "clk".to_string(),
            memories: None,
        }
    }

    #[test]
    fn names_that_a_script_cannot_carry_are_refused() {
        assert!(source("a-1.b.sv", "top_1").check().is_ok());
        for (file, top) in [
            ("a b.v", "t"),
            ("-x.v", "t"),
            ("../a.v", "t"),
            ("a.vhdl", "t"),
            ("a.v", "t; shell"),
            ("a.v", ""),
        ] {
            assert!(source(file, top).check().is_err(), "{file} {top}");
        }
    }

    #[test]
    fn two_files_of_one_name_are_refused() {
        let mut twice = source("a.v", "t");
        let again = twice.verilog.files[0].clone();
        twice.verilog.files.push(again);
        assert!(twice.check().unwrap_err().to_string().contains("both named a.v"));
    }
}
