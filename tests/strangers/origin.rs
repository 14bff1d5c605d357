//! Modules that nobody gave are not silently ours.

use super::fifo::{around, cosim, emitted};
use super::support::{Scratch, junit, needs_verilator, refused, schema};

/// Users' and our modules in the JSON of an equal run.
fn origin(scratch: &Scratch, more: &str) -> [Vec<String>; 2] {
    let ended = cosim(scratch, &format!("{more} --json"));
    assert_eq!(ended.code, 0, "{ended:?}");
    let record = schema::document(&ended);
    ["users", "ours"].map(|whose| serde_json::from_value(record["origin"][whose].clone()).unwrap())
}

#[test]
fn a_forgotten_file_is_named_and_not_replaced_by_our_circuit() {
    if !needs_verilator("a_forgotten_file_is_named_and_not_replaced_by_our_circuit") {
        return;
    }
    let scratch = emitted();
    std::fs::write(scratch.path("soc.sv"), around("soc_fifo", "\n  s_fifo impl (.*);")).unwrap();
    let forgotten = cosim(&scratch, "--dut soc.sv --top soc_fifo");
    refused(&forgotten, &["`s_fifo`", "soc.sv:7", "Give their files", "--ours s_fifo"]);
    let [users, ours] = origin(&scratch, "--dut soc.sv --top soc_fifo --ours s_fifo");
    assert_eq!(users, ["soc_fifo"]);
    assert_eq!(ours, ["s_fifo", "s_fifo_ring", "skid_buffer_w4"]);
    let given = origin(&scratch, "--dut soc.sv --top soc_fifo -f s_fifo/tiny/filelist.f");
    assert_eq!(
        given,
        [
            ["s_fifo", "s_fifo_ring", "skid_buffer_w4", "soc_fifo"].map(String::from).to_vec(),
            vec![]
        ]
    );
}

#[test]
fn a_copy_of_one_file_names_all_that_it_lacks_and_the_options_to_add() {
    if !needs_verilator("a_copy_of_one_file_names_all_that_it_lacks_and_the_options_to_add") {
        return;
    }
    let scratch = emitted();
    let file = "--dut s_fifo/tiny/s_fifo.v";
    let lacks = cosim(&scratch, file);
    refused(&lacks, &["`s_fifo_ring`", "`skid_buffer_w4`", "tiny/s_fifo.v:"]);
    let options = lacks.stderr.split("in their place: ").nth(1).expect("options").trim();
    let named = origin(&scratch, &format!("{file} {options}"));
    assert_eq!(named, origin(&scratch, &format!("{file} --ours all")));
    assert_eq!(named[0], ["s_fifo"]);
    refused(&cosim(&scratch, &format!("{file} --ours s_fifo")), &["--ours s_fifo", "define"]);
    refused(&cosim(&scratch, &format!("{file} --ours ring")), &["--ours ring", "s_fifo_ring"]);
}

#[test]
fn a_part_of_the_users_stands_below_our_top() {
    if !needs_verilator("a_part_of_the_users_stands_below_our_top") {
        return;
    }
    let scratch = emitted();
    let part = "--dut s_fifo/tiny/s_fifo_ring.v";
    assert_eq!(origin(&scratch, part)[0], ["s_fifo_ring"]);
    let told = cosim(&scratch, &format!("{part} --junit r.xml"));
    let line = "modules, yours: s_fifo_ring; ours: s_fifo, skid_buffer_w4";
    assert!(told.stdout.contains(line), "{told:?}");
    let suite = junit::suite(&scratch.path("r.xml"));
    let property = |name| junit::property(&suite, name);
    assert_eq!(property("modules.yours").as_deref(), Some("s_fifo_ring"));
    assert_eq!(property("modules.ours").as_deref(), Some("s_fifo, skid_buffer_w4"));
}

#[test]
fn what_a_generate_block_leaves_out_is_not_missed() {
    if !needs_verilator("what_a_generate_block_leaves_out_is_not_missed") {
        return;
    }
    let scratch = emitted();
    let text = std::fs::read_to_string(scratch.path("s_fifo/tiny/s_fifo.v")).unwrap();
    let own = text.replace("module s_fifo (", "module own #(parameter TRACED = 0) (");
    let traced = "\n  generate if (TRACED) s_fifo shadow (.clk(clk)); endgenerate\nendmodule";
    std::fs::write(scratch.path("own.v"), own.replacen("endmodule", traced, 1)).unwrap();
    let files =
        "--dut own.v --dut s_fifo/tiny/s_fifo_ring.v --dut s_fifo/tiny/skid_buffer_w4.v --top own";
    assert_eq!(origin(&scratch, files)[1], [""; 0]);
    refused(&cosim(&scratch, &format!("{files} -G TRACED=1")), &["`s_fifo`", "own.v:"]);
}
