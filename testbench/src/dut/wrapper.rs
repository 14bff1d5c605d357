//! Wraps a user's module whose ports differ in a module with the circuit's ports.

use std::fmt::Write;

use warpsmith_rtl::PortLayout;

use super::bits::Bits;
use super::connections::{CLOCK, Connected, Connections, Piece, RESET, To, width};
use crate::verilator::Direction;

/// The wrapper's text.
pub(super) fn text(
    name: &str,
    module: &str,
    parameters: &[(String, String)],
    connections: &Connections,
    layout: &PortLayout,
    has_clock: bool,
) -> String {
    let mut declared = Vec::new();
    declared.extend(has_clock.then(|| format!("  input wire {CLOCK}")));
    for (direction, slots) in [("input", &layout.inputs), ("output", &layout.outputs)] {
        declared.extend(slots.iter().map(|slot| {
            format!("  {direction} wire {}{}", range(slot.width), verilog_name(&slot.name))
        }));
    }
    let parameters: Vec<_> =
        parameters.iter().map(|(name, value)| format!("    .{name}({value})")).collect();
    let parameters = match parameters.is_empty() {
        true => String::new(),
        false => format!("#(\n{}\n  ) ", parameters.join(",\n")),
    };
    let mut text = format!("module {name} (\n{}\n);\n", declared.join(",\n"));
    let mut open = Vec::new();
    let connected: Vec<_> =
        connections.ports.iter().map(|port| pins(port, connections, layout, &mut open)).collect();
    for (name, width) in open {
        let _ = writeln!(text, "  wire {}{name};", range(width));
    }
    let (module, connected) = (verilog_name(module), connected.join(",\n"));
    let _ = write!(text, "  {module} {parameters}dut (\n{connected}\n  );\nendmodule\n");
    text
}

/// The connection of a port. Names of wires for bits that go nowhere beside others are added to `open`.
fn pins(
    connected: &Connected,
    connections: &Connections,
    layout: &PortLayout,
    open: &mut Vec<(String, u32)>,
) -> String {
    let Connected { port, pieces } = connected;
    let is_one = pieces.len() == 1;
    let mut pin = |Piece { bits, to }: &Piece| match to {
        To::Ours(name, part) => {
            let inverted = if name == RESET && connections.reset_is_low { "~" } else { "" };
            format!("{inverted}{}", selected(name, *part, layout))
        }
        To::Tied(value) => format!("{}'d{value}", bits.width()),
        To::Open if is_one => String::new(),
        To::Open => {
            let free = |name: &String| width(layout, name).is_none();
            let names = std::iter::successors(Some(format!("open_{}", open.len())), |name| {
                Some(format!("{name}_"))
            });
            let name = names.into_iter().find(free).expect("one of ever longer names is free");
            open.push((name.clone(), bits.width()));
            name
        }
    };
    let pins: Vec<_> = pieces.iter().map(&mut pin).collect();
    let pins = if is_one { pins.concat() } else { format!("{{{}}}", pins.join(", ")) };
    debug_assert!(is_one || port.direction != Direction::InOut);
    format!("    .{}({pins})", verilog_name(&port.name))
}

/// A port of the circuit's, or some bits of it. A port of one bit is declared without a range.
fn selected(name: &str, part: Option<Bits>, layout: &PortLayout) -> String {
    match part.filter(|_| width(layout, name) != Some(1)) {
        Some(bits) => format!("{}{}", verilog_name(name), bits.as_range()),
        None => verilog_name(name),
    }
}

fn range(width: u32) -> String {
    match width {
        1 => String::new(),
        width => format!("[{}:0] ", width - 1),
    }
}

/// An identifier, escaped if necessary.
fn verilog_name(name: &str) -> String {
    match name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$') {
        true => name.to_string(),
        false => format!("\\{name} "),
    }
}
