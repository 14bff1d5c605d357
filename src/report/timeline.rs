//! The timeline of a run as SVG, in the manner of AerialVision (Ariel et al., ISPASS 2010): what each core issued,
//! below what the warps of all cores waited for, and below that the logical times of cores, if they have some.

use plotters::prelude::*;

use super::plot::{COLOURS, FONT};
use super::{number, thousands};
use crate::gpu::machine::profile::{Stall, Stalls, Timeline};

/// Size of a column, and height of all cores and of the waits below, in pixels.
const COLUMN: i32 = 3;
const CORES: i32 = 256;
const WAITS: i32 = 220;
/// Most rows of cores; more cores share rows.
const MOST_ROWS: usize = 64;
const LEFT: i32 = 84;
const TOP: i32 = 44;
const GAP: i32 = 52;
const LEGEND: i32 = 176;

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// The timeline as self-contained, deterministic SVG.
pub fn svg(title: &str, timeline: &Timeline) -> String {
    let columns = timeline.issued.iter().map(Vec::len).max().unwrap_or(0);
    let columns = columns.max(timeline.stalls.len()).max(1) as i32;
    let times = if timeline.logical_time.is_empty() { 0 } else { GAP + CORES };
    let size = (LEFT + columns * COLUMN + 16 + LEGEND, TOP + CORES + GAP + WAITS + 44 + times);
    let mut text = String::new();
    draw(title, timeline, columns, (size.0 as u32, size.1 as u32), &mut text)
        .expect("a string takes every drawing");
    text
}

fn draw(
    title: &str,
    timeline: &Timeline,
    columns: i32,
    size: (u32, u32),
    text: &mut String,
) -> Drawn {
    let area = SVGBackend::with_string(text, size).into_drawing_area();
    area.fill(&WHITE)?;
    write(&area, title, (LEFT, 10), 17)?;
    draw_cores(timeline, &area)?;
    draw_waits(timeline, &area)?;
    draw_times(timeline, &area)?;
    let (right, below) = (LEFT + columns * COLUMN, TOP + CORES + GAP + WAITS);
    for part in 0..=4 {
        let x = LEFT + (right - LEFT) * part / 4;
        let clock = columns as u64 * timeline.clocks_per_column * part as u64 / 4;
        write(&area, &thousands(clock), (x, below + 4), 12)?;
    }
    write(&area, "clocks", (LEFT, below + 20), 13)?;
    let names = std::iter::once("issued").chain(Stall::ALL.map(Stall::name));
    for (line, (name, colour)) in names.zip(COLOURS).enumerate() {
        let y = TOP + CORES + GAP + line as i32 * 19;
        area.draw(&Rectangle::new([(right + 16, y), (right + 28, y + 12)], colour.filled()))?;
        write(&area, name, (right + 34, y), 13)?;
    }
    area.present()?;
    Ok(())
}

fn write(area: &Area<'_>, text: &str, at: (i32, i32), size: i32) -> Drawn {
    area.draw(&Text::new(text.to_string(), at, (FONT, size)))?;
    Ok(())
}

/// A row for each core, darker where it issued more.
fn draw_cores(timeline: &Timeline, area: &Area<'_>) -> Drawn {
    let share = timeline.issued.len().div_ceil(MOST_ROWS).max(1);
    let rows: Vec<Vec<u64>> = timeline.issued.chunks(share).map(sums).collect();
    let most = rows.iter().flatten().copied().max().unwrap_or(0).max(1);
    let height = height_of(rows.len());
    for (row, issued) in rows.iter().enumerate() {
        let y = name_row(area, TOP, row, rows.len(), share)?;
        for (column, count) in issued.iter().enumerate().filter(|(_, count)| **count > 0) {
            let x = LEFT + column as i32 * COLUMN;
            let colour = COLOURS[0].mix(0.08 + 0.92 * *count as f64 / most as f64);
            let corners = [(x, y), (x + COLUMN, y + height - i32::from(height > 3))];
            area.draw(&Rectangle::new(corners, colour.filled()))?;
        }
    }
    let rate = most as f64 / timeline.clocks_per_column.max(1) as f64 / share as f64;
    let label = format!("warp instructions of each core; darkest: {} a clock", number(rate));
    write(area, &label, (LEFT, TOP - 15), 12)
}

