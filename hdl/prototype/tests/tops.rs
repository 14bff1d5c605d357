//! The tops of all blocks behind the bits of their line, in rust_hdl's simulator and Verilated.

use std::sync::Arc;

use warpsmith_prototype::board::tops::{self, Top};
use warpsmith_prototype::native::design;
use warpsmith_rtl::PortLayout;
use warpsmith_testbench::board::{Board, PinLine, Ran, Run, run};
use warpsmith_testbench::verilator::{BuildOptions, VerilatedLibrary, VerilogFile, VerilogSource};

#[path = "../../../testbench/tests/support/tools.rs"]
mod tools;

const BIT_CLOCKS: u32 = 8;

fn top(block: &str) -> Box<dyn Top> {
    tops::all().into_iter().find(|top| top.block() == block).expect("every block has a top")
}

fn simulated(block: &str) -> PinLine<impl FnMut(bool) -> bool> {
    let mut top = top(block);
    top.set_bit_clocks(BIT_CLOCKS as u8);
    PinLine::new(BIT_CLOCKS, move |rx| {
        top.simulate([true, false, rx]);
        top.simulate([false, true, rx])
    })
}

fn verilated(block: &str) -> PinLine<impl FnMut(bool) -> bool> {
    let file = VerilogFile { name: "top.v".to_string(), text: top(block).verilog() };
    let source = VerilogSource { top: "top".to_string(), files: vec![file] };
    let mut layout = PortLayout::default();
    for (port, width) in [("link_clock", 1), ("block_clock", 1), ("bit_clocks", 8), ("rx", 1)] {
        layout.push_input(port, width);
    }
    layout.push_output("tx", 1);
    let library = VerilatedLibrary::build(&source, &layout, &BuildOptions::default());
    let mut model = Arc::new(library.expect("rust_hdl's Verilog builds in Verilator")).instance();
    PinLine::new(BIT_CLOCKS, move |rx| {
        let mut tx = [0];
        for [link_clock, block_clock] in [[1, 0], [0, 1]] {
            let inputs = [link_clock, block_clock, BIT_CLOCKS.into(), rx.into()];
            model.clock_with(&inputs, &mut tx);
        }
        tx[0] == 1
    })
}

fn ran(block: &str, line: PinLine<impl FnMut(bool) -> bool>, requests: u64) -> (Ran, u64) {
    let mut board = Board::new(line);
    let what = Run { requests, seed: 7, stalls: 64 };
    let ran = run(&mut board, &*design(block), &what).expect("the board answers");
    assert_eq!(ran.mismatch, None, "{block}");
    assert_eq!((ran.requests, board.repeated), (requests, 0), "{block}");
    (ran, board.line.clocks)
}

#[test]
fn the_directory_and_the_fifo_run_alike_in_rust_hdl_and_verilated() {
    if !tools::verilator() {
        return;
    }
    for (block, requests) in [("s_fifo", 100), ("hmg_directory", 60)] {
        let in_rust_hdl = ran(block, simulated(block), requests);
        println!("{block}: {in_rust_hdl:?}");
        assert_eq!(in_rust_hdl, ran(block, verilated(block), requests), "{block}");
    }
}

/// With `WARPSMITH_RECORD` set it records them.
#[test]
fn the_recorded_tops_are_what_rust_hdl_emits() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rtl-out/boards");
    for mut top in tops::all() {
        let path = format!("{folder}/{}.v", top.block());
        let emitted = top.verilog_around();
        if std::env::var_os("WARPSMITH_RECORD").is_some() {
            std::fs::write(&path, &emitted).expect("the folder can be written");
        }
        let recorded = std::fs::read_to_string(&path).unwrap_or_default();
        let remedy = "WARPSMITH_RECORD=1 cargo test -p warpsmith-prototype --test tops recorded";
        assert!(recorded == emitted, "{path} is another; record it with {remedy}");
    }
}
