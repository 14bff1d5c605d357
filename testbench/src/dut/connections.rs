//! Which bits of a user's module are connected to which of the circuit's ports.

use warpsmith_rtl::PortLayout;

use super::bits::{Bits, End, MapError};
use super::{Dut, DutError, values};
use crate::verilator::{self, Direction, ModulePort};

/// Clock and reset of every circuit.
pub(super) const CLOCK: &str = "clk";
pub(super) const RESET: &str = "rst";

/// A port of the user's module, and what its bits are connected to, the highest first.
pub(super) struct Connected {
    pub port: ModulePort,
    pub pieces: Vec<Piece>,
}

/// Neighbouring bits of a port.
pub(super) struct Piece {
    /// Their positions in the port.
    pub bits: Bits,
    pub to: To,
}

/// What bits are connected to.
#[derive(Clone)]
pub(super) enum To {
    /// The circuit's port of that name, whole or in part.
    Ours(String, Option<Bits>),
    /// A constant.
    Tied(u64),
    /// Nothing: an output that the circuit does not have.
    Open,
}

/// The ports of a user's module and their connections.
pub(super) struct Connections {
    pub ports: Vec<Connected>,
    pub reset_is_low: bool,
}

impl Connections {
    /// Connects the ports of a module as the user specifies, and the others by name. `ascending` names those whose
    /// range is declared from the lowest bit on.
    ///
    /// # Errors
    /// Returns [`DutError`] if a port cannot be mapped or tied, or the result has not the circuit's ports.
    pub fn new(
        dut: &Dut,
        ports: Vec<ModulePort>,
        ascending: &[String],
        layout: &PortLayout,
    ) -> Result<Self, DutError> {
        let mut said: Vec<Connected> =
            ports.into_iter().map(|port| Connected { port, pieces: Vec::new() }).collect();
        let targets = dut.map.iter().map(|(theirs, ours)| ("--map", theirs, ours));
        let ties = dut.ties.iter().map(|(port, value)| ("--tie", port, value));
        for (option, theirs, value) in targets.chain(ties) {
            let (index, bits) = find(&said, ascending, option, theirs)?;
            let port = &said[index].port;
            let to = match option {
                "--map" => ours(theirs, bits, value, layout)?,
                _ => tied(port, theirs, bits, value)?,
            };
            let pieces = &mut said[index].pieces;
            if pieces.iter().any(|piece| piece.bits.overlap(bits)) {
                return Err(MapError::Twice { option, port: theirs.clone() }.into());
            }
            pieces.push(Piece { bits, to });
        }
        for connected in &mut said {
            connected.complete(layout)?;
        }
        let connections = Self { ports: said, reset_is_low: dut.reset_is_low };
        connections.check(layout)?;
        Ok(connections)
    }

    fn check(&self, layout: &PortLayout) -> Result<(), DutError> {
        let assembled = self.assembled(layout)?;
        verilator::check_ports(&assembled, layout).map_err(DutError::Ports)?;
        match self.reset_is_low && assembled.iter().all(|port| port.name != RESET) {
            true => Err(MapError::NoReset.into()),
            false => Ok(()),
        }
    }

    /// The ports by the circuit's names, as if they were those of a module.
    fn assembled(&self, layout: &PortLayout) -> Result<Vec<ModulePort>, DutError> {
        let mut assembled: Vec<(ModulePort, Vec<Bits>)> = Vec::new();
        for Connected { port, pieces } in &self.ports {
            for Piece { bits, to } in pieces {
                let (name, part) = match to {
                    To::Ours(name, part) => (name, part),
                    To::Open if pieces.len() == 1 => (&port.name, &None),
                    To::Open | To::Tied(_) => continue,
                };
                let mut ours = port.named(name);
                let known = width(layout, name);
                ours.width =
                    if part.is_some() { known.unwrap_or(bits.width()) } else { bits.width() };
                let part = part.unwrap_or(Bits::whole(ours.width));
                let Some((first, parts)) =
                    assembled.iter_mut().find(|(port, _)| port.name == *name)
                else {
                    assembled.push((ours, vec![part]));
                    continue;
                };
                let is_input =
                    first.direction == Direction::Input && ours.direction == Direction::Input;
                if first.direction != ours.direction
                    || (!is_input && parts.iter().any(|other| other.overlap(part)))
                {
                    return Err(
                        MapError::Driven { port: port.name.clone(), ours: name.clone() }.into()
                    );
                }
                if known != Some(ours.width) {
                    first.width = ours.width;
                }
                parts.push(part);
            }
        }
        let mut ports = Vec::new();
        for (port, parts) in assembled {
            let missing = Bits::whole(port.width).without(&parts);
            if let Some(bits) = missing.first() {
                let ours = format!("{}{}", port.name, bits.as_range());
                return Err(MapError::Lacks { ours, direction: port.direction }.into());
            }
            ports.push(port);
        }
        Ok(ports)
    }

