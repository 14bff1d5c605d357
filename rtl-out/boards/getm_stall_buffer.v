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
    localparam  identification = 64'hb19b0d34612c14ab;
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
    wire  [87:0] host$control;
    wire  [7:0] host$region;
    wire  [15:0] host$row;
    wire  host$seek;
    wire  host$write;
    wire  [7:0] host$data;
    wire  host$restart;
    wire  host$offers;
    wire  host$takes;
    reg  [72:0] host$transfers;
    reg  host$happens;
    reg  queue_park$link_clock;
    reg  queue_park$seek;
    reg  [15:0] queue_park$row;
    reg  queue_park$selected;
    reg  queue_park$write;
    reg  [7:0] queue_park$data;
    reg  queue_park$block_clock;
    reg  queue_park$restart;
    reg  queue_park$offers;
    reg  [9:0] queue_park$cross_end;
    wire  queue_park$valid;
    reg  queue_park$ready;
    wire  [64:0] queue_park$payload;
    reg  queue_retry_result$link_clock;
    reg  queue_retry_result$seek;
    reg  [15:0] queue_retry_result$row;
    reg  queue_retry_result$selected;
    reg  queue_retry_result$write;
    reg  [7:0] queue_retry_result$data;
    reg  queue_retry_result$block_clock;
    reg  queue_retry_result$restart;
    reg  queue_retry_result$offers;
    reg  [9:0] queue_retry_result$cross_end;
    wire  queue_retry_result$valid;
    reg  queue_retry_result$ready;
    wire  [32:0] queue_retry_result$payload;
    reg  queue_release$link_clock;
    reg  queue_release$seek;
    reg  [15:0] queue_release$row;
    reg  queue_release$selected;
    reg  queue_release$write;
    reg  [7:0] queue_release$data;
    reg  queue_release$block_clock;
    reg  queue_release$restart;
    reg  queue_release$offers;
    reg  [9:0] queue_release$cross_end;
    wire  queue_release$valid;
    reg  queue_release$ready;
    wire  [32:0] queue_release$payload;
    reg  block$clk;
    reg  block$rst;
    reg  block$park_valid;
    reg  [64:0] block$park_payload;
    reg  block$retry_result_valid;
    reg  [32:0] block$retry_result_payload;
    reg  block$release_valid;
    reg  [32:0] block$release_payload;
    reg  block$retry_ready;
    wire  block$parked_valid;
    wire  block$retry_valid;
    wire  block$error_valid;
    wire  [72:0] block$transfers;
    wire  block$happens;
    // Sub module instances
    host #(.CONTROL(88), .EVENT(73), .ROW(104)) host(
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
    queue #(.PAYLOAD(65), .ROW(72)) queue_park(
        .link_clock(queue_park$link_clock),
        .seek(queue_park$seek),
        .row(queue_park$row),
        .selected(queue_park$selected),
        .write(queue_park$write),
        .data(queue_park$data),
        .block_clock(queue_park$block_clock),
        .restart(queue_park$restart),
        .offers(queue_park$offers),
        .cross_end(queue_park$cross_end),
        .valid(queue_park$valid),
        .ready(queue_park$ready),
        .payload(queue_park$payload)
    );
    queue #(.PAYLOAD(33), .ROW(40)) queue_retry_result(
        .link_clock(queue_retry_result$link_clock),
        .seek(queue_retry_result$seek),
        .row(queue_retry_result$row),
        .selected(queue_retry_result$selected),
        .write(queue_retry_result$write),
        .data(queue_retry_result$data),
        .block_clock(queue_retry_result$block_clock),
        .restart(queue_retry_result$restart),
        .offers(queue_retry_result$offers),
        .cross_end(queue_retry_result$cross_end),
        .valid(queue_retry_result$valid),
        .ready(queue_retry_result$ready),
        .payload(queue_retry_result$payload)
    );
    queue #(.PAYLOAD(33), .ROW(40)) queue_release(
        .link_clock(queue_release$link_clock),
        .seek(queue_release$seek),
        .row(queue_release$row),
        .selected(queue_release$selected),
        .write(queue_release$write),
        .data(queue_release$data),
        .block_clock(queue_release$block_clock),
        .restart(queue_release$restart),
        .offers(queue_release$offers),
        .cross_end(queue_release$cross_end),
        .valid(queue_release$valid),
        .ready(queue_release$ready),
        .payload(queue_release$payload)
    );
    top$block block(
        .clk(block$clk),
        .rst(block$rst),
        .park_valid(block$park_valid),
        .park_payload(block$park_payload),
        .retry_result_valid(block$retry_result_valid),
        .retry_result_payload(block$retry_result_payload),
        .release_valid(block$release_valid),
        .release_payload(block$release_payload),
        .retry_ready(block$retry_ready),
        .parked_valid(block$parked_valid),
        .retry_valid(block$retry_valid),
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
        queue_park$link_clock = link_clock;
        queue_park$block_clock = block_clock;
        queue_park$seek = host$seek;
        queue_park$row = host$row;
        queue_park$selected = host$region == 32'h1;
        queue_park$write = host$write;
        queue_park$data = host$data;
        queue_park$restart = host$restart;
        queue_park$offers = host$offers;
        queue_park$cross_end = host$control[(32'h28)+:(10)];
        queue_park$ready = 1'b1;
        block$park_valid = queue_park$valid;
        block$park_payload = queue_park$payload;
        queue_retry_result$link_clock = link_clock;
        queue_retry_result$block_clock = block_clock;
        queue_retry_result$seek = host$seek;
        queue_retry_result$row = host$row;
        queue_retry_result$selected = host$region == 32'h2;
        queue_retry_result$write = host$write;
        queue_retry_result$data = host$data;
        queue_retry_result$restart = host$restart;
        queue_retry_result$offers = host$offers;
        queue_retry_result$cross_end = host$control[(32'h38)+:(10)];
        queue_retry_result$ready = 1'b1;
        block$retry_result_valid = queue_retry_result$valid;
        block$retry_result_payload = queue_retry_result$payload;
        queue_release$link_clock = link_clock;
        queue_release$block_clock = block_clock;
        queue_release$seek = host$seek;
        queue_release$row = host$row;
        queue_release$selected = host$region == 32'h3;
        queue_release$write = host$write;
        queue_release$data = host$data;
        queue_release$restart = host$restart;
        queue_release$offers = host$offers;
        queue_release$cross_end = host$control[(32'h48)+:(10)];
        queue_release$ready = 1'b1;
        block$release_valid = queue_release$valid;
        block$release_payload = queue_release$payload;
        block$retry_ready = host$takes;
    end
endmodule // top
module top$block(clk,rst,park_valid,park_payload,retry_result_valid,retry_result_payload,release_valid,release_payload,retry_ready,parked_valid,retry_valid,error_valid,transfers,happens);
    // Module arguments
    input wire  clk;
    input wire  rst;
    input wire  park_valid;
    input wire  [64:0] park_payload;
    input wire  retry_result_valid;
    input wire  [32:0] retry_result_payload;
    input wire  release_valid;
    input wire  [32:0] release_payload;
    input wire  retry_ready;
    output wire  parked_valid;
    output wire  retry_valid;
    output wire  error_valid;
    output wire  [72:0] transfers;
    output wire  happens;
    // Update code (wrapper)
    wire parked_valid_inside;
    wire parked_room_inside;
    wire retry_valid_inside;
    wire [31:0] retry_address_inside;
    wire retry_store_inside;
    wire [7:0] retry_warp_inside;
    wire [23:0] retry_warpts_inside;
    wire error_valid_inside;
    wire error_code_inside;
    getm_stall_buffer getm_stall_buffer_inside (
      .clk(clk),
      .rst(rst),
      .park_valid(park_valid),
      .park_address(park_payload[31:0]),
      .park_store(park_payload[32]),
      .park_warp(park_payload[40:33]),
      .park_warpts(park_payload[64:41]),
      .retry_result_valid(retry_result_valid),
      .retry_result_address(retry_result_payload[31:0]),
      .retry_result_reserved(retry_result_payload[32]),
      .release_valid(release_valid),
      .release_address(release_payload[31:0]),
      .release_all(release_payload[32]),
      .retry_ready(retry_ready),
      .parked_valid(parked_valid_inside),
      .parked_room(parked_room_inside),
      .retry_valid(retry_valid_inside),
      .retry_address(retry_address_inside),
      .retry_store(retry_store_inside),
      .retry_warp(retry_warp_inside),
      .retry_warpts(retry_warpts_inside),
      .error_valid(error_valid_inside),
      .error_code(error_code_inside)
    );
    assign parked_valid = {parked_valid_inside};
    assign retry_valid = {retry_valid_inside};
    assign error_valid = {error_valid_inside};
    assign transfers = {error_code_inside, retry_warpts_inside, retry_warp_inside, retry_store_inside, retry_address_inside, parked_room_inside, (error_valid_inside), (retry_valid_inside & retry_ready), (parked_valid_inside), (release_valid), (retry_result_valid), (park_valid)};
    assign happens = {|transfers[5:0]};
endmodule // top$block
