//! The design to prove: a block in an environment that may do whatever is legal, with its properties.

use std::fmt::Write as _;

use warpsmith_blocks::block::Design;
use warpsmith_blocks::channel::{Channel, Direction, Handshake};
use warpsmith_blocks::properties::{CHOSEN, Properties};
use warpsmith_rtl::library::ready_valid_properties::{
    Offers, ready_valid_properties, valid_only_properties,
};
use warpsmith_rtl::{Module, PortLayout};

/// The Verilog top around a block, and the modules of properties that it instantiates.
pub struct Top {
    /// Name of the top module.
    pub name: String,
    /// Its text.
    pub verilog: String,
    /// The property modules that it instantiates.
    pub properties: Vec<Module>,
    /// Wires of the top that show internal signals, once it is flattened.
    pub probes: Vec<(String, String)>,
    /// Modules that are replaced by their contracts in proofs for all time.
    pub parts: Vec<Module>,
    /// Corners without a cover, each with the reason.
    pub unseen: Vec<(usize, &'static str)>,
    /// Clocks within which covers can be met.
    pub cover_depth: u32,
    /// Why the block has no properties of its own, if so.
    pub without: Option<String>,
}

/// The top of a design, whose modules have that prefix; with `inside`, its properties also see internal signals
/// of our own circuit.
pub fn top(design: &dyn Design, circuit: &Module, inside: bool, prefix: &str) -> Top {
    let name = format!("{prefix}{}_formal", design.name());
    let layout = circuit.port_layout();
    let straps = design.straps();
    let is_strap = |port: &str| straps.iter().any(|strap| strap.name == port);
    let free: Vec<_> =
        layout.inputs.iter().filter(|port| port.name != "rst" && !is_strap(&port.name)).collect();

    let mut text = format!("// {} in any legal environment, with its properties.\n", design.name());
    let _ = write!(text, "module {name} (\n    input wire clk");
    for port in free {
        let _ = write!(text, ",\n    input wire {}{}", range(port.width), port.name);
    }
    text += "\n);\n    reg rst = 1'b1;\n    always @(posedge clk) rst <= 1'b0;\n";
    for port in &layout.outputs {
        let _ = writeln!(text, "    wire {}{};", range(port.width), port.name);
    }
    for strap in &straps {
        constant(&mut text, strap.name, strap.width);
        let _ = writeln!(text, "    always @* assume ({} <= {});", strap.name, strap.values - 1);
    }
    let mut properties = Vec::new();
    let (mut probes, mut parts, mut unseen) = (Vec::new(), Vec::new(), Vec::new());
    let (mut cover_depth, mut without) = (Properties::COVER_DEPTH, None);
    match design.properties(inside) {
        Ok(own) => {
            instance_of_properties(&mut text, &own.module, &own.probes, prefix);
            properties.push(own.module);
            let inside = |(wire, path)| (wire, format!("dut.{path}"));
            probes = own.probes.into_iter().map(inside).collect();
            parts = own.parts;
            unseen = own.unseen;
            cover_depth = own.cover_depth;
        }
        // The properties of its channels and circuit remain.
        Err(none) => without = Some(none.to_string()),
    }
    instance(&mut text, &format!("{prefix}{}", design.name()), "dut", &names(&layout));
    for channel in design.channels() {
        properties.push(handshake(&mut text, &channel, prefix));
    }
    text += "endmodule\n";
    Top { name, verilog: text, properties, probes, parts, unseen, cover_depth, without }
}

fn names(layout: &PortLayout) -> Vec<(String, String)> {
    let ports = layout.inputs.iter().chain(&layout.outputs);
    ports.map(|port| (port.name.clone(), port.name.clone())).collect()
}

/// Instantiates a block's own properties, connected by name.
fn instance_of_properties(
    text: &mut String,
    module: &Module,
    probes: &[(String, String)],
    prefix: &str,
) {
    let mut ports = vec![("rst".to_string(), "rst".to_string())];
    for input in module.inputs() {
        let name = module.port_name(input);
        if name.starts_with(CHOSEN) {
            constant(text, name, module.node(input).width);
        } else if probes.iter().any(|(probe, _)| probe == name) {
            let _ = writeln!(text, "    wire {}{name};", range(module.node(input).width));
        }
        ports.push((name.to_string(), name.to_string()));
    }
    instance(text, &format!("{prefix}{}", module.name), "properties", &ports);
}

/// Instantiates the properties of a channel's handshake, whose module has that prefix, and returns them.
pub fn handshake(text: &mut String, channel: &Channel, prefix: &str) -> Module {
    let name = channel.name;
    let mut ports = vec![("rst".to_string(), "rst".to_string())];
    let mut connect = |port: &str, to: String| ports.push((port.to_string(), to));
    connect("valid", format!("{name}_valid"));
    let module = match (channel.handshake, channel.direction) {
        (Handshake::ReadyValid | Handshake::Revocable, direction) => {
            connect("ready", format!("{name}_ready"));
            let fields = channel.fields.iter().map(|field| format!("{name}_{}", field.name));
            let payload: Vec<_> = fields.collect();
            if !payload.is_empty() {
                connect("payload", format!("{{{}}}", payload.join(", ")));
            }
            let offers = match (direction, channel.handshake) {
                (Direction::Input, Handshake::Revocable) => Offers::Revocable,
                (Direction::Input, _) => Offers::Assumed,
                (Direction::Output, _) => Offers::Asserted,
            };
            ready_valid_properties(channel.fields.width(), offers)
        }
        (Handshake::ValidOnly, Direction::Input) => valid_only_properties(Offers::Assumed),
        (Handshake::ValidOnly, Direction::Output) => valid_only_properties(Offers::Asserted),
    };
    instance(text, &format!("{prefix}{}", module.name), &format!("{name}_channel"), &ports);
    module
}

fn constant(text: &mut String, name: &str, width: u32) {
    let _ = writeln!(text, "    (* anyconst *) reg {}{name};", range(width));
}

/// Instantiates a module: `clk`, then `ports`, each with what it is connected to.
pub fn instance(text: &mut String, module: &str, name: &str, ports: &[(String, String)]) {
    let ports = ports.iter().map(|(port, to)| format!(",\n        .{port}({to})"));
    let _ = writeln!(
        text,
        "    {module} {name} (\n        .clk(clk){}\n    );",
        ports.collect::<String>()
    );
}

/// The declared range of a wire with a trailing space; empty for a single bit.
pub fn range(width: u32) -> String {
    match width {
        1 => String::new(),
        _ => format!("[{}:0] ", width - 1),
    }
}
