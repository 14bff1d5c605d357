//! The report of a sweep: table, plots, one page.

mod plots;

use std::collections::BTreeSet;

pub use self::plots::{Across, Shown};
use super::{heading, html, number, table_of};
use crate::measure::metric::{METRICS, Metric};
use crate::sweep::grid::plain;
use crate::sweep::record::{Outcome, PointRecord};

/// The input of a sweep's report.
pub struct SweepReport<'a> {
    /// Name of the block.
    pub block: &'a str,
    /// Preset that the points vary.
    pub preset: &'a str,
    /// The varied parameters, in order.
    pub varied: &'a [String],
    /// The points, in the order of the grid.
    pub records: &'a [PointRecord],
}

impl SweepReport<'_> {
    /// The table of all points with figures, and the causes of the others.
    pub fn text(&self) -> String {
        let (header, rows) = self.table();
        let title = heading(&format!("{} ({}), {}", self.block, self.preset, self.what()));
        let mut text = vec![title];
        if !rows.is_empty() {
            text.push(table_of(&header, rows));
        }
        for (what, points) in self.others() {
            text.push(heading(&format!("{what}: {}", points.len())));
            text.extend(points.iter().map(|(name, message)| format!("{name}: {message}")));
        }
        text.join("\n")
    }

    /// The HTML page: table, plots and the points without figures.
    pub fn page(&self, plots: &[(Shown, String)]) -> String {
        let (header, rows) = self.table();
        let mut body = html::table(&header, &rows);
        plots.iter().for_each(|(_, svg)| body += svg);
        for (what, points) in self.others() {
            body += &format!("<h2>{}</h2>\n", html::escaped(what));
            for (name, message) in points {
                let (name, message) = (html::escaped(&name), html::escaped(&message));
                body += &format!("<p>{name}</p>\n<pre>{message}</pre>\n");
            }
        }
        body += "<h2>From</h2>\n";
        self.provenance().iter().for_each(|line| {
            body += &format!("<p>{}</p>\n", html::escaped(line));
        });
        html::page(&format!("{} ({}), {}", self.block, self.preset, self.what()), &body)
    }

    fn what(&self) -> String {
        format!("varying {}", self.varied.join(", "))
    }

    /// Targets, tools and libraries of the figures.
    fn provenance(&self) -> BTreeSet<String> {
        let records = self.records.iter().filter_map(|record| record.figures()?.synth.as_ref());
        let lines = records.flat_map(|synth| {
            let tools = synth.tools.iter().map(|tool| format!("{}: {}", tool.name, tool.version));
            let libraries =
                synth.libraries.iter().map(|l| format!("library {}, {}", l.name, l.corner));
            let notes = synth.notes.iter().map(|note| format!("note: {note}"));
            [format!("target: {}", synth.target)]
                .into_iter()
                .chain(tools)
                .chain(libraries)
                .chain(notes)
        });
        lines.collect()
    }

    fn metrics(&self) -> Vec<&'static Metric> {
        let is_there = |metric: &&Metric| self.records.iter().any(|r| value(r, metric).is_some());
        METRICS.iter().filter(is_there).collect()
    }

    /// Header and rows of the points with figures.
    pub fn table(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let metrics = self.metrics();
        let heads = metrics.iter().map(|metric| metric.head());
        let header = self.varied.iter().cloned().chain(heads).collect();
        let measured = self.records.iter().filter(|record| record.figures().is_some());
        let row = |record: &PointRecord| {
            let figure = |metric: &&Metric| value(record, metric).map(number).unwrap_or_default();
            let varied = self.varied.iter().map(|name| parameter(record, name));
            varied.chain(metrics.iter().map(figure)).collect()
        };
        (header, measured.map(row).collect())
    }

    /// The points without figures, by outcome.
    fn others(&self) -> Vec<(&'static str, Vec<(String, String)>)> {
        let kinds = ["impossible, skipped", "failed", "differ from their reference"];
        let mut others = kinds.map(|kind| (kind, Vec::new()));
        for record in self.records {
            let (kind, message) = match &record.outcome {
                Outcome::Measured(_) => continue,
                Outcome::Impossible { message } => (0, message),
                Outcome::Failed { message, .. } => (1, message),
                Outcome::Mismatch { message } => (2, message),
            };
            let name = self.varied.iter().map(|name| format!("{name}={}", parameter(record, name)));
            others[kind].1.push((name.collect::<Vec<_>>().join(" "), message.clone()));
        }
        others.into_iter().filter(|(_, points)| !points.is_empty()).collect()
    }
}

fn value(record: &PointRecord, metric: &Metric) -> Option<f64> {
    (metric.of)(record.figures()?)
}

fn parameter(record: &PointRecord, name: &str) -> String {
    record.varied.get(name).map(plain).unwrap_or_default()
}
