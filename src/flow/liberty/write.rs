//! A library as text that yosys, abc and OpenSTA read alike.
//!
//! They differ in what they accept: unquoted functions, a list of pins as `related_pin`, tables in one row or
//! over axes in another order. Some of it they skip without a word, and then a figure is wrong.

use std::fmt::Write as _;

use super::cell::{CellStorage, Defaults, capacitance};
use super::complete::{has_delays, related};
use super::function::{Function, canonical};
use super::syntax::{Group, list};
use super::table::{Axis, DELAYS, Table, template_kind};
use super::{Library, defaults, root};
use crate::flow::FlowError;

/// Thresholds in percent, and the values that the format gives those that are not stated.
pub const THRESHOLDS: [(&str, u32); 8] = [
    ("input_threshold_pct_rise", 50),
    ("input_threshold_pct_fall", 50),
    ("output_threshold_pct_rise", 50),
    ("output_threshold_pct_fall", 50),
    ("slew_lower_threshold_pct_rise", 20),
    ("slew_lower_threshold_pct_fall", 20),
    ("slew_upper_threshold_pct_rise", 80),
    ("slew_upper_threshold_pct_fall", 80),
];

/// Attributes that are written anew, or that would make the tools add wires.
const ANEW: [&str; 9] = [
    "delay_model",
    "time_unit",
    "voltage_unit",
    "leakage_power_unit",
    "default_operating_conditions",
    "default_wire_load",
    "default_wire_load_selection",
    "default_wire_load_mode",
    "default_cell_leakage_power",
];
const FUNCTIONS: [&str; 5] = ["function", "clocked_on", "next_state", "clear", "preset"];

/// The library's text, with those of its cells that are at these indices.
///
/// # Errors
/// [`FlowError::Input`] as when it was read.
pub fn write(library: &Library, keeps: impl Fn(usize) -> bool) -> Result<String, FlowError> {
    let root = root(&library.path, &library.text)?;
    let mut writer =
        Writer { defaults: defaults(&root), text: String::new(), templates: Vec::new() };
    for (i, (group, cell)) in root.of_kind("cell").zip(&library.cells).enumerate() {
        if keeps(i) {
            writer.cell(group, cell);
        }
    }
    let cells = std::mem::take(&mut writer.text);
    let name = if library.name.is_empty() { "unnamed" } else { &library.name };
    writer.open("library", &[name], 0);
    writer.header(&root, library);
    let skipped = ["cell", "operating_conditions", "wire_load", "wire_load_selection"];
    for group in root.groups.iter().filter(|group| !skipped.contains(&group.kind)) {
        writer.group(group, 1);
    }
    for (i, (kind, axes)) in std::mem::take(&mut writer.templates).iter().enumerate() {
        writer.template(i, kind, axes);
    }
    Ok(format!("{}{cells}}}\n", writer.text))
}

struct Writer<'a> {
    defaults: Defaults<'a>,
    text: String,
    /// Kinds and axes of templates that tables of this writer name.
    templates: Vec<(&'static str, Vec<Axis<'a>>)>,
}

impl<'a> Writer<'a> {
    fn header(&mut self, root: &Group<'a>, library: &Library) {
        let units = &library.units;
        self.simple(1, "delay_model", "table_lookup");
        // Exact, since only these units are read.
        self.simple(
            1,
            "time_unit",
            &format!("{:.0}ps", units.time * 1e12).replace("1000ps", "1ns"),
        );
        self.simple(1, "voltage_unit", "1V");
        if let Some(watts) = units.leakage {
            self.simple(1, "leakage_power_unit", &unit_of_power(watts));
        }
        for (name, value) in THRESHOLDS {
            if root.attribute(name).is_none() {
                self.simple(1, name, &value.to_string());
            }
        }
        for (name, value) in last_of_each(&root.simple) {
            if !ANEW.contains(&name) {
                self.simple(1, name, value);
            }
        }
        for (name, values) in &root.complex {
            self.complex(1, name, values);
        }
        let conditions = &library.conditions;
        if let Some(voltage) = conditions.voltage {
            // OpenSTA has the voltage of power from the default operating conditions only.
            let number =
                |value: &Option<String>| value.as_deref().and_then(|v| v.parse::<f64>().ok());
            let process = number(&conditions.process).unwrap_or(1.0);
            let temperature = number(&conditions.temperature).unwrap_or(25.0);
            self.open("operating_conditions", &["used"], 1);
            for (name, value) in
                [("process", process), ("voltage", voltage), ("temperature", temperature)]
            {
                self.simple(2, name, &value.to_string());
            }
            self.close(1);
            self.simple(1, "default_operating_conditions", "used");
            for (name, value) in [
                ("nom_process", process),
                ("nom_voltage", voltage),
                ("nom_temperature", temperature),
            ] {
                if root.attribute(name).is_none() {
                    self.simple(1, name, &value.to_string());
                }
            }
        }
    }

