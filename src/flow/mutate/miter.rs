//! A circuit beside a mutant in an environment that only does what is legal: a miter for whether they can be
//! distinguished.
//!
//! The environment resets in the first clock and may do so again; an offer that is not taken stays unchanged;
//! straps change in a reset only. Outputs that have no meaning are not compared: a payload without its valid,
//! a ready without an offer, anything during reset. This is how co-simulation judges a circuit, with one
//! exception: here a transfer at another clock is a difference. What the block's properties assume of its
//! environment, such as that a partner answers only what was asked, is assumed of the circuit's.

use std::fmt::Write as _;

use warpsmith_blocks::block::Design;
use warpsmith_blocks::channel::{Channel, Direction, Handshake};
use warpsmith_blocks::properties::CHOSEN;
use warpsmith_rtl::ir::CheckKind;
use warpsmith_rtl::{Module, PortLayout, PortSlot};
use warpsmith_testbench::bench::Bench;

use super::cut::CutRam;
use super::free::FreeRegister;
use super::planting::{CHOOSER, Planted};
use super::proof_netlist::ProofNetlist;
use crate::flow::prove::top;

/// The circuit beside a mutant.
pub struct Miter {
    /// Module `miter`; its output `differs` has one bit for each entry of `compared`.
    pub verilog: String,
    /// Names of the comparisons.
    pub compared: Vec<String>,
}

/// What a design's properties assume of its environment, if anything, as a module that watches the ports.
pub fn assumptions(design: &dyn Design) -> Option<Module> {
    let module = design.properties(false).ok()?.module;
    module.checks.iter().any(|check| check.kind == CheckKind::Assume).then_some(module)
}

/// Builds the miter for the mutant with number `choice`.
pub fn miter(
    planted: &Planted,
    netlist: &ProofNetlist,
    bench: &Bench<'_>,
    choice: u32,
    assumed: Option<&Module>,
) -> Miter {
    let layout = bench.layout();
    let (names, checks): (Vec<_>, Vec<_>) = comparisons(bench).into_iter().unzip();
    let shared = if netlist.is_shared { netlist.free.as_slice() } else { &[] };
    let writes = netlist.rams.iter().flat_map(CutRam::comparisons);
    let writes = writes.chain(shared.iter().map(FreeRegister::comparison));
    let (writes, write_checks): (Vec<_>, Vec<_>) = writes.unzip();
    let chosen = assumed.map(chosen).unwrap_or_default();
    let mut text = header(netlist, layout, &chosen, checks.len() + writes.len());
    netlist.rams.iter().for_each(|ram| ram.declare(&mut text));
    netlist.free.iter().for_each(|free| match netlist.is_shared {
        true => free.declare_shared(&mut text),
        false => free.declare(&["original", "mutant"], &mut text),
    });
    text += &instance(planted, netlist, layout, "original", 0);
    text += &instance(planted, netlist, layout, "mutant", choice);
    if let Some(module) = assumed {
        text += &watched(module, layout, &chosen);
    }
    text += "    reg running = 1'b0;\n    always @(posedge clk) running <= 1'b1;\n";
    let mut rules = vec!["(running | rst)".to_string()];
    for strap in bench.straps() {
        before(&mut text, strap.name, strap.width, strap.name);
        rules.push(format!("(rst | {0} == {0}_before)", strap.name));
        if strap.width < 64 && strap.values < 1 << strap.width {
            rules.push(format!("({} < {}'d{})", strap.name, strap.width, strap.values));
        }
    }
    for channel in bench.channels() {
        if channel.direction == Direction::Input && channel.handshake == Handshake::ReadyValid {
            rules.push(offer_stays(&mut text, channel));
        }
    }
    let _ = write!(
        text,
        "    // The environment has kept its rules up to now.\n    \
         wire keeps = {};\n    reg kept = 1'b1;\n    \
         always @(posedge clk) kept <= kept & keeps;\n    \
         wire judged = kept & keeps & ~rst;\n",
        rules.join(" & ")
    );
    for (bit, check) in checks.iter().enumerate() {
        let _ = writeln!(text, "    assign differs[{bit}] = judged & ({check});");
    }
    // What memories and registers take counts during reset too. In the first clock noise replaces noise.
    for (bit, check) in (checks.len()..).zip(&write_checks) {
        let _ = writeln!(text, "    assign differs[{bit}] = running & kept & keeps & ({check});");
    }
    text += "endmodule\n`default_nettype wire\n";
    Miter { verilog: text, compared: [names, writes].concat() }
}

/// The arbitrary values that properties are about.
fn chosen(module: &Module) -> Vec<(String, u32)> {
    let width = |input| module.node(input).width;
    let ports = module.inputs().map(|input| (module.port_name(input).to_string(), width(input)));
    ports.filter(|(name, _)| name.starts_with(CHOSEN)).collect()
}

