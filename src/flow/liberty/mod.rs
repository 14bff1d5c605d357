//! Cell libraries in Liberty format: what a flow reads of them before passing them to tools.

pub mod cell;
pub mod function;
pub mod syntax;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};

use self::cell::Cell;
use self::syntax::Group;
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
    /// Time unit in seconds.
    pub time_unit: f64,
    /// Capacitance unit in farads.
    pub capacitance_unit: f64,
    /// Nominal voltage in volts.
    pub voltage: f64,
    /// Process, voltage and temperature as stated in the file.
    pub corner: String,
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
        let wrong = |what: String| FlowError::Input(format!("{}: {what}", path.display()));
        let unit = |attribute: &str, scale: Option<f64>| {
            scale.ok_or_else(|| wrong(format!("the library has no usable `{attribute}`")))
        };
        let time_unit = unit("time_unit", root.attribute("time_unit").and_then(seconds))?;
        let capacitance = root.values("capacitive_load_unit");
        let capacitance_unit =
            unit("capacitive_load_unit", capacitance.and_then(|unit| farads(&unit)))?;
        let conditions = conditions(&root);
        let voltage = conditions.and_then(|group| group.number("voltage"));
        let voltage = unit("nom_voltage", voltage.or_else(|| root.number("nom_voltage")))?;
        let corner = corner(&root, conditions, voltage);
        let cells = root.of_kind("cell").map(Cell::of).collect::<Result<_, _>>().map_err(wrong)?;
        let name = root.name().unwrap_or_default().to_string();
        let path = path.to_owned();
        Ok(Self { path, sha256, name, time_unit, capacitance_unit, voltage, corner, cells, text })
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
    File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut bytes)).map_err(failed)?;
    let sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut plain = Vec::new();
        MultiGzDecoder::new(&bytes[..]).take(LARGEST).read_to_end(&mut plain).map_err(failed)?;
        bytes = plain;
    }
    if bytes.len() as u64 == LARGEST {
        return Err(failed(std::io::Error::other("it is larger than a gibibyte")));
    }
    let text = String::from_utf8(bytes);
    // Comments may be in any encoding; the syntax is ASCII.
    let text = text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
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

/// The default operating conditions.
fn conditions<'s, 'a>(root: &'s Group<'a>) -> Option<&'s Group<'a>> {
    let mut all = root.of_kind("operating_conditions");
    match root.attribute("default_operating_conditions") {
        Some(name) => all.find(|group| group.name() == Some(name)),
        None => all.next().filter(|_| all.next().is_none()),
    }
}

fn corner(root: &Group<'_>, conditions: Option<&Group<'_>>, voltage: f64) -> String {
    let of = |attribute: &str, nominal: &str| {
        let stated = conditions.and_then(|group| group.attribute(attribute));
        stated.or_else(|| root.attribute(nominal)).unwrap_or("?").to_string()
    };
    let name = conditions.and_then(Group::name).map(|name| format!("{name}: ")).unwrap_or_default();
    let (process, temperature) =
        (of("process", "nom_process"), of("temperature", "nom_temperature"));
    format!("{name}process {process}, {voltage} V, {temperature} C")
}

/// Parses a time such as `1ns` or `10ps`.
fn seconds(text: &str) -> Option<f64> {
    scaled_number(text, 's')
}

/// Parses a capacitance such as `(1, pf)`.
fn farads(values: &[&str]) -> Option<f64> {
    let [number, unit] = values else { return None };
    positive(number.parse::<f64>().ok()? * scaled(unit, 'f')?)
}

/// Parses a power such as `1nW`.
pub fn watts(text: &str) -> Option<f64> {
    scaled_number(text, 'w')
}

fn scaled_number(text: &str, base: char) -> Option<f64> {
    let (number, unit) = text.split_at(text.find(char::is_alphabetic)?);
    positive(number.trim().parse::<f64>().ok()? * scaled(unit.trim(), base)?)
}

fn positive(value: f64) -> Option<f64> {
    (value.is_finite() && value > 0.0).then_some(value)
}

/// The scale of a unit with its SI prefix.
fn scaled(unit: &str, base: char) -> Option<f64> {
    let unit = unit.to_ascii_lowercase();
    match unit.strip_suffix(base)? {
        "" => Some(1.0),
        "m" => Some(1e-3),
        "u" => Some(1e-6),
        "n" => Some(1e-9),
        "p" => Some(1e-12),
        "f" => Some(1e-15),
        _ => None,
    }
}
