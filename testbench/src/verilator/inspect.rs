//! Verilator's analysis of a source before a model is built.

use std::path::{Path, PathBuf};

use super::build::{FLAGS, Step, translate, verilator};
use super::error::VerilatorError;
use super::header::{self, ModulePort};
use super::log::{Warning, verilator_errors, warnings, without_blanks};
use super::{BuildOptions, VerilogSource};

/// Additional warnings: differences between simulation and synthesis, and missing drivers and resets.
const WARNINGS: [&str; 3] = ["-Wwarn-BLKSEQ", "-Wwarn-UNDRIVEN", "-Wwarn-SYNCASYNCNET"];

/// The analysis of a source.
#[derive(Clone, Debug)]
pub struct Inspected {
    /// Ports of the top module.
    pub ports: Vec<ModulePort>,
    /// Each warning once.
    pub warnings: Vec<Warning>,
}

/// Verilates a source with parameter values of its top module, without building it.
///
/// # Errors
/// Fails if Verilator is missing or rejects the source, or a port is not a vector of bits.
pub fn inspect(
    source: &VerilogSource,
    parameters: &[(String, String)],
    options: &BuildOptions,
) -> Result<Inspected, VerilatorError> {
    let folder = tempfile::tempdir().map_err(scratch_error)?;
    let mut arguments: Vec<String> = WARNINGS.map(str::to_owned).to_vec();
    arguments.extend(parameters.iter().map(|(name, value)| format!("-G{name}={value}")));
    let inspected = || -> Result<Inspected, Step> {
        let log = translate(folder.path(), source, options, FLAGS, &arguments)?;
        let text = std::fs::read_to_string(folder.path().join("model/Vmodel.h"))?;
        let warnings = warnings(&log);
        let illegal: Vec<_> = warnings.iter().filter(|warning| warning.is_illegal()).collect();
        if !illegal.is_empty() {
            let log: Vec<_> = illegal.iter().map(|warning| warning.to_string()).collect();
            return Err(VerilatorError::Verilate { log: log.join("\n") }.into());
        }
        Ok(Inspected { ports: header::parse(&text)?, warnings })
    };
    inspected().map_err(|step| match step {
        Step::Failed(error) => error,
        Step::File(source) => scratch_error(source),
    })
}

/// The preprocessed text of files, in order and as one compilation unit, with `` `line `` directives for
/// their origin. Included files are searched in the including file's folder, those of `include`, and the
/// current one.
///
/// # Errors
/// Fails if Verilator, an included file or a macro is missing.
pub fn preprocess(
    files: &[PathBuf],
    include: &[PathBuf],
    defines: &[String],
    program: &Path,
) -> Result<String, VerilatorError> {
    let options = BuildOptions { verilator: program.to_owned(), ..BuildOptions::default() };
    let mut arguments: Vec<std::ffi::OsString> =
        ["-E", "--no-timing", "--relative-includes", "-Wno-fatal"].map(Into::into).to_vec();
    arguments.extend(include.iter().map(|folder| format!("-I{}", folder.display()).into()));
    arguments.extend(defines.iter().map(|name| format!("-D{name}").into()));
    arguments.extend(files.iter().map(Into::into));
    let answer = verilator(&options).run(Path::new("."), arguments)?;
    match answer.success {
        true => Ok(without_blanks(&answer.output)),
        false => {
            let log = answer.log + &answer.output;
            Err(VerilatorError::Verilate { log: verilator_errors(&log) })
        }
    }
}

pub(super) fn scratch_error(source: std::io::Error) -> VerilatorError {
    VerilatorError::Cache { path: std::env::temp_dir(), source }
}
