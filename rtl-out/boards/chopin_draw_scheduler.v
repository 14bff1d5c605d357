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
    localparam  identification = 64'h26c1324774849207;
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
    reg  [81:0] host$transfers;
    reg  host$happens;
    reg  queue_draw$link_clock;
    reg  queue_draw$seek;
    reg  [15:0] queue_draw$row;
    reg  queue_draw$selected;
    reg  queue_draw$write;
    reg  [7:0] queue_draw$data;
    reg  queue_draw$block_clock;
    reg  queue_draw$restart;
    reg  queue_draw$offers;
    reg  [9:0] queue_draw$cross_end;
    wire  queue_draw$valid;
    reg  queue_draw$ready;
    wire  [15:0] queue_draw$payload;
    reg  queue_query$link_clock;
    reg  queue_query$seek;
    reg  [15:0] queue_query$row;
    reg  queue_query$selected;
    reg  queue_query$write;
    reg  [7:0] queue_query$data;
    reg  queue_query$block_clock;
    reg  queue_query$restart;
    reg  queue_query$offers;
    reg  [9:0] queue_query$cross_end;
    wire  queue_query$valid;
    reg  queue_query$ready;
    wire  [2:0] queue_query$payload;
    reg  queue_processed$link_clock;
    reg  queue_processed$seek;
    reg  [15:0] queue_processed$row;
    reg  queue_processed$selected;
    reg  queue_processed$write;
    reg  [7:0] queue_processed$data;
    reg  queue_processed$block_clock;
    reg  queue_processed$restart;
    reg  queue_processed$offers;
    reg  [9:0] queue_processed$cross_end;
    wire  queue_processed$valid;
    reg  queue_processed$ready;
    wire  [127:0] queue_processed$payload;
    reg  block$clk;
    reg  block$rst;
    reg  block$draw_valid;
    reg  [15:0] block$draw_payload;
    reg  block$query_valid;
    reg  [2:0] block$query_payload;
    reg  block$processed_valid;
    reg  [127:0] block$processed_payload;
    reg  block$grant_ready;
    wire  block$draw_ready;
    wire  block$grant_valid;
    wire  block$totals_valid;
    wire  block$error_valid;
    wire  [81:0] block$transfers;
    wire  block$happens;
    // Sub module instances
    host #(.CONTROL(88), .EVENT(82), .ROW(112)) host(
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
    queue #(.PAYLOAD(16), .ROW(16)) queue_draw(
        .link_clock(queue_draw$link_clock),
        .seek(queue_draw$seek),
        .row(queue_draw$row),
        .selected(queue_draw$selected),
        .write(queue_draw$write),
        .data(queue_draw$data),
        .block_clock(queue_draw$block_clock),
        .restart(queue_draw$restart),
        .offers(queue_draw$offers),
        .cross_end(queue_draw$cross_end),
        .valid(queue_draw$valid),
        .ready(queue_draw$ready),
        .payload(queue_draw$payload)
    );
    queue #(.PAYLOAD(3), .ROW(16)) queue_query(
        .link_clock(queue_query$link_clock),
        .seek(queue_query$seek),
        .row(queue_query$row),
        .selected(queue_query$selected),
        .write(queue_query$write),
        .data(queue_query$data),
        .block_clock(queue_query$block_clock),
        .restart(queue_query$restart),
        .offers(queue_query$offers),
        .cross_end(queue_query$cross_end),
        .valid(queue_query$valid),
        .ready(queue_query$ready),
        .payload(queue_query$payload)
    );
    queue #(.PAYLOAD(128), .ROW(128)) queue_processed(
        .link_clock(queue_processed$link_clock),
        .seek(queue_processed$seek),
        .row(queue_processed$row),
        .selected(queue_processed$selected),
        .write(queue_processed$write),
        .data(queue_processed$data),
        .block_clock(queue_processed$block_clock),
        .restart(queue_processed$restart),
        .offers(queue_processed$offers),
        .cross_end(queue_processed$cross_end),
        .valid(queue_processed$valid),
        .ready(queue_processed$ready),
        .payload(queue_processed$payload)
    );
    top$block block(
        .clk(block$clk),
        .rst(block$rst),
        .draw_valid(block$draw_valid),
        .draw_payload(block$draw_payload),
        .query_valid(block$query_valid),
        .query_payload(block$query_payload),
        .processed_valid(block$processed_valid),
        .processed_payload(block$processed_payload),
        .grant_ready(block$grant_ready),
        .draw_ready(block$draw_ready),
        .grant_valid(block$grant_valid),
        .totals_valid(block$totals_valid),
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
        queue_draw$link_clock = link_clock;
        queue_draw$block_clock = block_clock;
        queue_draw$seek = host$seek;
        queue_draw$row = host$row;
        queue_draw$selected = host$region == 32'h1;
        queue_draw$write = host$write;
        queue_draw$data = host$data;
        queue_draw$restart = host$restart;
        queue_draw$offers = host$offers;
        queue_draw$cross_end = host$control[(32'h28)+:(10)];
        queue_draw$ready = block$draw_ready;
        block$draw_valid = queue_draw$valid;
        block$draw_payload = queue_draw$payload;
        queue_query$link_clock = link_clock;
        queue_query$block_clock = block_clock;
        queue_query$seek = host$seek;
        queue_query$row = host$row;
        queue_query$selected = host$region == 32'h2;
        queue_query$write = host$write;
        queue_query$data = host$data;
        queue_query$restart = host$restart;
        queue_query$offers = host$offers;
        queue_query$cross_end = host$control[(32'h38)+:(10)];
        queue_query$ready = 1'b1;
        block$query_valid = queue_query$valid;
        block$query_payload = queue_query$payload;
        queue_processed$link_clock = link_clock;
        queue_processed$block_clock = block_clock;
        queue_processed$seek = host$seek;
        queue_processed$row = host$row;
        queue_processed$selected = host$region == 32'h3;
        queue_processed$write = host$write;
        queue_processed$data = host$data;
        queue_processed$restart = host$restart;
        queue_processed$offers = host$offers;
        queue_processed$cross_end = host$control[(32'h48)+:(10)];
        queue_processed$ready = 1'b1;
        block$processed_valid = queue_processed$valid;
        block$processed_payload = queue_processed$payload;
        block$grant_ready = host$takes;
    end
endmodule // top
module top$block(clk,rst,draw_valid,draw_payload,query_valid,query_payload,processed_valid,processed_payload,grant_ready,draw_ready,grant_valid,totals_valid,error_valid,transfers,happens);
    // Module arguments
    input wire  clk;
    input wire  rst;
    input wire  draw_valid;
    input wire  [15:0] draw_payload;
    input wire  query_valid;
    input wire  [2:0] query_payload;
    input wire  processed_valid;
    input wire  [127:0] processed_payload;
    input wire  grant_ready;
    output wire  draw_ready;
    output wire  grant_valid;
    output wire  totals_valid;
    output wire  error_valid;
    output wire  [81:0] transfers;
    output wire  happens;
    // Update code (wrapper)
    wire draw_ready_inside;
    wire grant_valid_inside;
    wire [2:0] grant_gpu_inside;
    wire totals_valid_inside;
    wire [31:0] totals_scheduled_inside;
    wire [31:0] totals_processed_inside;
    wire error_valid_inside;
    wire error_code_inside;
    wire [7:0] error_gpus_inside;
    chopin_draw_scheduler chopin_draw_scheduler_inside (
      .clk(clk),
      .rst(rst),
      .draw_valid(draw_valid),
      .draw_triangles(draw_payload),
      .query_valid(query_valid),
      .query_gpu(query_payload),
      .processed_valid(processed_valid),
      .processed_gpu0(processed_payload[15:0]),
      .processed_gpu1(processed_payload[31:16]),
      .processed_gpu2(processed_payload[47:32]),
      .processed_gpu3(processed_payload[63:48]),
      .processed_gpu4(processed_payload[79:64]),
      .processed_gpu5(processed_payload[95:80]),
      .processed_gpu6(processed_payload[111:96]),
      .processed_gpu7(processed_payload[127:112]),
      .grant_ready(grant_ready),
      .draw_ready(draw_ready_inside),
      .grant_valid(grant_valid_inside),
      .grant_gpu(grant_gpu_inside),
      .totals_valid(totals_valid_inside),
      .totals_scheduled(totals_scheduled_inside),
      .totals_processed(totals_processed_inside),
      .error_valid(error_valid_inside),
      .error_code(error_code_inside),
      .error_gpus(error_gpus_inside)
    );
    assign draw_ready = {draw_ready_inside};
    assign grant_valid = {grant_valid_inside};
    assign totals_valid = {totals_valid_inside};
    assign error_valid = {error_valid_inside};
    assign transfers = {error_gpus_inside, error_code_inside, totals_processed_inside, totals_scheduled_inside, grant_gpu_inside, (error_valid_inside), (totals_valid_inside), (grant_valid_inside & grant_ready), (processed_valid), (query_valid), (draw_valid & draw_ready_inside)};
    assign happens = {|transfers[5:0]};
endmodule // top$block
