//! The reports of CACTI's estimates.

use warpsmith_blocks::claim::Counterpart;

use crate::flow::arrays::{Memories, Modelled};
use crate::flow::cacti::{Estimate, Shape};

use super::{heading, number, table};

/// One RAM.
pub fn text(asked: &Shape, estimate: &Estimate, clock_mhz: f64, source: &str) -> String {
    let modelled = &estimate.modelled;
    let size = match modelled == asked {
        true => "as asked for".to_string(),
        false => {
            format!("requested: {asked}; CACTI computes whole bytes, at least 32 rows and 64 bytes")
        }
    };
    let row = |figure: &str, value: String, how: &str| [figure.to_string(), value, how.to_string()];
    let rows = [
        row("RAM", modelled.to_string(), &size),
        row("area", format!("{:.6} mm2", estimate.area_um2 * 1e-6), ""),
        row("clock to data", format!("{:.3} ns", estimate.access_ns), ""),
        row("between accesses", format!("{:.3} ns", estimate.cycle_ns), "random cycle time"),
        row("read", format!("{:.3} pJ", estimate.read_pj), ""),
        row("write", format!("{:.3} pJ", estimate.write_pj), ""),
        row("leakage", format!("{:.3} mW", estimate.leakage_mw), "at 360 K"),
        row(
            "power",
            format!("{:.3} mW", estimate.power_mw(clock_mhz)),
            &format!("at {} MHz with every port used at every clock", number(clock_mhz)),
        ),
    ];
    let from =
        format!("\n{source} at {} nm, itrs-hp, without error correction", estimate.nanometres);
    table(["figure", "value", "how"], rows) + &from
}

/// Arrays of a paper and memories of our circuit.
pub fn arrays(block: &str, arrays: &[Modelled], nanometres: u32, source: &str) -> String {
    let rows = arrays.iter().map(|item| {
        let (array, estimate) = (&item.array, &item.estimate);
        let share = match item.percent_of_yardstick {
            Some(percent) => format!("{percent:.1} %"),
            None if array.is_yardstick => "= 100 %".to_string(),
            None => "-".to_string(),
        };
        [
            array.what.clone(),
            format!("{} x {}x{}", array.copies, array.rows, array.width),
            paper(array.paper_area_mm2, array.paper_power_mw),
            format!("{:.4} mm2", item.area_mm2),
            share,
            power(item.power_mw, item.leakage_mw),
            format!("{:.3}", estimate.access_ns),
            format!("{:.3}", estimate.cycle_ns),
            array.source.to_string(),
        ]
    });
    let header = [
        "array",
        "size",
        "paper",
        "area",
        "share",
        "power (leakage)",
        "ns to data",
        "ns cycle",
        "source",
    ];
    format!(
        "{}\n{}\n{source} at {nanometres} nm, itrs-hp, 360 K, without error correction; power at \
         the paper's clock with every port used at every clock",
        heading(&format!("{block}: arrays")),
        table(header, rows)
    )
}

fn power(all_mw: f64, leakage_mw: f64) -> String {
    format!("{all_mw:.1} mW ({leakage_mw:.1})")
}

/// The rows of the papers' tables of area and power, each once, with the memories that implement them; none
/// if there are no rows.
pub fn counterparts(arrays: &[&Modelled], nanometres: u32, source: &str) -> Option<String> {
    let mut rows: Vec<(&Modelled, &Counterpart)> = Vec::new();
    for item in arrays {
        let Some(counterpart) = &item.array.counterpart else { continue };
        // A block also has the rows of its parts.
        if !rows.iter().any(|(known, _)| known.array.what == item.array.what) {
            rows.push((item, counterpart));
        }
    }
    if rows.is_empty() {
        return None;
    }
    let text = rows.iter().map(|(item, counterpart)| {
        let ours = item.ours.as_ref().map_or(["-".to_string(), "-".to_string()], |ours| {
            [
                format!("{:.1} KB, {:.3} mm2", ours.bytes / 1024.0, ours.area_mm2),
                power(ours.power_mw, ours.leakage_mw),
            ]
        });
        let [size, consumes] = ours;
        [
            format!("{} ({})", item.array.what, item.array.source),
            paper(item.array.paper_area_mm2, item.array.paper_power_mw),
            format!("{:.3} mm2", item.area_mm2),
            power(item.power_mw, item.leakage_mw),
            size,
            consumes,
            counterpart.difference.clone(),
        ]
    });
    let sum = |of: &dyn Fn(&Modelled) -> f64| rows.iter().map(|(item, _)| of(item)).sum::<f64>();
    let of_ours = |of: fn(&Memories) -> f64| sum(&|item| item.ours.as_ref().map_or(0.0, of));
    let total = [
        "sum".to_string(),
        format!(
            "{:.3} mm2, {:.2} mW",
            sum(&|item| item.array.paper_area_mm2.unwrap_or(0.0)),
            sum(&|item| item.array.paper_power_mw.unwrap_or(0.0))
        ),
        format!("{:.3} mm2", sum(&|item| item.area_mm2)),
        power(sum(&|item| item.power_mw), sum(&|item| item.leakage_mw)),
        format!("{:.1} KB, {:.3} mm2", of_ours(|m| m.bytes) / 1024.0, of_ours(|m| m.area_mm2)),
        power(of_ours(|m| m.power_mw), of_ours(|m| m.leakage_mw)),
        String::new(),
    ];
    let header = [
        "row of the paper's table",
        "paper",
        "its array",
        "power (leakage)",
        "our memories",
        "power (leakage)",
        "difference",
    ];
    Some(format!(
        "{}\n{}\nthe paper's figures beside {source} at {nanometres} nm; registers are no memories",
        heading("Rows of the papers' tables"),
        table(header, text.chain([total]))
    ))
}

fn paper(area_mm2: Option<f64>, power_mw: Option<f64>) -> String {
    let area = area_mm2.map(|area| format!("{area} mm2"));
    let power = power_mw.map(|power| format!("{power} mW"));
    let figures: Vec<_> = area.into_iter().chain(power).collect();
    if figures.is_empty() { "-".to_string() } else { figures.join(", ") }
}
