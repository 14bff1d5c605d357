//! Pipes are refused instead of waited for.

use std::process::Command;

use super::fifo::{cosim, emitted};
use super::support::{needs_verilator, refused};

#[test]
fn a_pipe_is_refused_wherever_a_file_is_meant() {
    if !needs_verilator("a_pipe_is_refused_wherever_a_file_is_meant") {
        return;
    }
    let scratch = emitted();
    std::fs::create_dir(scratch.path("inc")).unwrap();
    for name in ["pipe.v", "pipe.f", "pipe.json", "inc/pipe.vh", "pipe.hex"] {
        let made = Command::new("mkfifo").arg(scratch.path(name)).status();
        assert!(made.expect("mkfifo starts").success());
    }
    std::os::unix::fs::symlink(scratch.path("pipe.v"), scratch.path("link.v")).unwrap();
    let with = |text: &str| {
        let file = scratch.path("mine.v");
        let fifo = std::fs::read_to_string(scratch.path("s_fifo/tiny/s_fifo.v")).unwrap();
        std::fs::write(file, fifo.replace("\nendmodule", &format!("\n{text}\nendmodule"))).unwrap();
    };
    with("");
    for (options, name) in [
        ("--dut pipe.v", "pipe.v"),
        ("--dut link.v", "link.v"),
        ("-f pipe.f", "pipe.f"),
        ("--dut mine.v --ours all -I pipe.v", "pipe.v"),
        ("--replay pipe.json", "pipe.json"),
    ] {
        let options = options.replace("--replay", "--preset tiny --replay");
        let command = format!("cosim s_fifo {options}");
        let ended = super::support::run(&scratch, &command.split(' ').collect::<Vec<_>>());
        refused(&ended, &[name]);
    }
    with("`include \"pipe.vh\"");
    refused(
        &cosim(&scratch, "--dut mine.v --ours all -I inc"),
        &["mine.v:", "pipe.vh is included"],
    );
    with("reg [7:0] rom [0:3]; initial $readmemh(\"pipe.hex\", rom);");
    refused(&cosim(&scratch, "--dut mine.v --ours all"), &["mine.v:", "pipe.hex", "regular"]);
}
