//! Mutations that change nothing but [free choices](super::free).

use std::collections::{HashMap, HashSet};

use warpsmith_blocks::free_choice::Freedom;

use super::free::FreeCells;
use super::mutation::{Mutation, MutationKind};
use crate::flow::netlist::{Bit, Cell, Direction, Module};

/// How a mutation changes nothing but choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changes {
    /// What registers take next: whether that is free is to be proven.
    Taken,
    /// What is read of a register that may take any value at any clock, or of one that may be cleared and is read as
    /// cleared: the circuit with another choice.
    Read,
}

/// Finds mutations that change nothing but what these registers take next, or what is read of them.
pub struct Reach<'a> {
    module: &'a Module,
    /// The cells that read each net, once for each port's bit.
    readers: HashMap<u64, Vec<&'a str>>,
    /// Nets that leave the circuit.
    outputs: HashSet<u64>,
    registers: HashSet<&'a str>,
    /// The bits of these registers, each with its register.
    bits: HashMap<u64, (&'a str, &'a Freedom)>,
}

impl<'a> Reach<'a> {
    /// Indexes a netlist without mutants.
    pub fn new(module: &'a Module, choices: &'a [FreeCells]) -> Self {
        let mut readers: HashMap<u64, Vec<&str>> = HashMap::new();
        for (name, cell) in &module.cells {
            for net in nets(cell, Direction::Input) {
                readers.entry(net).or_default().push(name);
            }
        }
        let outputs = module.ports.values().filter(|port| port.direction == Direction::Output);
        let outputs = outputs.flat_map(|port| &port.bits).filter_map(Bit::net).collect();
        let registers = choices.iter().flat_map(|of| &of.cells).map(String::as_str).collect();
        let mut bits = HashMap::new();
        for FreeCells { cells, may } in choices {
            let of_cells = cells.iter().filter_map(|name| Some((name, module.cells.get(name)?)));
            for (name, cell) in of_cells {
                bits.extend(nets(cell, Direction::Output).map(|net| (net, (name.as_str(), may))));
            }
        }
        Self { module, readers, outputs, registers, bits }
    }

    /// How it changes nothing but choices, if it does.
    pub fn of(&self, mutation: &Mutation) -> Option<Changes> {
        let (name, cell) = self.module.cells.get_key_value(&mutation.cell)?;
        let is_output = cell.port_directions.get(&mutation.port) == Some(&Direction::Output);
        let bit = cell.connections.get(&mutation.port)?.get(mutation.bit as usize);
        let bit = bit.and_then(Bit::net);
        let is_read = bit.is_some_and(|net| {
            matches!(self.bits.get(&net), Some((_, Freedom::TakeAny)))
                && mutation.mode.kind() == MutationKind::Yosys
                && (is_output || self.is_only_reader(name, net))
        });
        if is_read {
            return Some(Changes::Read);
        }
        let is_taken = match is_stored(cell) {
            true => self.registers.contains(name.as_str()) && mutation.port == "D",
            false => self.leads_only_to(name, &|register| self.registers.contains(register)),
        };
        is_taken.then_some(Changes::Taken)
    }

    /// Whether a cell reads that bit once, and nobody else but the bit's own register, to keep its value: another one
    /// could take something that follows from no choice.
    fn is_only_reader(&self, name: &str, net: u64) -> bool {
        let (readers, (own, _)) = (&self.readers[&net], self.bits[&net]);
        let keeps = |register: &str| register == own;
        let (ours, others): (Vec<&str>, Vec<&str>) =
            readers.iter().copied().partition(|reader| *reader == name);
        ours.len() == 1
            && !self.outputs.contains(&net)
            && others.iter().all(|reader| self.leads_only_to(reader, &keeps))
    }

    /// Whether all that depends on that cell within the clock is what such registers take.
    fn leads_only_to(&self, name: &str, takes: &dyn Fn(&str) -> bool) -> bool {
        let cell = &self.module.cells[name];
        if is_stored(cell) {
            return takes(name);
        }
        let (mut open, mut seen) = (vec![cell], HashSet::from([name]));
        while let Some(cell) = open.pop() {
            for net in nets(cell, Direction::Output) {
                if self.outputs.contains(&net) {
                    return false;
                }
                for reader in self.readers.get(&net).into_iter().flatten() {
                    let cell = &self.module.cells[*reader];
                    if is_stored(cell) {
                        if !takes(reader) {
                            return false;
                        }
                    } else if seen.insert(reader) {
                        open.push(cell);
                    }
                }
            }
        }
        true
    }
}

