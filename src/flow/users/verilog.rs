//! Verilog of a circuit for yosys: ours, or a user's with modules of ours below.
//!
//! Yosys reads a user's files once; what flows read is its RTLIL of them, which needs neither macros nor other files.

use std::time::Duration;

use warpsmith_testbench::dut::{Dut, DutSource, Origin, defines};
use warpsmith_testbench::verilator::{VerilogFile, VerilogSource};

use super::{Purpose, Users};
use crate::flow::FlowError;
use crate::flow::folder::Folder;
use crate::flow::yosys::YOSYS;

/// Time limit of a trial that reads the files.
const LIMIT: Duration = Duration::from_secs(600);

/// Verilog of a circuit.
#[derive(Clone, Debug)]
pub struct Verilog {
    /// Name of the top module.
    pub top: String,
    /// The files: ours in reading order; a user's, and what they include, under their paths in the folder of a run.
    pub files: Vec<VerilogFile>,
    /// Whose the modules are, if a user gave files.
    pub origin: Option<Origin>,
    users: Option<Read>,
}

/// What yosys makes of a user's files.
#[derive(Clone, Debug)]
struct Read {
    rtlil: String,
    /// The user's text, preprocessed by Verilator.
    text: String,
}

/// File of a user's design in the folder of a run.
pub const DESIGN: &str = "users.il";

impl Verilog {
    /// Verilog of ours, or another without macros and included files.
    pub fn plain(source: VerilogSource) -> Self {
        let VerilogSource { top, files } = source;
        Self { top, files, origin: None, users: None }
    }

    /// A user's files, in the first language in which yosys takes them.
    ///
    /// # Errors
    /// [`FlowError::Input`] if yosys refuses the files, or [`FlowError::Tool`].
    pub fn of_user(dut: &Dut, source: DutSource, purpose: Purpose) -> Result<Self, FlowError> {
        let yosys = YOSYS.find()?;
        let mut users = Users::new(dut, purpose)?;
        // The first file is the text for Verilator.
        let mut files = source.verilog.files.into_iter();
        let text = files.next().map(|file| file.text).unwrap_or_default();
        let (top, ours): (_, Vec<_>) = (source.verilog.top, files.collect());
        let trial = tempfile::tempdir()
            .map_err(|source| FlowError::File { path: std::env::temp_dir(), source })?;
        let folder = Folder::empty(trial.path())?;
        users.write(&folder)?;
        ours.iter().try_for_each(|file| folder.write(&file.name, &file.text))?;
        let names: Vec<_> = ours.iter().map(|file| file.name.clone()).collect();
        let script = |users: &Users| {
            let read = users.read(&top, &names);
            format!("{read}hierarchy -check -top {top}\nwrite_rtlil {DESIGN}\n")
        };
        users.run(&yosys, &folder, "trial", &script, LIMIT)?;
        let read = Read { rtlil: folder.read(DESIGN)?, text };
        let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
        let copies = users.mirror.copies.iter();
        let copies =
            copies.map(|(name, bytes)| VerilogFile { name: name.clone(), text: text(bytes) });
        let files = copies.chain(ours).collect();
        Ok(Self { top, files, origin: Some(source.origin), users: Some(read) })
    }

    /// Writes what the returned script lines read; with `formal`, also assertions of ours. A user's are there in
    /// proofs only.
    ///
    /// # Errors
    /// [`FlowError::File`] if a file cannot be written.
    pub fn read(&self, folder: &Folder, formal: bool) -> Result<String, FlowError> {
        if let Some(read) = &self.users {
            folder.write(DESIGN, &read.rtlil)?;
            return Ok(format!("read_rtlil {DESIGN}\n"));
        }
        self.files.iter().try_for_each(|file| folder.write(&file.name, &file.text))?;
        let formal = if formal { " -formal" } else { "" };
        let line = |file: &VerilogFile| {
            let language = if file.name.ends_with(".sv") { " -sv" } else { "" };
            format!("read_verilog{language}{formal} {}\n", file.name)
        };
        Ok(self.files.iter().map(line).collect())
    }

    /// The same files with another of their modules as top.
    pub fn below(&self, top: &str) -> Self {
        Self { top: top.to_string(), ..self.clone() }
    }

    /// Whether it is a user's.
    pub fn is_users(&self) -> bool {
        self.users.is_some()
    }

    /// Whether the user, or a file of ours, defines the module.
    pub fn defines(&self, module: &str) -> bool {
        match &self.users {
            Some(read) => defines(&read.text, module),
            None => self.files.iter().any(|file| defines(&file.text, module)),
        }
    }
}
