//! The plots of a sweep.

use std::collections::BTreeSet;

use super::{SweepReport, parameter, value};
use crate::measure::metric::{self, METRICS, Metric};
use crate::report::plot::{self, Axis, Mark, Plot, Scale, Series};
use crate::sweep::grid::plain;
use crate::sweep::record::PointRecord;

/// A metric against another one or against a varied parameter.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Vertical axis.
    pub y: &'static Metric,
    /// Horizontal axis.
    pub x: Across,
}

/// The horizontal axis of a plot.
#[derive(Clone, Debug)]
pub enum Across {
    /// A metric.
    Metric(&'static Metric),
    /// A varied parameter.
    Parameter(String),
}

impl Shown {
    /// Name on the command line, `Y:X`.
    pub fn name(&self) -> String {
        let x = match &self.x {
            Across::Metric(metric) => metric.name,
            Across::Parameter(name) => name,
        };
        format!("{}:{x}", self.y.name)
    }
}

impl SweepReport<'_> {
    /// Area against clock frequency, and each main figure against the first parameter, as far as there are
    /// figures.
    pub fn default_plots(&self) -> Vec<Shown> {
        let there = self.metrics();
        let find = |name: &str| there.iter().copied().find(|metric| metric.name == name);
        let area = find("lut").or(find("kge"));
        let mut plots = Vec::new();
        if let (Some(area), Some(fmax)) = (area, find("fmax")) {
            plots.push(Shown { y: area, x: Across::Metric(fmax) });
        }
        let main = [area, find("fmax"), find("clocks_per_request")];
        plots.extend(
            main.into_iter().flatten().filter_map(|y| {
                Some(Shown { y, x: Across::Parameter(self.varied.first()?.clone()) })
            }),
        );
        plots
    }

    /// Parses `Y:X`.
    ///
    /// # Errors
    /// A message with the accepted names.
    pub fn shown(varied: &[String], text: &str) -> Result<Shown, String> {
        let metrics = || METRICS.iter().map(|m| m.name).collect::<Vec<_>>().join(", ");
        let (y, x) = text
            .split_once(':')
            .ok_or_else(|| format!("`{text}` is not Y:X, like lut:fmax or fmax:{}", varied[0]))?;
        let y = metric::find(y)
            .ok_or_else(|| format!("there is no metric `{y}`; the metrics are: {}", metrics()))?;
        let parameter = varied.iter().find(|name| *name == x).cloned().map(Across::Parameter);
        let x = parameter.or_else(|| metric::find(x).map(Across::Metric)).ok_or_else(|| {
            let varied = varied.join(", ");
            format!("`{x}` is neither varied ({varied}) nor a metric ({})", metrics())
        })?;
        Ok(Shown { y, x })
    }

    /// The plot as SVG; none if no point has both figures.
    ///
    /// Along a line one parameter changes: that of the horizontal axis, else the first. The others name the
    /// line.
    pub fn plot(&self, shown: &Shown) -> Option<String> {
        let along = match &shown.x {
            Across::Parameter(name) => name,
            Across::Metric(_) => self.varied.first()?,
        };
        let others: Vec<_> = self.varied.iter().filter(|name| *name != along).collect();
        let (scale, places) = self.layout(along);
        let mut series: Vec<Series> = Vec::new();
        for record in self.records {
            let Some(y) = value(record, shown.y) else { continue };
            let (x, label) = match &shown.x {
                Across::Metric(metric) => match value(record, metric) {
                    Some(x) => (x, format!("{along}={}", parameter(record, along))),
                    None => continue,
                },
                Across::Parameter(_) => (places(record), String::new()),
            };
            let name: Vec<_> = others
                .iter()
                .map(|other| format!("{other}={}", parameter(record, other)))
                .collect();
            let (name, mark) = (name.join(" "), Mark { x, y, label });
            match series.iter_mut().find(|series| series.name == name) {
                Some(series) => series.marks.push(mark),
                None => series.push(Series { name, marks: vec![mark] }),
            }
        }
        let x = match &shown.x {
            Across::Metric(metric) => Axis { label: metric.axis(), scale: Scale::Figures },
            Across::Parameter(name) => Axis { label: self.meaning(name), scale },
        };
        let title = format!("{} ({}){}", self.block, self.preset, self.on_target());
        let y = shown.y.axis();
        (!series.is_empty()).then(|| plot::svg(&Plot { title, x, y, series }))
    }

    /// A parameter with its description and unit.
    fn meaning(&self, name: &str) -> String {
        let parameters = warpsmith_blocks::find(self.block).map(|block| block.parameters());
        let info = parameters.unwrap_or_default().into_iter().find(|info| info.name == name);
        match info {
            Some(info) if info.meaning != name => format!("{name}: {}", info.meaning),
            _ => name.to_string(),
        }
    }

    /// The target, if all points have the same.
    fn on_target(&self) -> String {
        let targets =
            self.records.iter().filter_map(|r| Some(&r.figures()?.synth.as_ref()?.target));
        let targets: BTreeSet<_> = targets.collect();
        match (targets.first(), targets.len()) {
            (Some(target), 1) => format!(", {target}"),
            _ => String::new(),
        }
    }

    /// The scale of a parameter's values, and the position of each point.
    fn layout(&self, name: &str) -> (Scale, impl Fn(&PointRecord) -> f64) {
        let name = name.to_string();
        let mut values: Vec<&toml::Value> = Vec::new();
        for value in self.records.iter().filter_map(|record| record.varied.get(&name)) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        let names: Vec<_> = values.iter().map(|value| plain(value)).collect();
        let numbers: Option<Vec<i64>> = values.iter().map(|value| value.as_integer()).collect();
        let numbers = numbers.filter(|numbers| !numbers.is_empty());
        let scale = match &numbers {
            None => Scale::Names(names.clone()),
            Some(numbers) => {
                let (low, high) = numbers
                    .iter()
                    .fold((i64::MAX, i64::MIN), |(low, high), n| (low.min(*n), high.max(*n)));
                let wide = low > 0 && high / low >= 8;
                if wide { Scale::Logarithm } else { Scale::Values }
            }
        };
        let is_numeric = numbers.is_some();
        let place = move |record: &PointRecord| {
            let value = &record.varied[&name];
            match value.as_integer().filter(|_| is_numeric) {
                Some(number) => number as f64,
                None => names.iter().position(|name| *name == plain(value)).unwrap_or(0) as f64,
            }
        };
        (scale, place)
    }
}
