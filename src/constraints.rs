//! Timing constraints, made from a circuit's ports.

use std::fmt::Write as _;

use warpsmith_blocks::block::Design;
use warpsmith_blocks::channel::Direction;
use warpsmith_rtl::Module;

/// The part of the period that every port has outside the block.
pub const OUTSIDE_SHARE: f64 = 1.0 / OUTSIDE_DIVISOR;

const OUTSIDE_DIVISOR: f64 = 3.0;

/// Synopsys Design Constraints: the clock, and for every channel a third of the period outside.
///
/// The clock period is the variable `clock_period_ns`, 10 ns unless set before; straps are false
/// paths, since they never change after reset. A design without the block's ports, such as one that holds the
/// block, is left as it is.
pub fn sdc(design: &dyn Design, circuit: &Module) -> String {
    let name = &circuit.name;
    let channels = design.channels();
    let ports: String = channels.iter().map(|channel| format!(" {}_valid", channel.name)).collect();
    let constraints: String = constraints(design)
        .lines()
        .map(|line| if line.is_empty() { "\n".to_string() } else { format!("    {line}\n") })
        .collect();
    format!(
        r#"# Timing constraints of {name}, made from its ports.
# Set clock_period_ns before reading this file. A top that lacks the ports is left as it is.
set missing {{}}
foreach port {{rst{ports}}} {{
    if {{[get_ports -quiet $port] eq ""}} {{ lappend missing $port }}
}}
if {{$missing ne ""}} {{
    puts "no constraints of {name}: the top has no ports $missing"
}} else {{
{constraints}}}
"#
    )
}

fn constraints(design: &dyn Design) -> String {
    let mut text = "if {![info exists clock_period_ns]} { set clock_period_ns 10.0 }\n".to_string();
    text += "create_clock -name clk -period $clock_period_ns [get_ports clk]\n";
    let _ = writeln!(text, "set outside_ns [expr {{$clock_period_ns / {OUTSIDE_DIVISOR:.1}}}]");
    text += "set_input_delay $outside_ns -clock clk [get_ports rst]\n";
    for channel in design.channels() {
        let _ = writeln!(text, "\n# Channel {}: {}", channel.name, channel.doc);
        let (offer, take) = match channel.direction {
            Direction::Input => ("set_input_delay", "set_output_delay"),
            Direction::Output => ("set_output_delay", "set_input_delay"),
        };
        let mut delay = |command: &str, role: &str, width: u32| {
            let bits = if width == 1 { "" } else { "[*]" };
            let port = format!("{}_{role}{bits}", channel.name);
            let _ = writeln!(text, "{command} $outside_ns -clock clk [get_ports {{{port}}}]");
        };
        delay(offer, "valid", 1);
        if channel.handshake.has_ready() {
            delay(take, "ready", 1);
        }
        for field in channel.fields.iter() {
            delay(offer, &field.name, field.width);
        }
    }
    let straps = design.straps();
    if !straps.is_empty() {
        text += "\n# Straps keep one value.\n";
    }
    for strap in straps {
        let bits = if strap.width == 1 { "" } else { "[*]" };
        let _ = writeln!(text, "set_false_path -from [get_ports {{{}{bits}}}]", strap.name);
    }
    text
}
