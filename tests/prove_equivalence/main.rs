//! `warpsmith prove --equiv`: two circuits in Verilog are equivalent, or differ in a clock that is told.

mod cases;
mod circuit;
mod judge;
mod pairs;
mod random;
#[path = "../support/mod.rs"]
mod support;

use std::fs;

use support::prove::{json, provers};
use support::{Ended, Scratch, run};
use warpsmith::flow::yosys::YOSYS;

const TWO_BITS: &str = "module m (input wire clk, input wire rst, input wire up, \
                        output wire [1:0] q);\n    reg [1:0] count;\n    always @(posedge clk)\n        \
                        if (rst) count <= 0; else if (up) count <= count + 2'd1;\n    assign q = count;\n\
                        endmodule\n";
/// The same counter in another encoding, so that no register has a counterpart.
const ONE_HOT: &str = "module m (input wire clk, input wire rst, input wire up, \
                       output wire [1:0] q);\n    reg [3:0] place;\n    always @(posedge clk)\n        \
                       if (rst) place <= 4'd1; else if (up) place <= {place[2:0], place[3]};\n    \
                       assign q = {place[3] | place[2], place[3] | place[1]};\nendmodule\n";

fn equivalence(a: &str, b: &str) -> Ended {
    let scratch = Scratch::new();
    fs::write(scratch.path("a.v"), a).expect("writable");
    fs::write(scratch.path("b.v"), b).expect("writable");
    run(&scratch, &["prove", "--equiv", "a.v", "b.v", "--top", "m", "--timeout", "60", "--json"])
}

#[test]
fn two_encodings_of_a_counter_are_equivalent() {
    if provers("two encodings") {
        let ended = equivalence(TWO_BITS, ONE_HOT);
        assert_eq!((ended.code, &json(&ended)["verdict"]), (0, &"proven".into()));
    }
}

#[test]
fn a_counter_that_skips_a_value_is_different_in_a_clock_that_is_told() {
    if provers("a counter that skips") {
        let skips = TWO_BITS.replace("count + 2'd1", "count + (count == 2'd2 ? 2'd2 : 2'd1)");
        let ended = equivalence(TWO_BITS, &skips);
        let record = json(&ended);
        assert_eq!((ended.code, &record["verdict"]), (1, &"different".into()));
        assert!(record["clock"].as_u64().expect("a clock") >= 3, "{record}");
    }
}

#[test]
fn ports_that_differ_are_refused_by_name() {
    if provers("ports that differ") {
        let ended = equivalence(TWO_BITS, &TWO_BITS.replace("up", "down"));
        assert_eq!(ended.code, 2);
        assert!(ended.stderr.contains("port up of m"), "{}", ended.stderr);
    }
}

#[test]
fn the_emitted_directory_is_equivalent_to_its_mapped_netlist() {
    if !provers("the mapped netlist") {
        return;
    }
    let scratch = Scratch::new();
    assert_eq!(run(&scratch, &["emit", "hmg_directory", "--out", "out"]).code, 0);
    let folder = scratch.path("out/hmg_directory/tiny");
    let mut rtl = String::new();
    for file in fs::read_dir(folder).expect("emitted") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "v") {
            rtl += &fs::read_to_string(path).expect("emitted");
        }
    }
    fs::write(scratch.path("rtl.v"), rtl).expect("writable");
    let script = "read_verilog rtl.v\nsynth -nofsm -flatten -top hmg_directory\nabc -g AND,XOR\nopt_clean\n\
                  write_verilog -noattr netlist.v\n";
    let yosys = YOSYS.find().expect("it is there");
    fs::write(scratch.path("map.ys"), script).expect("writable");
    let folder = scratch.path("");
    let limit = std::time::Duration::from_secs(600);
    yosys.run(&folder, &["-s", "map.ys"], "map.log", limit).expect("mapped");
    let arguments = ["prove", "--equiv", "rtl.v", "netlist.v", "--top", "hmg_directory", "--json"];
    let ended = run(&scratch, &arguments);
    assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
}
