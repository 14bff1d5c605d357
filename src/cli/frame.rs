//! `warpsmith frame`: makes frames, from the statistics of games, from a model, or from a recorded program.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::render::write;
use super::{Outcome, UserError, say, say_json};
use crate::gpu::graphics::load;
use crate::gpu::graphics::make::{GAMES, Made, game, model, trace};
use crate::report::frame::FrameReport;

#[derive(Debug, Args)]
pub(super) struct FrameArgs {
    #[arg(value_name = "GAME|MODEL.gltf|DUMP.txt", help = sources())]
    source: PathBuf,
    /// Folder of the frame and what it names
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// A game with so many times fewer triangles, pixels and draws
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    scale: u32,
    /// Seed of a game's objects
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Size of a model's picture
    #[arg(long, value_name = "WxH", default_value = "640x480", value_parser = size)]
    size: [u32; 2],
    /// Frame of a dump, from 0 on; the last one if left out
    #[arg(long, value_name = "N")]
    frame: Option<usize>,
    /// Leave out calls of a dump that cannot be drawn, and count them
    #[arg(long)]
    skip: bool,
}

fn names() -> String {
    GAMES.map(|game| game.name).join(", ")
}

fn sources() -> String {
    format!(
        "A game of table 6.3 of CHOPIN's thesis ({}), a model in glTF 2.0 (.gltf, .glb), or OpenGL's calls as `apitrace \
         dump --blobs` writes them (.txt)",
        names()
    )
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let sides = text
        .split_once('x')
        .and_then(|(width, height)| Some([width.parse().ok()?, height.parse().ok()?]));
    let fits = sides.filter(|sides| sides.iter().all(|side| (1..=8192).contains(side)));
    fits.ok_or_else(|| {
        "width x height, each of 1 to 8192, is accepted, such as 640x480".to_string()
    })
}

pub(super) fn run(args: &FrameArgs, json: bool) -> Outcome {
    let (made, left_out) = make(args)?;
    // Read before it is put where it is wanted: no frame that cannot be drawn is left there.
    let scratch = tempfile::tempdir()?;
    let name = save(&made, scratch.path())?;
    let frame = load(&name)?;
    std::fs::create_dir_all(&args.out)
        .map_err(|error| UserError::new(format!("{}: {error}", args.out.display())))?;
    let path = save(&made, &args.out)?;
    let target = &frame.targets[frame.picture];
    let report = FrameReport {
        frame: path.display().to_string(),
        width: target.width,
        height: target.height,
        draws: frame.draws().count(),
        triangles: frame.triangles(),
        left_out,
    };
    match json {
        true => say_json(&report)?,
        false => say(report.text()),
    }
    Ok(ExitCode::SUCCESS)
}

fn make(args: &FrameArgs) -> Result<(Made, Vec<String>), UserError> {
    let source = args.source.display().to_string();
    let ends_in = |known: &str| args.source.extension().is_some_and(|it| it == known);
    if ends_in("gltf") || ends_in("glb") {
        return model(&args.source, args.size).map_err(UserError::new);
    }
    if ends_in("txt") {
        return trace(&args.source, args.frame, args.skip).map_err(UserError::new);
    }
    let game = game(&source).ok_or_else(|| {
        let known = names();
        UserError::new(format!(
            "no game {source}; there are: {known}; a model ends in .gltf or .glb, a dump in .txt"
        ))
    })?;
    let made = game.scaled(args.scale).make(args.seed).map_err(UserError::new)?;
    Ok((made, Vec::new()))
}

/// Writes the files, the frame last; its path.
fn save(made: &Made, folder: &Path) -> Result<PathBuf, UserError> {
    let mut path = PathBuf::new();
    for (name, bytes) in &made.files {
        path = folder.join(name);
        write(&path, bytes)?;
    }
    Ok(path)
}
