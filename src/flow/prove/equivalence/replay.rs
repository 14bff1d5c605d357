//! A counterexample, replayed in Icarus Verilog from the user's own files: four-valued simulation has the last word
//! on whether two designs differ.

use std::fmt::Write as _;
use std::time::Duration;

use serde::Serialize;

use super::miter::{Reset, Time, escaped};
use super::search::Stimulus;
use super::side::{Side, which};
use crate::flow::FlowError;
use crate::flow::folder::Folder;
use crate::flow::netlist::Direction;
use crate::flow::tool::{Program, Tool, ToolError, Version};

/// Icarus Verilog's compiler.
pub const IVERILOG: Tool = Tool {
    name: "iverilog",
    variable: "WARPSMITH_IVERILOG",
    programs: &["iverilog"],
    version_arguments: &["-V"],
    packages: "Debian's iverilog",
    at_least: Version(10, 0),
};

/// Icarus Verilog's simulator.
pub const VVP: Tool = Tool {
    name: "vvp",
    variable: "WARPSMITH_VVP",
    programs: &["vvp"],
    version_arguments: &["-V"],
    packages: "Debian's iverilog",
    at_least: Version(10, 0),
};

/// Most steps of a table; earlier ones are left out.
const SHOWN: usize = 20;

/// A trace of both designs up to their first difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Trace {
    /// The first output that differs.
    pub output: String,
    /// Its values in the two designs, in binary with x and z.
    pub values: [String; 2],
    /// The step of the difference, counted from 0 at power-up.
    pub step: usize,
    /// Names of the columns: inputs, then each output in both designs.
    pub columns: Vec<String>,
    /// The number of each row's step, and the values of the columns.
    pub rows: Vec<(usize, Vec<String>)>,
    /// Files of waves, one for each design.
    pub waves: [String; 2],
    /// What was simulated, if not the files themselves.
    pub simulated: Option<String>,
}

/// The programs of Icarus Verilog.
pub(super) struct Icarus {
    pub compiler: Program,
    pub simulator: Program,
}

pub(super) struct Replay<'a> {
    pub icarus: &'a Icarus,
    pub folder: &'a Folder,
    pub sides: &'a [Side; 2],
    pub time: &'a Time,
    pub reset: Option<&'a Reset>,
    pub limit: Duration,
}

/// The output values of each step.
type Outputs = Vec<Vec<String>>;

