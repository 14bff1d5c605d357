//! `warpsmith board`: a block behind the link of an FPGA board, simulated, on a serial device, and as a bitstream.

mod support;

use std::fs::File;
use std::io::{Read, Write};
use std::thread;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use support::{Scratch, needs, needs_verilator, refused, run, schema};
use warpsmith::flow::board::{BIT_CLOCKS, PRESET, simulated};
use warpsmith::flow::nextpnr;
use warpsmith_testbench::board::{Board, Line, Status, UartPins};

#[test]
fn ten_thousand_requests_through_the_simulated_line_equal_the_reference() {
    if !needs_verilator("board --sim") {
        return;
    }
    let ended = run(
        &Scratch::new(),
        &["board", "hmg_directory", "--board", "ulx3s", "--sim", "--requests", "10000", "--json"],
    );
    assert_eq!(ended.code, 0, "{ended:?}");
    let record = schema::document(&ended);
    assert_eq!((&record["requests"], &record["repeated_frames"]), (&10_000.into(), &0.into()));
    assert!(record["compared"].as_u64() > Some(10_000), "{record}");
    // Back to back: the directory takes a request at every clock.
    assert!(record["clocks_per_request"].as_f64() < Some(1.1), "{record}");
}

#[test]
fn requests_by_spi_equal_the_reference() {
    if !needs_verilator("board --sim") {
        return;
    }
    let record = through("s_fifo", &["--spi", "--requests", "600", "--stalls", "64"]);
    assert_eq!((&record["requests"], &record["repeated_frames"]), (&600.into(), &0.into()));
}

#[test]
fn requests_that_depend_on_answers_equal_the_reference() {
    if !needs_verilator("board --sim") {
        return;
    }
    let record = through("chopin_composition_scheduler", &["--requests", "60"]);
    assert!(record["requests"].as_u64() >= Some(60), "{record}");
    // Accesses wait for each other, so what ends them may come beyond those wanted.
    let record = through("getm_stall_buffer", &["--requests", "600"]);
    let requests = record["requests"].as_u64().expect("a count");
    assert!(requests >= 600 && requests > 8 * record["bursts"].as_u64().unwrap(), "{record}");
}

#[test]
#[ignore = "nightly: builds the top of every block in Verilator"]
fn requests_through_the_line_of_every_block_equal_the_reference() {
    if !needs_verilator("board --sim") {
        return;
    }
    for block in warpsmith_blocks::all() {
        let record = through(block.name, &["--requests", "2000", "--stalls", "32"]);
        println!("{record}");
        assert!(record["requests"].as_u64() >= Some(2000), "{record}");
    }
}

/// The record of requests through the simulated line of a block, which must equal the reference.
fn through(block: &str, arguments: &[&str]) -> serde_json::Value {
    let sim = ["board", block, "--board", "ulx3s", "--sim", "--json"];
    let ended = run(&Scratch::new(), &[&sim[..], arguments].concat());
    assert_eq!(ended.code, 0, "{block}: {ended:?}");
    schema::document(&ended)
}

