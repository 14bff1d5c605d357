//! From Verilog text to a shared object in the cache.

use std::fs;
use std::io;
use std::path::{Component, Path};

use warpsmith_rtl::{PortLayout, PortSlot};

use super::cache::{Cache, CachedFile, digest};
use super::compile::{Compiler, flags_text};
use super::error::VerilatorError;
use super::log::{verilator_errors, with_blanks};
use super::tools::Tool;
use super::{BuildOptions, VerilogSource, header, loops, shim};

/// Verilator's options, without names.
///
/// Warnings do not fail a build, since style does not matter for simulation. But a duplicate module is an
/// error, since Verilator would take the first, and so are `$error` and `$fatal` outside of procedures, as the
/// standard says. Assertions are on. Delays are ignored, as the model has no
/// time. Unknown values start random, so that a missing reset shows. One rewrite is off: with it, Verilator
/// 5.006 evaluates `$signed(a) >= $signed(b)` of two constants as false where they are equal.
pub(super) const FLAGS: &str = "--cc -O3 -fno-dfg-peephole-fold-binary --assert --no-timing -Wno-fatal -Werror-MODDUP \
                     -Werror-USERERROR -Werror-USERFATAL \
                     --x-assign unique --x-initial unique --prefix Vmodel --Mdir ../model";

/// Folder of the models within the cache.
const KIND: &str = "verilator-model";

/// A model to build, with everything that determines the result.
pub(super) struct Build<'a> {
    source: &'a VerilogSource,
    ports: &'a PortLayout,
    options: &'a BuildOptions,
    cache: Cache,
    versions: String,
    /// Name of the model in the cache, and its identity once loaded.
    pub key: String,
}

impl<'a> Build<'a> {
    pub fn new(
        source: &'a VerilogSource,
        ports: &'a PortLayout,
        options: &'a BuildOptions,
    ) -> Result<Self, VerilatorError> {
        for file in &source.files {
            check_file_name(&file.name)?;
        }
        let (verilator, compiler) = (verilator(options), compiler(options));
        let versions = format!("{}\n{}", verilator.version()?, compiler.version()?);
        let key = key(source, ports, options.trace, &versions);
        let cache = Cache::new(options.cache.as_deref())?;
        Ok(Build { source, ports, options, cache, versions, key })
    }

    /// The shared object, from the cache if it is there.
    pub fn library(&self) -> Result<CachedFile, VerilatorError> {
        self.cache.entry(KIND, &self.key, "model.so", |work, file| {
            let runtime = self.verilate(work).map_err(|error| match error {
                Step::Failed(error) => error,
                Step::File(source) => VerilatorError::Cache { path: work.to_owned(), source },
            })?;
            let compiler = Compiler {
                tool: compiler(self.options),
                root: verilator(self.options).ask(&["--getenv", "VERILATOR_ROOT"])?.into(),
                versions: self.versions.clone(),
                trace: self.options.trace,
            };
            compiler.build(work, &runtime, &self.cache, file)
        })
    }

    /// Removes a shared object that fails to load.
    pub fn discard(&self) -> Result<(), VerilatorError> {
        self.cache.discard(KIND, &self.key)
    }

    /// Writes C++ to `work` and returns the parts of the run-time library it needs.
    fn verilate(&self, work: &Path) -> Result<Vec<String>, Step> {
        let trace = self.options.trace.then(|| "--trace-fst".to_owned());
        translate(work, self.source, self.options, FLAGS, trace.as_slice())?;
        let model = work.join("model");
        let ports = header::parse(&fs::read_to_string(model.join("Vmodel.h"))?)?;
        header::check(&ports, self.ports)?;
        let loops = loops::places(self.source);
        let evaluation = fs::read_to_string(model.join("Vmodel.cpp"))?;
        fs::write(model.join("Vmodel.cpp"), shim::with_end_of_initial_blocks(&evaluation))?;
        let text = shim::ports(&self.key, loops.as_deref(), &evaluation, &ports, self.ports);
        fs::write(work.join(shim::PORTS_FILE), text)?;
        fs::write(work.join("shim.cpp"), shim::SHIM)?;
        fs::write(work.join("loops.h"), if loops.is_some() { loops::LOOPS } else { "" })?;
        Ok(runtime_parts(&fs::read_to_string(model.join("Vmodel_classes.mk"))?))
    }
}