    /// Whether the module fits without a wrapper.
    pub fn are_ours(&self) -> bool {
        let is_ours = |connected: &Connected| match connected.pieces.as_slice() {
            [Piece { to: To::Ours(name, None), .. }] => *name == connected.port.name,
            [Piece { to: To::Open, .. }] => true,
            _ => false,
        };
        !self.reset_is_low && self.ports.iter().all(is_ours)
    }
}

impl Connected {
    /// Connects what no option is about: the whole port by its name, or the rest of an output to nothing.
    fn complete(&mut self, layout: &PortLayout) -> Result<(), MapError> {
        let Self { port, pieces } = self;
        let said: Vec<_> = pieces.iter().map(|piece| piece.bits).collect();
        let left = Bits::whole(port.width).without(&said);
        let is_output = port.direction == Direction::Output;
        if pieces.is_empty() {
            let to = match is_output && width(layout, &port.name).is_none() {
                true => To::Open,
                false => To::Ours(port.name.clone(), None),
            };
            pieces.push(Piece { bits: Bits::whole(port.width), to });
        } else if is_output {
            pieces.extend(left.into_iter().map(|bits| Piece { bits, to: To::Open }));
        } else if let Some(bits) = left.first() {
            let bits = format!("{}{}", port.name, bits.as_range());
            return Err(MapError::Unconnected { bits });
        }
        pieces.sort_by_key(|piece| std::cmp::Reverse(piece.bits.low));
        Ok(())
    }
}

/// The port that an end is of, and the positions of its bits.
fn find(
    ports: &[Connected],
    ascending: &[String],
    option: &'static str,
    text: &str,
) -> Result<(usize, Bits), MapError> {
    let named = |name: &str| ports.iter().position(|connected| connected.port.name == name);
    // A name may itself have brackets.
    let end = match named(text) {
        Some(_) => End { name: text.to_string(), range: None },
        None => End::parse(option, text)?,
    };
    let index = named(&end.name).ok_or_else(|| {
        let names: Vec<_> = ports.iter().map(|connected| connected.port.name.as_str()).collect();
        MapError::NoPort { option, port: text.to_string(), found: names.join(", ") }
    })?;
    let port = &ports[index].port;
    let bits = end.bits(option, port.width, port.lowest, ascending.contains(&port.name))?;
    Ok((index, bits))
}

/// The circuit's port, or a part of it, of as many bits.
fn ours(theirs: &str, bits: Bits, text: &str, layout: &PortLayout) -> Result<To, MapError> {
    let end = End::parse("--map", text)?;
    let Some(known) = width(layout, &end.name) else {
        let slots = layout.inputs.iter().chain(&layout.outputs).map(|slot| slot.name.as_str());
        let known: Vec<_> = [CLOCK].into_iter().chain(slots).collect();
        let (port, known) = (theirs.to_string(), known.join(", "));
        return Err(MapError::NotOurs { port, ours: text.to_string(), known });
    };
    let is_part = end.range.is_some();
    let part = end.bits("--map", known, 0, false)?;
    if part.width() != bits.width() {
        let map = format!("{theirs}={text}");
        return Err(MapError::Widths { map, theirs: bits.width(), ours: part.width() });
    }
    Ok(To::Ours(end.name, is_part.then_some(part)))
}

fn tied(port: &ModulePort, theirs: &str, bits: Bits, text: &str) -> Result<To, DutError> {
    if port.direction != Direction::Input {
        let (port, direction) = (theirs.to_string(), port.direction);
        return Err(MapError::NoInput { port, direction }.into());
    }
    let value = values::tie(theirs, text)?;
    if bits.width() < 64 && value >> bits.width() != 0 {
        let (port, width) = (theirs.to_string(), bits.width());
        return Err(MapError::TooWide { port, value, width }.into());
    }
    Ok(To::Tied(value))
}

/// Bits of a port of the circuit's.
pub(super) fn width(layout: &PortLayout, name: &str) -> Option<u32> {
    let slot = || layout.input(name).or_else(|| layout.output(name));
    if name == CLOCK { Some(1) } else { slot().map(|slot| slot.width) }
}
