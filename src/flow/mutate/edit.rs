//! Applies our own mutations to a netlist in yosys's JSON, each active at one value of the chooser input.

use serde_json::{Map, Value, json};

use super::mutation::{Mode, Mutation};
use super::own::{Ram, changed_constant};
use crate::flow::netlist::{Bit, Module, Netlist};

/// A netlist under mutation.
pub struct Editor {
    /// The netlist before any change.
    original: Module,
    top: String,
    netlist: Value,
    /// Bits of the chooser.
    chooser: Vec<Bit>,
    /// First unused net.
    free: u64,
    /// Number of cells added.
    made: u64,
}

impl Editor {
    /// Parses a netlist and adds the chooser input; none if the netlist is not as expected.
    pub fn new(text: &str, top: &str, chooser: &str, width: u32) -> Option<Self> {
        let original = serde_json::from_str::<Netlist>(text).ok()?.modules.remove(top)?;
        let netlist: Value = serde_json::from_str(text).ok()?;
        let (free, top) = (original.unused_net(), top.to_string());
        let mut editor = Self { original, top, netlist, chooser: Vec::new(), free, made: 0 };
        editor.chooser = editor.nets(width as usize);
        let bits = json!(editor.chooser);
        editor.part("ports").insert(chooser.into(), json!({"direction": "input", "bits": bits}));
        let named = json!({"hide_name": 0, "bits": bits, "attributes": {}});
        editor.part("netnames").insert(chooser.into(), named);
        Some(editor)
    }

    /// The current netlist as JSON.
    pub fn text(&self) -> String {
        self.netlist.to_string()
    }

    /// Applies a mutation that is active where the chooser is `choice`; none if it cannot be applied.
    pub fn make(&mut self, mutation: &Mutation, choice: u32) -> Option<()> {
        let Mutation { mode, cell, port, bit, control } = mutation;
        let chosen = self.is(&self.chooser.clone(), choice);
        let bit = *bit as usize;
        match mode {
            Mode::Ignored => {
                let other = if port == "A" { "B" } else { "A" };
                let other =
                    self.connection(cell, other)?.get(bit).cloned().unwrap_or(constant(false));
                self.set_bit(cell, port, bit, &chosen, other)?;
            }
            Mode::OneMore | Mode::OneLess => self.change_constant(mutation, &chosen)?,
            Mode::Reads0 | Mode::Reads1 => {
                let ram = Ram::of(self.original.cells.get(cell)?)?;
                let value = constant(*mode == Mode::Reads1);
                let addresses = self.connection(cell, "RD_ADDR")?;
                let addresses = addresses.chunks(ram.address_bits as usize);
                for (read, address) in
                    addresses.map(<[Bit]>::to_vec).enumerate().collect::<Vec<_>>()
                {
                    let stuck = match control {
                        Some(row) => {
                            let is_row = self.is(&address, *row);
                            self.gate("$and", [("A", vec![chosen.clone()]), ("B", vec![is_row])], 1)
                        }
                        None => vec![chosen.clone()],
                    };
                    let place = read * ram.width as usize + bit;
                    self.replace_output(cell, port, place, &stuck[0], &value)?;
                }
            }
            Mode::Aliased => {
                let ram = Ram::of(self.original.cells.get(cell)?)?;
                for port in ["RD_ADDR", "WR_ADDR"] {
                    let bits = self.connection(cell, port)?.len();
                    for place in (bit..bits).step_by(ram.address_bits as usize) {
                        self.set_bit(cell, port, place, &chosen, constant(false))?;
                    }
                }
            }
            Mode::Swapped => self.swap(cell, &chosen)?,
            Mode::ResetInverted => {
                let Bit::Constant(value) = self.original_bits(cell, port)?.get(bit)?.clone() else {
                    return None;
                };
                self.set_bit(cell, port, bit, &chosen, constant(value == "0"))?;
            }
            Mode::Inv | Mode::Const0 | Mode::Const1 | Mode::Cnot0 | Mode::Cnot1 => return None,
        }
        Some(())
    }

    fn change_constant(&mut self, mutation: &Mutation, chosen: &Bit) -> Option<()> {
        let Mutation { mode, cell, port, .. } = mutation;
        let original = self.original.cells.get(cell)?;
        if original.kind == "$logic_not" {
            // `a == 0` becomes `a == 1`.
            let lowest = self.connection(cell, port)?.first()?.clone();
            let inverted = self.gate("$not", [("A", vec![lowest])], 1).remove(0);
            return self.set_bit(cell, port, 0, chosen, inverted);
        }
        let width = ["A", "B", "Y"].into_iter().filter_map(|port| self.original_bits(cell, port));
        let width = width.map(<[Bit]>::len).max()?;
        let changed = changed_constant(self.original_bits(cell, port)?, width, *mode)?;
        let now = self.connection(cell, port)?;
        let width = now.len().max(changed.len());
        let [now, changed] = [now, changed].map(|bits| padded(bits, width));
        let bits = self.choose(chosen, now, changed);
        self.connect(cell, port, bits)
    }

