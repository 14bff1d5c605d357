//! Whether a cell has all that its figures need.

use std::collections::{BTreeMap, BTreeSet};

use super::cell::{CellStorage, Defaults, Pin};
use super::function::{self, Function};
use super::syntax::Group;
use super::table::{DELAYS, Table, template_kind};

/// Groups of a kind in all pins of a cell, or in the cell itself.
pub fn of_pins<'s, 'a>(cell: &'s Group<'a>, kind: &'s str) -> impl Iterator<Item = &'s Group<'a>> {
    let pins = cell.groups.iter().filter(|group| matches!(group.kind, "pin" | "bus" | "bundle"));
    cell.of_kind(kind).chain(pins.flat_map(move |pin| pin.of_kind(kind)))
}

/// What is malformed in a cell: the byte where it is, and one line.
pub fn fault(cell: &Group<'_>, pins: &[Pin], defaults: &Defaults<'_>) -> Option<(usize, String)> {
    let mut names = BTreeSet::new();
    if let Some(twice) = pins.iter().find(|pin| !names.insert(&pin.name)) {
        return Some((cell.span.start, format!("pin {} is there twice", twice.name)));
    }
    let arcs = ["timing", "internal_power"].into_iter().flat_map(|kind| of_pins(cell, kind));
    let mut tables = arcs.flat_map(|arc| &arc.groups).filter(|g| template_kind(g.kind).is_some());
    tables.find_map(|group| {
        let what = Table::of(group, &defaults.templates).err()?;
        Some((group.span.start, what))
    })
}

/// What cells are called that lack something without which a figure would be wrong.
pub fn incomplete(
    cell: &Group<'_>,
    area: f64,
    pins: &[Pin],
    memory: &CellStorage,
    defaults: &Defaults<'_>,
) -> Option<&'static str> {
    if area == 0.0 {
        return Some("cells without an area");
    }
    let is_one_way = |pin: &Group<'_>| {
        matches!(pin.attribute("direction"), Some("input" | "output" | "internal"))
    };
    if cell.groups.iter().any(|group| matches!(group.kind, "bus" | "bundle")) {
        return Some("cells with buses");
    }
    if !cell.of_kind("pin").all(is_one_way) {
        return Some("cells with a pin that is neither input nor output");
    }
    if pins.iter().any(|pin| !pin.is_output && pin.capacitance.is_none()) {
        return Some("cells with an input without capacitance");
    }
    let edges = ["rising_edge", "falling_edge"];
    let is_timed = |pin: &Group<'_>| match memory {
        CellStorage::FlipFlop(_) => pin.of_kind("timing").any(|arc| {
            arc.attribute("timing_type").is_some_and(|of| edges.contains(&of))
                && has_delays(arc, defaults)
        }),
        _ => {
            let function = pin.attribute("function").unwrap_or_default();
            let wanted = match Function::parse(function) {
                Some(Function::Constant(_)) | None => BTreeSet::new(),
                Some(_) => function::pins(function).unwrap_or_default(),
            };
            wanted.iter().all(|input| {
                let mut arcs = pin.of_kind("timing");
                arcs.any(|arc| related(arc).any(|of| of == input) && has_delays(arc, defaults))
            })
        }
    };
    let is_driven = |pin: &&Group<'_>| pin.attribute("function").is_some();
    if !cell.of_kind("pin").filter(is_driven).all(is_timed) {
        return Some("cells without delays over transition time and load");
    }
    let is_setup = |arc: &Group<'_>| {
        let of = arc.attribute("timing_type");
        matches!(of, Some("setup_rising" | "setup_falling")) && !arc.groups.is_empty()
    };
    let is_flip_flop = matches!(memory, CellStorage::FlipFlop(_));
    (is_flip_flop && !of_pins(cell, "timing").any(is_setup))
        .then_some("flip-flops without a set-up time")
}

/// The pins that a timing or power group is related to.
pub fn related<'a>(arc: &Group<'a>) -> impl Iterator<Item = &'a str> + use<'a> {
    arc.attribute("related_pin").unwrap_or_default().split_whitespace()
}

/// Whether an arc has a delay and a transition time, and both over transition time and load.
pub fn has_delays(arc: &Group<'_>, defaults: &Defaults<'_>) -> bool {
    let of = |kinds: &[&str]| {
        let mut tables = arc.groups.iter().filter(|group| kinds.contains(&group.kind)).peekable();
        let is_there = tables.peek().is_some();
        let over = |group| Table::of(group, &defaults.templates).ok()?.over_slew_and_load();
        is_there && tables.all(|group| over(group).is_some())
    };
    of(&DELAYS[..2]) && of(&DELAYS[2..])
}

/// The mean over the states for which a cell states its leakage, summed over its supplies.
pub fn leakage(cell: &Group<'_>) -> Option<f64> {
    let usable = |value: &f64| value.is_finite() && *value >= 0.0;
    if let Some(stated) = cell.number("cell_leakage_power").filter(usable) {
        return Some(stated);
    }
    let mut supplies: BTreeMap<Option<&str>, Vec<(Option<f64>, f64)>> = BTreeMap::new();
    for group in cell.of_kind("leakage_power") {
        let value = group.number("value").filter(usable)?;
        let share = group.attribute("when").map(|when| function::share(when).unwrap_or(0.0));
        supplies.entry(group.attribute("related_pg_pin")).or_default().push((share, value));
    }
    let means = supplies.values().map(|stated| {
        let of_states = stated.iter().filter_map(|(share, value)| Some(((*share)?, *value)));
        let (share, sum) =
            of_states.fold((0.0, 0.0), |(s, p), (share, v)| (s + share, p + share * v));
        let others = stated.iter().find(|(share, _)| share.is_none()).map(|(_, value)| *value);
        match others {
            Some(others) => Some(sum + (1.0 - share).max(0.0) * others),
            None => (share > 0.0).then(|| sum / share),
        }
    });
    let means = means.collect::<Option<Vec<_>>>()?;
    (!means.is_empty()).then(|| means.iter().sum())
}
