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
    localparam  identification = 64'h20ddb106e8379ea0;
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
    reg  [4:0] host$transfers;
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
    wire  [25:0] queue_req$payload;
    reg  block$clk;
    reg  block$rst;
    reg  block$req_valid;
    reg  [25:0] block$req_payload;
    reg  block$resp_ready;
    wire  block$req_ready;
    wire  block$resp_valid;
    wire  block$error_valid;
    wire  [4:0] block$transfers;
    wire  block$happens;
    // Sub module instances
    host #(.CONTROL(56), .EVENT(5), .ROW(32)) host(
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
    queue #(.PAYLOAD(26), .ROW(32)) queue_req(
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
    top$block block(
        .clk(block$clk),
        .rst(block$rst),
        .req_valid(block$req_valid),
        .req_payload(block$req_payload),
        .resp_ready(block$resp_ready),
        .req_ready(block$req_ready),
        .resp_valid(block$resp_valid),
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
        block$resp_ready = host$takes;
    end
endmodule // top
module top$block(clk,rst,req_valid,req_payload,resp_ready,req_ready,resp_valid,error_valid,transfers,happens);
    // Module arguments
    input wire  clk;
    input wire  rst;
    input wire  req_valid;
    input wire  [25:0] req_payload;
    input wire  resp_ready;
    output wire  req_ready;
    output wire  resp_valid;
    output wire  error_valid;
    output wire  [4:0] transfers;
    output wire  happens;
    // Update code (wrapper)
    wire req_ready_inside;
    wire error_valid_inside;
    wire error_code_inside;
    wire resp_valid_inside;
    wire resp_hit_inside;
    bloom_filter bloom_filter_inside (
      .clk(clk),
      .rst(rst),
      .req_valid(req_valid),
      .req_op(req_payload[1:0]),
      .req_wavefront(req_payload[5:2]),
      .req_line(req_payload[25:6]),
      .resp_ready(resp_ready),
      .req_ready(req_ready_inside),
      .error_valid(error_valid_inside),
      .error_code(error_code_inside),
      .resp_valid(resp_valid_inside),
      .resp_hit(resp_hit_inside)
    );
    assign req_ready = {req_ready_inside};
    assign resp_valid = {resp_valid_inside};
    assign error_valid = {error_valid_inside};
    assign transfers = {error_code_inside, resp_hit_inside, (error_valid_inside), (resp_valid_inside & resp_ready), (req_valid & req_ready_inside)};
    assign happens = {|transfers[2:0]};
endmodule // top$block
