//! One pair of designs for each kind of difference.

use std::fs;

use super::support::prove::{json, provers};
use super::support::{Ended, Scratch, run};

/// A register behind a clock.
fn register(clock: &str, next: &str) -> String {
    format!(
        "module m(input clk, input clk2, input rst, input en, input [1:0] a, input d, output reg q);\n\
         {clock} {next}\nendmodule\n"
    )
}

fn clocked(next: &str) -> String {
    register("always @(posedge clk)", next)
}

fn compared(files: &[(&str, &str)], arguments: &[&str]) -> Ended {
    let scratch = Scratch::new();
    for (name, text) in files {
        fs::create_dir_all(scratch.path(name).parent().expect("a folder")).expect("made");
        fs::write(scratch.path(name), text).expect("writable");
    }
    run(&scratch, &[&["prove", "--json", "--equiv"], arguments].concat())
}

#[track_caller]
fn verdict(a: &str, b: &str) -> String {
    let ended = compared(&[("a.v", a), ("b.v", b)], &["a.v", "b.v", "--top", "m"]);
    let verdict = json(&ended)["verdict"].as_str().unwrap_or(&ended.stderr).to_string();
    let code = match verdict.as_str() {
        "proven" => 0,
        "different" | "not_proven" => 1,
        _ => 2,
    };
    assert_eq!(ended.code, code, "{verdict}");
    verdict
}

#[track_caller]
fn are(expected: &str, pairs: &[(&str, &str)]) {
    if provers("pairs of designs") {
        for (a, b) in pairs {
            assert_eq!(verdict(a, b), expected, "{a}\n{b}");
        }
    }
}

const SAMPLES: &str = "if (rst) q <= 1'b0; else q <= d;";

#[test]
fn another_edge_clock_or_kind_of_reset_is_a_difference() {
    let plain = clocked(SAMPLES);
    are(
        "different",
        &[
            (&plain, &register("always @(negedge clk)", SAMPLES)),
            (&plain, &register("always @(posedge clk2)", SAMPLES)),
            (&plain, &register("always @(posedge clk or posedge rst)", SAMPLES)),
            (&plain, &register("always @*", "if (clk) q = d;")),
            (
                &register("always @(negedge clk2)", SAMPLES),
                &register("always @(posedge clk2)", SAMPLES),
            ),
        ],
    );
}

#[test]
fn the_same_clocks_edges_latches_and_resets_are_equivalent() {
    let both = ["q <= rst ? 1'b0 : d;", SAMPLES];
    for clock in ["always @(negedge clk)", "always @(posedge clk2)"] {
        are("proven", &[(&register(clock, both[0]), &register(clock, both[1]))]);
    }
    let asynchronous = register("always @(posedge clk or posedge rst)", SAMPLES);
    let latch = register("always @*", "if (en) q = d;");
    let inverted = register("wire n = ~clk; always @(negedge n)", SAMPLES);
    are(
        "proven",
        &[(&asynchronous, &asynchronous), (&latch, &latch), (&clocked(SAMPLES), &inverted)],
    );
}

#[test]
fn what_cannot_be_compared_is_refused_by_name() {
    if !provers("refusals") {
        return;
    }
    let gated = register("wire g = clk & en; always @(posedge g)", SAMPLES);
    let divided = register("reg h; always @(posedge clk) h <= ~h; always @(posedge h)", SAMPLES);
    let looped = register("wire l = ~(l & d); always @(posedge clk)", "q <= l;");
    let driven = register("wire w; assign w = d; assign w = en; always @(posedge clk)", "q <= w;");
    let released = "module m(input d, output q); assign q = 1'bz; endmodule\n";
    let both = "module m(input d, inout q); assign q = d; endmodule\n";
    for (refused, cause) in [
        (gated.as_str(), "the clock of q"),
        (&divided, "the clock of q"),
        (&looped, "a combinational loop"),
        (&driven, "several drivers"),
        (released, "drives z"),
        (both, "port q of m is an inout"),
    ] {
        let message = verdict(refused, refused);
        assert!(message.contains(cause), "{cause}: {message}");
    }
}

