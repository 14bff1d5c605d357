//! Chooses the cells for synthesis from the libraries by function.

use std::collections::{BTreeMap, BTreeSet};

use super::usable::unusable;
use crate::flow::FlowError;
use crate::flow::folder::Folder;
use crate::flow::liberty::cell::{Cell, CellStorage, FlipFlop, Next};
use crate::flow::liberty::function::Function;
use crate::flow::liberty::{self, Library};

/// The libraries, and the cells with a special role.
pub(super) struct Cells<'l> {
    libraries: &'l [Library],
    /// Cells that synthesis may use, by name.
    pub usable: BTreeMap<&'l str, &'l Cell>,
    /// The smallest two-input NAND: the unit of gate equivalents.
    pub nand2: &'l Cell,
    /// The driver of every input: the smallest buffer.
    pub driver: &'l Cell,
    /// The load of every output in farads: four times the smallest inverter.
    pub load: f64,
    /// The cell and pin that give a constant one.
    pub tie_high: Option<(&'l str, &'l str)>,
    /// The cell and pin that give a constant zero.
    pub tie_low: Option<(&'l str, &'l str)>,
    /// How many cells of each description were excluded.
    pub left_out: LeftOut,
}

impl<'l> Cells<'l> {
    /// Chooses the cells.
    ///
    /// # Errors
    /// [`FlowError::Input`] if the libraries are incompatible or lack a required cell, or if a cell is
    /// malformed or there twice.
    pub fn choose(libraries: &'l [Library]) -> Result<Self, FlowError> {
        same_set(libraries)?;
        let (mut usable, mut left_out) = sorted_out(libraries)?;
        let lacks = |left_out: &LeftOut, what: &str| lacks(libraries, left_out, what);
        let smallest_of = |usable: &_, left_out: &_, what, wanted: fn(&Function) -> bool| {
            smallest(usable, wanted).ok_or_else(|| lacks(left_out, what))
        };
        let is_inverter = |f: &Function| matches!(f, Function::Inverter(_));
        let inverter = smallest_of(&usable, &left_out, "inverter", is_inverter)?;
        let larger = larger_flip_flops(&usable, inverter.area);
        if !larger.is_empty() {
            left_out.insert("flip-flops with a smaller equivalent", larger.len() as u64);
        }
        usable.retain(|name, _| !larger.contains(*name));
        let takes_rising_edge = |cell: &&Cell| matches!(&cell.memory, CellStorage::FlipFlop(ff) if ff.rising == Some(true) && ff.next == Next::Data);
        if !usable.values().any(takes_rising_edge) {
            return Err(lacks(&left_out, "flip-flop on the rising edge of its clock"));
        }
        let nand2 = smallest_of(&usable, &left_out, "two-input NAND", |f| *f == Function::Nand2)?;
        // Without a buffer abc does not map.
        let is_buffer = |f: &Function| matches!(f, Function::Buffer(_));
        let driver = smallest_of(&usable, &left_out, "buffer", is_buffer)?;
        let pin = inverter.inputs().find_map(|pin| pin.capacitance).unwrap_or(0.0);
        let tie = |value| {
            let cell = smallest(&usable, |f| *f == Function::Constant(value))?;
            Some((cell.name.as_str(), cell.outputs().next()?.name.as_str()))
        };
        let load = 4.0 * pin * libraries[0].units.capacitance;
        let (tie_high, tie_low) = (tie(true), tie(false));
        Ok(Self { libraries, nand2, driver, load, tie_high, tie_low, usable, left_out })
    }

