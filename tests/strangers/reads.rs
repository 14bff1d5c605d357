//! Files that a design reads when it begins.

use serde_json::Value;

use super::fifo::{cosim, emitted};
use super::support::{Scratch, needs_verilator, refused, run, schema};

/// The kinds of entries go through a memory that a file makes the identity; `name` is the file's in Verilog.
fn with_memory(name: &str) -> Scratch {
    let scratch = emitted();
    let fifo = std::fs::read_to_string(scratch.path("s_fifo/tiny/s_fifo.v")).unwrap();
    let kinds = fifo.replace("input  wire [1:0] enqueue_kind,", "input wire [1:0] kind_in,");
    assert_ne!(fifo, kinds);
    let body = "wire [1:0] enqueue_kind; rom #(.FILE(`NAME)) rom (.a(kind_in), .q(enqueue_kind));";
    let kinds = kinds.replacen(");", &format!(");\n{body}"), 1);
    let rom =
        "module rom #(parameter FILE = \"\", parameter USED = 0) (input [1:0] a, output [1:0] q);
        reg [1:0] kinds [0:3]; assign q = kinds[a];
        initial if (FILE != \"\") $readmemh(FILE, kinds);
        initial if (USED) $readmemh(\"gone.hex\", kinds);
        endmodule\n";
    std::fs::create_dir_all(scratch.path("rtl")).unwrap();
    std::fs::write(scratch.path("rtl/mine.v"), format!("`define NAME {name}\n{kinds}{rom}"))
        .unwrap();
    scratch
}

const DUT: &str = "--dut rtl/mine.v --ours all --map kind_in=enqueue_kind";

#[test]
fn a_file_beside_the_source_or_in_the_current_folder_is_read_and_a_missing_one_named() {
    if !needs_verilator("a_file_beside_the_source_or_in_the_current_folder_is_read") {
        return;
    }
    let scratch = with_memory("\"kinds.hex\"");
    let missing = cosim(&scratch, DUT);
    refused(&missing, &["rtl/mine.v:", "$readmem", "`kinds.hex`", "rtl/kinds.hex"]);
    let write = |name: &str, text: &str| std::fs::write(scratch.path(name), text).unwrap();
    write("rtl/kinds.hex", "0 1 2 3\n");
    let equal = cosim(&scratch, DUT);
    assert_eq!(equal.code, 0, "{equal:?}");
    // The current folder comes first.
    write("kinds.hex", "1 0 2 3\n");
    let different = cosim(&scratch, DUT);
    assert_eq!(different.code, 1, "{different:?}");
    std::fs::remove_file(scratch.path("kinds.hex")).unwrap();
    write("rtl/kinds.hex", "0 x1 z\n!");
    refused(&cosim(&scratch, DUT), &["kinds.hex"]);

    write("rtl/kinds.hex", "0 1 2 3\n");
    std::fs::rename(scratch.path("rtl"), scratch.path("my rtl")).unwrap();
    write("files.f", "'my rtl'/mine.v\n");
    let equal = cosim(&scratch, &DUT.replace("--dut rtl/mine.v", "-f files.f"));
    assert_eq!(equal.code, 0, "{equal:?}");
}

#[test]
fn a_name_that_is_put_together_or_made_at_run_time_is_never_blamed_on_the_circuit() {
    if !needs_verilator("a_name_that_is_put_together_or_made_at_run_time") {
        return;
    }
    let scratch = with_memory("{\"kin\", \"ds.hex\"}");
    std::fs::write(scratch.path("rtl/kinds.hex"), "0 1 2 3\n").unwrap();
    refused(&cosim(&scratch, DUT), &["`kinds.hex`", "put together"]);
    std::fs::write(scratch.path("kinds.hex"), "0 1 2 3\n").unwrap();
    let equal = cosim(&scratch, DUT);
    assert_eq!(equal.code, 0, "{equal:?}");
    let file = scratch.path("rtl/mine.v");
    let text = std::fs::read_to_string(&file).unwrap();
    let named = "string name; initial begin name = \"late.hex\"; $readmemh(name, kinds); end";
    std::fs::write(file, text.replace("initial if (USED)", &format!("{named}\ninitial if (USED)")))
        .unwrap();
    refused(&cosim(&scratch, DUT), &["late.hex", "current folder"]);
}

#[test]
fn a_soak_begins_anew_when_a_file_changes() {
    if !needs_verilator("a_soak_begins_anew_when_a_file_changes") {
        return;
    }
    let scratch = with_memory("\"kinds.hex\"");
    let write = |text: &str| std::fs::write(scratch.path("rtl/kinds.hex"), text).unwrap();
    let earlier = || {
        let command = format!("soak s_fifo --preset tiny --requests 2000 --for 1s --json {DUT}");
        let ended = run(&scratch, &command.split(' ').collect::<Vec<_>>());
        assert_eq!(ended.code, 0, "{ended:?}");
        let record: Value = schema::document(&ended);
        record["earlier_runs"].as_u64().expect("a count")
    };
    write("0 1 2 3\n");
    assert_eq!(earlier(), 0);
    assert!(earlier() > 0);
    write("0 1 2 3 // again\n");
    assert_eq!(earlier(), 0);
}
