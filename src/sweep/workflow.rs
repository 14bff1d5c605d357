//! A sweep as a Snakemake workflow: the same commands, one a point, for whatever runs them.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::grid::Point;
use crate::emission::Emission;

/// The commands of a sweep as a shell takes them, each without the program and without what says where its results go.
pub struct Workflow<'a> {
    /// The program to call.
    pub program: &'a str,
    /// The grid; impossible points are left out.
    pub points: &'a [Point],
    /// The command that makes a point's area and timing, if they are asked for.
    pub synth: Option<&'a dyn Fn(&Point) -> String>,
    /// The command that makes a point's clocks per request, if they are asked for.
    pub cosim: Option<&'a dyn Fn(&Point) -> String>,
    /// The command that gathers them.
    pub gather: String,
}

impl Workflow<'_> {
    /// The workflow's two files, for that folder.
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
