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
    localparam  identification = 64'h24a262812b5befb7;
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
    reg  [230:0] host$transfers;
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
    wire  [81:0] queue_req$payload;
    reg  queue_overflow_resp$link_clock;
    reg  queue_overflow_resp$seek;
    reg  [15:0] queue_overflow_resp$row;
    reg  queue_overflow_resp$selected;
    reg  queue_overflow_resp$write;
    reg  [7:0] queue_overflow_resp$data;
    reg  queue_overflow_resp$block_clock;
    reg  queue_overflow_resp$restart;
    reg  queue_overflow_resp$offers;
    reg  [9:0] queue_overflow_resp$cross_end;
    wire  queue_overflow_resp$valid;
    reg  queue_overflow_resp$ready;
    wire  [64:0] queue_overflow_resp$payload;
    reg  block$clk;
    reg  block$rst;
    reg  block$req_valid;
    reg  [81:0] block$req_payload;
    reg  block$resp_ready;
    reg  block$overflow_req_ready;
    reg  block$overflow_resp_valid;
    reg  [64:0] block$overflow_resp_payload;
    wire  block$req_ready;
    wire  block$resp_valid;
    wire  block$overflow_req_valid;
    wire  block$overflow_resp_ready;
    wire  block$error_valid;
    wire  [230:0] block$transfers;
    wire  block$happens;
    // Sub module instances
    host #(.CONTROL(72), .EVENT(231), .ROW(256)) host(
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
    queue #(.PAYLOAD(82), .ROW(88)) queue_req(
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
    queue #(.PAYLOAD(65), .ROW(72)) queue_overflow_resp(
        .link_clock(queue_overflow_resp$link_clock),
        .seek(queue_overflow_resp$seek),
        .row(queue_overflow_resp$row),
        .selected(queue_overflow_resp$selected),
        .write(queue_overflow_resp$write),
        .data(queue_overflow_resp$data),
        .block_clock(queue_overflow_resp$block_clock),
        .restart(queue_overflow_resp$restart),
        .offers(queue_overflow_resp$offers),
        .cross_end(queue_overflow_resp$cross_end),
        .valid(queue_overflow_resp$valid),
        .ready(queue_overflow_resp$ready),
        .payload(queue_overflow_resp$payload)
    );
    top$block block(
        .clk(block$clk),
        .rst(block$rst),
        .req_valid(block$req_valid),
        .req_payload(block$req_payload),
        .resp_ready(block$resp_ready),
        .overflow_req_ready(block$overflow_req_ready),
        .overflow_resp_valid(block$overflow_resp_valid),
        .overflow_resp_payload(block$overflow_resp_payload),
        .req_ready(block$req_ready),
        .resp_valid(block$resp_valid),
        .overflow_req_valid(block$overflow_req_valid),
        .overflow_resp_ready(block$overflow_resp_ready),
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
        queue_overflow_resp$link_clock = link_clock;
        queue_overflow_resp$block_clock = block_clock;
        queue_overflow_resp$seek = host$seek;
        queue_overflow_resp$row = host$row;
        queue_overflow_resp$selected = host$region == 32'h2;
        queue_overflow_resp$write = host$write;
        queue_overflow_resp$data = host$data;
        queue_overflow_resp$restart = host$restart;
        queue_overflow_resp$offers = host$offers;
        queue_overflow_resp$cross_end = host$control[(32'h38)+:(10)];
        queue_overflow_resp$ready = block$overflow_resp_ready;
        block$overflow_resp_valid = queue_overflow_resp$valid;
        block$overflow_resp_payload = queue_overflow_resp$payload;
        block$resp_ready = host$takes;
        block$overflow_req_ready = host$takes;
    end
endmodule // top
module top$block(clk,rst,req_valid,req_payload,resp_ready,overflow_req_ready,overflow_resp_valid,overflow_resp_payload,req_ready,resp_valid,overflow_req_valid,overflow_resp_ready,error_valid,transfers,happens);
    // Module arguments
    input wire  clk;
    input wire  rst;
    input wire  req_valid;
    input wire  [81:0] req_payload;
    input wire  resp_ready;
    input wire  overflow_req_ready;
    input wire  overflow_resp_valid;
    input wire  [64:0] overflow_resp_payload;
    output wire  req_ready;
    output wire  resp_valid;
    output wire  overflow_req_valid;
    output wire  overflow_resp_ready;
    output wire  error_valid;
    output wire  [230:0] transfers;
    output wire  happens;
    // Update code (wrapper)
    wire init_done_inside;
    wire req_ready_inside;
    wire overflow_resp_ready_inside;
    wire overflow_req_valid_inside;
    wire [1:0] overflow_req_op_inside;
    wire [31:0] overflow_req_address_inside;
    wire [23:0] overflow_req_wts_inside;
    wire [23:0] overflow_req_rts_inside;
    wire [7:0] overflow_req_writes_inside;
    wire [7:0] overflow_req_owner_inside;
    wire resp_valid_inside;
    wire [1:0] resp_op_inside;
    wire [31:0] resp_address_inside;
    wire [7:0] resp_warp_inside;
    wire [23:0] resp_warpts_inside;
    wire [7:0] resp_tag_inside;
    wire [2:0] resp_verdict_inside;
    wire [23:0] resp_wts_inside;
    wire [23:0] resp_rts_inside;
    wire resp_reserved_inside;
    wire error_valid_inside;
    wire [1:0] error_code_inside;
    getm_metadata getm_metadata_inside (
      .clk(clk),
      .rst(rst),
      .req_valid(req_valid),
      .req_op(req_payload[1:0]),
      .req_address(req_payload[33:2]),
      .req_warp(req_payload[41:34]),
      .req_warpts(req_payload[65:42]),
      .req_count(req_payload[73:66]),
      .req_tag(req_payload[81:74]),
      .resp_ready(resp_ready),
      .overflow_req_ready(overflow_req_ready),
      .overflow_resp_valid(overflow_resp_valid),
      .overflow_resp_found(overflow_resp_payload[0]),
      .overflow_resp_wts(overflow_resp_payload[24:1]),
      .overflow_resp_rts(overflow_resp_payload[48:25]),
      .overflow_resp_writes(overflow_resp_payload[56:49]),
      .overflow_resp_owner(overflow_resp_payload[64:57]),
      .init_done(init_done_inside),
      .req_ready(req_ready_inside),
      .overflow_resp_ready(overflow_resp_ready_inside),
      .overflow_req_valid(overflow_req_valid_inside),
      .overflow_req_op(overflow_req_op_inside),
      .overflow_req_address(overflow_req_address_inside),
      .overflow_req_wts(overflow_req_wts_inside),
      .overflow_req_rts(overflow_req_rts_inside),
      .overflow_req_writes(overflow_req_writes_inside),
      .overflow_req_owner(overflow_req_owner_inside),
      .resp_valid(resp_valid_inside),
      .resp_op(resp_op_inside),
      .resp_address(resp_address_inside),
      .resp_warp(resp_warp_inside),
      .resp_warpts(resp_warpts_inside),
      .resp_tag(resp_tag_inside),
      .resp_verdict(resp_verdict_inside),
      .resp_wts(resp_wts_inside),
      .resp_rts(resp_rts_inside),
      .resp_reserved(resp_reserved_inside),
      .error_valid(error_valid_inside),
      .error_code(error_code_inside)
    );
    assign req_ready = {req_ready_inside};
    assign resp_valid = {resp_valid_inside};
    assign overflow_req_valid = {overflow_req_valid_inside};
    assign overflow_resp_ready = {overflow_resp_ready_inside};
    assign error_valid = {error_valid_inside};
    assign transfers = {error_code_inside, overflow_req_owner_inside, overflow_req_writes_inside, overflow_req_rts_inside, overflow_req_wts_inside, overflow_req_address_inside, overflow_req_op_inside, resp_reserved_inside, resp_rts_inside, resp_wts_inside, resp_verdict_inside, resp_tag_inside, resp_warpts_inside, resp_warp_inside, resp_address_inside, resp_op_inside, (error_valid_inside), (overflow_resp_valid & overflow_resp_ready_inside), (overflow_req_valid_inside & overflow_req_ready), (resp_valid_inside & resp_ready), (req_valid & req_ready_inside)};
    assign happens = {|transfers[4:0]};
endmodule // top$block