    /// Writes the libraries without excluded cells into the subfolder `cells`, and returns their paths in the
    /// same order.
    ///
    /// # Errors
    /// [`FlowError::File`] if a file cannot be written, [`FlowError::Input`] as when it was read.
    pub fn write(&self, folder: &Folder) -> Result<Vec<String>, FlowError> {
        let files = self.files();
        for (file, library) in files.iter().zip(self.libraries) {
            let is_chosen = |i: usize| {
                let cell = &library.cells[i];
                self.usable.get(cell.name.as_str()).is_some_and(|of| std::ptr::eq(*of, cell))
            };
            folder.write(file, &liberty::write::write(library, is_chosen)?)?;
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
}

/// How many cells of each description synthesis may not use.
type LeftOut = BTreeMap<&'static str, u64>;

/// The cells that synthesis may use, and how many of each description it may not.
fn sorted_out(libraries: &[Library]) -> Result<(BTreeMap<&str, &Cell>, LeftOut), FlowError> {
    let (mut usable, mut left_out) = (BTreeMap::new(), BTreeMap::new());
    let mut places = BTreeMap::new();
    let mut twice = Vec::new();
    for library in libraries {
        for cell in &library.cells {
            let name = cell.name.as_str();
            if let Some(before) = places.insert(name, library.place(cell)) {
                twice.push((name, before, library.place(cell)));
            }
            match unusable(cell).or(cell.incomplete) {
                Some(what) => *left_out.entry(what).or_default() += 1,
                None => drop(usable.insert(name, cell)),
            }
        }
    }
    if let Some((_, before, after)) = twice.iter().find(|(name, ..)| usable.contains_key(name)) {
        return Err(FlowError::Input(format!(
            "{after} is there twice, before it at {before}; remove one of them"
        )));
    }
    for library in libraries {
        let faulty = |cell: &&Cell| {
            usable.get(cell.name.as_str()).is_some_and(|of| std::ptr::eq(*of, *cell))
        };
        for cell in library.cells.iter().filter(faulty) {
            if let Some((byte, what)) = &cell.fault {
                let what = format!(
                    "cell {}: {what}; correct it, or mark the cell `dont_use : true;`",
                    cell.name
                );
                return Err(liberty::at(&library.path, &library.text, *byte, &what));
            }
        }
    }
    Ok((usable, left_out))
}

/// Libraries of one set have the same units and are characterised for the same conditions.
fn same_set(libraries: &[Library]) -> Result<(), FlowError> {
    let first = &libraries[0];
    for other in &libraries[1..] {
        let units = |library: &Library| (library.units.time, library.units.capacitance);
        let number =
            |text: &Option<String>| text.as_deref().and_then(|text| text.parse::<f64>().ok());
        let differ = |a: Option<f64>, b: Option<f64>| a.zip(b).is_some_and(|(a, b)| a != b);
        let (a, b) = (&first.conditions, &other.conditions);
        let what = if units(first) != units(other) {
            "different units of time or capacitance".to_string()
        } else if differ(a.voltage, b.voltage)
            || differ(number(&a.temperature), number(&b.temperature))
        {
            format!("different operating conditions ({}; {})", first.corner, other.corner)
        } else {
            continue;
        };
        return Err(FlowError::Input(format!(
            "{} and {} have {what}; libraries of one set are accepted",
            first.path.display(),
            other.path.display()
        )));
    }
    Ok(())
}

fn lacks(libraries: &[Library], left_out: &LeftOut, what: &str) -> FlowError {
    let files: Vec<_> = libraries.iter().map(|l| l.path.display().to_string()).collect();
    let mut text = format!(
        "no {what} that synthesis may use is in {}; a library of standard cells has one",
        files.join(", ")
    );
    let cells = || libraries.iter().flat_map(|l| l.cells.iter().map(move |cell| (l, cell)));
    for what in left_out.keys() {
        let is_such =
            |(_, cell): &(&Library, &Cell)| unusable(cell).or(cell.incomplete) == Some(what);
        if let Some((library, cell)) = cells().find(is_such) {
            let count = left_out[what];
            text += &format!("\nnot used: {what} ({count}), such as {}", library.place(cell));
        }
    }
    FlowError::Input(text)
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
