//! Registers whose value [no rule fixes](warpsmith_blocks::free_choice), released from the netlist.
//!
//! What such a register takes next becomes an input. In a proof, circuit and mutant get the same arbitrary choices:
//! a mutant that is equivalent for all of them, and chooses only what is free, is the circuit with other choices. In
//! a co-simulation the choices are random at one clock in 16, or in 256 where any clock will do, which must break no
//! rule: more often, a requester whose turn is lost again and again would wait too long.
//!
//! With all registers released, a proof lets circuit and mutant have one state: what the circuit takes next.

use std::fmt::Write as _;

use serde_json::{Value, json};
use warpsmith_blocks::free_choice::{FreeChoice, Freedom};
use warpsmith_rtl::PortLayout;
use warpsmith_testbench::verilator::{VerilogFile, VerilogSource};

use super::own::RESET;
use super::planting::{CHOOSER, DESIGN, LIMIT, TO_VERILOG, flattened};
use crate::flow::FlowError;
use crate::flow::folder::Folder;
use crate::flow::netlist::{Bit, Cell, Module, Netlist};
use crate::flow::tool::Program;
use crate::flow::yosys::run_script;

/// A register that was released. Its ports are now ports of the circuit: the input `free<number>_next`, and the
/// outputs `free<number>_own`, what the circuit itself would take, and `free<number>_when`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeRegister {
    number: usize,
    width: usize,
    /// It may take any value at any clock.
    is_any: bool,
}

/// The cells of a free choice in the netlist without mutants; mutants keep their names.
#[derive(Clone, Debug)]
pub struct FreeCells {
    pub(super) cells: Vec<String>,
    pub(super) may: Freedom,
}

/// Finds the registers of the choices; one that synthesis removed is left out.
pub fn cells(module: &Module, choices: &[FreeChoice]) -> Vec<FreeCells> {
    let of_choice = |choice: &FreeChoice| {
        let bits = &module.netnames.get(&choice.register)?.bits;
        let holds = |bit: &Bit| bit.net().is_some() && bits.contains(bit);
        let is_register = |kind: &str, q: &[Bit]| kind == "$dff" && q.iter().any(holds);
        let registers = module.cells.iter().filter(|(_, cell)| {
            cell.connections.get("Q").is_some_and(|q| is_register(&cell.kind, q))
        });
        let cells: Vec<_> = registers.map(|(name, _)| name.clone()).collect();
        (!cells.is_empty()).then(|| FreeCells { cells, may: choice.may.clone() })
    };
    choices.iter().filter_map(of_choice).collect()
}

/// Every register, each by itself; none if there are other kinds than simple ones.
pub fn every(module: &Module) -> Option<Vec<FreeCells>> {
    let registers = module.cells.iter().filter(|(_, cell)| cell.connections.contains_key("Q"));
    let register = |(name, cell): (&String, &Cell)| {
        let cells = vec![name.clone()];
        (cell.kind == "$dff").then_some(FreeCells { cells, may: Freedom::TakeAny })
    };
    registers.map(register).collect()
}

/// Releases registers of a netlist; none if the netlist is not as expected.
pub fn release(
    text: &str,
    top: &str,
    choices: &[FreeCells],
) -> Option<(String, Vec<FreeRegister>)> {
    if choices.is_empty() {
        return Some((text.to_string(), Vec::new()));
    }
    let module = serde_json::from_str::<Netlist>(text).ok()?.modules.remove(top)?;
    let mut netlist: Value = serde_json::from_str(text).ok()?;
    let (mut next, mut registers) = (module.unused_net(), Vec::new());
    for (number, FreeCells { cells, may }) in choices.iter().enumerate() {
        let mut own = Vec::new();
        for name in cells {
            own.extend(module.cells.get(name)?.connections.get("D")?.iter().cloned());
        }
        let reset = module.ports.get(RESET)?.bits.first()?.clone();
        let when = match may {
            Freedom::TakeAny => Bit::Constant("1".to_string()),
            Freedom::TakeAnyInReset => reset,
            Freedom::TakeAnyWhen(signal) => module.netnames.get(signal)?.bits.first()?.clone(),
        };
        let is_any = *may == Freedom::TakeAny;
        let register = FreeRegister { number, width: own.len(), is_any };
        let inputs: Vec<_> = (next..).take(own.len()).map(Bit::Net).collect();
        next += own.len() as u64;
        let top = &mut netlist["modules"][top];
        let mut rest = inputs.as_slice();
        for name in cells {
            let (d, others) = rest.split_at(module.cells[name].connections["D"].len());
            top["cells"][name]["connections"]["D"] = json!(d);
            rest = others;
        }
        let of_ports = [("input", inputs), ("output", own), ("output", vec![when])];
        for ((port, _), (direction, bits)) in register.ports().into_iter().zip(of_ports) {
            let described = json!({"direction": direction, "bits": bits});
            top["ports"].as_object_mut()?.insert(port.clone(), described);
            let named = json!({"hide_name": 0, "bits": bits, "attributes": {}});
            top["netnames"].as_object_mut()?.insert(port, named);
        }
        registers.push(register);
    }
    Some((netlist.to_string(), registers))
}

