//! A memory as a module of its own: behavioural, or empty for a RAM macro.

use std::fmt::Write as _;

use crate::ir::{Collision, Memory, WritePort, address_bits};

use super::{comment, range};

/// Name of the array inside a memory's module, by which synthesizers name the memory.
pub const MEMORY_ARRAY: &str = "_rows";

/// The module of a memory. Ports are `w<i>_enable/address/data[/lanes]` and `r<i>_enable/address/data`; an
/// asynchronous read port has no enable.
pub(super) fn memory_text(name: &str, memory: &Memory, black_box: bool) -> String {
    let (rows, width) = (memory.rows, memory.width);
    let mut text = comment("", memory.doc.as_deref().unwrap_or_default());
    let collision = match memory.collision {
        Collision::ReadFirst => "the content before the write",
        Collision::WriteFirst => "the content after the write",
        Collision::Undefined => "undefined data",
    };
    if memory.read_ports.iter().all(|port| port.enable.is_none()) {
        text += &comment("", &format!("{rows} rows of {width} bits, read without a clock."));
    } else {
        let size = format!("{rows} rows of {width} bits. Reads take one clock; reading a row");
        text += &comment("", &size);
        text += &comment("", &format!("that is written at the same edge gives {collision}."));
    }
    if black_box {
        text += "(* blackbox *)\n";
    }
    let _ = writeln!(text, "module {name} (\n{}\n);", ports(memory));
    if !black_box {
        body(&mut text, memory);
    }
    text + "endmodule\n"
}

fn ports(memory: &Memory) -> String {
    let address = range(address_bits(memory.rows));
    let data = range(memory.width);
    let mut ports = vec!["    input  wire clk".to_string()];
    for (i, port) in memory.write_ports.iter().enumerate() {
        ports.push(format!("    input  wire w{i}_enable"));
        ports.push(format!("    input  wire {address}w{i}_address"));
        ports.push(format!("    input  wire {data}w{i}_data"));
        if port.lanes.is_some() {
            ports.push(format!("    input  wire {}w{i}_lanes", range(memory.lanes)));
        }
    }
    for (i, port) in memory.read_ports.iter().enumerate() {
        let kind = if port.enable.is_some() { "reg " } else { "wire" };
        if port.enable.is_some() {
            ports.push(format!("    input  wire r{i}_enable"));
        }
        ports.push(format!("    input  wire {address}r{i}_address"));
        ports.push(format!("    output {kind} {data}r{i}_data"));
    }
    ports.join(",\n")
}

fn body(text: &mut String, memory: &Memory) {
    let data = range(memory.width);
    let _ = writeln!(text, "    reg {data}{MEMORY_ARRAY} [0:{}];\n", memory.rows - 1);
    if !memory.write_ports.is_empty() {
        *text += "    always @(posedge clk) begin\n";
        for (i, port) in memory.write_ports.iter().enumerate() {
            for (lane, bits) in lanes(memory, port) {
                let enable = match lane {
                    Some(lane) => format!("w{i}_enable && w{i}_lanes{lane}"),
                    None => format!("w{i}_enable"),
                };
                let _ = writeln!(text, "        if ({enable}) begin");
                let _ = writeln!(
                    text,
                    "            {MEMORY_ARRAY}[w{i}_address]{bits} <= w{i}_data{bits};"
                );
                *text += "        end\n";
            }
        }
        *text += "    end\n";
    }
    for (r, port) in memory.read_ports.iter().enumerate() {
        if port.enable.is_none() {
            let _ = writeln!(text, "\n    assign r{r}_data = {MEMORY_ARRAY}[r{r}_address];");
            continue;
        }
        *text += "\n    always @(posedge clk) begin\n";
        let _ = writeln!(text, "        if (r{r}_enable) begin");
        let _ = writeln!(text, "            r{r}_data <= {MEMORY_ARRAY}[r{r}_address];");
        bypass(text, memory, r);
        *text += "        end\n    end\n";
    }
}

/// The read data where a write hits the same row, replacing the old content.
fn bypass(text: &mut String, memory: &Memory, r: usize) {
    for (i, port) in memory.write_ports.iter().enumerate() {
        let hit = format!("w{i}_enable && w{i}_address == r{r}_address");
        let lines: Vec<(String, String)> = match memory.collision {
            Collision::ReadFirst => Vec::new(),
            Collision::Undefined => {
                vec![(hit, format!("r{r}_data <= {{{}{{1'bx}}}};", memory.width))]
            }
            Collision::WriteFirst => lanes(memory, port)
                .into_iter()
                .map(|(lane, bits)| {
                    let hit = lane.map_or(hit.clone(), |l| format!("{hit} && w{i}_lanes{l}"));
                    (hit, format!("r{r}_data{bits} <= w{i}_data{bits};"))
                })
                .collect(),
        };
        for (hit, take) in lines {
            let _ = writeln!(text, "            if ({hit}) begin");
            let _ = writeln!(text, "                {take}\n            end");
        }
    }
}

/// For each lane of a write port, its index in the lane enables and its bits in a row; a single entry without
/// an index if the port writes whole rows.
fn lanes(memory: &Memory, port: &WritePort) -> Vec<(Option<String>, String)> {
    if port.lanes.is_none() {
        return vec![(None, String::new())];
    }
    let size = memory.width / memory.lanes;
    let index = |lane| if memory.lanes == 1 { String::new() } else { format!("[{lane}]") };
    let bits = |lane: u32| match (memory.lanes, size) {
        (1, _) => String::new(),
        (_, 1) => format!("[{lane}]"),
        _ => format!("[{}:{}]", (lane + 1) * size - 1, lane * size),
    };
    (0..memory.lanes).map(|lane| (Some(index(lane)), bits(lane))).collect()
}
