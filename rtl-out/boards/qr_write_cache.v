module top(link_clock,block_clock,bit_clocks,rx,tx,spi_select,spi_clock,mosi,miso);
    // Module arguments
    input wire  link_clock;
    input wire  block_clock;
    input wire  [7:0] bit_clocks;
    input wire  rx;
    output reg  tx;
    input wire  spi_select;
    input wire  spi_clock;
    input wire  mosi;
    output reg  miso;
    // Constant declarations
    localparam  identification = 64'h279a8458a99f16ab;
    // Stub signals
    reg  host$link_clock;
    reg  host$block_clock;
    reg  [7:0] host$bit_clocks;
    reg  host$rx;
    wire  host$tx;
    reg  host$spi_select;
    reg  host$spi_clock;
    reg  host$mosi;
    wire  host$miso;
    reg  [63:0] host$identification;
    wire  [103:0] host$control;
    wire  [7:0] host$region;
    wire  [15:0] host$row;
    wire  host$seek;
    wire  host$write;
    wire  [7:0] host$data;
    wire  host$restart;
    wire  host$offers;
    wire  host$takes;
    reg  [431:0] host$transfers;
    reg  host$happens;
    reg  queue_req$link_clock;
    reg  queue_req$seek;
    reg  [15:0] queue_req$row;
    reg  queue_req$selected;
    reg  queue_req$write;
    reg  [7:0] queue_req$data;
    reg  queue_req$block_clock;
    reg  queue_req$restart;
    reg  queue_req$offers;
    reg  [9:0] queue_req$cross_end;
    wire  queue_req$valid;
    reg  queue_req$ready;
    wire  [180:0] queue_req$payload;
    reg  queue_inv_ack$link_clock;
    reg  queue_inv_ack$seek;
    reg  [15:0] queue_inv_ack$row;
    reg  queue_inv_ack$selected;
    reg  queue_inv_ack$write;
    reg  [7:0] queue_inv_ack$data;
    reg  queue_inv_ack$block_clock;
    reg  queue_inv_ack$restart;
    reg  queue_inv_ack$offers;
    reg  [9:0] queue_inv_ack$cross_end;
    wire  queue_inv_ack$valid;
    reg  queue_inv_ack$ready;
    wire  [1:0] queue_inv_ack$payload;
    reg  queue_done$link_clock;
    reg  queue_done$seek;
    reg  [15:0] queue_done$row;
    reg  queue_done$selected;
    reg  queue_done$write;
    reg  [7:0] queue_done$data;
    reg  queue_done$block_clock;
    reg  queue_done$restart;
    reg  queue_done$offers;
    reg  [9:0] queue_done$cross_end;
    wire  queue_done$valid;
    reg  queue_done$ready;
    wire  [1:0] queue_done$payload;
    reg  queue_released$link_clock;
    reg  queue_released$seek;
    reg  [15:0] queue_released$row;
    reg  queue_released$selected;
    reg  queue_released$write;
    reg  [7:0] queue_released$data;
    reg  queue_released$block_clock;
    reg  queue_released$restart;
    reg  queue_released$offers;
    reg  [9:0] queue_released$cross_end;
    wire  queue_released$valid;
    reg  queue_released$ready;
    wire  [5:0] queue_released$payload;
    reg  block$clk;
    reg  block$rst;
    reg  block$req_valid;
    reg  [180:0] block$req_payload;
    reg  block$inv_ack_valid;
    reg  block$inv_ack_payload;
    reg  block$done_valid;
    reg  block$released_valid;
    reg  [5:0] block$released_payload;
    reg  block$down_ready;
    wire  block$req_ready;
    wire  block$down_valid;
    wire  block$inv_valid;
    wire  block$mark_written_valid;
    wire  block$hit_valid;
    wire  block$ack_valid;
    wire  block$error_valid;
    wire  [431:0] block$transfers;
    wire  block$happens;
    // Sub module instances
    host #(.CONTROL(104), .EVENT(432), .ROW(456)) host(
        .link_clock(host$link_clock),
        .block_clock(host$block_clock),
        .bit_clocks(host$bit_clocks),
        .rx(host$rx),
        .tx(host$tx),
        .spi_select(host$spi_select),
        .spi_clock(host$spi_clock),
        .mosi(host$mosi),
        .miso(host$miso),
        .identification(host$identification),
        .control(host$control),
        .region(host$region),
        .row(host$row),
        .seek(host$seek),
        .write(host$write),
        .data(host$data),
        .restart(host$restart),
        .offers(host$offers),
        .takes(host$takes),
        .transfers(host$transfers),
        .happens(host$happens)
    );
    queue #(.PAYLOAD(181), .ROW(184)) queue_req(
        .link_clock(queue_req$link_clock),
        .seek(queue_req$seek),
        .row(queue_req$row),
        .selected(queue_req$selected),
        .write(queue_req$write),
        .data(queue_req$data),
        .block_clock(queue_req$block_clock),
        .restart(queue_req$restart),
        .offers(queue_req$offers),
        .cross_end(queue_req$cross_end),
        .valid(queue_req$valid),
        .ready(queue_req$ready),
        .payload(queue_req$payload)
    );
    queue #(.PAYLOAD(2), .ROW(16)) queue_inv_ack(
        .link_clock(queue_inv_ack$link_clock),
        .seek(queue_inv_ack$seek),
        .row(queue_inv_ack$row),
        .selected(queue_inv_ack$selected),
        .write(queue_inv_ack$write),
        .data(queue_inv_ack$data),
        .block_clock(queue_inv_ack$block_clock),
        .restart(queue_inv_ack$restart),
        .offers(queue_inv_ack$offers),
        .cross_end(queue_inv_ack$cross_end),
        .valid(queue_inv_ack$valid),
        .ready(queue_inv_ack$ready),
        .payload(queue_inv_ack$payload)
    );
    queue #(.PAYLOAD(2), .ROW(16)) queue_done(
        .link_clock(queue_done$link_clock),
        .seek(queue_done$seek),
        .row(queue_done$row),
        .selected(queue_done$selected),
        .write(queue_done$write),
        .data(queue_done$data),
        .block_clock(queue_done$block_clock),
        .restart(queue_done$restart),
        .offers(queue_done$offers),
        .cross_end(queue_done$cross_end),
        .valid(queue_done$valid),
        .ready(queue_done$ready),
        .payload(queue_done$payload)
    );
    queue #(.PAYLOAD(6), .ROW(16)) queue_released(
        .link_clock(queue_released$link_clock),
        .seek(queue_released$seek),
        .row(queue_released$row),
        .selected(queue_released$selected),
        .write(queue_released$write),
        .data(queue_released$data),
        .block_clock(queue_released$block_clock),
        .restart(queue_released$restart),
        .offers(queue_released$offers),
        .cross_end(queue_released$cross_end),
        .valid(queue_released$valid),
        .ready(queue_released$ready),
        .payload(queue_released$payload)
    );
    top$block block(
        .clk(block$clk),
        .rst(block$rst),
        .req_valid(block$req_valid),
        .req_payload(block$req_payload),
        .inv_ack_valid(block$inv_ack_valid),
        .inv_ack_payload(block$inv_ack_payload),
        .done_valid(block$done_valid),
        .released_valid(block$released_valid),
        .released_payload(block$released_payload),
        .down_ready(block$down_ready),
        .req_ready(block$req_ready),
        .down_valid(block$down_valid),
        .inv_valid(block$inv_valid),
        .mark_written_valid(block$mark_written_valid),
        .hit_valid(block$hit_valid),
        .ack_valid(block$ack_valid),
        .error_valid(block$error_valid),
        .transfers(block$transfers),
        .happens(block$happens)
    );
    // Update code
    always @(*) begin
        host$link_clock = link_clock;
        host$block_clock = block_clock;
        host$bit_clocks = bit_clocks;
        host$rx = rx;
        tx = host$tx;
        host$spi_select = spi_select;
        host$spi_clock = spi_clock;
        host$mosi = mosi;
        miso = host$miso;
        host$identification = identification;
        host$transfers = block$transfers;
        host$happens = block$happens;
        block$clk = block_clock;
        block$rst = host$restart;
        queue_req$link_clock = link_clock;
        queue_req$block_clock = block_clock;
        queue_req$seek = host$seek;
        queue_req$row = host$row;
        queue_req$selected = host$region == 32'h1;
        queue_req$write = host$write;
        queue_req$data = host$data;
        queue_req$restart = host$restart;
        queue_req$offers = host$offers;
        queue_req$cross_end = host$control[(32'h28)+:(10)];
        queue_req$ready = block$req_ready;
        block$req_valid = queue_req$valid;
        block$req_payload = queue_req$payload;
        queue_inv_ack$link_clock = link_clock;
        queue_inv_ack$block_clock = block_clock;
        queue_inv_ack$seek = host$seek;
        queue_inv_ack$row = host$row;
        queue_inv_ack$selected = host$region == 32'h2;
        queue_inv_ack$write = host$write;
        queue_inv_ack$data = host$data;
        queue_inv_ack$restart = host$restart;
        queue_inv_ack$offers = host$offers;
        queue_inv_ack$cross_end = host$control[(32'h38)+:(10)];
        queue_inv_ack$ready = 1'b1;
        block$inv_ack_valid = queue_inv_ack$valid;
        block$inv_ack_payload = queue_inv_ack$payload[32'h0];
        queue_done$link_clock = link_clock;
        queue_done$block_clock = block_clock;
        queue_done$seek = host$seek;
        queue_done$row = host$row;
        queue_done$selected = host$region == 32'h3;
        queue_done$write = host$write;
        queue_done$data = host$data;
        queue_done$restart = host$restart;
        queue_done$offers = host$offers;
        queue_done$cross_end = host$control[(32'h48)+:(10)];
        queue_done$ready = 1'b1;
        block$done_valid = queue_done$valid;
        queue_released$link_clock = link_clock;
        queue_released$block_clock = block_clock;
        queue_released$seek = host$seek;
        queue_released$row = host$row;
        queue_released$selected = host$region == 32'h4;
        queue_released$write = host$write;
        queue_released$data = host$data;
        queue_released$restart = host$restart;
        queue_released$offers = host$offers;
        queue_released$cross_end = host$control[(32'h58)+:(10)];
        queue_released$ready = 1'b1;
        block$released_valid = queue_released$valid;
        block$released_payload = queue_released$payload;
        block$down_ready = host$takes;
    end
endmodule // top
module top$block(clk,rst,req_valid,req_payload,inv_ack_valid,inv_ack_payload,done_valid,released_valid,released_payload,down_ready,req_ready,down_valid,inv_valid,mark_written_valid,hit_valid,ack_valid,error_valid,transfers,happens);
    // Module arguments
    input wire  clk;
    input wire  rst;
    input wire  req_valid;
    input wire  [180:0] req_payload;
    input wire  inv_ack_valid;
    input wire  inv_ack_payload;
    input wire  done_valid;
    input wire  released_valid;
    input wire  [5:0] released_payload;
    input wire  down_ready;
    output wire  req_ready;
    output wire  down_valid;
    output wire  inv_valid;
    output wire  mark_written_valid;
    output wire  hit_valid;
    output wire  ack_valid;
    output wire  error_valid;
    output wire  [431:0] transfers;
    output wire  happens;
    // Update code (wrapper)
    wire req_ready_inside;
    wire error_valid_inside;
    wire error_code_inside;
    wire mark_written_valid_inside;
    wire [27:0] mark_written_block_inside;
    wire inv_valid_inside;
    wire [27:0] inv_block_inside;
    wire hit_valid_inside;
    wire [27:0] hit_block_inside;
    wire [15:0] hit_bytes_inside;
    wire [5:0] hit_wavefront_inside;
    wire [127:0] hit_data_inside;
    wire down_valid_inside;
    wire [1:0] down_op_inside;
    wire [27:0] down_block_inside;
    wire [15:0] down_bytes_inside;
    wire [5:0] down_wavefront_inside;
    wire down_needs_ack_inside;
    wire [127:0] down_data_inside;
    wire ack_valid_inside;
    wire [5:0] ack_wavefront_inside;
    qr_write_cache qr_write_cache_inside (
      .clk(clk),
      .rst(rst),
      .req_valid(req_valid),
      .req_op(req_payload[1:0]),
      .req_block(req_payload[29:2]),
      .req_bytes(req_payload[45:30]),
      .req_wavefront(req_payload[51:46]),
      .req_needs_ack(req_payload[52]),
      .req_data(req_payload[180:53]),
      .inv_ack_valid(inv_ack_valid),
      .inv_ack_caches(inv_ack_payload),
      .done_valid(done_valid),
      .released_valid(released_valid),
      .released_wavefront(released_payload),
      .down_ready(down_ready),
      .req_ready(req_ready_inside),
      .error_valid(error_valid_inside),
      .error_code(error_code_inside),
      .mark_written_valid(mark_written_valid_inside),
      .mark_written_block(mark_written_block_inside),
      .inv_valid(inv_valid_inside),
      .inv_block(inv_block_inside),
      .hit_valid(hit_valid_inside),
      .hit_block(hit_block_inside),
      .hit_bytes(hit_bytes_inside),
      .hit_wavefront(hit_wavefront_inside),
      .hit_data(hit_data_inside),
      .down_valid(down_valid_inside),
      .down_op(down_op_inside),
      .down_block(down_block_inside),
      .down_bytes(down_bytes_inside),
      .down_wavefront(down_wavefront_inside),
      .down_needs_ack(down_needs_ack_inside),
      .down_data(down_data_inside),
      .ack_valid(ack_valid_inside),
      .ack_wavefront(ack_wavefront_inside)
    );
    assign req_ready = {req_ready_inside};
    assign down_valid = {down_valid_inside};
    assign inv_valid = {inv_valid_inside};
    assign mark_written_valid = {mark_written_valid_inside};
    assign hit_valid = {hit_valid_inside};
    assign ack_valid = {ack_valid_inside};
    assign error_valid = {error_valid_inside};
    assign transfers = {error_code_inside, ack_wavefront_inside, hit_data_inside, hit_wavefront_inside, hit_bytes_inside, hit_block_inside, mark_written_block_inside, inv_block_inside, down_data_inside, down_needs_ack_inside, down_wavefront_inside, down_bytes_inside, down_block_inside, down_op_inside, (error_valid_inside), (ack_valid_inside), (hit_valid_inside), (mark_written_valid_inside), (inv_valid_inside), (down_valid_inside & down_ready), (released_valid), (done_valid), (inv_ack_valid), (req_valid & req_ready_inside)};
    assign happens = {|transfers[9:0]};
endmodule // top$block
