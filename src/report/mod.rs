//! Reports: records as text. JSON is serialized from the records themselves.

pub mod axioms;
pub mod baseline;
pub mod board;
pub mod cosim;
pub mod determinism;
pub mod frame;
pub mod html;
pub mod junit;
pub mod litmus;
pub mod mutate;
pub mod overview;
pub mod plot;
pub mod profile;
pub mod prove;
pub mod ram;
pub mod render;
pub mod replay;
pub mod run;
pub mod scores;
pub mod soak;
pub mod sweep;
pub mod synth;
pub mod teeth;
pub mod timeline;
pub mod trace;
pub mod transactions;

use comfy_table::{ContentArrangement, Table, presets};

/// An aligned table without lines, not wider than a terminal.
pub fn table<const N: usize>(
    header: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    table_of(&header, rows)
}

/// As [`table`], with a number of columns known at run time only.
pub fn table_of<H: AsRef<str>, R: AsRef<[String]>>(
    header: &[H],
    rows: impl IntoIterator<Item = R>,
) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(width()).set_header(header.iter().map(AsRef::as_ref));
    rows.into_iter().for_each(|row| {
        let row: &[String] = row.as_ref();
        table.add_row(row);
    });
    let lines: Vec<_> = table.lines().map(|line| line.trim_end().to_string()).collect();
    lines.join("\n")
}

/// Width in columns: the terminal's, or wide enough for every table if there is none.
fn width() -> u16 {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns.unwrap_or(140)
}

/// A bold line after an empty one.
pub fn heading(text: &str) -> String {
    let bold = anstyle::Style::new().bold();
    format!("\n{bold}{text}{bold:#}")
}

/// A table under its heading.
pub fn section<const N: usize>(
    title: &str,
    header: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    format!("\n{}\n{}", heading(title), table(header, rows))
}

/// `1234567` as `1,234,567`.
pub fn thousands(value: u64) -> String {
    let digits = value.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(|group| String::from_utf8_lossy(group)).collect();
    groups.join(",")
}

/// A figure with at most two decimals, or more if needed for two significant digits.
pub fn number(value: f64) -> String {
    if value.fract() == 0.0 && value >= 0.0 {
        return thousands(value as u64);
    }
    let zeros = (-value.abs().log10()).floor().clamp(0.0, 12.0) as usize;
    format!("{value:.0$}", 2 + zeros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped_from_the_right() {
        let grouped = [0, 999, 1000, 84_480, 1_234_567].map(thousands);
        assert_eq!(grouped, ["0", "999", "1,000", "84,480", "1,234,567"]);
    }

    #[test]
    fn small_figures_keep_two_digits() {
        let shown = [0.0, 1500.0, 12.345, 2.5, 0.83, 0.05, 0.00042, -1.5].map(number);
        assert_eq!(shown, ["0", "1,500", "12.35", "2.50", "0.83", "0.050", "0.00042", "-1.50"]);
    }
}
