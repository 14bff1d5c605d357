//! `warpsmith render`: a frame's picture, from one GPU or several.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::progress::while_waiting;
use super::{MISMATCH, Outcome, UserError, say, say_json};
use crate::gpu::graphics::split::{self, Report, Settings, System};
use crate::gpu::graphics::{Frame, Picture, load, render};
use crate::report::render::{Compared, RenderReport};

#[derive(Debug, Args)]
pub(super) struct RenderArgs {
    /// The frame: what is drawn, with which shaders and state (TOML)
    #[arg(value_name = "NAME.frame.toml")]
    frame: PathBuf,
    /// Write the picture (PNG)
    #[arg(long, value_name = "FILE.png")]
    out: Option<PathBuf>,
    /// GPUs that draw it
    #[arg(long, value_name = "N", default_value_t = 1)]
    gpus: usize,
    #[arg(long, value_name = "NAME", default_value = System::ChopinScheduled.name(), help = systems())]
    system: String,
    /// Triangles of a group from which on sub-images are composed
    #[arg(long, value_name = "N", default_value_t = 4096)]
    threshold: u64,
    /// Seed of the times that GPUs take: other draws go to other GPUs, and other sub-images meet first
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    perturb: u64,
    /// Settle ties of depth by the draws' numbers, or leave them to the order of arrival as the thesis does
    #[arg(long, value_enum, default_value_t = Ties::Number)]
    ties: Ties,
    /// Draw on one GPU too, and count the pixels that differ; --ties paper does so, too
    #[arg(long)]
    compare: bool,
    /// Write a picture that is black where the two agree (PNG)
    #[arg(long, value_name = "FILE.png", requires = "compare")]
    differences: Option<PathBuf>,
}

/// Ties of depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Ties {
    Number,
    Paper,
}

fn systems() -> String {
    let names: Vec<_> = System::ALL.iter().map(|system| system.name()).collect();
    format!("How GPUs split the work: {}", names.join(", "))
}

fn system(name: &str) -> Result<System, UserError> {
    let found = System::ALL.into_iter().find(|system| system.name() == name);
    found.ok_or_else(|| {
        let known: Vec<_> = System::ALL.iter().map(|system| system.name()).collect();
        UserError::new(format!("no system {name}; there are: {}", known.join(", ")))
    })
}

pub(super) fn run(args: &RenderArgs, json: bool) -> Outcome {
    let settings = Settings {
        threshold: args.threshold,
        seed: args.perturb,
        ties_by_arrival: args.ties == Ties::Paper,
        ..Settings::new(system(&args.system)?, args.gpus)
    };
    let frame = load(&args.frame)?;
    let start = std::time::Instant::now();
    let (picture, report) = while_waiting("drawing", json, || draw(&frame, &settings))?;
    let seconds = start.elapsed().as_secs_f64();
    let compares = args.compare || settings.ties_by_arrival;
    let alone = compares.then(|| while_waiting("drawing on one GPU", json, || render(&frame)));
    let alone = alone.transpose().map_err(UserError::new)?;
    let compared = alone.as_ref().map(|alone| Compared::of(&picture, alone));
    // Nothing is written before everything is drawn.
    if let Some(out) = &args.out {
        write(out, &picture)?;
    }
    if let (Some(path), Some(alone)) = (&args.differences, &alone) {
        write(path, &picture.differences(alone))?;
    }
    let differs = compared.as_ref().is_some_and(|it| it.pixels > 0) && !settings.ties_by_arrival;
    let report = RenderReport {
        frame: args.frame.display().to_string(),
        system: settings.system,
        gpus: settings.gpus,
        width: picture.width,
        height: picture.height,
        draws: frame.draws().count(),
        triangles: frame.triangles(),
        counts: picture.counts,
        split: report,
        compared,
        seconds,
    };
    match json {
        true => say_json(&report)?,
        false => say(report.text()),
    }
    Ok(if differs { ExitCode::from(MISMATCH) } else { ExitCode::SUCCESS })
}

fn draw(frame: &Frame, settings: &Settings) -> Result<(Picture, Option<Report>), UserError> {
    if settings.gpus == 1 {
        return Ok((render(frame).map_err(UserError::new)?, None));
    }
    let (picture, report) = split::render(frame, settings).map_err(UserError::new)?;
    Ok((picture, Some(report)))
}

/// Writes a picture whole or not at all.
fn write(path: &Path, picture: &Picture) -> Result<(), UserError> {
    let told = |error: std::io::Error| UserError::new(format!("{}: {error}", path.display()));
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(told)?;
    file.write_all(&picture.png()).map_err(told)?;
    file.persist(path).map_err(|error| told(error.error))?;
    Ok(())
}
