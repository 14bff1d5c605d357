//! The origin of a flattened netlist's cell in the emitted Verilog.

use std::collections::{HashMap, HashSet, VecDeque};

use serde::{Deserialize, Serialize};
use warpsmith_testbench::verilator::VerilogFile;

use super::mutation::Mutation;
use crate::flow::netlist::{Bit, Cell, Direction, Module};
use crate::flow::users;

/// A place in the emitted Verilog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// File, without folders.
    pub file: String,
    /// Line, counted from 1; the first if there are several.
    pub line: u32,
    /// The text of that line.
    pub text: String,
}

/// Finds locations and names in a flattened netlist.
pub struct Names<'a> {
    pub(super) module: &'a Module,
    files: &'a [VerilogFile],
    /// The cells that read each net.
    pub(super) readers: HashMap<u64, Vec<&'a str>>,
    /// The Verilog names of each net.
    names: HashMap<u64, Vec<Name<'a>>>,
}

/// Identifies a cell within its module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CellKey<'a> {
    kind: &'a str,
    name: String,
    spans: Vec<&'a str>,
}

/// One bit of a named signal.
#[derive(Clone, Copy)]
struct Name<'a> {
    text: &'a str,
    bit: usize,
    width: usize,
    source: &'a str,
}

/// A span of a file: `file.v:12.3-14.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span<'a> {
    file: &'a str,
    first: u32,
    last: u32,
}

impl<'a> Names<'a> {
    /// Indexes a module that was made from these files.
    pub fn new(module: &'a Module, files: &'a [VerilogFile]) -> Self {
        let mut readers: HashMap<_, Vec<_>> = HashMap::new();
        for (name, cell) in &module.cells {
            for net in ports(cell, Direction::Input).flat_map(|(_, bits)| bits).filter_map(Bit::net)
            {
                readers.entry(net).or_default().push(name.as_str());
            }
        }
        let mut names: HashMap<_, Vec<_>> = HashMap::new();
        for (text, named) in module.netnames.iter().filter(|(_, named)| named.hide_name == 0) {
            let (width, source) = (named.bits.len(), named.attributes.src.as_str());
            for (bit, net) in named.bits.iter().enumerate() {
                let name = Name { text, bit, width, source };
                names.entry(net.net()).or_default().push(name);
            }
        }
        let names = names.into_iter().filter_map(|(net, names)| Some((net?, names))).collect();
        Self { module, files, readers, names }
    }

