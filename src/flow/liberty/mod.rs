//! Cell libraries in Liberty format: what a flow reads of them before passing them to tools.

pub mod cell;
pub mod complete;
pub mod conditions;
pub mod function;
pub mod syntax;
pub mod table;
pub mod write;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};

use self::cell::{Cell, Defaults};
use self::conditions::{Conditions, Units, Wrong, supplies_of_cells};
use self::syntax::Group;
use self::table::Templates;
use super::FlowError;

/// A library file.
#[derive(Clone, Debug)]
pub struct Library {
    /// Path of the file.
    pub path: PathBuf,
    /// Unpacked text.
    pub text: String,
    /// SHA-256 of the file as stored, in hex.
    pub sha256: String,
    /// Name of the library.
    pub name: String,
    /// Its units.
    pub units: Units,
    /// Process, voltage and temperature.
    pub conditions: Conditions,
    /// The same in words, as stated in the file.
    pub corner: String,
    /// What figures assume of the library, in words.
    pub assumed: Vec<String>,
    /// Cells, in file order.
    pub cells: Vec<Cell>,
}

/// Largest unpacked size, so that a damaged or hostile archive cannot fill the memory.
const LARGEST: u64 = 1 << 30;

impl Library {
    /// Reads a file, plain or gzip.
    ///
    /// # Errors
    /// [`FlowError::Input`] with file and line if the file cannot be read or is malformed.
    pub fn read(path: &Path) -> Result<Self, FlowError> {
        let (text, sha256) = unpacked(path)?;
        let root = root(path, &text)?;
        let wrong = |(part, what): Wrong<'_>| match part {
            "" => FlowError::Input(format!("{}: {what}", path.display())),
            part => at(path, &text, part.as_ptr() as usize - text.as_ptr() as usize, &what),
        };
        let units = Units::of(&root).map_err(wrong)?;
        let conditions = Conditions::of(&root).map_err(wrong)?;
        match root.attribute("delay_model") {
            None | Some("table_lookup") => {}
            Some(other) => {
                let what = format!("`delay_model` is `{other}`; table_lookup is accepted");
                return Err(wrong((other, what)));
            }
        }
        let defaults = defaults(&root);
        let cell = |group: &Group<'_>| {
            Cell::of(group, &defaults).map_err(|what| at(path, &text, group.span.start, &what))
        };
        let cells = root.of_kind("cell").map(cell).collect::<Result<_, _>>()?;
        Ok(Self {
            path: path.to_owned(),
            sha256,
            name: root.name().unwrap_or_default().to_string(),
            units,
            corner: corner(&conditions),
            assumed: assumed(&root, &units, &conditions),
            conditions,
            cells,
            text,
        })
    }

    /// File and line of a cell.
    pub fn place(&self, cell: &Cell) -> String {
        let line = syntax::line(&self.text, cell.span.start);
        format!("{}, line {line}: cell {}", self.path.display(), cell.name)
    }

    /// The file name without folders.
    pub fn file_name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

/// The unpacked text of a file, and the SHA-256 of the file.
///
/// # Errors
/// [`FlowError::Input`] if the file cannot be read or unpacked.
pub fn unpacked(path: &Path) -> Result<(String, String), FlowError> {
    let failed = |error: std::io::Error| {
        FlowError::Input(format!("cannot read the library {}: {error}", path.display()))
    };
    // Reading a pipe or a device might never end.
    if !path.metadata().map_err(failed)?.is_file() {
        return Err(failed(std::io::Error::other("it is not a file")));
    }
    let mut bytes = Vec::new();
    let damaged =
        |error| failed(std::io::Error::other(format!("it is a damaged gzip file: {error}")));
    File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut bytes)).map_err(failed)?;
    let sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut plain = Vec::new();
        MultiGzDecoder::new(&bytes[..]).take(LARGEST).read_to_end(&mut plain).map_err(damaged)?;
        bytes = plain;
    }
    if bytes.len() as u64 == LARGEST {
        return Err(failed(std::io::Error::other("it is larger than a gibibyte")));
    }
    let text = String::from_utf8(bytes);
    // Comments may be in any encoding; the syntax is ASCII.
    let text = text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    if let Some(zero) = text.find('\0') {
        let what = "a zero byte: not a Liberty library; text in UTF-8 is accepted, plain or gzip \
                    (`iconv -f UTF-16 -t UTF-8` converts)";
        return Err(at(path, &text, zero, what));
    }
    // Some systems end lines with a carriage return, with or without a line feed.
    let text =
        if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text };
    Ok((text, sha256))
}

