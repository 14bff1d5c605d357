//! The report of a synthesis.

use crate::flow::synth::record::{
    AsicArea, CriticalPath, Fmax, FpgaArea, PathEnd, PathGroup, Power, Ram, Stage, SynthRecord,
};

use super::cosim::modules;
use super::{heading, number, table, thousands};

/// The record as text.
pub fn text(record: &SynthRecord) -> String {
    let stage = match record.stage {
        Stage::PreLayout => "pre-layout: no placement, no wires, no clock tree",
        Stage::Routed => "placed and routed",
    };
    let mut parts = vec![
        heading(&format!("{} ({}) for {}", record.block, record.preset, record.target)),
        stage.to_string(),
        table(["figure", "value", "how"], figures(record)),
    ];
    if !record.rams.is_empty() {
        parts.push(heading("Memories"));
        parts.push(rams(record));
    }
    if !record.path_groups.is_empty() {
        parts.push(heading("Slowest paths"));
        parts.push(path_groups(record));
    }
    if let Some(path) = &record.critical_path {
        parts.push(heading("Critical path"));
        parts.push(critical_path(path));
    }
    parts.push(heading("From"));
    parts.extend(record.tools.iter().map(|tool| format!("{}: {}", tool.name, tool.version)));
    parts.extend(
        record.libraries.iter().map(|library| {
            format!("library {} ({}), {}", library.name, library.file, library.corner)
        }),
    );
    parts.extend(record.origin.as_ref().map(modules));
    parts.extend(record.notes.iter().map(|note| format!("note: {note}")));
    parts.push(format!("{:.1} s; logs and reports in {}", record.seconds, record.folder.display()));
    parts.join("\n")
}

type Row = [String; 3];

fn row(figure: &str, value: String, how: impl Into<String>) -> Row {
    [figure.to_string(), value, how.into()]
}

fn figures(record: &SynthRecord) -> Vec<Row> {
    let mut rows = Vec::new();
    if let Some(FpgaArea { lut, ff, bram }) = record.fpga {
        rows.push(row("LUT", thousands(lut), "of the block alone"));
        rows.push(row("FF", thousands(ff), ""));
        rows.push(row("BRAM", thousands(bram), ""));
    }
    if let Some(asic) = &record.asic {
        rows.extend(asic_area(asic));
    }
    match &record.fmax {
        Some(fmax) => {
            rows.push(frequency(fmax));
            rows.extend(logic_frequency(record));
        }
        None => rows.push(row("Fmax", "none".to_string(), "no tool gives it for this target")),
    }
    if let Some(power) = &record.power {
        rows.extend(power_rows(power));
    }
    rows
}

fn asic_area(asic: &AsicArea) -> Vec<Row> {
    let flip_flops = format!("of which {} flip-flops", thousands(asic.flip_flops));
    let nand = format!("in NAND2 of {:.4} um2", asic.nand2_um2);
    let mut rows = vec![
        row("cells", thousands(asic.cells), flip_flops),
        row("logic area", format!("{} um2", number(asic.logic_um2)), "standard cells"),
        row("logic", format!("{} kGE", number(asic.kge)), nand),
    ];
    if let Some(area) = asic.ram_um2 {
        rows.push(row("RAM area", format!("{} um2", number(area)), "see Memories"));
    }
    rows
}

fn frequency(fmax: &Fmax) -> Row {
    let how = match fmax.seeds_mhz.len() {
        1 => format!("requested {} MHz", number(fmax.asked_mhz)),
        seeds => format!(
            "median of {seeds} seeds, {:.1} to {:.1}; requested {} MHz",
            fmax.min_mhz,
            fmax.max_mhz,
            number(fmax.asked_mhz)
        ),
    };
    row("Fmax", format!("{:.1} MHz", fmax.median_mhz), how)
}

/// The Fmax of the logic alone, if RAM macros are timed too.
fn logic_frequency(record: &SynthRecord) -> Option<Row> {
    let groups = &record.path_groups;
    groups.iter().find(|group| group.is_of_ram())?;
    let logic = groups.iter().filter(|group| !group.is_of_ram());
    let mhz = logic.map(|group| group.fmax_mhz).reduce(f64::min)?;
    Some(row("Fmax of logic", format!("{mhz:.1} MHz"), "paths without a RAM macro at either end"))
}

/// Paths between each pair of end kinds, and the macros' own limits.
fn path_groups(record: &SynthRecord) -> String {
    let end = |end: PathEnd| match end {
        PathEnd::Registers => "registers",
        PathEnd::Ram => "RAM",
        PathEnd::Ports => "ports",
    };
    let row = |from: &str, to: &str, ns: f64, slack: f64, mhz: f64| {
        let [ns, slack, mhz] = [format!("{ns:.3}"), format!("{slack:+.3}"), format!("{mhz:.1}")];
        [from.to_string(), to.to_string(), ns, slack, mhz]
    };
    let group = |group: &PathGroup| {
        let (from, to) = (end(group.from), end(group.to));
        row(from, to, group.delay_ns, group.slack_ns, group.fmax_mhz)
    };
    let period_ns = record.fmax.as_ref().map(|fmax| 1e3 / fmax.asked_mhz);
    let cycle = |ram: &Ram| {
        let cycle = ram.cycle_ns?;
        let from = format!("access of {}", ram.name);
        Some(row(&from, "the next", cycle, period_ns? - cycle, 1e3 / cycle))
    };
    let groups = record.path_groups.iter().map(group);
    table(["from", "to", "ns", "slack", "MHz"], groups.chain(record.rams.iter().filter_map(cycle)))
}

fn power_rows(power: &Power) -> Vec<Row> {
    let how = format!(
        "at {} MHz, inputs change {} times per clock",
        number(power.clock_mhz),
        power.activity
    );
    let absent = || "none: see the notes".to_string();
    let dynamic = power.dynamic_mw.map_or_else(absent, |mw| format!("{mw:.3} mW"));
    let leakage = power.leakage_mw.map_or_else(absent, |mw| format!("{mw:.4} mW"));
    let mut rows = vec![row("dynamic power", dynamic, how), row("leakage", leakage, "")];
    if let Some(ram) = power.ram_mw {
        rows.push(row("RAM power", format!("{ram:.3} mW"), "from the RAM's source"));
    }
    rows
}

fn rams(record: &SynthRecord) -> String {
    let rows = record.rams.iter().map(|ram| {
        [
            ram.name.clone(),
            format!("{} x {}", thousands(ram.rows.into()), ram.width),
            thousands(ram.bits),
            ram.mapped_to.clone(),
            ram.area_um2.map(|area| format!("{} um2", number(area))).unwrap_or_default(),
            ram.source.clone().unwrap_or_default(),
        ]
    });
    table(["memory", "rows x bits", "bits", "became", "area", "source"], rows)
}

fn critical_path(path: &CriticalPath) -> String {
    let summary = format!("{:.3} ns from {} to {}", path.delay_ns, path.from, path.to);
    let steps = path.steps.iter().map(|step| {
        let cell = step.cell.clone().unwrap_or_default();
        [format!("{:.3}", step.delay_ns), step.kind.clone(), step.signal.clone(), cell]
    });
    format!("{summary}\n{}", table(["ns", "what", "signal", "cell"], steps))
}
