//! Plots as self-contained SVG: marks joined to series, both axes with their units.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint};
use plotters::prelude::*;

use super::number;

/// What is drawn.
pub struct Plot {
    /// Title above the plot.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Label of the vertical axis, with its unit. It begins at zero.
    pub y: String,
    /// The lines.
    pub series: Vec<Series>,
}

/// The horizontal axis.
pub struct Axis {
    /// Label, with its unit.
    pub label: String,
    /// Scale.
    pub scale: Scale,
}

/// Scale of an axis.
pub enum Scale {
    /// Linear, with ticks at round figures.
    Figures,
    /// Linear, with a tick at each value.
    Values,
    /// Logarithmic, with a tick at each value.
    Logarithm,
    /// The names at 0, 1, ...
    Names(Vec<String>),
}

/// Marks joined by a line.
pub struct Series {
    /// Name in the legend; empty for none.
    pub name: String,
    /// The marks, in the order of the line.
    pub marks: Vec<Mark>,
}

/// One mark.
pub struct Mark {
    /// Horizontal position.
    pub x: f64,
    /// Vertical position.
    pub y: f64,
    /// Label beside it; empty for none.
    pub label: String,
}

const SIZE: (u32, u32) = (760, 460);
const LEGEND_WIDTH: u32 = 260;
const LEGEND_LINE: u32 = 20;
pub(super) const FONT: &str = "sans-serif";

/// Colours: the first seven are distinguishable with red-green blindness (Okabe and Ito, 2008).
pub(super) const COLOURS: [RGBColor; 11] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(136, 34, 85),
    RGBColor(240, 228, 66),
    RGBColor(153, 153, 153),
    RGBColor(221, 221, 221),
];
/// Colours of series.
const DISTINGUISHABLE: &[RGBColor] = COLOURS.split_at(7).0;

/// The plot as self-contained, deterministic SVG.
pub fn svg(plot: &Plot) -> String {
    let named = plot.series.iter().filter(|series| !series.name.is_empty()).count() as u32;
    let legend = if named > 0 { LEGEND_WIDTH } else { 0 };
    let height = SIZE.1.max(60 + named * LEGEND_LINE);
    let mut text = String::new();
    draw(plot, (SIZE.0 + legend, height), &mut text).expect("a string takes every drawing");
    text
}

type Drawn = Result<(), Box<dyn std::error::Error>>;

