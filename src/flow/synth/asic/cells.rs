//! Chooses the cells for synthesis from the libraries by function.

use std::collections::{BTreeMap, BTreeSet};

use super::usable::unusable;
use crate::flow::FlowError;
use crate::flow::folder::Folder;
use crate::flow::liberty::Library;
use crate::flow::liberty::cell::{Cell, CellStorage, FlipFlop, Next};
use crate::flow::liberty::function::Function;

/// The libraries, and the cells with a special role.
pub(super) struct Cells<'l> {
    libraries: &'l [Library],
    /// Cells that synthesis may use, by name.
    pub usable: BTreeMap<&'l str, &'l Cell>,
    /// The smallest two-input NAND: the unit of gate equivalents.
    pub nand2: &'l Cell,
    /// The driver of every input: the smallest buffer, or inverter if there is none.
    pub driver: &'l Cell,
    /// The load of every output in farads: four times the smallest inverter.
    pub load: f64,
    /// The cell and pin that give a constant one.
    pub tie_high: Option<(&'l str, &'l str)>,
    /// The cell and pin that give a constant zero.
    pub tie_low: Option<(&'l str, &'l str)>,
    /// How many cells of each description were excluded.
    pub left_out: BTreeMap<&'static str, u64>,
}

impl<'l> Cells<'l> {
    /// Chooses the cells.
    ///
    /// # Errors
    /// [`FlowError::Input`] if the libraries are incompatible or lack a required cell.
    pub fn choose(libraries: &'l [Library]) -> Result<Self, FlowError> {
        same_units(libraries)?;
        let (mut usable, mut left_out) = sorted_out(libraries);
        let inverter = smallest(&usable, |f| matches!(f, Function::Inverter(_)))
            .ok_or_else(|| lacks(libraries, "inverter"))?;
        let larger = larger_flip_flops(&usable, inverter.area);
        if !larger.is_empty() {
            left_out.insert("flip-flops with a smaller equivalent", larger.len() as u64);
        }
        usable.retain(|name, _| !larger.contains(*name));
        let takes_rising_edge = |cell: &&Cell| matches!(&cell.memory, CellStorage::FlipFlop(ff) if ff.rising == Some(true));
        if !usable.values().any(takes_rising_edge) {
            return Err(lacks(libraries, "flip-flop on the rising edge of its clock"));
        }
        let nand2 = smallest(&usable, |f| *f == Function::Nand2)
            .filter(|cell| cell.area > 0.0)
            .ok_or_else(|| lacks(libraries, "two-input NAND with an area"))?;
        let driver = smallest(&usable, |f| matches!(f, Function::Buffer(_))).unwrap_or(inverter);
        let pin = inverter.inputs().find_map(|pin| pin.capacitance);
        let pin = pin.ok_or_else(|| {
            lacks(libraries, &format!("capacitance of the input of {}", inverter.name))
        })?;
        let tie = |value| {
            let cell = smallest(&usable, |f| *f == Function::Constant(value))?;
            Some((cell.name.as_str(), cell.outputs().next()?.name.as_str()))
        };
        let load = 4.0 * pin * libraries[0].capacitance_unit;
        let (tie_high, tie_low) = (tie(true), tie(false));
        Ok(Self { libraries, nand2, driver, load, tie_high, tie_low, usable, left_out })
    }

    /// Writes the libraries without excluded cells into the subfolder `cells`, and returns their paths in the
    /// same order.
    ///
    /// # Errors
    /// [`FlowError::File`] if a file cannot be written.
    pub fn write(&self, folder: &Folder) -> Result<Vec<String>, FlowError> {
        let files = self.files();
        for (file, library) in files.iter().zip(self.libraries) {
            folder.write(file, &self.without_unusable(library))?;
        }
        Ok(files)
    }

    /// The paths that [`Cells::write`] uses.
    pub fn files(&self) -> Vec<String> {
        // A name that a script cannot carry is replaced by the number, which also separates equal file names
        // of two folders.
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let files = self.libraries.iter().enumerate().map(|(i, library)| {
            let name: String = library.name.chars().filter(|c| plain(*c)).collect();
            format!("cells/{i}-{name}.lib")
        });
        files.collect()
    }

    fn without_unusable(&self, library: &Library) -> String {
        let mut text = String::with_capacity(library.text.len());
        let mut from = 0;
        for cell in &library.cells {
            let chosen = self.usable.get(cell.name.as_str());
            if !chosen.is_some_and(|chosen| std::ptr::eq(*chosen, cell)) {
                text += &library.text[from..cell.span.start];
                from = cell.span.end;
            }
        }
        text + &library.text[from..]
    }
}

/// The cells that synthesis may use, and how many of each description it may not.
fn sorted_out(libraries: &[Library]) -> (BTreeMap<&str, &Cell>, BTreeMap<&'static str, u64>) {
    let (mut usable, mut left_out) = (BTreeMap::new(), BTreeMap::new());
    for cell in libraries.iter().flat_map(|library| &library.cells) {
        match unusable(cell) {
            Some(what) => *left_out.entry(what).or_default() += 1,
            None => drop(usable.insert(cell.name.as_str(), cell)),
        }
    }
    (usable, left_out)
}

fn same_units(libraries: &[Library]) -> Result<(), FlowError> {
    let first = &libraries[0];
    for other in &libraries[1..] {
        let units = |library: &Library| (library.time_unit, library.capacitance_unit);
        if units(first) != units(other) {
            return Err(FlowError::Input(format!(
                "{} and {} have different units of time or capacitance; libraries of one set are \
                 accepted",
                first.path.display(),
                other.path.display()
            )));
        }
    }
    Ok(())
}

fn lacks(libraries: &[Library], what: &str) -> FlowError {
    let files: Vec<_> = libraries.iter().map(|l| l.path.display().to_string()).collect();
    FlowError::Input(format!(
        "no {what} that synthesis may use is in {}; a library of standard cells has one",
        files.join(", ")
    ))
}

fn smallest<'l>(
    cells: &BTreeMap<&'l str, &'l Cell>,
    wanted: impl Fn(&Function) -> bool,
) -> Option<&'l Cell> {
    let cells = cells.values().copied().filter(|cell| cell.memory == CellStorage::None);
    let fitting = cells.filter(|cell| cell.function().is_some_and(&wanted));
    fitting.min_by(|a, b| a.area.total_cmp(&b.area))
}

/// Flip-flops to which there is an equivalent smaller one, including an inverter if it has only the
/// complementary output. `dfflibmap` would take a larger one to save that inverter, which `abc` mostly
/// removes.
fn larger_flip_flops<'l>(
    cells: &BTreeMap<&'l str, &'l Cell>,
    inverter_area: f64,
) -> BTreeSet<&'l str> {
    let cost = |cell: &Cell, ff: &FlipFlop| {
        cell.area + if ff.has_true_output { 0.0 } else { inverter_area }
    };
    let mut best: BTreeMap<_, (f64, &'l str)> = BTreeMap::new();
    let mut larger = BTreeSet::new();
    for (name, cell) in cells {
        let CellStorage::FlipFlop(ff) = &cell.memory else { continue };
        if ff.next != Next::Data {
            continue;
        }
        let cost = cost(cell, ff);
        match best.insert((ff.rising, ff.clear, ff.preset), (cost, name)) {
            None => {}
            Some((other, other_name)) if cost < other => drop(larger.insert(other_name)),
            Some(other) => {
                best.insert((ff.rising, ff.clear, ff.preset), other);
                larger.insert(*name);
            }
        }
    }
    larger
}
