//! The mapped netlist: its cells, and the design's names that remain in it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use warpsmith_rtl::verilog::MEMORY_ARRAY;

use super::mapping::FLIP_FLOP;
use crate::flow::netlist::{Cell, Module};

/// A netlist of cells.
pub(super) struct Mapped {
    cells: BTreeMap<String, Cell>,
    /// The output pins of each cell type.
    outputs: BTreeMap<String, BTreeSet<String>>,
    /// The design's name of each net, by number.
    names: BTreeMap<u64, String>,
    /// The cells that read each net.
    sinks: BTreeMap<u64, Vec<String>>,
}

impl Mapped {
    /// Indexes a module; `outputs` are the output pins of each cell type.
    pub fn new(module: Module, outputs: BTreeMap<String, BTreeSet<String>>) -> Self {
        let names = names(&module);
        let mut sinks: BTreeMap<u64, Vec<String>> = BTreeMap::new();
        for (name, cell) in &module.cells {
            let drives = |pin: &str| outputs.get(&cell.kind).is_some_and(|pins| pins.contains(pin));
            let inputs = cell.connections.iter().filter(|(pin, _)| !drives(pin));
            for net in inputs.flat_map(|(_, bits)| bits).filter_map(|bit| bit.net()) {
                sinks.entry(net).or_default().push(name.clone());
            }
        }
        Self { cells: module.cells, outputs, names, sinks }
    }

    /// Number of cells of each type.
    pub fn counts(&self) -> BTreeMap<String, u64> {
        let mut counts = BTreeMap::new();
        for cell in self.cells.values() {
            *counts.entry(cell.kind.clone()).or_default() += 1;
        }
        counts
    }

    /// The type of a pin's cell, if the pin is an output.
    pub fn driver(&self, pin: &str) -> Option<&str> {
        let (cell, pin) = pin.rsplit_once('/')?;
        let cell = self.cells.get(cell)?;
        self.drives(cell, without_index(pin)).then_some(cell.kind.as_str())
    }

    /// The design's name of a path's end: a register bit, a port, or a RAM's pin.
    pub fn end(&self, pin: &str) -> String {
        let Some((cell, _)) = pin.rsplit_once('/') else { return pin.to_string() };
        match cell.strip_suffix(FLIP_FLOP) {
            Some(register) => without_array(register),
            None if is_anonymous(cell) => self.signal(pin),
            None => pin.replace('/', "."),
        }
    }

    /// The name of the net on a pin, or `to` and the named register or signal reached through the fewest
    /// cells.
    pub fn signal(&self, pin: &str) -> String {
        let Some(start) = self.net(pin) else { return pin.to_string() };
        let mut seen = BTreeSet::from([start]);
        let mut queue = VecDeque::from([start]);
        while let Some(net) = queue.pop_front() {
            if let Some(name) = self.names.get(&net) {
                return if net == start { name.clone() } else { format!("to {name}") };
            }
            for sink in self.sinks.get(&net).into_iter().flatten() {
                if !is_anonymous(sink) {
                    return format!(
                        "to {}",
                        without_array(sink.strip_suffix(FLIP_FLOP).unwrap_or(sink))
                    );
                }
                let cell = &self.cells[sink];
                let driven = cell.connections.iter().filter(|(pin, _)| self.drives(cell, pin));
                let nets = driven.flat_map(|(_, bits)| bits).filter_map(|bit| bit.net());
                queue.extend(nets.filter(|net| seen.insert(*net)));
            }
        }
        pin.to_string()
    }

    fn drives(&self, cell: &Cell, pin: &str) -> bool {
        self.outputs.get(&cell.kind).is_some_and(|pins| pins.contains(pin))
    }

    fn net(&self, pin: &str) -> Option<u64> {
        let (cell, pin) = pin.rsplit_once('/')?;
        let bits = self.cells.get(cell)?.connections.get(without_index(pin))?;
        let index = pin[without_index(pin).len()..].trim_matches(['[', ']']).parse().unwrap_or(0);
        bits.get::<usize>(index)?.net()
    }
}

/// The shortest of a bit's names, which is nearest to the top.
fn names(module: &Module) -> BTreeMap<u64, String> {
    let mut names: BTreeMap<u64, String> = BTreeMap::new();
    for (name, net) in module.netnames.iter().filter(|(name, _)| !is_anonymous(name)) {
        for (i, bit) in net.bits.iter().enumerate() {
            let Some(bit) = bit.net() else { continue };
            let name = match net.bits.len() {
                1 => name.clone(),
                _ => format!("{name}[{}]", i as i64 + net.offset),
            };
            match names.get(&bit) {
                Some(known) if known.len() <= name.len() => {}
                _ => drop(names.insert(bit, name)),
            }
        }
    }
    names
}

fn without_index(pin: &str) -> &str {
    pin.split_once('[').map_or(pin, |(name, _)| name)
}

/// Names a bit of a flip-flop memory after the memory instead of its module's array.
fn without_array(name: &str) -> String {
    name.replace(&format!(".{MEMORY_ARRAY}["), "[")
}

/// Whether it is generated, such as `_123_`.
fn is_anonymous(name: &str) -> bool {
    let digits = name.strip_prefix('_').and_then(|rest| rest.strip_suffix('_'));
    digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NETLIST: &str = r#"{
        "netnames": {"valid": {"bits": [1]}, "u.deep_valid": {"bits": [1]}, "_7_": {"bits": [2]},
                     "row": {"offset": 4, "bits": [5, 6]}},
        "cells": {
            "row[5]$ff": {"type": "DFF", "connections": {"D": [4], "QN": [2]}},
            "_1_": {"type": "INV", "connections": {"A": [2], "Y": [3]}},
            "_2_": {"type": "INV", "connections": {"A": [3], "Y": [4]}},
            "rows": {"type": "RAM", "connections": {"address": [3, 9], "data": [8]}},
            "_3_": {"type": "INV", "connections": {"A": [8], "Y": [1]}}}}"#;

    fn mapped() -> Mapped {
        let outputs = [("DFF", "QN"), ("INV", "Y"), ("RAM", "data")];
        let outputs = outputs.map(|(k, pin)| (k.to_string(), BTreeSet::from([pin.to_string()])));
        Mapped::new(serde_json::from_str(NETLIST).unwrap(), outputs.into())
    }

    #[test]
    fn a_net_is_told_by_its_name_or_by_the_next_that_has_one() {
        let mapped = mapped();
        assert_eq!(mapped.signal("_3_/Y"), "valid");
        assert_eq!(mapped.signal("rows/data[0]"), "to valid");
        assert_eq!(mapped.signal("_2_/Y"), "to row[5]");
        assert_eq!(mapped.signal("_1_/Y"), "to rows");
    }

    #[test]
    fn ends_are_registers_ports_and_pins_of_rams() {
        let mapped = mapped();
        assert_eq!(mapped.end("row[5]$ff/QN"), "row[5]");
        assert_eq!(mapped.end("bank._rows[1][3]$ff/D"), "bank[1][3]");
        assert_eq!(mapped.end("rows/address[1]"), "rows.address[1]");
        assert_eq!(mapped.end("ready"), "ready");
    }

    #[test]
    fn only_what_a_cell_drives_has_a_driver() {
        let mapped = mapped();
        assert_eq!(mapped.driver("rows/data[0]"), Some("RAM"));
        assert_eq!(mapped.driver("_1_/A"), None);
        assert_eq!(mapped.driver("valid"), None);
    }
}