    fn cell(&mut self, group: &Group<'a>, cell: &super::cell::Cell) {
        self.open("cell", &group.names, 1);
        for (name, value) in last_of_each(&group.simple) {
            // abc takes `dont_use : false` for true.
            if !["cell_leakage_power", "dont_use"].contains(&name) {
                self.simple(2, name, value);
            }
        }
        // OpenSTA of 2019 doubles the leakage of states, and has no default.
        if let Some(leakage) = cell.leakage {
            self.simple(2, "cell_leakage_power", &leakage.to_string());
        }
        for (name, values) in &group.complex {
            self.complex(2, name, values);
        }
        for inner in group.groups.iter().filter(|inner| inner.kind != "leakage_power") {
            match inner.kind {
                "pin" => self.pins(inner, group, &cell.memory),
                _ => self.group(inner, 2),
            }
        }
        self.close(1);
    }

    /// One group for each pin, since abc takes the names of a group as one name.
    fn pins(&mut self, group: &Group<'a>, cell: &Group<'a>, memory: &CellStorage) {
        // abc takes an internal pin for an input.
        if group.attribute("direction") == Some("internal") {
            return;
        }
        for name in &group.names {
            self.open("pin", &[name], 2);
            for (name, value) in last_of_each(&group.simple) {
                match (name, memory) {
                    ("function", CellStorage::FlipFlop(_)) => {
                        self.simple(3, name, &of_state(value, cell));
                    }
                    _ => self.simple(3, name, value),
                }
            }
            let is_input = group.attribute("direction") == Some("input");
            if let Some(value) = capacitance(group, &self.defaults)
                && is_input
                && group.number("capacitance").is_none()
            {
                self.simple(3, "capacitance", &value.to_string());
            }
            for (name, values) in &group.complex {
                self.complex(3, name, values);
            }
            for inner in &group.groups {
                match inner.kind {
                    "timing" => self.arcs(inner, matches!(memory, CellStorage::None)),
                    _ => self.group(inner, 3),
                }
            }
            self.close(2);
        }
    }

    /// One group for each pin that a timing group is related to. Logic has only groups with delays, as abc
    /// fails at others.
    fn arcs(&mut self, group: &Group<'a>, is_logic: bool) {
        if is_logic && !has_delays(group, &self.defaults) {
            return;
        }
        for pin in related(group) {
            self.open("timing", &[], 3);
            self.simple(4, "related_pin", pin);
            for (name, value) in last_of_each(&group.simple) {
                if name != "related_pin" {
                    self.simple(4, name, value);
                }
            }
            self.inner(group, 4);
            self.close(3);
        }
    }

    fn group(&mut self, group: &Group<'a>, depth: usize) {
        let table = template_kind(group.kind)
            .and_then(|kind| Some((kind, Table::of(group, &self.defaults.templates).ok()?)));
        if let Some((kind, table)) = table {
            return self.table(group.kind, kind, table, depth);
        }
        match (group.kind, &group.names[..]) {
            // yosys needs both names.
            ("ff", [state]) => self.open("ff", &[state, &complement(state)], depth),
            _ => self.open(group.kind, &group.names, depth),
        }
        for (name, value) in last_of_each(&group.simple) {
            self.simple(depth + 1, name, value);
        }
        self.inner(group, depth + 1);
        self.close(depth);
    }

    fn inner(&mut self, group: &Group<'a>, depth: usize) {
        for (i, (name, values)) in group.complex.iter().enumerate() {
            // Other attributes of one name add to each other.
            let is_last = !group.complex[i + 1..].iter().any(|(other, _)| other == name);
            if is_last || !is_axis(name) {
                self.complex(depth, name, values);
            }
        }
        for inner in &group.groups {
            self.group(inner, depth);
        }
    }

    /// A table with its axes, in rows: OpenSTA takes what is missing in a row for zero.
    fn table(&mut self, group: &str, kind: &'static str, table: Table<'a>, depth: usize) {
        let table = match DELAYS.contains(&group) {
            true => table.over_slew_and_load().unwrap_or(table),
            false => table,
        };
        let known = |(of, axes): &(&str, Vec<Axis<'_>>)| {
            let is_same = |(a, b): (&Axis<'_>, &Axis<'_>)| {
                a.variable == b.variable && a.values.len() == b.values.len()
            };
            *of == kind
                && axes.len() == table.axes.len()
                && axes.iter().zip(&table.axes).all(is_same)
        };
        let name = match (table.axes.is_empty(), self.templates.iter().position(known)) {
            (true, _) => "scalar".to_string(),
            (false, Some(known)) => template_name(known),
            (false, None) => {
                self.templates.push((kind, table.axes.clone()));
                template_name(self.templates.len() - 1)
            }
        };
        self.open(group, &[&name], depth);
        self.axes(&table.axes, depth + 1);
        let width = table.axes.last().map_or(1, |axis| axis.values.len());
        let rows: Vec<_> =
            table.values.chunks(width).map(|row| format!("\"{}\"", joined(row))).collect();
        let _ = writeln!(self.text, "{}values ({});", indent(depth + 1), rows.join(", "));
        self.close(depth);
    }

