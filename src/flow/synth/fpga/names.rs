//! The author's names for what is left of a design after mapping.
//!
//! Mapping keeps most register names and derives others from them, such as `stage5_row_TRELLIS_FF_Q_9_DI`:
//! the net at pin DI of a flip-flop whose pin Q drives the signal `stage5_row`. If a bit has a name from the
//! source, that one is used; otherwise the name that it was derived from.

use std::collections::{BTreeMap, BTreeSet};

use super::family::{Counts, Family};
use super::harness::{DRIVE, FOLD, INSTANCE, Ports, TAKE};
use super::source::ArrayMemory;
use crate::flow::netlist::{Cell, Module};

/// Names of a flattened, mapped harness with a block in it.
pub struct Names<'a> {
    mapped: &'a Module,
    family: Family,
    /// The author's name of each name in the harness.
    known: BTreeMap<String, String>,
    /// The author's name and index of each bit that has one.
    bits: BTreeMap<u64, String>,
    /// Memories by the name of their array in the harness.
    arrays: BTreeMap<String, String>,
    /// Types of the cells.
    kinds: BTreeSet<&'a str>,
}

impl<'a> Names<'a> {
    /// Indexes the unmapped block and the mapped harness around it.
    pub fn new(
        unmapped: &Module,
        ports: &Ports,
        memories: &[ArrayMemory],
        mapped: &'a Module,
        family: Family,
    ) -> Self {
        let authors = unmapped.netnames.iter().filter(|(_, net)| net.hide_name == 0);
        let mut known: BTreeMap<_, _> =
            authors.map(|(name, _)| (format!("{INSTANCE}.{name}"), name.clone())).collect();
        let driven = ports.inputs.iter().map(|(port, _)| (format!("{DRIVE}{port}"), port.clone()));
        let taken = ports.outputs.iter().flat_map(|(port, _)| {
            [TAKE, FOLD].map(|prefix| (format!("{prefix}{port}"), port.clone()))
        });
        known.extend(driven.chain(taken));
        let arrays = memories.iter().map(|m| (format!("{INSTANCE}.{}", m.array), m.name.clone()));
        Self {
            mapped,
            family,
            bits: bits(mapped, &known),
            known,
            arrays: arrays.collect(),
            kinds: mapped.cells.values().map(|cell| cell.kind.as_str()).collect(),
        }
    }

    /// The author's name of a net of place and route.
    pub fn net(&self, name: &str) -> String {
        match self.bit(name).and_then(|bit| self.bits.get(&bit)) {
            Some(name) => name.clone(),
            None => self.near(name),
        }
    }

    /// The register, memory or port at which a path begins or ends.
    pub fn endpoint(&self, cell: &str, pin: &str) -> String {
        if let Some((_, memory)) = self.arrays.iter().find(|(array, _)| is_part(cell, array)) {
            return format!("memory {memory} ({pin})");
        }
        let register = self.register(cell).and_then(|cell| self.bits.get(&cell.net("Q")?));
        let register = register.cloned().unwrap_or_else(|| self.near(cell));
        match ["CE", "LSR", "CEN", "SR"].contains(&pin) {
            true => format!("{register} ({pin})"),
            false => register,
        }
    }

    /// Type of a cell on a path.
    pub fn kind(&self, cell: &str) -> Option<String> {
        Some(self.cell(cell)?.kind.clone())
    }

    /// Type of the cell where a path begins or ends.
    pub fn endpoint_kind(&self, cell: &str) -> Option<String> {
        Some(self.register(cell).or_else(|| self.cell(cell))?.kind.clone())
    }

    /// The bit of a named net, or of a vector with an index.
    fn bit(&self, name: &str) -> Option<u64> {
        if let Some(net) = self.mapped.netnames.get(name) {
            return net.bits.first()?.net();
        }
        let (vector, index) = name.strip_suffix(']')?.rsplit_once('[')?;
        let net = self.mapped.netnames.get(vector)?;
        let index = index.parse::<i64>().ok()? - net.offset;
        net.bits.get(usize::try_from(index).ok()?)?.net()
    }

    /// The cell that place and route packed under a name.
    fn cell(&self, name: &str) -> Option<&'a Cell> {
        let packed = ["", "_DFFLC", "_LC", "_RAM"].iter().filter_map(|end| name.strip_suffix(end));
        packed
            .chain(name.split_once('$').map(|(name, _)| name))
            .find_map(|name| self.mapped.cells.get(name))
    }

    /// The flip-flop of a cell: itself, or the one packed with the LUT before it.
    fn register(&self, name: &str) -> Option<&'a Cell> {
        let is_ff = |cell: &&Cell| matches!(self.family.counts(&cell.kind), Some((Counts::Ff, _)));
        let cell = self.cell(name)?;
        if is_ff(&cell) {
            return Some(cell);
        }
        let net = cell.net("O")?;
        self.mapped.cells.values().filter(is_ff).find(|ff| ff.net("D") == Some(net))
    }

    /// The signal that a generated name was derived from.
    fn near(&self, name: &str) -> String {
        if let Some((_, memory)) = self.arrays.iter().find(|(array, _)| is_part(name, array)) {
            return format!("near memory {memory}");
        }
        let ends = name.rmatch_indices('_').map(|(end, _)| end);
        let found = ends.into_iter().find_map(|end| {
            let author = self.known.get(&name[..end])?;
            let kind = self.kinds.iter().find(|kind| begins_with(&name[end + 1..], kind))?;
            let exact = self.neighbour(name, end + 1 + kind.len() + 1);
            Some(exact.unwrap_or_else(|| author.clone()))
        });
        match found {
            Some(author) => format!("near {author}"),
            None => name
                .strip_prefix(INSTANCE)
                .and_then(|n| n.strip_prefix('.'))
                .unwrap_or(name)
                .to_string(),
        }
    }

    /// The author's name and index of the net at a pin, from the generated name `NET_TYPE_PIN_NUMBER...`
    /// whose pin starts at offset `pin`.
    fn neighbour(&self, name: &str, pin: usize) -> Option<String> {
        let mut words = name.get(pin..)?.split('_');
        let (port, number) = (words.next()?, words.next().unwrap_or_default());
        let numbered = format!("{}_{number}", &name[..pin + port.len()]);
        let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        let cell = if is_number { &numbered } else { &name[..pin + port.len()] };
        self.bits.get(&self.mapped.cells.get(cell)?.net(port)?).cloned()
    }
}

