//! Timing and power of the netlist, by OpenSTA.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use warpsmith_blocks::channel::Strap;

use super::cells::Cells;
use super::mapped::Mapped;
use crate::constraints::OUTSIDE_SHARE;
use crate::flow::FlowError;
use crate::flow::folder::Folder;
use crate::flow::opensta::run_script;
use crate::flow::synth::record::{CriticalPath, PathEnd, PathGroup, PathStep};
use crate::flow::tool::Program;

/// Input of the timing analysis.
pub(super) struct Timing<'a> {
    /// The design's top module.
    pub top: &'a str,
    /// Libraries in the folder, including those of RAMs.
    pub libraries: &'a [String],
    /// Instance names of RAMs.
    pub rams: &'a [String],
    /// Clock period in nanoseconds.
    pub period_ns: f64,
    /// Transitions per clock of every input except `rst` and the straps.
    pub activity: f64,
    /// Straps, which are constant.
    pub straps: &'a [Strap],
}

/// The result of the analysis.
pub(super) struct Timed {
    /// The slowest path of each pair of end kinds.
    pub groups: Vec<PathGroup>,
    /// The slowest path of all.
    pub critical: Option<CriticalPath>,
    /// Dynamic power in milliwatts.
    pub dynamic_mw: f64,
    /// Leakage in milliwatts.
    pub leakage_mw: f64,
    /// Instances that power leaves out.
    pub unpowered: u64,
}

/// Times `netlist.v` under the constraints of `constraints.sdc`.
///
/// # Errors
/// Returns [`FlowError`] if OpenSTA fails or its output is malformed.
pub(super) fn time(
    sta: &Program,
    folder: &Folder,
    cells: &Cells<'_>,
    mapped: &Mapped,
    timing: &Timing<'_>,
    limit: Duration,
) -> Result<Timed, FlowError> {
    let lines = run_script(sta, folder, "timing", &script(cells, timing), limit)?;
    let unusable = |line: &str| FlowError::Report {
        path: folder.file("timing.log"),
        what: format!("not understood: `{line}`"),
    };
    let mut paths: Vec<Path> = Vec::new();
    let (mut power, mut unpowered) = (None, 0);
    for line in &lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        let read = |text: &str| text.parse::<f64>().map_err(|_| unusable(line));
        match words[..] {
            ["path", from, to, slack] => {
                let ends = (end(from), end(to));
                paths.push(Path { ends, slack_ns: read(slack)?, points: Vec::new() });
            }
            ["point", pin, arrival] => {
                let path = paths.last_mut().ok_or_else(|| unusable(line))?;
                path.points.push((pin.replace('\\', ""), read(arrival)?));
            }
            ["power", internal, switching, leakage, ..] => {
                power = Some((read(internal)? + read(switching)?, read(leakage)?));
            }
            ["unpowered", count] => unpowered = count.parse().map_err(|_| unusable(line))?,
            _ => return Err(unusable(line)),
        }
    }
    let (dynamic, leakage) = power.ok_or_else(|| unusable("no line `Total` of report_power"))?;
    let slowest = paths.iter().min_by(|a, b| {
        let mhz = |path: &Path| path.fmax_mhz(timing.period_ns);
        mhz(a).total_cmp(&mhz(b))
    });
    Ok(Timed {
        groups: paths.iter().map(|path| path.group(timing.period_ns)).collect(),
        critical: slowest.map(|path| path.critical(mapped, timing.period_ns)),
        dynamic_mw: dynamic * 1e3,
        leakage_mw: leakage * 1e3,
        unpowered,
    })
}

/// A path in OpenSTA's output: arrival times in nanoseconds at its pins.
struct Path {
    ends: (PathEnd, PathEnd),
    slack_ns: f64,
    points: Vec<(String, f64)>,
}

impl Path {
    /// The share of the period that is inside the design.
    fn inside_share(&self) -> f64 {
        let outside = |end| if end == PathEnd::Ports { OUTSIDE_SHARE } else { 0.0 };
        1.0 - outside(self.ends.0) - outside(self.ends.1)
    }

    /// The path's delay inside the design, set-up time included.
    fn delay_ns(&self, period_ns: f64) -> f64 {
        period_ns * self.inside_share() - self.slack_ns
    }

    /// The frequency at which the slack is zero; the external delay of ports scales with the period.
    fn fmax_mhz(&self, period_ns: f64) -> f64 {
        1e3 * self.inside_share() / self.delay_ns(period_ns).max(1e-6)
    }

    fn group(&self, period_ns: f64) -> PathGroup {
        PathGroup {
            from: self.ends.0,
            to: self.ends.1,
            slack_ns: self.slack_ns,
            delay_ns: self.delay_ns(period_ns),
            fmax_mhz: self.fmax_mhz(period_ns),
        }
    }