/// The properties beside the circuit, about values that are taken in the first clock.
fn watched(module: &Module, layout: &PortLayout, chosen: &[(String, u32)]) -> String {
    let mut text = "    reg began = 1'b0;\n    always @(posedge clk) began <= 1'b1;\n".to_string();
    for (name, width) in chosen {
        let _ = writeln!(
            text,
            "    reg [{}:0] {name}_taken = 0;\n    \
             always @(posedge clk) if (!began) {name}_taken <= {name};",
            width - 1
        );
    }
    let ports = module.inputs().map(|input| {
        let name = module.port_name(input);
        let to = match name {
            _ if name.starts_with(CHOSEN) => format!("{name}_taken"),
            _ if layout.outputs.iter().any(|port| port.name == name) => format!("original_{name}"),
            _ => name.to_string(),
        };
        (name.to_string(), to)
    });
    let ports: Vec<_> = [("rst".to_string(), "rst".to_string())].into_iter().chain(ports).collect();
    top::instance(&mut text, &module.name, "environment", &ports);
    text
}

fn header(
    netlist: &ProofNetlist,
    layout: &PortLayout,
    chosen: &[(String, u32)],
    checks: usize,
) -> String {
    let mut text = "`default_nettype none\nmodule miter (\n    input wire clk,\n".to_string();
    for PortSlot { name, width, .. } in &layout.inputs {
        let _ = writeln!(text, "    input wire [{}:0] {name},", width - 1);
    }
    for (name, width) in netlist.undefined.iter().chain(chosen) {
        let _ = writeln!(text, "    input wire [{}:0] {name},", width - 1);
    }
    let choices = netlist.free.iter().filter(|_| !netlist.is_shared).map(FreeRegister::input);
    for (name, width) in netlist.rams.iter().flat_map(CutRam::inputs).chain(choices) {
        let _ = writeln!(text, "    input wire [{}:0] {name},", width - 1);
    }
    text + &format!("    output wire [{}:0] differs\n);\n", checks - 1)
}

fn instance(
    planted: &Planted,
    netlist: &ProofNetlist,
    layout: &PortLayout,
    name: &str,
    choice: u32,
) -> String {
    let mut text = String::new();
    for port in &layout.outputs {
        let _ = writeln!(text, "    wire [{}:0] {name}_{};", port.width - 1, port.name);
    }
    let _ = writeln!(text, "    {} {name} (", planted.top);
    let inputs = layout.inputs.iter().map(|port| port.name.as_str());
    let undefined = netlist.undefined.iter().map(|(name, _)| name.as_str());
    for port in ["clk"].into_iter().chain(inputs).chain(undefined) {
        let _ = writeln!(text, "        .{port}({port}),");
    }
    for PortSlot { name: port, .. } in &layout.outputs {
        let _ = writeln!(text, "        .{port}({name}_{port}),");
    }
    netlist.rams.iter().for_each(|ram| ram.connect(name, &mut text));
    netlist.free.iter().for_each(|register| register.connect(name, &mut text));
    text + &format!("        .{CHOOSER}({}'d{choice})\n    );\n", planted.width)
}

/// Declares `<name>_before`, the value of an expression at the last edge.
fn before(text: &mut String, name: &str, width: u32, value: &str) {
    let _ = writeln!(
        text,
        "    reg [{}:0] {name}_before;\n    always @(posedge clk) {name}_before <= {value};",
        width - 1
    );
}

/// The rule that an offer stays until it is taken.
fn offer_stays(text: &mut String, channel: &Channel) -> String {
    let name = channel.name;
    let _ = writeln!(
        text,
        "    reg {name}_waits = 1'b0;\n    \
         always @(posedge clk) {name}_waits <= {name}_valid & ~original_{name}_ready & ~rst;"
    );
    let fields: Vec<_> = fields(channel, "").collect();
    if fields.is_empty() {
        return format!("(rst | ~{name}_waits | {name}_valid)");
    }
    let width = channel.fields.iter().map(|field| field.width).sum();
    let _ = writeln!(text, "    wire [{}:0] {name}_offer = {{{}}};", width - 1, fields.join(", "));
    before(text, &format!("{name}_offer"), width, &format!("{name}_offer"));
    format!("(rst | ~{name}_waits | ({name}_valid & {name}_offer == {name}_offer_before))")
}

fn fields(channel: &Channel, side: &str) -> impl Iterator<Item = String> {
    channel.fields.iter().map(move |field| format!("{side}{}_{}", channel.name, field.name))
}

/// Names of the comparisons, each with the condition under which the two differ.
fn comparisons(bench: &Bench<'_>) -> Vec<(String, String)> {
    let differ = |port: &str| format!("original_{port} != mutant_{port}");
    let mut checks = Vec::new();
    let mut known = Vec::new();
    for channel in bench.channels() {
        let name = channel.name;
        let (valid, ready) = (format!("{name}_valid"), format!("{name}_ready"));
        if channel.direction == Direction::Input {
            if channel.handshake != Handshake::ReadyValid {
                continue;
            }
            checks.push((ready.clone(), format!("{valid} & ({})", differ(&ready))));
            known.push(ready);
            continue;
        }
        checks.push((valid.clone(), differ(&valid)));
        known.push(valid.clone());
        for field in fields(channel, "") {
            let both = format!("original_{valid} & mutant_{valid}");
            checks.push((field.clone(), format!("{both} & ({})", differ(&field))));
            known.push(field);
        }
    }
    // Outputs outside of channels always have meaning.
    let others = bench.layout().outputs.iter().filter(|port| !known.contains(&port.name));
    checks.extend(others.map(|port| (port.name.clone(), differ(&port.name))));
    checks
}
