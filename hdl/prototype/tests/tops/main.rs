//! The tops of all blocks behind the bits of their line, in rust_hdl's simulator and Verilated.

use warpsmith_prototype::board::tops::{self, Pins, Top};
use warpsmith_prototype::native::design;
use warpsmith_testbench::board::{
    self, Board, FromHost, Line, Ran, Run, SpiPins, ToHost, UartPins, run,
};
use warpsmith_testbench::verilator::{VerilogFile, VerilogSource};

mod recorded;
#[path = "../../../../testbench/tests/support/tools.rs"]
mod tools;

const BIT_CLOCKS: u32 = 8;

fn top(block: &str) -> Box<dyn Top> {
    tops::all().into_iter().find(|top| top.block() == block).expect("every block has a top")
}

fn simulated(block: &str) -> impl FnMut(FromHost) -> ToHost {
    let mut top = top(block);
    top.set_bit_clocks(BIT_CLOCKS as u8);
    move |FromHost { rx, select, clock, mosi }| {
        let pins = Pins { link_clock: true, block_clock: false, rx, spi: [select, clock, mosi] };
        top.simulate(pins);
        let [tx, miso] = top.simulate(Pins { link_clock: false, block_clock: true, ..pins });
        ToHost { tx, miso }
    }
}

fn verilated(block: &str) -> impl FnMut(FromHost) -> ToHost {
    let file = VerilogFile { name: "top.v".to_string(), text: top(block).verilog() };
    let source = VerilogSource { top: "top".to_string(), files: vec![file] };
    board::verilated(&source, BIT_CLOCKS as u8).expect("rust_hdl's Verilog builds in Verilator")
}

fn ran(block: &str, line: impl Line, requests: u64) -> Ran {
    let mut board = Board::new(line);
    let what = Run { requests, seed: 7, stalls: 64 };
    let ran = run(&mut board, &*design(block), &what).expect("the board answers");
    assert_eq!(ran.mismatch, None, "{block}");
    assert_eq!((ran.requests, board.repeated), (requests, 0), "{block}");
    ran
}

/// What was found by UART, and the clocks that it took.
fn by_uart(block: &str, pins: impl FnMut(FromHost) -> ToHost, requests: u64) -> (Ran, u64) {
    let mut line = UartPins::new(BIT_CLOCKS, pins);
    (ran(block, &mut line, requests), line.clocks)
}

/// The same by SPI.
fn by_spi(block: &str, pins: impl FnMut(FromHost) -> ToHost, requests: u64) -> (Ran, u64) {
    let mut line = SpiPins::new(pins);
    (ran(block, &mut line, requests), line.clocks)
}

#[test]
fn the_directory_and_the_fifo_run_alike_in_rust_hdl_and_verilated() {
    if !tools::verilator() {
        return;
    }
    for (block, requests) in [("s_fifo", 100), ("hmg_directory", 60)] {
        let in_rust_hdl = by_uart(block, simulated(block), requests);
        println!("{block}: {in_rust_hdl:?}");
        assert_eq!(in_rust_hdl, by_uart(block, verilated(block), requests), "{block}");
    }
}

#[test]
fn the_fifo_runs_alike_by_uart_and_by_spi_in_rust_hdl_and_verilated() {
    if !tools::verilator() {
        return;
    }
    let (block, requests) = ("s_fifo", 80);
    let in_rust_hdl = by_spi(block, simulated(block), requests);
    assert_eq!(in_rust_hdl, by_spi(block, verilated(block), requests));
    // Stalls begin at a reset, and the lines differ in the clocks from there to the first offer.
    let (by_uart, _) = by_uart(block, verilated(block), requests);
    assert_eq!(in_rust_hdl.0.compared, by_uart.compared);
    assert!(by_uart.compared > 1, "{by_uart:?}");
}

/// With `WARPSMITH_RECORD` set it records them.
#[test]
fn the_recorded_tops_are_what_rust_hdl_emits() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rtl-out/boards");
    let tops = tops::all().into_iter();
    let mut files: Vec<_> = tops.map(|mut top| (top.block(), recorded::top(&mut *top))).collect();
    files.push(("host", recorded::host()));
    for (name, emitted) in files {
        let path = format!("{folder}/{name}.v");
        if std::env::var_os("WARPSMITH_RECORD").is_some() {
            std::fs::write(&path, &emitted).expect("the folder can be written");
        }
        let recorded = std::fs::read_to_string(&path).unwrap_or_default();
        let remedy = "WARPSMITH_RECORD=1 cargo test -p warpsmith-prototype --test tops recorded";
        assert!(recorded == emitted, "{path} is another; record it with {remedy}");
    }
}
