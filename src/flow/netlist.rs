//! Yosys's JSON netlists: modules, ports, cells and named nets.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::FlowError;
use super::folder::Folder;

/// The file of `write_json`.
#[derive(Debug, Deserialize)]
pub struct Netlist {
    /// Modules by name.
    pub modules: BTreeMap<String, Module>,
}

/// A module.
#[derive(Debug, Default, Deserialize)]
pub struct Module {
    /// Ports by name.
    #[serde(default)]
    pub ports: BTreeMap<String, Port>,
    /// Cells by name.
    #[serde(default)]
    pub cells: BTreeMap<String, Cell>,
    /// Named nets by name.
    #[serde(default)]
    pub netnames: BTreeMap<String, NetName>,
}

/// A port.
#[derive(Debug, Deserialize)]
pub struct Port {
    /// Direction.
    pub direction: Direction,
    /// Index of the lowest bit in the source.
    #[serde(default)]
    pub offset: i64,
    /// Bits, the lowest first.
    pub bits: Vec<Bit>,
}

/// Direction of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Into the module.
    Input,
    /// Out of the module.
    Output,
    /// Bidirectional.
    Inout,
}

/// A cell.
#[derive(Debug, Deserialize)]
pub struct Cell {
    /// Type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Parameters; numbers are strings of binary digits.
    #[serde(default)]
    pub parameters: BTreeMap<String, String>,
    /// Directions of the ports.
    #[serde(default)]
    pub port_directions: BTreeMap<String, Direction>,
    /// Bits connected to each port.
    #[serde(default)]
    pub connections: BTreeMap<String, Vec<Bit>>,
    /// Attributes.
    #[serde(default)]
    pub attributes: Attributes,
}

/// The attributes that are used here.
#[derive(Debug, Default, Deserialize)]
pub struct Attributes {
    /// Source location: `file.v:12.3-14.5`; several are separated by `|`.
    #[serde(default)]
    pub src: String,
    /// Value at power-up, the highest bit first.
    #[serde(default)]
    pub init: String,
}

/// A named net.
#[derive(Debug, Deserialize)]
pub struct NetName {
    /// 1 if yosys generated the name.
    #[serde(default)]
    pub hide_name: u8,
    /// Index of the lowest bit in the source.
    #[serde(default)]
    pub offset: i64,
    /// Bits, the lowest first.
    pub bits: Vec<Bit>,
    /// Attributes.
    #[serde(default)]
    pub attributes: Attributes,
}

/// One bit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Bit {
    /// A net, by its number in the module.
    Net(u64),
    /// `0`, `1`, `x` or `z`.
    Constant(String),
}

impl Bit {
    /// The net's number, if it is a net.
    pub fn net(&self) -> Option<u64> {
        match self {
            Bit::Net(net) => Some(*net),
            Bit::Constant(_) => None,
        }
    }
}

impl Module {
    /// The first number above those of all nets.
    pub fn unused_net(&self) -> u64 {
        let of_cells = self.cells.values().flat_map(|cell| cell.connections.values());
        let of_ports = self.ports.values().map(|port| &port.bits);
        let of_names = self.netnames.values().map(|named| &named.bits);
        let used = of_cells.chain(of_ports).chain(of_names).flatten().filter_map(Bit::net).max();
        used.unwrap_or(1) + 1
    }
}

impl Cell {
    /// The net at a one-bit port.
    pub fn net(&self, port: &str) -> Option<u64> {
        self.connections.get(port)?.first()?.net()
    }

    /// The value of a numeric parameter.
    pub fn number(&self, parameter: &str) -> Option<u32> {
        u32::from_str_radix(self.parameters.get(parameter)?, 2).ok()
    }
}

/// Reads a module from a file that yosys wrote.
///
/// # Errors
/// [`FlowError::File`] if the file cannot be read, [`FlowError::Report`] if it lacks the module.
pub fn module(folder: &Folder, file: &str, name: &str) -> Result<Module, FlowError> {
    let unusable = |what: String| FlowError::Report { path: folder.file(file), what };
    let mut netlist: Netlist = serde_json::from_str(&folder.read(file)?)
        .map_err(|error| unusable(format!("unexpected netlist: {error}")))?;
    netlist.modules.remove(name).ok_or_else(|| unusable(format!("no module {name}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_nets_or_constants() {
        let text = r#"{"type": "LUT4", "parameters": {"SIZE": "00110"},
                       "connections": {"A": [7], "B": ["1"], "Z": []}}"#;
        let cell: Cell = serde_json::from_str(text).unwrap();
        assert_eq!((cell.net("A"), cell.net("B"), cell.net("Z")), (Some(7), None, None));
        assert_eq!(cell.number("SIZE"), Some(6));
    }
}