#[test]
fn the_second_may_choose_what_is_undefined_in_the_first_but_not_the_other_way_round() {
    let of = |value: &str| {
        clocked(&format!("case (a) 2'd0: q <= d; 2'd1: q <= ~d; default: q <= {value}; endcase"))
    };
    let (zero, one, x) = (of("1'b0"), of("1'b1"), of("1'bx"));
    are("proven", &[(&x, &zero), (&x, &one), (&x, &x)]);
    are("different", &[(&zero, &x), (&zero, &one)]);
    let wire =
        |value: &str| format!("module m(input d, output q); assign q = {value}; endmodule\n");
    are("different", &[(&wire("1'b0"), &wire("1'bz")), (&wire("1'b0"), &wire("1'bx"))]);
    // An index beyond the vector.
    let picked = |index: &str| {
        clocked(&format!("begin : b reg [2:0] v; v = {{d, en, d}}; q <= {index}; end"))
    };
    are("proven", &[(&picked("v[a]"), &picked("a == 2'd3 ? 1'b1 : v[a]"))]);
    are("different", &[(&picked("a == 2'd3 ? 1'b1 : v[a]"), &picked("v[a]"))]);
}

#[test]
fn contents_of_memories_and_initial_values_count() {
    let memory = |last: u32| {
        format!(
            "module m(input clk, input we, input [1:0] a, input [3:0] d, output reg [3:0] q);\n  reg [3:0] ram [0:3];\n  \
             initial begin ram[0] = 1; ram[1] = 2; ram[2] = 3; ram[3] = {last}; end\n  \
             always @(posedge clk) begin if (we) ram[a] <= d; q <= ram[a]; end\nendmodule\n"
        )
    };
    are("proven", &[(&memory(4), &memory(4))]);
    are("different", &[(&memory(4), &memory(5))]);
    let initial = |value: &str| clocked(&format!("if (en) q <= d; initial q = {value};"));
    are(
        "different",
        &[(&initial("1'b0"), &initial("1'b1")), (&initial("1'b0"), &clocked("if (en) q <= d;"))],
    );
    are("proven", &[(&clocked("if (en) q <= d;"), &initial("1'b1"))]);
}

#[test]
fn a_difference_before_a_reset_is_a_note_on_what_is_equivalent_after_it() {
    if !provers("a reset") {
        return;
    }
    let of = |value: &str| clocked(&format!("{SAMPLES} initial q = {value};"));
    let ended =
        compared(&[("a.v", &of("1'b0")), ("b.v", &of("1'b1"))], &["a.v", "b.v", "--top", "m"]);
    let record = json(&ended);
    assert_eq!((ended.code, &record["from"]), (0, &"1 clock with rst = 1".into()));
    assert!(
        record["notes"][0].as_str().expect("a note").starts_with("without a reset they differ")
    );
}

#[test]
fn designs_are_read_with_their_files_languages_macros_and_port_names() {
    if !provers("files") {
        return;
    }
    let interface = "interface bus; logic v; logic d; endinterface\n\
                     package p; typedef enum logic {A, B} kind; endpackage\n\
                     module inner import p::*; (bus b, input logic clk, output kind q);\n\
                     always_ff @(posedge clk) if (b.v) q <= kind'(b.d); endmodule\n\
                     module top2 import p::*; #(parameter type T = logic) (input logic clock, input T [1:0] p, output kind o);\n\
                     bus b(); assign b.v = p[1]; assign b.d = p[0]; inner u(.b, .clk(clock), .q(o)); endmodule\n";
    let plain =
        "module m(input clk, input v, input d, output reg q);\n`include \"next.vh\"\nendmodule\n";
    let next = "always @(posedge clk) if (v) q <= d `FLIP;\n";
    let files =
        [("rtl/a.v", plain), ("rtl/next.vh", next), ("b.sv", interface), ("a.f", "rtl/a.v\n")];
    let mapped = [
        "a.f",
        "b.sv",
        "--top",
        "m,top2",
        "--map",
        "clock=clk",
        "--map",
        "p[1]=v",
        "--map",
        "p[0]=d",
        "--map",
        "o=q",
    ];
    for (flip, code) in [("FLIP=", 0), ("a:FLIP=", 0), ("FLIP=^1", 1)] {
        let ended = compared(&files, &[&mapped[..], &["-D", flip]].concat());
        assert_eq!(ended.code, code, "{flip}: {}{}", ended.stdout, ended.stderr);
    }
}
