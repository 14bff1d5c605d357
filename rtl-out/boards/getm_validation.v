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
    localparam  identification = 64'h8915dac05121616e;
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
    reg  [273:0] host$transfers;
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
    wire  [64:0] queue_req$payload;
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
    wire  [39:0] queue_release$payload;
    reg  queue_roll$link_clock;
    reg  queue_roll$seek;
    reg  [15:0] queue_roll$row;
    reg  queue_roll$selected;
    reg  queue_roll$write;
    reg  [7:0] queue_roll$data;
    reg  queue_roll$block_clock;
    reg  queue_roll$restart;
    reg  queue_roll$offers;
    reg  [9:0] queue_roll$cross_end;
    wire  queue_roll$valid;
    reg  queue_roll$ready;
    wire  [1:0] queue_roll$payload;
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
    reg  [64:0] block$req_payload;
    reg  block$release_valid;
    reg  [39:0] block$release_payload;
    reg  block$roll_valid;
    reg  block$roll_payload;
    reg  block$overflow_resp_valid;
    reg  [64:0] block$overflow_resp_payload;
    reg  block$resp_ready;
    reg  block$rolled_ready;
    reg  block$overflow_req_ready;
    wire  block$req_ready;
    wire  block$release_ready;
    wire  block$roll_ready;
    wire  block$overflow_resp_ready;
    wire  block$resp_valid;
    wire  block$rolled_valid;
    wire  block$overflow_req_valid;
    wire  block$issued_valid;
    wire  block$decided_valid;
    wire  block$error_valid;
    wire  [273:0] block$transfers;
    wire  block$happens;
    // Sub module instances
    host #(.CONTROL(104), .EVENT(274), .ROW(304)) host(
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
    queue #(.PAYLOAD(65), .ROW(72)) queue_req(
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
    queue #(.PAYLOAD(40), .ROW(40)) queue_release(
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
    queue #(.PAYLOAD(2), .ROW(16)) queue_roll(
        .link_clock(queue_roll$link_clock),
        .seek(queue_roll$seek),
        .row(queue_roll$row),
        .selected(queue_roll$selected),
        .write(queue_roll$write),
        .data(queue_roll$data),
        .block_clock(queue_roll$block_clock),
        .restart(queue_roll$restart),
        .offers(queue_roll$offers),
        .cross_end(queue_roll$cross_end),
        .valid(queue_roll$valid),
        .ready(queue_roll$ready),
        .payload(queue_roll$payload)
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
        .release_valid(block$release_valid),
        .release_payload(block$release_payload),
        .roll_valid(block$roll_valid),
        .roll_payload(block$roll_payload),
        .overflow_resp_valid(block$overflow_resp_valid),
        .overflow_resp_payload(block$overflow_resp_payload),
        .resp_ready(block$resp_ready),
        .rolled_ready(block$rolled_ready),
        .overflow_req_ready(block$overflow_req_ready),
        .req_ready(block$req_ready),
        .release_ready(block$release_ready),
        .roll_ready(block$roll_ready),
        .overflow_resp_ready(block$overflow_resp_ready),
        .resp_valid(block$resp_valid),
        .rolled_valid(block$rolled_valid),
        .overflow_req_valid(block$overflow_req_valid),
        .issued_valid(block$issued_valid),
        .decided_valid(block$decided_valid),
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
        queue_release$link_clock = link_clock;
        queue_release$block_clock = block_clock;
        queue_release$seek = host$seek;
        queue_release$row = host$row;
        queue_release$selected = host$region == 32'h2;
        queue_release$write = host$write;
        queue_release$data = host$data;
        queue_release$restart = host$restart;
        queue_release$offers = host$offers;
        queue_release$cross_end = host$control[(32'h38)+:(10)];
        queue_release$ready = block$release_ready;
        block$release_valid = queue_release$valid;
        block$release_payload = queue_release$payload;
        queue_roll$link_clock = link_clock;
        queue_roll$block_clock = block_clock;
        queue_roll$seek = host$seek;
        queue_roll$row = host$row;
        queue_roll$selected = host$region == 32'h3;
        queue_roll$write = host$write;
        queue_roll$data = host$data;
        queue_roll$restart = host$restart;
        queue_roll$offers = host$offers;
        queue_roll$cross_end = host$control[(32'h48)+:(10)];
        queue_roll$ready = block$roll_ready;
        block$roll_valid = queue_roll$valid;
        block$roll_payload = queue_roll$payload[32'h0];
        queue_overflow_resp$link_clock = link_clock;
        queue_overflow_resp$block_clock = block_clock;
        queue_overflow_resp$seek = host$seek;
        queue_overflow_resp$row = host$row;
        queue_overflow_resp$selected = host$region == 32'h4;
        queue_overflow_resp$write = host$write;
        queue_overflow_resp$data = host$data;
        queue_overflow_resp$restart = host$restart;
        queue_overflow_resp$offers = host$offers;
        queue_overflow_resp$cross_end = host$control[(32'h58)+:(10)];
        queue_overflow_resp$ready = block$overflow_resp_ready;
        block$overflow_resp_valid = queue_overflow_resp$valid;
        block$overflow_resp_payload = queue_overflow_resp$payload;
        block$resp_ready = host$takes;
        block$rolled_ready = host$takes;
        block$overflow_req_ready = host$takes;
    end
endmodule // top
module top$block(clk,rst,req_valid,req_payload,release_valid,release_payload,roll_valid,roll_payload,overflow_resp_valid,overflow_resp_payload,resp_ready,rolled_ready,overflow_req_ready,req_ready,release_ready,roll_ready,overflow_resp_ready,resp_valid,rolled_valid,overflow_req_valid,issued_valid,decided_valid,error_valid,transfers,happens);
    // Module arguments
    input wire  clk;
    input wire  rst;
    input wire  req_valid;
    input wire  [64:0] req_payload;
    input wire  release_valid;
    input wire  [39:0] release_payload;
    input wire  roll_valid;
    input wire  roll_payload;
    input wire  overflow_resp_valid;
    input wire  [64:0] overflow_resp_payload;
    input wire  resp_ready;
    input wire  rolled_ready;
    input wire  overflow_req_ready;
    output wire  req_ready;
    output wire  release_ready;
    output wire  roll_ready;
    output wire  overflow_resp_ready;
    output wire  resp_valid;
    output wire  rolled_valid;
    output wire  overflow_req_valid;
    output wire  issued_valid;
    output wire  decided_valid;
    output wire  error_valid;
    output wire  [273:0] transfers;
    output wire  happens;
    // Update code (wrapper)
    wire req_ready_inside;
    wire release_ready_inside;
    wire roll_ready_inside;
    wire overflow_resp_ready_inside;
    wire overflow_req_valid_inside;
    wire [1:0] overflow_req_op_inside;
    wire [31:0] overflow_req_address_inside;
    wire [23:0] overflow_req_wts_inside;
    wire [23:0] overflow_req_rts_inside;
    wire [7:0] overflow_req_writes_inside;
    wire [7:0] overflow_req_owner_inside;
    wire error_valid_inside;
    wire [1:0] error_code_inside;
    wire init_done_inside;
    wire issued_valid_inside;
    wire [2:0] issued_what_inside;
    wire [31:0] issued_address_inside;
    wire issued_store_inside;
    wire [7:0] issued_warp_inside;
    wire [23:0] issued_warpts_inside;
    wire decided_valid_inside;
    wire [2:0] decided_verdict_inside;
    wire rolled_valid_inside;
    wire rolled_go_inside;
    wire resp_valid_inside;
    wire [31:0] resp_address_inside;
    wire resp_store_inside;
    wire [7:0] resp_warp_inside;
    wire [23:0] resp_warpts_inside;
    wire [2:0] resp_outcome_inside;
    wire [23:0] resp_timestamp_inside;
    getm_validation getm_validation_inside (
      .clk(clk),
      .rst(rst),
      .req_valid(req_valid),
      .req_address(req_payload[31:0]),
      .req_store(req_payload[32]),
      .req_warp(req_payload[40:33]),
      .req_warpts(req_payload[64:41]),
      .release_valid(release_valid),
      .release_address(release_payload[31:0]),
      .release_count(release_payload[39:32]),
      .roll_valid(roll_valid),
      .roll_go(roll_payload),
      .overflow_resp_valid(overflow_resp_valid),
      .overflow_resp_found(overflow_resp_payload[0]),
      .overflow_resp_wts(overflow_resp_payload[24:1]),
      .overflow_resp_rts(overflow_resp_payload[48:25]),
      .overflow_resp_writes(overflow_resp_payload[56:49]),
      .overflow_resp_owner(overflow_resp_payload[64:57]),
      .resp_ready(resp_ready),
      .rolled_ready(rolled_ready),
      .overflow_req_ready(overflow_req_ready),
      .req_ready(req_ready_inside),
      .release_ready(release_ready_inside),
      .roll_ready(roll_ready_inside),
      .overflow_resp_ready(overflow_resp_ready_inside),
      .overflow_req_valid(overflow_req_valid_inside),
      .overflow_req_op(overflow_req_op_inside),
      .overflow_req_address(overflow_req_address_inside),
      .overflow_req_wts(overflow_req_wts_inside),
      .overflow_req_rts(overflow_req_rts_inside),
      .overflow_req_writes(overflow_req_writes_inside),
      .overflow_req_owner(overflow_req_owner_inside),
      .error_valid(error_valid_inside),
      .error_code(error_code_inside),
      .init_done(init_done_inside),
      .issued_valid(issued_valid_inside),
      .issued_what(issued_what_inside),
      .issued_address(issued_address_inside),
      .issued_store(issued_store_inside),
      .issued_warp(issued_warp_inside),
      .issued_warpts(issued_warpts_inside),
      .decided_valid(decided_valid_inside),
      .decided_verdict(decided_verdict_inside),
      .rolled_valid(rolled_valid_inside),
      .rolled_go(rolled_go_inside),
      .resp_valid(resp_valid_inside),
      .resp_address(resp_address_inside),
      .resp_store(resp_store_inside),
      .resp_warp(resp_warp_inside),
      .resp_warpts(resp_warpts_inside),
      .resp_outcome(resp_outcome_inside),
      .resp_timestamp(resp_timestamp_inside)
    );
    assign req_ready = {req_ready_inside};
    assign release_ready = {release_ready_inside};
    assign roll_ready = {roll_ready_inside};
    assign overflow_resp_ready = {overflow_resp_ready_inside};
    assign resp_valid = {resp_valid_inside};
    assign rolled_valid = {rolled_valid_inside};
    assign overflow_req_valid = {overflow_req_valid_inside};
    assign issued_valid = {issued_valid_inside};
    assign decided_valid = {decided_valid_inside};
    assign error_valid = {error_valid_inside};
    assign transfers = {error_code_inside, decided_verdict_inside, issued_warpts_inside, issued_warp_inside, issued_store_inside, issued_address_inside, issued_what_inside, overflow_req_owner_inside, overflow_req_writes_inside, overflow_req_rts_inside, overflow_req_wts_inside, overflow_req_address_inside, overflow_req_op_inside, rolled_go_inside, resp_timestamp_inside, resp_outcome_inside, resp_warpts_inside, resp_warp_inside, resp_store_inside, resp_address_inside, (error_valid_inside), (decided_valid_inside), (issued_valid_inside), (overflow_req_valid_inside & overflow_req_ready), (rolled_valid_inside & rolled_ready), (resp_valid_inside & resp_ready), (overflow_resp_valid & overflow_resp_ready_inside), (roll_valid & roll_ready_inside), (release_valid & release_ready_inside), (req_valid & req_ready_inside)};
    assign happens = {|transfers[9:0]};
endmodule // top$block
