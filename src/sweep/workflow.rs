//! A sweep as a Snakemake workflow: one command per point.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::grid::Point;
use crate::emission::Emission;

/// The commands of a sweep for the shell, without the program and without the options for the output's
/// location.
pub struct Workflow<'a> {
    /// The program to call.
    pub program: &'a str,
    /// The grid; impossible points are left out.
    pub points: &'a [Point],
    /// The command for a point's area and timing, if requested.
    pub synth: Option<&'a dyn Fn(&Point) -> String>,
    /// The command for a point's clocks per request, if requested.
    pub cosim: Option<&'a dyn Fn(&Point) -> String>,
    /// The command that gathers the results.
    pub gather: String,
}

impl Workflow<'_> {
    /// The workflow's two files.
    pub fn emission(&self, folder: &Path) -> Emission {
        let config = serde_json::to_string_pretty(&self.config()).expect("a value is JSON") + "\n";
        let snakefile = include_str!("Snakefile").to_string();
        let files = [("Snakefile", snakefile), ("config.json", config)];
        Emission { files: files.map(|(name, text)| (folder.join(name), text)).into() }
    }

    fn config(&self) -> Value {
        let possible = self.points.iter().filter(|point| point.design.is_ok());
        let points = possible.map(|point| {
            let commands = [("synth", self.synth), ("cosim", self.cosim)];
            let commands = commands
                .into_iter()
                .filter_map(|(kind, command)| Some((kind.to_string(), json!(command?(point)))));
            (point.file_name(), Value::Object(commands.collect()))
        });
        json!({
            "warpsmith": self.program,
            "points": points.collect::<Map<_, _>>(),
            "gather": self.gather,
        })
    }
}
