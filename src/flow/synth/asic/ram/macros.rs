//! Macros from a folder of Liberty files, tiled to the shape of a memory.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Estimate, Memory, Timing};
use crate::flow::FlowError;
use crate::flow::liberty::syntax::Group;
use crate::flow::liberty::{self, Library};

/// A RAM macro.
#[derive(Clone, Debug, PartialEq)]
pub struct Macro {
    name: String,
    rows: u64,
    width: u64,
    /// Accesses per clock.
    ports: usize,
    area_um2: f64,
    timing: Option<Timing>,
    /// Energy per clock of use in picojoules.
    energy_pj: Option<f64>,
    /// Leakage in milliwatts, if stated.
    leakage_mw: Option<f64>,
}

/// Reads the RAM macros in a folder's `.lib` and `.lib.gz` files and skips other cells.
///
/// # Errors
/// [`FlowError::Input`] if a file is malformed or no file has a macro.
pub fn read(folder: &Path) -> Result<Vec<Macro>, FlowError> {
    let wrong =
        |what: String| FlowError::Input(format!("--ram liberty:{}: {what}", folder.display()));
    let files = fs::read_dir(folder).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let mut paths: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
    paths.retain(|path| {
        let name = path.to_string_lossy();
        path.is_file() && (name.ends_with(".lib") || name.ends_with(".lib.gz"))
    });
    paths.sort();
    let mut macros = Vec::new();
    for path in &paths {
        let library = Library::read(path)?;
        let root = liberty::root(path, &library.text)?;
        for cell in root.of_kind("cell") {
            macros.extend(Macro::of(&library, cell));
        }
    }
    match macros.is_empty() {
        true => Err(wrong(
            "no RAM macro in its .lib files; cells with a group `memory ()` of type `ram` are \
             accepted"
                .to_string(),
        )),
        false => Ok(macros),
    }
}

impl Macro {
    fn of(library: &Library, cell: &Group<'_>) -> Option<Self> {
        let memory = cell.of_kind("memory").find(|m| m.attribute("type") == Some("ram"))?;
        let name = cell.name()?.to_string();
        let address_bits =
            memory.number("address_width").filter(|bits| (1.0..40.0).contains(bits))?;
        let width = memory.number("word_width").filter(|bits| (1.0..1e6).contains(bits))? as u64;
        let rows = rows_by_name(&name, 1 << address_bits as u32, width);
        let tables = Tables { ns: library.units.time * 1e9 };
        let clock = ports(cell).find(|pin| pin.attribute("clock") == Some("true"))?;
        let picojoules = library.units.capacitance * 1e12;
        let energy = clock.of_kind("internal_power").map(|power| {
            tables.middle(power, "rise_power").unwrap_or(0.0)
                + tables.middle(power, "fall_power").unwrap_or(0.0)
        });
        Some(Self {
            rows,
            width,
            ports: addresses(cell).len().max(1),
            area_um2: cell.number("area")?,
            timing: tables.timing(cell),
            energy_pj: energy.reduce(f64::max).map(|energy| energy * picojoules),
            leakage_mw: cell
                .number("cell_leakage_power")
                .zip(library.units.leakage)
                .map(|(leakage, unit)| leakage * unit * 1e3),
            name,
        })
    }

    /// Tiles that hold a memory: along the rows, along the width.
    fn tiles(&self, memory: &Memory<'_>) -> (u64, u64) {
        let rows = u64::from(memory.ir.rows).div_ceil(self.rows);
        (rows, u64::from(memory.ir.width).div_ceil(self.width))
    }
}

/// The smallest tiling of a memory, by macros with enough ports, or by any if none has.
pub fn estimate(macros: &[Macro], memory: &Memory<'_>, clock_mhz: f64) -> Option<Estimate> {
    let accesses = memory.ir.read_ports.len() + memory.ir.write_ports.len();
    let area = |of: &Macro| {
        let (rows, columns) = of.tiles(memory);
        of.area_um2 * (rows * columns) as f64
    };
    let best = macros.iter().min_by(|a, b| {
        let lacks_ports = |of: &Macro| of.ports < accesses;
        lacks_ports(a).cmp(&lacks_ports(b)).then(area(a).total_cmp(&area(b)))
    })?;
    let (rows, columns) = best.tiles(memory);
    let mut notes = Vec::new();
    if best.ports < accesses {
        notes.push(format!(
            "it is used by {accesses} ports at one clock, and {} has {}: not a replacement, and \
             area, timing and power are those of a RAM that does less",
            best.name, best.ports
        ));
    }
    if rows > 1 {
        notes.push(format!("choosing among {rows} macros of {} is in no figure", best.name));
    }
    if best.leakage_mw.is_none() {
        notes.push(format!("the library of {} states no leakage: power is without it", best.name));
    }
    notes.push(format!("timing of {} is that of the middle of its tables", best.name));
    let dynamic_mw = best.energy_pj.map(|energy| energy * columns as f64 * clock_mhz * 1e-3);
    Some(Estimate {
        becomes: format!("{} {}", rows * columns, best.name),
        source: format!("Liberty of {}", best.name),
        area_um2: area(best),
        timing: best.timing,
        power_mw: dynamic_mw
            .map(|mw| mw + best.leakage_mw.unwrap_or(0.0) * (rows * columns) as f64),
        notes,
    })
}