#[test]
fn the_table_in_the_docs_is_what_boards_prints_of_its_records() {
    let scratch = Scratch::new();
    let checkout = env!("CARGO_MANIFEST_DIR");
    let [records, baselines] =
        ["tests/boards.jsonl", "tests/baselines"].map(|path| format!("{checkout}/{path}"));
    let ended = run(&scratch, &["boards", "--records", &records, "--baselines", &baselines]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let table: String = ended
        .stdout
        .lines()
        .take_while(|line| !line.is_empty())
        .map(|l| format!("{l}\n"))
        .collect();
    let lacks = ["(stale)", "not recorded"].iter().any(|state| table.contains(state));
    assert!(!lacks, "made by: warpsmith boards --record\n{table}");
    for row in table.lines().skip(2) {
        let clock = row.split('|').nth(2).and_then(|cell| cell.split_whitespace().next());
        let clock: f64 = clock.and_then(|clock| clock.parse().ok()).expect("a clock on ulx3s");
        let least = if row.contains("`hmg_directory`") { 80.0 } else { 40.0 };
        assert!(clock >= least, "{row}");
    }
    let docs = std::fs::read_to_string(format!("{checkout}/docs/boards.md")).expect("the docs");
    assert!(docs.contains(&table), "docs/boards.md has another table than\n{table}");
    let none = run(&scratch, &["boards", "--block", "s_fifo", "--json"]);
    let none = schema::document(&none);
    let missing = "warpsmith boards --record --block s_fifo --board hx8k";
    assert!(none["missing"].as_array().unwrap().contains(&missing.into()), "{none}");
}

#[test]
fn a_board_on_a_serial_device_recovers_from_wrong_and_cut_frames_and_counts_them() {
    if !needs_verilator("board --port") {
        return;
    }
    let (master, device) = pseudo_terminal();
    let line = simulated_fifo();
    let board = thread::spawn(|| play_board(line, master, true));
    let arguments = ["board", "s_fifo", "--board", "hx8k", "--requests", "600", "--json"];
    let ended = run(&Scratch::new(), &[&arguments[..], &["--port", &device]].concat());
    let status = board.join().expect("the board plays on");
    assert_eq!(ended.code, 0, "{ended:?}");
    let record = schema::document(&ended);
    assert!(record["repeated_frames"].as_u64() > Some(1), "{record}");
    assert!(status.bad_frames > 0 && status.cut_frames > 0, "{status:?}");
}

#[test]
fn a_board_with_another_block_is_refused_by_name() {
    if !needs_verilator("board --port") {
        return;
    }
    let (master, device) = pseudo_terminal();
    let line = simulated_fifo();
    let board = thread::spawn(|| play_board(line, master, false));
    let arguments = ["board", "hmg_directory", "--board", "hx8k", "--port", &device];
    refused(&run(&Scratch::new(), &arguments), &["hmg_directory", "bitstream"]);
    board.join().expect("the board plays on");
}

#[test]
fn a_device_that_does_not_answer_or_is_none_is_an_error() {
    let (_master, device) = pseudo_terminal();
    let arguments = ["board", "s_fifo", "--board", "hx8k", "--port"];
    let with = |device: &str| run(&Scratch::new(), &[&arguments[..], &[device]].concat());
    refused(&with(&device), &["does not answer"]);
    refused(&with("/dev/null"), &["/dev/null"]);
    refused(&with("no/such/device"), &["no/such/device"]);
}

#[test]
fn unknown_boards_blocks_and_missing_pins_are_named() {
    let scratch = Scratch::new();
    refused(&run(&scratch, &["board", "s_fifo", "--board", "arty"]), &["arty", "ulx3s", "hx8k"]);
    refused(&run(&scratch, &["board", "fifo", "--board", "hx8k"]), &["fifo", "s_fifo"]);
    let pins = scratch.path("pins.pcf");
    let spi =
        "set_io spi_select D14\nset_io spi_clock D15\nset_io spi_mosi D16\nset_io spi_miso E16\n";
    let uart = "set_io clk_12mhz J3\nset_io rx B10\n# set_io tx B12\n";
    std::fs::write(&pins, format!("{uart}{spi}")).unwrap();
    let pins = pins.display().to_string();
    let arguments = ["board", "s_fifo", "--board", "hx8k", "--constraints", &pins];
    refused(&run(&scratch, &arguments), &["no site to tx;"]);
    assert!(!scratch.path("flow-out").exists(), "nothing half-written");
}

#[test]
fn the_fifo_becomes_a_bitstream_for_the_hx8k() {
    if needs("board hx8k", &nextpnr::ICE40) {
        bitstream("s_fifo", "hx8k", 40.0);
    }
}

#[test]
fn the_directory_becomes_a_bitstream_for_the_ulx3s() {
    if needs("board ulx3s", &nextpnr::ECP5) {
        bitstream("hmg_directory", "ulx3s", 80.0);
    }
}

#[test]
#[ignore = "nightly: synthesizes a large block"]
fn a_block_that_does_not_fit_is_refused_with_the_resource() {
    if needs("board hx8k", &nextpnr::ICE40) {
        let ended = run(&Scratch::new(), &["board", "getm_metadata", "--board", "hx8k"]);
        refused(&ended, &["does not fit", "where there are"]);
    }
}

fn bitstream(block: &str, board: &str, at_least_mhz: f64) {
    let scratch = Scratch::new();
    let ended = run(&scratch, &["board", block, "--board", board, "--json"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let record = schema::document(&ended);
    let [fmax, clock] = ["fmax_mhz", "clock_mhz"].map(|field| record[field].as_f64().unwrap());
    assert!(fmax >= clock && clock >= at_least_mhz * 0.99, "{record}");
    let bytes = std::fs::metadata(record["bitstream"].as_str().unwrap()).expect("a bitstream");
    assert!(bytes.len() > 100_000, "{record}");
}

/// The master of a pseudo-terminal and the name of its device.
fn pseudo_terminal() -> (File, String) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
    grantpt(&master).expect("its device");
    unlockpt(&master).expect("its device");
    let name = ptsname(&master, Vec::new()).expect("its name");
    (File::from(master), name.into_string().expect("a plain name"))
}

/// The line of a board with `s_fifo`, built before a host waits for its answers.
fn simulated_fifo() -> impl Line + Send + 'static {
    let design = warpsmith_blocks::find("s_fifo").unwrap().configure(PRESET, &[]).unwrap();
    UartPins::new(BIT_CLOCKS.into(), simulated(&*design).expect("a simulated board"))
}

/// Plays a board with `s_fifo` until the device is closed. With faults, some frames from the host lose a byte or
/// have a wrong bit.
fn play_board(mut line: impl Line, mut master: File, faults: bool) -> Status {
    let mut bytes = [0; 4096];
    let mut count = 0;
    while let Ok(read @ 1..) = master.read(&mut bytes) {
        count += 1;
        let frame = &mut bytes[..read];
        let frame = match count % 10 {
            3 if faults => &frame[..read - 1],
            7 if faults => {
                frame[read / 2] ^= 4;
                &*frame
            }
            _ => &*frame,
        };
        line.send(frame).unwrap();
        // Long enough for an answer, and for the board to see that a frame was cut.
        for _ in 0..4 {
            while let Some(byte) = line.receive().unwrap() {
                if master.write_all(&[byte]).is_err() {
                    break;
                }
            }
        }
    }
    Board::new(line).status().expect("the board answers")
}
