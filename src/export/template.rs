//! The instantiation template.

use std::fmt::Write as _;

use super::Source;
use crate::flow::prove::top::range;

/// Declarations of a net for each port, and an instance connected to them.
pub fn text(source: &Source<'_>) -> String {
    let mut text =
        source.verilog_header("Instantiation template: copy what follows into a module.");
    let inputs = source.layout.inputs.iter().map(|port| ("input", port));
    let outputs = source.layout.outputs.iter().map(|port| ("output", port));
    let mut connections = Vec::new();
    text += "wire clk;  // input\n";
    for (direction, port) in inputs.chain(outputs) {
        let doc = source.port_doc(&port.name).map_or(String::new(), |doc| format!(": {doc}"));
        let doc = doc.replace('\n', " ");
        let _ = writeln!(text, "wire {}{};  // {direction}{doc}", range(port.width), port.name);
        connections.push(format!("    .{0}({0})", port.name));
    }
    let _ = write!(
        text,
        "\n{name} your_{name} (\n    .clk(clk),\n{}\n);\n",
        connections.join(",\n"),
        name = source.name,
    );
    text
}
