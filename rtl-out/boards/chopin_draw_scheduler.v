module top(link_clock,block_clock,bit_clocks,rx,tx);
    // Module arguments
    input wire  link_clock;
    input wire  block_clock;
    input wire  [7:0] bit_clocks;
    input wire  rx;
    output reg  tx;
    // Constant declarations
    localparam  identification = 64'h26c1324774849207;
    // Stub signals
    reg  host$clock;
    reg  [7:0] host$bit_clocks;
    reg  host$rx;
    wire  host$tx;
    wire  [87:0] host$control;
    reg  [10:0] host$cross_rows;
    reg  host$cross_quiet;
    reg  host$cross_overflows;
    reg  [63:0] host$identification;
    wire  [7:0] host$region;
    wire  [15:0] host$row;
    wire  host$seek;
    wire  host$write;
    wire  [7:0] host$data;
    reg  [7:0] host$read;
    wire  host$step;
    reg  pace$clock;
    reg  pace$cross_run;
    reg  pace$cross_restart;
    reg  pace$cross_clear;
    reg  [7:0] pace$cross_input_stalls;
    reg  [7:0] pace$cross_output_stalls;
    reg  [15:0] pace$cross_seed;
    reg  pace$happens;
    reg  pace$is_filling;
    wire  pace$restart;
    wire  pace$clear;
    wire  pace$offers;
    wire  pace$takes;
    wire  pace$quiet;
    reg  log$block_clock;
    reg  [81:0] log$transfers;
    reg  log$happens;
    reg  log$clear;
    wire  [10:0] log$cross_rows;
    wire  log$is_filling;
    wire  log$overflows;
    reg  log$link_clock;
    reg  log$seek;
    reg  [15:0] log$row;
    reg  log$step;
    wire  [7:0] log$read;
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
    reg  [15:0] block$draw;
    reg  block$query_valid;
    reg  [2:0] block$query;
    reg  block$processed_valid;
    reg  [127:0] block$processed;
    reg  block$grant_ready;
    wire  block$draw_ready;
    wire  block$grant_valid;
    wire  block$totals_valid;
    wire  block$error_valid;
    wire  [81:0] block$transfers;
    wire  block$happens;
    // Sub module instances
    top$host host(
        .clock(host$clock),
        .bit_clocks(host$bit_clocks),
        .rx(host$rx),
        .tx(host$tx),
        .control(host$control),
        .cross_rows(host$cross_rows),
        .cross_quiet(host$cross_quiet),
        .cross_overflows(host$cross_overflows),
        .identification(host$identification),
        .region(host$region),
        .row(host$row),
        .seek(host$seek),
        .write(host$write),
        .data(host$data),
        .read(host$read),
        .step(host$step)
    );
    top$pace pace(
        .clock(pace$clock),
        .cross_run(pace$cross_run),
        .cross_restart(pace$cross_restart),
        .cross_clear(pace$cross_clear),
        .cross_input_stalls(pace$cross_input_stalls),
        .cross_output_stalls(pace$cross_output_stalls),
        .cross_seed(pace$cross_seed),
        .happens(pace$happens),
        .is_filling(pace$is_filling),
        .restart(pace$restart),
        .clear(pace$clear),
        .offers(pace$offers),
        .takes(pace$takes),
        .quiet(pace$quiet)
    );
    top$log log(
        .block_clock(log$block_clock),
        .transfers(log$transfers),
        .happens(log$happens),
        .clear(log$clear),
        .cross_rows(log$cross_rows),
        .is_filling(log$is_filling),
        .overflows(log$overflows),
        .link_clock(log$link_clock),
        .seek(log$seek),
        .row(log$row),
        .step(log$step),
        .read(log$read)
    );
    top$queue_draw queue_draw(
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
    top$queue_query queue_query(
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
    top$queue_processed queue_processed(
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
        .draw(block$draw),
        .query_valid(block$query_valid),
        .query(block$query),
        .processed_valid(block$processed_valid),
        .processed(block$processed),
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
        host$clock = link_clock;
        host$bit_clocks = bit_clocks;
        host$rx = rx;
        tx = host$tx;
        host$identification = identification;
        host$cross_rows = log$cross_rows;
        host$cross_quiet = pace$quiet;
        host$cross_overflows = log$overflows;
        host$read = log$read;
        pace$clock = block_clock;
        pace$cross_run = host$control[32'h0];
        pace$cross_restart = host$control[32'h1];
        pace$cross_clear = host$control[32'h2];
        pace$cross_input_stalls = host$control[(32'h8)+:(8)];
        pace$cross_output_stalls = host$control[(32'h10)+:(8)];
        pace$cross_seed = host$control[(32'h18)+:(16)];
        pace$happens = block$happens;
        pace$is_filling = log$is_filling;
        log$block_clock = block_clock;
        log$link_clock = link_clock;
        log$transfers = block$transfers;
        log$happens = block$happens;
        log$clear = pace$clear;
        log$seek = host$seek;
        log$row = host$row;
        log$step = host$step;
        block$clk = block_clock;
        block$rst = pace$restart;
        queue_draw$link_clock = link_clock;
        queue_draw$block_clock = block_clock;
        queue_draw$seek = host$seek;
        queue_draw$row = host$row;
        queue_draw$selected = host$region == 32'h1;
        queue_draw$write = host$write;
        queue_draw$data = host$data;
        queue_draw$restart = pace$restart;
        queue_draw$offers = pace$offers;
        queue_draw$cross_end = host$control[(32'h28)+:(10)];
        queue_draw$ready = block$draw_ready;
        block$draw_valid = queue_draw$valid;
        block$draw = queue_draw$payload;
        queue_query$link_clock = link_clock;
        queue_query$block_clock = block_clock;
        queue_query$seek = host$seek;
        queue_query$row = host$row;
        queue_query$selected = host$region == 32'h2;
        queue_query$write = host$write;
        queue_query$data = host$data;
        queue_query$restart = pace$restart;
        queue_query$offers = pace$offers;
        queue_query$cross_end = host$control[(32'h38)+:(10)];
        queue_query$ready = 1'b1;
        block$query_valid = queue_query$valid;
        block$query = queue_query$payload;
        queue_processed$link_clock = link_clock;
        queue_processed$block_clock = block_clock;
        queue_processed$seek = host$seek;
        queue_processed$row = host$row;
        queue_processed$selected = host$region == 32'h3;
        queue_processed$write = host$write;
        queue_processed$data = host$data;
        queue_processed$restart = pace$restart;
        queue_processed$offers = pace$offers;
        queue_processed$cross_end = host$control[(32'h48)+:(10)];
        queue_processed$ready = 1'b1;
        block$processed_valid = queue_processed$valid;
        block$processed = queue_processed$payload;
        block$grant_ready = pace$takes;
    end
endmodule // top
// v-- Setting output parameters to net type for wrapped code.
module top$block(clk,rst,draw_valid,draw,query_valid,query,processed_valid,processed,grant_ready,draw_ready,grant_valid,totals_valid,error_valid,transfers,happens);
    // Module arguments
    input wire  clk;
    input wire  rst;
    input wire  draw_valid;
    input wire  [15:0] draw;
    input wire  query_valid;
    input wire  [2:0] query;
    input wire  processed_valid;
    input wire  [127:0] processed;
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
      .draw_triangles(draw),
      .query_valid(query_valid),
      .query_gpu(query),
      .processed_valid(processed_valid),
      .processed_gpu0(processed[15:0]),
      .processed_gpu1(processed[31:16]),
      .processed_gpu2(processed[47:32]),
      .processed_gpu3(processed[63:48]),
      .processed_gpu4(processed[79:64]),
      .processed_gpu5(processed[95:80]),
      .processed_gpu6(processed[111:96]),
      .processed_gpu7(processed[127:112]),
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
module top$host(clock,bit_clocks,rx,tx,control,cross_rows,cross_quiet,cross_overflows,identification,region,row,seek,write,data,read,step);
    // Module arguments
    input wire  clock;
    input wire  [7:0] bit_clocks;
    input wire  rx;
    output reg  tx;
    output reg  [87:0] control;
    input wire  [10:0] cross_rows;
    input wire  cross_quiet;
    input wire  cross_overflows;
    input wire  [63:0] identification;
    output reg  [7:0] region;
    output reg  [15:0] row;
    output reg  seek;
    output reg  write;
    output reg  [7:0] data;
    input wire  [7:0] read;
    output reg  step;
    // Stub signals
    reg  receiver$clock;
    reg  [7:0] receiver$bit_clocks;
    reg  receiver$rx;
    wire  [7:0] receiver$data;
    wire  receiver$valid;
    reg  transmitter$clock;
    reg  [7:0] transmitter$bit_clocks;
    reg  [7:0] transmitter$data;
    reg  transmitter$valid;
    wire  transmitter$ready;
    wire  transmitter$tx;
    reg  link$clock;
    reg  [7:0] link$received;
    reg  link$received_valid;
    wire  [7:0] link$sent;
    wire  link$sent_valid;
    reg  link$sent_ready;
    wire  [7:0] link$region;
    wire  [15:0] link$row;
    wire  link$seek;
    wire  link$write;
    wire  [7:0] link$data;
    wire  link$commit;
    reg  [7:0] link$read;
    wire  link$step;
    wire  [7:0] link$bad;
    wire  [7:0] link$cut;
    reg  quiet$sig_in;
    wire  quiet$sig_out;
    reg  quiet$clock;
    reg  overflows$sig_in;
    wire  overflows$sig_out;
    reg  overflows$clock;
    reg  [87:0] shift$d;
    wire  [87:0] shift$q;
    reg  shift$clock;
    reg  [87:0] held$d;
    wire  [87:0] held$q;
    reg  held$clock;
    reg  [127:0] status$d;
    wire  [127:0] status$q;
    reg  status$clock;
    // Local signals
    reg  is_control;
    reg  [7:0] flags;
    // Sub module instances
    top$host$receiver receiver(
        .clock(receiver$clock),
        .bit_clocks(receiver$bit_clocks),
        .rx(receiver$rx),
        .data(receiver$data),
        .valid(receiver$valid)
    );
    top$host$transmitter transmitter(
        .clock(transmitter$clock),
        .bit_clocks(transmitter$bit_clocks),
        .data(transmitter$data),
        .valid(transmitter$valid),
        .ready(transmitter$ready),
        .tx(transmitter$tx)
    );
    top$host$link link(
        .clock(link$clock),
        .received(link$received),
        .received_valid(link$received_valid),
        .sent(link$sent),
        .sent_valid(link$sent_valid),
        .sent_ready(link$sent_ready),
        .region(link$region),
        .row(link$row),
        .seek(link$seek),
        .write(link$write),
        .data(link$data),
        .commit(link$commit),
        .read(link$read),
        .step(link$step),
        .bad(link$bad),
        .cut(link$cut)
    );
    top$host$quiet quiet(
        .sig_in(quiet$sig_in),
        .sig_out(quiet$sig_out),
        .clock(quiet$clock)
    );
    top$host$overflows overflows(
        .sig_in(overflows$sig_in),
        .sig_out(overflows$sig_out),
        .clock(overflows$clock)
    );
    top$host$shift shift(
        .d(shift$d),
        .q(shift$q),
        .clock(shift$clock)
    );
    top$host$held held(
        .d(held$d),
        .q(held$q),
        .clock(held$clock)
    );
    top$host$status status(
        .d(status$d),
        .q(status$q),
        .clock(status$clock)
    );
    // Update code
    always @(*) begin
        shift$clock = clock;
        held$clock = clock;
        status$clock = clock;
        shift$d = shift$q;
        held$d = held$q;
        status$d = status$q;
        receiver$clock = clock;
        transmitter$clock = clock;
        link$clock = clock;
        quiet$clock = clock;
        overflows$clock = clock;
        receiver$bit_clocks = bit_clocks;
        receiver$rx = rx;
        link$received = receiver$data;
        link$received_valid = receiver$valid;
        transmitter$bit_clocks = bit_clocks;
        transmitter$data = link$sent;
        transmitter$valid = link$sent_valid;
        link$sent_ready = transmitter$ready;
        tx = transmitter$tx;
        quiet$sig_in = cross_quiet;
        overflows$sig_in = cross_overflows;
        region = link$region;
        row = link$row;
        seek = link$seek;
        write = link$write;
        data = link$data;
        step = link$step;
        is_control = link$region == 32'h0;
        control = held$q;
        if (link$write && is_control) begin
            shift$d = (shift$q << 32'h8) | ((link$data) & 88'hffffffffffffffffffffff);
        end
        if (link$commit && is_control) begin
            held$d = shift$q;
        end
        flags = 32'h0;
        if (quiet$sig_out) begin
            flags = 32'h1;
        end
        if (overflows$sig_out) begin
            flags = flags | 32'h2;
        end
        link$read = read;
        if (is_control) begin
            link$read = status$q[(32'h0)+:(8)];
        end
        if (link$step) begin
            status$d = status$q >> 32'h8;
        end
        if (link$seek) begin
            status$d = ((flags) & 128'hffffffffffffffffffffffffffffffff) | (((link$bad) & 128'hffffffffffffffffffffffffffffffff) << 32'h8) | (((link$cut) & 128'hffffffffffffffffffffffffffffffff) << 32'h10) | (((cross_rows) & 128'hffffffffffffffffffffffffffffffff) << 32'h20) | (((identification) & 128'hffffffffffffffffffffffffffffffff) << 32'h40);
        end
    end
endmodule // top$host
module top$host$held(d,q,clock);
    // Module arguments
    input wire  [87:0] d;
    output reg  [87:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 88'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$held
module top$host$link(clock,received,received_valid,sent,sent_valid,sent_ready,region,row,seek,write,data,commit,read,step,bad,cut);
    // Module arguments
    input wire  clock;
    input wire  [7:0] received;
    input wire  received_valid;
    output reg  [7:0] sent;
    output reg  sent_valid;
    input wire  sent_ready;
    output reg  [7:0] region;
    output reg  [15:0] row;
    output reg  seek;
    output reg  write;
    output reg  [7:0] data;
    output reg  commit;
    input wire  [7:0] read;
    output reg  step;
    output reg  [7:0] bad;
    output reg  [7:0] cut;
    // Enums
    localparam LinkState$Hunt = 0;
    localparam LinkState$Kind = 1;
    localparam LinkState$Length = 2;
    localparam LinkState$Contents = 3;
    localparam LinkState$CrcHigh = 4;
    localparam LinkState$CrcLow = 5;
    localparam LinkState$Check = 6;
    localparam LinkState$Execute = 7;
    localparam LinkState$Answer = 8;
    localparam LinkState$SendStart = 9;
    localparam LinkState$SendKind = 10;
    localparam LinkState$SendLength = 11;
    localparam LinkState$SendWait = 12;
    localparam LinkState$SendContents = 13;
    localparam LinkState$SendCrcHigh = 14;
    localparam LinkState$SendCrcLow = 15;
    // Stub signals
    reg  [3:0] state$d;
    wire  [3:0] state$q;
    reg  state$clock;
    reg  [7:0] kind$d;
    wire  [7:0] kind$q;
    reg  kind$clock;
    reg  [7:0] length$d;
    wire  [7:0] length$q;
    reg  length$clock;
    reg  [7:0] index$d;
    wire  [7:0] index$q;
    reg  index$clock;
    reg  [15:0] crc$d;
    wire  [15:0] crc$q;
    reg  crc$clock;
    reg  [15:0] silence$d;
    wire  [15:0] silence$q;
    reg  silence$clock;
    reg  [7:0] contents$read_address;
    reg  contents$read_clock;
    wire  [7:0] contents$read_data;
    reg  [7:0] contents$write_address;
    reg  contents$write_clock;
    reg  [7:0] contents$write_data;
    reg  contents$write_enable;
    reg  has_read$d;
    wire  has_read$q;
    reg  has_read$clock;
    reg  seeks$d;
    wire  seeks$q;
    reg  seeks$clock;
    reg  [2:0] pause$d;
    wire  [2:0] pause$q;
    reg  pause$clock;
    reg  [7:0] region_held$d;
    wire  [7:0] region_held$q;
    reg  region_held$clock;
    reg  [15:0] row_held$d;
    wire  [15:0] row_held$q;
    reg  row_held$clock;
    reg  [7:0] bad_frames$d;
    wire  [7:0] bad_frames$q;
    reg  bad_frames$clock;
    reg  [7:0] cut_frames$d;
    wire  [7:0] cut_frames$q;
    reg  cut_frames$clock;
    // Local signals
    reg  [7:0] following;
    reg  absorbs;
    reg  [7:0] absorbed;
    reg  [7:0] high;
    reg  [7:0] mixed;
    reg  [15:0] wide;
    reg  is_receiving;
    // Sub module instances
    top$host$link$state state(
        .d(state$d),
        .q(state$q),
        .clock(state$clock)
    );
    top$host$link$kind kind(
        .d(kind$d),
        .q(kind$q),
        .clock(kind$clock)
    );
    top$host$link$length length(
        .d(length$d),
        .q(length$q),
        .clock(length$clock)
    );
    top$host$link$index index(
        .d(index$d),
        .q(index$q),
        .clock(index$clock)
    );
    top$host$link$crc crc(
        .d(crc$d),
        .q(crc$q),
        .clock(crc$clock)
    );
    top$host$link$silence silence(
        .d(silence$d),
        .q(silence$q),
        .clock(silence$clock)
    );
    top$host$link$contents contents(
        .read_address(contents$read_address),
        .read_clock(contents$read_clock),
        .read_data(contents$read_data),
        .write_address(contents$write_address),
        .write_clock(contents$write_clock),
        .write_data(contents$write_data),
        .write_enable(contents$write_enable)
    );
    top$host$link$has_read has_read(
        .d(has_read$d),
        .q(has_read$q),
        .clock(has_read$clock)
    );
    top$host$link$seeks seeks(
        .d(seeks$d),
        .q(seeks$q),
        .clock(seeks$clock)
    );
    top$host$link$pause pause(
        .d(pause$d),
        .q(pause$q),
        .clock(pause$clock)
    );
    top$host$link$region_held region_held(
        .d(region_held$d),
        .q(region_held$q),
        .clock(region_held$clock)
    );
    top$host$link$row_held row_held(
        .d(row_held$d),
        .q(row_held$q),
        .clock(row_held$clock)
    );
    top$host$link$bad_frames bad_frames(
        .d(bad_frames$d),
        .q(bad_frames$q),
        .clock(bad_frames$clock)
    );
    top$host$link$cut_frames cut_frames(
        .d(cut_frames$d),
        .q(cut_frames$q),
        .clock(cut_frames$clock)
    );
    // Update code
    always @(*) begin
        state$clock = clock;
        kind$clock = clock;
        length$clock = clock;
        index$clock = clock;
        crc$clock = clock;
        silence$clock = clock;
        has_read$clock = clock;
        seeks$clock = clock;
        pause$clock = clock;
        region_held$clock = clock;
        row_held$clock = clock;
        bad_frames$clock = clock;
        cut_frames$clock = clock;
        state$d = state$q;
        kind$d = kind$q;
        length$d = length$q;
        index$d = index$q;
        crc$d = crc$q;
        silence$d = silence$q;
        has_read$d = has_read$q;
        seeks$d = seeks$q;
        pause$d = pause$q;
        region_held$d = region_held$q;
        row_held$d = row_held$q;
        bad_frames$d = bad_frames$q;
        cut_frames$d = cut_frames$q;
        contents$read_clock = clock;
        contents$write_clock = clock;
        contents$read_address = index$q;
        contents$write_address = index$q;
        contents$write_data = received;
        contents$write_enable = 1'b0;
        region = region_held$q;
        row = row_held$q;
        seek = seeks$q;
        seeks$d = 1'b0;
        write = 1'b0;
        data = contents$read_data;
        commit = 1'b0;
        step = 1'b0;
        bad = bad_frames$q;
        cut = cut_frames$q;
        sent = 32'ha5;
        sent_valid = 1'b0;
        has_read$d = 1'b0;
        pause$d = 32'h0;
        following = index$q + 32'h1;
        is_receiving = 1'b0;
        absorbs = 1'b0;
        absorbed = received;
        case (state$q)
            LinkState$Hunt:
                begin
                    crc$d = 32'hffff;
                    index$d = 32'h0;
                    if (received_valid && (received == 32'ha5)) begin
                        state$d = LinkState$Kind;
                    end
                end
            LinkState$Kind:
                begin
                    is_receiving = 1'b1;
                    absorbs = received_valid;
                    if (received_valid) begin
                        kind$d = received;
                        state$d = LinkState$Length;
                    end
                end
            LinkState$Length:
                begin
                    is_receiving = 1'b1;
                    absorbs = received_valid;
                    if (received_valid) begin
                        length$d = received;
                        state$d = LinkState$Contents;
                        if (received == 32'h0) begin
                            state$d = LinkState$CrcHigh;
                        end
                    end
                end
            LinkState$Contents:
                begin
                    is_receiving = 1'b1;
                    absorbs = received_valid;
                    contents$write_enable = received_valid;
                    if (received_valid) begin
                        index$d = following;
                        if (following == length$q) begin
                            state$d = LinkState$CrcHigh;
                        end
                    end
                end
            LinkState$CrcHigh:
                begin
                    is_receiving = 1'b1;
                    absorbs = received_valid;
                    if (received_valid) begin
                        state$d = LinkState$CrcLow;
                    end
                end
            LinkState$CrcLow:
                begin
                    is_receiving = 1'b1;
                    absorbs = received_valid;
                    if (received_valid) begin
                        state$d = LinkState$Check;
                    end
                end
            LinkState$Check:
                begin
                    index$d = 32'h0;
                    bad_frames$d = bad_frames$q + 32'h1;
                    state$d = LinkState$Hunt;
                    if (crc$q == 32'h0) begin
                        if ((kind$q == 32'h1) && (length$q > 32'h2)) begin
                            bad_frames$d = bad_frames$q;
                            state$d = LinkState$Execute;
                        end
                        if ((kind$q == 32'h2) && (length$q == 32'h4)) begin
                            bad_frames$d = bad_frames$q;
                            state$d = LinkState$Execute;
                        end
                    end
                end
            LinkState$Execute:
                begin
                    has_read$d = ~has_read$q;
                    if (has_read$q) begin
                        index$d = following;
                        if (index$q == 32'h0) begin
                            region_held$d = contents$read_data;
                        end
                        else if (index$q == 32'h1) begin
                            row_held$d = ((contents$read_data) & 16'hffff);
                        end
                        else if (index$q == 32'h2) begin
                            row_held$d = row_held$q | (((contents$read_data) & 16'hffff) << 32'h8);
                            seeks$d = 1'b1;
                        end
                        else begin
                            write = kind$q == 32'h1;
                        end
                        if (following == length$q) begin
                            length$d = contents$read_data;
                            state$d = LinkState$Answer;
                        end
                    end
                end
            LinkState$Answer:
                begin
                    crc$d = 32'hffff;
                    index$d = 32'h0;
                    state$d = LinkState$SendStart;
                    if (kind$q == 32'h1) begin
                        commit = 1'b1;
                        length$d = 32'h0;
                    end
                end
            LinkState$SendStart:
                begin
                    sent_valid = 1'b1;
                    if (sent_ready) begin
                        state$d = LinkState$SendKind;
                    end
                end
            LinkState$SendKind:
                begin
                    sent = kind$q | 32'h80;
                    sent_valid = 1'b1;
                    absorbs = sent_ready;
                    if (sent_ready) begin
                        state$d = LinkState$SendLength;
                    end
                end
            LinkState$SendLength:
                begin
                    sent = length$q;
                    sent_valid = 1'b1;
                    absorbs = sent_ready;
                    if (sent_ready) begin
                        state$d = LinkState$SendWait;
                        if (length$q == 32'h0) begin
                            state$d = LinkState$SendCrcHigh;
                        end
                    end
                end
            LinkState$SendWait:
                begin
                    pause$d = pause$q + 32'h1;
                    if (pause$q == 32'h7) begin
                        state$d = LinkState$SendContents;
                    end
                end
            LinkState$SendContents:
                begin
                    sent = read;
                    sent_valid = 1'b1;
                    absorbs = sent_ready;
                    if (sent_ready) begin
                        step = 1'b1;
                        index$d = following;
                        state$d = LinkState$SendWait;
                        if (following == length$q) begin
                            state$d = LinkState$SendCrcHigh;
                        end
                    end
                end
            LinkState$SendCrcHigh:
                begin
                    sent = crc$q[(32'h8)+:(8)];
                    sent_valid = 1'b1;
                    if (sent_ready) begin
                        state$d = LinkState$SendCrcLow;
                    end
                end
            LinkState$SendCrcLow:
                begin
                    sent = crc$q[(32'h0)+:(8)];
                    sent_valid = 1'b1;
                    if (sent_ready) begin
                        state$d = LinkState$Hunt;
                    end
                end
            default:
                begin
                    state$d = LinkState$Hunt;
                end
        endcase
        silence$d = 32'h0;
        if (is_receiving && ~received_valid) begin
            silence$d = silence$q + 32'h1;
            if (silence$q == 32'hffff) begin
                cut_frames$d = cut_frames$q + 32'h1;
                state$d = LinkState$Hunt;
            end
        end
        if (~is_receiving) begin
            absorbed = sent;
        end
        high = crc$q[(32'h8)+:(8)] ^ absorbed;
        mixed = high ^ (high >> 32'h4);
        wide = ((mixed) & 16'hffff);
        if (absorbs) begin
            crc$d = (crc$q << 32'h8) ^ (wide << 32'hc) ^ (wide << 32'h5) ^ wide;
        end
    end
endmodule // top$host$link
module top$host$link$bad_frames(d,q,clock);
    // Module arguments
    input wire  [7:0] d;
    output reg  [7:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 8'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$link$bad_frames
module top$host$link$contents(read_address,read_clock,read_data,write_address,write_clock,write_data,write_enable);
    // Module arguments
    input wire  [7:0] read_address;
    input wire  read_clock;
    output reg  [7:0] read_data;
    input wire  [7:0] write_address;
    input wire  write_clock;
    input wire  [7:0] write_data;
    input wire  write_enable;
    // Update code (custom)
    reg[7:0] mem[255:0];
    always @(posedge read_clock) begin
       read_data <= mem[read_address];
    end
    always @(posedge write_clock) begin
       if (write_enable) begin
          mem[write_address] <= write_data;
       end
    end
endmodule // top$host$link$contents
module top$host$link$crc(d,q,clock);
    // Module arguments
    input wire  [15:0] d;
    output reg  [15:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 16'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$link$crc
module top$host$link$cut_frames(d,q,clock);
    // Module arguments
    input wire  [7:0] d;
    output reg  [7:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 8'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$link$cut_frames
module top$host$link$has_read(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$link$has_read
module top$host$link$index(d,q,clock);
    // Module arguments
    input wire  [7:0] d;
    output reg  [7:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 8'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$link$index
module top$host$link$kind(d,q,clock);
    // Module arguments
    input wire  [7:0] d;
    output reg  [7:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 8'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$link$kind
module top$host$link$length(d,q,clock);
    // Module arguments
    input wire  [7:0] d;
    output reg  [7:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 8'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$link$length
module top$host$link$pause(d,q,clock);
    // Module arguments
    input wire  [2:0] d;
    output reg  [2:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 3'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$link$pause
module top$host$link$region_held(d,q,clock);
    // Module arguments
    input wire  [7:0] d;
    output reg  [7:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 8'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$link$region_held
module top$host$link$row_held(d,q,clock);
    // Module arguments
    input wire  [15:0] d;
    output reg  [15:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 16'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$link$row_held
module top$host$link$seeks(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$link$seeks
module top$host$link$silence(d,q,clock);
    // Module arguments
    input wire  [15:0] d;
    output reg  [15:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 16'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$link$silence
module top$host$link$state(d,q,clock);
    // Module arguments
    input wire  [3:0] d;
    output reg  [3:0] q;
    input wire  clock;
    // Enums
    localparam LinkState$Hunt = 0;
    localparam LinkState$Kind = 1;
    localparam LinkState$Length = 2;
    localparam LinkState$Contents = 3;
    localparam LinkState$CrcHigh = 4;
    localparam LinkState$CrcLow = 5;
    localparam LinkState$Check = 6;
    localparam LinkState$Execute = 7;
    localparam LinkState$Answer = 8;
    localparam LinkState$SendStart = 9;
    localparam LinkState$SendKind = 10;
    localparam LinkState$SendLength = 11;
    localparam LinkState$SendWait = 12;
    localparam LinkState$SendContents = 13;
    localparam LinkState$SendCrcHigh = 14;
    localparam LinkState$SendCrcLow = 15;
    // Update code (custom)
    initial begin
       q = 64'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$link$state
module top$host$overflows(sig_in,sig_out,clock);
    // Module arguments
    input wire  sig_in;
    output reg  sig_out;
    input wire  clock;
    // Stub signals
    reg  dff0$d;
    wire  dff0$q;
    reg  dff0$clock;
    reg  dff1$d;
    wire  dff1$q;
    reg  dff1$clock;
    // Sub module instances
    top$host$overflows$dff0 dff0(
        .d(dff0$d),
        .q(dff0$q),
        .clock(dff0$clock)
    );
    top$host$overflows$dff1 dff1(
        .d(dff1$d),
        .q(dff1$q),
        .clock(dff1$clock)
    );
    // Update code
    always @(*) begin
        dff0$clock = clock;
        dff1$clock = clock;
        dff0$d = dff0$q;
        dff1$d = dff1$q;
        dff0$d = sig_in;
        dff1$d = dff0$q;
        sig_out = dff1$q;
    end
endmodule // top$host$overflows
module top$host$overflows$dff0(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$overflows$dff0
module top$host$overflows$dff1(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$overflows$dff1
module top$host$quiet(sig_in,sig_out,clock);
    // Module arguments
    input wire  sig_in;
    output reg  sig_out;
    input wire  clock;
    // Stub signals
    reg  dff0$d;
    wire  dff0$q;
    reg  dff0$clock;
    reg  dff1$d;
    wire  dff1$q;
    reg  dff1$clock;
    // Sub module instances
    top$host$quiet$dff0 dff0(
        .d(dff0$d),
        .q(dff0$q),
        .clock(dff0$clock)
    );
    top$host$quiet$dff1 dff1(
        .d(dff1$d),
        .q(dff1$q),
        .clock(dff1$clock)
    );
    // Update code
    always @(*) begin
        dff0$clock = clock;
        dff1$clock = clock;
        dff0$d = dff0$q;
        dff1$d = dff1$q;
        dff0$d = sig_in;
        dff1$d = dff0$q;
        sig_out = dff1$q;
    end
endmodule // top$host$quiet
module top$host$quiet$dff0(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$quiet$dff0
module top$host$quiet$dff1(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$quiet$dff1
module top$host$receiver(clock,bit_clocks,rx,data,valid);
    // Module arguments
    input wire  clock;
    input wire  [7:0] bit_clocks;
    input wire  rx;
    output reg  [7:0] data;
    output reg  valid;
    // Stub signals
    reg  cross_rx$sig_in;
    wire  cross_rx$sig_out;
    reg  cross_rx$clock;
    reg  busy$d;
    wire  busy$q;
    reg  busy$clock;
    reg  [7:0] count$d;
    wire  [7:0] count$q;
    reg  count$clock;
    reg  [3:0] bit_index$d;
    wire  [3:0] bit_index$q;
    reg  bit_index$clock;
    reg  [7:0] shift$d;
    wire  [7:0] shift$q;
    reg  shift$clock;
    // Local signals
    reg  line;
    // Sub module instances
    top$host$receiver$cross_rx cross_rx(
        .sig_in(cross_rx$sig_in),
        .sig_out(cross_rx$sig_out),
        .clock(cross_rx$clock)
    );
    top$host$receiver$busy busy(
        .d(busy$d),
        .q(busy$q),
        .clock(busy$clock)
    );
    top$host$receiver$count count(
        .d(count$d),
        .q(count$q),
        .clock(count$clock)
    );
    top$host$receiver$bit_index bit_index(
        .d(bit_index$d),
        .q(bit_index$q),
        .clock(bit_index$clock)
    );
    top$host$receiver$shift shift(
        .d(shift$d),
        .q(shift$q),
        .clock(shift$clock)
    );
    // Update code
    always @(*) begin
        busy$clock = clock;
        count$clock = clock;
        bit_index$clock = clock;
        shift$clock = clock;
        busy$d = busy$q;
        count$d = count$q;
        bit_index$d = bit_index$q;
        shift$d = shift$q;
        cross_rx$clock = clock;
        cross_rx$sig_in = ~rx;
        line = ~cross_rx$sig_out;
        data = shift$q;
        valid = 1'b0;
        if (~busy$q) begin
            bit_index$d = 32'h0;
            count$d = bit_clocks >> 32'h1;
            busy$d = ~line;
        end
        else if (count$q != 32'h0) begin
            count$d = count$q - 32'h1;
        end
        else begin
            count$d = bit_clocks - 32'h1;
            bit_index$d = bit_index$q + 32'h1;
            if (bit_index$q == 32'h0) begin
                busy$d = ~line;
            end
            else if (bit_index$q == 32'h9) begin
                busy$d = 1'b0;
                valid = line;
            end
            else begin
                shift$d = shift$q >> 32'h1;
                if (line) begin
                    shift$d = (shift$q >> 32'h1) | 32'h80;
                end
            end
        end
    end
endmodule // top$host$receiver
module top$host$receiver$bit_index(d,q,clock);
    // Module arguments
    input wire  [3:0] d;
    output reg  [3:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 4'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$receiver$bit_index
module top$host$receiver$busy(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$receiver$busy
module top$host$receiver$count(d,q,clock);
    // Module arguments
    input wire  [7:0] d;
    output reg  [7:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 8'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$receiver$count
module top$host$receiver$cross_rx(sig_in,sig_out,clock);
    // Module arguments
    input wire  sig_in;
    output reg  sig_out;
    input wire  clock;
    // Stub signals
    reg  dff0$d;
    wire  dff0$q;
    reg  dff0$clock;
    reg  dff1$d;
    wire  dff1$q;
    reg  dff1$clock;
    // Sub module instances
    top$host$receiver$cross_rx$dff0 dff0(
        .d(dff0$d),
        .q(dff0$q),
        .clock(dff0$clock)
    );
    top$host$receiver$cross_rx$dff1 dff1(
        .d(dff1$d),
        .q(dff1$q),
        .clock(dff1$clock)
    );
    // Update code
    always @(*) begin
        dff0$clock = clock;
        dff1$clock = clock;
        dff0$d = dff0$q;
        dff1$d = dff1$q;
        dff0$d = sig_in;
        dff1$d = dff0$q;
        sig_out = dff1$q;
    end
endmodule // top$host$receiver$cross_rx
module top$host$receiver$cross_rx$dff0(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$receiver$cross_rx$dff0
module top$host$receiver$cross_rx$dff1(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$receiver$cross_rx$dff1
module top$host$receiver$shift(d,q,clock);
    // Module arguments
    input wire  [7:0] d;
    output reg  [7:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 8'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$receiver$shift
module top$host$shift(d,q,clock);
    // Module arguments
    input wire  [87:0] d;
    output reg  [87:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 88'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$shift
module top$host$status(d,q,clock);
    // Module arguments
    input wire  [127:0] d;
    output reg  [127:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 128'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$status
module top$host$transmitter(clock,bit_clocks,data,valid,ready,tx);
    // Module arguments
    input wire  clock;
    input wire  [7:0] bit_clocks;
    input wire  [7:0] data;
    input wire  valid;
    output reg  ready;
    output reg  tx;
    // Stub signals
    reg  low$d;
    wire  low$q;
    reg  low$clock;
    reg  [7:0] count$d;
    wire  [7:0] count$q;
    reg  count$clock;
    reg  [3:0] left$d;
    wire  [3:0] left$q;
    reg  left$clock;
    reg  [7:0] shift$d;
    wire  [7:0] shift$q;
    reg  shift$clock;
    // Sub module instances
    top$host$transmitter$low low(
        .d(low$d),
        .q(low$q),
        .clock(low$clock)
    );
    top$host$transmitter$count count(
        .d(count$d),
        .q(count$q),
        .clock(count$clock)
    );
    top$host$transmitter$left left(
        .d(left$d),
        .q(left$q),
        .clock(left$clock)
    );
    top$host$transmitter$shift shift(
        .d(shift$d),
        .q(shift$q),
        .clock(shift$clock)
    );
    // Update code
    always @(*) begin
        low$clock = clock;
        count$clock = clock;
        left$clock = clock;
        shift$clock = clock;
        low$d = low$q;
        count$d = count$q;
        left$d = left$q;
        shift$d = shift$q;
        tx = ~low$q;
        ready = left$q == 32'h0;
        if (left$q == 32'h0) begin
            count$d = bit_clocks - 32'h1;
            if (valid) begin
                shift$d = data;
                left$d = 32'ha;
                low$d = 1'b1;
            end
        end
        else if (count$q != 32'h0) begin
            count$d = count$q - 32'h1;
        end
        else begin
            count$d = bit_clocks - 32'h1;
            left$d = left$q - 32'h1;
            low$d = 1'b0;
            if (left$q > 32'h2) begin
                low$d = ~shift$q[32'h0];
                shift$d = shift$q >> 32'h1;
            end
        end
    end
endmodule // top$host$transmitter
module top$host$transmitter$count(d,q,clock);
    // Module arguments
    input wire  [7:0] d;
    output reg  [7:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 8'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$transmitter$count
module top$host$transmitter$left(d,q,clock);
    // Module arguments
    input wire  [3:0] d;
    output reg  [3:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 4'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$transmitter$left
module top$host$transmitter$low(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$transmitter$low
module top$host$transmitter$shift(d,q,clock);
    // Module arguments
    input wire  [7:0] d;
    output reg  [7:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 8'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$host$transmitter$shift
module top$log(block_clock,transfers,happens,clear,cross_rows,is_filling,overflows,link_clock,seek,row,step,read);
    // Module arguments
    input wire  block_clock;
    input wire  [81:0] transfers;
    input wire  happens;
    input wire  clear;
    output reg  [10:0] cross_rows;
    output reg  is_filling;
    output reg  overflows;
    input wire  link_clock;
    input wire  seek;
    input wire  [15:0] row;
    input wire  step;
    output reg  [7:0] read;
    // Constant declarations
    localparam  last_byte = 8'hd;
    // Stub signals
    reg  [23:0] clock$d;
    wire  [23:0] clock$q;
    reg  clock$clock;
    reg  [111:0] stamped$d;
    wire  [111:0] stamped$q;
    reg  stamped$clock;
    reg  happened$d;
    wire  happened$q;
    reg  happened$clock;
    reg  [10:0] count$d;
    wire  [10:0] count$q;
    reg  count$clock;
    reg  overflown$d;
    wire  overflown$q;
    reg  overflown$clock;
    reg  [9:0] rows$read_address;
    reg  rows$read_clock;
    wire  [111:0] rows$read_data;
    reg  [9:0] rows$write_address;
    reg  rows$write_clock;
    reg  [111:0] rows$write_data;
    reg  rows$write_enable;
    reg  [15:0] read_row$d;
    wire  [15:0] read_row$q;
    reg  read_row$clock;
    reg  [7:0] byte_index$d;
    wire  [7:0] byte_index$q;
    reg  byte_index$clock;
    reg  [1:0] fetches$d;
    wire  [1:0] fetches$q;
    reg  fetches$clock;
    reg  [111:0] shift$d;
    wire  [111:0] shift$q;
    reg  shift$clock;
    // Sub module instances
    top$log$clock clock(
        .d(clock$d),
        .q(clock$q),
        .clock(clock$clock)
    );
    top$log$stamped stamped(
        .d(stamped$d),
        .q(stamped$q),
        .clock(stamped$clock)
    );
    top$log$happened happened(
        .d(happened$d),
        .q(happened$q),
        .clock(happened$clock)
    );
    top$log$count count(
        .d(count$d),
        .q(count$q),
        .clock(count$clock)
    );
    top$log$overflown overflown(
        .d(overflown$d),
        .q(overflown$q),
        .clock(overflown$clock)
    );
    top$log$rows rows(
        .read_address(rows$read_address),
        .read_clock(rows$read_clock),
        .read_data(rows$read_data),
        .write_address(rows$write_address),
        .write_clock(rows$write_clock),
        .write_data(rows$write_data),
        .write_enable(rows$write_enable)
    );
    top$log$read_row read_row(
        .d(read_row$d),
        .q(read_row$q),
        .clock(read_row$clock)
    );
    top$log$byte_index byte_index(
        .d(byte_index$d),
        .q(byte_index$q),
        .clock(byte_index$clock)
    );
    top$log$fetches fetches(
        .d(fetches$d),
        .q(fetches$q),
        .clock(fetches$clock)
    );
    top$log$shift shift(
        .d(shift$d),
        .q(shift$q),
        .clock(shift$clock)
    );
    // Update code
    always @(*) begin
        clock$clock = block_clock;
        stamped$clock = block_clock;
        happened$clock = block_clock;
        count$clock = block_clock;
        overflown$clock = block_clock;
        clock$d = clock$q;
        stamped$d = stamped$q;
        happened$d = happened$q;
        count$d = count$q;
        overflown$d = overflown$q;
        read_row$clock = link_clock;
        byte_index$clock = link_clock;
        fetches$clock = link_clock;
        shift$clock = link_clock;
        read_row$d = read_row$q;
        byte_index$d = byte_index$q;
        fetches$d = fetches$q;
        shift$d = shift$q;
        rows$write_clock = block_clock;
        rows$read_clock = link_clock;
        clock$d = clock$q + 32'h1;
        happened$d = happens;
        stamped$d = ((clock$q) & 112'hffffffffffffffffffffffffffff) | (((transfers) & 112'hffffffffffffffffffffffffffff) << 32'h18);
        rows$write_address = count$q[(32'h0)+:(10)];
        rows$write_data = stamped$q;
        rows$write_enable = 1'b0;
        if (happened$q) begin
            if (count$q == 32'h400) begin
                overflown$d = 1'b1;
            end
            else begin
                rows$write_enable = 1'b1;
                count$d = count$q + 32'h1;
            end
        end
        if (clear) begin
            clock$d = 32'h0;
            count$d = 32'h0;
            happened$d = 1'b0;
            overflown$d = 1'b0;
        end
        cross_rows = count$q;
        is_filling = count$q > 32'h3c0;
        overflows = overflown$q;
        read = shift$q[(32'h0)+:(8)];
        rows$read_address = read_row$q[(32'h0)+:(10)];
        if (fetches$q != 32'h0) begin
            fetches$d = fetches$q - 32'h1;
            shift$d = rows$read_data;
        end
        if (step) begin
            shift$d = shift$q >> 32'h8;
            byte_index$d = byte_index$q + 32'h1;
            if (byte_index$q == last_byte) begin
                byte_index$d = 32'h0;
                read_row$d = read_row$q + 32'h1;
                fetches$d = 32'h3;
            end
        end
        if (seek) begin
            byte_index$d = 32'h0;
            read_row$d = row;
            fetches$d = 32'h3;
        end
    end
endmodule // top$log
module top$log$byte_index(d,q,clock);
    // Module arguments
    input wire  [7:0] d;
    output reg  [7:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 8'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$log$byte_index
module top$log$clock(d,q,clock);
    // Module arguments
    input wire  [23:0] d;
    output reg  [23:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 24'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$log$clock
module top$log$count(d,q,clock);
    // Module arguments
    input wire  [10:0] d;
    output reg  [10:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 11'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$log$count
module top$log$fetches(d,q,clock);
    // Module arguments
    input wire  [1:0] d;
    output reg  [1:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 2'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$log$fetches
module top$log$happened(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$log$happened
module top$log$overflown(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$log$overflown
module top$log$read_row(d,q,clock);
    // Module arguments
    input wire  [15:0] d;
    output reg  [15:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 16'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$log$read_row
module top$log$rows(read_address,read_clock,read_data,write_address,write_clock,write_data,write_enable);
    // Module arguments
    input wire  [9:0] read_address;
    input wire  read_clock;
    output reg  [111:0] read_data;
    input wire  [9:0] write_address;
    input wire  write_clock;
    input wire  [111:0] write_data;
    input wire  write_enable;
    // Update code (custom)
    reg[111:0] mem[1023:0];
    always @(posedge read_clock) begin
       read_data <= mem[read_address];
    end
    always @(posedge write_clock) begin
       if (write_enable) begin
          mem[write_address] <= write_data;
       end
    end
endmodule // top$log$rows
module top$log$shift(d,q,clock);
    // Module arguments
    input wire  [111:0] d;
    output reg  [111:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 112'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$log$shift
module top$log$stamped(d,q,clock);
    // Module arguments
    input wire  [111:0] d;
    output reg  [111:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 112'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$log$stamped
module top$pace(clock,cross_run,cross_restart,cross_clear,cross_input_stalls,cross_output_stalls,cross_seed,happens,is_filling,restart,clear,offers,takes,quiet);
    // Module arguments
    input wire  clock;
    input wire  cross_run;
    input wire  cross_restart;
    input wire  cross_clear;
    input wire  [7:0] cross_input_stalls;
    input wire  [7:0] cross_output_stalls;
    input wire  [15:0] cross_seed;
    input wire  happens;
    input wire  is_filling;
    output reg  restart;
    output reg  clear;
    output reg  offers;
    output reg  takes;
    output reg  quiet;
    // Stub signals
    reg  run$sig_in;
    wire  run$sig_out;
    reg  run$clock;
    reg  restarts$sig_in;
    wire  restarts$sig_out;
    reg  restarts$clock;
    reg  clears$sig_in;
    wire  clears$sig_out;
    reg  clears$clock;
    reg  [15:0] random$d;
    wire  [15:0] random$q;
    reg  random$clock;
    reg  taking$d;
    wire  taking$q;
    reg  taking$clock;
    reg  [11:0] silence$d;
    wire  [11:0] silence$q;
    reg  silence$clock;
    // Local signals
    reg  [15:0] shifted;
    reg  runs;
    // Sub module instances
    top$pace$run run(
        .sig_in(run$sig_in),
        .sig_out(run$sig_out),
        .clock(run$clock)
    );
    top$pace$restarts restarts(
        .sig_in(restarts$sig_in),
        .sig_out(restarts$sig_out),
        .clock(restarts$clock)
    );
    top$pace$clears clears(
        .sig_in(clears$sig_in),
        .sig_out(clears$sig_out),
        .clock(clears$clock)
    );
    top$pace$random random(
        .d(random$d),
        .q(random$q),
        .clock(random$clock)
    );
    top$pace$taking taking(
        .d(taking$d),
        .q(taking$q),
        .clock(taking$clock)
    );
    top$pace$silence silence(
        .d(silence$d),
        .q(silence$q),
        .clock(silence$clock)
    );
    // Update code
    always @(*) begin
        random$clock = clock;
        taking$clock = clock;
        silence$clock = clock;
        random$d = random$q;
        taking$d = taking$q;
        silence$d = silence$q;
        run$clock = clock;
        restarts$clock = clock;
        clears$clock = clock;
        run$sig_in = cross_run;
        restarts$sig_in = cross_restart;
        clears$sig_in = cross_clear;
        restart = restarts$sig_out;
        clear = clears$sig_out;
        runs = run$sig_out && ~is_filling;
        shifted = random$q >> 32'h1;
        random$d = shifted;
        if (random$q[32'h0]) begin
            random$d = shifted ^ 32'hb400;
        end
        offers = runs && (random$q[(32'h0)+:(8)] >= cross_input_stalls);
        taking$d = runs && (random$q[(32'h8)+:(8)] >= cross_output_stalls);
        takes = taking$q;
        quiet = silence$q[32'hb];
        if (~silence$q[32'hb]) begin
            silence$d = silence$q + 32'h1;
        end
        if (happens || ~run$sig_out) begin
            silence$d = 32'h0;
        end
        if (restarts$sig_out) begin
            random$d = cross_seed;
        end
    end
endmodule // top$pace
module top$pace$clears(sig_in,sig_out,clock);
    // Module arguments
    input wire  sig_in;
    output reg  sig_out;
    input wire  clock;
    // Stub signals
    reg  dff0$d;
    wire  dff0$q;
    reg  dff0$clock;
    reg  dff1$d;
    wire  dff1$q;
    reg  dff1$clock;
    // Sub module instances
    top$pace$clears$dff0 dff0(
        .d(dff0$d),
        .q(dff0$q),
        .clock(dff0$clock)
    );
    top$pace$clears$dff1 dff1(
        .d(dff1$d),
        .q(dff1$q),
        .clock(dff1$clock)
    );
    // Update code
    always @(*) begin
        dff0$clock = clock;
        dff1$clock = clock;
        dff0$d = dff0$q;
        dff1$d = dff1$q;
        dff0$d = sig_in;
        dff1$d = dff0$q;
        sig_out = dff1$q;
    end
endmodule // top$pace$clears
module top$pace$clears$dff0(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$pace$clears$dff0
module top$pace$clears$dff1(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$pace$clears$dff1
module top$pace$random(d,q,clock);
    // Module arguments
    input wire  [15:0] d;
    output reg  [15:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 16'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$pace$random
module top$pace$restarts(sig_in,sig_out,clock);
    // Module arguments
    input wire  sig_in;
    output reg  sig_out;
    input wire  clock;
    // Stub signals
    reg  dff0$d;
    wire  dff0$q;
    reg  dff0$clock;
    reg  dff1$d;
    wire  dff1$q;
    reg  dff1$clock;
    // Sub module instances
    top$pace$restarts$dff0 dff0(
        .d(dff0$d),
        .q(dff0$q),
        .clock(dff0$clock)
    );
    top$pace$restarts$dff1 dff1(
        .d(dff1$d),
        .q(dff1$q),
        .clock(dff1$clock)
    );
    // Update code
    always @(*) begin
        dff0$clock = clock;
        dff1$clock = clock;
        dff0$d = dff0$q;
        dff1$d = dff1$q;
        dff0$d = sig_in;
        dff1$d = dff0$q;
        sig_out = dff1$q;
    end
endmodule // top$pace$restarts
module top$pace$restarts$dff0(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$pace$restarts$dff0
module top$pace$restarts$dff1(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$pace$restarts$dff1
module top$pace$run(sig_in,sig_out,clock);
    // Module arguments
    input wire  sig_in;
    output reg  sig_out;
    input wire  clock;
    // Stub signals
    reg  dff0$d;
    wire  dff0$q;
    reg  dff0$clock;
    reg  dff1$d;
    wire  dff1$q;
    reg  dff1$clock;
    // Sub module instances
    top$pace$run$dff0 dff0(
        .d(dff0$d),
        .q(dff0$q),
        .clock(dff0$clock)
    );
    top$pace$run$dff1 dff1(
        .d(dff1$d),
        .q(dff1$q),
        .clock(dff1$clock)
    );
    // Update code
    always @(*) begin
        dff0$clock = clock;
        dff1$clock = clock;
        dff0$d = dff0$q;
        dff1$d = dff1$q;
        dff0$d = sig_in;
        dff1$d = dff0$q;
        sig_out = dff1$q;
    end
endmodule // top$pace$run
module top$pace$run$dff0(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$pace$run$dff0
module top$pace$run$dff1(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$pace$run$dff1
module top$pace$silence(d,q,clock);
    // Module arguments
    input wire  [11:0] d;
    output reg  [11:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 12'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$pace$silence
module top$pace$taking(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$pace$taking
module top$queue_draw(link_clock,seek,row,selected,write,data,block_clock,restart,offers,cross_end,valid,ready,payload);
    // Module arguments
    input wire  link_clock;
    input wire  seek;
    input wire  [15:0] row;
    input wire  selected;
    input wire  write;
    input wire  [7:0] data;
    input wire  block_clock;
    input wire  restart;
    input wire  offers;
    input wire  [9:0] cross_end;
    output reg  valid;
    input wire  ready;
    output reg  [15:0] payload;
    // Constant declarations
    localparam  last_byte = 8'h1;
    // Stub signals
    reg  [8:0] rows$read_address;
    reg  rows$read_clock;
    wire  [15:0] rows$read_data;
    reg  [8:0] rows$write_address;
    reg  rows$write_clock;
    reg  [15:0] rows$write_data;
    reg  rows$write_enable;
    reg  [15:0] write_row$d;
    wire  [15:0] write_row$q;
    reg  write_row$clock;
    reg  [7:0] byte_index$d;
    wire  [7:0] byte_index$q;
    reg  byte_index$clock;
    reg  [15:0] shift$d;
    wire  [15:0] shift$q;
    reg  shift$clock;
    reg  [9:0] read_row$d;
    wire  [9:0] read_row$q;
    reg  read_row$clock;
    reg  offering$d;
    wire  offering$q;
    reg  offering$clock;
    // Local signals
    reg  [15:0] shifted;
    reg  [9:0] next_row;
    // Sub module instances
    top$queue_draw$rows rows(
        .read_address(rows$read_address),
        .read_clock(rows$read_clock),
        .read_data(rows$read_data),
        .write_address(rows$write_address),
        .write_clock(rows$write_clock),
        .write_data(rows$write_data),
        .write_enable(rows$write_enable)
    );
    top$queue_draw$write_row write_row(
        .d(write_row$d),
        .q(write_row$q),
        .clock(write_row$clock)
    );
    top$queue_draw$byte_index byte_index(
        .d(byte_index$d),
        .q(byte_index$q),
        .clock(byte_index$clock)
    );
    top$queue_draw$shift shift(
        .d(shift$d),
        .q(shift$q),
        .clock(shift$clock)
    );
    top$queue_draw$read_row read_row(
        .d(read_row$d),
        .q(read_row$q),
        .clock(read_row$clock)
    );
    top$queue_draw$offering offering(
        .d(offering$d),
        .q(offering$q),
        .clock(offering$clock)
    );
    // Update code
    always @(*) begin
        write_row$clock = link_clock;
        byte_index$clock = link_clock;
        shift$clock = link_clock;
        write_row$d = write_row$q;
        byte_index$d = byte_index$q;
        shift$d = shift$q;
        read_row$clock = block_clock;
        offering$clock = block_clock;
        read_row$d = read_row$q;
        offering$d = offering$q;
        rows$write_clock = link_clock;
        rows$read_clock = block_clock;
        shifted = (shift$q << 32'h8) | ((data) & 16'hffff);
        rows$write_address = write_row$q[(32'h0)+:(9)];
        rows$write_data = shifted[(32'h0)+:(16)];
        rows$write_enable = 1'b0;
        if (seek) begin
            write_row$d = row;
            byte_index$d = 32'h0;
        end
        if (write && selected) begin
            shift$d = shifted;
            byte_index$d = byte_index$q + 32'h1;
            if (byte_index$q == last_byte) begin
                byte_index$d = 32'h0;
                write_row$d = write_row$q + 32'h1;
                rows$write_enable = 1'b1;
            end
        end
        valid = offering$q;
        payload = rows$read_data;
        next_row = read_row$q;
        if (offering$q && ready) begin
            next_row = read_row$q + 32'h1;
            offering$d = 1'b0;
        end
        if (offers && (next_row != cross_end)) begin
            offering$d = 1'b1;
        end
        read_row$d = next_row;
        rows$read_address = next_row[(32'h0)+:(9)];
        if (restart) begin
            offering$d = 1'b0;
            read_row$d = 32'h0;
        end
    end
endmodule // top$queue_draw
module top$queue_draw$byte_index(d,q,clock);
    // Module arguments
    input wire  [7:0] d;
    output reg  [7:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 8'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$queue_draw$byte_index
module top$queue_draw$offering(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$queue_draw$offering
module top$queue_draw$read_row(d,q,clock);
    // Module arguments
    input wire  [9:0] d;
    output reg  [9:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 10'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$queue_draw$read_row
module top$queue_draw$rows(read_address,read_clock,read_data,write_address,write_clock,write_data,write_enable);
    // Module arguments
    input wire  [8:0] read_address;
    input wire  read_clock;
    output reg  [15:0] read_data;
    input wire  [8:0] write_address;
    input wire  write_clock;
    input wire  [15:0] write_data;
    input wire  write_enable;
    // Update code (custom)
    reg[15:0] mem[511:0];
    always @(posedge read_clock) begin
       read_data <= mem[read_address];
    end
    always @(posedge write_clock) begin
       if (write_enable) begin
          mem[write_address] <= write_data;
       end
    end
endmodule // top$queue_draw$rows
module top$queue_draw$shift(d,q,clock);
    // Module arguments
    input wire  [15:0] d;
    output reg  [15:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 16'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$queue_draw$shift
module top$queue_draw$write_row(d,q,clock);
    // Module arguments
    input wire  [15:0] d;
    output reg  [15:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 16'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$queue_draw$write_row
module top$queue_processed(link_clock,seek,row,selected,write,data,block_clock,restart,offers,cross_end,valid,ready,payload);
    // Module arguments
    input wire  link_clock;
    input wire  seek;
    input wire  [15:0] row;
    input wire  selected;
    input wire  write;
    input wire  [7:0] data;
    input wire  block_clock;
    input wire  restart;
    input wire  offers;
    input wire  [9:0] cross_end;
    output reg  valid;
    input wire  ready;
    output reg  [127:0] payload;
    // Constant declarations
    localparam  last_byte = 8'hf;
    // Stub signals
    reg  [8:0] rows$read_address;
    reg  rows$read_clock;
    wire  [127:0] rows$read_data;
    reg  [8:0] rows$write_address;
    reg  rows$write_clock;
    reg  [127:0] rows$write_data;
    reg  rows$write_enable;
    reg  [15:0] write_row$d;
    wire  [15:0] write_row$q;
    reg  write_row$clock;
    reg  [7:0] byte_index$d;
    wire  [7:0] byte_index$q;
    reg  byte_index$clock;
    reg  [127:0] shift$d;
    wire  [127:0] shift$q;
    reg  shift$clock;
    reg  [9:0] read_row$d;
    wire  [9:0] read_row$q;
    reg  read_row$clock;
    reg  offering$d;
    wire  offering$q;
    reg  offering$clock;
    // Local signals
    reg  [127:0] shifted;
    reg  [9:0] next_row;
    // Sub module instances
    top$queue_processed$rows rows(
        .read_address(rows$read_address),
        .read_clock(rows$read_clock),
        .read_data(rows$read_data),
        .write_address(rows$write_address),
        .write_clock(rows$write_clock),
        .write_data(rows$write_data),
        .write_enable(rows$write_enable)
    );
    top$queue_processed$write_row write_row(
        .d(write_row$d),
        .q(write_row$q),
        .clock(write_row$clock)
    );
    top$queue_processed$byte_index byte_index(
        .d(byte_index$d),
        .q(byte_index$q),
        .clock(byte_index$clock)
    );
    top$queue_processed$shift shift(
        .d(shift$d),
        .q(shift$q),
        .clock(shift$clock)
    );
    top$queue_processed$read_row read_row(
        .d(read_row$d),
        .q(read_row$q),
        .clock(read_row$clock)
    );
    top$queue_processed$offering offering(
        .d(offering$d),
        .q(offering$q),
        .clock(offering$clock)
    );
    // Update code
    always @(*) begin
        write_row$clock = link_clock;
        byte_index$clock = link_clock;
        shift$clock = link_clock;
        write_row$d = write_row$q;
        byte_index$d = byte_index$q;
        shift$d = shift$q;
        read_row$clock = block_clock;
        offering$clock = block_clock;
        read_row$d = read_row$q;
        offering$d = offering$q;
        rows$write_clock = link_clock;
        rows$read_clock = block_clock;
        shifted = (shift$q << 32'h8) | ((data) & 128'hffffffffffffffffffffffffffffffff);
        rows$write_address = write_row$q[(32'h0)+:(9)];
        rows$write_data = shifted[(32'h0)+:(128)];
        rows$write_enable = 1'b0;
        if (seek) begin
            write_row$d = row;
            byte_index$d = 32'h0;
        end
        if (write && selected) begin
            shift$d = shifted;
            byte_index$d = byte_index$q + 32'h1;
            if (byte_index$q == last_byte) begin
                byte_index$d = 32'h0;
                write_row$d = write_row$q + 32'h1;
                rows$write_enable = 1'b1;
            end
        end
        valid = offering$q;
        payload = rows$read_data;
        next_row = read_row$q;
        if (offering$q && ready) begin
            next_row = read_row$q + 32'h1;
            offering$d = 1'b0;
        end
        if (offers && (next_row != cross_end)) begin
            offering$d = 1'b1;
        end
        read_row$d = next_row;
        rows$read_address = next_row[(32'h0)+:(9)];
        if (restart) begin
            offering$d = 1'b0;
            read_row$d = 32'h0;
        end
    end
endmodule // top$queue_processed
module top$queue_processed$byte_index(d,q,clock);
    // Module arguments
    input wire  [7:0] d;
    output reg  [7:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 8'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$queue_processed$byte_index
module top$queue_processed$offering(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$queue_processed$offering
module top$queue_processed$read_row(d,q,clock);
    // Module arguments
    input wire  [9:0] d;
    output reg  [9:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 10'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$queue_processed$read_row
module top$queue_processed$rows(read_address,read_clock,read_data,write_address,write_clock,write_data,write_enable);
    // Module arguments
    input wire  [8:0] read_address;
    input wire  read_clock;
    output reg  [127:0] read_data;
    input wire  [8:0] write_address;
    input wire  write_clock;
    input wire  [127:0] write_data;
    input wire  write_enable;
    // Update code (custom)
    reg[127:0] mem[511:0];
    always @(posedge read_clock) begin
       read_data <= mem[read_address];
    end
    always @(posedge write_clock) begin
       if (write_enable) begin
          mem[write_address] <= write_data;
       end
    end
endmodule // top$queue_processed$rows
module top$queue_processed$shift(d,q,clock);
    // Module arguments
    input wire  [127:0] d;
    output reg  [127:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 128'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$queue_processed$shift
module top$queue_processed$write_row(d,q,clock);
    // Module arguments
    input wire  [15:0] d;
    output reg  [15:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 16'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$queue_processed$write_row
module top$queue_query(link_clock,seek,row,selected,write,data,block_clock,restart,offers,cross_end,valid,ready,payload);
    // Module arguments
    input wire  link_clock;
    input wire  seek;
    input wire  [15:0] row;
    input wire  selected;
    input wire  write;
    input wire  [7:0] data;
    input wire  block_clock;
    input wire  restart;
    input wire  offers;
    input wire  [9:0] cross_end;
    output reg  valid;
    input wire  ready;
    output reg  [2:0] payload;
    // Constant declarations
    localparam  last_byte = 8'h1;
    // Stub signals
    reg  [8:0] rows$read_address;
    reg  rows$read_clock;
    wire  [2:0] rows$read_data;
    reg  [8:0] rows$write_address;
    reg  rows$write_clock;
    reg  [2:0] rows$write_data;
    reg  rows$write_enable;
    reg  [15:0] write_row$d;
    wire  [15:0] write_row$q;
    reg  write_row$clock;
    reg  [7:0] byte_index$d;
    wire  [7:0] byte_index$q;
    reg  byte_index$clock;
    reg  [15:0] shift$d;
    wire  [15:0] shift$q;
    reg  shift$clock;
    reg  [9:0] read_row$d;
    wire  [9:0] read_row$q;
    reg  read_row$clock;
    reg  offering$d;
    wire  offering$q;
    reg  offering$clock;
    // Local signals
    reg  [15:0] shifted;
    reg  [9:0] next_row;
    // Sub module instances
    top$queue_query$rows rows(
        .read_address(rows$read_address),
        .read_clock(rows$read_clock),
        .read_data(rows$read_data),
        .write_address(rows$write_address),
        .write_clock(rows$write_clock),
        .write_data(rows$write_data),
        .write_enable(rows$write_enable)
    );
    top$queue_query$write_row write_row(
        .d(write_row$d),
        .q(write_row$q),
        .clock(write_row$clock)
    );
    top$queue_query$byte_index byte_index(
        .d(byte_index$d),
        .q(byte_index$q),
        .clock(byte_index$clock)
    );
    top$queue_query$shift shift(
        .d(shift$d),
        .q(shift$q),
        .clock(shift$clock)
    );
    top$queue_query$read_row read_row(
        .d(read_row$d),
        .q(read_row$q),
        .clock(read_row$clock)
    );
    top$queue_query$offering offering(
        .d(offering$d),
        .q(offering$q),
        .clock(offering$clock)
    );
    // Update code
    always @(*) begin
        write_row$clock = link_clock;
        byte_index$clock = link_clock;
        shift$clock = link_clock;
        write_row$d = write_row$q;
        byte_index$d = byte_index$q;
        shift$d = shift$q;
        read_row$clock = block_clock;
        offering$clock = block_clock;
        read_row$d = read_row$q;
        offering$d = offering$q;
        rows$write_clock = link_clock;
        rows$read_clock = block_clock;
        shifted = (shift$q << 32'h8) | ((data) & 16'hffff);
        rows$write_address = write_row$q[(32'h0)+:(9)];
        rows$write_data = shifted[(32'h0)+:(3)];
        rows$write_enable = 1'b0;
        if (seek) begin
            write_row$d = row;
            byte_index$d = 32'h0;
        end
        if (write && selected) begin
            shift$d = shifted;
            byte_index$d = byte_index$q + 32'h1;
            if (byte_index$q == last_byte) begin
                byte_index$d = 32'h0;
                write_row$d = write_row$q + 32'h1;
                rows$write_enable = 1'b1;
            end
        end
        valid = offering$q;
        payload = rows$read_data;
        next_row = read_row$q;
        if (offering$q && ready) begin
            next_row = read_row$q + 32'h1;
            offering$d = 1'b0;
        end
        if (offers && (next_row != cross_end)) begin
            offering$d = 1'b1;
        end
        read_row$d = next_row;
        rows$read_address = next_row[(32'h0)+:(9)];
        if (restart) begin
            offering$d = 1'b0;
            read_row$d = 32'h0;
        end
    end
endmodule // top$queue_query
module top$queue_query$byte_index(d,q,clock);
    // Module arguments
    input wire  [7:0] d;
    output reg  [7:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 8'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$queue_query$byte_index
module top$queue_query$offering(d,q,clock);
    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 1'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$queue_query$offering
module top$queue_query$read_row(d,q,clock);
    // Module arguments
    input wire  [9:0] d;
    output reg  [9:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 10'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$queue_query$read_row
module top$queue_query$rows(read_address,read_clock,read_data,write_address,write_clock,write_data,write_enable);
    // Module arguments
    input wire  [8:0] read_address;
    input wire  read_clock;
    output reg  [2:0] read_data;
    input wire  [8:0] write_address;
    input wire  write_clock;
    input wire  [2:0] write_data;
    input wire  write_enable;
    // Update code (custom)
    reg[2:0] mem[511:0];
    always @(posedge read_clock) begin
       read_data <= mem[read_address];
    end
    always @(posedge write_clock) begin
       if (write_enable) begin
          mem[write_address] <= write_data;
       end
    end
endmodule // top$queue_query$rows
module top$queue_query$shift(d,q,clock);
    // Module arguments
    input wire  [15:0] d;
    output reg  [15:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 16'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$queue_query$shift
module top$queue_query$write_row(d,q,clock);
    // Module arguments
    input wire  [15:0] d;
    output reg  [15:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = 16'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // top$queue_query$write_row