    /// The kind of a mutation's cell, such as `$and`.
    pub fn kind(&self, mutation: &Mutation) -> Option<&'a str> {
        Some(self.cell(&mutation.cell)?.kind.as_str())
    }

    /// The width of a mutation's port.
    pub fn port_width(&self, mutation: &Mutation) -> Option<u32> {
        Some(self.cell(&mutation.cell)?.connections.get(&mutation.port)?.len() as u32)
    }

    /// The key of an instance's cell, which does not depend on the surrounding netlist (kind, name without
    /// the instance and yosys's number, and source location), and yosys's number.
    pub fn key_in(&self, instance: &str, name: &str) -> Option<(CellKey<'a>, u64)> {
        let cell = self.cell(name)?;
        let name = name.strip_prefix("$flatten").unwrap_or(name);
        let name = match instance {
            "" => name,
            _ => name.strip_prefix('\\')?.strip_prefix(instance)?.strip_prefix('.')?,
        };
        let (name, number) = name.rsplit_once('$')?;
        let file = |span: &str| span.split_once(':').map(|(file, _)| file.to_string());
        let spans = cell.attributes.src.split('|');
        let last = spans.clone().next_back().and_then(file);
        let spans = spans.filter(|span| file(span) == last).collect();
        Some((CellKey { kind: &cell.kind, name: name.to_string(), spans }, number.parse().ok()?))
    }

    /// The names of all cells.
    pub fn cells(&self) -> impl Iterator<Item = &'a str> {
        self.module.cells.keys().map(String::as_str)
    }

    pub(super) fn cell(&self, name: &str) -> Option<&'a Cell> {
        self.module.cells.get(name)
    }

    /// The location of a mutation's cell.
    pub fn location(&self, mutation: &Mutation) -> Option<Location> {
        let source = &self.cell(&mutation.cell)?.attributes.src;
        let spans: Vec<_> = source.split('|').filter_map(Span::read).collect();
        // For a cell in an instance the instances come first; each module has its own file.
        let file = spans.last()?.file;
        let of_cell = spans.into_iter().filter(|span| span.file == file);
        let narrowest = of_cell.min_by_key(|span| span.last - span.first)?;
        // A register's source is a whole block; its declaration is more precise.
        let declared = self.output(mutation).and_then(|name| {
            let mut spans = name.source.split('|').filter_map(Span::read);
            spans.rfind(|span| span.file == file)
        });
        let span = match declared {
            Some(declared) if narrowest.first != narrowest.last => declared,
            _ => narrowest,
        };
        let text = match self.files.iter().find(|file| file.name == span.file) {
            Some(file) => file.text.clone(),
            None => std::fs::read_to_string(span.file).ok()?,
        };
        let text = text.lines().nth((span.first as usize).checked_sub(1)?)?;
        Some(Location {
            file: users::original(span.file),
            line: span.first,
            text: text.trim().to_string(),
        })
    }

    /// The named signal that the mutation changes, or the first named one in its fan-out.
    pub fn signal(&self, mutation: &Mutation) -> Option<String> {
        let name = self.output(mutation).or_else(|| self.behind(mutation))?;
        Some(match name.width {
            1 => name.text.to_string(),
            _ => format!("{}[{}]", name.text, name.bit),
        })
    }

    /// The expression of a mutation's cell as Verilog; none if the cell has no operator.
    pub fn expression(&self, mutation: &Mutation) -> Option<String> {
        let cell = self.cell(&mutation.cell)?;
        let operand = |port| Some(self.vector(cell.connections.get(port)?, &mutation.cell));
        let operator = match cell.kind.as_str() {
            "$mux" => {
                return Some(format!("{} ? {} : {}", operand("S")?, operand("B")?, operand("A")?));
            }
            "$logic_not" => return Some(format!("{} == 0", operand("A")?)),
            "$eq" => "==",
            "$ne" => "!=",
            "$eqx" => "===",
            "$nex" => "!==",
            "$lt" => "<",
            "$le" => "<=",
            "$gt" => ">",
            "$ge" => ">=",
            "$add" => "+",
            "$sub" => "-",
            _ => return None,
        };
        Some(format!("{} {operator} {}", operand("A")?, operand("B")?))
    }

    fn vector(&self, bits: &[Bit], cell: &str) -> String {
        if bits.iter().all(|bit| bit.net().is_none()) {
            let digits = bits.iter().rev().map(|bit| match bit {
                Bit::Constant(value) => value.as_str(),
                Bit::Net(_) => "",
            });
            return format!("{}'b{}", bits.len(), digits.collect::<String>());
        }
        let first = bits.iter().find_map(Bit::net).and_then(|net| self.name(net, cell));
        match (first, bits.len()) {
            (None, width) => format!("({width} bits)"),
            (Some(name), width) if name.bit == 0 && name.width == width => name.text.to_string(),
            (Some(name), 1) => format!("{}[{}]", name.text, name.bit),
            (Some(name), width) => {
                format!("{}[{}:{}]", name.text, name.bit + width - 1, name.bit)
            }
        }
    }

    /// The name of the mutated bit, or of the bit that its cell drives.
    fn output(&self, mutation: &Mutation) -> Option<Name<'a>> {
        let mut outputs = ports(self.cell(&mutation.cell)?, Direction::Output);
        let first = outputs.next()?;
        let own = outputs.find(|(port, _)| **port == mutation.port);
        let (_, bits) = own.unwrap_or(first);
        self.name(bits.get(mutation.bit as usize)?.net()?, &mutation.cell)
    }

    /// The first name in the fan-out of the cell.
    fn behind(&self, mutation: &Mutation) -> Option<Name<'a>> {
        let mut seen = HashSet::from([mutation.cell.as_str()]);
        let mut cells = VecDeque::from([mutation.cell.as_str()]);
        while let Some(cell) = cells.pop_front() {
            let outputs = ports(self.cell(cell)?, Direction::Output);
            for net in outputs.flat_map(|(_, bits)| bits).filter_map(Bit::net) {
                if let Some(name) = self.name(net, &mutation.cell) {
                    return Some(name);
                }
                let readers = self.readers.get(&net).into_iter().flatten();
                cells.extend(readers.filter(|reader| seen.insert(**reader)));
            }
        }
        None
    }

    /// The best name of a net: in the cell's own module, chosen by the author, short.
    fn name(&self, net: u64, cell: &str) -> Option<Name<'a>> {
        let own = cell.strip_prefix("$flatten\\").and_then(|name| name.split(".$").next());
        let rank = |name: &&Name<'a>| {
            let (scope, local) = name.text.rsplit_once('.').unwrap_or(("", name.text));
            (scope != own.unwrap_or(""), local.starts_with('_'), name.text.len(), name.text)
        };
        self.names.get(&net)?.iter().min_by_key(rank).copied()
    }
}

/// The ports of a cell with that direction.
pub(super) fn ports(
    cell: &Cell,
    direction: Direction,
) -> impl Iterator<Item = (&String, &Vec<Bit>)> {
    cell.connections
        .iter()
        .filter(move |(port, _)| cell.port_directions.get(*port) == Some(&direction))
}

impl<'a> Span<'a> {
    fn read(source: &'a str) -> Option<Self> {
        let (file, place) = source.rsplit_once(':')?;
        let (first, last) = place.split_once('-').unwrap_or((place, place));
        let line = |place: &str| place.split('.').next()?.parse().ok();
        Some(Self { file, first: line(first)?, last: line(last)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_with_and_without_columns() {
        let read = |text| Span::read(text).map(|s| (s.file, s.first, s.last));
        assert_eq!(read("a.v:12.3-14.5"), Some(("a.v", 12, 14)));
        assert_eq!(read("a.v:12"), Some(("a.v", 12, 12)));
        assert_eq!(read("a.v"), None);
    }
}
