//! A cell of a library: its pins, functions and storage.

use std::ops::Range;

use super::complete::{fault, incomplete, leakage, of_pins};
use super::function::Function;
use super::syntax::Group;
use super::table::Templates;

/// What a library states for all its cells.
#[derive(Debug, Default)]
pub struct Defaults<'a> {
    /// Templates of tables.
    pub templates: Templates<'a>,
    /// Capacitance of an input in the library's unit.
    pub input_capacitance: Option<f64>,
    /// Leakage of a cell in the library's unit.
    pub leakage: Option<f64>,
}

/// A cell.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Name.
    pub name: String,
    /// Area, in square micrometres by convention.
    pub area: f64,
    /// Input and output pins.
    pub pins: Vec<Pin>,
    /// The storage in it.
    pub memory: CellStorage,
    /// For a cell that the library excludes from synthesis, what such cells are called.
    pub kept_back: Option<&'static str>,
    /// For a cell without something that figures need, what such cells are called.
    pub incomplete: Option<&'static str>,
    /// Malformed part: its byte in the library's text, and what is wrong there.
    pub fault: Option<(usize, String)>,
    /// Mean leakage in the library's unit, if stated.
    pub leakage: Option<f64>,
    /// Whether the library has the energy of its inner nodes.
    pub has_internal_power: bool,
    /// Byte range of the cell in the library's text.
    pub span: Range<usize>,
}

/// A pin.
#[derive(Clone, Debug)]
pub struct Pin {
    /// Name.
    pub name: String,
    /// Whether the cell drives it.
    pub is_output: bool,
    /// Its function, if the cell drives it.
    pub function: Option<Function>,
    /// Whether it is a three-state output.
    pub is_three_state: bool,
    /// Capacitance in the library's unit.
    pub capacitance: Option<f64>,
}

/// The storage of a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum CellStorage {
    /// None: combinational.
    None,
    /// A flip-flop.
    FlipFlop(FlipFlop),
    /// Other storage, such as a latch or a state table: what such cells are called.
    Other(&'static str),
}

/// A flip-flop.
#[derive(Clone, Debug, PartialEq)]
pub struct FlipFlop {
    /// Whether it is clocked at the rising edge of a pin; none if not clocked by a pin's edge.
    pub rising: Option<bool>,
    /// Whether it has an asynchronous clear.
    pub clear: bool,
    /// Whether it has an asynchronous preset.
    pub preset: bool,
    /// What it captures at the edge.
    pub next: Next,
    /// Whether an output gives the true value, not only its complement.
    pub has_true_output: bool,
    /// Whether clock, data, clear and preset are a pin each, and there is no other input.
    pub is_plain: bool,
    /// Whether an output gives its state or the complement.
    pub has_output: bool,
}

/// What a flip-flop captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// One data pin.
    Data,
    /// A function of pins and of its own state, for example with an enable.
    WithState,
    /// A function of several pins, for example with a scan input.
    Several,
}

impl Cell {
    /// Reads a cell from its group.
    ///
    /// # Errors
    /// One line that says what is wrong.
    pub fn of(group: &Group<'_>, defaults: &Defaults<'_>) -> Result<Self, String> {
        let name = group.name().ok_or("a cell has no name")?.to_string();
        let area = match group.attribute("area") {
            None => 0.0,
            Some(text) => match text.parse::<f64>() {
                Ok(area) if area.is_finite() && area >= 0.0 => area,
                _ => return Err(format!("cell {name}: `{text}` is not an area")),
            },
        };
        let pins = pins(group, defaults);
        let memory = memory(group, &pins);
        let fault = fault(group, &pins, defaults);
        let incomplete = match fault {
            None => incomplete(group, area, &pins, &memory, defaults),
            Some(_) => None,
        };
        Ok(Self {
            name,
            area,
            pins,
            memory,
            kept_back: kept_back(group),
            incomplete,
            fault,
            leakage: leakage(group).or(defaults.leakage),
            has_internal_power: of_pins(group, "internal_power").next().is_some(),
            span: group.span.clone(),
        })
    }

    /// Input pins.
    pub fn inputs(&self) -> impl Iterator<Item = &Pin> {
        self.pins.iter().filter(|pin| !pin.is_output)
    }

    /// Output pins.
    pub fn outputs(&self) -> impl Iterator<Item = &Pin> {
        self.pins.iter().filter(|pin| pin.is_output)
    }

    /// Whether it is a flip-flop.
    pub fn is_flip_flop(&self) -> bool {
        matches!(self.memory, CellStorage::FlipFlop(_))
    }

    /// The function of the only output.
    pub fn function(&self) -> Option<&Function> {
        let mut outputs = self.outputs();
        let only = outputs.next().filter(|_| outputs.next().is_none());
        only.and_then(|pin| pin.function.as_ref())
    }
}

