//! Mutations that are no faults, as their places in the netlist say.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use warpsmith_blocks::same_row::{Hashing, SameRow};

use super::location::{Names, ports};
use super::mutation::{Mode, Mutation, MutationKind};
use crate::flow::netlist::{Bit, Cell, Direction};

/// Why a mutation is no fault, by its place.
pub fn argument(names: &Names<'_>, mutation: &Mutation, hashing: &Hashing) -> Option<String> {
    if is_unread(names, mutation) {
        return Some("nothing reads what it changes".to_string());
    }
    if only_defines(names, mutation) {
        return Some("it only defines data that the circuit leaves undefined".to_string());
    }
    let mut same_rows = hashing.same_rows.iter();
    if let Some(argument) = same_rows.find_map(|same| of_same_row(names, mutation, same)) {
        return Some(argument);
    }
    let rows = moves_rows(names, mutation, hashing)?;
    let rows = rows.into_iter().collect::<Vec<_>>().join(", ");
    Some(match mutation.mode {
        Mode::Inv => {
            format!("{rows}: one bit is inverted for every key, so rows are exchanged in pairs")
        }
        _ => format!("{rows}: one bit is of other bits of the key, as with another hash of H3"),
    })
}

/// Whether what a mutation of one bit changes is neither read nor an output.
fn is_unread(names: &Names<'_>, mutation: &Mutation) -> bool {
    let Mutation { mode, cell, port, bit, .. } = mutation;
    let Some(cell) = names.cell(cell).filter(|_| mode.kind() == MutationKind::Yosys) else {
        return false;
    };
    let is_as_wide = |other| {
        let width = |port| cell.connections.get(port).map(Vec::len);
        width(port.as_str()) == width(other)
    };
    let changed = match (cell.kind.as_str(), cell.port_directions.get(port)) {
        (_, Some(Direction::Output)) => port,
        // Each bit of the output is of the same bit of the input.
        ("$not" | "$and" | "$or" | "$xor" | "$xnor", _) | ("$mux", _)
            if port != "S" && is_as_wide("Y") =>
        {
            "Y"
        }
        ("$dff", _) if port == "D" => "Q",
        _ => return false,
    };
    let bit = cell.connections.get(changed).and_then(|bits| bits.get(*bit as usize));
    let Some(net) = bit.and_then(Bit::net) else { return false };
    let leaves = names.module.ports.values().any(|port| port.bits.contains(&Bit::Net(net)));
    !leaves && !names.readers.contains_key(&net)
}

/// Why a bit of a comparison can be ignored: the keys share rows, and the bit changes the key's row.
fn of_same_row(names: &Names<'_>, mutation: &Mutation, same: &SameRow) -> Option<String> {
    let compares = mutation.mode == Mode::Ignored && compares(names, mutation, same);
    if !compares || !same.is_decided_by_others(mutation.bit) {
        return None;
    }
    let columns = same.columns.iter().map(|bits| format!("0x{:x}", bits[mutation.bit as usize]));
    let (columns, because) = (columns.collect::<Vec<_>>().join(", "), same.because);
    Some(format!(
        "both keys have the same row: {because}; bit {} alone moves the row by {columns}",
        mutation.bit
    ))
}

/// Whether a mutation's cell compares exactly these keys.
fn compares(names: &Names<'_>, mutation: &Mutation, same: &SameRow) -> bool {
    let Some(cell) = names.cell(&mutation.cell).filter(|cell| cell.kind == "$eq") else {
        return false;
    };
    let [Some(a), Some(b)] = ["A", "B"].map(|port| cell.connections.get(port)) else {
        return false;
    };
    let [(one, _), _] = &same.keys;
    // Names in an instance have the instance's name as prefix.
    let scopes = names.module.netnames.keys().filter_map(|name| name.strip_suffix(one.as_str()));
    let mut keys = scopes.filter(|scope| scope.is_empty() || scope.ends_with('.')).map(|scope| {
        same.keys.each_ref().map(|(name, low)| {
            let bits = &names.module.netnames.get(&format!("{scope}{name}"))?.bits;
            bits.get(*low as usize..*low as usize + same.width() as usize)
        })
    });
    keys.any(|keys| keys == [Some(&a[..]), Some(&b[..])] || keys == [Some(&b[..]), Some(&a[..])])
}

