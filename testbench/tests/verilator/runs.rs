//! How models run: their ends, endless loops, power-up and waves.

use std::fs;
use std::sync::Arc;

use warpsmith_rtl::PortLayout;
use warpsmith_testbench::verilator::{
    BuildOptions, VerilatedLibrary, VerilatorError, VerilogFile, VerilogSource,
};

use crate::{
    COUNTER, build, clock, count, counter_layout, layout, options, source, verilator_there,
};

#[test]
fn the_end_of_a_simulation_spares_the_process() {
    require_verilator!(the_end_of_a_simulation_spares_the_process);
    let text = "module dut(input clk, input [7:0] a, output reg [7:0] q);
  always @(posedge clk) begin
    q <= a;
    if (a == 1) $finish;
    if (a == 2) $stop;
    if (a == 3) $error(\"three\");
    if (a == 4) $fatal;
    assert (a != 5);
  end
endmodule
";
    let file = VerilogFile { name: "dut.sv".to_owned(), text: text.to_owned() };
    let source = VerilogSource { top: "dut".to_owned(), files: vec![file] };
    let library = build(&source, &layout(&[("a", 8)], &[("q", 8)]));
    for (input, line, what) in
        [(1, 4, "$finish"), (2, 5, "$stop"), (3, 6, "$error"), (4, 7, ""), (5, 8, "assertion")]
    {
        let mut model = library.instance();
        clock(&mut model, &[9]);
        assert_eq!(clock(&mut model, &[10]), [9]);
        assert_eq!(model.stopped(), None);
        assert_eq!(clock(&mut model, &[input]), [10]);
        let reason = model.stopped().expect("the model has stopped");
        assert!(reason.contains(&format!("dut.sv:{line}")), "{reason}");
        assert!(reason.contains(what), "{reason}");
        assert_eq!(clock(&mut model, &[11]), [10], "a stopped model stands still");
        let mut another = library.instance();
        clock(&mut another, &[12]);
        assert_eq!(another.stopped(), None);
    }
}

#[test]
fn combinational_loop_spares_the_process() {
    require_verilator!(combinational_loop_spares_the_process);
    let text = "module dut(input clk, input a, output y);
      wire b = a ? ~c : 1'b0; wire c = b; assign y = c; endmodule";
    let mut model = build(&source("dut", text), &layout(&[("a", 1)], &[("y", 1)])).instance();
    assert_eq!(clock(&mut model, &[0]), [0]);
    assert_eq!(model.stopped(), None);
    clock(&mut model, &[1]);
    let reason = model.stopped().expect("the model has stopped");
    assert!(reason.contains("converge"), "{reason}");
}

#[test]
fn waves_are_written() {
    require_verilator!(waves_are_written);
    let source = source("counter", COUNTER);
    let ports = counter_layout();
    let with_waves = BuildOptions { trace: true, ..options() };
    let library = Arc::new(VerilatedLibrary::build(&source, &ports, &with_waves).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let mut model = library.instance();
    count(&mut model, 3);
    for name in ["first.fst", "second.fst"] {
        let path = folder.path().join(name);
        model.open_waves(&path).unwrap();
        count(&mut model, 300);
        if name == "first.fst" {
            model.close_waves();
        } else {
            model = library.instance();
        }
        assert!(fs::metadata(&path).unwrap().len() > 100);
    }
    let nowhere = folder.path().join("missing").join("waves.fst");
    let error = model.open_waves(&nowhere).unwrap_err();
    assert!(matches!(error, VerilatorError::Waves { .. }), "{error}");
    count(&mut model, 3);
    let error = build(&source, &ports).instance().open_waves(folder.path().join("w")).unwrap_err();
    assert!(matches!(error, VerilatorError::NoWaves), "{error}");
}

/// A register that is never assigned.
const NOISE: &str = "module noise(input clk, input [3:0] a, output reg [31:0] q);
  always @(posedge clk) if (a == 15) q <= {28'd0, a};
endmodule
";

fn noise_layout() -> PortLayout {
    layout(&[("a", 4)], &[("q", 32)])
}

#[test]
fn power_up_brings_other_noise_that_the_seed_decides() {
    require_verilator!(power_up_brings_other_noise_that_the_seed_decides);
    let mut model = build(&source("noise", NOISE), &noise_layout()).instance();
    let mut noise = |seed| {
        model.power_up(seed);
        clock(&mut model, &[0])[0]
    };
    let mut of_all = || (0..8).map(|seed| noise(seed << 31)).collect::<Vec<_>>();
    let first = of_all();
    assert_eq!(first, of_all());
    // Two bits of the seed choose among zeros, ones and noise.
    assert_eq!([first[0], first[1], first[2], first[3]], [0, 0, 0xffff_ffff, 0xffff_ffff]);
    let other: std::collections::BTreeSet<_> = first.iter().collect();
    assert_eq!(other.len(), 6, "{first:?}");
}

#[test]
fn waves_begin_with_the_noise_of_the_power_up() {
    require_verilator!(waves_begin_with_the_noise_of_the_power_up);
    let with_waves = BuildOptions { trace: true, ..options() };
    let library = VerilatedLibrary::build(&source("noise", NOISE), &noise_layout(), &with_waves);
    let mut model = Arc::new(library.unwrap()).instance();
    let folder = tempfile::tempdir().unwrap();
    let mut waves = |name: &str, power_up_first: bool| {
        let path = folder.path().join(name);
        model.power_up(if power_up_first { 7 << 31 } else { 4 << 31 });
        model.open_waves(&path).unwrap();
        // Again as lockstep does it, after the waves were opened.
        model.power_up(7 << 31);
        let first = clock(&mut model, &[0]);
        // Once waves are being written, the model keeps its state.
        model.power_up(9 << 31);
        assert_eq!(clock(&mut model, &[0]), first);
        model.close_waves();
        // The header contains the time of day.
        fs::read(path).unwrap()[330..].to_vec()
    };
    assert_eq!(waves("a.fst", true), waves("b.fst", false));
}

#[test]
fn loops_without_an_end_stop_and_the_next_power_up_begins_anew() {
    require_verilator!(loops_without_an_end_stop_and_the_next_power_up_begins_anew);
    let text = "module dut(input clk, input [7:0] a, output reg [31:0] n);
      always @(posedge clk) begin
        n = 0;
        while (n < {24'd0, a} || a == 9) n = n + 1;
      end
    endmodule";
    let ports = layout(&[("a", 8)], &[("n", 32)]);
    let mut model = build(&source("dut", text), &ports).instance();
    clock(&mut model, &[200]);
    assert_eq!(clock(&mut model, &[0]), [200], "a loop that ends");
    clock(&mut model, &[9]);
    let stopped = model.stopped().expect("a loop that does not");
    assert!(stopped.contains("a loop does not end") && stopped.contains("dut.v:4"), "{stopped}");
    model.power_up(1);
    assert_eq!(model.stopped(), None);
    clock(&mut model, &[3]);
    assert_eq!(clock(&mut model, &[0]), [3]);
}
