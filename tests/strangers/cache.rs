//! A change of any of the user's files triggers a rebuild.

use super::support::{Ended, Scratch, needs_verilator, run};

const REQUESTS: [&str; 6] = ["cosim", "hmg_directory", "--preset", "fpga", "--requests", "8192"];

fn cosim(scratch: &Scratch, arguments: &[&str]) -> Ended {
    run(scratch, &[&REQUESTS[..], arguments].concat())
}

#[test]
fn an_included_header_that_changes_is_built_again() {
    if !needs_verilator("an_included_header_that_changes_is_built_again") {
        return;
    }
    let scratch = Scratch::new();
    let text = super::handwritten();
    let from = "s1_op > 3'd5 ||";
    assert_eq!(text.matches(from).count(), 1);
    let text = text.replace(from, "s1_op > `LAST_OP ||");
    std::fs::create_dir_all(scratch.path("rtl/inc")).unwrap();
    std::fs::write(scratch.path("rtl/mine.v"), format!("`include \"inc/ops.vh\"\n{text}")).unwrap();
    let header = |last: &str| {
        std::fs::write(scratch.path("rtl/inc/ops.vh"), format!("`define LAST_OP {last}\n"))
            .unwrap();
    };
    header("3'd5");
    let equal = cosim(&scratch, &["--dut", "rtl/mine.v"]);
    assert_eq!(equal.code, 0, "{equal:?}");
    header("3'd4");
    let broken = cosim(&scratch, &["--dut", "rtl/mine.v"]);
    assert_eq!(broken.code, 1, "the header is broken: {broken:?}");
    std::fs::remove_file(scratch.path("rtl/inc/ops.vh")).unwrap();
    let gone = cosim(&scratch, &["--dut", "rtl/mine.v"]);
    assert_eq!(gone.code, 2, "{gone:?}");
    assert!(gone.stderr.contains("ops.vh") && gone.stderr.contains("rtl/mine.v:1:"), "{gone:?}");
}

#[test]
fn a_design_in_folders_with_other_names_and_a_low_reset_is_equal() {
    if !needs_verilator("a_design_in_folders_with_other_names_and_a_low_reset_is_equal") {
        return;
    }
    // Two files with the same base name, a package, a header in a folder, a required parameter, a nested
    // list, the user's own port names and reset level.
    let scratch = Scratch::new();
    let text = super::handwritten();
    let (top, skid) = text.split_at(text.find("// Two places: valid").expect("the skid buffer"));
    let top = top
        .replace("module hmg_directory (", "module my_directory #(parameter ROWS_LOG2) (")
        .replace("input  wire        rst,", "input  wire        rst_n, input wire [1:0] scan_in,")
        .replace("input  wire        req_valid,", "input  wire        i_valid,")
        .replace(
            "endmodule",
            "  wire rst = !rst_n | scan_in != 2'd2; wire req_valid = i_valid;\nendmodule",
        )
        .replace("[8:0] clear_next", "[ROWS_LOG2:0] clear_next")
        .replace("3'd5 ||", "ops::LAST ||");
    for folder in ["a", "b", "inc/deep"] {
        std::fs::create_dir_all(scratch.path(folder)).unwrap();
    }
    let files = [
        ("a/part.sv", format!("`include \"deep/unit.svh\"\n{top}")),
        ("b/part.sv", skid.to_string()),
        ("a/ops.sv", "package ops; localparam [2:0] LAST = `LAST; endpackage\n".to_string()),
        ("inc/deep/unit.svh", "`timescale 1ns / 1ps\n".to_string()),
        ("all.f", "+incdir+inc\n-f a/files.f\nb/part.sv // the buffer\n".to_string()),
        ("a/files.f", "ops.sv\n# the top\npart.sv\n".to_string()),
    ];
    for (name, text) in files {
        std::fs::write(scratch.path(name), text).unwrap();
    }
    let all = "-f all.f -D LAST=3'd5 --top my_directory -G ROWS_LOG2=8 --map i_valid=req_valid \
               --map rst_n=rst --tie scan_in=2 --reset active-low";
    let equal = cosim(&scratch, &all.split_whitespace().collect::<Vec<_>>());
    assert_eq!(equal.code, 0, "{equal:?}");
    let without = all.replace("--reset active-low", "");
    let dead = cosim(&scratch, &without.split_whitespace().collect::<Vec<_>>());
    assert_eq!(dead.code, 2, "{dead:?}");
    assert!(dead.stderr.contains("--reset active-low"), "{dead:?}");
}
