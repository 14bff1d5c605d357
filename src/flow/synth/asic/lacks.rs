//! What the libraries do not state, so that a power is absent or only of a part.

use std::collections::BTreeMap;

use super::cells::Cells;
use crate::flow::liberty::Library;
use crate::flow::liberty::cell::Cell;

/// Why a figure is absent, or what it is without.
pub(super) struct Lacks {
    /// Why there is no dynamic power.
    pub voltage: Option<String>,
    /// Why there is no leakage.
    pub leakage: Option<String>,
    /// Cells whose inner nodes are not in the dynamic power.
    internal: Option<String>,
}

impl Lacks {
    /// What is missing for the cells of a netlist, whose leakage OpenSTA sums to `leakage_mw`.
    pub fn of(
        cells: &Cells<'_>,
        libraries: &[Library],
        counts: &BTreeMap<String, u64>,
        leakage_mw: f64,
    ) -> Self {
        let used = counts.keys().filter_map(|kind| cells.usable.get(kind.as_str()).copied());
        let without = |has: fn(&Cell) -> bool| {
            let names: Vec<_> = used.clone().filter(|cell| !has(cell)).map(|c| &*c.name).collect();
            (!names.is_empty()).then(|| names.join(", "))
        };
        let lacking = |lacks: fn(&Library) -> bool| libraries.iter().find(|library| lacks(library));
        let voltage = lacking(|library| library.conditions.voltage.is_none());
        let unit = lacking(|library| library.units.leakage.is_none());
        let leakage = match (unit, without(|cell| cell.leakage.is_some())) {
            (Some(of), _) => Some(format!("{} has no `leakage_power_unit`", of.file_name())),
            (None, Some(names)) => {
                Some(format!("the library does not state it of the cells {names}"))
            }
            (None, None) if leakage_mw <= 0.0 => {
                Some("the library states 0 of every cell".to_string())
            }
            (None, None) => None,
        };
        Self {
            voltage: voltage.map(|of| format!("{}: {}", of.file_name(), of.conditions.source)),
            leakage,
            internal: without(|cell| cell.has_internal_power || cell.inputs().next().is_none()),
        }
    }

    /// The notes about it.
    pub fn notes(&self) -> Vec<String> {
        let voltage = self
            .voltage
            .iter()
            .map(|why| format!("no dynamic power, since no voltage is known of {why}"));
        let leakage = self.leakage.iter().map(|why| format!("no leakage: {why}"));
        let internal = self.internal.iter().filter(|_| self.voltage.is_none()).map(|names| {
            format!("dynamic power is without the inner nodes of cells that have no `internal_power`: {names}")
        });
        voltage.chain(leakage).chain(internal).collect()
    }
}
