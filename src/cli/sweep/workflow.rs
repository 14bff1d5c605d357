//! The commands of a sweep, for Snakemake.

use std::path::Path;
use std::process::ExitCode;

use super::SweepArgs;
use crate::cli::design::quoted;
use crate::cli::measured::Measured;
use crate::cli::{Outcome, say};
use crate::sweep::grid::{Point, plain};
use crate::sweep::workflow::Workflow;

/// Writes the workflow for these points.
pub(super) fn write(
    args: &SweepArgs,
    settings: &[(String, toml::Value)],
    points: &[Point],
    measured: &Measured,
    folder: &Path,
) -> Outcome {
    // The values of a parameter file go into the commands, since the workflow may run elsewhere.
    let command = |name: &str, varied: &[(String, toml::Value)]| {
        let mut words = vec![name.to_string(), args.design.block.clone()];
        words.extend(["--preset".to_string(), args.design.preset.clone()]);
        let set = |(name, value): &(String, toml::Value)| format!("{name}={}", plain(value));
        words.extend(settings.iter().chain(varied).flat_map(|s| ["--set".to_string(), set(s)]));
        words
    };
    let synth = |point: &Point| line(&[command("synth", &point.varied), measured.target.clone()]);
    let cosim = |point: &Point| line(&[command("cosim", &point.varied), measured.cosim.clone()]);
    let repeated = |option: &str, values: &[String]| {
        values.iter().flat_map(|value| [option.to_string(), value.clone()]).collect::<Vec<_>>()
    };
    let (vary, plot) = (repeated("--vary", &args.vary), repeated("--plot", &args.plot));
    let gather = line(&[command("sweep", &[]), vary, measured.sweep.clone(), plot]);

    let program = std::env::current_exe()?.display().to_string();
    let workflow = Workflow {
        program: &program,
        points,
        synth: measured.asked.synth.is_some().then_some(&synth),
        cosim: measured.asked.traffic.is_some().then_some(&cosim),
        gather,
    };
    let emission = workflow.emission(folder);
    emission.write()?;
    emission.files.iter().for_each(|(path, _)| say(format!("wrote {}", path.display())));
    let impossible = points.iter().filter(|point| point.design.is_err()).count();
    let possible = points.len() - impossible;
    say(format!("{possible} points, {impossible} impossible ones left out"));
    let folder = quoted(&folder.display().to_string());
    say(format!("run it:  cd {folder} && snakemake --cores 2"));
    Ok(ExitCode::SUCCESS)
}

/// Formats a command for the shell.
fn line(parts: &[Vec<String>]) -> String {
    parts.iter().flatten().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}
