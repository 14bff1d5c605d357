//! The record of an ASIC run.

use std::collections::BTreeMap;

use super::Flow;
use super::cells::Cells;
use super::lacks::Lacks;
use super::mapped::Mapped;
use super::ram::{self, Estimate, Memory};
use super::timing::Timed;
use crate::flow::FlowError;
use crate::flow::liberty::Library;
use crate::flow::synth::record::{AsicArea, Fmax, Power, Ram, Stage, SynthRecord};

/// The memories of a design, and the estimates of those that become macros.
pub(super) struct Rams<'a> {
    pub memories: &'a [Memory<'a>],
    pub estimates: &'a BTreeMap<String, Estimate>,
}

impl Rams<'_> {
    /// The memories that become macros.
    pub fn macros(&self) -> impl Iterator<Item = &Memory<'_>> {
        self.memories.iter().filter(|memory| memory.is_macro)
    }

    /// The sum over all macros, if there are any and each has the figure.
    fn sum(&self, figure: impl Fn(&Estimate) -> Option<f64>) -> Option<f64> {
        self.macros().next()?;
        self.macros().map(|memory| figure(self.estimates.get(&memory.module)?)).sum()
    }
}

impl Flow<'_> {
    /// Assembles the record.
    ///
    /// # Errors
    /// [`FlowError::Report`] if the netlist has an unknown cell.
    pub fn record(
        &self,
        cells: &Cells<'_>,
        libraries: &[Library],
        rams: &Rams<'_>,
        mapped: &Mapped,
        timed: Timed,
    ) -> Result<SynthRecord, FlowError> {
        let mut counts = mapped.counts();
        counts.retain(|kind, _| !rams.macros().any(|memory| memory.module == *kind));
        let records = ram::records(rams.memories, rams.estimates);
        let asic = self.area(cells, &counts, rams)?;
        let lacks = Lacks::of(cells, libraries, &counts, timed.leakage_mw);
        Ok(SynthRecord {
            block: self.subject.design.name().to_string(),
            preset: self.subject.preset.to_string(),
            params: self.subject.design.params(),
            target: target(libraries),
            stage: Stage::PreLayout,
            fpga: None,
            asic: Some(asic),
            fmax: self.fmax(&records, &timed),
            power: Some(Power {
                dynamic_mw: lacks.voltage.is_none().then_some(timed.dynamic_mw),
                leakage_mw: lacks.leakage.is_none().then_some(timed.leakage_mw),
                ram_mw: rams.sum(|estimate| estimate.power_mw),
                clock_mhz: self.clock_mhz,
                activity: self.asic.activity,
            }),
            tools: self.tools.used(),
            libraries: libraries.iter().map(Into::into).collect(),
            origin: None,
            notes: [self.notes(cells, libraries, rams, &timed), lacks.notes()].concat(),
            cells: counts,
            critical_path: timed.critical,
            path_groups: timed.groups,
            rams: records,
            seconds: 0.0,
            folder: self.folder.path().to_owned(),
        })
    }

    /// The Fmax of the slowest path, or that of the slowest macro if lower.
    fn fmax(&self, rams: &[Ram], timed: &Timed) -> Option<Fmax> {
        let paths = timed.groups.iter().map(|group| group.fmax_mhz);
        let cycles = rams.iter().filter_map(|ram| ram.cycle_ns).map(|cycle| 1e3 / cycle);
        let mhz = paths.chain(cycles).reduce(f64::min)?;
        Some(Fmax::of(vec![mhz], self.clock_mhz))
    }

    fn area(
        &self,
        cells: &Cells<'_>,
        counts: &BTreeMap<String, u64>,
        rams: &Rams<'_>,
    ) -> Result<AsicArea, FlowError> {
        let (mut logic_um2, mut flip_flops) = (0.0, 0);
        for (kind, count) in counts {
            let cell = cells.usable.get(kind.as_str()).ok_or_else(|| FlowError::Report {
                path: self.folder.file("netlist.json"),
                what: format!("{count} cells of type {kind} are left, which no library has"),
            })?;
            logic_um2 += cell.area * *count as f64;
            flip_flops += if cell.is_flip_flop() { *count } else { 0 };
        }
        let nand2_um2 = cells.nand2.area;
        Ok(AsicArea {
            cells: counts.values().sum(),
            flip_flops,
            logic_um2,
            ram_um2: rams.sum(|estimate| Some(estimate.area_um2)),
            nand2_um2,
            kge: logic_um2 / nand2_um2 / 1e3,
        })
    }
}

/// The name of a set of libraries: their common prefix.
fn target(libraries: &[Library]) -> String {
    let first = libraries[0].name.as_str();
    let same = |other: &Library| {
        let bytes = first.bytes().zip(other.name.bytes());
        bytes.take_while(|(a, b)| a == b).count()
    };
    let length = libraries.iter().map(same).min().unwrap_or(0);
    match (libraries.len(), first.get(..length).unwrap_or_default().trim_end_matches('_')) {
        (1, _) => first.to_string(),
        (count, "") => format!("{first} and {} more", count - 1),
        (count, name) => format!("{name} ({count} libraries)"),
    }
}
