//! `warpsmith sweep`

mod workflow;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::design::{DesignArgs, parse_value};
use super::measured::MeasuredArgs;
use super::progress::points_bar;
use super::{ErrorRecord, MISMATCH, Outcome, UserError, WRONG_INPUT, say, say_json};
use crate::emission::Emission;
use crate::flow::tool;
use crate::measure::Asked;
use crate::report::sweep::{Shown, SweepReport};
use crate::sweep::gather::Gather;
use crate::sweep::grid::{Axis, Point, points};
use crate::sweep::journal::Journal;
use crate::sweep::live::Live;
use crate::sweep::record::{self, PointRecord};
use crate::sweep::run::{Event, Finished, Measure, Sweep};

#[derive(Debug, Args)]
pub(super) struct SweepArgs {
    #[command(flatten)]
    design: DesignArgs,
    /// Parameter with its values; repeat for a grid of all combinations
    #[arg(long, value_name = "NAME=A,B,...", required = true)]
    vary: Vec<String>,
    #[command(flatten)]
    measured: MeasuredArgs,
    /// Points and tools to run in parallel. Default: the number of cores
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Plot of a metric against another or against a varied parameter, such as lut:fmax; repeat for more.
    /// Default: area against fmax, and each against the first parameter
    #[arg(long, value_name = "Y:X")]
    plot: Vec<String>,
    /// Folder for results, plots and the tools' files; existing results are reused. Default:
    /// flow-out/sweep/BLOCK
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Measure nothing; write an equivalent Snakemake workflow to this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["gather", "out", "jobs", "json"])]
    snakemake: Option<PathBuf>,
    /// Measure nothing; read the points that the workflow has put in this folder
    #[arg(long, value_name = "DIR", conflicts_with = "jobs")]
    gather: Option<PathBuf>,
}

#[derive(Serialize)]
struct Swept<'a> {
    measured: usize,
    reused: usize,
    impossible: usize,
    failed: usize,
    mismatches: usize,
    points: &'a [PointRecord],
    files: Vec<PathBuf>,
    without_plot: Vec<String>,
    /// The cause of exit code 2: a point that could not be measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorRecord>,
}

pub(super) fn run(args: &SweepArgs, json: bool) -> Outcome {
    let block = args.design.block()?;
    let axes = args.vary.iter().map(|text| axis(text)).collect::<Result<Vec<_>, _>>()?;
    let varied: Vec<_> = axes.iter().map(|axis| axis.name.clone()).collect();
    let settings = args.design.over_preset()?;
    let points = points(block, &args.design.preset, &settings, &axes)?;
    check_possible(&points)?;
    let plots = args.plot.iter().map(|text| SweepReport::shown(&varied, text));
    let plots =
        plots.collect::<Result<Vec<_>, _>>().map_err(|m| UserError::new(format!("--plot: {m}")))?;
    let measured = args.measured.resolve(block)?;
    if let Some(folder) = &args.snakemake {
        return workflow::write(args, &settings, &points, &measured, folder);
    }

    let default = || PathBuf::from("flow-out/sweep").join(block.name);
    let out = args.out.clone().unwrap_or_else(default);
    let finished = measure_points(args, &points, &measured.asked, &out, json)?;
    let report = SweepReport {
        block: block.name,
        preset: &args.design.preset,
        varied: &varied,
        records: &finished.records,
    };
    let plots = if plots.is_empty() { report.default_plots() } else { plots };
    let (files, without_plot) = write_report(&report, plots, &out)?;
    finish(&finished, &report, files, without_plot, json)
}

fn axis(text: &str) -> Result<Axis, UserError> {
    let wrong = || UserError::new(format!("`--vary {text}` is not NAME=A,B,..., like ways=2,4,8"));
    let (name, values) = text.split_once('=').ok_or_else(wrong)?;
    let values: Vec<_> = values.split(',').map(str::trim).collect();
    if name.trim().is_empty() || values.contains(&"") {
        return Err(wrong());
    }
    Ok(Axis {
        name: name.trim().to_string(),
        values: values.into_iter().map(parse_value).collect(),
    })
}

