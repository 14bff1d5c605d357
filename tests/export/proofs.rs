//! The exported contract in other people's provers.

use std::path::Path;

use warpsmith::flow::prove::bounded::SBY;
use warpsmith::flow::yosys::YOSYS;

use super::support::prove::provers;
use super::support::{Scratch, needs, replaced, says, there};
use super::{export, files};

/// Runs the exported script: whether sby proves the contract, and what it says.
fn sby(folder: &Path) -> (bool, String) {
    let yosys = YOSYS.find().expect("found before").path.display().to_string();
    let sby = SBY.find().expect("found before").path.display().to_string();
    let [smtbmc, witness] = ["smtbmc", "witness"].map(|program| format!("{yosys}-{program}"));
    let programs = ["--yosys", &yosys, "--smtbmc", &smtbmc, "--witness", &witness];
    let script = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let script = script.map(|name| name.into_string().unwrap()).find(|n| n.ends_with(".sby"));
    let options = ["-f", "-d", "../../../proof"];
    says(folder, &sby, &[&options[..], &programs, &[&script.expect("a script")]].concat())
}

#[test]
fn sby_proves_the_exported_contract_and_refutes_it_of_a_fault() {
    if !provers("sby_proves_the_exported_contract_and_refutes_it_of_a_fault") {
        return;
    }
    let scratch = Scratch::new();
    for (arguments, folder, module, from, to, rule) in [
        (
            &["s_fifo", "--prefix", "q_"][..],
            "cores/q_s_fifo/tiny",
            "q_s_fifo.v",
            "assign dequeue_valid = out_out_valid;",
            "assign dequeue_valid = 1'b1;",
            "properties.only_when_due",
        ),
        // With a strap, which keeps one arbitrary value.
        (
            &["getm_rollover_ring"],
            "cores/getm_rollover_ring/tiny",
            "getm_rollover_ring.v",
            "assign halted_ready = turn[1];",
            "assign halted_ready = 1'b1;",
            "properties.error_as_due",
        ),
    ] {
        export(&scratch, arguments);
        let folder = scratch.path(folder);
        let (holds, said) = sby(&folder);
        assert!(holds && said.contains("DONE (PASS"), "{said}");
        replaced(&folder.join(module), from, to);
        let (holds, said) = sby(&folder);
        assert!(!holds && said.contains("DONE (FAIL"), "{said}");
        let mut failed = said.lines().filter(|line| line.contains("Assert failed in "));
        assert!(failed.any(|line| line.ends_with(rule)), "{said}");
    }
}

#[test]
fn yosys_reads_the_checks_of_every_block() {
    let test = "yosys_reads_the_checks_of_every_block";
    let debian = there(test, "yosys", &["-V"], "apt-get install yosys");
    if !debian || !needs(test, &YOSYS) {
        return;
    }
    let newest = YOSYS.find().expect("found").path.display().to_string();
    let scratch = Scratch::new();
    let mut script = String::new();
    for block in warpsmith_blocks::all() {
        let record = export(&scratch, &[block.name]);
        let mut read = [files(&record, ".v"), files(&record, ".sv")].concat();
        read.retain(|file| !file.ends_with("_tb.sv"));
        let read = read.join(" ");
        for top in ["checks", "formal"] {
            script += &format!(
                "read_verilog -formal -sv {read}\nhierarchy -check -top {}_{top}\ndesign -reset\n",
                block.name
            );
        }
    }
    std::fs::write(scratch.path("read.ys"), script).unwrap();
    for yosys in ["yosys", &newest] {
        let (ok, said) = says(&scratch.path(""), yosys, &["-q", "read.ys"]);
        // A bind statement would be ignored, or would not be parsed.
        let told = "Warning: yosys cannot bind: nothing is checked.";
        let others = said.lines().filter(|line| !line.contains(told)).count();
        assert!(ok && said.contains(told) && others == 0, "{yosys}: {said}");
    }
}