/// The signals with rows that a mutation changes, if it changes nothing else: what it changes reaches only rows, through
/// exclusive ors and ANDs with constants, so that rows stay linear in the key, but for a constant. An inversion may be
/// anywhere; another fault only where a bit of the row reads the key.
fn moves_rows<'a>(
    names: &Names<'a>,
    mutation: &Mutation,
    hashing: &Hashing,
) -> Option<BTreeSet<&'a str>> {
    let cell = names.cell(&mutation.cell)?;
    let direction = cell.port_directions.get(&mutation.port)?;
    let may_move = match mutation.mode {
        Mode::Inv => true,
        // Not the only bit of the key: that would be a loss of rows.
        mode if mode.kind() == MutationKind::Yosys && cell.kind == "$reduce_xor" => {
            let read = cell.connections.get(&mutation.port)?.iter().filter_map(Bit::net);
            *direction == Direction::Input && read.count() > 1
        }
        _ => false,
    };
    if !may_move {
        return None;
    }
    let is_row = |name: &str, row: &str| {
        name.strip_suffix(row).is_some_and(|scope| scope.is_empty() || scope.ends_with('.'))
    };
    let mut of_net = HashMap::new();
    for (name, named) in &names.module.netnames {
        if hashing.rows.iter().any(|row| is_row(name, row)) {
            let nets = named.bits.iter().filter_map(Bit::net);
            of_net.extend(nets.map(|net| (net, name.as_str())));
        }
    }
    let changed = match direction {
        Direction::Input if mutation.port == "A" => {
            inverted_outputs(cell, |bit| bit == mutation.bit as usize)?
        }
        Direction::Input => return None,
        _ => vec![cell.connections[&mutation.port].get(mutation.bit as usize)?.net()?],
    };
    let (mut seen, mut nets) = (HashSet::new(), VecDeque::from(changed));
    let mut rows = BTreeSet::new();
    while let Some(net) = nets.pop_front() {
        match (of_net.get(&net), names.readers.get(&net)) {
            (Some(row), _) => _ = rows.insert(*row),
            (None, Some(readers)) if seen.insert(net) => {
                for reader in readers {
                    let cell = names.cell(reader)?;
                    let input = cell.connections.get("A")?;
                    nets.extend(inverted_outputs(cell, |bit| {
                        input.get(bit).and_then(Bit::net) == Some(net)
                    })?);
                }
            }
            (None, Some(_)) => {}
            (None, None) => return None,
        }
    }
    (!rows.is_empty()).then_some(rows)
}

/// The outputs that an exclusive or, or an AND with a constant, inverts if those bits of its input `A` are inverted,
/// whatever the other bits are. None for any other cell.
fn inverted_outputs(cell: &Cell, is_inverted: impl Fn(usize) -> bool) -> Option<Vec<u64>> {
    let [input, output] = ["A", "Y"].map(|port| cell.connections.get(port));
    let (input, output) = (input?, output?);
    let inverted: Vec<_> = (0..input.len()).filter(|bit| is_inverted(*bit)).collect();
    match cell.kind.as_str() {
        "$reduce_xor" if inverted.len() % 2 == 1 => output.iter().map(Bit::net).collect(),
        "$and" => {
            let constants = cell.connections.get("B")?;
            let of_bit = |bit: usize| match constants.get(bit)? {
                Bit::Constant(value) if value == "1" => Some(output.get(bit)?.net()),
                Bit::Constant(value) if value == "0" => Some(None),
                _ => None,
            };
            let nets: Option<Vec<_>> = inverted.into_iter().map(of_bit).collect();
            Some(nets?.into_iter().flatten().collect())
        }
        _ => None,
    }
}

/// Whether a mutation only defines data that the circuit leaves undefined: of a row that is read as it is written.
fn only_defines(names: &Names<'_>, mutation: &Mutation) -> bool {
    mutation.mode == Mode::Const0 && selects_undefined(names, &mutation.cell, &mutation.port)
}

