//! The mutations that yosys lacks, as candidates in a netlist.
//!
//! Trivially equivalent ones are not proposed: a bit that both sides of a comparison take from one net, a
//! constant beyond its width, an exchange of equal operands, a reset value without a reset. Neither are comparisons that
//! only select undefined data: a RAM whose row is read as it is written has none in hardware.

use std::collections::HashSet;

use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

use super::location::Names;
use super::mutation::{Mode, Mutation, MutationKind};
use super::no_fault::selects_undefined;
use crate::flow::netlist::{Bit, Cell, Module};

/// Comparisons of two operands.
const COMPARISONS: [&str; 8] = ["$eq", "$ne", "$eqx", "$nex", "$lt", "$le", "$gt", "$ge"];
/// Cells whose two operands do not commute.
const ORDERED: [&str; 6] = ["$sub", "$lt", "$le", "$gt", "$ge", "$mux"];
/// The reset port.
pub const RESET: &str = "rst";

/// All mutations of that kind. For bits of single RAM rows, one row is drawn for each bit.
pub fn candidates(names: &Names<'_>, kind: MutationKind, rng: &mut impl Rng) -> Vec<Mutation> {
    let module = names.module;
    let reset = module.ports.get(RESET).and_then(|port| port.bits.first()).and_then(Bit::net);
    let registered: HashSet<u64> = match kind {
        MutationKind::Reset => inputs_of_registers(module),
        _ => HashSet::new(),
    };
    let mut all = Vec::new();
    for (name, cell) in &module.cells {
        let mut add = |mode, port: &str, bit: u32, control| {
            let (cell, port) = (name.clone(), port.to_string());
            all.push(Mutation { mode, cell, port, bit, control });
        };
        match kind {
            MutationKind::Comparator if !selects_undefined(names, name, "Y") => {
                compared_bits(cell).for_each(|(port, bit)| add(Mode::Ignored, port, bit, None));
            }
            MutationKind::Yosys | MutationKind::Comparator => {}
            MutationKind::Limit => limits(cell).for_each(|(port, mode)| add(mode, port, 0, None)),
            MutationKind::Ram => {
                let Some(ram) = Ram::of(cell) else { continue };
                for bit in 0..ram.width {
                    let row = rng.random_range(0..ram.rows) + ram.first_row;
                    for mode in [Mode::Reads0, Mode::Reads1] {
                        add(mode, "RD_DATA", bit, None);
                        if !ram.is_clocked {
                            add(mode, "RD_DATA", bit, Some(row));
                        }
                    }
                }
            }
            MutationKind::Address => {
                let Some(ram) = Ram::of(cell) else { continue };
                let bits = (0..ram.address_bits).filter(|bit| ram.rows > 1 << bit);
                bits.for_each(|bit| add(Mode::Aliased, "RD_ADDR", bit, None));
            }
            MutationKind::Swap => {
                if is_ordered(cell) && (reset.is_none() || cell.net("S") != reset) {
                    add(Mode::Swapped, "A", 0, None);
                }
            }
            MutationKind::Reset => {
                if cell.kind != "$mux" || reset.is_none() || cell.net("S") != reset {
                    continue;
                }
                let bits = bits(cell, "B").iter().zip(bits(cell, "Y"));
                let of_registers = bits.enumerate().filter(|(_, (value, output))| {
                    is_known(value) && output.net().is_some_and(|net| registered.contains(&net))
                });
                of_registers.for_each(|(bit, _)| add(Mode::ResetInverted, "B", bit as u32, None));
            }
        }
    }
    all
}

/// Draws `count` mutations, about the same number of each kind; all if `count` is none.
pub fn draw(
    names: &Names<'_>,
    kinds: &[MutationKind],
    count: Option<u32>,
    rng: &mut impl Rng,
) -> Vec<Mutation> {
    let mut of_kinds: Vec<_> = kinds.iter().map(|kind| candidates(names, *kind, rng)).collect();
    let Some(count) = count else { return of_kinds.concat() };
    of_kinds.iter_mut().for_each(|candidates| candidates.shuffle(rng));
    // Kinds with few candidates leave their share to the others.
    of_kinds.sort_by_key(Vec::len);
    let (mut left, kinds) = (count as usize, of_kinds.len());
    let mut drawn = Vec::new();
    for (index, candidates) in of_kinds.iter().enumerate() {
        let share = left.div_ceil(kinds - index).min(candidates.len());
        drawn.extend_from_slice(&candidates[..share]);
        left -= share;
    }
    drawn
}