/// Runs Verilator on a source with these flags; with [`FLAGS`] it writes C++ to the folder `model` of `work`.
/// Returns its log.
pub(super) fn translate(
    work: &Path,
    source: &VerilogSource,
    options: &BuildOptions,
    flags: &str,
    more: &[String],
) -> Result<String, Step> {
    // Verilator runs in the folder of the files, so that its messages show their names as given.
    let folder = work.join("src");
    fs::create_dir_all(&folder)?;
    let mut arguments: Vec<&str> = flags.split_whitespace().collect();
    arguments.extend(more.iter().map(String::as_str));
    arguments.extend(["--top-module", &source.top]);
    for file in &source.files {
        let path = folder.join(&file.name);
        fs::create_dir_all(path.parent().unwrap_or(&folder))?;
        fs::write(path, &file.text)?;
        if !is_header(&file.name) {
            arguments.push(&file.name);
        }
    }
    let answer = verilator(options).run(&folder, arguments)?;
    let log = with_blanks(&(answer.log + &answer.output));
    match answer.success {
        true => Ok(log),
        false => Err(VerilatorError::Verilate { log: verilator_errors(&log) }.into()),
    }
}

/// A failure while verilating: of the build, or of a file in the work folder.
pub(super) enum Step {
    Failed(VerilatorError),
    File(io::Error),
}

impl From<VerilatorError> for Step {
    fn from(error: VerilatorError) -> Self {
        Step::Failed(error)
    }
}

impl From<io::Error> for Step {
    fn from(error: io::Error) -> Self {
        Step::File(error)
    }
}

pub(super) fn verilator(options: &BuildOptions) -> Tool<'_> {
    Tool { program: &options.verilator, package: "verilator" }
}

fn compiler(options: &BuildOptions) -> Tool<'_> {
    Tool { program: &options.compiler, package: "g++" }
}

fn key(source: &VerilogSource, ports: &PortLayout, trace: bool, versions: &str) -> String {
    let mut fields = vec![
        shim::GENERATOR.to_string(),
        shim::SHIM.to_owned(),
        loops::LOOPS.to_owned(),
        versions.to_owned(),
        FLAGS.to_owned(),
        flags_text(trace),
        source.top.clone(),
        source.files.len().to_string(),
    ];
    for file in &source.files {
        fields.extend([file.name.clone(), file.text.clone()]);
    }
    for slots in [&ports.inputs, &ports.outputs] {
        fields.push(slots.len().to_string());
        for PortSlot { name, width, offset } in slots {
            fields.extend([name.clone(), width.to_string(), offset.to_string()]);
        }
    }
    digest(fields)
}

/// A name must stay within the folder of the sources and must not look like an option.
fn check_file_name(name: &str) -> Result<(), VerilatorError> {
    let path = Path::new(name);
    let extension = path.extension().and_then(|extension| extension.to_str());
    let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    let reason = if !plain {
        "is not a relative path without '..'"
    } else if name.starts_with(['-', '+']) {
        "reads as an option"
    } else if !matches!(extension, Some("v" | "sv" | "vh" | "svh")) {
        "does not end in .v, .sv, .vh or .svh"
    } else {
        return Ok(());
    };
    Err(VerilatorError::FileName { name: name.to_owned(), reason })
}

/// Headers are only included; Verilator would otherwise read them as sources too.
fn is_header(name: &str) -> bool {
    name.ends_with(".vh") || name.ends_with(".svh")
}

/// The parts of the run-time library in Verilator's class list.
fn runtime_parts(classes: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut listed = false;
    for line in classes.lines() {
        if line.starts_with("VM_GLOBAL_") {
            listed = true;
        } else if listed {
            let name = line.trim().trim_end_matches('\\').trim_end();
            listed = !name.is_empty();
            parts.extend(listed.then(|| name.to_owned()));
        }
    }
    parts
}