impl Replay<'_> {
    /// The first step at which an output of the first design is 0 or 1 and that of the second is not the same.
    pub fn difference(&self, name: &str, stimulus: &Stimulus) -> Result<Option<Trace>, FlowError> {
        let [a, b] = self.sides;
        let ((of_a, note_a), (of_b, note_b)) =
            (self.simulate(a, name, stimulus)?, self.simulate(b, name, stimulus)?);
        let outputs = a.ports(Direction::Output);
        let started = self.started(stimulus);
        let differ = |step: usize, port: usize| match (of_a.get(step), of_b.get(step)) {
            (Some(a), Some(b)) => refines(&a[port], &b[port]),
            _ => true,
        };
        let places = (0..stimulus.steps.len()).filter(|step| started[*step]);
        let mut places = places.flat_map(|step| (0..outputs.len()).map(move |port| (step, port)));
        let Some((step, port)) = places.find(|(step, port)| !differ(*step, *port)) else {
            return Ok(None);
        };
        let inputs = a.ports(Direction::Input);
        let mut columns: Vec<_> = inputs.iter().map(|(name, _)| name.clone()).collect();
        columns.extend(
            outputs.iter().flat_map(|(name, _)| [format!("{name} (1st)"), format!("{name} (2nd)")]),
        );
        let row = |step: usize| {
            let inputs =
                inputs.iter().map(|(name, width)| self.value(stimulus, step, name, *width));
            let outputs = (0..outputs.len())
                .flat_map(|port| [of_a[step][port].clone(), of_b[step][port].clone()]);
            (step, inputs.chain(outputs).collect())
        };
        Ok(Some(Trace {
            output: outputs[port].0.clone(),
            values: [of_a[step][port].clone(), of_b[step][port].clone()],
            step,
            columns,
            rows: (step.saturating_sub(SHOWN - 1)..=step).map(row).collect(),
            waves: [a, b].map(|side| format!("{}.vcd", stem(name, side))),
            simulated: note_a.or(note_b),
        }))
    }

    /// Simulates a design: its files, or yosys's netlist of them where Icarus refuses the files.
    fn simulate(
        &self,
        side: &Side,
        name: &str,
        stimulus: &Stimulus,
    ) -> Result<(Outputs, Option<String>), FlowError> {
        let stem = stem(name, side);
        self.folder.write(&format!("{stem}_tb.v"), &self.bench(side, &stem, stimulus))?;
        let mut own: Vec<String> = side.users.options.clone();
        own.extend(["-DSYNTHESIS=1".to_string(), "-DYOSYS=1".to_string()]);
        own.extend(side.users.files.iter().cloned());
        own.extend(side.wrapper.map(str::to_string));
        let note = match self.compile(&stem, &own)? {
            true => None,
            false => {
                let netlist = format!("{}-netlist.v", side.name);
                if !self.compile(&stem, std::slice::from_ref(&netlist))? {
                    return Err(FlowError::Report {
                        path: self.folder.file(format!("{stem}_iverilog.log")),
                        what: "Icarus Verilog takes neither the files nor yosys's netlist of them"
                            .to_string(),
                    });
                }
                Some(format!(
                    "yosys's netlist of {}, whose files Icarus Verilog does not take",
                    which(side.name)
                ))
            }
        };
        let log = format!("{stem}_vvp.log");
        self.icarus.simulator.run(
            self.folder.path(),
            &["-n", &format!("{stem}.vvp")],
            &log,
            self.limit,
        )?;
        let text = self.folder.read(&log)?;
        let lines = text.lines().filter_map(|line| line.strip_prefix("step "));
        let outputs =
            lines.map(|line| line.split_whitespace().skip(1).map(str::to_string).collect());
        let outputs: Outputs = outputs.collect();
        match outputs.len() == stimulus.steps.len() {
            true => Ok((outputs, note)),
            false => Err(FlowError::Report {
                path: self.folder.file(log),
                what: format!("{} of {} steps were simulated", outputs.len(), stimulus.steps.len()),
            }),
        }
    }

    fn compile(&self, stem: &str, sources: &[String]) -> Result<bool, FlowError> {
        let out = format!("{stem}.vvp");
        let bench = format!("{stem}_tb.v");
        let mut arguments = vec!["-g2012", "-s", "warpsmith_replay", "-o", &out, &bench];
        arguments.extend(sources.iter().map(String::as_str));
        let log = format!("{stem}_iverilog.log");
        match self.icarus.compiler.run(self.folder.path(), &arguments, &log, self.limit) {
            Ok(_) => Ok(true),
            Err(ToolError::Failed { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// A testbench that applies the inputs of each step and prints the outputs.
    fn bench(&self, side: &Side, stem: &str, stimulus: &Stimulus) -> String {
        let (inputs, outputs) = (side.ports(Direction::Input), side.ports(Direction::Output));
        let mut text = "`timescale 1ns/1ps\nmodule warpsmith_replay;\n".to_string();
        for (name, width) in &inputs {
            // A clock has its first value without an edge; other inputs change from x.
            let first = match self.is_clock(name) {
                true => format!(" = {width}'b{}", self.first(stimulus, name, *width)),
                false => String::new(),
            };
            let _ = writeln!(text, "  reg [{}:0] {}{first};", width - 1, escaped(name));
        }
        for (name, width) in &outputs {
            let _ = writeln!(text, "  wire [{}:0] {};", width - 1, escaped(name));
        }
        let ports =
            inputs.iter().chain(&outputs).map(|(name, _)| format!(".{0}({0})", escaped(name)));
        let values = side.parameters.iter().map(|(name, value)| format!(".{name}({value})"));
        let values: Vec<_> = values.collect();
        let values =
            if values.is_empty() { String::new() } else { format!("#({}) ", values.join(", ")) };
        let ports = ports.collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "  {} {values}dut ({ports});", escaped(&side.top));
        let _ = writeln!(text, "  initial begin\n    $dumpfile(\"{stem}.vcd\");\n    $dumpvars;");
        for step in 0..stimulus.steps.len() {
            let assigned = |clocks: bool| {
                let chosen = inputs.iter().filter(|(name, _)| self.is_clock(name) == clocks);
                let chosen = chosen.map(|(name, width)| {
                    format!(
                        "{} = {width}'b{};",
                        escaped(name),
                        self.value(stimulus, step, name, *width)
                    )
                });
                chosen.collect::<Vec<_>>().join(" ")
            };
            let shown = outputs.iter().map(|(name, _)| escaped(name)).collect::<Vec<_>>();
            let format = vec!["%b"; shown.len()].join(" ");
            let arguments: String = shown.iter().map(|name| format!(", {name}")).collect();
            let clocks = match self.time {
                Time::Periods => String::new(),
                Time::Events(_) => format!("{} #1 ", assigned(true)),
            };
            let _ = writeln!(
                text,
                "    {clocks}{} #1 $display(\"step {step} {format}\"{arguments});{}",
                assigned(false),
                self.period()
            );
        }
        text + "    $finish;\n  end\nendmodule\n"
    }

    /// The active edge at the end of a period, and the way back.
    fn period(&self) -> String {
        let Some((name, rises)) = self.single_clock() else { return String::new() };
        let (active, idle) = if rises { (1, 0) } else { (0, 1) };
        format!(" #1 {0} = {active}; #1 {0} = {idle};", escaped(&name))
    }

    /// The only clock, where a step is its period. It has one bit.
    fn single_clock(&self) -> Option<(String, bool)> {
        if *self.time != Time::Periods {
            return None;
        }
        let clocks = self.sides.iter().filter_map(|side| side.clocks().ok());
        let clock = clocks.flat_map(|clocks| clocks.all).next()?;
        Some((clock.port, clock.rises))
    }

    fn is_clock(&self, name: &str) -> bool {
        match self.time {
            Time::Periods => self.single_clock().is_some_and(|(clock, _)| clock == name),
            Time::Events(clocks) => clocks.iter().any(|clock| clock.port == name),
        }
    }

    /// The value before the first edge.
    fn first(&self, stimulus: &Stimulus, name: &str, width: usize) -> String {
        match self.single_clock() {
            Some((_, rises)) => if rises { "0" } else { "1" }.to_string(),
            None => self.value(stimulus, 0, name, width),
        }
    }

    /// An input's value in binary; the reset is active until the comparison begins.
    fn value(&self, stimulus: &Stimulus, step: usize, name: &str, width: usize) -> String {
        if let Some(reset) = self.reset.filter(|reset| reset.port == name)
            && !self.started(stimulus)[step]
        {
            return u8::from(reset.is_high).to_string();
        }
        let bits = stimulus.steps[step].get(name).map(Vec::as_slice).unwrap_or_default();
        let bit = |bit: usize| if bits.get(bit).copied().unwrap_or_default() { '1' } else { '0' };
        (0..width).rev().map(bit).collect()
    }

    /// Whether the reset is over, in each step.
    fn started(&self, stimulus: &Stimulus) -> Vec<bool> {
        let steps = stimulus.steps.len();
        let Some(reset) = self.reset else { return vec![true; steps] };
        let Time::Events(clocks) = self.time else {
            return (0..steps).map(|step| step >= reset.clocks as usize).collect();
        };
        let value = |step: usize, port: &str, bit: usize| {
            stimulus.steps[step]
                .get(port)
                .and_then(|bits| bits.get(bit).copied())
                .unwrap_or_default()
        };
        let mut counts = vec![0; clocks.len()];
        let mut started = Vec::new();
        for step in 0..steps {
            started.push(counts.iter().all(|count| *count >= reset.clocks));
            for (clock, count) in clocks.iter().zip(&mut counts) {
                let now = value(step, &clock.port, clock.bit);
                let before =
                    if step == 0 { clock.rises } else { value(step - 1, &clock.port, clock.bit) };
                *count += u32::from(now != before && now == clock.rises);
            }
        }
        started
    }
}

fn stem(name: &str, side: &Side) -> String {
    format!("{name}_{}", side.name)
}

/// Whether the second value is the first wherever the first is 0 or 1. A released output (z) is a value too.
fn refines(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.chars().zip(b.chars()).all(|(a, b)| a == 'x' || a == b)
}