/// A memory.
pub struct Ram {
    /// Bits of a row.
    pub width: u32,
    /// Rows.
    pub rows: u32,
    /// Address of the first row.
    pub first_row: u32,
    /// Bits of an address.
    pub address_bits: u32,
    /// Whether reads are clocked.
    pub is_clocked: bool,
}

impl Ram {
    /// The memory of a cell, if it is one.
    pub fn of(cell: &Cell) -> Option<Self> {
        if !matches!(cell.kind.as_str(), "$mem" | "$mem_v2") {
            return None;
        }
        Some(Self {
            width: cell.number("WIDTH")?,
            rows: cell.number("SIZE")?,
            first_row: cell.number("OFFSET")?,
            address_bits: cell.number("ABITS")?,
            is_clocked: cell.parameters.get("RD_CLK_ENABLE")?.contains('1'),
        })
    }
}

fn bits<'a>(cell: &'a Cell, port: &str) -> &'a [Bit] {
    cell.connections.get(port).map_or(&[], Vec::as_slice)
}

fn is_known(bit: &Bit) -> bool {
    matches!(bit, Bit::Constant(value) if value == "0" || value == "1")
}

fn is_constant(bits: &[Bit]) -> bool {
    !bits.is_empty() && bits.iter().all(is_known)
}

fn is_signed(cell: &Cell) -> bool {
    cell.number("A_SIGNED").is_some_and(|signed| signed != 0)
}

/// Bits of comparisons of two variables, with their ports.
fn compared_bits(cell: &Cell) -> impl Iterator<Item = (&'static str, u32)> {
    let (a, b) = (bits(cell, "A"), bits(cell, "B"));
    let wide = a.len().max(b.len());
    let compares = COMPARISONS.contains(&cell.kind.as_str());
    let considered = match compares && wide > 1 && !is_constant(a) && !is_constant(b) {
        true if is_signed(cell) => a.len().min(b.len()),
        true => wide,
        false => 0,
    };
    let zero = Bit::Constant("0".to_string());
    let equal = |bit: usize| a.get(bit).unwrap_or(&zero) == b.get(bit).unwrap_or(&zero);
    let different: Vec<_> = (0..considered).filter(|bit| !equal(*bit)).collect();
    let a = a.len();
    different.into_iter().map(move |bit| (if bit < a { "A" } else { "B" }, bit as u32))
}

/// Constants that can be one more or one less, with their ports.
fn limits(cell: &Cell) -> impl Iterator<Item = (&'static str, Mode)> {
    let mut found = Vec::new();
    let kind = cell.kind.as_str();
    // Yosys writes a comparison with zero like this.
    if kind == "$logic_not" && bits(cell, "A").len() > 1 && !is_constant(bits(cell, "A")) {
        found.push(("A", Mode::OneMore));
    }
    let counts = matches!(kind, "$add" | "$sub");
    if (counts || COMPARISONS.contains(&kind)) && !is_signed(cell) {
        for (port, other) in [("A", "B"), ("B", "A")] {
            let (constant, variable) = (bits(cell, port), bits(cell, other));
            if !is_constant(constant) || is_constant(variable) || variable.len() < 2 {
                continue;
            }
            let width = if counts { bits(cell, "Y").len() } else { variable.len() };
            for mode in [Mode::OneMore, Mode::OneLess] {
                if changed_constant(constant, width, mode).is_some() {
                    found.push((port, mode));
                }
            }
        }
    }
    found.into_iter()
}

/// The constant plus or minus one, lowest bit first; none if it exceeds the width.
pub fn changed_constant(constant: &[Bit], width: usize, mode: Mode) -> Option<Vec<Bit>> {
    let bit = |bit: &Bit| u128::from(*bit == Bit::Constant("1".to_string()));
    let value: u128 = match constant.len() {
        0..128 => constant.iter().rev().fold(0, |value, next| value << 1 | bit(next)),
        _ => return None,
    };
    let changed = match mode {
        Mode::OneLess => value.checked_sub(1)?,
        _ => value + 1,
    };
    let needed = (128 - changed.leading_zeros()) as usize;
    let constant = |place: usize| Bit::Constant((changed >> place & 1).to_string());
    (needed <= width).then(|| (0..needed.max(1)).map(constant).collect())
}