impl FreeRegister {
    /// Names and widths of the ports: input, own value, when it is free.
    fn ports(&self) -> [(String, usize); 3] {
        let name = |port| format!("free{}_{port}", self.number);
        [(name("next"), self.width), (name("own"), self.width), (name("when"), 1)]
    }

    /// The input of the miter: the choice.
    pub fn input(&self) -> (String, usize) {
        (format!("free{}_choice", self.number), self.width)
    }

    /// Declares the wires to the circuits, and assigns the values that their registers take.
    pub fn declare(&self, circuits: &[&str], text: &mut String) {
        let of = |circuit: &str| self.ports().map(|(port, _)| format!("{circuit}_{port}"));
        for (circuit, (port, width)) in
            circuits.iter().flat_map(|circuit| self.ports().map(|port| (circuit, port)))
        {
            let _ = writeln!(text, "    wire [{}:0] {circuit}_{port};", width - 1);
        }
        let (choice, _) = self.input();
        for [next, own, when] in circuits.iter().map(|circuit| of(circuit)) {
            let _ = writeln!(text, "    assign {next} = {when} | {RESET} ? {choice} : {own};");
        }
    }

    /// As [`declare`](Self::declare), where circuit and mutant both take what the circuit takes.
    pub fn declare_shared(&self, text: &mut String) {
        for circuit in ["original", "mutant"] {
            for (port, width) in self.ports() {
                let _ = writeln!(text, "    wire [{}:0] {circuit}_{port};", width - 1);
            }
            let [(next, _), (own, _), _] = self.ports();
            let _ = writeln!(text, "    assign {circuit}_{next} = original_{own};");
        }
    }

    /// Whether the two take different values: a name, and the condition.
    pub fn comparison(&self) -> (String, String) {
        let [_, (own, _), _] = self.ports();
        (format!("register {}", self.number), format!("original_{own} != mutant_{own}"))
    }

    /// Writes the port connections of one circuit.
    pub fn connect(&self, circuit: &str, text: &mut String) {
        for (port, _) in self.ports() {
            let _ = writeln!(text, "        .{port}({circuit}_{port}),");
        }
    }
}

/// The netlist with its choices released.
const RELEASED: &str = "released";

/// The circuit with random choices where the input [`CHOOSER`] is 1.
///
/// # Errors
/// Returns [`FlowError`] if a tool is missing or fails.
pub fn disturbed(
    yosys: &Program,
    folder: &Folder,
    top: &str,
    layout: &PortLayout,
    choices: &[FreeChoice],
) -> Result<VerilogSource, FlowError> {
    let cells = cells(&flattened(folder, top)?, choices);
    let released = release(&folder.read(DESIGN)?, top, &cells);
    let (text, registers) = released.ok_or_else(|| {
        let names: Vec<_> = choices.iter().map(|choice| choice.register.as_str()).collect();
        let what =
            format!("lacks a free choice, or the signal that permits it: {}", names.join(", "));
        FlowError::Report { path: folder.file(DESIGN), what }
    })?;
    folder.write(&format!("{RELEASED}.json"), &text)?;
    let script = format!(
        "read_json {RELEASED}.json\nrename {top} {RELEASED}\n{TO_VERILOG}write_verilog -noattr {RELEASED}.v\n"
    );
    run_script(yosys, folder, RELEASED, &script, LIMIT)?;
    let file = |name: &str, text| VerilogFile { name: name.to_string(), text };
    let name = format!("{RELEASED}.v");
    let files = vec![
        file(&format!("{top}.v"), around(top, layout, &registers)),
        file(&name, folder.read(&name)?),
    ];
    Ok(VerilogSource { top: top.to_string(), files })
}

