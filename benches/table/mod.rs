//! Tables of figures with means, and pictures of them.

use std::path::PathBuf;

use warpsmith::report::plot::{self, Axis, Mark, Plot, Scale, Series};

/// The mean in the last row of a table.
#[derive(Clone, Copy)]
pub enum Mean {
    Geometric,
    Arithmetic,
}

/// A figure that is printed, and drawn in a folder if there is one.
pub struct Sheet {
    pub figure: &'static str,
    pub pictures: Option<PathBuf>,
}

impl Sheet {
    /// Prints rows with the mean of each column, and draws them.
    pub fn table(
        &self,
        unit: &str,
        mean: Mean,
        columns: &[String],
        rows: impl Iterator<Item = (String, Vec<f64>)>,
    ) {
        let line = |name: &str, cells: &[String]| {
            let cells = cells.iter().map(|cell| format!("{cell:>18}")).collect::<String>();
            println!("{name:<10}{cells}");
        };
        line("", columns);
        let cells = |values: &[f64]| values.iter().map(|it| format!("{it:.3}")).collect::<Vec<_>>();
        let (mut names, mut all) = (Vec::new(), Vec::new());
        for (name, values) in rows {
            line(&name, &cells(&values));
            names.push(name);
            all.push(values);
        }
        let mean_of = |column: usize| {
            let values =
                || all.iter().map(|row: &Vec<f64>| row[column]).filter(|it| it.is_finite());
            let count = values().count() as f64;
            match mean {
                Mean::Geometric => (values().map(f64::ln).sum::<f64>() / count).exp(),
                Mean::Arithmetic => values().sum::<f64>() / count,
            }
        };
        let means: Vec<_> = (0..columns.len()).map(mean_of).collect();
        let name = match mean {
            Mean::Geometric => "GMEAN",
            Mean::Arithmetic => "AVG",
        };
        line(name, &cells(&means));
        names.push(name.to_string());
        all.push(means);
        let series = columns.iter().enumerate().map(|(column, name)| {
            let values = all.iter().map(|row| row[column]).collect();
            (name.clone(), values)
        });
        self.draw("", "program", names, unit, series.collect());
    }

    /// Draws the figure, or a `part` of it.
    pub fn draw(
        &self,
        part: &str,
        x: &str,
        names: Vec<String>,
        y: &str,
        series: Vec<(String, Vec<f64>)>,
    ) {
        let marks = |values: Vec<f64>| {
            let values = values.into_iter().enumerate().filter(|(_, value)| value.is_finite());
            let mark = |(at, y)| Mark { x: at as f64, y, label: String::new() };
            values.map(mark).collect()
        };
        let series = series.into_iter().map(|(name, values)| Series { name, marks: marks(values) });
        let title = format!("{} {part}", self.figure);
        let title = title.trim();
        let svg = plot::svg(&Plot {
            title: title.to_string(),
            x: Axis { label: x.to_string(), scale: Scale::Names(names) },
            y: y.to_string(),
            series: series.collect(),
        });
        self.write(title, &svg);
    }

    /// Writes a picture, if there is a folder for it.
    pub fn write(&self, title: &str, svg: &str) {
        let Some(folder) = &self.pictures else { return };
        let file = folder.join(format!("{}.svg", title.replace([' ', '.', ','], "_")));
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, svg));
        written.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}
