//! Replaces parts of a circuit by their contracts, for proofs for all time.
//!
//! A contract is proven of the part alone, under that proof's assumptions about the environment, which are
//! also assumed of the circuit's environment. So it holds of the part in any circuit and may be assumed
//! there.

use std::fmt::Write as _;

use warpsmith_blocks::properties::PART;
use warpsmith_rtl::Module;

use super::top::{Top, range};
use super::unbounded::Outcome;
use super::{Job, read_script};
use crate::flow::FlowError;

/// Script lines that assert the parts' contracts in the whole circuit, without their covers.
pub fn asserted(top: &Top) -> String {
    match top.parts.is_empty() {
        true => String::new(),
        false => format!("chformal -cover -remove properties.{PART}*\n"),
    }
}

/// The job with each part replaced by its contract with arbitrary outputs.
///
/// # Errors
/// [`FlowError::File`] if a file cannot be written.
pub fn take_out<'a>(job: &Job<'a>, top: &Top) -> Result<Job<'a>, FlowError> {
    let mut files = job.files.clone();
    for part in &top.parts {
        let name = format!("any_{}.v", part.name);
        job.folder.write(&name, &anything(part))?;
        files.retain(|file| *file != format!("{}.v", part.name));
        files.push(name);
    }
    let mut contracts = asserted(top);
    if !top.parts.is_empty() {
        let _ = writeln!(contracts, "chformal -assert2assume properties.{PART}*");
    }
    Ok(Job { read: read_script(&files, top, &contracts), files, ..job.clone() })
}

/// The outcome of an assertion, given its outcome in the circuit without the parts.
pub fn outcome(top: &Top, outcome: Option<Outcome>) -> Outcome {
    let parts: Vec<_> = top.parts.iter().map(|part| part.name.as_str()).collect();
    let parts = parts.join(" and ");
    match outcome {
        Some(Outcome::Proven(by)) if !parts.is_empty() => {
            Outcome::Proven(format!("{by}, given the contract of {parts}"))
        }
        Some(outcome) => outcome,
        None => Outcome::Open(format!("of a part: to be proven of {parts}")),
    }
}

/// A module with a part's ports and arbitrary outputs at each clock.
fn anything(part: &Module) -> String {
    let layout = part.port_layout();
    let mut text = format!(
        "// Arbitrary outputs in the place of {0}.\nmodule {0} (\n    input wire clk",
        part.name
    );
    for port in &layout.inputs {
        let _ = write!(text, ",\n    input wire {}{}", range(port.width), port.name);
    }
    for port in &layout.outputs {
        let _ = write!(text, ",\n    output wire {}{}", range(port.width), port.name);
    }
    text += "\n);\n";
    for port in &layout.outputs {
        let range = range(port.width);
        let _ = writeln!(text, "    (* anyseq *) reg {range}any_{};", port.name);
        let _ = writeln!(text, "    assign {0} = any_{0};", port.name);
    }
    text + "endmodule\n"
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use warpsmith_blocks::properties::Properties;
    use warpsmith_rtl::ModuleBuilder;
    use warpsmith_rtl::verilog::{EmitOptions, emit};

    use super::*;
    use crate::flow::folder::Folder;
    use crate::flow::prove::bounded::{self, Mode};
    use crate::flow::prove::{Programs, induction};

    /// `high` is 1 and `low` is 0. The contract states that of `high`, which is what the circuit needs.
    const TOP: &str = "module top(input wire clk);
    reg rst = 1;
    always @(posedge clk) rst <= 0;
    wire part_two_levels_high;
    wire was_high, was_low;
    unit dut (.clk(clk), .rst(rst), .was_high(was_high), .was_low(was_low));
    contract properties (.clk(clk), .rst(rst), .high(part_two_levels_high));
    always @(posedge clk) if (!rst) begin
        needs_the_contract: assert (was_high);
        is_true_but_not_of_the_contract: assert (was_low);
    end
endmodule
module unit(input wire clk, input wire rst, output reg was_high, output reg was_low);
    wire high, low;
    levels two_levels (.clk(clk), .rst(rst), .high(high), .low(low));
    always @(posedge clk) was_high <= rst || high;
    always @(posedge clk) was_low <= rst || !low;
endmodule
module contract(input wire clk, input wire rst, input wire high);
    always @(posedge clk) if (!rst) part_two_levels_is_high: assert (high);
endmodule
";

    fn levels(high: u64) -> Module {
        let m = ModuleBuilder::new("levels");
        m.output("high", m.lit(1, high));
        m.output("low", m.lit(1, 0));
        m.finish()
    }

    fn top(part: Module) -> Top {
        let shown = ["part_two_levels_high", "dut.two_levels.high"].map(str::to_string);
        Top {
            name: "top".to_string(),
            verilog: TOP.to_string(),
            properties: Vec::new(),
            probes: vec![shown.into()],
            parts: vec![part],
            unseen: Vec::new(),
            cover_depth: Properties::COVER_DEPTH,
            without: None,
        }
    }

    #[test]
    fn what_follows_from_a_contract_is_proven_and_the_contract_is_checked() {
        let programs = match Programs::find() {
            Ok(programs) => programs,
            Err(why) => {
                assert!(std::env::var_os("CI").is_none(), "{why}");
                eprintln!("skipped: what_follows_from_a_contract_is_proven: {why}");
                return;
            }
        };
        for high in [1, 0] {
            let top = top(levels(high));
            let scratch = tempfile::tempdir().expect("a folder");
            let folder = Folder::empty(scratch.path()).expect("empty");
            let part = emit(&top.parts[0], &EmitOptions::default()).expect("Verilog").remove(0);
            folder.write("top.v", TOP).expect("written");
            folder.write("levels.v", &part.text).expect("written");
            let files = ["top.v", "levels.v"].map(str::to_string).to_vec();
            let read = read_script(&files, &top, &asserted(&top));
            let limit = Duration::from_secs(120);
            let job =
                Job { folder: &folder, files, read, programs: &programs, limit, tell: &|_| () };
            let (outcomes, _) =
                induction::run(&take_out(&job, &top).expect("written")).expect("an end");
            let is_proven = |name: &str| matches!(outcomes[name], Outcome::Proven(_));
            // The part is arbitrary: its contract is assumed.
            assert!(is_proven("needs_the_contract"));
            assert!(!is_proven("is_true_but_not_of_the_contract"));
            assert!(!outcomes.contains_key("properties.part_two_levels_is_high"));
            // In the whole circuit the contract is asserted.
            let found = bounded::run(&job, Mode::Bounded, 3, limit).expect("an end");
            let breaks = found.met.contains_key("properties.part_two_levels_is_high");
            assert_eq!(breaks, high == 0);
        }
    }
}
