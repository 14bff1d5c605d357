//! One command on one feature.

use serde::Deserialize;

use super::feature::{DATA, Feature, base};
use super::support::{Ended, Scratch, run, schema};

/// A command that reads a user's Verilog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Flow {
    Cosim,
    Prove,
    Equiv,
    Mutate,
    Synth,
}

pub const FLOWS: [Flow; 5] = [Flow::Cosim, Flow::Prove, Flow::Equiv, Flow::Mutate, Flow::Synth];

/// Flip-flops of `base.v`; its memory is read without a clock, so it is flip-flops, too.
const FLIP_FLOPS: u64 = 37;

/// Expected result of a command.
#[derive(Debug)]
pub enum Expected<'f> {
    /// Exit code and verdict.
    Verdict(i32, &'static str),
    /// Exit code 2 and words of the message.
    Refusal(Vec<&'f str>),
    /// Flip-flops.
    FlipFlops(u64),
}

impl Flow {
    /// Expected result for a feature.
    pub fn expected<'f>(self, feature: &'f Feature, wrong: bool) -> Expected<'f> {
        let words = wrong.then(|| feature.wrong_refused.get(&self)).flatten();
        if let Some(words) = words.or_else(|| feature.refused.get(&self)) {
            return Expected::Refusal(words.iter().map(String::as_str).collect());
        }
        match (self, wrong && !feature.unseen.contains(&self)) {
            (Flow::Cosim, false) => Expected::Verdict(0, "EQUAL: "),
            (Flow::Cosim, true) => Expected::Verdict(1, "MISMATCH"),
            (Flow::Prove, false) => Expected::Verdict(0, "HOLDS: "),
            (Flow::Prove, true) => Expected::Verdict(1, "FAILS: "),
            (Flow::Equiv, false) => Expected::Verdict(0, "EQUIVALENT"),
            (Flow::Equiv, true) => Expected::Verdict(1, "DIFFERENT"),
            (Flow::Mutate, false) => Expected::Verdict(0, "of the faults were found"),
            // Nothing can be said of the faults in a circuit that is wrong without them.
            (Flow::Mutate, true) => {
                Expected::Refusal(vec!["differs from its reference without any mutation"])
            }
            (Flow::Synth, _) => Expected::FlipFlops(feature.flip_flops.unwrap_or(FLIP_FLOPS)),
        }
    }

    fn arguments(self, feature: &Feature) -> Vec<&str> {
        let file = feature.file.as_str();
        let mut arguments = match self {
            Flow::Cosim => vec!["cosim", "s_fifo", "--requests", "3000", "--no-waves"],
            Flow::Prove => vec!["prove", "s_fifo", "--only", "bounded", "--depth", "7"],
            Flow::Equiv => {
                let first = if feature.against_itself { "right.sv" } else { "base.v" };
                vec!["prove", "--equiv", first, file, "--top", "s_fifo", "--timeout", "60"]
            }
            Flow::Mutate => {
                let few =
                    ["--count", "4", "--requests", "2000", "--jobs", "1", "--proof-limit", "20"];
                [&["mutate", "s_fifo"][..], &few].concat()
            }
            Flow::Synth => vec!["synth", "s_fifo", "--target", "ice40", "--seeds", "1", "--json"],
        };
        if self != Flow::Equiv {
            arguments.extend(["--dut", file]);
        }
        // The ports of a circuit that is compared with itself are the same.
        if self != Flow::Equiv || !feature.against_itself {
            arguments.extend(feature.options.split_whitespace());
        }
        arguments
    }
}

/// Runs a command on a feature; what is not as expected, if anything.
pub fn fault(feature: &Feature, flow: Flow, wrong: bool) -> Option<String> {
    let scratch = Scratch::new();
    let write =
        |name: &str, text: String| std::fs::write(scratch.path(name), text).expect("writable");
    let (text, data) = feature.text(wrong);
    write(&feature.file, text);
    write(DATA, data);
    write("base.v", base());
    write("right.sv", feature.text(false).0);
    let ended = run(&scratch, &flow.arguments(feature));
    let expected = flow.expected(feature, wrong);
    let is_right = match &expected {
        Expected::Verdict(code, words) => ended.code == *code && says(&ended, words),
        Expected::Refusal(words) => {
            ended.code == 2
                && !words.is_empty()
                && words.iter().all(|word| ended.stderr.contains(word))
        }
        Expected::FlipFlops(count) => {
            ended.code == 0 && schema::document(&ended)["fpga"]["ff"] == *count
        }
    };
    let variant = if wrong { "with its error" } else { "right" };
    (!is_right).then(|| {
        let Ended { code, stdout, stderr } = &ended;
        let tail: Vec<_> = stdout.lines().rev().take(8).collect();
        let tail: Vec<_> = tail.into_iter().rev().collect();
        format!(
            "{}, {variant}: {flow:?}: {expected:?}, but exit code {code}:\n{}\n{stderr}",
            feature.name,
            tail.join("\n")
        )
    })
}

/// Whether the verdict is the last lines' one.
fn says(ended: &Ended, words: &str) -> bool {
    ended.stdout.lines().rev().take(3).any(|line| line.contains(words))
}
