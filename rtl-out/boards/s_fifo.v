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
    localparam  identification = 64'h94e4f39701980167;
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
    wire  [55:0] host$control;
    wire  [7:0] host$region;
    wire  [15:0] host$row;
    wire  host$seek;
    wire  host$write;
    wire  [7:0] host$data;
    wire  host$restart;
    wire  host$offers;
    wire  host$takes;
    reg  [38:0] host$transfers;
    reg  host$happens;
    reg  queue_enqueue$link_clock;
    reg  queue_enqueue$seek;
    reg  [15:0] queue_enqueue$row;
    reg  queue_enqueue$selected;
    reg  queue_enqueue$write;
    reg  [7:0] queue_enqueue$data;
    reg  queue_enqueue$block_clock;
    reg  queue_enqueue$restart;
    reg  queue_enqueue$offers;
    reg  [9:0] queue_enqueue$cross_end;
    wire  queue_enqueue$valid;
    reg  queue_enqueue$ready;
    wire  [34:0] queue_enqueue$payload;
    reg  block$clk;
    reg  block$rst;
    reg  block$enqueue_valid;
    reg  [34:0] block$enqueue_payload;
    reg  block$dequeue_ready;
    wire  block$enqueue_ready;
    wire  block$dequeue_valid;
    wire  block$error_valid;
    wire  [38:0] block$transfers;
    wire  block$happens;
    // Sub module instances
    host #(.CONTROL(56), .EVENT(39), .ROW(64)) host(
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
    queue #(.PAYLOAD(35), .ROW(40)) queue_enqueue(
        .link_clock(queue_enqueue$link_clock),
        .seek(queue_enqueue$seek),
        .row(queue_enqueue$row),
        .selected(queue_enqueue$selected),
        .write(queue_enqueue$write),
        .data(queue_enqueue$data),
        .block_clock(queue_enqueue$block_clock),
        .restart(queue_enqueue$restart),
        .offers(queue_enqueue$offers),
        .cross_end(queue_enqueue$cross_end),
        .valid(queue_enqueue$valid),
        .ready(queue_enqueue$ready),
        .payload(queue_enqueue$payload)
    );
    top$block block(
        .clk(block$clk),
        .rst(block$rst),
        .enqueue_valid(block$enqueue_valid),
        .enqueue_payload(block$enqueue_payload),
        .dequeue_ready(block$dequeue_ready),
        .enqueue_ready(block$enqueue_ready),
        .dequeue_valid(block$dequeue_valid),
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
        queue_enqueue$link_clock = link_clock;
        queue_enqueue$block_clock = block_clock;
        queue_enqueue$seek = host$seek;
        queue_enqueue$row = host$row;
        queue_enqueue$selected = host$region == 32'h1;
        queue_enqueue$write = host$write;
        queue_enqueue$data = host$data;
        queue_enqueue$restart = host$restart;
        queue_enqueue$offers = host$offers;
        queue_enqueue$cross_end = host$control[(32'h28)+:(10)];
        queue_enqueue$ready = block$enqueue_ready;
        block$enqueue_valid = queue_enqueue$valid;
        block$enqueue_payload = queue_enqueue$payload;
        block$dequeue_ready = host$takes;
    end
endmodule // top
module top$block(clk,rst,enqueue_valid,enqueue_payload,dequeue_ready,enqueue_ready,dequeue_valid,error_valid,transfers,happens);
    // Module arguments
    input wire  clk;
    input wire  rst;
    input wire  enqueue_valid;
    input wire  [34:0] enqueue_payload;
    input wire  dequeue_ready;
    output wire  enqueue_ready;
    output wire  dequeue_valid;
    output wire  error_valid;
    output wire  [38:0] transfers;
    output wire  happens;
    // Update code (wrapper)
    wire enqueue_ready_inside;
    wire error_valid_inside;
    wire error_code_inside;
    wire dequeue_valid_inside;
    wire [1:0] dequeue_kind_inside;
    wire [25:0] dequeue_block_inside;
    wire [5:0] dequeue_wavefront_inside;
    wire dequeue_needs_ack_inside;
    s_fifo s_fifo_inside (
      .clk(clk),
      .rst(rst),
      .enqueue_valid(enqueue_valid),
      .enqueue_kind(enqueue_payload[1:0]),
      .enqueue_block(enqueue_payload[27:2]),
      .enqueue_wavefront(enqueue_payload[33:28]),
      .enqueue_needs_ack(enqueue_payload[34]),
      .dequeue_ready(dequeue_ready),
      .enqueue_ready(enqueue_ready_inside),
      .error_valid(error_valid_inside),
      .error_code(error_code_inside),
      .dequeue_valid(dequeue_valid_inside),
      .dequeue_kind(dequeue_kind_inside),
      .dequeue_block(dequeue_block_inside),
      .dequeue_wavefront(dequeue_wavefront_inside),
      .dequeue_needs_ack(dequeue_needs_ack_inside)
    );
    assign enqueue_ready = {enqueue_ready_inside};
    assign dequeue_valid = {dequeue_valid_inside};
    assign error_valid = {error_valid_inside};
    assign transfers = {error_code_inside, dequeue_needs_ack_inside, dequeue_wavefront_inside, dequeue_block_inside, dequeue_kind_inside, (error_valid_inside), (dequeue_valid_inside & dequeue_ready), (enqueue_valid & enqueue_ready_inside)};
    assign happens = {|transfers[2:0]};
endmodule // top$block