    fn critical(&self, mapped: &Mapped, period_ns: f64) -> CriticalPath {
        let outside_ns = period_ns * OUTSIDE_SHARE;
        let mut before = if self.ends.0 == PathEnd::Ports { outside_ns } else { 0.0 };
        let delay_ns = self.delay_ns(period_ns);
        let mut left = delay_ns;
        let mut steps: Vec<PathStep> = Vec::new();
        for (pin, arrival) in &self.points {
            // Without wires, a cell's input has the arrival time of its driver.
            let cell = mapped.driver(pin);
            if cell.is_none() && (pin.contains('/') || !steps.is_empty()) {
                continue;
            }
            let delay_ns = arrival - before;
            (before, left) = (*arrival, left - delay_ns);
            let kind = match (cell, self.ends.0, steps.is_empty()) {
                (None, ..) => "input",
                (Some(_), PathEnd::Registers | PathEnd::Ram, true) => "clk-to-q",
                (Some(_), ..) => "logic",
            };
            steps.push(PathStep {
                kind: kind.to_string(),
                signal: if cell.is_some() { mapped.signal(pin) } else { pin.clone() },
                cell: cell.map(str::to_string),
                delay_ns,
            });
        }
        let pin = |point: Option<&(String, f64)>| point.map(|(pin, _)| mapped.end(pin));
        let to = pin(self.points.last()).unwrap_or_default();
        if self.ends.1 != PathEnd::Ports {
            let signal = to.clone();
            steps.push(PathStep { kind: "setup".to_string(), signal, cell: None, delay_ns: left });
        }
        let from = pin(self.points.first()).unwrap_or_default();
        CriticalPath { from, to, delay_ns, steps }
    }
}

const ENDS: [(&str, PathEnd); 3] =
    [("registers", PathEnd::Registers), ("ram", PathEnd::Ram), ("ports", PathEnd::Ports)];

fn end(word: &str) -> PathEnd {
    let found = ENDS.iter().find(|(name, _)| *name == word);
    found.map_or(PathEnd::Ports, |(_, end)| *end)
}

fn script(cells: &Cells<'_>, timing: &Timing<'_>) -> String {
    let libraries: BTreeMap<_, _> = timing.libraries.iter().map(|file| (file, ())).collect();
    let read: String = libraries.keys().map(|file| format!("read_liberty {file}\n")).collect();
    let mut text = format!(
        "{read}read_verilog netlist.v\n\
         link_design {top}\n\
         # The constraints are in nanoseconds, whatever the library counts in.\n\
         set_cmd_units -time ns -capacitance pF\n\
         set clock_period_ns {period}\n\
         source constraints.sdc\n\
         set from_ports {{}}\n\
         foreach port [all_inputs] {{\n\
         \x20 if {{[get_full_name $port] ne \"clk\"}} {{ lappend from_ports $port }}\n\
         }}\n\
         set to_ports [all_outputs]\n\
         set_driving_cell -lib_cell {driver} $from_ports\n\
         set_load {load} $to_ports\n\
         set from_registers {{}}\n\
         set from_ram {{}}\n\
         foreach cell [all_registers -cells] {{\n\
         \x20 if {{[lsearch -exact {{{rams}}} [get_full_name $cell]] >= 0}} {{\n\
         \x20   lappend from_ram $cell\n\
         \x20 }} else {{\n\
         \x20   lappend from_registers $cell\n\
         \x20 }}\n\
         }}\n\
         set to_registers $from_registers\n\
         set to_ram $from_ram\n",
        top = timing.top,
        period = timing.period_ns,
        driver = cells.driver.name,
        load = cells.load * 1e12,
        rams = timing.rams.join(" "),
    );
    text += "proc slowest {from to} {\n\
             \x20 upvar from_$from starts to_$to ends\n\
             \x20 if {[llength $starts] == 0 || [llength $ends] == 0} return\n\
             \x20 report_checks -from $starts -to $ends -fields {capacitance slew net}\n\
             \x20 # A later search would leave the path without its memory.\n\
             \x20 set path [lindex [find_timing_paths -from $starts -to $ends] 0]\n\
             \x20 if {$path eq \"\"} return\n\
             \x20 puts \"@path $from $to [get_property $path slack]\"\n\
             \x20 foreach point [get_property $path points] {\n\
             \x20   set pin [get_full_name [get_property $point pin]]\n\
             \x20   puts \"@point $pin [get_property $point arrival]\"\n\
             \x20 }\n\
             }\n";
    for (from, _) in ENDS {
        for (to, _) in ENDS {
            let _ = writeln!(text, "slowest {from} {to}");
        }
    }
    let _ = writeln!(text, "set_power_activity -input -activity {} -duty 0.5", timing.activity);
    text += "set_power_activity -input_ports [get_ports rst] -activity 0 -duty 0\n";
    for strap in timing.straps {
        let port =
            if strap.width == 1 { strap.name.to_string() } else { format!("{}[*]", strap.name) };
        let _ = writeln!(
            text,
            "set_power_activity -input_ports [get_ports {{{port}}}] -activity 0 -duty 0.5"
        );
    }
    text += "with_output_to_variable power { report_power -digits 9 }\n\
             puts $power\n\
             foreach line [split $power \"\\n\"] {\n\
             \x20 if {[lindex $line 0] eq \"Total\"} { puts \"@power [lrange $line 1 end]\" }\n\
             }\n";
    text + SUM_OF_INSTANCES
}

/// Power where `report_power` has none: a product of more than a hundred signals is so rarely one that a float of
/// OpenSTA cannot hold it, and the power of that instance, and so of all, is NaN.
const SUM_OF_INSTANCES: &str = r#"if {![regexp {\nTotal} $power]} {
  foreach kind {internal switching leakage unpowered} { set sum($kind) 0 }
  foreach instance [get_cells *] {
    lassign [sta::instance_power $instance [sta::cmd_corner]] internal switching leakage
    if {[string match *NaN* "$internal $switching $leakage"]} { incr sum(unpowered); continue }
    foreach kind {internal switching leakage} { set sum($kind) [expr {$sum($kind) + [set $kind]}] }
  }
  puts "@power $sum(internal) $sum(switching) $sum(leakage)"
  puts "@unpowered $sum(unpowered)"
}
"#;