/// A module with the name of the circuit and its ports, with random choices where [`CHOOSER`] is 1.
fn around(top: &str, layout: &PortLayout, registers: &[FreeRegister]) -> String {
    let mut text = format!("module {top} (\n    input wire clk,\n    input wire {CHOOSER},\n");
    let inputs = layout.inputs.iter().map(|port| ("input", port));
    let outputs = layout.outputs.iter().map(|port| ("output", port));
    let ports: Vec<_> = inputs.chain(outputs).collect();
    let declared = ports.iter().map(|(direction, port)| {
        format!("    {direction} wire [{}:0] {}", port.width - 1, port.name)
    });
    text += &(declared.collect::<Vec<_>>().join(",\n") + "\n);\n");
    for register in registers {
        // Each register has words of noise of its own: 56 bits, and 8 that say when.
        let (noise, words) = (format!("noise{}", register.number), register.width.div_ceil(56));
        for word in 0..words {
            let seed = (register.number * 16 + word + 1) as u64;
            let _ = write!(
                text,
                "    reg [63:0] {noise}_{word} = 64'd{};\n    \
                 wire [63:0] {noise}_{word}_a = {noise}_{word} ^ ({noise}_{word} << 13);\n    \
                 wire [63:0] {noise}_{word}_b = {noise}_{word}_a ^ ({noise}_{word}_a >> 7);\n    \
                 always @(posedge clk) {noise}_{word} <= {noise}_{word}_b ^ ({noise}_{word}_b << 17);\n",
                seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1
            );
        }
        let (choice, width) = register.input();
        let own = format!("circuit_free{}_own", register.number);
        let all: Vec<_> = (0..words).rev().map(|word| format!("{noise}_{word}[55:0]")).collect();
        let _ = write!(
            text,
            "    wire [{0}:0] {noise} = {{{1}}};\n    \
             wire [{2}:0] {choice} = {CHOOSER} & {noise}_0[63:{4}] == 0 ?\n        \
             {noise}[{2}:0] : {3};\n",
            56 * words - 1,
            all.join(", "),
            width - 1,
            own,
            if register.is_any { 56 } else { 60 }
        );
        register.declare(&["circuit"], &mut text);
    }
    let _ = writeln!(text, "    {RELEASED} circuit (");
    registers.iter().for_each(|register| register.connect("circuit", &mut text));
    for (_, port) in &ports {
        let _ = writeln!(text, "        .{0}({0}),", port.name);
    }
    text + "        .clk(clk)\n    );\nendmodule\n"
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// `turn` takes what `next` gives; `grant` gives an output.
    pub const NETLIST: &str = r#"{"modules": {"top": {
        "ports": {"rst": {"direction": "input", "bits": [2]}, "out": {"direction": "output", "bits": [6]}},
        "netnames": {"turn": {"bits": [5]}},
        "cells": {
            "next": {"type": "$not", "port_directions": {"A": "input", "Y": "output"},
                     "connections": {"A": [5], "Y": [4]}},
            "grant": {"type": "$and", "port_directions": {"A": "input", "B": "input", "Y": "output"},
                      "connections": {"A": [5], "B": [2], "Y": [6]}},
            "dff": {"type": "$dff", "port_directions": {"D": "input", "Q": "output"},
                    "connections": {"D": [4], "Q": [5]}}}}}}"#;

    #[test]
    fn a_released_register_takes_an_input() {
        let module = serde_json::from_str::<Netlist>(NETLIST).expect("a netlist");
        let choice = FreeChoice::in_reset("turn".to_string(), "a test");
        let choices = cells(&module.modules["top"], &[choice]);
        let (text, registers) = release(NETLIST, "top", &choices).expect("a netlist");
        assert_eq!(registers, [FreeRegister { number: 0, width: 1, is_any: false }]);
        let module = serde_json::from_str::<Netlist>(&text).expect("a netlist");
        let module = &module.modules["top"];
        assert_eq!(module.cells["dff"].connections["D"], module.ports["free0_next"].bits);
        assert_eq!(module.ports["free0_own"].bits, [Bit::Net(4)]);
    }

    #[test]
    fn every_register_is_released_unless_one_is_of_another_kind() {
        let registers = |text: &str| {
            let netlist = serde_json::from_str::<Netlist>(text).expect("a netlist");
            every(&netlist.modules["top"]).map(|all| all.into_iter().map(|one| one.cells).collect())
        };
        assert_eq!(registers(NETLIST), Some(vec![vec!["dff".to_string()]]));
        assert_eq!(registers(&NETLIST.replace("$dff", "$dffe")), None::<Vec<Vec<String>>>);
    }
}
