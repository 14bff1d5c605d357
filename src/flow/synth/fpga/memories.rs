//! What the design's memories were mapped to, from the names of cells and nets.

use std::collections::{BTreeMap, BTreeSet};

use super::family::{Counts, Family};
use super::source::ArrayMemory;
use crate::flow::netlist::Module;
use crate::flow::synth::record::Ram;

/// The memories that yosys found in the flattened, unmapped module.
pub fn found(module: &Module) -> Vec<ArrayMemory> {
    let memories = module.cells.iter().filter(|(_, cell)| cell.kind == "$mem_v2");
    let memory = |(name, cell): (&String, &crate::flow::netlist::Cell)| {
        let (rows, width) = (cell.number("SIZE")?, cell.number("WIDTH")?);
        Some(ArrayMemory { name: name.clone(), array: name.clone(), rows, width })
    };
    memories.filter_map(memory).collect()
}

/// What each memory became in the flattened, mapped module.
pub fn mapped(memories: &[ArrayMemory], module: &Module, family: Family) -> Vec<Ram> {
    let ram = |memory: &ArrayMemory| Ram {
        name: memory.name.clone(),
        rows: memory.rows,
        width: memory.width,
        bits: u64::from(memory.rows) * u64::from(memory.width),
        mapped_to: mapped_to(&memory.array, module, family),
        area_um2: None,
        source: None,
        cycle_ns: None,
    };
    memories.iter().map(ram).collect()
}

fn mapped_to(array: &str, module: &Module, family: Family) -> String {
    let mut parts: Vec<_> = ram_cells(array, module)
        .into_iter()
        .map(|(kind, count)| match family.counts(kind) {
            Some((Counts::LutAs(use_), _)) => format!("{count} {kind} ({use_})"),
            _ => format!("{count} {kind}"),
        })
        .collect();
    let flip_flops = flip_flops(array, module, family);
    if flip_flops > 0 {
        parts.push(format!("{flip_flops} flip-flops"));
    }
    match parts.is_empty() {
        true => "unknown: no cell and no flip-flop has its name".to_string(),
        false => parts.join(", "),
    }
}

/// RAM cells are named after the array with two indices: part of the rows, part of the width.
fn ram_cells<'a>(array: &str, module: &'a Module) -> BTreeMap<&'a str, u64> {
    let is_part = |name: &str| {
        let numbers = name.strip_prefix(array).and_then(|rest| rest.strip_prefix('.'));
        numbers.and_then(|numbers| numbers.split_once('.')).is_some_and(|(rows, bits)| {
            [rows, bits].iter().all(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))
        })
    };
    let mut cells = BTreeMap::new();
    for (_, cell) in module.cells.iter().filter(|(name, _)| is_part(name)) {
        *cells.entry(cell.kind.as_str()).or_default() += 1;
    }
    cells
}

/// Rows in flip-flops are nets named after the array with the row's index in brackets.
fn flip_flops(array: &str, module: &Module, family: Family) -> usize {
    let is_row = |name: &str| {
        let number = name.strip_prefix(array).and_then(|rest| rest.strip_prefix('['));
        let number = number.and_then(|rest| rest.strip_suffix(']'));
        number.is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))
    };
    let rows = module.netnames.iter().filter(|(name, _)| is_row(name));
    let bits: BTreeSet<u64> =
        rows.flat_map(|(_, net)| net.bits.iter().filter_map(|bit| bit.net())).collect();
    let is_ff = |kind: &str| matches!(family.counts(kind), Some((Counts::Ff, _)));
    let stored = module.cells.values().filter(|cell| is_ff(&cell.kind));
    stored.filter(|cell| cell.net("Q").is_some_and(|net| bits.contains(&net))).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn became(text: &str, family: Family) -> String {
        let module: Module = serde_json::from_str(text).unwrap();
        let memory =
            ArrayMemory { name: "t".to_string(), array: "t._rows".to_string(), rows: 2, width: 2 };
        let rams = mapped(&[memory], &module, family);
        assert_eq!(rams[0].bits, 4);
        rams[0].mapped_to.clone()
    }

    #[test]
    fn ram_cells_are_known_by_their_names() {
        let text = r#"{"cells": {
            "t._rows.0.0": {"type": "TRELLIS_DPR16X4"}, "t._rows.0.1": {"type": "TRELLIS_DPR16X4"},
            "t._rows.1.0": {"type": "DP16KD"}, "t._rows.0.0_DO_LUT4_A": {"type": "LUT4"},
            "at._rows.0.0": {"type": "DP16KD"}, "t._rows_2.0.0": {"type": "DP16KD"}}}"#;
        assert_eq!(became(text, Family::Ecp5), "1 DP16KD, 2 TRELLIS_DPR16X4 (LUT RAM)");
    }

    #[test]
    fn rows_in_flip_flops_are_known_by_their_nets() {
        let text = r#"{"netnames": {"t._rows[0]": {"bits": [5, 6]}, "t._rows[0]_D": {"bits": [7]}},
            "cells": {"a": {"type": "SB_DFFE", "connections": {"Q": [5]}},
                      "b": {"type": "SB_DFFE", "connections": {"Q": [6]}},
                      "c": {"type": "SB_DFFE", "connections": {"Q": [7]}},
                      "d": {"type": "SB_LUT4", "connections": {"O": [6]}}}}"#;
        assert_eq!(became(text, Family::Ice40), "2 flip-flops");
    }

    #[test]
    fn what_cannot_be_read_is_unknown() {
        let text = r#"{"cells": {"u": {"type": "SB_DFFE", "connections": {"Q": [5]}}}}"#;
        assert!(became(text, Family::Ice40).starts_with("unknown"));
    }
}
