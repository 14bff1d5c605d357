//! Wraps a user's module whose ports differ in a module with the circuit's ports.

use std::fmt::Write;

use thiserror::Error;
use warpsmith_rtl::PortLayout;

use super::{Dut, values};
use crate::verilator::{Direction, ModulePort};

/// Clock and reset of every circuit.
const CLOCK: &str = "clk";
const RESET: &str = "rst";

/// The ports of a user's module and their connections.
pub(super) struct Ports {
    ports: Vec<(ModulePort, Connection)>,
    reset_is_low: bool,
}

enum Connection {
    /// The circuit's port of that name.
    Ours(String),
    /// A constant.
    Tied(u64),
}

/// Why a port cannot be mapped or tied.
#[derive(Debug, Error)]
pub enum MapError {
    /// The port does not exist.
    #[error("{option} {port}: the module has no port of that name; it has: {found}")]
    NoPort {
        /// `--map` or `--tie`.
        option: &'static str,
        /// The port.
        port: String,
        /// The existing ports.
        found: String,
    },
    /// The port is named more than once.
    #[error("{option} {port}: that port is named twice, or has our name already")]
    Twice {
        /// `--map` or `--tie`.
        option: &'static str,
        /// The port.
        port: String,
    },
    /// The port is not an input.
    #[error("--tie {port}: it is an {direction}; only an input can be held at a value")]
    NoInput {
        /// The port.
        port: String,
        /// Its direction.
        direction: Direction,
    },
    /// The value is too wide.
    #[error("--tie {port}={value}: the value does not fit the port's width, {width}")]
    TooWide {
        /// The port.
        port: String,
        /// The value.
        value: u64,
        /// Bits of the port.
        width: u32,
    },
    /// No port is the reset.
    #[error(
        "--reset active-low: no port of the module is our `rst`; say which one is, like --map rst_n=rst"
    )]
    NoReset,
}

impl Ports {
    /// Connects the ports of a module as the user specifies, and the others by name.
    ///
    /// # Errors
    /// Returns [`DutError`](super::DutError) if a port cannot be mapped or tied.
    pub fn new(dut: &Dut, ports: Vec<ModulePort>) -> Result<Self, super::DutError> {
        let found = || {
            let names: Vec<_> = ports.iter().map(|port| port.name.as_str()).collect();
            names.join(", ")
        };
        let mut connections: Vec<_> =
            ports.iter().map(|port| Connection::Ours(port.name.clone())).collect();
        let mut said = vec![false; ports.len()];
        let mut connect = |option, name: &String, to: Connection| {
            let index = ports
                .iter()
                .position(|port| port.name == *name)
                .ok_or_else(|| MapError::NoPort { option, port: name.clone(), found: found() })?;
            connections[index] = to;
            match std::mem::replace(&mut said[index], true) {
                true => Err(MapError::Twice { option, port: name.clone() }),
                false => Ok(()),
            }
        };
        for (theirs, ours) in &dut.map {
            connect("--map", theirs, Connection::Ours(ours.clone()))?;
        }
        for (port, value) in &dut.ties {
            connect("--tie", port, Connection::Tied(values::tie(port, value)?))?;
        }
        let ports = Self {
            ports: ports.into_iter().zip(connections).collect(),
            reset_is_low: dut.reset_is_low,
        };
        ports.check()?;
        Ok(ports)
    }

    fn check(&self) -> Result<(), MapError> {
        let mut names: Vec<&str> = Vec::new();
        for (port, connection) in &self.ports {
            match connection {
                Connection::Ours(name) if names.contains(&name.as_str()) => {
                    return Err(MapError::Twice { option: "--map", port: name.clone() });
                }
                Connection::Ours(name) => names.push(name),
                Connection::Tied(_) if port.direction != Direction::Input => {
                    let (port, direction) = (port.name.clone(), port.direction);
                    return Err(MapError::NoInput { port, direction });
                }
                Connection::Tied(value) if port.width < 64 && value >> port.width != 0 => {
                    let (value, width) = (*value, port.width);
                    return Err(MapError::TooWide { port: port.name.clone(), value, width });
                }
                Connection::Tied(_) => {}
            }
        }
        match self.reset_is_low && !names.contains(&RESET) {
            true => Err(MapError::NoReset),
            false => Ok(()),
        }
    }

    /// The remaining ports, by the circuit's names.
    pub fn as_ours(&self) -> Vec<ModulePort> {
        let ours = self.ports.iter().filter_map(|(port, connection)| match connection {
            Connection::Ours(name) => Some(port.named(name)),
            Connection::Tied(_) => None,
        });
        ours.collect()
    }

    /// Whether the module fits without a wrapper.
    pub fn are_ours(&self) -> bool {
        let is_ours = |(port, connection): &(ModulePort, Connection)| matches!(connection, Connection::Ours(name) if *name == port.name);
        !self.reset_is_low && self.ports.iter().all(is_ours)
    }

    fn connected(&self, layout: &PortLayout) -> String {
        let is_listed = |name: &str| {
            name == CLOCK || layout.input(name).is_some() || layout.output(name).is_some()
        };
        let connections = self.ports.iter().map(|(port, connection)| {
            let to = match connection {
                Connection::Ours(name) if name == RESET && self.reset_is_low => format!("~{name}"),
                Connection::Ours(name) if is_listed(name) => name.clone(),
                // An additional output is left open.
                Connection::Ours(_) => String::new(),
                Connection::Tied(value) => format!("{}'d{value}", port.width),
            };
            format!("    .{}({to})", verilog_name(&port.name))
        });
        connections.collect::<Vec<_>>().join(",\n")
    }
}

/// The wrapper's text.
pub(super) fn text(
    name: &str,
    module: &str,
    parameters: &[(String, String)],
    ports: &Ports,
    layout: &PortLayout,
) -> String {
    let mut declared = vec![format!("  input wire {CLOCK}")];
    for (direction, slots) in [("input", &layout.inputs), ("output", &layout.outputs)] {
        declared.extend(slots.iter().map(|slot| {
            let range = match slot.width {
                1 => String::new(),
                width => format!("[{}:0] ", width - 1),
            };
            format!("  {direction} wire {range}{}", verilog_name(&slot.name))
        }));
    }
    let parameters: Vec<_> =
        parameters.iter().map(|(name, value)| format!("    .{name}({value})")).collect();
    let parameters = match parameters.is_empty() {
        true => String::new(),
        false => format!("#(\n{}\n  ) ", parameters.join(",\n")),
    };
    let mut text = format!("module {name} (\n{}\n);\n", declared.join(",\n"));
    let module = verilog_name(module);
    let connected = ports.connected(layout);
    let _ = write!(text, "  {module} {parameters}dut (\n{connected}\n  );\nendmodule\n");
    text
}

/// An identifier, escaped if necessary.
fn verilog_name(name: &str) -> String {
    match name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$') {
        true => name.to_string(),
        false => format!("\\{name} "),
    }
}
