//! Compares a baseline with new figures.

use std::collections::BTreeSet;

use serde::Serialize;

use super::file::Baseline;
use crate::measure::metric;

/// The verdict on a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FigureVerdict {
    /// Within its tolerance.
    Same,
    /// Better by more than its tolerance.
    Better,
    /// Worse by more than its tolerance.
    Worse,
    /// It is not in the old baseline.
    New,
    /// It is not in the new figures.
    Gone,
}

/// A figure's old and new value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// Name of the metric.
    pub metric: String,
    /// Old value.
    pub old: Option<f64>,
    /// New value.
    pub new: Option<f64>,
    /// New over old; none if one is missing or the old value alone is 0.
    pub ratio: Option<f64>,
    /// Largest change that counts as no change.
    pub tolerance_percent: f64,
    /// Its verdict.
    pub verdict: FigureVerdict,
    /// Why an earlier recording was worse than the one before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The differences between two baselines of the same block and target.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Each figure.
    pub changes: Vec<Change>,
    /// Device and parameters that changed: name, old, new.
    pub setup: Vec<(String, String, String)>,
}

impl Comparison {
    /// Compares two baselines.
    pub fn of(old: &Baseline, new: &Baseline) -> Self {
        let names: BTreeSet<_> = old.metrics.keys().chain(new.metrics.keys()).collect();
        // The order of all tables.
        let in_order = metric::METRICS.iter().map(|metric| metric.name);
        let changes = in_order.filter(|name| names.contains(&name.to_string()));
        let names: BTreeSet<_> = old.params.keys().chain(new.params.keys()).collect();
        let value = |table: &toml::Table, name: &String| {
            table.get(name).map_or("none".to_string(), toml::Value::to_string)
        };
        let params = names
            .into_iter()
            .map(|name| (name.clone(), value(&old.params, name), value(&new.params, name)));
        let device = ("device".to_string(), old.device.clone(), new.device.clone());
        Self {
            changes: changes.map(|name| change(name, old, new)).collect(),
            setup: [device].into_iter().chain(params).filter(|(_, old, new)| old != new).collect(),
        }
    }

    /// Whether anything changed.
    pub fn differs(&self) -> bool {
        !self.setup.is_empty()
            || self.changes.iter().any(|change| change.verdict != FigureVerdict::Same)
    }
}

fn change(name: &str, old: &Baseline, new: &Baseline) -> Change {
    let (kept, now) = (old.metrics.get(name), new.metrics.get(name));
    let reason = kept.and_then(|kept| kept.reason.clone());
    let tolerance_percent = kept.or(now).map_or(0.0, |kept| kept.tolerance_percent);
    let (old, new) = (kept.map(|kept| kept.value), now.map(|kept| kept.value));
    let more_is_better = metric::find(name).is_some_and(|metric| metric.more_is_better);
    let verdict = match (old, new) {
        (None, _) => FigureVerdict::New,
        (_, None) => FigureVerdict::Gone,
        (Some(old), Some(new)) if is_within(old, new, tolerance_percent) => FigureVerdict::Same,
        (Some(old), Some(new)) if (new > old) == more_is_better => FigureVerdict::Better,
        _ => FigureVerdict::Worse,
    };
    let ratio = old.zip(new).map(|(old, new)| new / old).filter(|ratio| ratio.is_finite());
    Change { metric: name.to_string(), old, new, ratio, tolerance_percent, verdict, reason }
}

fn is_within(old: f64, new: f64, tolerance_percent: f64) -> bool {
    // A change of exactly the tolerance is within it despite rounding.
    (new - old).abs() <= old * tolerance_percent / 100.0 * (1.0 + 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::file::Kept;

    fn baseline(metrics: &[(&str, f64, f64)]) -> Baseline {
        let kept = metrics.iter().map(|&(name, value, tolerance_percent)| {
            (name.to_string(), Kept { value, tolerance_percent, reason: None })
        });
        Baseline {
            block: "b".to_string(),
            preset: "fpga".to_string(),
            target: "ecp5".to_string(),
            device: "d".to_string(),
            seeds: 1,
            clock_mhz: Some(150.5),
            stream: "s".to_string(),
            requests: 1,
            verilog: "0".to_string(),
            params: toml::Table::from_iter([("ways".to_string(), toml::Value::Integer(4))]),
            tools: [("yosys".to_string(), "0.70".to_string())].into(),
            metrics: kept.collect(),
        }
    }

    fn verdict(name: &str, old: f64, new: f64, tolerance: f64) -> FigureVerdict {
        let (old, new) = (baseline(&[(name, old, tolerance)]), baseline(&[(name, new, 99.0)]));
        Comparison::of(&old, &new).changes[0].verdict
    }

    #[test]
    fn a_change_within_its_tolerance_is_none() {
        for new in [980.0, 1000.0, 1020.0] {
            assert_eq!(verdict("lut", 1000.0, new, 2.0), FigureVerdict::Same);
        }
        assert_eq!(verdict("bram", 0.0, 0.0, 0.0), FigureVerdict::Same);
    }

    #[test]
    fn a_change_beyond_it_is_better_or_worse() {
        assert_eq!(verdict("lut", 1000.0, 979.0, 2.0), FigureVerdict::Better);
        assert_eq!(verdict("lut", 1000.0, 1021.0, 2.0), FigureVerdict::Worse);
        assert_eq!(verdict("fmax", 200.0, 211.0, 5.0), FigureVerdict::Better);
        assert_eq!(verdict("fmax", 200.0, 189.0, 5.0), FigureVerdict::Worse);
        assert_eq!(verdict("ff", 100.0, 101.0, 0.0), FigureVerdict::Worse);
        assert_eq!(verdict("bram", 0.0, 1.0, 50.0), FigureVerdict::Worse);
    }

    #[test]
    fn a_figure_that_appears_or_goes_is_a_difference() {
        let (one, two) = (baseline(&[("lut", 1.0, 1.0)]), baseline(&[("ff", 1.0, 1.0)]));
        let verdicts: Vec<_> =
            Comparison::of(&one, &two).changes.iter().map(|change| change.verdict).collect();
        assert_eq!(verdicts, [FigureVerdict::Gone, FigureVerdict::New]);
    }

    #[test]
    fn another_parameter_is_a_difference() {
        let old = baseline(&[("lut", 1.0, 1.0)]);
        let mut new = old.clone();
        assert!(!Comparison::of(&old, &new).differs());
        new.params.insert("ways".to_string(), toml::Value::Integer(8));
        let comparison = Comparison::of(&old, &new);
        assert!(comparison.differs());
        assert_eq!(comparison.setup, [("ways".into(), "4".into(), "8".into())]);
    }

    #[test]
    fn a_baseline_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.toml");
        let written = baseline(&[("lut", 12.0, 2.0), ("fmax", 150.125, 5.0)]);
        std::fs::write(&path, written.text()).unwrap();
        assert_eq!(Baseline::read(&path).unwrap(), Some(written));
        assert_eq!(Baseline::read(&folder.path().join("none.toml")).unwrap(), None);
    }
}
