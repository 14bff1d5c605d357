//! The contract of a block, checked wherever the block is simulated: a SystemVerilog module of assertions,
//! bound to every instance.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use warpsmith_blocks::properties::CHOSEN;
use warpsmith_rtl::Module;
use warpsmith_rtl::ir::CheckKind;
use warpsmith_rtl::verilog::{Checks as When, EmitError, EmitOptions, emit};

use super::Source;
use crate::flow::prove::top::{handshake, instance, range};

/// The files of a block's checks.
pub struct Checks {
    /// Name and text of each, in the order in which they are read.
    pub files: Vec<(String, String)>,
    /// Names of the files of the properties alone, which a proof reads.
    pub properties: Vec<String>,
    /// Assertions in them.
    pub assertions: usize,
    /// Assumptions in them.
    pub assumptions: usize,
    /// Why the block's own properties are not among them, if so.
    pub without: Option<String>,
}

/// The checks of a block: the modules of properties, the module that holds them, and the bind statement.
pub fn of(source: &Source<'_>) -> Result<Checks, EmitError> {
    let name = format!("{}_checks", source.name);
    let mut body = String::new();
    let mut modules = Vec::new();
    let mut constants = Vec::new();
    let mut without = None;
    match source.design.properties(false) {
        Ok(own) => {
            constants = free_constants(&own.module);
            contract(&mut body, source.prefix, &own.module);
            modules.push(own.module);
        }
        // The rules of its channels remain.
        Err(none) => without = Some(none.to_string()),
    }
    for channel in source.design.channels() {
        modules.push(handshake(&mut body, &channel, source.prefix));
    }
    let count = |kind| {
        let of = |module: &Module| module.checks.iter().filter(|c| c.kind == kind).count();
        modules.iter().map(of).sum()
    };
    let (assertions, assumptions) = (count(CheckKind::Assert), count(CheckKind::Assume));
    let mut files = properties(source, &modules)?;
    let text = module(source, &name, &constants, &body, (assertions, assumptions));
    let properties = files.iter().map(|(file, _)| file.clone()).collect();
    files.push((format!("{name}.sv"), text));
    files.push((format!("{}_bind.sv", source.name), bind(source, &name)));
    Ok(Checks { files, properties, assertions, assumptions, without })
}

/// Name and width of a property module's free constants.
fn free_constants(module: &Module) -> Vec<(String, u32)> {
    let inputs = module.inputs().map(|input| (module.port_name(input), module.node(input).width));
    let free = inputs.filter(|(name, _)| name.starts_with(CHOSEN));
    free.map(|(name, width)| (name.to_string(), width)).collect()
}

/// Instantiates the block's own properties.
fn contract(body: &mut String, prefix: &str, module: &Module) {
    let mut ports = vec![("rst".to_string(), "rst".to_string())];
    for input in module.inputs() {
        let name = module.port_name(input);
        let is_free = name.starts_with(CHOSEN);
        let connected = if is_free { name.to_uppercase() } else { name.to_string() };
        ports.push((name.to_string(), connected));
    }
    instance(body, &format!("{prefix}{}", module.name), "contract", &ports);
}

/// The modules of properties, each once.
fn properties(source: &Source<'_>, modules: &[Module]) -> Result<Vec<(String, String)>, EmitError> {
    let options = EmitOptions {
        prefix: source.prefix.into(),
        header: source.header.clone(),
        checks: When::Simulated,
        ..EmitOptions::default()
    };
    let mut known = BTreeSet::new();
    let mut files = Vec::new();
    for module in modules {
        for file in emit(module, &options)? {
            if known.insert(file.module.clone()) {
                files.push((format!("{}.sv", file.module), file.text));
            }
        }
    }
    Ok(files)
}

/// The module that holds all properties and counts the clocks on which they were checked.
fn module(
    source: &Source<'_>,
    name: &str,
    constants: &[(String, u32)],
    body: &str,
    (assertions, assumptions): (usize, usize),
) -> String {
    let header = source.verilog_header(
        "The contract of the block and the rules of its channels, from the first reset on. Assumptions\n\
         are what the block expects of its environment. Verilator checks all with --assert.",
    );
    let ports = source.layout.inputs.iter().chain(&source.layout.outputs).map(|port| {
        let name = if port.name == "rst" { "block_rst" } else { &port.name };
        format!(",\n    input wire {}{name}", range(port.width))
    });
    format!(
        r#"{header}`default_nettype none
module {name} {parameters}(
    input wire clk{ports}
);
    // Before the first reset nothing is checked.
    reg was_reset = 1'b0;
    always @(posedge clk) was_reset <= was_reset | block_rst;
    wire rst = block_rst | ~was_reset;
{body}`ifndef YOSYS
    // Counts only while assertions are enabled.
    integer clocks = 0;
    always @(posedge clk) begin
        if (!rst) assert (1'b1) clocks <= clocks + 1;
    end
    final begin
        $display("%m: {assertions} assertions and {assumptions} assumptions checked on %0d clocks", clocks);
    end
`endif
endmodule
`default_nettype wire
"#,
        parameters = parameters(constants),
        ports = ports.collect::<String>(),
    )
}

/// The free constants as parameters.
fn parameters(constants: &[(String, u32)]) -> String {
    let parameter = |(name, width): &(String, u32)| {
        format!("    parameter {}{} = {width}'d0", range(*width), name.to_uppercase())
    };
    let parameters: Vec<_> = constants.iter().map(parameter).collect();
    match parameters.is_empty() {
        true => String::new(),
        false => format!(
            "#(\n    // The contract holds for any value; this is the one that is watched.\n{}\n) ",
            parameters.join(",\n")
        ),
    }
}

/// The bind statement. Yosys has none: 0.23 ignores it, later versions do not parse it.
fn bind(source: &Source<'_>, checks: &str) -> String {
    let name = &source.name;
    let mut text = source.verilog_header("Adds the checks to every instance of the block.");
    let _ = write!(
        text,
        "`ifdef YOSYS\nmodule {name}_bind;\n    $warning(\"yosys cannot bind: nothing is checked. Take the top \
         {name}_formal, or instantiate {checks}\");\nendmodule\n`else\n"
    );
    let ports = source.layout.inputs.iter().chain(&source.layout.outputs);
    let connections = ports.map(|port| match port.name.as_str() {
        "rst" => ",\n    .block_rst(rst)".to_string(),
        name => format!(",\n    .{name}({name})"),
    });
    let connections: String = connections.collect();
    let _ = writeln!(text, "bind {name} {checks} checks (\n    .clk(clk){connections}\n);\n`endif");
    text
}
