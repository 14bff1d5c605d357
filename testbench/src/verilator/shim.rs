//! The C++ around a Verilated model: a fixed part, and a part generated from the ports.

use std::fmt::Write;

use warpsmith_rtl::PortLayout;

use super::header::{self, CLOCK, ModulePort};

/// The fixed part, which includes [`PORTS_FILE`].
pub(super) const SHIM: &str = include_str!("shim.cpp");

/// Name under which the fixed part includes the generated part.
pub(super) const PORTS_FILE: &str = "warpsmith_ports.h";

/// Version of the generator [`ports`]; a change invalidates cached models.
pub(super) const GENERATOR: u32 = 4;

/// Verilator's `Vmodel.cpp` with a call between the initial blocks and what comes after them. A version that
/// writes it otherwise takes both as one.
pub(super) fn with_end_of_initial_blocks(model: &str) -> String {
    const SETTLE: &str = "Vmodel___024root___eval_settle(";
    let declared = "void warpsmith_initialised();\n".to_owned();
    let call = format!("        {SETTLE}");
    declared + &model.replacen(&call, &format!("        warpsmith_initialised();\n{call}"), 1)
}

/// Writes the port accessors of a model whose ports were checked against `layout`.
///
/// `key` is compiled in: it identifies a loaded model independently of its file name. So are the locations of
/// loops in the Verilog. `model` is the text of Verilator's `Vmodel.cpp`.
pub(super) fn ports(
    key: &str,
    loops: Option<&str>,
    model: &str,
    ports: &[ModulePort],
    layout: &PortLayout,
) -> String {
    let mut text = format!("const char build_key[] = \"{key}\";\n");
    let loops = loops.unwrap_or_default().replace('\\', "\\\\");
    writeln!(text, "const char loop_places[] = \"{loops}\";").unwrap();
    // What `eval` does besides is for models of several threads, and takes a tenth of a small block's time.
    let body = match model.contains("    Vmodel___024root___eval(&(vlSymsp->TOP));") {
        true => "    Vmodel___024root___eval(model.rootp);\n",
        false => "    model.eval();\n",
    };
    function(&mut text, "evaluate(Vmodel& model)", body);
    let clock = match ports.iter().find(|port| port.name == CLOCK) {
        Some(port) => format!("    model.{} = level;\n", port.member),
        None => String::new(),
    };
    function(&mut text, "put_clock(Vmodel& model, CData level)", &clock);
    let mut puts = String::new();
    for (member, slot) in header::members(ports, &layout.inputs) {
        let (width, offset) = (slot.width, slot.offset);
        writeln!(puts, "    put<{width}>(model.{member}, words + {offset});").unwrap();
    }
    function(&mut text, "put_inputs(Vmodel& model, const std::uint64_t* words)", &puts);
    let mut takes = String::new();
    for (member, slot) in header::members(ports, &layout.outputs) {
        let (width, offset) = (slot.width, slot.offset);
        writeln!(takes, "    take<{width}>(model.{member}, words + {offset});").unwrap();
    }
    function(&mut text, "take_outputs(const Vmodel& model, std::uint64_t* words)", &takes);
    text
}

fn function(text: &mut String, signature: &str, body: &str) {
    write!(text, "inline void {signature} {{\n{body}}}\n").unwrap();
}
