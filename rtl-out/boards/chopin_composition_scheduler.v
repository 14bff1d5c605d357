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
    localparam  identification = 64'h4959a319c83326f6;
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
    wire  [71:0] host$control;
    wire  [7:0] host$region;
    wire  [15:0] host$row;
    wire  host$seek;
    wire  host$write;
    wire  [7:0] host$data;
    wire  host$restart;
    wire  host$offers;
    wire  host$takes;
    reg  [17:0] host$transfers;
    reg  host$happens;
    reg  queue_finished$link_clock;
    reg  queue_finished$seek;
    reg  [15:0] queue_finished$row;
    reg  queue_finished$selected;
    reg  queue_finished$write;
    reg  [7:0] queue_finished$data;
    reg  queue_finished$block_clock;
    reg  queue_finished$restart;
    reg  queue_finished$offers;
    reg  [9:0] queue_finished$cross_end;
    wire  queue_finished$valid;
    reg  queue_finished$ready;
    wire  [3:0] queue_finished$payload;
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
    wire  [5:0] queue_done$payload;
    reg  block$clk;
    reg  block$rst;
    reg  block$finished_valid;
    reg  [3:0] block$finished_payload;
    reg  block$done_valid;
    reg  [5:0] block$done_payload;
    reg  block$start_ready;
    wire  block$start_valid;
    wire  block$error_valid;
    wire  block$done_error_valid;
    wire  [17:0] block$transfers;
    wire  block$happens;
    // Sub module instances
    host #(.CONTROL(72), .EVENT(18), .ROW(48)) host(
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
    queue #(.PAYLOAD(4), .ROW(16)) queue_finished(
        .link_clock(queue_finished$link_clock),
        .seek(queue_finished$seek),
        .row(queue_finished$row),
        .selected(queue_finished$selected),
        .write(queue_finished$write),
        .data(queue_finished$data),
        .block_clock(queue_finished$block_clock),
        .restart(queue_finished$restart),
        .offers(queue_finished$offers),
        .cross_end(queue_finished$cross_end),
        .valid(queue_finished$valid),
        .ready(queue_finished$ready),
        .payload(queue_finished$payload)
    );
    queue #(.PAYLOAD(6), .ROW(16)) queue_done(
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
    top$block block(
        .clk(block$clk),
        .rst(block$rst),
        .finished_valid(block$finished_valid),
        .finished_payload(block$finished_payload),
        .done_valid(block$done_valid),
        .done_payload(block$done_payload),
        .start_ready(block$start_ready),
        .start_valid(block$start_valid),
        .error_valid(block$error_valid),
        .done_error_valid(block$done_error_valid),
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
        queue_finished$link_clock = link_clock;
        queue_finished$block_clock = block_clock;
        queue_finished$seek = host$seek;
        queue_finished$row = host$row;
        queue_finished$selected = host$region == 32'h1;
        queue_finished$write = host$write;
        queue_finished$data = host$data;
        queue_finished$restart = host$restart;
        queue_finished$offers = host$offers;
        queue_finished$cross_end = host$control[(32'h28)+:(10)];
        queue_finished$ready = 1'b1;
        block$finished_valid = queue_finished$valid;
        block$finished_payload = queue_finished$payload;
        queue_done$link_clock = link_clock;
        queue_done$block_clock = block_clock;
        queue_done$seek = host$seek;
        queue_done$row = host$row;
        queue_done$selected = host$region == 32'h2;
        queue_done$write = host$write;
        queue_done$data = host$data;
        queue_done$restart = host$restart;
        queue_done$offers = host$offers;
        queue_done$cross_end = host$control[(32'h38)+:(10)];
        queue_done$ready = 1'b1;
        block$done_valid = queue_done$valid;
        block$done_payload = queue_done$payload;
        block$start_ready = host$takes;
    end
endmodule // top
module top$block(clk,rst,finished_valid,finished_payload,done_valid,done_payload,start_ready,start_valid,error_valid,done_error_valid,transfers,happens);
    // Module arguments
    input wire  clk;
    input wire  rst;
    input wire  finished_valid;
    input wire  [3:0] finished_payload;
    input wire  done_valid;
    input wire  [5:0] done_payload;
    input wire  start_ready;
    output wire  start_valid;
    output wire  error_valid;
    output wire  done_error_valid;
    output wire  [17:0] transfers;
    output wire  happens;
    // Update code (wrapper)
    wire start_valid_inside;
    wire [2:0] start_src_inside;
    wire [2:0] start_dst_inside;
    wire [3:0] start_cgid_inside;
    wire error_valid_inside;
    wire [1:0] error_code_inside;
    wire done_error_valid_inside;
    wire done_error_code_inside;
    chopin_composition_scheduler chopin_composition_scheduler_inside (
      .clk(clk),
      .rst(rst),
      .finished_valid(finished_valid),
      .finished_gpu(finished_payload[2:0]),
      .finished_transparent(finished_payload[3]),
      .done_valid(done_valid),
      .done_src(done_payload[2:0]),
      .done_dst(done_payload[5:3]),
      .start_ready(start_ready),
      .start_valid(start_valid_inside),
      .start_src(start_src_inside),
      .start_dst(start_dst_inside),
      .start_cgid(start_cgid_inside),
      .error_valid(error_valid_inside),
      .error_code(error_code_inside),
      .done_error_valid(done_error_valid_inside),
      .done_error_code(done_error_code_inside)
    );
    assign start_valid = {start_valid_inside};
    assign error_valid = {error_valid_inside};
    assign done_error_valid = {done_error_valid_inside};
    assign transfers = {done_error_code_inside, error_code_inside, start_cgid_inside, start_dst_inside, start_src_inside, (done_error_valid_inside), (error_valid_inside), (start_valid_inside & start_ready), (done_valid), (finished_valid)};
    assign happens = {|transfers[4:0]};
endmodule // top$block