/// Whether exchanging the operands changes the function.
fn is_ordered(cell: &Cell) -> bool {
    let (a, b) = (bits(cell, "A"), bits(cell, "B"));
    let undefined =
        |bits: &[Bit]| bits.iter().all(|bit| matches!(bit, Bit::Constant(value) if value == "x"));
    ORDERED.contains(&cell.kind.as_str())
        && a != b
        && !undefined(a)
        && !undefined(b)
        && (a.len() == b.len() || !is_signed(cell))
}

fn inputs_of_registers(module: &Module) -> HashSet<u64> {
    let registers = module.cells.values().filter(|cell| cell.kind.contains("dff"));
    registers.flat_map(|cell| bits(cell, "D")).filter_map(Bit::net).collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// Cells: `net == net` of three bits of which one is the same net, `net == 3'd7`, a reset to 2'b0x of a
    /// register and of a cell that is none, `1'b1 ? net : net`, and a comparison that only selects undefined data.
    const NETLIST: &str = r#"{
        "ports": {"rst": {"direction": "input", "bits": [2]}},
        "cells": {
            "compare": {"type": "$eq", "connections": {"A": [3, 4, 5], "B": [6, 4, "0"], "Y": [7]}},
            "limit": {"type": "$eq", "connections": {"A": [3, 4, 5], "B": ["1", "1", "1"], "Y": [8]}},
            "reset": {"type": "$mux",
                      "connections": {"A": [3, 4], "B": ["x", "0"], "S": [2], "Y": [9, 10]}},
            "register": {"type": "$dff", "connections": {"D": [9, 10], "Q": [11, 12]}},
            "gate": {"type": "$mux", "connections": {"A": [3], "B": ["0"], "S": [2], "Y": [13]}},
            "equal": {"type": "$mux", "connections": {"A": [3], "B": [3], "S": [4], "Y": [14]}},
            "less": {"type": "$lt", "connections": {"A": [3, 4], "B": [5, 6], "Y": [15]}},
            "same": {"type": "$eq", "connections": {"A": [3, 4], "B": [5, 6], "Y": [16]}},
            "data": {"type": "$mux", "port_directions": {"A": "input", "B": "input", "S": "input"},
                     "connections": {"A": [3], "B": ["x"], "S": [16], "Y": [17]}}
        }
    }"#;

    fn proposed(kind: MutationKind) -> Vec<String> {
        let module: Module = serde_json::from_str(NETLIST).expect("a netlist");
        let names = Names::new(&module, &[]);
        let all = candidates(&names, kind, &mut Xoshiro256PlusPlus::seed_from_u64(1));
        all.iter().map(|mutation| format!("{}: {mutation}", mutation.cell)).collect()
    }

    #[test]
    fn what_is_trivially_equal_is_not_proposed() {
        let bits = ["compare: bit 0 ignored", "compare: bit 2 ignored"];
        let less = ["less: bit 0 ignored", "less: bit 1 ignored"];
        assert_eq!(proposed(MutationKind::Comparator), [bits, less].concat());
        assert_eq!(proposed(MutationKind::Limit), ["limit: constant one less"]);
        assert_eq!(proposed(MutationKind::Reset), ["reset: bit 1 of the reset value inverted"]);
        assert_eq!(proposed(MutationKind::Swap), ["less: operands exchanged"]);
        assert!(
            proposed(MutationKind::Ram).is_empty() && proposed(MutationKind::Address).is_empty()
        );
    }

    #[test]
    fn kinds_that_have_few_leave_their_share_to_others() {
        let module: Module = serde_json::from_str(NETLIST).expect("a netlist");
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let names = Names::new(&module, &[]);
        let drawn = draw(&names, &MutationKind::OWN, Some(6), &mut rng);
        let count = |kind| drawn.iter().filter(|m| m.mode.kind() == kind).count();
        assert_eq!(
            [
                MutationKind::Comparator,
                MutationKind::Limit,
                MutationKind::Swap,
                MutationKind::Reset
            ]
            .map(count),
            [3, 1, 1, 1]
        );
        assert_eq!(draw(&names, &MutationKind::OWN, None, &mut rng).len(), 7);
    }
}
