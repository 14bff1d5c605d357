//! Memories that are too large for proofs, cut out of the netlist.
//!
//! The read data of a memory become an input, and its other ports become outputs. Where circuit and mutant
//! read the same row they get the same arbitrary data, else each gets its own; a write that differs is a
//! difference. As long as no write differs, both memories have the same contents, so a mutant that is
//! equivalent for all such data is equivalent. A difference proves nothing: it may need data that the memory
//! never holds.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::own::Ram;
use crate::flow::netlist::Netlist;

/// A memory that was cut out. Its ports are now ports of the circuit: input `ram<number>_rd_data`, outputs
/// `ram<number>_` with `rd_addr`, `wr_addr`, `wr_data` and `wr_en`; each holds all read or write ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutRam {
    number: usize,
    width: usize,
    address_bits: usize,
    reads: usize,
    writes: usize,
}

/// Removes the memories from a netlist; none if the netlist is not as expected or has a memory with clocked
/// reads.
pub fn cut(text: &str, top: &str) -> Option<(String, Vec<CutRam>)> {
    let module = serde_json::from_str::<Netlist>(text).ok()?.modules.remove(top)?;
    let mut netlist: Value = serde_json::from_str(text).ok()?;
    let mut rams = Vec::new();
    let of_cells =
        module.cells.iter().filter_map(|(name, cell)| Some((name, cell, Ram::of(cell)?)));
    for (number, (name, cell, ram)) in of_cells.enumerate() {
        if ram.is_clocked {
            return None;
        }
        let (width, address_bits) = (ram.width as usize, ram.address_bits as usize);
        let bits = |port: &str| cell.connections.get(port).map_or(0, Vec::len);
        let (reads, writes) = (bits("RD_DATA") / width, bits("WR_DATA") / width);
        let ram = CutRam { number, width, address_bits, reads, writes };
        let top = &mut netlist["modules"][top];
        top["cells"].as_object_mut()?.remove(name);
        for (port, name, direction, _) in ram.ports() {
            let bits = json!(cell.connections.get(port)?);
            let described = json!({"direction": direction, "bits": bits});
            top["ports"].as_object_mut()?.insert(name.clone(), described);
            let named = json!({"hide_name": 0, "bits": bits, "attributes": {}});
            top["netnames"].as_object_mut()?.insert(name, named);
        }
        rams.push(ram);
    }
    Some((netlist.to_string(), rams))
}

impl CutRam {
    /// The ports of the cell: original name, new name, new direction, width.
    fn ports(&self) -> impl Iterator<Item = (&'static str, String, &'static str, usize)> + use<> {
        let Self { number, width, address_bits, reads, writes } = *self;
        let ports = [
            ("RD_DATA", "rd_data", "input", reads * width),
            ("RD_ADDR", "rd_addr", "output", reads * address_bits),
            ("WR_ADDR", "wr_addr", "output", writes * address_bits),
            ("WR_DATA", "wr_data", "output", writes * width),
            ("WR_EN", "wr_en", "output", writes * width),
        ];
        let named = move |(cell, port, direction, width)| {
            (cell, format!("ram{number}_{port}"), direction, width)
        };
        ports.into_iter().map(named).filter(|(_, _, _, width)| *width > 0)
    }

    /// Inputs of the miter: read data, and the mutant's own data for rows that only it reads.
    pub fn inputs(&self) -> impl Iterator<Item = (String, usize)> + use<> {
        let Self { number, width, reads, .. } = *self;
        ["rd_data", "other_rd_data"]
            .into_iter()
            .map(move |port| (format!("ram{number}_{port}"), reads * width))
    }

    /// Declares the wires between the memory and both circuits, and assigns the read data.
    pub fn declare(&self, text: &mut String) {
        let Self { number, width, address_bits, reads, .. } = *self;
        for circuit in ["original", "mutant"] {
            for (_, name, _, width) in self.ports() {
                let _ = writeln!(text, "    wire [{}:0] {circuit}_{name};", width - 1);
            }
        }
        let _ = writeln!(text, "    assign original_ram{number}_rd_data = ram{number}_rd_data;");
        for read in 0..reads {
            let data = format!("[{}:{}]", (read + 1) * width - 1, read * width);
            let row = format!(
                "ram{number}_rd_addr[{}:{}]",
                (read + 1) * address_bits - 1,
                read * address_bits
            );
            let _ = writeln!(
                text,
                "    assign mutant_ram{number}_rd_data{data} =\n        \
                 original_{row} == mutant_{row} ? ram{number}_rd_data{data} : ram{number}_other_rd_data{data};"
            );
        }
    }

    /// Writes the port connections of one circuit.
    pub fn connect(&self, circuit: &str, text: &mut String) {
        for (_, name, _, _) in self.ports() {
            let _ = writeln!(text, "        .{name}({circuit}_{name}),");
        }
    }

    /// Comparisons of writes: a name, and the condition under which they differ.
    pub fn comparisons(&self) -> Vec<(String, String)> {
        let Self { number, width, address_bits, writes, .. } = *self;
        let both = |port: &str, high: usize, low: usize| {
            [
                format!("original_ram{number}_{port}[{high}:{low}]"),
                format!("mutant_ram{number}_{port}[{high}:{low}]"),
            ]
        };
        let of_write = |write: usize| {
            let (high, low) = ((write + 1) * width - 1, write * width);
            let [enable, mutants] = both("wr_en", high, low);
            let [data, mutants_data] = both("wr_data", high, low);
            let [row, mutants_row] =
                both("wr_addr", (write + 1) * address_bits - 1, write * address_bits);
            let differs = format!(
                "({enable} != {mutants}) | (|({enable} & ({data} ^ {mutants_data}))) | \
                 ((|{enable}) & ({row} != {mutants_row}))"
            );
            (format!("write {write} of memory {number}"), differs)
        };
        (0..writes).map(of_write).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::netlist::Bit;

    const NETLIST: &str = r#"{"modules": {"top": {
        "ports": {"rst": {"direction": "input", "bits": [2]}}, "netnames": {},
        "cells": {"ram": {"type": "$mem_v2",
            "parameters": {"WIDTH": "10", "SIZE": "100", "OFFSET": "0", "ABITS": "10", "RD_CLK_ENABLE": "0"},
            "connections": {"RD_ADDR": [3, 4], "RD_DATA": [5, 6], "RD_EN": ["1"], "WR_ADDR": [7, 8],
                            "WR_DATA": [9, 10], "WR_EN": [11, 11], "WR_CLK": [12]}}}}}}"#;

    #[test]
    fn a_memory_becomes_ports() {
        let (text, rams) = cut(NETLIST, "top").expect("a netlist");
        let ram = CutRam { number: 0, width: 2, address_bits: 2, reads: 1, writes: 1 };
        assert_eq!(rams, [ram]);
        let module =
            serde_json::from_str::<Netlist>(&text).expect("a netlist").modules.remove("top");
        let module = module.expect("the module");
        assert!(module.cells.is_empty());
        assert_eq!(module.ports["ram0_rd_data"].bits, [5, 6].map(Bit::Net));
        assert_eq!(module.ports["ram0_wr_en"].bits, [11, 11].map(Bit::Net));
    }

    #[test]
    fn a_memory_with_clocked_reads_is_refused() {
        let clocked = NETLIST.replace(r#""RD_CLK_ENABLE": "0""#, r#""RD_CLK_ENABLE": "1""#);
        assert_eq!(cut(&clocked, "top"), None);
    }
}