/// Rejects a grid without any possible circuit.
fn check_possible(points: &[Point]) -> Result<(), UserError> {
    let impossible = points.iter().find_map(|point| point.design.as_ref().err());
    match impossible {
        Some(message) if points.iter().all(|point| point.design.is_err()) => {
            Err(UserError::new(format!("no point of the grid is possible: {message}")))
        }
        _ => Ok(()),
    }
}

fn measure_points(
    args: &SweepArgs,
    points: &[Point],
    asked: &Asked,
    out: &Path,
    json: bool,
) -> Result<Finished, UserError> {
    let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let jobs = args.jobs.unwrap_or(cores);
    tool::limit_runs(jobs);
    let measure: Box<dyn Measure + '_> = match &args.gather {
        Some(folder) => Box::new(Gather { asked, folder: folder.clone() }),
        None => Box::new(Live::new(asked, out.join("points"))?),
    };
    let mut journal = Journal::open(&out.join("results.jsonl"))?;
    let preset = &args.design.preset;
    let sweep = Sweep { block: &args.design.block, preset, points, jobs };
    let bar = points_bar(json);
    let mut running: Vec<String> = Vec::new();
    let finished = sweep.run(&*measure, &mut journal, &mut |event| {
        match event {
            Event::Missing(count) => bar.set_length(count as u64),
            Event::Started(point) => running.push(point.name()),
            Event::Ended(point) => {
                running.retain(|name| *name != point.name());
                bar.inc(1);
            }
        }
        bar.set_message(running.join(" | "));
    });
    bar.finish_and_clear();
    Ok(finished?)
}

/// Writes plots and page; returns the files, and the names of empty plots.
fn write_report(
    report: &SweepReport<'_>,
    plots: Vec<Shown>,
    out: &Path,
) -> Result<(Vec<PathBuf>, Vec<String>), UserError> {
    let (mut drawn, mut empty) = (Vec::new(), Vec::new());
    for shown in plots {
        match report.plot(&shown) {
            Some(svg) => drawn.push((shown, svg)),
            None => empty.push(shown.name()),
        }
    }
    let mut emission = Emission::default();
    for (shown, svg) in &drawn {
        let name = format!("{}.svg", shown.name().replace(':', "-"));
        emission.files.push((out.join(name), svg.clone()));
    }
    emission.files.push((out.join("report.html"), report.page(&drawn)));
    emission.write()?;
    let files = emission.files.into_iter().map(|(path, _)| path);
    Ok(([out.join("results.jsonl")].into_iter().chain(files).collect(), empty))
}

fn finish(
    finished: &Finished,
    report: &SweepReport<'_>,
    files: Vec<PathBuf>,
    without_plot: Vec<String>,
    json: bool,
) -> Outcome {
    let count = |is: fn(&record::Outcome) -> bool| {
        finished.records.iter().filter(|record| is(&record.outcome)).count()
    };
    let with_figures = count(|outcome| matches!(outcome, record::Outcome::Measured(_)));
    let failure = |record: &PointRecord| match &record.outcome {
        record::Outcome::Failed { message, .. } => Some(message.clone()),
        _ => None,
    };
    let error = finished.records.iter().find_map(failure);
    let swept = Swept {
        measured: with_figures - finished.reused,
        reused: finished.reused,
        impossible: count(|outcome| matches!(outcome, record::Outcome::Impossible { .. })),
        failed: count(|outcome| matches!(outcome, record::Outcome::Failed { .. })),
        mismatches: count(|outcome| matches!(outcome, record::Outcome::Mismatch { .. })),
        points: &finished.records,
        files,
        without_plot,
        error: error.map(|message| ErrorRecord { message }),
    };
    if json {
        say_json(&swept)?;
    } else {
        say(report.text());
        say("");
        swept.files.iter().for_each(|path| say(format!("wrote {}", path.display())));
        swept.without_plot.iter().for_each(|name| {
            say(format!("no plot {name}: no point has both figures"));
        });
        say(format!(
            "{} points: {} measured, {} reused, {} impossible, {} failed, {} differ from their reference",
            finished.records.len(),
            swept.measured,
            swept.reused,
            swept.impossible,
            swept.failed,
            swept.mismatches
        ));
    }
    Ok(ExitCode::from(match (swept.mismatches, swept.failed) {
        (0, 0) => 0,
        (0, _) => WRONG_INPUT,
        _ => MISMATCH,
    }))
}