    fn template(&mut self, number: usize, kind: &str, axes: &[Axis<'_>]) {
        self.open(kind, &[&template_name(number)], 1);
        for (i, axis) in axes.iter().enumerate() {
            self.simple(2, &format!("variable_{}", i + 1), axis.variable);
        }
        self.axes(axes, 2);
        self.close(1);
    }

    fn axes(&mut self, axes: &[Axis<'_>], depth: usize) {
        for (i, axis) in axes.iter().enumerate() {
            let values = joined(&axis.values);
            let _ = writeln!(self.text, "{}index_{} (\"{values}\");", indent(depth), i + 1);
        }
    }

    fn open(&mut self, kind: &str, names: &[&str], depth: usize) {
        let names: Vec<_> = names.iter().map(|name| word(name)).collect();
        let _ = writeln!(self.text, "{}{kind} ({}) {{", indent(depth), names.join(", "));
    }

    fn close(&mut self, depth: usize) {
        let _ = writeln!(self.text, "{}}}", indent(depth));
    }

    fn simple(&mut self, depth: usize, name: &str, value: &str) {
        let function = FUNCTIONS.contains(&name).then(|| canonical(value)).flatten();
        let value = match function {
            // Quoted, so that a constant is not taken for a number.
            Some(function) => format!("\"{function}\""),
            None if is_number(value) => value.to_string(),
            None => format!("\"{}\"", plain(value)),
        };
        if is_name(name) {
            let _ = writeln!(self.text, "{}{name} : {value};", indent(depth));
        }
    }

    fn complex(&mut self, depth: usize, name: &str, values: &str) {
        let values = match is_axis(name) {
            true => format!("\"{}\"", list(values).join(", ")),
            // `pF` is not a unit to every tool.
            false if name == "capacitive_load_unit" => list(values).join(", ").to_lowercase(),
            false => list(values).into_iter().map(word).collect::<Vec<_>>().join(", "),
        };
        if is_name(name) {
            let _ = writeln!(self.text, "{}{name} ({values});", indent(depth));
        }
    }
}

/// The name of the complement of a flip-flop's state, if the library gives it none.
fn complement(state: &str) -> String {
    format!("{state}_complement")
}

/// The function of a flip-flop's output as the name of its state or of the complement: yosys reads no other.
fn of_state(function: &str, cell: &Group<'_>) -> String {
    let names = cell.of_kind("ff").next().map(|ff| &ff.names[..]);
    match (Function::parse(function), names) {
        (Some(Function::Inverter(of)), Some([state])) if of == *state => complement(state),
        (Some(Function::Inverter(of)), Some([state, complement])) if of == *state => {
            complement.to_string()
        }
        (Some(Function::Inverter(of)), Some([state, complement])) if of == *complement => {
            state.to_string()
        }
        _ => function.to_string(),
    }
}

/// Simple attributes in order, each once: some tools take the first, others the last.
fn last_of_each<'s, 'a>(
    simple: &'s [(&'a str, &'a str)],
) -> impl Iterator<Item = (&'a str, &'a str)> + use<'s, 'a> {
    let is_last = |i: usize| !simple[i + 1..].iter().any(|(name, _)| *name == simple[i].0);
    (0..simple.len()).filter(move |i| is_last(*i)).map(|i| simple[i])
}

fn template_name(number: usize) -> String {
    format!("template_{number}_of_copy")
}

fn joined(values: &[f64]) -> String {
    values.iter().map(f64::to_string).collect::<Vec<_>>().join(", ")
}

fn indent(depth: usize) -> &'static str {
    const BLANKS: &str = "                    ";
    &BLANKS[..(2 * depth).min(BLANKS.len())]
}

/// A value in parentheses: a name, a number, or else quoted.
fn word(text: &str) -> String {
    match is_name(text) || is_number(text) {
        true => text.to_string(),
        false => format!("\"{}\"", plain(text)),
    }
}

/// Without line ends, escapes and parentheses of groups, which abc counts in strings too.
fn plain(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || "\\{}".contains(c));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn is_axis(attribute: &str) -> bool {
    attribute == "values" || attribute.starts_with("index_")
}

fn is_number(text: &str) -> bool {
    text.ends_with(|c: char| c.is_ascii_digit() || c == '.') && text.parse::<f64>().is_ok()
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A power of ten in watts, as OpenSTA reads it: 1, 10 or 100 of a prefix.
fn unit_of_power(watts: f64) -> String {
    let prefixes = [("", 1.0), ("m", 1e-3), ("u", 1e-6), ("n", 1e-9), ("p", 1e-12), ("f", 1e-15)];
    let (prefix, scale) =
        prefixes.into_iter().find(|(_, scale)| watts >= scale * 0.999_999).unwrap_or(prefixes[5]);
    format!("{:.0}{prefix}W", watts / scale)
}
