//! Notes that qualify the figures.

use std::collections::{BTreeMap, BTreeSet};

use super::cells::Cells;
use super::ram::Estimate;
use super::result::Rams;
use super::timing::Timed;
use super::{Flow, RamSource};
use crate::flow::liberty::Library;

impl Flow<'_> {
    pub(super) fn notes(
        &self,
        cells: &Cells<'_>,
        libraries: &[Library],
        rams: &Rams<'_>,
        timed: &Timed,
    ) -> Vec<String> {
        let clock_mhz = self.clock_mhz;
        let mut notes = vec![
            "before layout: no wires, an ideal clock; after layout it is slower and takes more \
             power"
                .to_string(),
            format!(
                "a third of the period is outside every port; {} drives inputs, {:.3} fF are on \
                 outputs",
                cells.driver.name,
                cells.load * 1e15
            ),
        ];
        notes.extend(assumed(libraries));
        notes.push(format!(
            "power assumes {} transitions per clock of every input, none of `rst` and the straps",
            self.asic.activity
        ));
        if !cells.left_out.is_empty() {
            let left_out = cells.left_out.iter().map(|(what, count)| format!("{what} ({count})"));
            let left_out: Vec<_> = left_out.collect();
            notes.push(format!("cells of the library not used: {}", left_out.join(", ")));
        }
        let mut told = BTreeSet::new();
        for memory in rams.macros().filter(|memory| told.insert(&memory.module)) {
            let said = of_macro(rams.estimates.get(&memory.module), clock_mhz);
            notes.extend(said.iter().map(|what| format!("RAM {}: {what}", memory.path)));
        }
        if let Some(RamSource::Cacti { nanometres }) = self.asic.ram
            && !told.is_empty()
        {
            notes.push(format!(
                "the RAM is modelled at {nanometres} nm and the cells are the library's: two \
                 technologies in one figure"
            ));
        }
        if timed.unpowered > 0 {
            notes.push(format!(
                "power without {} instances whose activity OpenSTA cannot hold in a float",
                timed.unpowered
            ));
        }
        if timed.groups.iter().any(|group| group.slack_ns < 0.0) {
            notes.push(format!("the requested {clock_mhz} MHz are not met"));
        }
        notes
    }
}

/// What figures assume of the libraries; once if it is the same of all.
fn assumed(libraries: &[Library]) -> Vec<String> {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for library in libraries {
        files.entry(library.assumed.join("; ")).or_default().push(library.file_name());
    }
    let count = files.len();
    let of = |(assumed, files): (String, Vec<String>)| match count {
        1 => format!("assumed of the library: {assumed}"),
        _ => format!("assumed of {}: {assumed}", files.join(", ")),
    };
    files.into_iter().map(of).collect()
}

fn of_macro(estimate: Option<&Estimate>, clock_mhz: f64) -> Vec<String> {
    let Some(estimate) = estimate else {
        return vec![
            "no source of macros was named (--ram): its area, power and the paths through it are \
             in no figure"
                .to_string(),
        ];
    };
    let mut notes = estimate.notes.clone();
    if estimate.timing.is_none() {
        notes.push("its source gives no timing: paths through it are in no figure".to_string());
    }
    if let Some(cycle) = estimate.timing.and_then(|timing| timing.cycle_ns)
        && cycle > 1e3 / clock_mhz
    {
        notes.push(format!(
            "{cycle:.3} ns between accesses allow {:.1} MHz, less than the requested {clock_mhz} MHz",
            1e3 / cycle
        ));
    }
    notes
}
