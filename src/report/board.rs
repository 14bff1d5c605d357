//! The report of a bitstream.

use super::{heading, table, thousands};
use crate::flow::board::BoardRecord;

/// The record as text.
pub fn text(record: &BoardRecord) -> String {
    let resources = record.resources.iter().map(|resource| {
        let share = 100.0 * resource.used as f64 / resource.available as f64;
        let (used, available) = (thousands(resource.used), thousands(resource.available));
        [resource.name.clone(), used, available, format!("{share:.0} %")]
    });
    let mhz = |mhz: f64| format!("{mhz:.2} MHz");
    let clocks = [
        ["block's clock, by the PLL".to_string(), mhz(record.clock_mhz)],
        ["block's Fmax".to_string(), mhz(record.fmax_mhz)],
        ["link's Fmax".to_string(), mhz(record.link_fmax_mhz)],
    ];
    let mut parts = vec![
        heading(&format!(
            "{} ({}) on {}, {}",
            record.block, record.preset, record.board, record.device
        )),
        table(["clock", "placed and routed"], clocks),
        heading("Use"),
        table(["resource", "used", "of", ""], resources),
        heading("From"),
    ];
    parts.extend(record.tools.iter().map(|tool| format!("{}: {}", tool.name, tool.version)));
    parts.push(format!("bitstream: {}", record.bitstream.display()));
    parts.push(format!("{:.1} s; logs and reports in {}", record.seconds, record.folder.display()));
    parts.join("\n")
}
