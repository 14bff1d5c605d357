//! `warpsmith render`: a frame's picture, from one GPU or several.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::gpu::RtlArgs;
use super::progress::triangles_bar;
use super::{MISMATCH, Outcome, UserError, say, say_json};
use crate::gpu::graphics::split::{self, Bits, Fault, Report, Settings, System, Wishes};
use crate::gpu::graphics::{Frame, Picture, View, Viewed, load, render_telling};
use crate::report::render::{Compared, DebugReport, RenderReport};

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
    #[arg(long = "ties", value_enum, default_value_t = Ties::Number)]
    depth_ties: Ties,
    /// Compose transparent groups from lists of fragments, which is exact, or from sub-images of so many bits per
    /// channel; what 8 bits would do is always told
    #[arg(long, value_enum, value_name = "BITS", default_value_t = SubImages::List)]
    sub_images: SubImages,
    /// Draw on one GPU too, and count the pixels that differ; --ties paper and --sub-images 8 or 16 do so, too
    #[arg(long)]
    compare: bool,
    /// Write with --out, in place of the colours: how many fragments were written to each pixel (overdraw), which GPU
    /// drew its last fragment (owner; darker: whose tile it is, where nothing was drawn), in which composition group
    /// (group), or the depth at the end, white the nearest (depth)
    #[arg(long, value_enum, value_name = "WHAT", requires = "out")]
    debug: Option<Debug>,
    /// Write a picture that is black where the two agree (PNG)
    #[arg(long, value_name = "FILE.png", requires = "compare")]
    differences: Option<PathBuf>,
    #[command(flatten)]
    rtl: RtlArgs,
}

/// Ties of depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Ties {
    Number,
    Paper,
}

/// Quantity shown by a debug picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Debug {
    Overdraw,
    Owner,
    Group,
    Depth,
}

impl Debug {
    fn view(self) -> View {
        match self {
            Self::Overdraw => View::Overdraw,
            Self::Owner => View::Owner,
            Self::Group => View::Group,
            Self::Depth => View::Depth,
        }
    }
}

/// Transparent sub-images.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum SubImages {
    List,
    #[value(name = "8")]
    Eight,
    #[value(name = "16")]
    Sixteen,
}

impl SubImages {
    fn bits(self) -> Option<Bits> {
        match self {
            Self::List => None,
            Self::Eight => Some(Bits::Eight),
            Self::Sixteen => Some(Bits::Sixteen),
        }
    }
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
        ties_by_arrival: args.depth_ties == Ties::Paper,
        sub_images: args.sub_images.bits(),
        ..Settings::new(system(&args.system)?, args.gpus)
    };
    let frame = load(&args.frame)?;
    let start = std::time::Instant::now();
    let mut report = RenderReport {
        frame: args.frame.display().to_string(),
        system: settings.system,
        gpus: settings.gpus,
        draws: frame.draws().count(),
        triangles: frame.triangles(),
        ..RenderReport::default()
    };
    let differs = match draw(&frame, &settings, args, json)? {
        Err(mismatch) => {
            report.mismatch = Some(mismatch);
            true
        }
        Ok(drawn) => finish(&frame, &settings, args, drawn, (&mut report, json))?,
    };
    report.seconds = start.elapsed().as_secs_f64();
    match json {
        true => say_json(&report)?,
        false => say(report.text()),
    }
    Ok(if differs { ExitCode::from(MISMATCH) } else { ExitCode::SUCCESS })
}

/// Compares and writes what was drawn; whether it is wrong.
fn finish(
    frame: &Frame,
    settings: &Settings,
    args: &RenderArgs,
    drawn: Drawn,
    (report, quiet): (&mut RenderReport, bool),
) -> Result<bool, UserError> {
    let is_rounded = settings.ties_by_arrival || settings.sub_images.is_some();
    let compares = args.compare || is_rounded;
    let alone = compares.then(|| draw_alone(frame, "one GPU", quiet)).transpose()?;
    let picture = &drawn.picture;
    report.compared = alone.as_ref().map(|alone| Compared::of(picture, alone));
    // Nothing is written before everything is drawn.
    if let Some(out) = &args.out {
        write(out, &drawn.view.as_ref().map_or(picture, |view| &view.picture).png())?;
    }
    if let (Some(path), Some(alone)) = (&args.differences, &alone) {
        write(path, &picture.differences(alone).png())?;
    }
    (report.width, report.height) = (picture.width, picture.height);
    report.counts = picture.counts;
    report.compared_transfers =
        drawn.split.as_ref().filter(|_| args.rtl.shadows()).map(|it| it.compared_transfers);
    report.split = drawn.split;
    report.debug = args
        .debug
        .zip(drawn.view)
        .map(|(debug, Viewed { most, .. })| DebugReport { view: debug.view(), most });
    let rounded = report.split.as_ref().and_then(|split| split.sub_images);
    let differs = report.compared.as_ref().is_some_and(|it| it.pixels > 0);
    Ok(differs && !is_rounded || rounded.is_some_and(|it| it.beyond_bound > 0))
}

/// A finished picture, by one GPU or several.
struct Drawn {
    picture: Picture,
    split: Option<Report>,
    view: Option<Viewed>,
}

/// Draws, or tells how a scheduler's RTL was wrong.
fn draw(
    frame: &Frame,
    settings: &Settings,
    args: &RenderArgs,
    quiet: bool,
) -> Result<Result<Drawn, String>, UserError> {
    let view = args.debug.map(Debug::view);
    let rtl = args.rtl.settings()?.pop();
    if settings.gpus == 1 && view.is_none() && rtl.is_none() {
        let picture = draw_alone(frame, "drawing", quiet)?;
        return Ok(Ok(Drawn { picture, split: None, view: None }));
    }
    let work = frame.triangles().saturating_mul(settings.gpus as u64);
    let bar = triangles_bar(work, "drawing", quiet);
    let tell = |triangles| bar.inc(triangles);
    let wishes = Wishes { view, tell: &tell, rtl: rtl.as_ref() };
    let drawn = split::draw(frame, settings, wishes);
    bar.finish_and_clear();
    let split::Drawn { picture, report, view, warnings } = match drawn {
        Ok(drawn) => drawn,
        Err(Fault::Mismatch(what)) => return Ok(Err(what)),
        Err(Fault::Frame(what)) => return Err(UserError::new(what)),
        Err(Fault::Rtl(error)) => {
            let having = System::ALL.into_iter().filter(|it| !split::places(*it).is_empty());
            return Err(args.rtl.refused(error, having.map(System::name)));
        }
    };
    args.rtl.tell(&warnings)?;
    Ok(Ok(Drawn { picture, split: (settings.gpus > 1).then_some(report), view }))
}

fn draw_alone(frame: &Frame, what: &'static str, quiet: bool) -> Result<Picture, UserError> {
    let bar = triangles_bar(frame.triangles(), what, quiet);
    let drawn = render_telling(frame, &|triangles| bar.inc(triangles));
    bar.finish_and_clear();
    drawn.map_err(UserError::new)
}

/// Writes a file whole or not at all.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), UserError> {
    let told = |error: std::io::Error| UserError::new(format!("{}: {error}", path.display()));
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(told)?;
    file.write_all(bytes).map_err(told)?;
    file.persist(path).map_err(|error| told(error.error))?;
    Ok(())
}
