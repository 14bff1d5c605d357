//! The search for a difference with ABC, and its proofs that there is none.

use std::collections::BTreeMap;
use std::time::Duration;

use super::miter::Output;
use crate::flow::FlowError;
use crate::flow::abc::has_proven;
use crate::flow::folder::Folder;
use crate::flow::tool::{Program, ToolError};

/// Engines in the order in which they are tried, each with the fraction (1/n) of the limit that it gets: the first
/// proves most equalities, the second finds short traces, the last gets all the time.
const ATTEMPTS: [(&str, u64); 3] = [("pdr", 20), ("bmc3", 5), ("pdr", 1)];
/// Wall-clock time allowed for each second of an engine's own limit.
const PATIENCE: u32 = 4;

/// The values of all inputs in each step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stimulus {
    /// Bits of the inputs by name, lowest first, in each step; missing inputs are 0.
    pub steps: Vec<BTreeMap<String, Vec<bool>>>,
}

/// The answer about an output of the miter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// It is never 1.
    Never(&'static str),
    /// It is 1 in the last of these steps.
    Reached(Stimulus),
    /// Neither was found in time.
    Open,
}

pub(super) struct Search<'a> {
    pub abc: &'a Program,
    pub folder: &'a Folder,
    pub name: &'a str,
    pub limit: Duration,
}

impl Search<'_> {
    /// Merges what the sides of the miter have in common.
    pub fn merge(&self) -> Result<(), FlowError> {
        let name = self.name;
        let commands =
            format!("read_aiger {name}.aig; strash; scorr; write_aiger {name}-merged.aig");
        let merged = self.run("merge", &commands)?;
        if merged.is_none() || !self.folder.file(format!("{name}-merged.aig")).exists() {
            // It took too long, or there are no registers.
            let commands = format!("read_aiger {name}.aig; strash; write_aiger {name}-merged.aig");
            self.run("copy", &commands)?;
        }
        Ok(())
    }

    /// Whether an output is ever 1.
    pub fn answer(&self, output: Output) -> Result<Answer, FlowError> {
        let name = self.name;
        let map = self.folder.read(&format!("{name}.map"))?;
        let Some(number) = number(&map, output.name()) else {
            return Ok(Answer::Never("opt"));
        };
        for (step, (engine, part)) in ATTEMPTS.into_iter().enumerate() {
            let seconds = self.limit.as_secs().div_ceil(part);
            let trace = format!("{name}-{number}.cex");
            let commands = format!(
                "read_aiger {name}-merged.aig; cone -s -O {number}; strash; {engine} -T {seconds}; write_cex -n {trace}"
            );
            let Some(log) = self.run(&format!("{number}-{step}-{engine}"), &commands)? else {
                continue;
            };
            if has_proven(&log) {
                return Ok(Answer::Never(engine));
            }
            if log.contains("was asserted in frame") {
                return Ok(Answer::Reached(read(&self.folder.read(&trace)?, &map)));
            }
        }
        Ok(Answer::Open)
    }

    /// ABC's log; none if it took too long.
    fn run(&self, step: &str, commands: &str) -> Result<Option<String>, FlowError> {
        let log = format!("{}-{step}.log", self.name);
        let patience = self.limit * PATIENCE + Duration::from_secs(10);
        // It exits with an error if there is no trace to write.
        match self.abc.try_run(self.folder.path(), &["-q", commands], &log, patience) {
            Ok(_) => self.folder.read(&log).map(Some),
            Err(ToolError::TimedOut { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// The number of an output; none if it is constant.
fn number(map: &str, output: &str) -> Option<usize> {
    map.lines().find_map(|line| match line.split_whitespace().collect::<Vec<_>>()[..] {
        ["output", number, _, name] if name == output => number.parse().ok(),
        _ => None,
    })
}

/// Reads lines such as `pi12@3=1`; the map gives name and bit of input 12.
fn read(trace: &str, map: &str) -> Stimulus {
    let mut inputs = BTreeMap::new();
    for line in map.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        if let ["input", index, bit, name] = words[..]
            && let (Ok(index), Ok(bit)) = (index.parse::<usize>(), bit.parse::<usize>())
        {
            inputs.insert(index, (name.strip_prefix("free_").unwrap_or(name), bit));
        }
    }
    let mut stimulus = Stimulus::default();
    for line in trace.lines() {
        let assignment = line.strip_prefix("pi").and_then(|line| line.split_once('@'));
        let Some((input, rest)) = assignment else { continue };
        let Some((step, value)) = rest.split_once('=') else { continue };
        let (Ok(input), Ok(step)) = (input.parse::<usize>(), step.parse::<usize>()) else {
            continue;
        };
        if stimulus.steps.len() <= step {
            stimulus.steps.resize(step + 1, BTreeMap::new());
        }
        if let Some((name, bit)) = inputs.get(&input) {
            let bits = stimulus.steps[step].entry((*name).to_string()).or_default();
            if bits.len() <= *bit {
                bits.resize(bit + 1, false);
            }
            bits[*bit] = value.trim() == "1";
        }
    }
    stimulus
}