fn is_stored(cell: &Cell) -> bool {
    cell.kind == "$dff" || cell.kind.starts_with("$mem")
}

fn nets(cell: &Cell, direction: Direction) -> impl Iterator<Item = u64> {
    let is_of = move |port: &String| cell.port_directions.get(port) == Some(&direction);
    let ports = cell.connections.iter().filter(move |(port, _)| is_of(port));
    ports.flat_map(|(_, bits)| bits).filter_map(Bit::net)
}

#[cfg(test)]
mod tests {
    use warpsmith_blocks::free_choice::FreeChoice;

    use super::*;
    use crate::flow::mutate::free::cells;
    use crate::flow::mutate::free::tests::NETLIST;
    use crate::flow::mutate::mutation::Mode;
    use crate::flow::netlist::Netlist;

    /// How a mutation changes the choice, if `turn` has that freedom.
    fn changes(may: Freedom, mode: Mode, cell: &str, port: &str) -> Option<Changes> {
        let module = serde_json::from_str::<Netlist>(NETLIST).expect("a netlist");
        let module = &module.modules["top"];
        let choice = FreeChoice { register: "turn".to_string(), may, because: "a test" };
        let cells = cells(module, &[choice]);
        let (cell, port) = (cell.to_string(), port.to_string());
        let mutation = Mutation { mode, cell, port, bit: 0, control: None };
        Reach::new(module, &cells).of(&mutation)
    }

    #[test]
    fn what_only_a_free_register_takes_is_found() {
        let taken = [("next", "A"), ("next", "Y"), ("dff", "D")];
        let others = [("grant", "A"), ("grant", "B"), ("dff", "Q"), ("nothing", "A")];
        for (cell, port) in taken {
            let changes = changes(Freedom::TakeAnyInReset, Mode::Inv, cell, port);
            assert_eq!(changes, Some(Changes::Taken), "{cell} {port}");
        }
        for (cell, port) in others {
            let changes = changes(Freedom::TakeAnyInReset, Mode::Inv, cell, port);
            assert_eq!(changes, None, "{cell} {port}");
        }
    }

    #[test]
    fn what_is_read_of_a_free_register_is_another_choice() {
        let read = Some(Changes::Read);
        for (cell, port) in [("grant", "A"), ("dff", "Q")] {
            assert_eq!(changes(Freedom::TakeAny, Mode::Inv, cell, port), read);
            assert_eq!(changes(Freedom::TakeAnyInReset, Mode::Inv, cell, port), None);
            assert_eq!(changes(Freedom::TakeAny, Mode::Swapped, cell, port), None);
        }
        assert_eq!(changes(Freedom::TakeAny, Mode::Inv, "grant", "B"), None);
    }

    #[test]
    fn what_another_register_reads_too_is_no_choice() {
        let dff = r#""dff": {"#;
        let other = r#""other": {"type": "$dff", "port_directions": {"D": "input", "Q": "output"},
            "connections": {"D": [5], "Q": [7]}}, "dff": {"#;
        let text = NETLIST.replace(dff, other);
        let text = text.replace(r#""turn": {"#, r#""other": {"bits": [7]}, "turn": {"#);
        let module = serde_json::from_str::<Netlist>(&text).expect("a netlist");
        let module = &module.modules["top"];
        let choice = |register: &str, may| FreeChoice {
            register: register.to_string(),
            may,
            because: "a test",
        };
        // That the other is free in reset does not make it free when it reads the bit.
        let choices = [choice("turn", Freedom::TakeAny), choice("other", Freedom::TakeAnyInReset)];
        let cells = cells(module, &choices);
        assert_eq!(cells.len(), 2);
        let (cell, port) = ("grant".to_string(), "A".to_string());
        let mutation = Mutation { mode: Mode::Inv, cell, port, bit: 0, control: None };
        assert_eq!(Reach::new(module, &cells).of(&mutation), None);
    }
}
