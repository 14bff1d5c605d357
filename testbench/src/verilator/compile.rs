//! From C++ to a shared object.
//!
//! The compiler is called directly, with all generated files of a model in one unit: most of the time goes
//! into reading Verilator's headers, which make and separate files would repeat. These headers and Verilator's
//! run-time library take longer than a small model, so they are compiled once, cached separately and shared
//! by all models.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::num::NonZero;
use std::panic;
use std::path::{Path, PathBuf};
use std::thread;

use super::cache::{Cache, digest};
use super::error::VerilatorError;
use super::log::compiler_errors;
use super::tools::Tool;

/// Compiler options of every unit.
///
/// Hidden symbols, symbolic binding and no unique symbols separate the models in one process: each has its
/// own copy of the run-time library and of the class `Vmodel`. The shim provides the hooks for the end of a
/// simulation, and time is the model's, not the process's. A model prints to the standard error, since the
/// standard output belongs to the report; a model whose error limit is 0, which Verilator treats like 1,
/// prints nothing.
const FLAGS: &str = "-O2 -fPIC -fvisibility=hidden -fno-gnu-unique -pthread -w -I. -Imodel \
                     -DVERILATOR=1 -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE_VCD=0 -DVL_TIME_CONTEXT \
                     -DVL_USER_FINISH -DVL_USER_STOP -DVL_USER_FATAL -DVL_USER_WARN \
                     -DVL_PRINTF(...)=(Verilated::threadContextp()->errorLimit()?std::fprintf(stderr,__VA_ARGS__):0)";

/// Linker options. An undefined symbol must fail here, not at its first call.
const LINK_FLAGS: &str =
    "-shared -s -pthread -Wl,-Bsymbolic -Wl,-z,relro,-z,now -Wl,--no-undefined";

/// Around the files that Verilator marks as slow, whose functions run once (constructors, reset, names of
/// waves): to optimise them lengthens a build and speeds up no clock. Verilator's own makefile does the same.
const ONCE: [&str; 2] =
    ["#pragma GCC push_options\n#pragma GCC optimize(\"O0\")\n", "#pragma GCC pop_options\n"];

/// Headers that every unit includes first. Precompiled, they take about half as long in a small model.
const HEADERS: &str = "#include \"verilated.h\"\n#if VM_TRACE\n#include \"verilated_fst_c.h\"\n#endif\n\
                       #include <cstddef>\n#include <cstdint>\n#include <exception>\n#include <memory>\n\
                       #include <mutex>\n#include <string>\n";

/// The file of these headers, in the folder of every model too: a compiler that refuses the precompiled file
/// reads that one.
const HEADERS_FILE: &str = "warpsmith_headers.h";

/// Bytes of generated code to optimise from which a second unit on another core pays, although it reads the
/// headers again.
const UNIT_BYTES: usize = 400_000;

/// The compiler and the common settings of its calls for one model.
pub(super) struct Compiler<'a> {
    pub tool: Tool<'a>,
    /// Verilator's own folder, with the run-time library below it.
    pub root: PathBuf,
    /// Versions of Verilator and of the compiler.
    pub versions: String,
    pub trace: bool,
}

/// The options that change the result of a build, for cache keys.
pub(super) fn flags_text(trace: bool) -> String {
    [FLAGS, ONCE[0], trace_flags(trace), LINK_FLAGS, HEADERS].join(" ")
}

fn trace_flags(trace: bool) -> &'static str {
    if trace { "-DVM_TRACE=1 -DVM_TRACE_FST=1" } else { "-DVM_TRACE=0 -DVM_TRACE_FST=0" }
}

