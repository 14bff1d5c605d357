//! Wrong Verilog as users write it, with the expected messages. `table.toml` has the cases; most are the
//! hand-written directory with one line changed.

#[path = "../support/mod.rs"]
mod support;

mod cache;
mod fifo;
mod origin;
mod parts;
mod pipes;
mod ports;
mod reads;
mod reset;

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use support::{Ended, Scratch, needs_verilator, run};
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::Models;
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::{Plan, first_mismatch};
use warpsmith_testbench::dut::Dut;

/// A piece of Verilog, its arguments, and the expected message.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stranger {
    /// The mistake.
    name: String,
    /// Texts of the hand-written directory with their replacements; the result becomes `mine.v`.
    #[serde(default)]
    edits: Vec<(String, String)>,
    /// Further files with their text.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// A file to write as UTF-16.
    #[serde(default)]
    utf16: Option<String>,
    /// Arguments besides the block and its preset; `--dut mine.v` if absent.
    #[serde(default)]
    arguments: Option<String>,
    /// Exit code.
    code: i32,
    /// Expected words of the output.
    says: Vec<String>,
    /// Whether a model must be compiled to find it.
    #[serde(default)]
    compiled: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    stranger: Vec<Stranger>,
}

fn strangers() -> Vec<Stranger> {
    let table: Table = toml::from_str(include_str!("table.toml")).expect("a table");
    table.stranger
}

fn handwritten() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/handwritten/hmg_directory.v");
    std::fs::read_to_string(path).expect("the directory written by hand")
}

impl Stranger {
    /// Writes its files to a folder of its own.
    fn written(&self) -> Scratch {
        let scratch = Scratch::new();
        let mut text = handwritten();
        for (from, to) in &self.edits {
            assert!(text.contains(from.as_str()), "{}: `{from}` is not there", self.name);
            text = text.replace(from.as_str(), to);
        }
        std::fs::write(scratch.path("mine.v"), &text).unwrap();
        for (name, text) in &self.files {
            let path = scratch.path(name);
            std::fs::create_dir_all(path.parent().expect("in the folder")).unwrap();
            std::fs::write(path, text).unwrap();
        }
        if let Some(name) = &self.utf16 {
            let units = std::iter::once(0xfeff).chain(text.encode_utf16());
            let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
            std::fs::write(scratch.path(name), bytes).unwrap();
        }
        scratch
    }

    fn run(&self) -> Ended {
        let fixed = ["cosim", "hmg_directory", "--preset", "fpga", "--requests", "20000"];
        let given = self.arguments.as_deref().unwrap_or("--dut mine.v");
        let arguments: Vec<_> = fixed.into_iter().chain(given.split_whitespace()).collect();
        run(&self.written(), &arguments)
    }

    /// The unexpected part of a result.
    fn fault(&self, ended: &Ended) -> Option<String> {
        let told = format!("{}{}", ended.stdout, ended.stderr);
        let lacks: Vec<_> = self.says.iter().filter(|word| !told.contains(word.as_str())).collect();
        let is_right = ended.code == self.code && lacks.is_empty() && !self.says.is_empty();
        (!is_right).then(|| {
            format!("{}: exit code {}, not said: {lacks:?}, but:\n{told}", self.name, ended.code)
        })
    }
}

fn all_are_told(test: &str, chosen: impl Fn(&Stranger) -> bool, run: impl Fn(&Stranger) -> Ended) {
    if !needs_verilator(test) {
        return;
    }
    let table = strangers();
    let chosen: Vec<_> = table.iter().filter(|stranger| chosen(stranger)).collect();
    assert!(!chosen.is_empty());
    let faults: Vec<_> =
        chosen.iter().filter_map(|stranger| stranger.fault(&run(stranger))).collect();
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), chosen.len(), faults.join("\n"));
}

#[test]
fn there_are_eighty_and_each_has_a_name_of_its_own() {
    let table = strangers();
    let names: std::collections::BTreeSet<_> = table.iter().map(|s| &s.name).collect();
    assert_eq!(names.len(), table.len());
    assert!(table.len() >= 80, "{}", table.len());
}

#[test]
fn what_is_refused_before_a_model_is_built_is_named() {
    let test = "what_is_refused_before_a_model_is_built_is_named";
    all_are_told(test, |stranger| !stranger.compiled, Stranger::run);
}

#[test]
fn what_a_model_shows_before_any_transfer_and_what_is_only_warned_of_is_told() {
    let test = "what_a_model_shows_before_any_transfer_and_what_is_only_warned_of_is_told";
    all_are_told(test, |stranger| stranger.compiled && stranger.code != 1, Stranger::run);
}

/// Without shrinking, which the test below covers.
#[test]
fn what_differs_from_the_reference_is_found() {
    let test = "what_differs_from_the_reference_is_found";
    all_are_told(
        test,
        |stranger| stranger.code == 1,
        |stranger| {
            assert!(stranger.arguments.is_none(), "{}: it is run without", stranger.name);
            let scratch = stranger.written();
            let block = warpsmith_blocks::find("hmg_directory").expect("a block");
            let design = block.configure("fpga", &[]).expect("a preset");
            let circuit = design.circuit();
            let bench = Bench::new(&*design, &circuit);
            let dut = Dut::of_files(&[scratch.path("mine.v")]);
            let source = dut.source(&circuit).expect("it is Verilog");
            let models =
                Models::of_verilog(&source.verilog, bench.layout(), false).expect("a model");
            let (requests, stalls) = (65_536, Stalls::Random);
            let plan = Plan { requests, seed: 1, stream: 0, stalls, episodes: None };
            let mismatch = first_mismatch(&bench, &models, &plan).expect("a model");
            let warnings: String =
                source.warnings.iter().map(|warning| warning.to_string()).collect();
            Ended {
                code: i32::from(mismatch.is_some()),
                stdout: mismatch.map_or(String::new(), |found| found.divergence.to_string()),
                stderr: warnings,
            }
        },
    );
}

#[test]
#[ignore = "nightly: two models and a search for a small stream each"]
fn what_differs_from_the_reference_is_reported() {
    let test = "what_differs_from_the_reference_is_reported";
    all_are_told(test, |stranger| stranger.code == 1, Stranger::run);
}

#[test]
fn a_time_limit_ends_the_command_and_says_what_it_was_doing() {
    let arguments = ["cosim", "hmg_directory", "--requests", "100000000000", "--time-limit", "1"];
    let ended = run(&Scratch::new(), &arguments);
    assert_eq!(ended.code, 2, "{ended:?}");
    assert!(ended.stderr.contains("--time-limit 1: stopped while running after"), "{ended:?}");
}