/// Pins and buses, including pins within a bus, without those of self-test.
fn ports<'s, 'a>(cell: &'s Group<'a>) -> impl Iterator<Item = &'s Group<'a>> {
    let is_port = |group: &&Group<'_>| {
        let name = group.name().unwrap_or_default().to_ascii_lowercase();
        matches!(group.kind, "pin" | "bus") && !name.contains("bist")
    };
    cell.groups.iter().filter(is_port)
}

/// The address buses: those that reads and writes refer to, or those with such a name.
fn addresses(cell: &Group<'_>) -> BTreeSet<String> {
    let named = |port: &Group<'_>| {
        let accesses =
            port.groups.iter().filter(|g| matches!(g.kind, "memory_read" | "memory_write"));
        accesses.filter_map(|g| g.attribute("address")).map(str::to_string).collect::<Vec<_>>()
    };
    let addresses: BTreeSet<String> = ports(cell).flat_map(named).collect();
    if !addresses.is_empty() {
        return addresses;
    }
    let names = ports(cell).filter_map(Group::name).map(str::to_string);
    names.filter(|name| name.to_ascii_lowercase().contains("addr")).collect()
}

/// The rows that a name such as `ram_96x32` states, if they match address and width; else all that the
/// address can distinguish.
fn rows_by_name(name: &str, addressable: u64, width: u64) -> u64 {
    let numbers = name.split(|c: char| !c.is_ascii_digit() && c != 'x');
    let told = numbers.filter_map(|part| {
        let (rows, bits) = part.split_once('x')?;
        Some((rows.parse::<u64>().ok()?, bits.parse::<u64>().ok()?))
    });
    let fits = |rows: u64| rows <= addressable && rows > addressable / 2;
    let mut rows = told.filter(|(rows, bits)| *bits == width && fits(*rows)).map(|(rows, _)| rows);
    rows.next_back().unwrap_or(addressable)
}

/// Timing tables in the library's unit.
struct Tables {
    ns: f64,
}

impl Tables {
    fn timing(&self, cell: &Group<'_>) -> Option<Timing> {
        let longest = |timing_type: &str, tables: [&str; 2]| {
            let within = |port: &'_ Group<'_>| self.longest(port, timing_type, tables);
            ports(cell).filter_map(within).reduce(f64::max)
        };
        Some(Timing {
            clock_to_data_ns: longest("rising_edge", ["cell_rise", "cell_fall"])?,
            setup_ns: longest("setup_rising", ["rise_constraint", "fall_constraint"])?,
            cycle_ns: ports(cell).find_map(|pin| pin.number("min_period")).map(|t| t * self.ns),
        })
    }

    /// The largest value of these tables in a port and its pins.
    fn longest(&self, port: &Group<'_>, timing_type: &str, tables: [&str; 2]) -> Option<f64> {
        let arcs =
            port.of_kind("timing").filter(|arc| arc.attribute("timing_type") == Some(timing_type));
        let own = arcs.flat_map(|arc| tables.map(|table| self.middle(arc, table))).flatten();
        let own = own.map(|value| value * self.ns).reduce(f64::max);
        let inner = port.of_kind("pin").filter_map(|pin| self.longest(pin, timing_type, tables));
        own.into_iter().chain(inner).reduce(f64::max)
    }

    /// The middle value of a table, in the library's unit.
    fn middle(&self, group: &Group<'_>, table: &str) -> Option<f64> {
        let table = group.of_kind(table).next()?;
        let rows = table.rows("values")?;
        let row = rows.get(rows.len() / 2)?;
        row.get(row.len() / 2)?.parse().ok()
    }
}
