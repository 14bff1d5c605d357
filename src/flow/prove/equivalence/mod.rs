//! Whether a second design may stand in a first one's place: RTL and RTL, or RTL and netlist.
//!
//! The statement is about all sequences of inputs, from power-up or from a reset on. What is undefined in the first
//! design may be anything in the second. docs/proofs.md says what that means.

mod miter;
mod replay;
mod search;
mod side;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde::Serialize;
use warpsmith_testbench::dut::Dut;

use self::miter::{Miter, Output, Reset, Time};
pub use self::replay::{IVERILOG, Trace, VVP};
use self::replay::{Icarus, Replay};
use self::search::{Answer, Search};
use self::side::{Clock, Side, which};
use crate::flow::abc::ABC;
use crate::flow::folder::Folder;
use crate::flow::netlist::Direction;
use crate::flow::synth::record::ToolUsed;
use crate::flow::tool::{Program, Version};
use crate::flow::yosys::YOSYS;
use crate::flow::{FlowError, Tell};

/// The designs to compare.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The files of each design.
    pub sides: [Dut; 2],
    /// The top module of each.
    pub tops: [String; 2],
    /// Clocks of the reset before a comparison that begins with a reset.
    pub reset_clocks: u32,
    /// Time limit of each attempt.
    pub limit: Duration,
    /// The folder to work in.
    pub folder: PathBuf,
}

/// The record of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct EquivalenceRecord {
    /// Top module of the first.
    pub top: String,
    /// The verdict.
    #[serde(flatten)]
    pub verdict: Equivalence,
    /// From when on the verdict holds.
    pub from: String,
    /// The clocks of both designs: port and edge.
    pub clocks: Vec<String>,
    /// What else a reader of the verdict should know.
    pub notes: Vec<String>,
    /// Programs with their versions.
    pub tools: Vec<ToolUsed>,
    /// Wall time in seconds.
    pub seconds: f64,
    /// The folder of netlists, logs and waves.
    pub folder: PathBuf,
}

/// Whether the second design may stand in the first one's place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Equivalence {
    /// It may.
    Proven {
        /// The argument.
        by: String,
    },
    /// It may not: a simulation shows the difference.
    Different {
        /// The step of the difference, counted from power-up.
        clock: usize,
        /// The simulation.
        trace: Trace,
    },
    /// Undecided.
    NotProven {
        /// The reason.
        why: String,
    },
}

const POWER_UP: &str = "power-up";

/// Compares two designs.
///
/// # Errors
/// Returns [`FlowError`] if an input is unusable or a tool is missing or fails.
pub fn compare(what: &Comparison, tell: Tell<'_>) -> Result<EquivalenceRecord, FlowError> {
    let started = Instant::now();
    tell("starting yosys (from PyPI it compiles itself at its first start: a minute)");
    let yosys = YOSYS.find()?;
    yosys.need(Version(0, 33), " for proofs", YOSYS.packages)?;
    let abc = ABC.find()?;
    let icarus = Icarus { compiler: IVERILOG.find()?, simulator: VVP.find()? };
    let folder = Folder::empty(&what.folder)?;
    let read = |name, index: usize| {
        tell(&format!("reading {}", which(name)));
        Side::read(name, &what.sides[index], &what.tops[index], &yosys, &folder, what.limit)
    };
    let (a, mut b) = (read("a", 0)?, read("b", 1)?);
    let mapped = &what.sides[1];
    if !mapped.map.is_empty() || !mapped.ties.is_empty() || mapped.reset_is_low {
        b = b.in_place_of(&a, mapped, &yosys, &folder, what.limit)?;
    }
    let sides = [a, b];
    same_ports(&sides)?;
    if let Some(at) = sides[0].tristate() {
        return Err(FlowError::Input(format!(
            "the first design drives z ({at}); --equiv compares values, not released wires: give value and enable as \
             two outputs"
        )));
    }
    let [a, b] = [sides[0].clocks()?, sides[1].clocks()?];
    let clocks: Vec<_> = a.all.union(&b.all).map(named).collect();
    let time = Time::of(a, b);
    let reset = reset_of(&sides[0], what.reset_clocks);
    let run = Run {
        what,
        yosys: &yosys,
        abc: &abc,
        icarus: &icarus,
        folder: &folder,
        sides: &sides,
        time: &time,
        tell,
    };
    let (verdict, from, notes) = run.verdict(reset.as_ref())?;
    Ok(EquivalenceRecord {
        top: what.tops[0].clone(),
        verdict,
        from,
        clocks,
        notes,
        tools: [&yosys, &abc, &icarus.compiler].map(ToolUsed::from).into(),
        seconds: started.elapsed().as_secs_f64(),
        folder: folder.path().to_owned(),
    })
}

fn named(clock: &Clock) -> String {
    format!("{}edge {}[{}]", if clock.rises { "pos" } else { "neg" }, clock.port, clock.bit)
}

/// Names of resets that are active high, and low.
const RESETS: [(&[&str], bool); 2] = [
    (&["rst", "reset", "rst_i", "reset_i", "arst", "areset"], true),
    (&["rst_n", "rst_ni", "rstn", "reset_n", "resetn", "reset_ni", "arst_n", "aresetn"], false),
];

/// The reset of a comparison that begins with one, recognised by its name.
fn reset_of(side: &Side, clocks: u32) -> Option<Reset> {
    let ports = side.ports(Direction::Input);
    let (port, is_high) = ports.iter().filter(|(_, width)| *width == 1).find_map(|(port, _)| {
        let (_, is_high) = RESETS.iter().find(|(names, _)| names.contains(&port.as_str()))?;
        Some((port.clone(), *is_high))
    })?;
    Some(Reset { port, is_high, clocks })
}