    fn swap(&mut self, cell: &str, chosen: &Bit) -> Option<()> {
        let [a, b] = ["A", "B"].map(|port| self.connection(cell, port));
        let (a, b) = (a?, b?);
        let width = a.len().max(b.len());
        let [a, b] = [a, b].map(|bits| padded(bits, width));
        for (port, now, other) in [("A", a.clone(), b.clone()), ("B", b, a)] {
            let bits = self.choose(chosen, now, other);
            self.connect(cell, port, bits)?;
        }
        Some(())
    }

    /// Replaces one bit of an input by `value` where `chosen` is 1.
    fn set_bit(
        &mut self,
        cell: &str,
        port: &str,
        bit: usize,
        chosen: &Bit,
        value: Bit,
    ) -> Option<()> {
        let mut bits = self.connection(cell, port)?;
        let now = bits.get(bit)?.clone();
        bits[bit] = self.choose(chosen, vec![now], vec![value]).remove(0);
        self.connect(cell, port, bits)
    }

    /// Replaces one bit of an output by `value` where `chosen` is 1.
    fn replace_output(
        &mut self,
        cell: &str,
        port: &str,
        bit: usize,
        chosen: &Bit,
        value: &Bit,
    ) -> Option<()> {
        let mut bits = self.connection(cell, port)?;
        let read = bits.get(bit)?.clone();
        let from_cell = self.nets(1).remove(0);
        bits[bit] = from_cell.clone();
        self.connect(cell, port, bits)?;
        let inputs =
            [("A", vec![from_cell]), ("B", vec![value.clone()]), ("S", vec![chosen.clone()])];
        self.cell("$mux", inputs, vec![read]);
        Some(())
    }

    fn choose(&mut self, chosen: &Bit, no: Vec<Bit>, yes: Vec<Bit>) -> Vec<Bit> {
        let width = no.len();
        self.gate("$mux", [("A", no), ("B", yes), ("S", vec![chosen.clone()])], width)
    }

    /// A bit that is 1 where `bits` equal `value`.
    fn is(&mut self, bits: &[Bit], value: u32) -> Bit {
        let place = |place| constant(value >> place & 1 != 0);
        let value = (0..bits.len().min(32)).map(place).collect();
        let value = padded(value, bits.len());
        self.gate("$eq", [("A", bits.to_vec()), ("B", value)], 1).remove(0)
    }

    /// Adds a cell and returns its output.
    fn gate<const N: usize>(
        &mut self,
        kind: &str,
        inputs: [(&str, Vec<Bit>); N],
        width: usize,
    ) -> Vec<Bit> {
        let output = self.nets(width);
        self.cell(kind, inputs, output.clone());
        output
    }

    fn cell<const N: usize>(
        &mut self,
        kind: &str,
        inputs: [(&str, Vec<Bit>); N],
        output: Vec<Bit>,
    ) {
        let (mut parameters, mut connections, mut directions) =
            (Map::new(), Map::new(), Map::new());
        if kind == "$mux" {
            parameters.insert("WIDTH".into(), number(output.len()));
        } else {
            parameters.insert("Y_WIDTH".into(), number(output.len()));
            for (port, bits) in &inputs {
                parameters.insert(format!("{port}_WIDTH"), number(bits.len()));
                parameters.insert(format!("{port}_SIGNED"), number(0));
            }
        }
        for (port, bits) in inputs {
            connections.insert(port.into(), json!(bits));
            directions.insert(port.into(), json!("input"));
        }
        connections.insert("Y".into(), json!(output));
        directions.insert("Y".into(), json!("output"));
        let name = format!("$mutant${}", self.made);
        self.made += 1;
        let cell = json!({
            "hide_name": 1, "type": kind, "parameters": parameters, "attributes": {},
            "port_directions": directions, "connections": connections,
        });
        self.part("cells").insert(name, cell);
    }

    fn nets(&mut self, count: usize) -> Vec<Bit> {
        let first = self.free;
        self.free += count as u64;
        (first..self.free).map(Bit::Net).collect()
    }

    fn original_bits(&self, cell: &str, port: &str) -> Option<&[Bit]> {
        Some(self.original.cells.get(cell)?.connections.get(port)?)
    }

    fn connection(&self, cell: &str, port: &str) -> Option<Vec<Bit>> {
        let cells = &self.netlist["modules"][self.top.as_str()]["cells"];
        serde_json::from_value(cells.get(cell)?.get("connections")?.get(port)?.clone()).ok()
    }

    fn connect(&mut self, name: &str, port: &str, bits: Vec<Bit>) -> Option<()> {
        let width = format!("{port}_WIDTH");
        let cell = self.part("cells").get_mut(name)?;
        if let Some(parameter) = cell.get_mut("parameters")?.get_mut(&width) {
            *parameter = number(bits.len());
        }
        cell.get_mut("connections")?.as_object_mut()?.insert(port.into(), json!(bits));
        Some(())
    }

    fn part(&mut self, part: &str) -> &mut Map<String, Value> {
        let module = &mut self.netlist["modules"][self.top.as_str()];
        module[part].as_object_mut().expect("the same text was read as a netlist")
    }
}

fn constant(value: bool) -> Bit {
    Bit::Constant(if value { "1" } else { "0" }.to_string())
}

fn padded(mut bits: Vec<Bit>, width: usize) -> Vec<Bit> {
    bits.resize(width, constant(false));
    bits
}

/// Formats a parameter as yosys does.
fn number(value: usize) -> Value {
    json!(format!("{value:032b}"))
}