/// Whether all that a port of a cell can do by being 1 is to select undefined data.
pub fn selects_undefined(names: &Names<'_>, name: &str, port: &str) -> bool {
    let Some(cell) = names.cell(name) else { return false };
    let bits = |port: &str| cell.connections.get(port).map_or(&[][..], |bits| bits);
    match (cell.kind.as_str(), port) {
        ("$mux", "S") => bits("B").iter().all(|b| *b == Bit::Constant("x".to_string())),
        ("$and" | "$logic_and", "A" | "B" | "Y") | ("$eq", "Y") => {
            let [Bit::Net(net)] = bits("Y") else { return false };
            let Some(readers) = names.readers.get(net) else { return false };
            let mut reads = readers.iter().flat_map(|reader| {
                let inputs =
                    names.cell(reader).into_iter().flat_map(|c| ports(c, Direction::Input));
                let reads = inputs.filter(|(_, bits)| bits.contains(&Bit::Net(*net)));
                reads.map(|(port, _)| (*reader, port))
            });
            let leaves = names.module.ports.values().any(|p| p.bits.contains(&Bit::Net(*net)));
            !leaves && reads.all(|(reader, port)| selects_undefined(names, reader, port))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::netlist::Netlist;

    /// Data of a row that is read as it is written: undefined.
    const READ: &str = r#"{"modules": {"top": {"ports": {}, "netnames": {}, "cells": {
        "eq": {"type": "$eq", "port_directions": {"A": "input", "Y": "output"},
               "connections": {"A": [2], "Y": [3]}},
        "and": {"type": "$logic_and", "port_directions": {"A": "input", "B": "input", "Y": "output"},
                "connections": {"A": [4], "B": [3], "Y": [5]}},
        "data": {"type": "$mux", "port_directions": {"A": "input", "B": "input", "S": "input"},
                 "connections": {"A": [6, 7], "B": ["x", "x"], "S": [5]}}}}}}"#;

    /// The upper bit of two is inverted, and nobody reads it; the lower is an output.
    const UNREAD: &str = r#"{"modules": {"top": {"ports": {"out": {"direction": "output", "bits": [5]}},
        "netnames": {}, "cells": {
        "not": {"type": "$not", "port_directions": {"A": "input", "Y": "output"},
                "connections": {"A": [2, 3], "Y": [5, 6]}},
        "mux": {"type": "$mux", "port_directions": {"A": "input", "B": "input", "S": "input", "Y": "output"},
                "connections": {"A": [2], "B": [3], "S": [4], "Y": [7]}},
        "add": {"type": "$add", "port_directions": {"A": "input", "B": "input", "Y": "output"},
                "connections": {"A": [2, 3], "B": [4], "Y": [8, 9]}}}}}}"#;

    #[test]
    fn what_nothing_reads_is_found() {
        let is_unread = |text: &str, mode, cell: &str, port: &str, bit| {
            let netlist = serde_json::from_str::<Netlist>(text).expect("a netlist");
            let (cell, port) = (cell.to_string(), port.to_string());
            let mutation = Mutation { mode, cell, port, bit, control: None };
            super::is_unread(&Names::new(&netlist.modules["top"], &[]), &mutation)
        };
        for (cell, port, bit) in
            [("not", "A", 1), ("not", "Y", 1), ("mux", "B", 0), ("add", "Y", 1)]
        {
            assert!(is_unread(UNREAD, Mode::Inv, cell, port, bit), "{cell} {port}");
            assert!(!is_unread(UNREAD, Mode::Swapped, cell, port, bit), "{cell} {port}");
        }
        let read = UNREAD.replace(r#""A": [2], "B": [3]"#, r#""A": [6], "B": [3]"#);
        assert!(!is_unread(&read, Mode::Inv, "not", "A", 1));
        for (cell, port, bit) in
            [("not", "A", 0), ("not", "Y", 0), ("mux", "S", 0), ("add", "A", 1)]
        {
            assert!(!is_unread(UNREAD, Mode::Inv, cell, port, bit), "{cell} {port}");
        }
    }

    #[test]
    fn a_mutation_that_only_defines_data_is_found() {
        let only_defines = |text: &str, mode, cell: &str, port: &str| {
            let netlist = serde_json::from_str::<Netlist>(text).expect("a netlist");
            let (cell, port) = (cell.to_string(), port.to_string());
            let mutation = Mutation { mode, cell, port, bit: 0, control: None };
            super::only_defines(&Names::new(&netlist.modules["top"], &[]), &mutation)
        };
        for (cell, port) in [("eq", "Y"), ("and", "A"), ("and", "B"), ("and", "Y"), ("data", "S")] {
            assert!(only_defines(READ, Mode::Const0, cell, port), "{cell} {port}");
            assert!(!only_defines(READ, Mode::Const1, cell, port), "{cell} {port}");
            let defined = READ.replace(r#""x", "x""#, r#""x", "0""#);
            assert!(!only_defines(&defined, Mode::Const0, cell, port), "{cell} {port}");
        }
        let output = r#""ports": {"collides": {"direction": "output", "bits": [5]}}"#;
        let shown = READ.replace(r#""ports": {}"#, output);
        assert!(!only_defines(&shown, Mode::Const0, "and", "A"));
        assert!(!only_defines(READ, Mode::Const0, "eq", "A"));
        assert!(!only_defines(READ, Mode::Const0, "data", "A"));
    }
}
