//! The harness: a module that puts a flip-flop before every input of a block and behind every
//! output.
//!
//! Place and route times only paths between flip-flops; in the harness a block's ports are timed like its
//! registers. The harness has three pins for any number of ports. Inputs come from one shift register.
//! Outputs are captured and folded into a second one, each stage of which is the exclusive or of a captured
//! bit and the previous stage: this needs no control signal, whose fan-out could be slower than the block.

use std::fmt::Write as _;

use super::source::is_identifier;
use crate::flow::FlowError;
use crate::flow::netlist::{Direction, Module};

/// Name of the harness's module.
pub const HARNESS: &str = "warpsmith_harness";
/// Name of the block's instance in it.
pub const INSTANCE: &str = "block";
/// Name prefix of the flip-flops before an input.
pub const DRIVE: &str = "drive_";
/// Name prefix of the flip-flops behind an output.
pub const TAKE: &str = "take_";
/// Name of the flip-flops that outputs are folded into.
pub const FOLD: &str = "fold_";

/// A block's ports except the clock, with their widths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ports {
    /// Inputs.
    pub inputs: Vec<(String, usize)>,
    /// Outputs, at least one.
    pub outputs: Vec<(String, usize)>,
}

impl Ports {
    /// The ports of a module.
    ///
    /// # Errors
    /// [`FlowError::Input`] if the clock is missing or a port cannot be timed.
    pub fn of(module: &Module, top: &str, clock: &str) -> Result<Self, FlowError> {
        let refuse = |what: String| Err(FlowError::Input(format!("module {top}: {what}")));
        match module.ports.get(clock) {
            Some(port) if port.direction == Direction::Input && port.bits.len() == 1 => {}
            _ => return refuse(format!("no one-bit input `{clock}` for the clock")),
        }
        let mut ports = Self { inputs: Vec::new(), outputs: Vec::new() };
        for (name, port) in module.ports.iter().filter(|(name, _)| *name != clock) {
            if !is_identifier(name) {
                return refuse(format!("port `{name}` is not a plain Verilog identifier"));
            }
            let entry = (name.clone(), port.bits.len());
            match port.direction {
                Direction::Input => ports.inputs.push(entry),
                Direction::Output => ports.outputs.push(entry),
                Direction::Inout => return refuse(format!("port {name} is bidirectional")),
            }
        }
        match ports.outputs.is_empty() {
            true => refuse("no outputs, so everything would be optimised away".to_string()),
            false => Ok(ports),
        }
    }

    /// Total bits of the inputs and of the outputs.
    pub fn bits(&self) -> (usize, usize) {
        let bits = |ports: &[(String, usize)]| ports.iter().map(|(_, width)| width).sum();
        (bits(&self.inputs), bits(&self.outputs))
    }
}

/// The Verilog of the harness around a module.
pub fn verilog(top: &str, clock: &str, ports: &Ports) -> String {
    let mut text = format!(
        "// Times the ports of {top}: a flip-flop before every input and behind every output.\n\
         module {HARNESS} (input wire clk, input wire scan_in, output wire scan_out);\n"
    );
    let mut before = "scan_in".to_string();
    for (port, width) in &ports.inputs {
        let name = format!("{DRIVE}{port}");
        let _ = writeln!(text, "    reg {}{name};", range(*width));
        let _ =
            writeln!(text, "    always @(posedge clk) {name} <= {};", next(&name, *width, &before));
        before = last(&name, *width);
    }
    before = "1'b0".to_string();
    for (port, width) in &ports.outputs {
        let (from, take) = (format!("from_{port}"), format!("{TAKE}{port}"));
        let fold = format!("{FOLD}{port}");
        let _ = writeln!(text, "    wire {}{from};", range(*width));
        let _ = writeln!(text, "    reg {}{take};", range(*width));
        let _ = writeln!(text, "    reg {}{fold};", range(*width));
        let _ = writeln!(text, "    always @(posedge clk) {take} <= {from};");
        let folded = next(&fold, *width, &before);
        let _ = writeln!(text, "    always @(posedge clk) {fold} <= {take} ^ {folded};");
        before = last(&fold, *width);
    }
    let inputs = ports.inputs.iter().map(|(port, _)| format!(",\n        .{port}({DRIVE}{port})"));
    let outputs = ports.outputs.iter().map(|(port, _)| format!(",\n        .{port}(from_{port})"));
    let connections: String = inputs.chain(outputs).collect();
    let _ = writeln!(text, "    {top} {INSTANCE} (\n        .{clock}(clk){connections}\n    );");
    let _ = writeln!(text, "    assign scan_out = {before};\nendmodule");
    text
}

fn range(width: usize) -> String {
    format!("[{}:0] ", width - 1)
}

/// The vector shifted up by one, with `before` as lowest bit.
fn next(name: &str, width: usize, before: &str) -> String {
    match width {
        1 => before.to_string(),
        _ => format!("{{{name}[{}:0], {before}}}", width - 2),
    }
}

fn last(name: &str, width: usize) -> String {
    format!("{name}[{}]", width - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(ports: &str) -> Module {
        serde_json::from_str(&format!("{{\"ports\": {{{ports}}}}}")).unwrap()
    }

    #[test]
    fn every_bit_is_on_its_way_from_scan_in_to_scan_out() {
        let module = module(
            r#""clk": {"direction": "input", "bits": [2]},
               "a": {"direction": "input", "bits": [3, 4]},
               "b": {"direction": "input", "bits": [5]},
               "y": {"direction": "output", "bits": [6, 7]}"#,
        );
        let ports = Ports::of(&module, "m", "clk").unwrap();
        assert_eq!(ports.bits(), (3, 2));
        let text = verilog("m", "clk", &ports);
        for line in [
            "drive_a <= {drive_a[0:0], scan_in};",
            "drive_b <= drive_a[1];",
            "take_y <= from_y;",
            "fold_y <= take_y ^ {fold_y[0:0], 1'b0};",
            "assign scan_out = fold_y[1];",
            ".clk(clk),\n        .a(drive_a),\n        .b(drive_b),\n        .y(from_y)",
        ] {
            assert!(text.contains(line), "`{line}` is missing:\n{text}");
        }
    }

    #[test]
    fn ports_that_cannot_be_timed_are_refused_by_name() {
        let clk = r#""clk": {"direction": "input", "bits": [2]}"#;
        for (ports, why) in [
            (String::new(), "no one-bit input `clk`"),
            (r#""clk": {"direction": "output", "bits": [2]}"#.to_string(), "no one-bit input"),
            (clk.to_string(), "no outputs"),
            (format!(r#"{clk}, "pad": {{"direction": "inout", "bits": [3]}}"#), "port pad"),
            (format!(r#"{clk}, "a b": {{"direction": "output", "bits": [3]}}"#), "`a b`"),
        ] {
            let message = Ports::of(&module(&ports), "m", "clk").unwrap_err().to_string();
            assert!(message.contains("module m: ") && message.contains(why), "{message}");
        }
    }
}
