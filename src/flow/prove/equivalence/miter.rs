//! The miter: both designs side by side, each with its undefined values made explicit.
//!
//! Yosys's `xprop` gives every bit of the first design a second bit, which says that it is undefined. The second
//! design is there twice: with free values for what is undefined in it, and encoded like the first. A further output,
//! `registers`, compares registers of the same name: what it compares, ABC merges.

use std::fmt::Write as _;
use std::time::Duration;

use super::side::{Clock, Clocks, READINGS, Side};
use crate::flow::FlowError;
use crate::flow::folder::Folder;
use crate::flow::netlist::Direction;
use crate::flow::tool::Program;
use crate::flow::yosys::run_script;

/// Outputs of the miter, each a kind of difference. A free input, `asked`, makes each 0 as well, since yosys does not
/// number constant outputs: one without a number is never 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// For some value of what is undefined in the second, it differs from a defined bit of the first.
    Hardware,
    /// In four-valued simulation, both are defined and differ.
    Simulated,
    /// In four-valued simulation, the second is undefined where the first is not.
    Undefined,
}

impl Output {
    /// Name in the miter.
    pub fn name(self) -> &'static str {
        match self {
            Output::Hardware => "hardware",
            Output::Simulated => "simulated",
            Output::Undefined => "undefined",
        }
    }
}

/// A reset before the comparison begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reset {
    /// The port, of one bit.
    pub port: String,
    /// Its active level.
    pub is_high: bool,
    /// Number of clocks for which it is active.
    pub clocks: u32,
}

/// How time passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Time {
    /// A step is a period of the only clock, at whose end its active edge comes.
    Periods,
    /// In a step any inputs change, also clocks; edges sample the values before the step.
    Events(Vec<Clock>),
}

impl Time {
    /// Periods where one clock is all that changes the state of both, else events.
    pub fn of(a: Clocks, b: Clocks) -> Self {
        let is_asynchronous = a.asynchronous || b.asynchronous;
        let all: Vec<_> = a.all.union(&b.all).cloned().collect();
        match is_asynchronous || all.len() > 1 {
            true => Time::Events(all),
            false => Time::Periods,
        }
    }
}

/// The designs to compare, and from when on.
pub(super) struct Miter<'a> {
    pub sides: &'a [Side; 2],
    pub time: &'a Time,
    pub reset: Option<&'a Reset>,
}

