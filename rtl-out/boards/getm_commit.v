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
    localparam  identification = 64'hb644b6214d7702ef;
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
    reg  [365:0] host$transfers;
    reg  host$happens;
    reg  queue_log$link_clock;
    reg  queue_log$seek;
    reg  [15:0] queue_log$row;
    reg  queue_log$selected;
    reg  queue_log$write;
    reg  [7:0] queue_log$data;
    reg  queue_log$block_clock;
    reg  queue_log$restart;
    reg  queue_log$offers;
    reg  [9:0] queue_log$cross_end;
    wire  queue_log$valid;
    reg  queue_log$ready;
    wire  [77:0] queue_log$payload;
    reg  block$clk;
    reg  block$rst;
    reg  block$log_valid;
    reg  [77:0] block$log_payload;
    reg  block$write_ready;
    reg  block$release_ready;
    wire  block$log_ready;
    wire  block$write_valid;
    wire  block$release_valid;
    wire  block$error_valid;
    wire  [365:0] block$transfers;
    wire  block$happens;
    // Sub module instances
    host #(.CONTROL(56), .EVENT(366), .ROW(392)) host(
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
    queue #(.PAYLOAD(78), .ROW(80)) queue_log(
        .link_clock(queue_log$link_clock),
        .seek(queue_log$seek),
        .row(queue_log$row),
        .selected(queue_log$selected),
        .write(queue_log$write),
        .data(queue_log$data),
        .block_clock(queue_log$block_clock),
        .restart(queue_log$restart),
        .offers(queue_log$offers),
        .cross_end(queue_log$cross_end),
        .valid(queue_log$valid),
        .ready(queue_log$ready),
        .payload(queue_log$payload)
    );
    top$block block(
        .clk(block$clk),
        .rst(block$rst),
        .log_valid(block$log_valid),
        .log_payload(block$log_payload),
        .write_ready(block$write_ready),
        .release_ready(block$release_ready),
        .log_ready(block$log_ready),
        .write_valid(block$write_valid),
        .release_valid(block$release_valid),
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
        queue_log$link_clock = link_clock;
        queue_log$block_clock = block_clock;
        queue_log$seek = host$seek;
        queue_log$row = host$row;
        queue_log$selected = host$region == 32'h1;
        queue_log$write = host$write;
        queue_log$data = host$data;
        queue_log$restart = host$restart;
        queue_log$offers = host$offers;
        queue_log$cross_end = host$control[(32'h28)+:(10)];
        queue_log$ready = block$log_ready;
        block$log_valid = queue_log$valid;
        block$log_payload = queue_log$payload;
        block$write_ready = host$takes;
        block$release_ready = host$takes;
    end
endmodule // top
module top$block(clk,rst,log_valid,log_payload,write_ready,release_ready,log_ready,write_valid,release_valid,error_valid,transfers,happens);
    // Module arguments
    input wire  clk;
    input wire  rst;
    input wire  log_valid;
    input wire  [77:0] log_payload;
    input wire  write_ready;
    input wire  release_ready;
    output wire  log_ready;
    output wire  write_valid;
    output wire  release_valid;
    output wire  error_valid;
    output wire  [365:0] transfers;
    output wire  happens;
    // Update code (wrapper)
    wire log_ready_inside;
    wire write_valid_inside;
    wire [31:0] write_address_inside;
    wire [255:0] write_data_inside;
    wire [31:0] write_bytes_inside;
    wire release_valid_inside;
    wire [31:0] release_address_inside;
    wire [7:0] release_count_inside;
    wire error_valid_inside;
    wire [1:0] error_code_inside;
    getm_commit getm_commit_inside (
      .clk(clk),
      .rst(rst),
      .log_valid(log_valid),
      .log_kind(log_payload[1:0]),
      .log_address(log_payload[33:2]),
      .log_data(log_payload[65:34]),
      .log_bytes(log_payload[69:66]),
      .log_count(log_payload[77:70]),
      .write_ready(write_ready),
      .release_ready(release_ready),
      .log_ready(log_ready_inside),
      .write_valid(write_valid_inside),
      .write_address(write_address_inside),
      .write_data(write_data_inside),
      .write_bytes(write_bytes_inside),
      .release_valid(release_valid_inside),
      .release_address(release_address_inside),
      .release_count(release_count_inside),
      .error_valid(error_valid_inside),
      .error_code(error_code_inside)
    );
    assign log_ready = {log_ready_inside};
    assign write_valid = {write_valid_inside};
    assign release_valid = {release_valid_inside};
    assign error_valid = {error_valid_inside};
    assign transfers = {error_code_inside, release_count_inside, release_address_inside, write_bytes_inside, write_data_inside, write_address_inside, (error_valid_inside), (release_valid_inside & release_ready), (write_valid_inside & write_ready), (log_valid & log_ready_inside)};
    assign happens = {|transfers[3:0]};
endmodule // top$block
