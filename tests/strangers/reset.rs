//! Circuits that need a reset of several clocks.

use super::fifo::{around, cosim, emitted};
use super::support::{needs_verilator, refused, run};

#[test]
fn a_reset_through_registers_needs_as_many_clocks_and_the_report_says_how() {
    if !needs_verilator("a_reset_through_registers_needs_as_many_clocks_and_the_report_says_how") {
        return;
    }
    let scratch = emitted();
    let body = "reg [4:0] late; always @(posedge clk) late <= {late[3:0], rst};
         s_fifo impl (.rst(late[4]), .*);";
    std::fs::write(scratch.path("late.sv"), around("late", body)).unwrap();
    let file = "--dut late.sv --top late --ours s_fifo";
    let short = cosim(&scratch, file);
    assert_eq!(short.code, 1, "{short:?}");
    assert!(short.stdout.contains("It was reset for one clock; --reset-clocks N"), "{short:?}");
    let still = cosim(&scratch, &format!("{file} --reset-clocks 2"));
    assert_eq!(still.code, 1, "{still:?}");
    assert!(still.stdout.contains("It was reset for 2 clocks"), "{still:?}");
    for clocks in [5, 6, 20] {
        let equal = cosim(&scratch, &format!("{file} --reset-clocks {clocks}"));
        assert_eq!(equal.code, 0, "{clocks}: {equal:?}");
    }
    refused(&cosim(&scratch, "--reset-clocks 2"), &["--reset-clocks", "--dut FILE"]);
}

#[test]
fn a_replay_resets_for_as_many_clocks() {
    if !needs_verilator("a_replay_resets_for_as_many_clocks") {
        return;
    }
    let scratch = emitted();
    // Two clocks of reset are needed, and a bit is wrong.
    let body = "reg late; always @(posedge clk) late <= rst; wire [1:0] block;
         assign dequeue_block = block ^ (dequeue_needs_ack ? 2'd1 : 2'd0);
         s_fifo impl (.rst(late), .dequeue_block(block), .*);";
    std::fs::write(scratch.path("late.sv"), around("late", body)).unwrap();
    let file = "--dut late.sv --top late --ours s_fifo";
    let found = cosim(&scratch, &format!("{file} --reset-clocks 2"));
    assert_eq!(found.code, 1, "{found:?}");
    assert!(found.stdout.contains(" --reset-clocks 2 --replay "), "{found:?}");
    let recorded = "flow-out/cosim/s_fifo-tiny/mismatch.json";
    let text = std::fs::read_to_string(scratch.path(recorded)).expect("a replay");
    assert!(text.contains("\"reset_clocks\": 2"), "{text}");
    // The file says how many clocks, if the command does not.
    let command = format!("cosim s_fifo --no-waves --replay {recorded} {file}");
    let again = run(&scratch, &command.split(' ').collect::<Vec<_>>());
    assert_eq!(again.code, 1, "{again:?}");
    assert!(again.stdout.contains("expected kind=2"), "{again:?}");
    std::fs::write(scratch.path(recorded), text.replace("clocks\": 2", "clocks\": 0")).unwrap();
    let none = run(&scratch, &command.split(' ').collect::<Vec<_>>());
    refused(&none, &[recorded, "reset_clocks is 0"]);
}