impl Miter<'_> {
    /// Writes `<name>.aig` with its map of inputs, `<name>.map`.
    pub fn write(
        &self,
        yosys: &Program,
        folder: &Folder,
        name: &str,
        limit: Duration,
    ) -> Result<(), FlowError> {
        folder.write(&format!("{name}.v"), &self.verilog())?;
        run_script(yosys, folder, name, &self.script(name), limit)?;
        Ok(())
    }

    fn script(&self, name: &str) -> String {
        let mut text = String::new();
        for side in self.sides {
            for (reading, _) in READINGS {
                let _ = writeln!(text, "read_rtlil {0}-{reading}.il\ncd {0}_{reading}", side.name);
                for (register, bit, value) in side.constants() {
                    let _ = writeln!(text, "connect -set \"\\{register} [{bit}]\" 1'{value}");
                }
                text += "setundef -undriven -undef\ncd ..\n";
            }
        }
        text += match self.time {
            Time::Periods => "dffunmap\n",
            Time::Events(_) => "clk2fflogic\n",
        };
        for module in ["a_hardware", "b_hardware"] {
            // One at a time: a name may have characters that a list of names cannot have.
            for register in self.registers().keys() {
                let _ = writeln!(
                    text,
                    "select {module}/w:{}\nexpose\nselect -clear",
                    pattern(register)
                );
            }
        }
        text += "select a_hardware a_simulated b_simulated\nxprop -formal -split-outputs -assume-def-inputs\n\
                 chformal -remove\nselect b_hardware\nbmuxmap\ntechmap\nselect -clear\n";
        let _ = writeln!(
            text,
            "cd b_hardware\nsetundef -anyseq\ncd ..\n\
             read_verilog -sv -icells {name}.v\nhierarchy -check -top top\nproc\nflatten\nopt -fast\ntechmap\nopt -fast\n\
             simplemap\ndffunmap\nsetundef -anyseq\naigmap\nopt_clean\nwrite_aiger -zinit -map {name}.map {name}.aig"
        );
        text
    }

    /// Widths of the registers that both have, by name.
    fn registers(&self) -> std::collections::BTreeMap<&str, usize> {
        let [a, b] = self.sides.each_ref().map(Side::registers);
        a.into_iter().filter(|(name, width)| b.get(name) == Some(width)).collect()
    }

    fn verilog(&self) -> String {
        let inputs = self.sides[0].ports(Direction::Input);
        let outputs = self.sides[0].ports(Direction::Output);
        let registers: Vec<_> =
            self.registers().into_iter().map(|(name, width)| (name.to_string(), width)).collect();
        let is_reset = |name: &str| self.reset.is_some_and(|reset| reset.port == name);
        let mut text = "module top (\n".to_string();
        for (name, width) in &inputs {
            let kept = if is_reset(name) { "free_" } else { "" };
            let _ = writeln!(
                text,
                "  input wire [{}:0] {},",
                width - 1,
                escaped(&format!("{kept}{name}"))
            );
        }
        text += "  input wire asked, output wire hardware, output wire simulated, output wire undefined, output wire registers\n);\n";
        text += &self.start();
        let connected = |(name, _): &(String, usize)| format!(".{0}({0})", escaped(name));
        let mut instance = |module: &str, outputs: &[(String, usize)], kinds: &[&str]| {
            let mut ports: Vec<_> = inputs.iter().map(connected).collect();
            for (name, width) in outputs {
                for kind in kinds {
                    let wire = escaped(&format!("{module}.{name}{kind}"));
                    let _ = writeln!(text, "  wire [{}:0] {wire};", width - 1);
                    ports.push(format!(".{}({wire})", escaped(&format!("{name}{kind}"))));
                }
            }
            let _ = writeln!(text, "  {module} {module} ({});", ports.join(", "));
        };
        let all = [outputs.clone(), registers.clone()].concat();
        instance("a_hardware", &all, &["_d", "_x"]);
        instance("a_simulated", &outputs, &["_d", "_x"]);
        instance("b_simulated", &outputs, &["_d", "_x"]);
        instance("b_hardware", &all, &[""]);
        let wire =
            |module: &str, name: &str, kind: &str| escaped(&format!("{module}.{name}{kind}"));
        let any = |ports: &[(String, usize)], term: &dyn Fn(&str) -> String| {
            let terms: Vec<_> =
                ports.iter().map(|(name, _)| format!("|({})", term(name))).collect();
            if terms.is_empty() { "1'b0".to_string() } else { terms.join(" | ") }
        };
        let hardware = |name: &str| {
            let [d, x] = ["_d", "_x"].map(|kind| wire("a_hardware", name, kind));
            format!("~{x} & ({d} ^ {})", wire("b_hardware", name, ""))
        };
        let simulated = |name: &str| {
            let [a, ax] = ["_d", "_x"].map(|kind| wire("a_simulated", name, kind));
            let [b, bx] = ["_d", "_x"].map(|kind| wire("b_simulated", name, kind));
            format!("~{ax} & ~{bx} & ({a} ^ {b})")
        };
        let undefined = |name: &str| {
            format!("~{} & {}", wire("a_simulated", name, "_x"), wire("b_simulated", name, "_x"))
        };
        let register = |name: &str| {
            let [d, x] = ["_d", "_x"].map(|kind| wire("a_hardware", name, kind));
            format!("{d} ^ (~{x} & {})", wire("b_hardware", name, ""))
        };
        let _ = write!(
            text,
            "  assign hardware = asked & started & ({});\n  assign simulated = asked & started & ({});\n  \
             assign undefined = asked & started & ({});\n  assign registers = {};\nendmodule\n",
            any(&outputs, &hardware),
            any(&outputs, &simulated),
            any(&outputs, &undefined),
            any(&registers, &register),
        );
        text
    }

    /// `started`: whether the reset is over. Until then the reset is active.
    fn start(&self) -> String {
        let Some(Reset { port, is_high, clocks }) = self.reset else {
            return "  wire started = 1'b1;\n".to_string();
        };
        let mut text = String::new();
        let mut done = Vec::new();
        let edges: Vec<String> = match self.time {
            Time::Periods => vec!["1'b1".to_string()],
            Time::Events(clocks) => {
                let mut edges = Vec::new();
                for (index, Clock { port, bit, rises }) in clocks.iter().enumerate() {
                    let (value, idle) = (format!("{}[{bit}]", escaped(port)), u8::from(*rises));
                    let _ = writeln!(
                        text,
                        "  (* init = 1'b{idle} *) wire last{index};\n  \
                         \\$ff #(.WIDTH(1)) last{index}_ff (.D({value}), .Q(last{index}));"
                    );
                    edges.push(match rises {
                        true => format!("{value} & ~last{index}"),
                        false => format!("~{value} & last{index}"),
                    });
                }
                edges
            }
        };
        for (index, edge) in edges.iter().enumerate() {
            let _ = writeln!(
                text,
                "  (* init = 32'd0 *) wire [31:0] count{index};\n  wire done{index} = count{index} >= {clocks};\n  \
                 \\$ff #(.WIDTH(32)) count{index}_ff (.D(count{index} + ({edge} & ~done{index})), .Q(count{index}));"
            );
            done.push(format!("done{index}"));
        }
        let free = escaped(&format!("free_{port}"));
        let active = u8::from(*is_high);
        let _ = writeln!(
            text,
            "  wire started = {};\n  wire {} = started ? {free} : 1'b{active};",
            done.join(" & "),
            escaped(port)
        );
        text
    }
}

/// An escaped identifier.
pub(super) fn escaped(name: &str) -> String {
    format!("\\{name} ")
}

/// A pattern of `select` for a name: characters with a meaning there match themselves as any character.
fn pattern(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_ascii_alphanumeric() || "_.$".contains(c) { c } else { '?' })
        .collect()
}
