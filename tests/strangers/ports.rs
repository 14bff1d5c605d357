//! Ports of another shape than ours: packed, in pieces, and several of one clock.

use super::fifo::{cosim, emitted};
use super::support::{Scratch, needs_verilator, refused};

const PACKED: &str = "typedef struct packed {logic [1:0] kind; logic [1:0] block; logic front; logic ack;} entry;
    module packed_fifo (input clk_a, input clk_b, input rst_a, input rst_b, input in_valid, output in_ready,
      input entry in, input [0:3] spare, output out_valid, input out_ready, output entry out,
      output [1:0] error, output debug);
      assign debug = ^spare; assign error[1] = spare[0] | spare[3] | !spare[1] | spare[2] | (clk_a ^ clk_b);
      s_fifo impl (.clk(clk_a), .rst(rst_a | rst_b), .enqueue_valid(in_valid), .enqueue_ready(in_ready),
        .enqueue_kind(in.kind), .enqueue_block(in.block), .enqueue_wavefront(in.front),
        .enqueue_needs_ack(in.ack), .error_valid(error[0]), .error_code(), .dequeue_valid(out_valid),
        .dequeue_ready(out_ready), .dequeue_kind(out.kind), .dequeue_block(out.block),
        .dequeue_wavefront(out.front), .dequeue_needs_ack(out.ack));
    endmodule\n";

const MAPS: &str = "--dut packed.sv --top packed_fifo --ours s_fifo --map clk_a=clk --map clk_b=clk --map rst_a=rst
    --map rst_b=rst --map in_valid=enqueue_valid --map in_ready=enqueue_ready --map in[5:4]=enqueue_kind
    --map in[3]=enqueue_block[1] --map in[2]=enqueue_block[0] --map in[1]=enqueue_wavefront
    --map in[0]=enqueue_needs_ack --tie spare[0:1]=1 --tie spare[2:3]=0 --map out_valid=dequeue_valid
    --map out_ready=dequeue_ready --map out[5:4]=dequeue_kind --map out[3:2]=dequeue_block
    --map out[1]=dequeue_wavefront --map out[0]=dequeue_needs_ack --map error[0]=error_valid
    --map error[1]=error_code";

fn packed() -> Scratch {
    let scratch = emitted();
    std::fs::write(scratch.path("packed.sv"), PACKED).unwrap();
    scratch
}

#[test]
fn a_packed_payload_is_mapped_by_bits_and_a_clock_drives_two_ports() {
    if !needs_verilator("a_packed_payload_is_mapped_by_bits_and_a_clock_drives_two_ports") {
        return;
    }
    let scratch = packed();
    let equal = cosim(&scratch, MAPS);
    assert_eq!(equal.code, 0, "{equal:?}");
    // The mapping is what makes it so.
    let other = MAPS.replace("out[3:2]=dequeue_block", "out[5:4]=dequeue_block");
    let other = other.replace("out[5:4]=dequeue_kind", "out[3:2]=dequeue_kind");
    let different = cosim(&scratch, &other);
    assert_eq!(different.code, 1, "{different:?}");
    assert!(different.stdout.contains("'out[3:2]=dequeue_kind'"), "it is replayed: {different:?}");
}

#[test]
fn ports_that_do_not_fit_are_told_with_the_ways_to_map_them() {
    if !needs_verilator("ports_that_do_not_fit_are_told_with_the_ways_to_map_them") {
        return;
    }
    let scratch = packed();
    let none = cosim(&scratch, "--dut packed.sv --top packed_fifo --ours s_fifo");
    refused(&none, &["--map 'p[7:4]=OURS'", "--map 'p=OURS[7:4]'", "share", "input in[6]"]);
    let less = MAPS.replace("--map in[0]=enqueue_needs_ack", "");
    refused(&cosim(&scratch, &less), &["nothing drives in[0]"]);
    let less = MAPS.replace("--map in[2]=enqueue_block[0]", "--tie in[2]=0");
    refused(&cosim(&scratch, &less), &["no input of the module is enqueue_block[0]"]);
    let backwards = MAPS.replace("spare[0:1]", "spare[1:0]");
    refused(&cosim(&scratch, &backwards), &["--tie spare[1:0]", "[0:3]"]);
}

#[test]
fn ports_in_pieces_make_up_one_of_ours() {
    if !needs_verilator("ports_in_pieces_make_up_one_of_ours") {
        return;
    }
    let scratch = emitted();
    let fifo = std::fs::read_to_string(scratch.path("s_fifo/tiny/s_fifo.v")).unwrap();
    let split = fifo
        .replace("input  wire [1:0] enqueue_kind,", "input wire kind_hi, input wire kind_lo,")
        .replace("output wire [1:0] dequeue_kind,", "output wire out_hi, output wire out_lo,");
    assert_ne!(fifo, split);
    let body = "wire [1:0] enqueue_kind = {kind_hi, kind_lo}; wire [1:0] dequeue_kind;
        assign {out_hi, out_lo} = dequeue_kind;";
    let split = split.replacen(");", &format!(");\n{body}"), 1);
    std::fs::write(scratch.path("split.v"), split).unwrap();
    let maps = "--dut split.v --ours all --map kind_hi=enqueue_kind[1] --map kind_lo=enqueue_kind[0] \
                --map out_hi=dequeue_kind[1] --map out_lo=dequeue_kind[0]";
    let equal = cosim(&scratch, maps);
    assert_eq!(equal.code, 0, "{equal:?}");
}
