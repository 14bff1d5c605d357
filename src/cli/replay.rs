//! Replays of a mismatch: reading the file, and the command to print.

use std::path::Path;

use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::episode::Replay;

use super::UserError;
use super::cosim::CosimArgs;
use super::design::quoted;

/// The command that replays the recorded file, or else repeats the arguments; `subject` are the arguments
/// that choose the simulated circuit.
pub(super) fn command(args: &CosimArgs, subject: &str, file: Option<&Path>) -> String {
    let replay = |file: &Path| format!("--replay {}", quoted(&file.display().to_string()));
    let what = match (file, &args.replay) {
        (Some(file), _) => replay(file),
        (None, Some(file)) => replay(file),
        (None, None) => {
            let stalls = Stalls::from(args.stalls).name();
            let stream = args.stream.iter().map(|stream| format!(" --stream {stream}"));
            let episodes = args.episodes.iter().map(|count| format!(" --episodes {count}"));
            let more: String = stream.chain(episodes).collect();
            format!("--requests {} --seed {} --stalls {stalls}{more}", args.requests, args.seed)
        }
    };
    format!("warpsmith cosim {}{subject} {what}", args.design.as_arguments())
}

/// Reads the recorded episode of a file, which must be of this design.
pub(super) fn read(path: &Path, bench: &Bench<'_>) -> Result<Replay, UserError> {
    let name = path.display();
    let wrong = |why: String| UserError::new(format!("--replay {name}: {why}"));
    // Reading a pipe would wait for its writer.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(wrong("it is not a regular file".to_string()));
    }
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let replay: Replay = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let design = bench.design();
    if replay.block != design.name() {
        return Err(wrong(format!("it is of {}, not of {}", replay.block, design.name())));
    }
    let params = serde_json::to_value(design.params())?;
    for (name, ours) in params.as_object().into_iter().flatten() {
        let theirs = &replay.params[name];
        if theirs != ours {
            return Err(wrong(format!(
                "its parameters differ: {name} is {theirs} there, {ours} here; give the same \
                 --preset, --params and --set"
            )));
        }
    }
    bench.check_replay(&replay).map_err(wrong)?;
    Ok(replay)
}