impl Compiler<'_> {
    /// Builds `output` from the shim, the model in `work`, and the named parts of the run-time library.
    pub fn build(
        &self,
        work: &Path,
        runtime: &[String],
        cache: &Cache,
        output: &Path,
    ) -> Result<(), VerilatorError> {
        let units = write_units(work)
            .map_err(|source| VerilatorError::Cache { path: work.to_owned(), source })?;
        let results: Vec<Result<PathBuf, VerilatorError>> = thread::scope(|scope| {
            let library: Vec<_> =
                runtime.iter().map(|name| scope.spawn(|| self.runtime(name, cache))).collect();
            let headers = self.headers(cache)?;
            let mut jobs = Vec::new();
            for unit in &units {
                let headers = headers.clone();
                jobs.push(scope.spawn(move || {
                    let object = unit.with_extension("o");
                    self.compile(work, &["-I".as_ref(), headers.as_os_str()], unit, &object)?;
                    Ok(object)
                }));
            }
            let jobs = jobs.into_iter().chain(library);
            Ok(jobs
                .map(|job| job.join().unwrap_or_else(|panic| panic::resume_unwind(panic)))
                .collect())
        })?;
        let objects = results.into_iter().collect::<Result<Vec<_>, _>>()?;
        self.link(work, &objects, output)
    }

    /// The folder of the precompiled headers.
    fn headers(&self, cache: &Cache) -> Result<PathBuf, VerilatorError> {
        let key = self.key(&self.include().join("verilated.h"))?;
        let name = format!("{HEADERS_FILE}.gch");
        let mut entry = cache.entry("verilator-headers", &key, &name, |work, precompiled| {
            let source = work.join(HEADERS_FILE);
            fs::write(&source, HEADERS)
                .map_err(|error| VerilatorError::Cache { path: source.clone(), source: error })?;
            self.compile(work, &["-x".as_ref(), "c++-header".as_ref()], &source, precompiled)
        })?;
        entry.path.pop();
        Ok(entry.path)
    }

    /// The object of one part of the run-time library.
    fn runtime(&self, name: &str, cache: &Cache) -> Result<PathBuf, VerilatorError> {
        let source = self.include().join(name).with_extension("cpp");
        let key = self.key(&source)?;
        let entry =
            cache.entry("verilator-runtime", &key, &format!("{name}.o"), |work, object| {
                self.compile(work, &[], &source, object)
            })?;
        Ok(entry.path)
    }

    /// The key of what is compiled from a file of Verilator's.
    fn key(&self, source: &Path) -> Result<String, VerilatorError> {
        let text = fs::read(source)
            .map_err(|e| VerilatorError::Compile { log: format!("{}: {e}", source.display()) })?;
        Ok(digest([self.versions.as_bytes(), flags_text(self.trace).as_bytes(), &text]))
    }

    /// Compiles a file. The folders of the options `first` are searched before all others.
    fn compile(
        &self,
        work: &Path,
        first: &[&OsStr],
        source: &Path,
        object: &Path,
    ) -> Result<(), VerilatorError> {
        let mut arguments: Vec<OsString> = first.iter().map(OsString::from).collect();
        arguments.extend(words(FLAGS));
        arguments.extend(words(trace_flags(self.trace)));
        for folder in [self.include(), self.include().join("vltstd")] {
            arguments.extend(["-isystem".into(), folder.into()]);
        }
        arguments.extend(["-c".into(), source.into(), "-o".into(), object.into()]);
        self.call(work, arguments)
    }

    fn link(&self, work: &Path, objects: &[PathBuf], out: &Path) -> Result<(), VerilatorError> {
        let mut arguments = words(LINK_FLAGS);
        arguments.extend(["-o".into(), out.into()]);
        arguments.extend(objects.iter().map(OsString::from));
        if self.trace {
            arguments.push("-lz".into());
        }
        self.call(work, arguments)
    }

    fn call(&self, work: &Path, arguments: Vec<OsString>) -> Result<(), VerilatorError> {
        let answer = self.tool.run(work, arguments)?;
        if answer.success {
            return Ok(());
        }
        let log = answer.output + &answer.log;
        // zlib is needed for waves only.
        let zlib = ["zlib.h", "-lz"].iter().any(|name| log.contains(name));
        if self.trace && zlib {
            return Err(VerilatorError::ToolMissing {
                tool: "zlib".to_owned(),
                package: "zlib1g-dev",
            });
        }
        Err(VerilatorError::Compile { log: compiler_errors(&log) })
    }

    fn include(&self) -> PathBuf {
        self.root.join("include")
    }
}

fn words(flags: &str) -> Vec<OsString> {
    flags.split_whitespace().map(OsString::from).collect()
}

/// Writes one file per unit, each including the shim and generated files.
fn write_units(work: &Path) -> io::Result<Vec<PathBuf>> {
    let mut sources = Vec::new();
    for entry in fs::read_dir(work.join("model"))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".cpp") {
            sources.push((entry.metadata()?.len() as usize, name));
        }
    }
    // Largest first, each to the smallest unit so far; names make the order reproducible.
    sources.sort_by(|a, b| b.cmp(a));
    let slow = |name: &str| name.ends_with("Slow.cpp");
    let total: usize = sources.iter().filter(|(_, name)| !slow(name)).map(|(size, _)| size).sum();
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let count = (total / UNIT_BYTES + 1).min(cores);
    // A precompiled header counts only ahead of everything else.
    fs::write(work.join(HEADERS_FILE), HEADERS)?;
    let mut units = vec![(0, format!("#include <{HEADERS_FILE}>\n")); count];
    units[0].1.push_str("#include \"shim.cpp\"\n");
    units.iter_mut().for_each(|unit| unit.1.push_str("#include \"loops.h\"\n"));
    for (size, name) in sources {
        if let Some(unit) = units.iter_mut().min_by_key(|unit| unit.0) {
            unit.0 += size;
            let [before, behind] = if slow(&name) { ONCE } else { [""; 2] };
            unit.1.push_str(&format!("{before}#include \"model/{name}\"\n{behind}"));
        }
    }
    let mut paths = Vec::new();
    for (index, (_, text)) in units.iter().enumerate() {
        let path = work.join(format!("unit{index}.cpp"));
        fs::write(&path, text)?;
        paths.push(path);
    }
    Ok(paths)
}