/// Parses the text of a library.
///
/// # Errors
/// [`FlowError::Input`] with file and line if the text is malformed.
pub fn root<'a>(path: &Path, text: &'a str) -> Result<Group<'a>, FlowError> {
    let root = syntax::parse(text).map_err(|error| {
        let (file, line, what) = (path.display(), error.line, error.what);
        FlowError::Input(format!("{file}, line {line}: not a Liberty library: {what}"))
    })?;
    match root.kind {
        "library" => Ok(root),
        kind => Err(FlowError::Input(format!(
            "{}: not a Liberty library: it begins with `{kind}`",
            path.display()
        ))),
    }
}

/// An error at a byte of the text.
pub fn at(path: &Path, text: &str, byte: usize, what: &str) -> FlowError {
    FlowError::Input(format!("{}, line {}: {what}", path.display(), syntax::line(text, byte)))
}

/// What a library states for all its cells.
pub fn defaults<'a>(root: &Group<'a>) -> Defaults<'a> {
    let positive = |attribute| root.number(attribute).filter(|value| *value > 0.0);
    Defaults {
        templates: Templates::of(root),
        input_capacitance: positive("default_input_pin_cap"),
        // Zero is what libraries have here that state it of each cell.
        leakage: positive("default_cell_leakage_power"),
    }
}

fn corner(of: &Conditions) -> String {
    let name = of.name.iter().map(|name| format!("{name}: ")).collect::<String>();
    let stated = |value: &Option<String>| value.clone().unwrap_or("?".to_string());
    let voltage = of.voltage.map_or("?".to_string(), |voltage| voltage.to_string());
    format!("{name}process {}, {voltage} V, {} C", stated(&of.process), stated(&of.temperature))
}

fn assumed(root: &Group<'_>, units: &Units, conditions: &Conditions) -> Vec<String> {
    let leakage = match units.leakage {
        Some(watts) => {
            format!("{:.6}", watts * 1e9).trim_end_matches('0').trim_end_matches('.').to_string()
                + " nW"
        }
        None => "no stated unit".to_string(),
    };
    let mut assumed = vec![
        match conditions.voltage {
            Some(voltage) => format!("{voltage} V from {}", conditions.source),
            None => format!("no voltage, since {}", conditions.source),
        },
        format!(
            "time in {} ps, capacitance in {} fF, leakage in {leakage}",
            rounded(units.time * 1e12),
            rounded(units.capacitance * 1e15)
        ),
    ];
    for (name, voltage) in supplies_of_cells(root) {
        if Some(voltage) != conditions.voltage {
            assumed.push(format!("power of cells at {voltage} V, their supply {name}"));
        }
    }
    let states = |cell: &Group<'_>| {
        cell.attribute("cell_leakage_power").is_none()
            && cell.of_kind("leakage_power").next().is_some()
    };
    if root.of_kind("cell").any(states) {
        assumed.push("leakage as the mean over the states that it states".to_string());
    }
    let missing = write::THRESHOLDS.iter().filter(|(name, _)| root.attribute(name).is_none());
    let missing: Vec<_> = missing.map(|(name, value)| format!("{name} {value}")).collect();
    if !missing.is_empty() {
        assumed.push(format!("thresholds that it does not state: {}", missing.join(", ")));
    }
    let wires = ["default_wire_load", "default_wire_load_selection"];
    let wires = wires.into_iter().find_map(|name| Some((name, root.attribute(name)?)));
    assumed.push(match wires {
        Some((name, of)) => format!("no wires: its `{name}`, `{of}`, is not used"),
        None => "no wires".to_string(),
    });
    assumed
}

/// Without the last bits, in which a unit such as 1e-12 times 1e12 is not one.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
