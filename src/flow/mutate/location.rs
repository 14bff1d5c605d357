//! Where in the emitted Verilog a cell of the flattened netlist comes from.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::mutation::Mutation;

/// A place in the emitted Verilog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// File, without folders.
    pub file: String,
    /// Line, from 1; the first if there are several.
    pub line: u32,
    /// The text of that line.
    pub text: String,
}

/// The flattened netlist as far as it is needed to find names and places.
pub struct Names<'a> {
    /// Texts of the Verilog files by name.
    files: BTreeMap<&'a str, &'a str>,
    cells: HashMap<&'a str, Cell<'a>>,
    /// For each net the cells that read it.
    readers: HashMap<u64, Vec<&'a str>>,
    /// For each net its names in the Verilog, with the bit.
    names: HashMap<u64, Vec<Name<'a>>>,
}

struct Cell<'a> {
    kind: &'a str,
    source: &'a str,
    inputs: Vec<(&'a str, Vec<Option<u64>>)>,
    outputs: Vec<(&'a str, Vec<Option<u64>>)>,
}

#[derive(Clone, Copy)]
struct Name<'a> {
    text: &'a str,
    bit: usize,
    width: usize,
    source: &'a str,
}

/// Lines of a file: `file.v:12.3-14.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span<'a> {
    file: &'a str,
    first: u32,
    last: u32,
}

impl<'a> Names<'a> {
    /// Reads what `write_json` wrote about a module; none if it is not of that form.
    pub fn read(netlist: &'a Value, top: &str, files: &[(&'a str, &'a str)]) -> Option<Self> {
        let module = &netlist["modules"][top];
        let mut read = Self {
            files: files.iter().copied().collect(),
            cells: HashMap::new(),
            readers: HashMap::new(),
            names: HashMap::new(),
        };
        for (name, cell) in module["cells"].as_object()? {
            let cell = Cell::read(cell)?;
            for net in cell.inputs.iter().flat_map(|(_, nets)| nets).flatten() {
                read.readers.entry(*net).or_default().push(name);
            }
            read.cells.insert(name, cell);
        }
        for (text, net) in module["netnames"].as_object()? {
            if net["hide_name"] != 0 {
                continue;
            }
            let bits = nets(&net["bits"])?;
            let source = net["attributes"]["src"].as_str().unwrap_or_default();
            for (bit, id) in bits.iter().enumerate() {
                let name = Name { text, bit, width: bits.len(), source };
                if let Some(id) = id {
                    read.names.entry(*id).or_default().push(name);
                }
            }
        }
        Some(read)
    }

    /// The kind of a mutation's cell, such as `$and`.
    pub fn kind(&self, mutation: &Mutation) -> Option<&'a str> {
        Some(self.cells.get(mutation.cell.as_str())?.kind)
    }

    /// Where a mutation's cell comes from.
    pub fn location(&self, mutation: &Mutation) -> Option<Location> {
        let cell = self.cells.get(mutation.cell.as_str())?;
        let spans: Vec<_> = cell.source.split('|').filter_map(Span::read).collect();
        // Of a cell in an instance, the instances come first; each module has a file of its own.
        let file = spans.last()?.file;
        let of_cell = spans.into_iter().filter(|span| span.file == file);
        let narrowest = of_cell.min_by_key(|span| span.last - span.first)?;
        // A register is made by a whole block; its declaration is the better place.
        let declared = self.output(mutation).and_then(|name| {
            let mut spans = name.source.split('|').filter_map(Span::read);
            spans.rfind(|span| span.file == file)
        });
        let span = match declared {
            Some(declared) if narrowest.first != narrowest.last => declared,
            _ => narrowest,
        };
        let text = self.files.get(span.file)?.lines().nth(span.first as usize - 1)?;
        Some(Location {
            file: span.file.to_string(),
            line: span.first,
            text: text.trim().to_string(),
        })
    }

    /// The named signal that the mutation changes, or the first that what it changes leads to.
    pub fn signal(&self, mutation: &Mutation) -> Option<String> {
        let name = self.output(mutation).or_else(|| self.behind(mutation))?;
        Some(match name.width {
            1 => name.text.to_string(),
            _ => format!("{}[{}]", name.text, name.bit),
        })
    }

    /// The name of the mutated bit, or of the one that its cell makes of it in that place.
    fn output(&self, mutation: &Mutation) -> Option<Name<'a>> {
        let outputs = &self.cells.get(mutation.cell.as_str())?.outputs;
        let own = outputs.iter().find(|(port, _)| *port == mutation.port);
        let (_, nets) = own.or(outputs.first())?;
        self.name((*nets.get(mutation.bit as usize)?)?, &mutation.cell)
    }

    /// The first name on the way forward from the cell.
    fn behind(&self, mutation: &Mutation) -> Option<Name<'a>> {
        let mut seen = HashSet::new();
        let mut cells = VecDeque::from([self.cells.get_key_value(mutation.cell.as_str())?]);
        while let Some((_, cell)) = cells.pop_front() {
            for net in cell.outputs.iter().flat_map(|(_, nets)| nets).flatten() {
                if let Some(name) = self.name(*net, &mutation.cell) {
                    return Some(name);
                }
                let readers = self.readers.get(net).into_iter().flatten();
                let fresh: Vec<_> = readers.filter(|reader| seen.insert(**reader)).collect();
                cells.extend(fresh.iter().filter_map(|reader| self.cells.get_key_value(**reader)));
            }
        }
        None
    }

    /// The best name of a net: one in the cell's own module, one that the author chose, a short one.
    fn name(&self, net: u64, cell: &str) -> Option<Name<'a>> {
        let own = cell.strip_prefix("$flatten\\").and_then(|name| name.split(".$").next());
        let rank = |name: &&Name<'a>| {
            let (scope, local) = name.text.rsplit_once('.').unwrap_or(("", name.text));
            (scope != own.unwrap_or(""), local.starts_with('_'), name.text.len(), name.text)
        };
        self.names.get(&net)?.iter().min_by_key(rank).copied()
    }
}

impl<'a> Cell<'a> {
    fn read(cell: &'a Value) -> Option<Self> {
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        for (port, bits) in cell["connections"].as_object()? {
            let ports = match cell["port_directions"][port.as_str()].as_str()? {
                "output" => &mut outputs,
                _ => &mut inputs,
            };
            ports.push((port.as_str(), nets(bits)?));
        }
        let source = cell["attributes"]["src"].as_str().unwrap_or_default();
        Some(Self { kind: cell["type"].as_str()?, source, inputs, outputs })
    }
}

/// The nets of a port; a constant is none.
fn nets(bits: &Value) -> Option<Vec<Option<u64>>> {
    Some(bits.as_array()?.iter().map(Value::as_u64).collect())
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