/// Requires that both have the same ports.
fn same_ports(sides: &[Side; 2]) -> Result<(), FlowError> {
    let ports = |side: &Side| {
        let ports = side.module.ports.iter();
        ports
            .map(|(name, port)| (name.clone(), port.direction, port.bits.len()))
            .collect::<Vec<_>>()
    };
    let (a, b) = (ports(&sides[0]), ports(&sides[1]));
    let top = &sides[0].top;
    if let Some((name, ..)) = a.iter().find(|port| !b.contains(port)) {
        return Err(FlowError::Input(format!(
            "port {name} of {top} is not the same in both; the same ports, with the same widths, are accepted; \
             --map b:THEIRS={name} gives a port of the second the first one's name"
        )));
    }
    match b.iter().find(|port| !a.contains(port)) {
        Some((name, ..)) => {
            Err(FlowError::Input(format!("port {name} of {top} is only in the second")))
        }
        None => Ok(()),
    }
}

struct Run<'a> {
    what: &'a Comparison,
    yosys: &'a Program,
    abc: &'a Program,
    icarus: &'a Icarus,
    folder: &'a Folder,
    sides: &'a [Side; 2],
    time: &'a Time,
    tell: Tell<'a>,
}

impl Run<'_> {
    /// Tries the stronger statement first: from power-up on, whatever the inputs are. Where it does not hold, a
    /// reset comes first.
    fn verdict(
        &self,
        reset: Option<&Reset>,
    ) -> Result<(Equivalence, String, Vec<String>), FlowError> {
        (self.tell)("comparing from power-up");
        let part = if reset.is_some() { 4 } else { 1 };
        let (verdict, mut notes) = self.statement("power-up", None, self.what.limit / part)?;
        let Some(reset) = reset.filter(|_| !matches!(verdict, Equivalence::Proven { .. })) else {
            return Ok((verdict, POWER_UP.to_string(), notes));
        };
        (self.tell)("comparing from a reset");
        notes = match &verdict {
            Equivalence::Different { trace, .. } => vec![format!(
                "without a reset they differ: in step {} after power-up {} is {} in the first and {} in the second",
                trace.step, trace.output, trace.values[0], trace.values[1]
            )],
            _ => vec!["that they are alike without a reset is not shown".to_string()],
        };
        let (verdict, more) = self.statement("reset", Some(reset), self.what.limit)?;
        notes.extend(more);
        let level = u8::from(reset.is_high);
        let clocks = if reset.clocks == 1 { "clock" } else { "clocks" };
        Ok((verdict, format!("{} {clocks} with {} = {level}", reset.clocks, reset.port), notes))
    }

    fn statement(
        &self,
        name: &str,
        reset: Option<&Reset>,
        limit: Duration,
    ) -> Result<(Equivalence, Vec<String>), FlowError> {
        let miter = Miter { sides: self.sides, time: self.time, reset };
        miter.write(self.yosys, self.folder, name, self.what.limit * 4)?;
        let search = Search { abc: self.abc, folder: self.folder, name, limit };
        search.merge()?;
        let (icarus, folder) = (self.icarus, self.folder);
        let replay = Replay {
            icarus,
            folder,
            sides: self.sides,
            time: self.time,
            reset,
            limit: self.what.limit,
        };
        let mut engines = Vec::new();
        let mut undecided = None;
        for output in [Output::Hardware, Output::Simulated] {
            match search.answer(output)? {
                Answer::Never(engine) => engines.push(engine),
                Answer::Open => {
                    let why =
                        format!("neither a proof nor a difference within {} s", limit.as_secs());
                    return Ok((Equivalence::NotProven { why }, Vec::new()));
                }
                Answer::Reached(stimulus) => {
                    let stem = format!("{name}_{}", output.name());
                    if let Some(trace) = replay.difference(&stem, &stimulus)? {
                        let verdict = Equivalence::Different { clock: trace.step, trace };
                        return Ok((verdict, Vec::new()));
                    }
                    undecided.get_or_insert_with(|| hidden(output, stimulus.steps.len()));
                }
            }
        }
        if let Some(why) = undecided {
            return Ok((Equivalence::NotProven { why }, Vec::new()));
        }
        engines.dedup();
        let mut notes = Vec::new();
        let brief = Search { limit: limit / 10, ..search };
        if let Answer::Reached(stimulus) = brief.answer(Output::Undefined)?
            && let Some(trace) = replay.difference(&format!("{name}_undefined"), &stimulus)?
        {
            notes.push(format!(
                "a simulator shows {} = {} in the first and {} in the second in step {}: it does not know that every \
                 value of what is undefined there gives the same",
                trace.output, trace.values[0], trace.values[1], trace.step
            ));
        }
        Ok((Equivalence::Proven { by: format!("yosys and abc: {}", engines.join(" and ")) }, notes))
    }
}

/// The reason of an undecided comparison with a trace that simulation does not show.
fn hidden(output: Output, steps: usize) -> String {
    match output {
        Output::Hardware => format!(
            "after {steps} steps an output of the second depends on an undefined value where the first is defined, but \
             simulators hide it: they take the `else` of an undefined condition. Give registers a reset or an initial \
             value"
        ),
        _ => format!("a difference after {steps} steps is not seen in Icarus Verilog"),
    }
}
