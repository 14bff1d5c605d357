module host #(parameter CONTROL = 16, parameter EVENT = 16, parameter ROW = 16) (link_clock,block_clock,bit_clocks,rx,tx,spi_select,spi_clock,mosi,miso,identification,control,region,row,seek,write,data,restart,offers,takes,transfers,happens);
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
    input wire  [63:0] identification;
    output reg  [CONTROL - 1:0] control;
    output reg  [7:0] region;
    output reg  [15:0] row;
    output reg  seek;
    output reg  write;
    output reg  [7:0] data;
    output reg  restart;
    output reg  offers;
    output reg  takes;
    input wire  [EVENT - 1:0] transfers;
    input wire  happens;
    // Stub signals
    reg  lines$clock;
    reg  [7:0] lines$bit_clocks;
    reg  lines$rx;
    wire  lines$tx;
    reg  lines$spi_select;
    reg  lines$spi_clock;
    reg  lines$mosi;
    wire  lines$miso;
    wire  [7:0] lines$received;
    wire  lines$received_valid;
    reg  [7:0] lines$sent;
    reg  lines$sent_valid;
    wire  lines$sent_ready;
    reg  registers$clock;
    reg  [7:0] registers$received;
    reg  registers$received_valid;
    wire  [7:0] registers$sent;
    wire  registers$sent_valid;
    reg  registers$sent_ready;
    wire  [CONTROL - 1:0] registers$control;
    reg  [10:0] registers$cross_rows;
    reg  registers$cross_quiet;
    reg  registers$cross_overflows;
    reg  [63:0] registers$identification;
    wire  [7:0] registers$region;
    wire  [15:0] registers$row;
    wire  registers$seek;
    wire  registers$write;
    wire  [7:0] registers$data;
    reg  [7:0] registers$read;
    wire  registers$step;
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
    reg  [EVENT - 1:0] log$transfers;
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
    // Sub module instances
    host$lines lines(
        .clock(lines$clock),
        .bit_clocks(lines$bit_clocks),
        .rx(lines$rx),
        .tx(lines$tx),
        .spi_select(lines$spi_select),
        .spi_clock(lines$spi_clock),
        .mosi(lines$mosi),
        .miso(lines$miso),
        .received(lines$received),
        .received_valid(lines$received_valid),
        .sent(lines$sent),
        .sent_valid(lines$sent_valid),
        .sent_ready(lines$sent_ready)
    );
    host$registers #(.CONTROL(CONTROL)) registers(
        .clock(registers$clock),
        .received(registers$received),
        .received_valid(registers$received_valid),
        .sent(registers$sent),
        .sent_valid(registers$sent_valid),
        .sent_ready(registers$sent_ready),
        .control(registers$control),
        .cross_rows(registers$cross_rows),
        .cross_quiet(registers$cross_quiet),
        .cross_overflows(registers$cross_overflows),
        .identification(registers$identification),
        .region(registers$region),
        .row(registers$row),
        .seek(registers$seek),
        .write(registers$write),
        .data(registers$data),
        .read(registers$read),
        .step(registers$step)
    );
    host$pace pace(
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
    host$log #(.EVENT(EVENT), .ROW(ROW)) log(
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
    // Update code
    always @(*) begin
        lines$clock = link_clock;
        registers$clock = link_clock;
        lines$bit_clocks = bit_clocks;
        lines$rx = rx;
        tx = lines$tx;
        lines$spi_select = spi_select;
        lines$spi_clock = spi_clock;
        lines$mosi = mosi;
        miso = lines$miso;
        registers$received = lines$received;
        registers$received_valid = lines$received_valid;
        lines$sent = registers$sent;
        lines$sent_valid = registers$sent_valid;
        registers$sent_ready = lines$sent_ready;
        registers$identification = identification;
        registers$cross_rows = log$cross_rows;
        registers$cross_quiet = pace$quiet;
        registers$cross_overflows = log$overflows;
        registers$read = log$read;
        control = registers$control;
        region = registers$region;
        row = registers$row;
        seek = registers$seek;
        write = registers$write;
        data = registers$data;
        pace$clock = block_clock;
        pace$cross_run = registers$control[32'h0];
        pace$cross_restart = registers$control[32'h1];
        pace$cross_clear = registers$control[32'h2];
        pace$cross_input_stalls = registers$control[(32'h8)+:(8)];
        pace$cross_output_stalls = registers$control[(32'h10)+:(8)];
        pace$cross_seed = registers$control[(32'h18)+:(16)];
        pace$happens = happens;
        pace$is_filling = log$is_filling;
        restart = pace$restart;
        offers = pace$offers;
        takes = pace$takes;
        log$block_clock = block_clock;
        log$link_clock = link_clock;
        log$transfers = transfers;
        log$happens = happens;
        log$clear = pace$clear;
        log$seek = registers$seek;
        log$row = registers$row;
        log$step = registers$step;
    end
endmodule // host
module host$lines(clock,bit_clocks,rx,tx,spi_select,spi_clock,mosi,miso,received,received_valid,sent,sent_valid,sent_ready);
    // Module arguments
    input wire  clock;
    input wire  [7:0] bit_clocks;
    input wire  rx;
    output reg  tx;
    input wire  spi_select;
    input wire  spi_clock;
    input wire  mosi;
    output reg  miso;
    output reg  [7:0] received;
    output reg  received_valid;
    input wire  [7:0] sent;
    input wire  sent_valid;
    output reg  sent_ready;
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
    reg  spi$clock;
    reg  spi$select;
    reg  spi$spi_clock;
    reg  spi$mosi;
    wire  spi$miso;
    wire  [7:0] spi$data;
    wire  spi$valid;
    reg  [7:0] spi$sent;
    reg  spi$sent_valid;
    wire  spi$sent_ready;
    reg  by_spi$d;
    wire  by_spi$q;
    reg  by_spi$clock;
    // Sub module instances
    host$lines$receiver receiver(
        .clock(receiver$clock),
        .bit_clocks(receiver$bit_clocks),
        .rx(receiver$rx),
        .data(receiver$data),
        .valid(receiver$valid)
    );
    host$lines$transmitter transmitter(
        .clock(transmitter$clock),
        .bit_clocks(transmitter$bit_clocks),
        .data(transmitter$data),
        .valid(transmitter$valid),
        .ready(transmitter$ready),
        .tx(transmitter$tx)
    );
    host$lines$spi spi(
        .clock(spi$clock),
        .select(spi$select),
        .spi_clock(spi$spi_clock),
        .mosi(spi$mosi),
        .miso(spi$miso),
        .data(spi$data),
        .valid(spi$valid),
        .sent(spi$sent),
        .sent_valid(spi$sent_valid),
        .sent_ready(spi$sent_ready)
    );
    host$lines$by_spi by_spi(
        .d(by_spi$d),
        .q(by_spi$q),
        .clock(by_spi$clock)
    );
    // Update code
    always @(*) begin
        by_spi$clock = clock;
        by_spi$d = by_spi$q;
        receiver$clock = clock;
        transmitter$clock = clock;
        spi$clock = clock;
        receiver$bit_clocks = bit_clocks;
        receiver$rx = rx;
        transmitter$bit_clocks = bit_clocks;
        tx = transmitter$tx;
        spi$select = spi_select;
        spi$spi_clock = spi_clock;
        spi$mosi = mosi;
        miso = spi$miso;
        received = receiver$data;
        received_valid = receiver$valid;
        if (receiver$valid) begin
            by_spi$d = 1'b0;
        end
        if (spi$valid) begin
            received = spi$data;
            received_valid = 1'b1;
            by_spi$d = 1'b1;
        end
        transmitter$data = sent;
        spi$sent = sent;
        transmitter$valid = sent_valid && ~by_spi$q;
        spi$sent_valid = sent_valid && by_spi$q;
        sent_ready = transmitter$ready;
        if (by_spi$q) begin
            sent_ready = spi$sent_ready;
        end
    end
endmodule // host$lines
module host$lines$by_spi(d,q,clock);
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
endmodule // host$lines$by_spi
module host$lines$receiver(clock,bit_clocks,rx,data,valid);
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
    host$lines$receiver$cross_rx cross_rx(
        .sig_in(cross_rx$sig_in),
        .sig_out(cross_rx$sig_out),
        .clock(cross_rx$clock)
    );
    host$lines$receiver$busy busy(
        .d(busy$d),
        .q(busy$q),
        .clock(busy$clock)
    );
    host$lines$receiver$count count(
        .d(count$d),
        .q(count$q),
        .clock(count$clock)
    );
    host$lines$receiver$bit_index bit_index(
        .d(bit_index$d),
        .q(bit_index$q),
        .clock(bit_index$clock)
    );
    host$lines$receiver$shift shift(
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
endmodule // host$lines$receiver
module host$lines$receiver$bit_index(d,q,clock);
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
endmodule // host$lines$receiver$bit_index
module host$lines$receiver$busy(d,q,clock);
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
endmodule // host$lines$receiver$busy
module host$lines$receiver$count(d,q,clock);
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
endmodule // host$lines$receiver$count
module host$lines$receiver$cross_rx(sig_in,sig_out,clock);
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
    host$lines$receiver$cross_rx$dff0 dff0(
        .d(dff0$d),
        .q(dff0$q),
        .clock(dff0$clock)
    );
    host$lines$receiver$cross_rx$dff1 dff1(
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
endmodule // host$lines$receiver$cross_rx
module host$lines$receiver$cross_rx$dff0(d,q,clock);
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
endmodule // host$lines$receiver$cross_rx$dff0
module host$lines$receiver$cross_rx$dff1(d,q,clock);
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
endmodule // host$lines$receiver$cross_rx$dff1
module host$lines$receiver$shift(d,q,clock);
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
endmodule // host$lines$receiver$shift
module host$lines$spi(clock,select,spi_clock,mosi,miso,data,valid,sent,sent_valid,sent_ready);
    // Module arguments
    input wire  clock;
    input wire  select;
    input wire  spi_clock;
    input wire  mosi;
    output reg  miso;
    output reg  [7:0] data;
    output reg  valid;
    input wire  [7:0] sent;
    input wire  sent_valid;
    output reg  sent_ready;
    // Stub signals
    reg  slave$clock;
    reg  slave$wires$mosi;
    wire  slave$wires$miso;
    reg  slave$wires$msel;
    reg  slave$wires$mclk;
    reg  slave$disabled;
    wire  slave$busy;
    wire  [7:0] slave$data_inbound;
    reg  slave$start_send;
    reg  [7:0] slave$data_outbound;
    reg  [15:0] slave$bits;
    reg  slave$continued_transaction;
    wire  slave$transfer_done;
    reg  cross_mosi$sig_in;
    wire  cross_mosi$sig_out;
    reg  cross_mosi$clock;
    reg  [3:0] pause$d;
    wire  [3:0] pause$q;
    reg  pause$clock;
    // Local signals
    reg  arms;
    // Sub module instances
    host$lines$spi$slave slave(
        .clock(slave$clock),
        .wires$mosi(slave$wires$mosi),
        .wires$miso(slave$wires$miso),
        .wires$msel(slave$wires$msel),
        .wires$mclk(slave$wires$mclk),
        .disabled(slave$disabled),
        .busy(slave$busy),
        .data_inbound(slave$data_inbound),
        .start_send(slave$start_send),
        .data_outbound(slave$data_outbound),
        .bits(slave$bits),
        .continued_transaction(slave$continued_transaction),
        .transfer_done(slave$transfer_done)
    );
    host$lines$spi$cross_mosi cross_mosi(
        .sig_in(cross_mosi$sig_in),
        .sig_out(cross_mosi$sig_out),
        .clock(cross_mosi$clock)
    );
    host$lines$spi$pause pause(
        .d(pause$d),
        .q(pause$q),
        .clock(pause$clock)
    );
    // Update code
    always @(*) begin
        pause$clock = clock;
        pause$d = pause$q;
        slave$clock = clock;
        cross_mosi$clock = clock;
        cross_mosi$sig_in = mosi;
        slave$wires$mosi = cross_mosi$sig_out;
        slave$wires$msel = select;
        slave$wires$mclk = spi_clock;
        miso = slave$wires$miso;
        slave$disabled = 1'b0;
        slave$continued_transaction = 1'b0;
        slave$bits = 32'h8;
        data = slave$data_inbound;
        valid = slave$transfer_done;
        arms = pause$q == 32'hf;
        if (pause$q != 32'hf) begin
            pause$d = pause$q + 32'h1;
        end
        if (slave$busy) begin
            pause$d = 32'h0;
            arms = 1'b0;
        end
        slave$start_send = arms;
        sent_ready = arms;
        slave$data_outbound = 32'h0;
        if (sent_valid) begin
            slave$data_outbound = sent;
        end
    end
endmodule // host$lines$spi
module host$lines$spi$cross_mosi(sig_in,sig_out,clock);
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
    host$lines$spi$cross_mosi$dff0 dff0(
        .d(dff0$d),
        .q(dff0$q),
        .clock(dff0$clock)
    );
    host$lines$spi$cross_mosi$dff1 dff1(
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
endmodule // host$lines$spi$cross_mosi
module host$lines$spi$cross_mosi$dff0(d,q,clock);
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
endmodule // host$lines$spi$cross_mosi$dff0
module host$lines$spi$cross_mosi$dff1(d,q,clock);
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
endmodule // host$lines$spi$cross_mosi$dff1
module host$lines$spi$pause(d,q,clock);
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
endmodule // host$lines$spi$pause
module host$lines$spi$slave(clock,wires$mosi,wires$miso,wires$msel,wires$mclk,disabled,busy,data_inbound,start_send,data_outbound,bits,continued_transaction,transfer_done);
    // Module arguments
    input wire  clock;
    input wire  wires$mosi;
    output reg  wires$miso;
    input wire  wires$msel;
    input wire  wires$mclk;
    input wire  disabled;
    output reg  busy;
    output reg  [7:0] data_inbound;
    input wire  start_send;
    input wire  [7:0] data_outbound;
    input wire  [15:0] bits;
    input wire  continued_transaction;
    output reg  transfer_done;
    // Constant declarations
    localparam  clocks_per_baud = 16'h1f4;
    localparam  cpha = 1'b1;
    localparam  cs_off = 1'b1;
    // Enums
    localparam SPISlaveState$Boot = 0;
    localparam SPISlaveState$Idle = 1;
    localparam SPISlaveState$Armed = 2;
    localparam SPISlaveState$Capture = 3;
    localparam SPISlaveState$Hold = 4;
    localparam SPISlaveState$Update = 5;
    localparam SPISlaveState$Settle = 6;
    localparam SPISlaveState$Waiting = 7;
    localparam SPISlaveState$Hangup = 8;
    localparam SPISlaveState$Disabled = 9;
    // Stub signals
    reg  miso_flop$d;
    wire  miso_flop$q;
    reg  miso_flop$clock;
    reg  done_flop$d;
    wire  done_flop$q;
    reg  done_flop$clock;
    reg  [7:0] register_out$d;
    wire  [7:0] register_out$q;
    reg  register_out$clock;
    reg  [7:0] register_in$d;
    wire  [7:0] register_in$q;
    reg  register_in$clock;
    reg  [3:0] state$d;
    wire  [3:0] state$q;
    reg  state$clock;
    reg  [15:0] pointer$d;
    wire  [15:0] pointer$q;
    reg  pointer$clock;
    reg  [15:0] bits_saved$d;
    wire  [15:0] bits_saved$q;
    reg  bits_saved$clock;
    reg  continued_saved$d;
    wire  continued_saved$q;
    reg  continued_saved$clock;
    reg  capture_detector$input_signal;
    wire  capture_detector$edge_signal;
    reg  capture_detector$clock;
    reg  advance_detector$input_signal;
    wire  advance_detector$edge_signal;
    reg  advance_detector$clock;
    reg  edge_detector$input_signal;
    wire  edge_detector$edge_signal;
    reg  edge_detector$clock;
    reg  mclk_synchronizer$sig_in;
    wire  mclk_synchronizer$sig_out;
    reg  mclk_synchronizer$clock;
    reg  csel_synchronizer$sig_in;
    wire  csel_synchronizer$sig_out;
    reg  csel_synchronizer$clock;
    reg  [15:0] escape$d;
    wire  [15:0] escape$q;
    reg  escape$clock;
    reg  [3:0] boot_delay$d;
    wire  [3:0] boot_delay$q;
    reg  boot_delay$clock;
    // Sub module instances
    host$lines$spi$slave$miso_flop miso_flop(
        .d(miso_flop$d),
        .q(miso_flop$q),
        .clock(miso_flop$clock)
    );
    host$lines$spi$slave$done_flop done_flop(
        .d(done_flop$d),
        .q(done_flop$q),
        .clock(done_flop$clock)
    );
    host$lines$spi$slave$register_out register_out(
        .d(register_out$d),
        .q(register_out$q),
        .clock(register_out$clock)
    );
    host$lines$spi$slave$register_in register_in(
        .d(register_in$d),
        .q(register_in$q),
        .clock(register_in$clock)
    );
    host$lines$spi$slave$state state(
        .d(state$d),
        .q(state$q),
        .clock(state$clock)
    );
    host$lines$spi$slave$pointer pointer(
        .d(pointer$d),
        .q(pointer$q),
        .clock(pointer$clock)
    );
    host$lines$spi$slave$bits_saved bits_saved(
        .d(bits_saved$d),
        .q(bits_saved$q),
        .clock(bits_saved$clock)
    );
    host$lines$spi$slave$continued_saved continued_saved(
        .d(continued_saved$d),
        .q(continued_saved$q),
        .clock(continued_saved$clock)
    );
    host$lines$spi$slave$capture_detector capture_detector(
        .input_signal(capture_detector$input_signal),
        .edge_signal(capture_detector$edge_signal),
        .clock(capture_detector$clock)
    );
    host$lines$spi$slave$advance_detector advance_detector(
        .input_signal(advance_detector$input_signal),
        .edge_signal(advance_detector$edge_signal),
        .clock(advance_detector$clock)
    );
    host$lines$spi$slave$edge_detector edge_detector(
        .input_signal(edge_detector$input_signal),
        .edge_signal(edge_detector$edge_signal),
        .clock(edge_detector$clock)
    );
    host$lines$spi$slave$mclk_synchronizer mclk_synchronizer(
        .sig_in(mclk_synchronizer$sig_in),
        .sig_out(mclk_synchronizer$sig_out),
        .clock(mclk_synchronizer$clock)
    );
    host$lines$spi$slave$csel_synchronizer csel_synchronizer(
        .sig_in(csel_synchronizer$sig_in),
        .sig_out(csel_synchronizer$sig_out),
        .clock(csel_synchronizer$clock)
    );
    host$lines$spi$slave$escape escape(
        .d(escape$d),
        .q(escape$q),
        .clock(escape$clock)
    );
    host$lines$spi$slave$boot_delay boot_delay(
        .d(boot_delay$d),
        .q(boot_delay$q),
        .clock(boot_delay$clock)
    );
    // Update code
    always @(*) begin
        miso_flop$clock = clock;
        done_flop$clock = clock;
        register_out$clock = clock;
        register_in$clock = clock;
        state$clock = clock;
        pointer$clock = clock;
        bits_saved$clock = clock;
        continued_saved$clock = clock;
        escape$clock = clock;
        boot_delay$clock = clock;
        miso_flop$d = miso_flop$q;
        done_flop$d = done_flop$q;
        register_out$d = register_out$q;
        register_in$d = register_in$q;
        state$d = state$q;
        pointer$d = pointer$q;
        bits_saved$d = bits_saved$q;
        continued_saved$d = continued_saved$q;
        escape$d = escape$q;
        boot_delay$d = boot_delay$q;
        capture_detector$clock = clock;
        advance_detector$clock = clock;
        edge_detector$clock = clock;
        mclk_synchronizer$clock = clock;
        csel_synchronizer$clock = clock;
        capture_detector$input_signal = mclk_synchronizer$sig_out;
        advance_detector$input_signal = mclk_synchronizer$sig_out;
        edge_detector$input_signal = csel_synchronizer$sig_out;
        mclk_synchronizer$sig_in = wires$mclk;
        csel_synchronizer$sig_in = wires$msel;
        busy = (state$q != SPISlaveState$Idle) | (csel_synchronizer$sig_out != cs_off);
        if (state$q != SPISlaveState$Disabled) begin
            wires$miso = miso_flop$q;
        end
        else begin
            wires$miso = 1'b1;
        end
        data_inbound = register_in$q;
        transfer_done = done_flop$q;
        done_flop$d = 1'b0;
        miso_flop$d = register_out$q[pointer$q];
        boot_delay$d = boot_delay$q + 32'h1;
        case (state$q)
            SPISlaveState$Boot:
                begin
                    if (boot_delay$q == 32'h8) begin
                        state$d = SPISlaveState$Idle;
                    end
                end
            SPISlaveState$Idle:
                begin
                    if (edge_detector$edge_signal) begin
                        register_in$d = 32'h0;
                        state$d = SPISlaveState$Waiting;
                        pointer$d = 32'h0;
                        escape$d = 32'h0;
                    end
                    else if (start_send) begin
                        register_out$d = data_outbound;
                        bits_saved$d = bits;
                        continued_saved$d = continued_transaction;
                        pointer$d = bits - 32'h1;
                        register_in$d = 32'h0;
                        state$d = SPISlaveState$Armed;
                    end
                    else if (disabled) begin
                        state$d = SPISlaveState$Disabled;
                    end
                end
            SPISlaveState$Armed:
                begin
                    if (csel_synchronizer$sig_out != cs_off) begin
                        if (cpha & ~continued_saved$q) begin
                            state$d = SPISlaveState$Waiting;
                        end
                        else begin
                            state$d = SPISlaveState$Settle;
                        end
                    end
                end
            SPISlaveState$Waiting:
                begin
                    if (advance_detector$edge_signal) begin
                        state$d = SPISlaveState$Settle;
                    end
                    if (cpha & ~continued_saved$q & (csel_synchronizer$sig_out == cs_off)) begin
                        state$d = SPISlaveState$Idle;
                    end
                    if (~cpha & (csel_synchronizer$sig_out == cs_off)) begin
                        escape$d = escape$q + 32'h1;
                        if (&escape$q) begin
                            state$d = SPISlaveState$Idle;
                        end
                    end
                end
            SPISlaveState$Settle:
                begin
                    if (capture_detector$edge_signal) begin
                        state$d = SPISlaveState$Capture;
                    end
                    if (csel_synchronizer$sig_out == cs_off) begin
                        state$d = SPISlaveState$Idle;
                    end
                end
            SPISlaveState$Capture:
                begin
                    register_in$d = (register_in$q << 32'h1) | ((wires$mosi) & 8'hff);
                    state$d = SPISlaveState$Hold;
                end
            SPISlaveState$Hold:
                begin
                    if (advance_detector$edge_signal) begin
                        if (|pointer$q) begin
                            state$d = SPISlaveState$Update;
                        end
                        else begin
                            if (continued_saved$q) begin
                                done_flop$d = 1'b1;
                                state$d = SPISlaveState$Idle;
                            end
                            else begin
                                state$d = SPISlaveState$Hangup;
                            end
                        end
                        escape$d = 32'h0;
                    end
                    else if (csel_synchronizer$sig_out == cs_off) begin
                        done_flop$d = 1'b1;
                        state$d = SPISlaveState$Idle;
                    end
                    else begin
                        escape$d = escape$q + 32'h1;
                    end
                    if (escape$q == clocks_per_baud) begin
                        done_flop$d = 1'b1;
                        state$d = SPISlaveState$Idle;
                    end
                end
            SPISlaveState$Update:
                begin
                    if (|pointer$q) begin
                        pointer$d = pointer$q - 32'h1;
                    end
                    state$d = SPISlaveState$Settle;
                end
            SPISlaveState$Hangup:
                begin
                    if (csel_synchronizer$sig_out == cs_off) begin
                        done_flop$d = 1'b1;
                        state$d = SPISlaveState$Idle;
                    end
                    if (disabled) begin
                        state$d = SPISlaveState$Disabled;
                    end
                end
            SPISlaveState$Disabled:
                begin
                    if (~disabled) begin
                        state$d = SPISlaveState$Idle;
                        register_out$d = 32'h0;
                    end
                end
            default:
                begin
                    state$d = SPISlaveState$Boot;
                end
        endcase
    end
endmodule // host$lines$spi$slave
module host$lines$spi$slave$advance_detector(input_signal,edge_signal,clock);
    // Module arguments
    input wire  input_signal;
    output reg  edge_signal;
    input wire  clock;
    // Constant declarations
    localparam  is_rising = 1'b1;
    // Stub signals
    reg  prev$d;
    wire  prev$q;
    reg  prev$clock;
    reg  current$d;
    wire  current$q;
    reg  current$clock;
    // Sub module instances
    host$lines$spi$slave$advance_detector$prev prev(
        .d(prev$d),
        .q(prev$q),
        .clock(prev$clock)
    );
    host$lines$spi$slave$advance_detector$current current(
        .d(current$d),
        .q(current$q),
        .clock(current$clock)
    );
    // Update code
    always @(*) begin
        prev$clock = clock;
        current$clock = clock;
        prev$d = prev$q;
        current$d = current$q;
        prev$d = current$q;
        current$d = is_rising ^ input_signal;
        edge_signal = ~current$q & prev$q;
    end
endmodule // host$lines$spi$slave$advance_detector
module host$lines$spi$slave$advance_detector$current(d,q,clock);
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
endmodule // host$lines$spi$slave$advance_detector$current
module host$lines$spi$slave$advance_detector$prev(d,q,clock);
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
endmodule // host$lines$spi$slave$advance_detector$prev
module host$lines$spi$slave$bits_saved(d,q,clock);
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
endmodule // host$lines$spi$slave$bits_saved
module host$lines$spi$slave$boot_delay(d,q,clock);
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
endmodule // host$lines$spi$slave$boot_delay
module host$lines$spi$slave$capture_detector(input_signal,edge_signal,clock);
    // Module arguments
    input wire  input_signal;
    output reg  edge_signal;
    input wire  clock;
    // Constant declarations
    localparam  is_rising = 1'b0;
    // Stub signals
    reg  prev$d;
    wire  prev$q;
    reg  prev$clock;
    reg  current$d;
    wire  current$q;
    reg  current$clock;
    // Sub module instances
    host$lines$spi$slave$capture_detector$prev prev(
        .d(prev$d),
        .q(prev$q),
        .clock(prev$clock)
    );
    host$lines$spi$slave$capture_detector$current current(
        .d(current$d),
        .q(current$q),
        .clock(current$clock)
    );
    // Update code
    always @(*) begin
        prev$clock = clock;
        current$clock = clock;
        prev$d = prev$q;
        current$d = current$q;
        prev$d = current$q;
        current$d = is_rising ^ input_signal;
        edge_signal = ~current$q & prev$q;
    end
endmodule // host$lines$spi$slave$capture_detector
module host$lines$spi$slave$capture_detector$current(d,q,clock);
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
endmodule // host$lines$spi$slave$capture_detector$current
module host$lines$spi$slave$capture_detector$prev(d,q,clock);
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
endmodule // host$lines$spi$slave$capture_detector$prev
module host$lines$spi$slave$continued_saved(d,q,clock);
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
endmodule // host$lines$spi$slave$continued_saved
module host$lines$spi$slave$csel_synchronizer(sig_in,sig_out,clock);
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
    host$lines$spi$slave$csel_synchronizer$dff0 dff0(
        .d(dff0$d),
        .q(dff0$q),
        .clock(dff0$clock)
    );
    host$lines$spi$slave$csel_synchronizer$dff1 dff1(
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
endmodule // host$lines$spi$slave$csel_synchronizer
module host$lines$spi$slave$csel_synchronizer$dff0(d,q,clock);
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
endmodule // host$lines$spi$slave$csel_synchronizer$dff0
module host$lines$spi$slave$csel_synchronizer$dff1(d,q,clock);
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
endmodule // host$lines$spi$slave$csel_synchronizer$dff1
module host$lines$spi$slave$done_flop(d,q,clock);
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
endmodule // host$lines$spi$slave$done_flop
module host$lines$spi$slave$edge_detector(input_signal,edge_signal,clock);
    // Module arguments
    input wire  input_signal;
    output reg  edge_signal;
    input wire  clock;
    // Constant declarations
    localparam  is_rising = 1'b0;
    // Stub signals
    reg  prev$d;
    wire  prev$q;
    reg  prev$clock;
    reg  current$d;
    wire  current$q;
    reg  current$clock;
    // Sub module instances
    host$lines$spi$slave$edge_detector$prev prev(
        .d(prev$d),
        .q(prev$q),
        .clock(prev$clock)
    );
    host$lines$spi$slave$edge_detector$current current(
        .d(current$d),
        .q(current$q),
        .clock(current$clock)
    );
    // Update code
    always @(*) begin
        prev$clock = clock;
        current$clock = clock;
        prev$d = prev$q;
        current$d = current$q;
        prev$d = current$q;
        current$d = is_rising ^ input_signal;
        edge_signal = ~current$q & prev$q;
    end
endmodule // host$lines$spi$slave$edge_detector
module host$lines$spi$slave$edge_detector$current(d,q,clock);
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
endmodule // host$lines$spi$slave$edge_detector$current
module host$lines$spi$slave$edge_detector$prev(d,q,clock);
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
endmodule // host$lines$spi$slave$edge_detector$prev
module host$lines$spi$slave$escape(d,q,clock);
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
endmodule // host$lines$spi$slave$escape
module host$lines$spi$slave$mclk_synchronizer(sig_in,sig_out,clock);
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
    host$lines$spi$slave$mclk_synchronizer$dff0 dff0(
        .d(dff0$d),
        .q(dff0$q),
        .clock(dff0$clock)
    );
    host$lines$spi$slave$mclk_synchronizer$dff1 dff1(
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
endmodule // host$lines$spi$slave$mclk_synchronizer
module host$lines$spi$slave$mclk_synchronizer$dff0(d,q,clock);
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
endmodule // host$lines$spi$slave$mclk_synchronizer$dff0
module host$lines$spi$slave$mclk_synchronizer$dff1(d,q,clock);
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
endmodule // host$lines$spi$slave$mclk_synchronizer$dff1
module host$lines$spi$slave$miso_flop(d,q,clock);
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
endmodule // host$lines$spi$slave$miso_flop
module host$lines$spi$slave$pointer(d,q,clock);
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
endmodule // host$lines$spi$slave$pointer
module host$lines$spi$slave$register_in(d,q,clock);
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
endmodule // host$lines$spi$slave$register_in
module host$lines$spi$slave$register_out(d,q,clock);
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
endmodule // host$lines$spi$slave$register_out
module host$lines$spi$slave$state(d,q,clock);
    // Module arguments
    input wire  [3:0] d;
    output reg  [3:0] q;
    input wire  clock;
    // Enums
    localparam SPISlaveState$Boot = 0;
    localparam SPISlaveState$Idle = 1;
    localparam SPISlaveState$Armed = 2;
    localparam SPISlaveState$Capture = 3;
    localparam SPISlaveState$Hold = 4;
    localparam SPISlaveState$Update = 5;
    localparam SPISlaveState$Settle = 6;
    localparam SPISlaveState$Waiting = 7;
    localparam SPISlaveState$Hangup = 8;
    localparam SPISlaveState$Disabled = 9;
    // Update code (custom)
    initial begin
       q = 64'h0;
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // host$lines$spi$slave$state
module host$lines$transmitter(clock,bit_clocks,data,valid,ready,tx);
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
    host$lines$transmitter$low low(
        .d(low$d),
        .q(low$q),
        .clock(low$clock)
    );
    host$lines$transmitter$count count(
        .d(count$d),
        .q(count$q),
        .clock(count$clock)
    );
    host$lines$transmitter$left left(
        .d(left$d),
        .q(left$q),
        .clock(left$clock)
    );
    host$lines$transmitter$shift shift(
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
endmodule // host$lines$transmitter
module host$lines$transmitter$count(d,q,clock);
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
endmodule // host$lines$transmitter$count
module host$lines$transmitter$left(d,q,clock);
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
endmodule // host$lines$transmitter$left
module host$lines$transmitter$low(d,q,clock);
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
endmodule // host$lines$transmitter$low
module host$lines$transmitter$shift(d,q,clock);
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
endmodule // host$lines$transmitter$shift
module host$log #(parameter EVENT = 16, parameter ROW = 16) (block_clock,transfers,happens,clear,cross_rows,is_filling,overflows,link_clock,seek,row,step,read);
    // Module arguments
    input wire  block_clock;
    input wire  [EVENT - 1:0] transfers;
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
    localparam  last_byte = ROW / 8 - 1;
    // Stub signals
    reg  [23:0] clock$d;
    wire  [23:0] clock$q;
    reg  clock$clock;
    reg  [ROW - 1:0] stamped$d;
    wire  [ROW - 1:0] stamped$q;
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
    wire  [ROW - 1:0] rows$read_data;
    reg  [9:0] rows$write_address;
    reg  rows$write_clock;
    reg  [ROW - 1:0] rows$write_data;
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
    reg  [ROW - 1:0] shift$d;
    wire  [ROW - 1:0] shift$q;
    reg  shift$clock;
    // Sub module instances
    host$log$clock clock(
        .d(clock$d),
        .q(clock$q),
        .clock(clock$clock)
    );
    host$log$stamped #(.ROW(ROW)) stamped(
        .d(stamped$d),
        .q(stamped$q),
        .clock(stamped$clock)
    );
    host$log$happened happened(
        .d(happened$d),
        .q(happened$q),
        .clock(happened$clock)
    );
    host$log$count count(
        .d(count$d),
        .q(count$q),
        .clock(count$clock)
    );
    host$log$overflown overflown(
        .d(overflown$d),
        .q(overflown$q),
        .clock(overflown$clock)
    );
    host$log$rows #(.ROW(ROW)) rows(
        .read_address(rows$read_address),
        .read_clock(rows$read_clock),
        .read_data(rows$read_data),
        .write_address(rows$write_address),
        .write_clock(rows$write_clock),
        .write_data(rows$write_data),
        .write_enable(rows$write_enable)
    );
    host$log$read_row read_row(
        .d(read_row$d),
        .q(read_row$q),
        .clock(read_row$clock)
    );
    host$log$byte_index byte_index(
        .d(byte_index$d),
        .q(byte_index$q),
        .clock(byte_index$clock)
    );
    host$log$fetches fetches(
        .d(fetches$d),
        .q(fetches$q),
        .clock(fetches$clock)
    );
    host$log$shift #(.ROW(ROW)) shift(
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
        stamped$d = ((clock$q) & {ROW{1'b1}}) | (((transfers) & {ROW{1'b1}}) << 32'h18);
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
endmodule // host$log
module host$log$byte_index(d,q,clock);
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
endmodule // host$log$byte_index
module host$log$clock(d,q,clock);
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
endmodule // host$log$clock
module host$log$count(d,q,clock);
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
endmodule // host$log$count
module host$log$fetches(d,q,clock);
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
endmodule // host$log$fetches
module host$log$happened(d,q,clock);
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
endmodule // host$log$happened
module host$log$overflown(d,q,clock);
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
endmodule // host$log$overflown
module host$log$read_row(d,q,clock);
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
endmodule // host$log$read_row
module host$log$rows #(parameter ROW = 16) (read_address,read_clock,read_data,write_address,write_clock,write_data,write_enable);
    // Module arguments
    input wire  [9:0] read_address;
    input wire  read_clock;
    output reg  [ROW - 1:0] read_data;
    input wire  [9:0] write_address;
    input wire  write_clock;
    input wire  [ROW - 1:0] write_data;
    input wire  write_enable;
    // Update code (custom)
    reg[ROW - 1:0] mem[1023:0];
    always @(posedge read_clock) begin
       read_data <= mem[read_address];
    end
    always @(posedge write_clock) begin
       if (write_enable) begin
          mem[write_address] <= write_data;
       end
    end
endmodule // host$log$rows
module host$log$shift #(parameter ROW = 16) (d,q,clock);
    // Module arguments
    input wire  [ROW - 1:0] d;
    output reg  [ROW - 1:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = {ROW{1'b0}};
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // host$log$shift
module host$log$stamped #(parameter ROW = 16) (d,q,clock);
    // Module arguments
    input wire  [ROW - 1:0] d;
    output reg  [ROW - 1:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = {ROW{1'b0}};
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // host$log$stamped
module host$pace(clock,cross_run,cross_restart,cross_clear,cross_input_stalls,cross_output_stalls,cross_seed,happens,is_filling,restart,clear,offers,takes,quiet);
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
    host$pace$run run(
        .sig_in(run$sig_in),
        .sig_out(run$sig_out),
        .clock(run$clock)
    );
    host$pace$restarts restarts(
        .sig_in(restarts$sig_in),
        .sig_out(restarts$sig_out),
        .clock(restarts$clock)
    );
    host$pace$clears clears(
        .sig_in(clears$sig_in),
        .sig_out(clears$sig_out),
        .clock(clears$clock)
    );
    host$pace$random random(
        .d(random$d),
        .q(random$q),
        .clock(random$clock)
    );
    host$pace$taking taking(
        .d(taking$d),
        .q(taking$q),
        .clock(taking$clock)
    );
    host$pace$silence silence(
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
endmodule // host$pace
module host$pace$clears(sig_in,sig_out,clock);
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
    host$pace$clears$dff0 dff0(
        .d(dff0$d),
        .q(dff0$q),
        .clock(dff0$clock)
    );
    host$pace$clears$dff1 dff1(
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
endmodule // host$pace$clears
module host$pace$clears$dff0(d,q,clock);
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
endmodule // host$pace$clears$dff0
module host$pace$clears$dff1(d,q,clock);
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
endmodule // host$pace$clears$dff1
module host$pace$random(d,q,clock);
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
endmodule // host$pace$random
module host$pace$restarts(sig_in,sig_out,clock);
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
    host$pace$restarts$dff0 dff0(
        .d(dff0$d),
        .q(dff0$q),
        .clock(dff0$clock)
    );
    host$pace$restarts$dff1 dff1(
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
endmodule // host$pace$restarts
module host$pace$restarts$dff0(d,q,clock);
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
endmodule // host$pace$restarts$dff0
module host$pace$restarts$dff1(d,q,clock);
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
endmodule // host$pace$restarts$dff1
module host$pace$run(sig_in,sig_out,clock);
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
    host$pace$run$dff0 dff0(
        .d(dff0$d),
        .q(dff0$q),
        .clock(dff0$clock)
    );
    host$pace$run$dff1 dff1(
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
endmodule // host$pace$run
module host$pace$run$dff0(d,q,clock);
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
endmodule // host$pace$run$dff0
module host$pace$run$dff1(d,q,clock);
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
endmodule // host$pace$run$dff1
module host$pace$silence(d,q,clock);
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
endmodule // host$pace$silence
module host$pace$taking(d,q,clock);
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
endmodule // host$pace$taking
module host$registers #(parameter CONTROL = 16) (clock,received,received_valid,sent,sent_valid,sent_ready,control,cross_rows,cross_quiet,cross_overflows,identification,region,row,seek,write,data,read,step);
    // Module arguments
    input wire  clock;
    input wire  [7:0] received;
    input wire  received_valid;
    output reg  [7:0] sent;
    output reg  sent_valid;
    input wire  sent_ready;
    output reg  [CONTROL - 1:0] control;
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
    reg  [CONTROL - 1:0] shift$d;
    wire  [CONTROL - 1:0] shift$q;
    reg  shift$clock;
    reg  [CONTROL - 1:0] held$d;
    wire  [CONTROL - 1:0] held$q;
    reg  held$clock;
    reg  [127:0] status$d;
    wire  [127:0] status$q;
    reg  status$clock;
    // Local signals
    reg  is_control;
    reg  [7:0] flags;
    // Sub module instances
    host$registers$link link(
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
    host$registers$quiet quiet(
        .sig_in(quiet$sig_in),
        .sig_out(quiet$sig_out),
        .clock(quiet$clock)
    );
    host$registers$overflows overflows(
        .sig_in(overflows$sig_in),
        .sig_out(overflows$sig_out),
        .clock(overflows$clock)
    );
    host$registers$shift #(.CONTROL(CONTROL)) shift(
        .d(shift$d),
        .q(shift$q),
        .clock(shift$clock)
    );
    host$registers$held #(.CONTROL(CONTROL)) held(
        .d(held$d),
        .q(held$q),
        .clock(held$clock)
    );
    host$registers$status status(
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
        link$clock = clock;
        quiet$clock = clock;
        overflows$clock = clock;
        link$received = received;
        link$received_valid = received_valid;
        sent = link$sent;
        sent_valid = link$sent_valid;
        link$sent_ready = sent_ready;
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
            shift$d = (shift$q << 32'h8) | ((link$data) & {CONTROL{1'b1}});
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
endmodule // host$registers
module host$registers$held #(parameter CONTROL = 16) (d,q,clock);
    // Module arguments
    input wire  [CONTROL - 1:0] d;
    output reg  [CONTROL - 1:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = {CONTROL{1'b0}};
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // host$registers$held
module host$registers$link(clock,received,received_valid,sent,sent_valid,sent_ready,region,row,seek,write,data,commit,read,step,bad,cut);
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
    host$registers$link$state state(
        .d(state$d),
        .q(state$q),
        .clock(state$clock)
    );
    host$registers$link$kind kind(
        .d(kind$d),
        .q(kind$q),
        .clock(kind$clock)
    );
    host$registers$link$length length(
        .d(length$d),
        .q(length$q),
        .clock(length$clock)
    );
    host$registers$link$index index(
        .d(index$d),
        .q(index$q),
        .clock(index$clock)
    );
    host$registers$link$crc crc(
        .d(crc$d),
        .q(crc$q),
        .clock(crc$clock)
    );
    host$registers$link$silence silence(
        .d(silence$d),
        .q(silence$q),
        .clock(silence$clock)
    );
    host$registers$link$contents contents(
        .read_address(contents$read_address),
        .read_clock(contents$read_clock),
        .read_data(contents$read_data),
        .write_address(contents$write_address),
        .write_clock(contents$write_clock),
        .write_data(contents$write_data),
        .write_enable(contents$write_enable)
    );
    host$registers$link$has_read has_read(
        .d(has_read$d),
        .q(has_read$q),
        .clock(has_read$clock)
    );
    host$registers$link$seeks seeks(
        .d(seeks$d),
        .q(seeks$q),
        .clock(seeks$clock)
    );
    host$registers$link$pause pause(
        .d(pause$d),
        .q(pause$q),
        .clock(pause$clock)
    );
    host$registers$link$region_held region_held(
        .d(region_held$d),
        .q(region_held$q),
        .clock(region_held$clock)
    );
    host$registers$link$row_held row_held(
        .d(row_held$d),
        .q(row_held$q),
        .clock(row_held$clock)
    );
    host$registers$link$bad_frames bad_frames(
        .d(bad_frames$d),
        .q(bad_frames$q),
        .clock(bad_frames$clock)
    );
    host$registers$link$cut_frames cut_frames(
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
endmodule // host$registers$link
module host$registers$link$bad_frames(d,q,clock);
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
endmodule // host$registers$link$bad_frames
module host$registers$link$contents(read_address,read_clock,read_data,write_address,write_clock,write_data,write_enable);
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
endmodule // host$registers$link$contents
module host$registers$link$crc(d,q,clock);
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
endmodule // host$registers$link$crc
module host$registers$link$cut_frames(d,q,clock);
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
endmodule // host$registers$link$cut_frames
module host$registers$link$has_read(d,q,clock);
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
endmodule // host$registers$link$has_read
module host$registers$link$index(d,q,clock);
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
endmodule // host$registers$link$index
module host$registers$link$kind(d,q,clock);
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
endmodule // host$registers$link$kind
module host$registers$link$length(d,q,clock);
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
endmodule // host$registers$link$length
module host$registers$link$pause(d,q,clock);
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
endmodule // host$registers$link$pause
module host$registers$link$region_held(d,q,clock);
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
endmodule // host$registers$link$region_held
module host$registers$link$row_held(d,q,clock);
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
endmodule // host$registers$link$row_held
module host$registers$link$seeks(d,q,clock);
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
endmodule // host$registers$link$seeks
module host$registers$link$silence(d,q,clock);
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
endmodule // host$registers$link$silence
module host$registers$link$state(d,q,clock);
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
endmodule // host$registers$link$state
module host$registers$overflows(sig_in,sig_out,clock);
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
    host$registers$overflows$dff0 dff0(
        .d(dff0$d),
        .q(dff0$q),
        .clock(dff0$clock)
    );
    host$registers$overflows$dff1 dff1(
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
endmodule // host$registers$overflows
module host$registers$overflows$dff0(d,q,clock);
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
endmodule // host$registers$overflows$dff0
module host$registers$overflows$dff1(d,q,clock);
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
endmodule // host$registers$overflows$dff1
module host$registers$quiet(sig_in,sig_out,clock);
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
    host$registers$quiet$dff0 dff0(
        .d(dff0$d),
        .q(dff0$q),
        .clock(dff0$clock)
    );
    host$registers$quiet$dff1 dff1(
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
endmodule // host$registers$quiet
module host$registers$quiet$dff0(d,q,clock);
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
endmodule // host$registers$quiet$dff0
module host$registers$quiet$dff1(d,q,clock);
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
endmodule // host$registers$quiet$dff1
module host$registers$shift #(parameter CONTROL = 16) (d,q,clock);
    // Module arguments
    input wire  [CONTROL - 1:0] d;
    output reg  [CONTROL - 1:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = {CONTROL{1'b0}};
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // host$registers$shift
module host$registers$status(d,q,clock);
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
endmodule // host$registers$status
module queue #(parameter PAYLOAD = 16, parameter ROW = 16) (link_clock,seek,row,selected,write,data,block_clock,restart,offers,cross_end,valid,ready,payload);
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
    output reg  [PAYLOAD - 1:0] payload;
    // Constant declarations
    localparam  last_byte = ROW / 8 - 1;
    // Stub signals
    reg  [8:0] rows$read_address;
    reg  rows$read_clock;
    wire  [PAYLOAD - 1:0] rows$read_data;
    reg  [8:0] rows$write_address;
    reg  rows$write_clock;
    reg  [PAYLOAD - 1:0] rows$write_data;
    reg  rows$write_enable;
    reg  [15:0] write_row$d;
    wire  [15:0] write_row$q;
    reg  write_row$clock;
    reg  [7:0] byte_index$d;
    wire  [7:0] byte_index$q;
    reg  byte_index$clock;
    reg  [ROW - 1:0] shift$d;
    wire  [ROW - 1:0] shift$q;
    reg  shift$clock;
    reg  [9:0] read_row$d;
    wire  [9:0] read_row$q;
    reg  read_row$clock;
    reg  offering$d;
    wire  offering$q;
    reg  offering$clock;
    // Local signals
    reg  [ROW - 1:0] shifted;
    reg  [9:0] next_row;
    // Sub module instances
    queue$rows #(.PAYLOAD(PAYLOAD)) rows(
        .read_address(rows$read_address),
        .read_clock(rows$read_clock),
        .read_data(rows$read_data),
        .write_address(rows$write_address),
        .write_clock(rows$write_clock),
        .write_data(rows$write_data),
        .write_enable(rows$write_enable)
    );
    queue$write_row write_row(
        .d(write_row$d),
        .q(write_row$q),
        .clock(write_row$clock)
    );
    queue$byte_index byte_index(
        .d(byte_index$d),
        .q(byte_index$q),
        .clock(byte_index$clock)
    );
    queue$shift #(.ROW(ROW)) shift(
        .d(shift$d),
        .q(shift$q),
        .clock(shift$clock)
    );
    queue$read_row read_row(
        .d(read_row$d),
        .q(read_row$q),
        .clock(read_row$clock)
    );
    queue$offering offering(
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
        shifted = (shift$q << 32'h8) | ((data) & {ROW{1'b1}});
        rows$write_address = write_row$q[(32'h0)+:(9)];
        rows$write_data = shifted[(32'h0)+:(PAYLOAD)];
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
endmodule // queue
module queue$byte_index(d,q,clock);
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
endmodule // queue$byte_index
module queue$offering(d,q,clock);
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
endmodule // queue$offering
module queue$read_row(d,q,clock);
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
endmodule // queue$read_row
module queue$rows #(parameter PAYLOAD = 16) (read_address,read_clock,read_data,write_address,write_clock,write_data,write_enable);
    // Module arguments
    input wire  [8:0] read_address;
    input wire  read_clock;
    output reg  [PAYLOAD - 1:0] read_data;
    input wire  [8:0] write_address;
    input wire  write_clock;
    input wire  [PAYLOAD - 1:0] write_data;
    input wire  write_enable;
    // Update code (custom)
    reg[PAYLOAD - 1:0] mem[511:0];
    always @(posedge read_clock) begin
       read_data <= mem[read_address];
    end
    always @(posedge write_clock) begin
       if (write_enable) begin
          mem[write_address] <= write_data;
       end
    end
endmodule // queue$rows
module queue$shift #(parameter ROW = 16) (d,q,clock);
    // Module arguments
    input wire  [ROW - 1:0] d;
    output reg  [ROW - 1:0] q;
    input wire  clock;
    // Update code (custom)
    initial begin
       q = {ROW{1'b0}};
    end
    always @(posedge clock) begin
       q <= d;
    end
endmodule // queue$shift
module queue$write_row(d,q,clock);
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
endmodule // queue$write_row
