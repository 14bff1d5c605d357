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
    localparam  identification = 64'h8379d7e9a497b3ec;
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
    reg  [245:0] host$transfers;
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
    wire  [107:0] queue_req$payload;
    reg  queue_filled$link_clock;
    reg  queue_filled$seek;
    reg  [15:0] queue_filled$row;
    reg  queue_filled$selected;
    reg  queue_filled$write;
    reg  [7:0] queue_filled$data;
    reg  queue_filled$block_clock;
    reg  queue_filled$restart;
    reg  queue_filled$offers;
    reg  [9:0] queue_filled$cross_end;
    wire  queue_filled$valid;
    reg  queue_filled$ready;
    wire  [3:0] queue_filled$payload;
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
    reg  block$clk;
    reg  block$rst;
    reg  block$req_valid;
    reg  [107:0] block$req_payload;
    reg  block$filled_valid;
    reg  [3:0] block$filled_payload;
    reg  block$roll_valid;
    reg  block$resp_ready;
    reg  block$dram_ready;
    reg  block$array_ready;
    reg  block$rolled_ready;
    wire  block$req_ready;
    wire  block$filled_ready;
    wire  block$roll_ready;
    wire  block$issued_valid;
    wire  block$resp_valid;
    wire  block$dram_valid;
    wire  block$array_valid;
    wire  block$rolled_valid;
    wire  block$error_valid;
    wire  [245:0] block$transfers;
    wire  block$happens;
    // Sub module instances
    host #(.CONTROL(88), .EVENT(246), .ROW(272)) host(
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
    queue #(.PAYLOAD(108), .ROW(112)) queue_req(
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
    queue #(.PAYLOAD(4), .ROW(16)) queue_filled(
        .link_clock(queue_filled$link_clock),
        .seek(queue_filled$seek),
        .row(queue_filled$row),
        .selected(queue_filled$selected),
        .write(queue_filled$write),
        .data(queue_filled$data),
        .block_clock(queue_filled$block_clock),
        .restart(queue_filled$restart),
        .offers(queue_filled$offers),
        .cross_end(queue_filled$cross_end),
        .valid(queue_filled$valid),
        .ready(queue_filled$ready),
        .payload(queue_filled$payload)
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
    top$block block(
        .clk(block$clk),
        .rst(block$rst),
        .req_valid(block$req_valid),
        .req_payload(block$req_payload),
        .filled_valid(block$filled_valid),
        .filled_payload(block$filled_payload),
        .roll_valid(block$roll_valid),
        .resp_ready(block$resp_ready),
        .dram_ready(block$dram_ready),
        .array_ready(block$array_ready),
        .rolled_ready(block$rolled_ready),
        .req_ready(block$req_ready),
        .filled_ready(block$filled_ready),
        .roll_ready(block$roll_ready),
        .issued_valid(block$issued_valid),
        .resp_valid(block$resp_valid),
        .dram_valid(block$dram_valid),
        .array_valid(block$array_valid),
        .rolled_valid(block$rolled_valid),
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
        queue_filled$link_clock = link_clock;
        queue_filled$block_clock = block_clock;
        queue_filled$seek = host$seek;
        queue_filled$row = host$row;
        queue_filled$selected = host$region == 32'h2;
        queue_filled$write = host$write;
        queue_filled$data = host$data;
        queue_filled$restart = host$restart;
        queue_filled$offers = host$offers;
        queue_filled$cross_end = host$control[(32'h38)+:(10)];
        queue_filled$ready = block$filled_ready;
        block$filled_valid = queue_filled$valid;
        block$filled_payload = queue_filled$payload;
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
        block$resp_ready = host$takes;
        block$dram_ready = host$takes;
        block$array_ready = host$takes;
        block$rolled_ready = host$takes;
    end
endmodule // top
module top$block(clk,rst,req_valid,req_payload,filled_valid,filled_payload,roll_valid,resp_ready,dram_ready,array_ready,rolled_ready,req_ready,filled_ready,roll_ready,issued_valid,resp_valid,dram_valid,array_valid,rolled_valid,error_valid,transfers,happens);
    // Module arguments
    input wire  clk;
    input wire  rst;
    input wire  req_valid;
    input wire  [107:0] req_payload;
    input wire  filled_valid;
    input wire  [3:0] filled_payload;
    input wire  roll_valid;
    input wire  resp_ready;
    input wire  dram_ready;
    input wire  array_ready;
    input wire  rolled_ready;
    output wire  req_ready;
    output wire  filled_ready;
    output wire  roll_ready;
    output wire  issued_valid;
    output wire  resp_valid;
    output wire  dram_valid;
    output wire  array_valid;
    output wire  rolled_valid;
    output wire  error_valid;
    output wire  [245:0] transfers;
    output wire  happens;
    // Update code (wrapper)
    wire roll_ready_inside;
    wire init_done_inside;
    wire req_ready_inside;
    wire filled_ready_inside;
    wire rolled_valid_inside;
    wire rolled_kind_inside;
    wire issued_valid_inside;
    wire [1:0] issued_action_inside;
    wire [31:0] issued_address_inside;
    wire error_valid_inside;
    wire [2:0] error_code_inside;
    wire dram_valid_inside;
    wire [31:0] dram_address_inside;
    wire [3:0] dram_mshr_inside;
    wire dram_evict_inside;
    wire [31:0] dram_victim_inside;
    wire array_valid_inside;
    wire [2:0] array_op_inside;
    wire [6:0] array_set_inside;
    wire [1:0] array_way_inside;
    wire [2:0] array_core_inside;
    wire [6:0] array_tag_inside;
    wire resp_valid_inside;
    wire [1:0] resp_kind_inside;
    wire [2:0] resp_core_inside;
    wire [31:0] resp_address_inside;
    wire [31:0] resp_exp_inside;
    wire [31:0] resp_ver_inside;
    wire [6:0] resp_tag_inside;
    relativistic_l2 relativistic_l2_inside (
      .clk(clk),
      .rst(rst),
      .req_valid(req_valid),
      .req_op(req_payload[1:0]),
      .req_core(req_payload[4:2]),
      .req_address(req_payload[36:5]),
      .req_now(req_payload[68:37]),
      .req_exp(req_payload[100:69]),
      .req_tag(req_payload[107:101]),
      .filled_valid(filled_valid),
      .filled_mshr(filled_payload),
      .roll_valid(roll_valid),
      .resp_ready(resp_ready),
      .dram_ready(dram_ready),
      .array_ready(array_ready),
      .rolled_ready(rolled_ready),
      .roll_ready(roll_ready_inside),
      .init_done(init_done_inside),
      .req_ready(req_ready_inside),
      .filled_ready(filled_ready_inside),
      .rolled_valid(rolled_valid_inside),
      .rolled_kind(rolled_kind_inside),
      .issued_valid(issued_valid_inside),
      .issued_action(issued_action_inside),
      .issued_address(issued_address_inside),
      .error_valid(error_valid_inside),
      .error_code(error_code_inside),
      .dram_valid(dram_valid_inside),
      .dram_address(dram_address_inside),
      .dram_mshr(dram_mshr_inside),
      .dram_evict(dram_evict_inside),
      .dram_victim(dram_victim_inside),
      .array_valid(array_valid_inside),
      .array_op(array_op_inside),
      .array_set(array_set_inside),
      .array_way(array_way_inside),
      .array_core(array_core_inside),
      .array_tag(array_tag_inside),
      .resp_valid(resp_valid_inside),
      .resp_kind(resp_kind_inside),
      .resp_core(resp_core_inside),
      .resp_address(resp_address_inside),
      .resp_exp(resp_exp_inside),
      .resp_ver(resp_ver_inside),
      .resp_tag(resp_tag_inside)
    );
    assign req_ready = {req_ready_inside};
    assign filled_ready = {filled_ready_inside};
    assign roll_ready = {roll_ready_inside};
    assign issued_valid = {issued_valid_inside};
    assign resp_valid = {resp_valid_inside};
    assign dram_valid = {dram_valid_inside};
    assign array_valid = {array_valid_inside};
    assign rolled_valid = {rolled_valid_inside};
    assign error_valid = {error_valid_inside};
    assign transfers = {error_code_inside, rolled_kind_inside, array_tag_inside, array_core_inside, array_way_inside, array_set_inside, array_op_inside, dram_victim_inside, dram_evict_inside, dram_mshr_inside, dram_address_inside, resp_tag_inside, resp_ver_inside, resp_exp_inside, resp_address_inside, resp_core_inside, resp_kind_inside, issued_address_inside, issued_action_inside, (error_valid_inside), (rolled_valid_inside & rolled_ready), (array_valid_inside & array_ready), (dram_valid_inside & dram_ready), (resp_valid_inside & resp_ready), (issued_valid_inside), (roll_valid & roll_ready_inside), (filled_valid & filled_ready_inside), (req_valid & req_ready_inside)};
    assign happens = {|transfers[8:0]};
endmodule // top$block