/// Pins, buses and bundles at the outside; a bus or bundle counts as one pin.
fn pins(cell: &Group<'_>, defaults: &Defaults<'_>) -> Vec<Pin> {
    let is_pin = |group: &&Group<'_>| {
        matches!(group.kind, "pin" | "bus" | "bundle")
            && group.attribute("direction") != Some("internal")
    };
    let groups = cell.groups.iter().filter(is_pin);
    let pins = groups.flat_map(|group| {
        let direction = group.attribute("direction").unwrap_or_default();
        let function = group.attribute("function");
        let pin = |name: &&str| Pin {
            name: name.to_string(),
            is_output: matches!(direction, "output" | "inout"),
            function: function.and_then(Function::parse),
            is_three_state: group.attribute("three_state").is_some(),
            capacitance: capacitance(group, defaults),
        };
        group.names.iter().map(pin).collect::<Vec<_>>()
    });
    pins.collect()
}

/// The capacitance of an input: its own, the larger of its two edges, or the library's default.
pub fn capacitance(pin: &Group<'_>, defaults: &Defaults<'_>) -> Option<f64> {
    let stated =
        |attribute| pin.number(attribute).filter(|value| value.is_finite() && *value >= 0.0);
    let edges = ["rise_capacitance", "fall_capacitance"].into_iter().filter_map(stated);
    stated("capacitance").or(edges.reduce(f64::max)).or(defaults.input_capacitance)
}

fn memory(cell: &Group<'_>, pins: &[Pin]) -> CellStorage {
    for (kind, what) in [
        ("latch", "latches"),
        ("latch_bank", "latches"),
        ("ff_bank", "cells of several flip-flops"),
        ("statetable", "cells with a state table"),
    ] {
        if cell.of_kind(kind).next().is_some() {
            return CellStorage::Other(what);
        }
    }
    let mut flip_flops = cell.of_kind("ff");
    match (flip_flops.next(), flip_flops.next()) {
        (None, _) => CellStorage::None,
        (Some(ff), None) => CellStorage::FlipFlop(flip_flop(ff, pins)),
        (Some(_), Some(_)) => CellStorage::Other("cells of several flip-flops"),
    }
}

fn flip_flop(ff: &Group<'_>, pins: &[Pin]) -> FlipFlop {
    let function = |attribute: &str| ff.attribute(attribute).and_then(Function::parse);
    let state = ff.names.first().copied().unwrap_or_default();
    let complement = ff.names.get(1).copied().unwrap_or_default();
    let next = function("next_state");
    let next_is_inverted = matches!(next, Some(Function::Inverter(_)));
    let is_pin = |of: &Option<Function>| match of {
        Some(Function::Buffer(of) | Function::Inverter(of)) => {
            pins.iter().any(|pin| !pin.is_output && pin.name == *of)
        }
        _ => false,
    };
    let control = ["clocked_on", "next_state", "clear", "preset"].map(|attribute| {
        let is_optional = matches!(attribute, "clear" | "preset");
        (is_optional && ff.attribute(attribute).is_none()) || is_pin(&function(attribute))
    });
    let gives_state = |pin: &Pin| match &pin.function {
        Some(Function::Buffer(of) | Function::Inverter(of)) => [state, complement].contains(&&**of),
        _ => false,
    };
    let inputs = pins.iter().filter(|pin| !pin.is_output).count();
    let gives_taken = |pin: &Pin| match &pin.function {
        Some(Function::Buffer(of)) => (of == state) != next_is_inverted,
        Some(Function::Inverter(of)) => (of == complement) != next_is_inverted,
        _ => false,
    };
    let [clear, preset] = ["clear", "preset"].map(|attribute| ff.attribute(attribute).is_some());
    FlipFlop {
        rising: match function("clocked_on") {
            Some(Function::Buffer(_)) => Some(true),
            Some(Function::Inverter(_)) => Some(false),
            _ => None,
        },
        clear,
        preset,
        next: match next {
            Some(Function::Buffer(_) | Function::Inverter(_)) => Next::Data,
            Some(Function::Other(of)) if of.contains(state) || of.contains(complement) => {
                Next::WithState
            }
            _ => Next::Several,
        },
        has_true_output: pins.iter().any(gives_taken),
        is_plain: control == [true; 4] && inputs == 2 + usize::from(clear) + usize::from(preset),
        has_output: pins.iter().any(gives_state),
    }
}

/// Whether the library excludes the cell from synthesis, by its attributes and groups.
fn kept_back(cell: &Group<'_>) -> Option<&'static str> {
    let is_true = |attribute: &str| {
        cell.attribute(attribute).is_some_and(|value| value.eq_ignore_ascii_case("true"))
    };
    let marks = [
        ("dont_use", "marked dont_use"),
        ("pad_cell", "pads"),
        ("is_level_shifter", "level shifters"),
        ("is_isolation_cell", "isolation cells"),
        ("always_on", "always-on cells"),
        ("is_clock_gating_cell", "clock gates"),
    ];
    if let Some((_, why)) = marks.iter().find(|(attribute, _)| is_true(attribute)) {
        return Some(why);
    }
    if cell.attribute("clock_gating_integrated_cell").is_some() {
        return Some("clock gates");
    }
    if cell.attribute("retention_cell").is_some() {
        return Some("retention cells");
    }
    cell.of_kind("test_cell").next().map(|_| "scan cells")
}
