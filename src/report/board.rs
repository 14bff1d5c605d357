//! The report of a bitstream, and the table of all blocks on all boards.

use serde::Serialize;

use super::{heading, number, table as aligned, thousands};
use crate::flow::board::BoardRecord;
use crate::records::boards::{Placed, Placement};
use crate::scores::State;

/// A block on a board, as recorded.
#[derive(Serialize)]
pub struct Cell {
    /// The board.
    pub board: &'static str,
    /// Whether the record is there, and of the present inputs.
    pub state: State,
    /// The record, also if it is stale.
    pub found: Option<Placed>,
}

/// A block on every board.
#[derive(Serialize)]
pub struct Row {
    /// The block.
    pub block: &'static str,
    /// The boards.
    pub boards: Vec<Cell>,
    /// Fmax of the block alone, by its baseline, in MHz.
    pub baseline_fmax_mhz: Option<f64>,
}

/// The table of all blocks, in Markdown.
pub fn table(rows: &[Row]) -> String {
    let boards = rows.first().map_or(&[][..], |row| &row.boards);
    let boards = boards.iter().map(|cell| format!("`{}`: clock, Fmax, use", cell.board));
    let header: Vec<_> = ["block".to_string()].into_iter().chain(boards).collect();
    let header = [header, vec!["baseline's Fmax".to_string()]].concat();
    let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
    let mut lines = vec![line(&header), format!("|{}", "---|".repeat(header.len()))];
    for row in rows {
        let fmax = row.baseline_fmax_mhz.map_or("none".to_string(), mhz);
        let name = vec![format!("`{}`", row.block)];
        let cells: Vec<_> = row.boards.iter().map(shown).collect();
        lines.push(line(&[name, cells, vec![fmax]].concat()));
    }
    lines.join("\n")
}

fn mhz(mhz: f64) -> String {
    format!("{} MHz", number(mhz))
}

fn shown(cell: &Cell) -> String {
    let found = cell.found.as_ref().map(|placed| match &placed.outcome {
        Placement::Routed { clock_mhz, fmax_mhz, resources, .. } => {
            // Nextpnr's names of logic and RAM.
            let names = ["TRELLIS_COMB", "DP16KD", "ICESTORM_LC", "ICESTORM_RAM"];
            let shown = resources.iter().filter(|used| names.contains(&used.name.as_str()));
            let shown = shown.map(|used| format!("{} {}", thousands(used.used), used.name));
            let shown: Vec<_> =
                [mhz(*clock_mhz), mhz(*fmax_mhz)].into_iter().chain(shown).collect();
            shown.join(", ")
        }
        Placement::DoesNotFit { over } => format!("does not fit: {over}"),
    });
    match (found, cell.state) {
        (Some(found), State::Recorded) => found,
        (Some(found), _) => format!("{found} (stale)"),
        (None, _) => "not recorded".to_string(),
    }
}

/// The record as text.
pub fn text(record: &BoardRecord) -> String {
    let resources = record.resources.iter().map(|resource| {
        let share = 100.0 * resource.used as f64 / resource.available as f64;
        let (used, available) = (thousands(resource.used), thousands(resource.available));
        [resource.name.clone(), used, available, format!("{share:.0} %")]
    });
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
        aligned(["clock", "placed and routed"], clocks),
        heading("Use"),
        aligned(["resource", "used", "of", ""], resources),
        heading("From"),
    ];
    parts.extend(record.tools.iter().map(|tool| format!("{}: {}", tool.name, tool.version)));
    parts.push(format!("bitstream: {}", record.bitstream.display()));
    parts.push(format!("{:.1} s; logs and reports in {}", record.seconds, record.folder.display()));
    parts.join("\n")
}