fn height_of(rows: usize) -> i32 {
    (CORES / rows.max(1) as i32).max(1)
}

/// Names a row of cores, or leaves it out among many; gives its top.
fn name_row(
    area: &Area<'_>,
    top: i32,
    row: usize,
    rows: usize,
    share: usize,
) -> Result<i32, Box<dyn std::error::Error>> {
    let y = top + row as i32 * height_of(rows);
    if row.is_multiple_of(rows.div_ceil(16)) {
        write(area, &format!("core {}", row * share), (8, y), 12)?;
    }
    Ok(y)
}

/// A row for each core, or for the first of some: its logical time over time.
fn draw_times(timeline: &Timeline, area: &Area<'_>) -> Drawn {
    let cores = &timeline.logical_time;
    let Some(most) = cores.iter().flatten().copied().max() else { return Ok(()) };
    let share = cores.len().div_ceil(MOST_ROWS);
    let (rows, top) = (cores.len().div_ceil(share), TOP + CORES + GAP + WAITS + GAP);
    let height = height_of(rows);
    for (row, times) in cores.iter().step_by(share).enumerate() {
        let below = name_row(area, top, row, rows, share)? + height;
        for (column, time) in times.iter().enumerate().filter(|(_, time)| **time > 0) {
            let x = LEFT + column as i32 * COLUMN;
            let high = ((height - 1).max(1) as u64 * time).div_ceil(most) as i32;
            let corners = [(x, below - high), (x + COLUMN, below)];
            area.draw(&Rectangle::new(corners, COLOURS[1].filled()))?;
        }
    }
    let label = format!("logical time of each core; highest: {}", thousands(most));
    write(area, &label, (LEFT, top - 15), 12)
}

fn sums(cores: &[Vec<u64>]) -> Vec<u64> {
    let columns = cores.iter().map(Vec::len).max().unwrap_or(0);
    let of = |column: usize| cores.iter().filter_map(|core| core.get(column)).sum();
    (0..columns).map(of).collect()
}

/// What all warps did in each column, one above the other.
fn draw_waits(timeline: &Timeline, area: &Area<'_>) -> Drawn {
    let issued = sums(&timeline.issued);
    let columns = issued.len().max(timeline.stalls.len());
    let stack = |column: usize| {
        let stalls = timeline.stalls.get(column).copied().unwrap_or_default();
        let issued = issued.get(column).copied().unwrap_or(0);
        (issued, stalls, issued + Stalls::total(&stalls))
    };
    let most = (0..columns).map(|column| stack(column).2).max().unwrap_or(0).max(1);
    let top = TOP + CORES + GAP;
    for column in 0..columns {
        let (issued, stalls, _) = stack(column);
        let counts = std::iter::once(issued).chain(Stall::ALL.map(|why| stalls[why]));
        let x = LEFT + column as i32 * COLUMN;
        let mut below = 0;
        for (count, colour) in counts.zip(COLOURS) {
            let y = |clocks: u64| top + WAITS - (WAITS as u64 * clocks / most) as i32;
            let corners = [(x, y(below + count)), (x + COLUMN, y(below))];
            below += count;
            if corners[0].1 < corners[1].1 {
                area.draw(&Rectangle::new(corners, colour.filled()))?;
            }
        }
    }
    let warps = most as f64 / timeline.clocks_per_column.max(1) as f64;
    write(area, &format!("what warps do; highest: {} warps", number(warps)), (LEFT, top - 17), 12)
}