fn draw(plot: &Plot, size: (u32, u32), text: &mut String) -> Drawn {
    let root = SVGBackend::with_string(text, size).into_drawing_area();
    root.fill(&WHITE)?;
    let (area, legend) = root.split_horizontally(SIZE.0);
    draw_chart(plot, &area)?;
    if size.0 > SIZE.0 {
        draw_legend(plot, &legend)?;
    }
    root.present()?;
    Ok(())
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn draw_chart(plot: &Plot, area: &Area<'_>) -> Drawn {
    let marks = || plot.series.iter().flat_map(|series| &series.marks);
    let scale = &plot.x.scale;
    let mut ticks: Vec<_> = marks().map(|mark| place(scale, mark.x)).collect();
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    let (low, high) = (ticks.first().copied(), ticks.last().copied());
    let (low, high) = (low.unwrap_or(0.0), high.unwrap_or(1.0));
    // Margins beside the outermost marks, with more on the right for labels.
    let room = if high > low { (high - low) * 0.08 } else { high.abs().max(1.0) * 0.1 };
    let labels = if marks().any(|mark| !mark.label.is_empty()) { room } else { 0.0 };
    let top = marks().map(|mark| mark.y).fold(0.0, f64::max);
    let top = if top > 0.0 { top * 1.08 } else { 1.0 };
    let ticks = match scale {
        Scale::Figures => round_figures(low - room, high + room + labels),
        _ => ticks,
    };

    let mut builder = ChartBuilder::on(area);
    builder.caption(&plot.title, (FONT, 17)).margin(14);
    builder.x_label_area_size(46).y_label_area_size(76);
    let across = Across { range: low - room..high + room + labels, ticks };
    let mut chart = builder.build_cartesian_2d(across, 0.0..top)?;
    let (x_tick, y_tick) = (|at: &f64| tick(scale, *at), |at: &f64| number(*at));
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(&plot.x.label).y_desc(&plot.y).axis_desc_style((FONT, 15));
    mesh.label_style((FONT, 13)).light_line_style(TRANSPARENT).bold_line_style(BLACK.mix(0.12));
    mesh.x_label_formatter(&x_tick).y_label_formatter(&y_tick);
    mesh.y_labels(8).draw()?;

    for (index, series) in plot.series.iter().enumerate() {
        let colour = DISTINGUISHABLE[index % DISTINGUISHABLE.len()];
        let line: Vec<_> = series.marks.iter().map(|m| (place(scale, m.x), m.y)).collect();
        chart
            .draw_series(LineSeries::new(line.iter().copied(), colour.mix(0.6).stroke_width(2)))?;
        chart.draw_series(line.iter().map(|at| Circle::new(*at, 4, colour.filled())))?;
        let label = |(at, mark): (&(f64, f64), &Mark)| {
            EmptyElement::at(*at) + Text::new(mark.label.clone(), (7, -14), (FONT, 12))
        };
        chart.draw_series(line.iter().zip(&series.marks).map(label))?;
    }
    Ok(())
}

/// A horizontal axis with ticks at chosen values.
struct Across {
    range: Range<f64>,
    ticks: Vec<f64>,
}

impl Ranged for Across {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (left, right): (i32, i32)) -> i32 {
        let Range { start, end } = self.range;
        left + (f64::from(right - left) * (value - start) / (end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // Minor grid lines have no meaning here.
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

fn draw_legend(plot: &Plot, area: &Area<'_>) -> Drawn {
    let named = plot.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty());
    for (line, (index, series)) in named.enumerate() {
        let y = 46 + line as i32 * LEGEND_LINE as i32;
        let colour = DISTINGUISHABLE[index % DISTINGUISHABLE.len()];
        area.draw(&Circle::new((8, y), 4, colour.filled()))?;
        area.draw(&Text::new(series.name.clone(), (20, y - 7), (FONT, 13)))?;
    }
    Ok(())
}

fn place(scale: &Scale, value: f64) -> f64 {
    match scale {
        Scale::Logarithm => value.log2(),
        _ => value,
    }
}

fn tick(scale: &Scale, at: f64) -> String {
    match scale {
        Scale::Logarithm => number(at.exp2()),
        Scale::Names(names) => names.get(at as usize).cloned().unwrap_or_default(),
        Scale::Figures | Scale::Values => number(at),
    }
}

/// About six multiples of 1, 2 or 5 times a power of ten.
fn round_figures(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let step = steps.into_iter().find(|step| *step >= rough).unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    (first..).map(|n| n as f64 * step).take_while(|at| *at <= high).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot() -> Plot {
        let marks = [(1.0, 100.0), (16.0, 900.0)];
        let marks = marks.map(|(x, y)| Mark { x, y, label: String::new() });
        Plot {
            title: "a < b".to_string(),
            x: Axis { label: "ways".to_string(), scale: Scale::Logarithm },
            y: "clock (MHz)".to_string(),
            series: vec![Series { name: "lru".to_string(), marks: marks.into() }],
        }
    }

    #[test]
    fn a_plot_is_one_svg_that_needs_nothing_else() {
        let svg = svg(&plot());
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(!svg.contains("href") && !svg.contains("@import"), "{svg}");
        for text in ["a &lt; b", "ways", "clock (MHz)", "lru", "16"] {
            assert!(svg.contains(text), "`{text}` is missing: {svg}");
        }
        assert_eq!(svg.matches("<circle").count(), 3, "two marks and one in the legend");
    }

    #[test]
    fn a_plot_without_or_with_one_mark_is_drawn_too() {
        for marks in [0, 1] {
            let mut plot = plot();
            plot.series[0].marks.truncate(marks);
            assert!(svg(&plot).contains("</svg>"));
        }
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(round_figures(141.0, 187.0), [150.0, 160.0, 170.0, 180.0]);
        assert_eq!(round_figures(-0.3, 1.2), [0.0, 0.5, 1.0]);
    }
}
