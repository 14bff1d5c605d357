//! The ports of a Verilated module, read from the class header that Verilator writes.
//!
//! All versions of Verilator 5 use the `VL_IN8(&name,msb,lsb)` family of macros for ports, whereas the XML
//! output is being replaced by JSON. The header also has the C++ name of each port, which differs from the
//! Verilog name for keywords and unusual characters.

use warpsmith_rtl::{PortLayout, PortSlot};

use super::error::{Direction, VerilatorError};

/// Name of the clock port, which the model drives.
pub(super) const CLOCK: &str = "clk";

/// A port of a Verilated module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModulePort {
    /// Name in Verilog.
    pub name: String,
    /// Name of the member of the C++ class.
    pub(super) member: String,
    /// Direction.
    pub direction: Direction,
    /// Bits.
    pub width: u32,
    /// Lowest number of its bits in the declaration.
    pub lowest: u32,
}

impl ModulePort {
    /// A port of a module that another tool has read.
    pub fn new(name: &str, direction: Direction, width: u32, lowest: u32) -> Self {
        Self { name: name.to_owned(), member: name.to_owned(), direction, width, lowest }
    }

    /// The port under another name.
    pub fn named(&self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self.clone() }
    }
}

/// Reads the ports from the text of the class header.
pub(super) fn parse(header: &str) -> Result<Vec<ModulePort>, VerilatorError> {
    let mut ports = Vec::new();
    let mut among_ports = false;
    for line in header.lines().map(str::trim) {
        match line {
            "// PORTS" => among_ports = true,
            "// CELLS" => among_ports = false,
            _ => {}
        }
        let declares = line.starts_with("VL_IN") || line.starts_with("VL_OUT");
        // Real and string ports have no macro: they are plain references among the ports.
        let refers = among_ports && line.ends_with(';') && line.contains('&');
        if declares || refers {
            let port = parse_macro(line)
                .ok_or_else(|| VerilatorError::UnsupportedPort { declaration: line.to_owned() })?;
            ports.push(port);
        }
    }
    Ok(ports)
}

/// Parses `VL_IN8(&name,msb,lsb);`; wide ports have a fourth argument.
fn parse_macro(line: &str) -> Option<ModulePort> {
    let (name, rest) = line.split_once('(')?;
    let direction = if name.starts_with("VL_INOUT") {
        Direction::InOut
    } else if name.starts_with("VL_IN") {
        Direction::Input
    } else if name.starts_with("VL_OUT") {
        Direction::Output
    } else {
        return None;
    };
    let mut arguments = rest.strip_suffix(");")?.split(',');
    let member = arguments.next()?.trim().strip_prefix('&')?;
    let msb: i64 = arguments.next()?.trim().parse().ok()?;
    let lsb: i64 = arguments.next()?.trim().parse().ok()?;
    Some(ModulePort {
        name: verilog_name(member),
        member: member.to_owned(),
        direction,
        width: u32::try_from((msb - lsb).abs() + 1).ok()?,
        lowest: u32::try_from(msb.min(lsb)).unwrap_or(0),
    })
}

/// Decodes Verilator's names: `__0` and two hexadecimal digits stand for one character, and `__SYM__` marks a
/// C++ keyword.
pub(super) fn verilog_name(member: &str) -> String {
    let mut rest = member.strip_prefix("__SYM__").unwrap_or(member);
    let mut name = String::with_capacity(rest.len());
    while let Some(first) = rest.chars().next() {
        let code = rest.strip_prefix("__0").and_then(|r| r.get(..2));
        if let Some(code) = code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            name.push(char::from(code));
            rest = &rest[5..];
        } else {
            name.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    name
}

/// Checks that the module has the ports of the layout and no further input.
///
/// A further input would be undriven. A further output is ignored.
///
/// # Errors
/// Returns the first port that differs.
pub fn check(ports: &[ModulePort], layout: &PortLayout) -> Result<(), VerilatorError> {
    let slots = layout.inputs.iter().chain(&layout.outputs);
    if slots.clone().any(|slot| slot.name == CLOCK) {
        return Err(VerilatorError::ClockInLayout);
    }
    for slot in &layout.inputs {
        check_port(ports, &slot.name, slot.width, Direction::Input)?;
    }
    for slot in &layout.outputs {
        check_port(ports, &slot.name, slot.width, Direction::Output)?;
    }
    // A combinational module needs no clock.
    if ports.iter().any(|port| port.name == CLOCK) {
        check_port(ports, CLOCK, 1, Direction::Input)?;
    }
    let listed = |name: &str| name == CLOCK || slots.clone().any(|slot| slot.name == name);
    match ports.iter().find(|port| port.direction != Direction::Output && !listed(&port.name)) {
        None => Ok(()),
        Some(port) => Err(VerilatorError::ExtraInput {
            port: port.name.clone(),
            direction: port.direction,
            width: port.width,
        }),
    }
}

fn check_port(
    ports: &[ModulePort],
    name: &str,
    width: u32,
    direction: Direction,
) -> Result<(), VerilatorError> {
    let Some(port) = ports.iter().find(|port| port.name == name) else {
        let found: Vec<String> = ports
            .iter()
            .map(|port| format!("{} {}[{}]", port.direction, port.name, port.width))
            .collect();
        return Err(VerilatorError::MissingPort {
            port: name.to_owned(),
            direction,
            width,
            found: if found.is_empty() { "no ports".to_owned() } else { found.join(", ") },
        });
    };
    if port.direction != direction {
        return Err(VerilatorError::PortDirection {
            port: name.to_owned(),
            expected: direction,
            found: port.direction,
        });
    }
    if port.width != width {
        return Err(VerilatorError::PortWidth {
            port: name.to_owned(),
            expected: width,
            found: port.width,
        });
    }
    Ok(())
}

/// The C++ members of the slots of an image.
pub(super) fn members<'a>(
    ports: &'a [ModulePort],
    slots: &'a [PortSlot],
) -> impl Iterator<Item = (&'a str, &'a PortSlot)> {
    slots.iter().filter_map(|slot| {
        let port = ports.iter().find(|port| port.name == slot.name)?;
        Some((port.member.as_str(), slot))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_kind_of_port() {
        let header = "  // PORTS\n VL_IN8(&clk,0,0);\n VL_IN(&off,24,1);\n VL_INOUT16(&pad,15,0);\n \
                      VL_OUTW(&w,199,0,7);\n // CELLS\n Vmodel& other;\n";
        let ports = parse(header).unwrap();
        let read: Vec<_> = ports.iter().map(|p| (p.name.as_str(), p.direction, p.width)).collect();
        assert_eq!(
            read,
            [
                ("clk", Direction::Input, 1),
                ("off", Direction::Input, 24),
                ("pad", Direction::InOut, 16),
                ("w", Direction::Output, 200),
            ]
        );
    }

    #[test]
    fn refuses_ports_that_are_no_vectors() {
        for declaration in ["VL_IN8((&a)[4],7,0);", "double &r;", "std::string &s;"] {
            let error = parse(&format!("// PORTS\n{declaration}\n// CELLS\n")).unwrap_err();
            assert!(error.to_string().contains(declaration), "{error}");
        }
    }

    #[test]
    fn decodes_names() {
        for (member, name) in [
            ("a___05Fb", "a__b"),
            ("a___05F05Fb", "a__05Fb"),
            ("__SYM__delete", "delete"),
            ("esc__05b1__05d", "esc[1]"),
            ("plain_", "plain_"),
        ] {
            assert_eq!(verilog_name(member), name);
        }
    }
}
