//! The emitted `s_fifo`, in designs as strangers have them.

use super::support::{Ended, Scratch, run};

/// A folder with the emitted Verilog in `s_fifo/tiny`.
pub fn emitted() -> Scratch {
    let scratch = Scratch::new();
    assert_eq!(run(&scratch, &["emit", "s_fifo", "--out", "."]).code, 0);
    scratch
}

/// A short co-simulation with these options.
pub fn cosim(scratch: &Scratch, more: &str) -> Ended {
    let command = format!("cosim s_fifo --requests 2000 --no-waves {more}");
    run(scratch, &command.split_whitespace().collect::<Vec<_>>())
}

/// A module with the block's ports.
pub fn around(name: &str, body: &str) -> String {
    format!(
        "module {name} (input wire clk, input wire rst, input wire enqueue_valid, output wire enqueue_ready,
           input wire [1:0] enqueue_kind, input wire [1:0] enqueue_block, input wire enqueue_wavefront,
           input wire enqueue_needs_ack, output wire error_valid, output wire error_code,
           output wire dequeue_valid, input wire dequeue_ready, output wire [1:0] dequeue_kind,
           output wire [1:0] dequeue_block, output wire dequeue_wavefront, output wire dequeue_needs_ack);
         {body}
         endmodule\n"
    )
}