/// Whether a name is of an array's cell or derived from one.
fn is_part(name: &str, array: &str) -> bool {
    name.strip_prefix(array).is_some_and(|rest| rest.starts_with(['.', '[']))
}

fn begins_with(rest: &str, kind: &str) -> bool {
    rest.strip_prefix(kind).is_some_and(|rest| rest.starts_with('_'))
}

/// The name of each bit that is nearest to the top, then the simplest.
fn bits(mapped: &Module, known: &BTreeMap<String, String>) -> BTreeMap<u64, String> {
    let mut bits: BTreeMap<u64, String> = BTreeMap::new();
    for (name, net) in &mapped.netnames {
        let Some(author) = known.get(name) else { continue };
        for (i, bit) in net.bits.iter().enumerate() {
            let Some(bit) = bit.net() else { continue };
            let indexed = match net.bits.len() {
                1 => author.clone(),
                _ => format!("{author}[{}]", i as i64 + net.offset),
            };
            match bits.get(&bit) {
                Some(other) if rank(other) <= rank(&indexed) => {}
                _ => drop(bits.insert(bit, indexed)),
            }
        }
    }
    bits
}

fn rank(name: &str) -> (usize, bool, usize, &str) {
    let is_made = name.split('.').any(|part| part.starts_with('_'));
    (name.matches('.').count(), is_made, name.len(), name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNMAPPED: &str = r#"{"netnames": {
        "row": {"bits": [1, 2]}, "part.data": {"bits": [1]}, "_row_0": {"bits": [3]},
        "$made": {"hide_name": 1, "bits": [4]}}}"#;
    const MAPPED: &str = r#"{
        "netnames": {
            "block.row": {"bits": [10, 11]}, "block.part.data": {"bits": [10]},
            "block._row_0": {"bits": [11]}, "take_out": {"bits": [14]},
            "block.row_FF_Q_1_D": {"bits": [12]}, "block.other_FF_Q_D": {"bits": [11, 12]},
            "block.rows._rows.0.0_DI": {"bits": [13]}},
        "cells": {
            "block.row_FF_Q_1": {"type": "SB_DFFE", "connections": {"D": [12], "Q": [10]}},
            "block.row_SB_DFFE_Q": {"type": "SB_DFFE", "connections": {"D": [15], "Q": [11]}},
            "block.lut": {"type": "SB_LUT4", "connections": {"O": [15]}},
            "take_out_SB_DFF_Q": {"type": "SB_DFF", "connections": {"D": [12], "Q": [14]}},
            "block.rows._rows.0.0": {"type": "SB_RAM40_4K"}}}"#;

    fn check(test: impl Fn(&Names<'_>)) {
        let unmapped: Module = serde_json::from_str(UNMAPPED).unwrap();
        let mapped: Module = serde_json::from_str(MAPPED).unwrap();
        let ports = Ports { inputs: Vec::new(), outputs: vec![("out".to_string(), 1)] };
        let array = "rows._rows".to_string();
        let memory = ArrayMemory { name: "rows".to_string(), array, rows: 4, width: 4 };
        test(&Names::new(&unmapped, &ports, &[memory], &mapped, Family::Ice40));
    }

    #[test]
    fn a_net_has_the_authors_name_if_any_of_its_names_is() {
        check(|names| {
            assert_eq!(names.net("block.part.data"), "row[0]");
            assert_eq!(names.net("block.other_FF_Q_D[0]"), "row[1]");
        });
    }

    #[test]
    fn a_made_up_name_tells_what_it_is_near() {
        check(|names| {
            assert_eq!(names.net("block.row_SB_DFFE_Q_D_SB_LUT4_O_I3"), "near row[1]");
            assert_eq!(names.net("block.row_SB_LUT4_I0_O"), "near row");
            assert_eq!(names.net("block.rows._rows.0.0_DI"), "near memory rows");
            assert_eq!(names.net("block.$made$7"), "$made$7");
        });
    }

    #[test]
    fn paths_end_at_registers_ports_and_memories() {
        check(|names| {
            assert_eq!(names.endpoint("block.row_FF_Q_1_DFFLC", "I0"), "row[0]");
            assert_eq!(names.endpoint("block.lut_LC", "CEN"), "row[1] (CEN)");
            assert_eq!(names.endpoint("take_out_SB_DFF_Q_DFFLC", "I0"), "out");
            assert_eq!(names.endpoint("block.rows._rows.0.0_RAM", "WE"), "memory rows (WE)");
        });
    }

    #[test]
    fn a_packed_cell_has_the_type_that_it_was_packed_from() {
        check(|names| {
            assert_eq!(names.kind("block.lut_LC").as_deref(), Some("SB_LUT4"));
            assert_eq!(names.endpoint_kind("block.lut_LC").as_deref(), Some("SB_DFFE"));
            assert_eq!(names.kind("nothing"), None);
        });
    }
}
