//! A testbench in SystemVerilog that repeats a recorded simulation and compares every clock.

use std::fmt::Write as _;

use warpsmith_blocks::channel::Direction;

use super::vectors::Vectors;
use super::{Named, Source};
use crate::flow::prove::top::range;

/// The module `<block>_tb`. It exits with an error at the first clock that differs.
pub fn text(source: &Source<'_>, named: &Named, recorded: &Vectors) -> String {
    let header = source.verilog_header(
        "Repeats a simulation that was recorded beside the block's reference, and compares the outputs\n\
         of each clock: what is offered, and the payload while it is.",
    );
    let (declarations, fields) = nets(source);
    let ports = source.layout.inputs.iter().chain(&source.layout.outputs);
    let connections: Vec<_> = ports.map(|port| format!("        .{0}({0})", port.name)).collect();
    // An assertion that fails in the same clock tells more, so it comes first.
    format!(
        r#"{header}`default_nettype none
module {name}_tb;
    localparam integer CLOCKS = {clocks};
    reg [{highest}:0] recorded [0:CLOCKS-1];
    reg clk = 1'b0;
{declarations}    {name} dut (
        .clk(clk),
{connections}
    );
    integer clock;
    reg differs;
    initial begin
        $readmemh("{vectors}", recorded);
        for (clock = 0; clock < CLOCKS; clock = clock + 1) begin
            {{{fields}}} = recorded[clock];
            #5;
            differs = 1'b0;
            if (!rst) begin
{comparisons}            end
            clk = 1'b1;
            #5;
            if (differs) $fatal(1, "not as recorded");
            clk = 1'b0;
        end
        $display("%m: %0d clocks as recorded", CLOCKS);
        $finish;
    end
endmodule
`default_nettype wire
"#,
        name = source.name,
        clocks = recorded.clocks.len(),
        highest = recorded.width() - 1,
        connections = connections.join(",\n"),
        vectors = named.vectors,
        fields = fields.join(",\n             "),
        comparisons = comparisons(source),
    )
}

/// Declarations of the nets at the block's ports, and the fields of a recorded clock in their order.
fn nets(source: &Source<'_>) -> (String, Vec<String>) {
    let mut text = String::new();
    let mut fields = Vec::new();
    for port in &source.layout.inputs {
        // In reset from the start, for whatever else looks at it.
        let start =
            if port.name == "rst" { "1'b1".to_string() } else { format!("{}'d0", port.width) };
        let _ = writeln!(text, "    reg {}{} = {start};", range(port.width), port.name);
        fields.push(port.name.clone());
    }
    for port in &source.layout.outputs {
        let _ = writeln!(text, "    wire {}{};", range(port.width), port.name);
        let _ = writeln!(text, "    reg {}{}_due;", range(port.width), port.name);
        fields.push(format!("{}_due", port.name));
    }
    (text, fields)
}

/// A comparison for each output; a payload has a value only while it is offered.
fn comparisons(source: &Source<'_>) -> String {
    let channels = source.design.channels();
    let mut text = String::new();
    for port in &source.layout.outputs {
        let name = &port.name;
        let offered = channels.iter().find(|channel| {
            let is_payload = |field: &str| *name == format!("{}_{field}", channel.name);
            channel.direction == Direction::Output
                && channel.fields.iter().any(|field| is_payload(&field.name))
        });
        let when = offered.map_or(String::new(), |channel| format!("{}_valid && ", channel.name));
        text += &format!(
            r#"                if ({when}{name} !== {name}_due) begin
                    $display("clock %0d: {name} is %h, recorded was %h", clock, {name}, {name}_due);
                    differs = 1'b1;
                end
"#
        );
    }
    text
}
