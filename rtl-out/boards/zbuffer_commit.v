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
    localparam  identification = 64'h9842869e4d040e8c;
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
    wire  [135:0] host$control;
    wire  [7:0] host$region;
    wire  [15:0] host$row;
    wire  host$seek;
    wire  host$write;
    wire  [7:0] host$data;
    wire  host$restart;
    wire  host$offers;
    wire  host$takes;
    reg  [331:0] host$transfers;
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
    wire  [197:0] queue_req$payload;
    reg  queue_zdata$link_clock;
    reg  queue_zdata$seek;
    reg  [15:0] queue_zdata$row;
    reg  queue_zdata$selected;
    reg  queue_zdata$write;
    reg  [7:0] queue_zdata$data;
    reg  queue_zdata$block_clock;
    reg  queue_zdata$restart;
    reg  queue_zdata$offers;
    reg  [9:0] queue_zdata$cross_end;
    wire  queue_zdata$valid;
    reg  queue_zdata$ready;
    wire  [65:0] queue_zdata$payload;
    reg  queue_zwrite_ack$link_clock;
    reg  queue_zwrite_ack$seek;
    reg  [15:0] queue_zwrite_ack$row;
    reg  queue_zwrite_ack$selected;
    reg  queue_zwrite_ack$write;
    reg  [7:0] queue_zwrite_ack$data;
    reg  queue_zwrite_ack$block_clock;
    reg  queue_zwrite_ack$restart;
    reg  queue_zwrite_ack$offers;
    reg  [9:0] queue_zwrite_ack$cross_end;
    wire  queue_zwrite_ack$valid;
    reg  queue_zwrite_ack$ready;
    wire  [1:0] queue_zwrite_ack$payload;
    reg  queue_color_ack$link_clock;
    reg  queue_color_ack$seek;
    reg  [15:0] queue_color_ack$row;
    reg  queue_color_ack$selected;
    reg  queue_color_ack$write;
    reg  [7:0] queue_color_ack$data;
    reg  queue_color_ack$block_clock;
    reg  queue_color_ack$restart;
    reg  queue_color_ack$offers;
    reg  [9:0] queue_color_ack$cross_end;
    wire  queue_color_ack$valid;
    reg  queue_color_ack$ready;
    wire  [3:0] queue_color_ack$payload;
    reg  queue_reset$link_clock;
    reg  queue_reset$seek;
    reg  [15:0] queue_reset$row;
    reg  queue_reset$selected;
    reg  queue_reset$write;
    reg  [7:0] queue_reset$data;
    reg  queue_reset$block_clock;
    reg  queue_reset$restart;
    reg  queue_reset$offers;
    reg  [9:0] queue_reset$cross_end;
    wire  queue_reset$valid;
    reg  queue_reset$ready;
    wire  [1:0] queue_reset$payload;
    reg  queue_zclear_ack$link_clock;
    reg  queue_zclear_ack$seek;
    reg  [15:0] queue_zclear_ack$row;
    reg  queue_zclear_ack$selected;
    reg  queue_zclear_ack$write;
    reg  [7:0] queue_zclear_ack$data;
    reg  queue_zclear_ack$block_clock;
    reg  queue_zclear_ack$restart;
    reg  queue_zclear_ack$offers;
    reg  [9:0] queue_zclear_ack$cross_end;
    wire  queue_zclear_ack$valid;
    reg  queue_zclear_ack$ready;
    wire  [1:0] queue_zclear_ack$payload;
    reg  block$clk;
    reg  block$rst;
    reg  block$req_valid;
    reg  [197:0] block$req_payload;
    reg  block$ack_ready;
    reg  block$zread_ready;
    reg  block$zdata_valid;
    reg  [65:0] block$zdata_payload;
    reg  block$zwrite_ready;
    reg  block$zwrite_ack_valid;
    reg  [1:0] block$zwrite_ack_payload;
    reg  block$color_ready;
    reg  block$color_ack_valid;
    reg  [3:0] block$color_ack_payload;
    reg  block$reset_valid;
    reg  block$zclear_ready;
    reg  block$zclear_ack_valid;
    reg  block$reset_done_ready;
    wire  block$req_ready;
    wire  block$ack_valid;
    wire  block$zread_valid;
    wire  block$zwrite_valid;
    wire  block$color_valid;
    wire  block$reset_ready;
    wire  block$zclear_valid;
    wire  block$reset_done_valid;
    wire  block$error_valid;
    wire  [331:0] block$transfers;
    wire  block$happens;
    // Sub module instances
    host #(.CONTROL(136), .EVENT(332), .ROW(360)) host(
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
    queue #(.PAYLOAD(198), .ROW(200)) queue_req(
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
    queue #(.PAYLOAD(66), .ROW(72)) queue_zdata(
        .link_clock(queue_zdata$link_clock),
        .seek(queue_zdata$seek),
        .row(queue_zdata$row),
        .selected(queue_zdata$selected),
        .write(queue_zdata$write),
        .data(queue_zdata$data),
        .block_clock(queue_zdata$block_clock),
        .restart(queue_zdata$restart),
        .offers(queue_zdata$offers),
        .cross_end(queue_zdata$cross_end),
        .valid(queue_zdata$valid),
        .ready(queue_zdata$ready),
        .payload(queue_zdata$payload)
    );
    queue #(.PAYLOAD(2), .ROW(16)) queue_zwrite_ack(
        .link_clock(queue_zwrite_ack$link_clock),
        .seek(queue_zwrite_ack$seek),
        .row(queue_zwrite_ack$row),
        .selected(queue_zwrite_ack$selected),
        .write(queue_zwrite_ack$write),
        .data(queue_zwrite_ack$data),
        .block_clock(queue_zwrite_ack$block_clock),
        .restart(queue_zwrite_ack$restart),
        .offers(queue_zwrite_ack$offers),
        .cross_end(queue_zwrite_ack$cross_end),
        .valid(queue_zwrite_ack$valid),
        .ready(queue_zwrite_ack$ready),
        .payload(queue_zwrite_ack$payload)
    );
    queue #(.PAYLOAD(4), .ROW(16)) queue_color_ack(
        .link_clock(queue_color_ack$link_clock),
        .seek(queue_color_ack$seek),
        .row(queue_color_ack$row),
        .selected(queue_color_ack$selected),
        .write(queue_color_ack$write),
        .data(queue_color_ack$data),
        .block_clock(queue_color_ack$block_clock),
        .restart(queue_color_ack$restart),
        .offers(queue_color_ack$offers),
        .cross_end(queue_color_ack$cross_end),
        .valid(queue_color_ack$valid),
        .ready(queue_color_ack$ready),
        .payload(queue_color_ack$payload)
    );
    queue #(.PAYLOAD(2), .ROW(16)) queue_reset(
        .link_clock(queue_reset$link_clock),
        .seek(queue_reset$seek),
        .row(queue_reset$row),
        .selected(queue_reset$selected),
        .write(queue_reset$write),
        .data(queue_reset$data),
        .block_clock(queue_reset$block_clock),
        .restart(queue_reset$restart),
        .offers(queue_reset$offers),
        .cross_end(queue_reset$cross_end),
        .valid(queue_reset$valid),
        .ready(queue_reset$ready),
        .payload(queue_reset$payload)
    );
    queue #(.PAYLOAD(2), .ROW(16)) queue_zclear_ack(
        .link_clock(queue_zclear_ack$link_clock),
        .seek(queue_zclear_ack$seek),
        .row(queue_zclear_ack$row),
        .selected(queue_zclear_ack$selected),
        .write(queue_zclear_ack$write),
        .data(queue_zclear_ack$data),
        .block_clock(queue_zclear_ack$block_clock),
        .restart(queue_zclear_ack$restart),
        .offers(queue_zclear_ack$offers),
        .cross_end(queue_zclear_ack$cross_end),
        .valid(queue_zclear_ack$valid),
        .ready(queue_zclear_ack$ready),
        .payload(queue_zclear_ack$payload)
    );
    top$block block(
        .clk(block$clk),
        .rst(block$rst),
        .req_valid(block$req_valid),
        .req_payload(block$req_payload),
        .ack_ready(block$ack_ready),
        .zread_ready(block$zread_ready),
        .zdata_valid(block$zdata_valid),
        .zdata_payload(block$zdata_payload),
        .zwrite_ready(block$zwrite_ready),
        .zwrite_ack_valid(block$zwrite_ack_valid),
        .zwrite_ack_payload(block$zwrite_ack_payload),
        .color_ready(block$color_ready),
        .color_ack_valid(block$color_ack_valid),
        .color_ack_payload(block$color_ack_payload),
        .reset_valid(block$reset_valid),
        .zclear_ready(block$zclear_ready),
        .zclear_ack_valid(block$zclear_ack_valid),
        .reset_done_ready(block$reset_done_ready),
        .req_ready(block$req_ready),
        .ack_valid(block$ack_valid),
        .zread_valid(block$zread_valid),
        .zwrite_valid(block$zwrite_valid),
        .color_valid(block$color_valid),
        .reset_ready(block$reset_ready),
        .zclear_valid(block$zclear_valid),
        .reset_done_valid(block$reset_done_valid),
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
        queue_zdata$link_clock = link_clock;
        queue_zdata$block_clock = block_clock;
        queue_zdata$seek = host$seek;
        queue_zdata$row = host$row;
        queue_zdata$selected = host$region == 32'h2;
        queue_zdata$write = host$write;
        queue_zdata$data = host$data;
        queue_zdata$restart = host$restart;
        queue_zdata$offers = host$offers;
        queue_zdata$cross_end = host$control[(32'h38)+:(10)];
        queue_zdata$ready = 1'b1;
        block$zdata_valid = queue_zdata$valid;
        block$zdata_payload = queue_zdata$payload;
        queue_zwrite_ack$link_clock = link_clock;
        queue_zwrite_ack$block_clock = block_clock;
        queue_zwrite_ack$seek = host$seek;
        queue_zwrite_ack$row = host$row;
        queue_zwrite_ack$selected = host$region == 32'h3;
        queue_zwrite_ack$write = host$write;
        queue_zwrite_ack$data = host$data;
        queue_zwrite_ack$restart = host$restart;
        queue_zwrite_ack$offers = host$offers;
        queue_zwrite_ack$cross_end = host$control[(32'h48)+:(10)];
        queue_zwrite_ack$ready = 1'b1;
        block$zwrite_ack_valid = queue_zwrite_ack$valid;
        block$zwrite_ack_payload = queue_zwrite_ack$payload;
        queue_color_ack$link_clock = link_clock;
        queue_color_ack$block_clock = block_clock;
        queue_color_ack$seek = host$seek;
        queue_color_ack$row = host$row;
        queue_color_ack$selected = host$region == 32'h4;
        queue_color_ack$write = host$write;
        queue_color_ack$data = host$data;
        queue_color_ack$restart = host$restart;
        queue_color_ack$offers = host$offers;
        queue_color_ack$cross_end = host$control[(32'h58)+:(10)];
        queue_color_ack$ready = 1'b1;
        block$color_ack_valid = queue_color_ack$valid;
        block$color_ack_payload = queue_color_ack$payload;
        queue_reset$link_clock = link_clock;
        queue_reset$block_clock = block_clock;
        queue_reset$seek = host$seek;
        queue_reset$row = host$row;
        queue_reset$selected = host$region == 32'h5;
        queue_reset$write = host$write;
        queue_reset$data = host$data;
        queue_reset$restart = host$restart;
        queue_reset$offers = host$offers;
        queue_reset$cross_end = host$control[(32'h68)+:(10)];
        queue_reset$ready = block$reset_ready;
        block$reset_valid = queue_reset$valid;
        queue_zclear_ack$link_clock = link_clock;
        queue_zclear_ack$block_clock = block_clock;
        queue_zclear_ack$seek = host$seek;
        queue_zclear_ack$row = host$row;
        queue_zclear_ack$selected = host$region == 32'h6;
        queue_zclear_ack$write = host$write;
        queue_zclear_ack$data = host$data;
        queue_zclear_ack$restart = host$restart;
        queue_zclear_ack$offers = host$offers;
        queue_zclear_ack$cross_end = host$control[(32'h78)+:(10)];
        queue_zclear_ack$ready = 1'b1;
        block$zclear_ack_valid = queue_zclear_ack$valid;
        block$ack_ready = host$takes;
        block$zread_ready = host$takes;
        block$zwrite_ready = host$takes;
        block$color_ready = host$takes;
        block$zclear_ready = host$takes;
        block$reset_done_ready = host$takes;
    end
endmodule // top
module top$block(clk,rst,req_valid,req_payload,ack_ready,zread_ready,zdata_valid,zdata_payload,zwrite_ready,zwrite_ack_valid,zwrite_ack_payload,color_ready,color_ack_valid,color_ack_payload,reset_valid,zclear_ready,zclear_ack_valid,reset_done_ready,req_ready,ack_valid,zread_valid,zwrite_valid,color_valid,reset_ready,zclear_valid,reset_done_valid,error_valid,transfers,happens);
    // Module arguments
    input wire  clk;
    input wire  rst;
    input wire  req_valid;
    input wire  [197:0] req_payload;
    input wire  ack_ready;
    input wire  zread_ready;
    input wire  zdata_valid;
    input wire  [65:0] zdata_payload;
    input wire  zwrite_ready;
    input wire  zwrite_ack_valid;
    input wire  [1:0] zwrite_ack_payload;
    input wire  color_ready;
    input wire  color_ack_valid;
    input wire  [3:0] color_ack_payload;
    input wire  reset_valid;
    input wire  zclear_ready;
    input wire  zclear_ack_valid;
    input wire  reset_done_ready;
    output wire  req_ready;
    output wire  ack_valid;
    output wire  zread_valid;
    output wire  zwrite_valid;
    output wire  color_valid;
    output wire  reset_ready;
    output wire  zclear_valid;
    output wire  reset_done_valid;
    output wire  error_valid;
    output wire  [331:0] transfers;
    output wire  happens;
    // Update code (wrapper)
    wire req_ready_inside;
    wire error_valid_inside;
    wire error_code_inside;
    wire zread_valid_inside;
    wire [1:0] zread_entry_inside;
    wire [31:0] zread_address_inside;
    wire zwrite_valid_inside;
    wire [1:0] zwrite_entry_inside;
    wire [31:0] zwrite_address_inside;
    wire [63:0] zwrite_depths_inside;
    wire color_valid_inside;
    wire [3:0] color_entry_inside;
    wire [31:0] color_address_inside;
    wire [15:0] color_mask_inside;
    wire [127:0] color_data_inside;
    wire ack_valid_inside;
    wire [5:0] ack_id_inside;
    wire reset_ready_inside;
    wire zclear_valid_inside;
    wire reset_done_valid_inside;
    zbuffer_commit zbuffer_commit_inside (
      .clk(clk),
      .rst(rst),
      .req_valid(req_valid),
      .req_id(req_payload[5:0]),
      .req_address(req_payload[37:6]),
      .req_depth(req_payload[53:38]),
      .req_mask(req_payload[69:54]),
      .req_data(req_payload[197:70]),
      .ack_ready(ack_ready),
      .zread_ready(zread_ready),
      .zdata_valid(zdata_valid),
      .zdata_entry(zdata_payload[1:0]),
      .zdata_depths(zdata_payload[65:2]),
      .zwrite_ready(zwrite_ready),
      .zwrite_ack_valid(zwrite_ack_valid),
      .zwrite_ack_entry(zwrite_ack_payload),
      .color_ready(color_ready),
      .color_ack_valid(color_ack_valid),
      .color_ack_entry(color_ack_payload),
      .reset_valid(reset_valid),
      .zclear_ready(zclear_ready),
      .zclear_ack_valid(zclear_ack_valid),
      .reset_done_ready(reset_done_ready),
      .req_ready(req_ready_inside),
      .error_valid(error_valid_inside),
      .error_code(error_code_inside),
      .zread_valid(zread_valid_inside),
      .zread_entry(zread_entry_inside),
      .zread_address(zread_address_inside),
      .zwrite_valid(zwrite_valid_inside),
      .zwrite_entry(zwrite_entry_inside),
      .zwrite_address(zwrite_address_inside),
      .zwrite_depths(zwrite_depths_inside),
      .color_valid(color_valid_inside),
      .color_entry(color_entry_inside),
      .color_address(color_address_inside),
      .color_mask(color_mask_inside),
      .color_data(color_data_inside),
      .ack_valid(ack_valid_inside),
      .ack_id(ack_id_inside),
      .reset_ready(reset_ready_inside),
      .zclear_valid(zclear_valid_inside),
      .reset_done_valid(reset_done_valid_inside)
    );
    assign req_ready = {req_ready_inside};
    assign ack_valid = {ack_valid_inside};
    assign zread_valid = {zread_valid_inside};
    assign zwrite_valid = {zwrite_valid_inside};
    assign color_valid = {color_valid_inside};
    assign reset_ready = {reset_ready_inside};
    assign zclear_valid = {zclear_valid_inside};
    assign reset_done_valid = {reset_done_valid_inside};
    assign error_valid = {error_valid_inside};
    assign transfers = {error_code_inside, color_data_inside, color_mask_inside, color_address_inside, color_entry_inside, zwrite_depths_inside, zwrite_address_inside, zwrite_entry_inside, zread_address_inside, zread_entry_inside, ack_id_inside, (error_valid_inside), (reset_done_valid_inside & reset_done_ready), (zclear_ack_valid), (zclear_valid_inside & zclear_ready), (reset_valid & reset_ready_inside), (color_ack_valid), (color_valid_inside & color_ready), (zwrite_ack_valid), (zwrite_valid_inside & zwrite_ready), (zdata_valid), (zread_valid_inside & zread_ready), (ack_valid_inside & ack_ready), (req_valid & req_ready_inside)};
    assign happens = {|transfers[12:0]};
endmodule // top$block
