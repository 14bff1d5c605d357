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
    localparam  identification = 64'h1ef67596fbd9af26;
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
    wire  [111:0] host$control;
    wire  [7:0] host$region;
    wire  [15:0] host$row;
    wire  host$seek;
    wire  host$write;
    wire  [7:0] host$data;
    wire  host$restart;
    wire  host$offers;
    wire  host$takes;
    reg  [15:0] host$transfers;
    reg  host$happens;
    reg  queue_rolled$link_clock;
    reg  queue_rolled$seek;
    reg  [15:0] queue_rolled$row;
    reg  queue_rolled$selected;
    reg  queue_rolled$write;
    reg  [7:0] queue_rolled$data;
    reg  queue_rolled$block_clock;
    reg  queue_rolled$restart;
    reg  queue_rolled$offers;
    reg  [9:0] queue_rolled$cross_end;
    wire  queue_rolled$valid;
    reg  queue_rolled$ready;
    wire  [1:0] queue_rolled$payload;
    reg  queue_halted$link_clock;
    reg  queue_halted$seek;
    reg  [15:0] queue_halted$row;
    reg  queue_halted$selected;
    reg  queue_halted$write;
    reg  [7:0] queue_halted$data;
    reg  queue_halted$block_clock;
    reg  queue_halted$restart;
    reg  queue_halted$offers;
    reg  [9:0] queue_halted$cross_end;
    wire  queue_halted$valid;
    reg  queue_halted$ready;
    wire  [1:0] queue_halted$payload;
    reg  queue_line_in$link_clock;
    reg  queue_line_in$seek;
    reg  [15:0] queue_line_in$row;
    reg  queue_line_in$selected;
    reg  queue_line_in$write;
    reg  [7:0] queue_line_in$data;
    reg  queue_line_in$block_clock;
    reg  queue_line_in$restart;
    reg  queue_line_in$offers;
    reg  [9:0] queue_line_in$cross_end;
    wire  queue_line_in$valid;
    reg  queue_line_in$ready;
    wire  [3:0] queue_line_in$payload;
    reg  queue_drained$link_clock;
    reg  queue_drained$seek;
    reg  [15:0] queue_drained$row;
    reg  queue_drained$selected;
    reg  queue_drained$write;
    reg  [7:0] queue_drained$data;
    reg  queue_drained$block_clock;
    reg  queue_drained$restart;
    reg  queue_drained$offers;
    reg  [9:0] queue_drained$cross_end;
    wire  queue_drained$valid;
    reg  queue_drained$ready;
    wire  [1:0] queue_drained$payload;
    reg  block$clk;
    reg  block$rst;
    reg  [2:0] block$unit;
    reg  block$rolled_valid;
    reg  block$rolled_payload;
    reg  block$halted_valid;
    reg  block$line_in_valid;
    reg  [3:0] block$line_in_payload;
    reg  block$drained_valid;
    reg  block$roll_ready;
    reg  block$line_out_ready;
    reg  block$halt_ready;
    reg  block$resume_ready;
    wire  block$rolled_ready;
    wire  block$halted_ready;
    wire  block$line_in_ready;
    wire  block$roll_valid;
    wire  block$line_out_valid;
    wire  block$halt_valid;
    wire  block$resume_valid;
    wire  block$error_valid;
    wire  [15:0] block$transfers;
    wire  block$happens;
    // Sub module instances
    host #(.CONTROL(112), .EVENT(16), .ROW(40)) host(
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
    queue #(.PAYLOAD(2), .ROW(16)) queue_rolled(
        .link_clock(queue_rolled$link_clock),
        .seek(queue_rolled$seek),
        .row(queue_rolled$row),
        .selected(queue_rolled$selected),
        .write(queue_rolled$write),
        .data(queue_rolled$data),
        .block_clock(queue_rolled$block_clock),
        .restart(queue_rolled$restart),
        .offers(queue_rolled$offers),
        .cross_end(queue_rolled$cross_end),
        .valid(queue_rolled$valid),
        .ready(queue_rolled$ready),
        .payload(queue_rolled$payload)
    );
    queue #(.PAYLOAD(2), .ROW(16)) queue_halted(
        .link_clock(queue_halted$link_clock),
        .seek(queue_halted$seek),
        .row(queue_halted$row),
        .selected(queue_halted$selected),
        .write(queue_halted$write),
        .data(queue_halted$data),
        .block_clock(queue_halted$block_clock),
        .restart(queue_halted$restart),
        .offers(queue_halted$offers),
        .cross_end(queue_halted$cross_end),
        .valid(queue_halted$valid),
        .ready(queue_halted$ready),
        .payload(queue_halted$payload)
    );
    queue #(.PAYLOAD(4), .ROW(16)) queue_line_in(
        .link_clock(queue_line_in$link_clock),
        .seek(queue_line_in$seek),
        .row(queue_line_in$row),
        .selected(queue_line_in$selected),
        .write(queue_line_in$write),
        .data(queue_line_in$data),
        .block_clock(queue_line_in$block_clock),
        .restart(queue_line_in$restart),
        .offers(queue_line_in$offers),
        .cross_end(queue_line_in$cross_end),
        .valid(queue_line_in$valid),
        .ready(queue_line_in$ready),
        .payload(queue_line_in$payload)
    );
    queue #(.PAYLOAD(2), .ROW(16)) queue_drained(
        .link_clock(queue_drained$link_clock),
        .seek(queue_drained$seek),
        .row(queue_drained$row),
        .selected(queue_drained$selected),
        .write(queue_drained$write),
        .data(queue_drained$data),
        .block_clock(queue_drained$block_clock),
        .restart(queue_drained$restart),
        .offers(queue_drained$offers),
        .cross_end(queue_drained$cross_end),
        .valid(queue_drained$valid),
        .ready(queue_drained$ready),
        .payload(queue_drained$payload)
    );
    top$block block(
        .clk(block$clk),
        .rst(block$rst),
        .unit(block$unit),
        .rolled_valid(block$rolled_valid),
        .rolled_payload(block$rolled_payload),
        .halted_valid(block$halted_valid),
        .line_in_valid(block$line_in_valid),
        .line_in_payload(block$line_in_payload),
        .drained_valid(block$drained_valid),
        .roll_ready(block$roll_ready),
        .line_out_ready(block$line_out_ready),
        .halt_ready(block$halt_ready),
        .resume_ready(block$resume_ready),
        .rolled_ready(block$rolled_ready),
        .halted_ready(block$halted_ready),
        .line_in_ready(block$line_in_ready),
        .roll_valid(block$roll_valid),
        .line_out_valid(block$line_out_valid),
        .halt_valid(block$halt_valid),
        .resume_valid(block$resume_valid),
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
        queue_rolled$link_clock = link_clock;
        queue_rolled$block_clock = block_clock;
        queue_rolled$seek = host$seek;
        queue_rolled$row = host$row;
        queue_rolled$selected = host$region == 32'h1;
        queue_rolled$write = host$write;
        queue_rolled$data = host$data;
        queue_rolled$restart = host$restart;
        queue_rolled$offers = host$offers;
        queue_rolled$cross_end = host$control[(32'h28)+:(10)];
        queue_rolled$ready = block$rolled_ready;
        block$rolled_valid = queue_rolled$valid;
        block$rolled_payload = queue_rolled$payload[32'h0];
        queue_halted$link_clock = link_clock;
        queue_halted$block_clock = block_clock;
        queue_halted$seek = host$seek;
        queue_halted$row = host$row;
        queue_halted$selected = host$region == 32'h2;
        queue_halted$write = host$write;
        queue_halted$data = host$data;
        queue_halted$restart = host$restart;
        queue_halted$offers = host$offers;
        queue_halted$cross_end = host$control[(32'h38)+:(10)];
        queue_halted$ready = block$halted_ready;
        block$halted_valid = queue_halted$valid;
        queue_line_in$link_clock = link_clock;
        queue_line_in$block_clock = block_clock;
        queue_line_in$seek = host$seek;
        queue_line_in$row = host$row;
        queue_line_in$selected = host$region == 32'h3;
        queue_line_in$write = host$write;
        queue_line_in$data = host$data;
        queue_line_in$restart = host$restart;
        queue_line_in$offers = host$offers;
        queue_line_in$cross_end = host$control[(32'h48)+:(10)];
        queue_line_in$ready = block$line_in_ready;
        block$line_in_valid = queue_line_in$valid;
        block$line_in_payload = queue_line_in$payload;
        queue_drained$link_clock = link_clock;
        queue_drained$block_clock = block_clock;
        queue_drained$seek = host$seek;
        queue_drained$row = host$row;
        queue_drained$selected = host$region == 32'h4;
        queue_drained$write = host$write;
        queue_drained$data = host$data;
        queue_drained$restart = host$restart;
        queue_drained$offers = host$offers;
        queue_drained$cross_end = host$control[(32'h58)+:(10)];
        queue_drained$ready = 1'b1;
        block$drained_valid = queue_drained$valid;
        block$roll_ready = host$takes;
        block$line_out_ready = host$takes;
        block$halt_ready = host$takes;
        block$resume_ready = host$takes;
        block$unit = host$control[(32'h68)+:(3)];
    end
endmodule // top
module top$block(clk,rst,unit,rolled_valid,rolled_payload,halted_valid,line_in_valid,line_in_payload,drained_valid,roll_ready,line_out_ready,halt_ready,resume_ready,rolled_ready,halted_ready,line_in_ready,roll_valid,line_out_valid,halt_valid,resume_valid,error_valid,transfers,happens);
    // Module arguments
    input wire  clk;
    input wire  rst;
    input wire  [2:0] unit;
    input wire  rolled_valid;
    input wire  rolled_payload;
    input wire  halted_valid;
    input wire  line_in_valid;
    input wire  [3:0] line_in_payload;
    input wire  drained_valid;
    input wire  roll_ready;
    input wire  line_out_ready;
    input wire  halt_ready;
    input wire  resume_ready;
    output wire  rolled_ready;
    output wire  halted_ready;
    output wire  line_in_ready;
    output wire  roll_valid;
    output wire  line_out_valid;
    output wire  halt_valid;
    output wire  resume_valid;
    output wire  error_valid;
    output wire  [15:0] transfers;
    output wire  happens;
    // Update code (wrapper)
    wire rolled_ready_inside;
    wire halted_ready_inside;
    wire line_in_ready_inside;
    wire line_out_valid_inside;
    wire line_out_go_inside;
    wire [2:0] line_out_origin_inside;
    wire roll_valid_inside;
    wire roll_go_inside;
    wire halt_valid_inside;
    wire resume_valid_inside;
    wire error_valid_inside;
    wire [1:0] error_code_inside;
    getm_rollover_ring getm_rollover_ring_inside (
      .clk(clk),
      .rst(rst),
      .unit(unit),
      .rolled_valid(rolled_valid),
      .rolled_go(rolled_payload),
      .halted_valid(halted_valid),
      .line_in_valid(line_in_valid),
      .line_in_go(line_in_payload[0]),
      .line_in_origin(line_in_payload[3:1]),
      .drained_valid(drained_valid),
      .roll_ready(roll_ready),
      .line_out_ready(line_out_ready),
      .halt_ready(halt_ready),
      .resume_ready(resume_ready),
      .rolled_ready(rolled_ready_inside),
      .halted_ready(halted_ready_inside),
      .line_in_ready(line_in_ready_inside),
      .line_out_valid(line_out_valid_inside),
      .line_out_go(line_out_go_inside),
      .line_out_origin(line_out_origin_inside),
      .roll_valid(roll_valid_inside),
      .roll_go(roll_go_inside),
      .halt_valid(halt_valid_inside),
      .resume_valid(resume_valid_inside),
      .error_valid(error_valid_inside),
      .error_code(error_code_inside)
    );
    assign rolled_ready = {rolled_ready_inside};
    assign halted_ready = {halted_ready_inside};
    assign line_in_ready = {line_in_ready_inside};
    assign roll_valid = {roll_valid_inside};
    assign line_out_valid = {line_out_valid_inside};
    assign halt_valid = {halt_valid_inside};
    assign resume_valid = {resume_valid_inside};
    assign error_valid = {error_valid_inside};
    assign transfers = {error_code_inside, line_out_origin_inside, line_out_go_inside, roll_go_inside, (error_valid_inside), (resume_valid_inside & resume_ready), (halt_valid_inside & halt_ready), (line_out_valid_inside & line_out_ready), (roll_valid_inside & roll_ready), (drained_valid), (line_in_valid & line_in_ready_inside), (halted_valid & halted_ready_inside), (rolled_valid & rolled_ready_inside)};
    assign happens = {|transfers[8:0]};
endmodule // top$block
