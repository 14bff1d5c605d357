//! A user's own Verilog, read by yosys from copies of the user's files.
//!
//! Each tool preprocesses the files itself, so a flow sees the text that the tool's users expect: with the
//! macro of its purpose, and with its pragmas.

mod mirror;
mod verilog;

use std::path::PathBuf;
use std::time::Duration;

use warpsmith_testbench::dut::{Dut, Sources};

use self::mirror::Mirror;
pub use self::mirror::original;
pub use self::verilog::{DESIGN, Verilog};
use super::FlowError;
use super::folder::Folder;
use super::tool::{Program, ToolError};
use super::yosys::run_script;

/// The macro that yosys defines, and whether assertions are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// `SYNTHESIS` is defined; assertions are skipped.
    Synthesis,
    /// `FORMAL` is defined; assertions, assumptions and covers are read.
    Proof,
}

impl Purpose {
    /// The macro.
    pub fn defined(self) -> &'static str {
        match self {
            Purpose::Synthesis => "SYNTHESIS",
            Purpose::Proof => "FORMAL",
        }
    }
}

/// How yosys reads the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// As yosys does by the file's suffix: `.v` is Verilog-2005, `.sv` is SystemVerilog.
    BySuffix,
    /// All files are SystemVerilog.
    SystemVerilog,
    /// All files are SystemVerilog, read by the front end slang.
    Slang,
}

/// All ways to read, in the order in which they are tried.
const LANGUAGES: [Language; 3] = [Language::BySuffix, Language::SystemVerilog, Language::Slang];

/// A user's files, to be copied into the folder of a run.
#[derive(Clone, Debug)]
pub struct Users {
    /// Paths of the files in the folder.
    pub files: Vec<String>,
    /// Options for folders of included files and for macros, common to yosys and Icarus Verilog.
    pub options: Vec<String>,
    /// The language in which yosys takes them.
    pub language: Language,
    purpose: Purpose,
    mirror: Mirror,
}

impl Users {
    /// Reads the files, and all that they include.
    ///
    /// # Errors
    /// [`FlowError::Input`] if a file is rejected, [`FlowError::File`] if one cannot be read.
    pub fn new(dut: &Dut, purpose: Purpose) -> Result<Self, FlowError> {
        let Sources { files, include, defines } =
            dut.sources().map_err(|error| FlowError::Input(error.to_string()))?;
        let mirror = Mirror::new(&files, &include)?;
        let place = |path: &PathBuf| mirror::place(path);
        let mut options: Vec<_> = include.iter().map(|path| format!("-I{}", place(path))).collect();
        options.extend(defines.iter().map(|define| format!("-D{define}")));
        let files = files.iter().map(place).collect();
        Ok(Self { files, options, language: Language::BySuffix, purpose, mirror })
    }

    /// Copies the files into a folder.
    ///
    /// # Errors
    /// [`FlowError::File`] if one cannot be written.
    pub fn write(&self, folder: &Folder) -> Result<(), FlowError> {
        self.mirror.write(folder)
    }

    /// Script lines that read the files, and `ours` for modules below them, to be elaborated below `top`.
    pub fn read(&self, top: &str, ours: &[String]) -> String {
        // The front end slang takes no quotes.
        let quoted_if_needed = |word: &String| match word.contains([' ', ';', '#']) {
            true => format!(" \"{word}\""),
            false => format!(" {word}"),
        };
        let quoted = |words: &[String]| words.iter().map(quoted_if_needed).collect::<String>();
        let options = quoted(&self.options);
        let formal = if self.purpose == Purpose::Proof { " -formal" } else { "" };
        if self.language == Language::Slang {
            let defined = self.purpose.defined();
            let other = if self.purpose == Purpose::Proof { " -USYNTHESIS" } else { "" };
            return format!(
                "read_slang -j 1 --single-unit --top {top}{other} -DYOSYS=1 -D{defined}=1{options}{}{}\n",
                quoted(&self.files),
                quoted(ours)
            );
        }
        let is_sv = |file: &str| self.language == Language::SystemVerilog || file.ends_with(".sv");
        let line = |file: &String| {
            let sv = if is_sv(file) { " -sv" } else { "" };
            format!("read_verilog{formal}{sv}{options} {file}\n")
        };
        let own = ours.iter().map(|file| format!("read_verilog{formal} {file}\n"));
        self.files.iter().map(line).chain(own).collect()
    }

    /// Runs a script about the files in the first language in which yosys takes them. The error has those of all
    /// languages, in the user's paths.
    ///
    /// # Errors
    /// [`FlowError::Input`] if yosys refuses the files, or [`FlowError::Tool`].
    pub fn run(
        &mut self,
        yosys: &Program,
        folder: &Folder,
        name: &str,
        script: &dyn Fn(&Self) -> String,
        limit: Duration,
    ) -> Result<(), FlowError> {
        let mut refusals: Vec<String> = Vec::new();
        for language in LANGUAGES {
            self.language = language;
            match run_script(yosys, folder, name, &script(self), limit) {
                Ok(_) => return Ok(()),
                Err(FlowError::Tool(ToolError::Failed { .. })) => {
                    let log = folder.read(&format!("{name}.log"))?;
                    refusals.extend(self.refusal(&log));
                }
                Err(other) => return Err(other),
            }
        }
        self.language = Language::BySuffix;
        refusals.dedup();
        let defined = self.purpose.defined();
        Err(FlowError::Input(format!(
            "yosys refuses the files, with {defined} defined:\n{}\nleave out what this command does not need \
             (`ifndef {defined}), or translate it, for example with sv2v",
            refusals.join("\n")
        )))
    }

    /// A text of a tool with the user's own paths.
    pub fn original(&self, text: &str) -> String {
        mirror::original(text)
    }

    /// The errors in a log, in the user's paths.
    fn refusal(&self, log: &str) -> Option<String> {
        let errors =
            log.lines().filter(|line| line.contains("ERROR:") && !line.contains("see full log"));
        let errors: Vec<_> =
            errors.take(5).map(|line| self.original(&line.replacen("ERROR: ", "", 1))).collect();
        (!errors.is_empty() && !errors[0].contains("No such command: read_slang"))
            .then(|| errors.join("\n"))
    }
}
