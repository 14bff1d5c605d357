// Metadata table of GETM: timestamps and reservations of a memory partition's granules,
// precise in a cuckoo table with stash and overflow space, approximate in a recency Bloom
// filter. Ren, GETM (thesis chapter 4), sections 4.4 and 4.5.2, figures 4.6 and 4.8.
//
// Channels are ready/valid: req in and resp out, in order; overflow_req out and
// overflow_resp in, one answer a lookup. error pulses for a request without meaning, which
// changes nothing and is answered with verdict 6.
//
// Parameters:
//   address_bits = 32
//   bloom_rows = 16
//   bloom_ways = 4
//   faithful = false
//   granule_bytes = 32
//   hash_seed = 1
//   max_kicks = 8
//   owner_bits = 8
//   rows_per_way = 64
//   stash = 4
//   tag_bits = 1
//   timestamp_bits = 24
//   ways = 4
//   write_count_bits = 8
module getm_metadata (
    input  wire clk,
    input  wire rst,
    output wire init_done,  // the RAM has been cleared after reset
    input  wire req_valid,
    output wire req_ready,
    input  wire [1:0] req_op,  // 0 load, 1 store, 2 release, 3 clear
    input  wire [31:0] req_address,  // byte address; ignored by clear
    input  wire [7:0] req_warp,  // of a load or store: the warp
    input  wire [23:0] req_warpts,  // of a load or store: the warp's timestamp
    input  wire [7:0] req_count,  // of a release: writes that are done with
    input  wire req_tag,  // comes back with the answer
    input  wire overflow_resp_valid,
    output wire overflow_resp_ready,
    input  wire overflow_resp_found,  // there is an entry of the granule
    input  wire [23:0] overflow_resp_wts,  // one more than the time of the last write
    input  wire [23:0] overflow_resp_rts,  // the time of the last read
    input  wire [7:0] overflow_resp_writes,  // writes under way; not 0: reserved
    input  wire [7:0] overflow_resp_owner,  // the warp that reserves it
    output wire overflow_req_valid,
    input  wire overflow_req_ready,
    output wire [1:0] overflow_req_op,  // 0 lookup, 1 insert, 2 update, 3 remove
    output wire [31:0] overflow_req_address,  // byte address of the granule, aligned to it
    output wire [23:0] overflow_req_wts,  // one more than the time of the last write
    output wire [23:0] overflow_req_rts,  // the time of the last read
    output wire [7:0] overflow_req_writes,  // writes under way; not 0: reserved
    output wire [7:0] overflow_req_owner,  // the warp that reserves it
    output wire resp_valid,
    input  wire resp_ready,
    output wire [1:0] resp_op,  // as in the request
    output wire [31:0] resp_address,  // as in the request
    output wire [7:0] resp_warp,  // as in the request
    output wire [23:0] resp_warpts,  // as in the request
    output wire resp_tag,  // as in the request
    output wire [2:0] resp_verdict,  // 0 success, 1 park, 2 WAR, 3 WAW, 4 RAW, 5 COUNT, 6 error
    output wire [23:0] resp_wts,  // before the request; 0 after a clear or an error
    output wire [23:0] resp_rts,  // before the request; 0 after a clear or an error
    output wire resp_reserved,  // the granule is reserved after the request
    output wire error_valid,  // a request had no meaning
    output wire [1:0] error_code  // 0 release of a granule that is not reserved, 1 release of no writes or more than are under way, 2 access at the largest timestamp, 3 clear while a granule is reserved
);
    localparam [3:0] STATE_RUN = 4'd0;
    localparam [3:0] STATE_READ = 4'd1;
    localparam [3:0] STATE_LOAD = 4'd2;
    localparam [3:0] STATE_CHOOSE = 4'd3;
    localparam [3:0] STATE_PLACE = 4'd4;
    localparam [3:0] STATE_LEAVE = 4'd5;
    localparam [3:0] STATE_SETTLE = 4'd6;
    localparam [3:0] STATE_TURN = 4'd7;
    localparam [3:0] STATE_CLEAR = 4'd8;
    reg [3:0] state;
    wire in_run = state == STATE_RUN;
    // Stage 5 has no request, or is done with it at the edge.
    wire step;
    // An entry is displaced at the edge.
    wire kick;
    // An entry leaves the banks at the edge.
    wire leaves_banks;
    // A request to clear is done with at the edge.
    wire ends_clear;
    // Everything is to be cleared.
    wire clears;
    wire disturbs = kick | leaves_banks | ends_clear;
    // Stages 1 to 5 move on.
    wire advance = in_run & step & ~disturbs;
    wire in_turn = state == STATE_TURN;
    // Stages that the requests in 1 to 4 have gone round.
    reg [1:0] turns;
    always @(posedge clk) begin
        if (in_turn) begin
            turns <= turns + 2'd1;
        end
        if (rst) begin
            turns <= 2'd0;
        end
    end
    wire turned = in_turn & (&turns);
    // Stages 1 to 4 move on, or round.
    wire moves = advance | in_turn;
    wire victims_advance = ~in_run | step;
    reg [5:0] clear_row;
    wire in_clear = state == STATE_CLEAR;
    wire cleared = in_clear & (&clear_row);
    reg initialised;
    always @(posedge clk) begin
        if (in_clear) begin
            clear_row <= clear_row + 6'd1;
        end
        if (rst) begin
            clear_row <= 6'd0;
        end
    end
    // A clear waits for the victim stages to empty.
    reg clearing;
    always @(posedge clk) begin
        if (turned) begin
            initialised <= 1'b1;
        end
        if (rst) begin
            initialised <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (clears) begin
            clearing <= 1'b1;
        end else if (cleared) begin
            clearing <= 1'b0;
        end
        if (rst) begin
            clearing <= 1'b0;
        end
    end
    always @(posedge clk) begin
        case (state)
            STATE_RUN: begin
                if (kick) begin
                    state <= STATE_READ;
                end else if (leaves_banks) begin
                    state <= STATE_LEAVE;
                end else if (ends_clear) begin
                    state <= STATE_SETTLE;
                end
            end
            STATE_READ: begin
                state <= STATE_LOAD;
            end
            STATE_LOAD: begin
                state <= STATE_CHOOSE;
            end
            STATE_CHOOSE: begin
                state <= STATE_PLACE;
            end
            STATE_PLACE: begin
                if (kick) begin
                    state <= STATE_READ;
                end else if (leaves_banks) begin
                    state <= STATE_LEAVE;
                end else begin
                    state <= STATE_SETTLE;
                end
            end
            STATE_LEAVE: begin
                state <= STATE_SETTLE;
            end
            STATE_SETTLE: begin
                state <= clearing ? STATE_CLEAR : STATE_TURN;
            end
            STATE_TURN: begin
                if (turned) begin
                    state <= STATE_RUN;
                end
            end
            default: begin
                if (cleared) begin
                    state <= STATE_TURN;
                end
            end
        endcase
        if (rst) begin
            state <= 4'd8;
        end
    end
    wire in_settle = state == STATE_SETTLE;
    // Entries displaced so far.
    reg [3:0] kicks;
    always @(posedge clk) begin
        if (kick) begin
            kicks <= kicks + 4'd1;
        end else if (in_settle) begin
            kicks <= 4'd0;
        end
        if (rst) begin
            kicks <= 4'd0;
        end
    end
    wire may_kick = kicks != 4'd8;
    // The bank whose entry is displaced next.
    reg [3:0] kick_bank;
    always @(posedge clk) begin
        if (kick) begin
            kick_bank <= {kick_bank[2:0], kick_bank[3]};
        end else if (in_settle) begin
            kick_bank <= 4'd1;
        end
        if (rst) begin
            kick_bank <= 4'd1;
        end
    end
    reg moving_valid;
    reg [26:0] moving_granule;
    reg [23:0] moving_wts;
    reg [23:0] moving_rts;
    reg [7:0] moving_writes;
    reg [7:0] moving_owner;
    wire in_read = state == STATE_READ;
    wire in_load = state == STATE_LOAD;
    wire in_choose = state == STATE_CHOOSE;
    wire in_place = state == STATE_PLACE;
    wire in_leave = state == STATE_LEAVE;
    assign init_done = initialised;
    wire request_room;
    assign req_ready = request_room & initialised;
    wire request_out_ready = advance;
    wire request_in_ready;
    assign request_room = request_in_ready;
    wire request_out_valid;
    wire [74:0] request_out_data;
    skid_buffer_w75 request (
        .clk(clk),
        .rst(rst),
        .in_valid(req_valid & initialised),
        .in_data({req_op, req_address, req_warp, req_warpts, req_count, req_tag}),
        .out_ready(request_out_ready),
        .in_ready(request_in_ready),
        .out_valid(request_out_valid),
        .out_data(request_out_data)
    );
    wire [1:0] request_op = request_out_data[74:73];
    wire [31:0] request_address = request_out_data[72:41];
    wire [7:0] request_warp = request_out_data[40:33];
    wire [23:0] request_warpts = request_out_data[32:9];
    wire [7:0] request_count = request_out_data[8:1];
    wire request_tag = request_out_data[0];
    wire [26:0] hashed_granule = in_read ? moving_granule : request_address[31:5];
    wire [5:0] hashed_row0 =
        {(^(hashed_granule & 27'h7bf8c4c)), (^(hashed_granule & 27'h74e0fb1)),
        (^(hashed_granule & 27'h785e6ed)), (^(hashed_granule & 27'h27b2b12)),
        (^(hashed_granule & 27'h00c625a)), (^(hashed_granule & 27'h0e5af1c))};
    wire [5:0] hashed_row1 =
        {(^(hashed_granule & 27'h7d04187)), (^(hashed_granule & 27'h0789a73)),
        (^(hashed_granule & 27'h25e537d)), (^(hashed_granule & 27'h06c3115)),
        (^(hashed_granule & 27'h2da37cd)), (^(hashed_granule & 27'h0916281))};
    wire [5:0] hashed_row2 =
        {(^(hashed_granule & 27'h533fac5)), (^(hashed_granule & 27'h0e9bfea)),
        (^(hashed_granule & 27'h6b00497)), (^(hashed_granule & 27'h074a532)),
        (^(hashed_granule & 27'h0c86b8d)), (^(hashed_granule & 27'h0b45b6a))};
    wire [5:0] hashed_row3 =
        {(^(hashed_granule & 27'h7b72200)), (^(hashed_granule & 27'h2c81112)),
        (^(hashed_granule & 27'h2a9c4c8)), (^(hashed_granule & 27'h362291a)),
        (^(hashed_granule & 27'h1f45652)), (^(hashed_granule & 27'h15bfeb1))};
    wire [3:0] hashed_bloom_row0 =
        {(^(request_address[31:5] & 27'h4e61dcb)), (^(request_address[31:5] & 27'h6948a22)),
        (^(request_address[31:5] & 27'h34a16d5)), (^(request_address[31:5] & 27'h310e7fb))};
    wire [3:0] hashed_bloom_row1 =
        {(^(request_address[31:5] & 27'h03d9b37)), (^(request_address[31:5] & 27'h3d8da32)),
        (^(request_address[31:5] & 27'h46a4d50)), (^(request_address[31:5] & 27'h5c94a85))};
    wire [3:0] hashed_bloom_row2 =
        {(^(request_address[31:5] & 27'h1fcf33f)), (^(request_address[31:5] & 27'h11edf98)),
        (^(request_address[31:5] & 27'h1222751)), (^(request_address[31:5] & 27'h62d5411))};
    wire [3:0] hashed_bloom_row3 =
        {(^(request_address[31:5] & 27'h7d874fd)), (^(request_address[31:5] & 27'h2b84996)),
        (^(request_address[31:5] & 27'h37c636d)), (^(request_address[31:5] & 27'h218564b))};
    // The request in stage 4.
    wire [115:0] turned_request;
    reg stage1_valid;
    reg [1:0] stage1_op;
    wire [74:0] _stage1_op_0 =
        in_turn ? turned_request[75:1] :
        {request_op, request_address, request_warp, request_warpts, request_count, request_tag};
    reg [31:0] stage1_address;
    reg [7:0] stage1_warp;
    reg [23:0] stage1_warpts;
    reg [7:0] stage1_count;
    reg stage1_tag;
    reg [5:0] stage1_row0;
    reg [5:0] stage1_row1;
    reg [5:0] stage1_row2;
    reg [5:0] stage1_row3;
    reg [3:0] stage1_bloom_row0;
    reg [3:0] stage1_bloom_row1;
    reg [3:0] stage1_bloom_row2;
    reg [3:0] stage1_bloom_row3;
    reg stage2_valid;
    reg [1:0] stage2_op;
    reg [31:0] stage2_address;
    reg [7:0] stage2_warp;
    reg [23:0] stage2_warpts;
    reg [7:0] stage2_count;
    reg stage2_tag;
    reg [5:0] stage2_row0;
    reg [5:0] stage2_row1;
    reg [5:0] stage2_row2;
    reg [5:0] stage2_row3;
    reg [3:0] stage2_bloom_row0;
    reg [3:0] stage2_bloom_row1;
    reg [3:0] stage2_bloom_row2;
    reg [3:0] stage2_bloom_row3;
    reg stage3_valid;
    reg [1:0] stage3_op;
    reg [31:0] stage3_address;
    reg [7:0] stage3_warp;
    reg [23:0] stage3_warpts;
    reg [7:0] stage3_count;
    reg stage3_tag;
    reg [5:0] stage3_row0;
    reg [5:0] stage3_row1;
    reg [5:0] stage3_row2;
    reg [5:0] stage3_row3;
    reg [3:0] stage3_bloom_row0;
    reg [3:0] stage3_bloom_row1;
    reg [3:0] stage3_bloom_row2;
    reg [3:0] stage3_bloom_row3;
    reg stage4_valid;
    reg [1:0] stage4_op;
    reg [31:0] stage4_address;
    reg [7:0] stage4_warp;
    reg [23:0] stage4_warpts;
    reg [7:0] stage4_count;
    reg stage4_tag;
    reg [5:0] stage4_row0;
    reg [5:0] stage4_row1;
    reg [5:0] stage4_row2;
    reg [5:0] stage4_row3;
    reg [3:0] stage4_bloom_row0;
    reg [3:0] stage4_bloom_row1;
    reg [3:0] stage4_bloom_row2;
    reg [3:0] stage4_bloom_row3;
    wire [115:0] _turned_request_0 =
        {stage4_bloom_row3, stage4_bloom_row2, stage4_bloom_row1, stage4_bloom_row0, stage4_row3,
        stage4_row2, stage4_row1, stage4_row0,
        {stage4_op, stage4_address, stage4_warp, stage4_warpts, stage4_count, stage4_tag},
        stage4_valid};
    always @(posedge clk) begin
        if (moves) begin
            stage1_valid <= in_turn ? turned_request[0] : request_out_valid;
            stage1_op <= _stage1_op_0[74:73];
            stage1_address <= _stage1_op_0[72:41];
            stage1_warp <= _stage1_op_0[40:33];
            stage1_warpts <= _stage1_op_0[32:9];
            stage1_count <= _stage1_op_0[8:1];
            stage1_tag <= _stage1_op_0[0];
            stage1_row0 <= in_turn ? turned_request[81:76] : hashed_row0;
            stage1_row1 <= in_turn ? turned_request[87:82] : hashed_row1;
            stage1_row2 <= in_turn ? turned_request[93:88] : hashed_row2;
            stage1_row3 <= in_turn ? turned_request[99:94] : hashed_row3;
            stage1_bloom_row0 <= in_turn ? turned_request[103:100] : hashed_bloom_row0;
            stage1_bloom_row1 <= in_turn ? turned_request[107:104] : hashed_bloom_row1;
            stage1_bloom_row2 <= in_turn ? turned_request[111:108] : hashed_bloom_row2;
            stage1_bloom_row3 <= in_turn ? turned_request[115:112] : hashed_bloom_row3;
            stage2_valid <= stage1_valid;
            stage2_op <= stage1_op;
            stage2_address <= stage1_address;
            stage2_warp <= stage1_warp;
            stage2_warpts <= stage1_warpts;
            stage2_count <= stage1_count;
            stage2_tag <= stage1_tag;
            stage2_row0 <= stage1_row0;
            stage2_row1 <= stage1_row1;
            stage2_row2 <= stage1_row2;
            stage2_row3 <= stage1_row3;
            stage2_bloom_row0 <= stage1_bloom_row0;
            stage2_bloom_row1 <= stage1_bloom_row1;
            stage2_bloom_row2 <= stage1_bloom_row2;
            stage2_bloom_row3 <= stage1_bloom_row3;
            stage3_valid <= stage2_valid;
            stage3_op <= stage2_op;
            stage3_address <= stage2_address;
            stage3_warp <= stage2_warp;
            stage3_warpts <= stage2_warpts;
            stage3_count <= stage2_count;
            stage3_tag <= stage2_tag;
            stage3_row0 <= stage2_row0;
            stage3_row1 <= stage2_row1;
            stage3_row2 <= stage2_row2;
            stage3_row3 <= stage2_row3;
            stage3_bloom_row0 <= stage2_bloom_row0;
            stage3_bloom_row1 <= stage2_bloom_row1;
            stage3_bloom_row2 <= stage2_bloom_row2;
            stage3_bloom_row3 <= stage2_bloom_row3;
            stage4_valid <= stage3_valid;
            stage4_op <= stage3_op;
            stage4_address <= stage3_address;
            stage4_warp <= stage3_warp;
            stage4_warpts <= stage3_warpts;
            stage4_count <= stage3_count;
            stage4_tag <= stage3_tag;
            stage4_row0 <= stage3_row0;
            stage4_row1 <= stage3_row1;
            stage4_row2 <= stage3_row2;
            stage4_row3 <= stage3_row3;
            stage4_bloom_row0 <= stage3_bloom_row0;
            stage4_bloom_row1 <= stage3_bloom_row1;
            stage4_bloom_row2 <= stage3_bloom_row2;
            stage4_bloom_row3 <= stage3_bloom_row3;
        end
        if (rst) begin
            stage1_valid <= 1'b0;
            stage2_valid <= 1'b0;
            stage3_valid <= 1'b0;
            stage4_valid <= 1'b0;
        end
    end
    assign turned_request = _turned_request_0;
    reg stage5_valid;
    reg [1:0] stage5_op;
    reg [31:0] stage5_address;
    reg [7:0] stage5_warp;
    reg [23:0] stage5_warpts;
    reg [7:0] stage5_count;
    reg stage5_tag;
    reg [5:0] stage5_row0;
    always @(posedge clk) begin
        if (advance) begin
            stage5_op <= stage4_op;
            stage5_address <= stage4_address;
            stage5_warp <= stage4_warp;
            stage5_warpts <= stage4_warpts;
            stage5_count <= stage4_count;
            stage5_tag <= stage4_tag;
        end
    end
    always @(posedge clk) begin
        if (advance) begin
            stage5_row0 <= stage4_row0;
        end
        if (in_read) begin
            stage5_row0 <= hashed_row0;
        end
    end
    reg [5:0] stage5_row1;
    always @(posedge clk) begin
        if (advance) begin
            stage5_row1 <= stage4_row1;
        end
        if (in_read) begin
            stage5_row1 <= hashed_row1;
        end
    end
    reg [5:0] stage5_row2;
    always @(posedge clk) begin
        if (advance) begin
            stage5_row2 <= stage4_row2;
        end
        if (in_read) begin
            stage5_row2 <= hashed_row2;
        end
    end
    reg [5:0] stage5_row3;
    always @(posedge clk) begin
        if (advance) begin
            stage5_row3 <= stage4_row3;
        end
        if (in_read) begin
            stage5_row3 <= hashed_row3;
        end
    end
    always @(posedge clk) begin
        if (advance) begin
            stage5_valid <= stage4_valid;
        end
        if (disturbs) begin
            stage5_valid <= 1'b0;
        end
        if (rst) begin
            stage5_valid <= 1'b0;
        end
    end
    // The bank that the request writes.
    wire [3:0] bank_of_request;
    // The banks that stage 5 writes, one-hot.
    wire [3:0] written_banks;
    wire [91:0] after_entry;
    wire [91:0] placed;
    wire banks_are_read = moves | in_read;
    wire stage3_granule_in_stage5 = stage3_address[31:5] == stage5_address[31:5];
    wire [91:0] bank0_ram;
    wire _bank0_0 = in_clear | written_banks[0];
    wire [5:0] _bank0_1 = in_clear ? clear_row : stage5_row0;
    wire [91:0] _bank0_2 = in_clear ? 92'd0 : placed;
    wire [5:0] _bank0_3 = in_read ? hashed_row0 : stage1_row0;
    // Bank 0 of the precise table.
    getm_metadata_bank0 bank0 (
        .clk(clk),
        .w0_enable(_bank0_0),
        .w0_address(_bank0_1),
        .w0_data(_bank0_2),
        .r0_enable(banks_are_read),
        .r0_address(_bank0_3),
        .r0_data(bank0_ram)
    );
    // The row was written at the edge at which it was read.
    reg bank0_bypass;
    reg [91:0] bank0_written;
    always @(posedge clk) begin
        if (banks_are_read) begin
            bank0_written <= _bank0_2;
            bank0_bypass <= _bank0_0 & (_bank0_1 == _bank0_3);
        end
    end
    wire [91:0] bank0_read = bank0_bypass ? bank0_written : bank0_ram;
    reg [91:0] stage3_bank0;
    wire stage2_bank0_replaced = bank_of_request[0] & (stage2_row0 == stage5_row0);
    always @(posedge clk) begin
        if (moves) begin
            stage3_bank0 <= stage2_bank0_replaced ? after_entry : bank0_read;
        end
    end
    wire stage3_bank0_valid = stage3_bank0[91];
    wire [26:0] stage3_bank0_granule = stage3_bank0[90:64];
    wire stage3_bank0_replaced = bank_of_request[0] & (stage3_row0 == stage5_row0);
    reg [91:0] stage4_bank0;
    reg stage4_bank0_hit;
    always @(posedge clk) begin
        if (moves) begin
            stage4_bank0 <= stage3_bank0_replaced ? after_entry : stage3_bank0;
        end else if (in_load) begin
            stage4_bank0 <= bank0_read;
        end
    end
    wire _stage4_bank0_hit_0 =
        stage3_bank0_replaced ? stage3_granule_in_stage5 :
        (stage3_bank0_valid & (stage3_bank0_granule == stage3_address[31:5]));
    always @(posedge clk) begin
        if (moves) begin
            stage4_bank0_hit <= _stage4_bank0_hit_0;
        end
    end
    wire stage4_bank0_valid = stage4_bank0[91];
    wire [26:0] stage4_bank0_granule = stage4_bank0[90:64];
    wire [23:0] stage4_bank0_wts = stage4_bank0[63:40];
    wire [23:0] stage4_bank0_rts = stage4_bank0[39:16];
    wire [7:0] stage4_bank0_writes = stage4_bank0[15:8];
    wire [7:0] stage4_bank0_owner = stage4_bank0[7:0];
    wire stage4_bank0_replaced = bank_of_request[0] & (stage4_row0 == stage5_row0);
    wire [91:0] bank1_ram;
    wire _bank1_0 = in_clear | written_banks[1];
    wire [5:0] _bank1_1 = in_clear ? clear_row : stage5_row1;
    wire [91:0] _bank1_2 = in_clear ? 92'd0 : placed;
    wire [5:0] _bank1_3 = in_read ? hashed_row1 : stage1_row1;
    // Bank 1 of the precise table.
    getm_metadata_bank1 bank1 (
        .clk(clk),
        .w0_enable(_bank1_0),
        .w0_address(_bank1_1),
        .w0_data(_bank1_2),
        .r0_enable(banks_are_read),
        .r0_address(_bank1_3),
        .r0_data(bank1_ram)
    );
    // The row was written at the edge at which it was read.
    reg bank1_bypass;
    reg [91:0] bank1_written;
    always @(posedge clk) begin
        if (banks_are_read) begin
            bank1_written <= _bank1_2;
            bank1_bypass <= _bank1_0 & (_bank1_1 == _bank1_3);
        end
    end
    wire [91:0] bank1_read = bank1_bypass ? bank1_written : bank1_ram;
    reg [91:0] stage3_bank1;
    wire stage2_bank1_replaced = bank_of_request[1] & (stage2_row1 == stage5_row1);
    always @(posedge clk) begin
        if (moves) begin
            stage3_bank1 <= stage2_bank1_replaced ? after_entry : bank1_read;
        end
    end
    wire stage3_bank1_valid = stage3_bank1[91];
    wire [26:0] stage3_bank1_granule = stage3_bank1[90:64];
    wire stage3_bank1_replaced = bank_of_request[1] & (stage3_row1 == stage5_row1);
    reg [91:0] stage4_bank1;
    reg stage4_bank1_hit;
    always @(posedge clk) begin
        if (moves) begin
            stage4_bank1 <= stage3_bank1_replaced ? after_entry : stage3_bank1;
        end else if (in_load) begin
            stage4_bank1 <= bank1_read;
        end
    end
    wire _stage4_bank1_hit_0 =
        stage3_bank1_replaced ? stage3_granule_in_stage5 :
        (stage3_bank1_valid & (stage3_bank1_granule == stage3_address[31:5]));
    always @(posedge clk) begin
        if (moves) begin
            stage4_bank1_hit <= _stage4_bank1_hit_0;
        end
    end
    wire stage4_bank1_valid = stage4_bank1[91];
    wire [26:0] stage4_bank1_granule = stage4_bank1[90:64];
    wire [23:0] stage4_bank1_wts = stage4_bank1[63:40];
    wire [23:0] stage4_bank1_rts = stage4_bank1[39:16];
    wire [7:0] stage4_bank1_writes = stage4_bank1[15:8];
    wire [7:0] stage4_bank1_owner = stage4_bank1[7:0];
    wire stage4_bank1_replaced = bank_of_request[1] & (stage4_row1 == stage5_row1);
    wire [91:0] bank2_ram;
    wire _bank2_0 = in_clear | written_banks[2];
    wire [5:0] _bank2_1 = in_clear ? clear_row : stage5_row2;
    wire [91:0] _bank2_2 = in_clear ? 92'd0 : placed;
    wire [5:0] _bank2_3 = in_read ? hashed_row2 : stage1_row2;
    // Bank 2 of the precise table.
    getm_metadata_bank2 bank2 (
        .clk(clk),
        .w0_enable(_bank2_0),
        .w0_address(_bank2_1),
        .w0_data(_bank2_2),
        .r0_enable(banks_are_read),
        .r0_address(_bank2_3),
        .r0_data(bank2_ram)
    );
    // The row was written at the edge at which it was read.
    reg bank2_bypass;
    reg [91:0] bank2_written;
    always @(posedge clk) begin
        if (banks_are_read) begin
            bank2_written <= _bank2_2;
            bank2_bypass <= _bank2_0 & (_bank2_1 == _bank2_3);
        end
    end
    wire [91:0] bank2_read = bank2_bypass ? bank2_written : bank2_ram;
    reg [91:0] stage3_bank2;
    wire stage2_bank2_replaced = bank_of_request[2] & (stage2_row2 == stage5_row2);
    always @(posedge clk) begin
        if (moves) begin
            stage3_bank2 <= stage2_bank2_replaced ? after_entry : bank2_read;
        end
    end
    wire stage3_bank2_valid = stage3_bank2[91];
    wire [26:0] stage3_bank2_granule = stage3_bank2[90:64];
    wire stage3_bank2_replaced = bank_of_request[2] & (stage3_row2 == stage5_row2);
    reg [91:0] stage4_bank2;
    reg stage4_bank2_hit;
    always @(posedge clk) begin
        if (moves) begin
            stage4_bank2 <= stage3_bank2_replaced ? after_entry : stage3_bank2;
        end else if (in_load) begin
            stage4_bank2 <= bank2_read;
        end
    end
    wire _stage4_bank2_hit_0 =
        stage3_bank2_replaced ? stage3_granule_in_stage5 :
        (stage3_bank2_valid & (stage3_bank2_granule == stage3_address[31:5]));
    always @(posedge clk) begin
        if (moves) begin
            stage4_bank2_hit <= _stage4_bank2_hit_0;
        end
    end
    wire stage4_bank2_valid = stage4_bank2[91];
    wire [26:0] stage4_bank2_granule = stage4_bank2[90:64];
    wire [23:0] stage4_bank2_wts = stage4_bank2[63:40];
    wire [23:0] stage4_bank2_rts = stage4_bank2[39:16];
    wire [7:0] stage4_bank2_writes = stage4_bank2[15:8];
    wire [7:0] stage4_bank2_owner = stage4_bank2[7:0];
    wire stage4_bank2_replaced = bank_of_request[2] & (stage4_row2 == stage5_row2);
    wire [91:0] bank3_ram;
    wire _bank3_0 = in_clear | written_banks[3];
    wire [5:0] _bank3_1 = in_clear ? clear_row : stage5_row3;
    wire [91:0] _bank3_2 = in_clear ? 92'd0 : placed;
    wire [5:0] _bank3_3 = in_read ? hashed_row3 : stage1_row3;
    // Bank 3 of the precise table.
    getm_metadata_bank3 bank3 (
        .clk(clk),
        .w0_enable(_bank3_0),
        .w0_address(_bank3_1),
        .w0_data(_bank3_2),
        .r0_enable(banks_are_read),
        .r0_address(_bank3_3),
        .r0_data(bank3_ram)
    );
    // The row was written at the edge at which it was read.
    reg bank3_bypass;
    reg [91:0] bank3_written;
    always @(posedge clk) begin
        if (banks_are_read) begin
            bank3_written <= _bank3_2;
            bank3_bypass <= _bank3_0 & (_bank3_1 == _bank3_3);
        end
    end
    wire [91:0] bank3_read = bank3_bypass ? bank3_written : bank3_ram;
    reg [91:0] stage3_bank3;
    wire stage2_bank3_replaced = bank_of_request[3] & (stage2_row3 == stage5_row3);
    always @(posedge clk) begin
        if (moves) begin
            stage3_bank3 <= stage2_bank3_replaced ? after_entry : bank3_read;
        end
    end
    wire stage3_bank3_valid = stage3_bank3[91];
    wire [26:0] stage3_bank3_granule = stage3_bank3[90:64];
    wire stage3_bank3_replaced = bank_of_request[3] & (stage3_row3 == stage5_row3);
    reg [91:0] stage4_bank3;
    reg stage4_bank3_hit;
    always @(posedge clk) begin
        if (moves) begin
            stage4_bank3 <= stage3_bank3_replaced ? after_entry : stage3_bank3;
        end else if (in_load) begin
            stage4_bank3 <= bank3_read;
        end
    end
    wire _stage4_bank3_hit_0 =
        stage3_bank3_replaced ? stage3_granule_in_stage5 :
        (stage3_bank3_valid & (stage3_bank3_granule == stage3_address[31:5]));
    always @(posedge clk) begin
        if (moves) begin
            stage4_bank3_hit <= _stage4_bank3_hit_0;
        end
    end
    wire stage4_bank3_valid = stage4_bank3[91];
    wire [26:0] stage4_bank3_granule = stage4_bank3[90:64];
    wire [23:0] stage4_bank3_wts = stage4_bank3[63:40];
    wire [23:0] stage4_bank3_rts = stage4_bank3[39:16];
    wire [7:0] stage4_bank3_writes = stage4_bank3[15:8];
    wire [7:0] stage4_bank3_owner = stage4_bank3[7:0];
    wire stage4_bank3_replaced = bank_of_request[3] & (stage4_row3 == stage5_row3);
    wire [3:0] stage4_bank_hits =
        {stage4_bank3_hit, stage4_bank2_hit, stage4_bank1_hit, stage4_bank0_hit};
    wire [3:0] replaced_candidates =
        {stage4_bank3_replaced, stage4_bank2_replaced, stage4_bank1_replaced,
        stage4_bank0_replaced};
    reg stash0_valid;
    reg [26:0] stash0_granule;
    reg [23:0] stash0_wts;
    reg [23:0] stash0_rts;
    reg [7:0] stash0_writes;
    reg [7:0] stash0_owner;
    reg stash1_valid;
    reg [26:0] stash1_granule;
    reg [23:0] stash1_wts;
    reg [23:0] stash1_rts;
    reg [7:0] stash1_writes;
    reg [7:0] stash1_owner;
    reg stash2_valid;
    reg [26:0] stash2_granule;
    reg [23:0] stash2_wts;
    reg [23:0] stash2_rts;
    reg [7:0] stash2_writes;
    reg [7:0] stash2_owner;
    reg stash3_valid;
    reg [26:0] stash3_granule;
    reg [23:0] stash3_wts;
    reg [23:0] stash3_rts;
    reg [7:0] stash3_writes;
    reg [7:0] stash3_owner;
    reg [3:0] stage4_stash_hits;
    wire [3:0] _stage4_stash_hits_0 =
        {(stash3_valid & (stash3_granule == stage3_address[31:5])),
        (stash2_valid & (stash2_granule == stage3_address[31:5])),
        (stash1_valid & (stash1_granule == stage3_address[31:5])),
        (stash0_valid & (stash0_granule == stage3_address[31:5]))};
    reg [3:0] stage5_bank_hits;
    reg [3:0] stage5_stash_hits;
    always @(posedge clk) begin
        if (moves) begin
            stage4_stash_hits <= _stage4_stash_hits_0;
        end
    end
    // The granule is in a bank or in the stash.
    reg stage5_hit;
    reg [23:0] before_wts;
    reg [23:0] before_rts;
    reg [7:0] before_writes;
    reg [7:0] before_owner;
    reg before_written_later;
    reg before_read_later;
    reg before_owned;
    reg [7:0] before_counted;
    // The bank for a new entry, one-hot.
    reg [3:0] stage5_room;
    reg stage5_room_is_free;
    reg stage5_victim_valid;
    reg [26:0] stage5_victim_granule;
    reg [23:0] stage5_victim_wts;
    reg [23:0] stage5_victim_rts;
    reg [7:0] stage5_victim_writes;
    reg [7:0] stage5_victim_owner;
    // The victim goes to the Bloom filter.
    reg stage5_evicts;
    always @(posedge clk) begin
        if (advance) begin
            stage5_stash_hits <= stage4_stash_hits;
        end
    end
    wire [3:0] victim_row0 =
        {(^(stage5_victim_granule & 27'h4e61dcb)), (^(stage5_victim_granule & 27'h6948a22)),
        (^(stage5_victim_granule & 27'h34a16d5)), (^(stage5_victim_granule & 27'h310e7fb))};
    wire [3:0] victim_row1 =
        {(^(stage5_victim_granule & 27'h03d9b37)), (^(stage5_victim_granule & 27'h3d8da32)),
        (^(stage5_victim_granule & 27'h46a4d50)), (^(stage5_victim_granule & 27'h5c94a85))};
    wire [3:0] victim_row2 =
        {(^(stage5_victim_granule & 27'h1fcf33f)), (^(stage5_victim_granule & 27'h11edf98)),
        (^(stage5_victim_granule & 27'h1222751)), (^(stage5_victim_granule & 27'h62d5411))};
    wire [3:0] victim_row3 =
        {(^(stage5_victim_granule & 27'h7d874fd)), (^(stage5_victim_granule & 27'h2b84996)),
        (^(stage5_victim_granule & 27'h37c636d)), (^(stage5_victim_granule & 27'h218564b))};
    reg stage6_victim_valid;
    reg [3:0] stage6_victim_row0;
    reg [3:0] stage6_victim_row1;
    reg [3:0] stage6_victim_row2;
    reg [3:0] stage6_victim_row3;
    reg [23:0] stage6_victim_wts;
    reg [23:0] stage6_victim_rts;
    always @(posedge clk) begin
        if (victims_advance) begin
            stage6_victim_valid <= stage5_evicts;
            stage6_victim_row0 <= victim_row0;
            stage6_victim_row1 <= victim_row1;
            stage6_victim_row2 <= victim_row2;
            stage6_victim_row3 <= victim_row3;
            stage6_victim_wts <= stage5_victim_wts;
            stage6_victim_rts <= stage5_victim_rts;
        end
        if (rst) begin
            stage6_victim_valid <= 1'b0;
        end
    end
    wire [47:0] stage6_bloom0;
    wire [47:0] _bloom0_raised_0 =
        {((stage6_bloom0[47:24] < stage6_victim_wts) ? stage6_victim_wts : stage6_bloom0[47:24]),
        ((stage6_bloom0[23:0] < stage6_victim_rts) ? stage6_victim_rts : stage6_bloom0[23:0])};
    wire [47:0] bloom0_raised = in_clear ? 48'd0 : _bloom0_raised_0;
    wire [47:0] bloom0_insertion_ram;
    wire _bloom0_insertion_0 = in_clear | (stage6_victim_valid & victims_advance);
    wire [3:0] _bloom0_insertion_1 = in_clear ? clear_row[3:0] : stage6_victim_row0;
    // Way 0 of the recency Bloom filter, as read by insertions.
    getm_metadata_bloom0_insertion bloom0_insertion (
        .clk(clk),
        .w0_enable(_bloom0_insertion_0),
        .w0_address(_bloom0_insertion_1),
        .w0_data(bloom0_raised),
        .r0_enable(victims_advance),
        .r0_address(victim_row0),
        .r0_data(bloom0_insertion_ram)
    );
    // The row was written at the edge at which it was read.
    reg bloom0_insertion_bypass;
    reg [47:0] bloom0_insertion_written;
    always @(posedge clk) begin
        if (victims_advance) begin
            bloom0_insertion_written <= bloom0_raised;
            bloom0_insertion_bypass <= _bloom0_insertion_0 & (_bloom0_insertion_1 == victim_row0);
        end
    end
    wire [47:0] bloom0_insertion_read =
        bloom0_insertion_bypass ? bloom0_insertion_written : bloom0_insertion_ram;
    assign stage6_bloom0 = bloom0_insertion_read;
    wire [47:0] bloom0_lookup_ram;
    // Way 0 of the recency Bloom filter, as read by lookups.
    getm_metadata_bloom0_lookup bloom0_lookup (
        .clk(clk),
        .w0_enable(_bloom0_insertion_0),
        .w0_address(_bloom0_insertion_1),
        .w0_data(bloom0_raised),
        .r0_enable(moves),
        .r0_address(stage1_bloom_row0),
        .r0_data(bloom0_lookup_ram)
    );
    // The row was written at the edge at which it was read.
    reg bloom0_lookup_bypass;
    reg [47:0] bloom0_lookup_written;
    always @(posedge clk) begin
        if (moves) begin
            bloom0_lookup_written <= bloom0_raised;
            bloom0_lookup_bypass <=
                _bloom0_insertion_0 & (_bloom0_insertion_1 == stage1_bloom_row0);
        end
    end
    wire [47:0] bloom0_lookup_read =
        bloom0_lookup_bypass ? bloom0_lookup_written : bloom0_lookup_ram;
    reg [47:0] stage3_bloom0;
    reg [47:0] stage4_bloom0;
    wire _stage3_bloom0_0 = stage5_evicts & (victim_row0 == stage2_bloom_row0);
    wire _stage3_bloom0_1 = stage6_victim_valid & (stage6_victim_row0 == stage2_bloom_row0);
    wire _stage3_bloom0_2 =
        _stage3_bloom0_0 & (bloom0_lookup_read[47:24] < stage5_victim_wts) &
        ~(_stage3_bloom0_1 & (stage5_victim_wts < stage6_victim_wts));
    wire [23:0] _stage3_bloom0_3 =
        _stage3_bloom0_2 ? stage5_victim_wts :
        ((_stage3_bloom0_1 & (bloom0_lookup_read[47:24] < stage6_victim_wts)) ? stage6_victim_wts :
        bloom0_lookup_read[47:24]);
    wire _stage3_bloom0_4 =
        _stage3_bloom0_0 & (bloom0_lookup_read[23:0] < stage5_victim_rts) &
        ~(_stage3_bloom0_1 & (stage5_victim_rts < stage6_victim_rts));
    wire [23:0] _stage3_bloom0_5 =
        _stage3_bloom0_4 ? stage5_victim_rts :
        ((_stage3_bloom0_1 & (bloom0_lookup_read[23:0] < stage6_victim_rts)) ? stage6_victim_rts :
        bloom0_lookup_read[23:0]);
    wire [47:0] _stage4_bloom0_0 =
        {((stage3_bloom0[47:24] < stage5_victim_wts) ? stage5_victim_wts : stage3_bloom0[47:24]),
        ((stage3_bloom0[23:0] < stage5_victim_rts) ? stage5_victim_rts : stage3_bloom0[23:0])};
    always @(posedge clk) begin
        if (moves) begin
            stage3_bloom0 <= {_stage3_bloom0_3, _stage3_bloom0_5};
            stage4_bloom0 <=
                (stage5_evicts & (victim_row0 == stage3_bloom_row0)) ? _stage4_bloom0_0 :
                stage3_bloom0;
        end
    end
    wire [23:0] stage3_bloom0_wts = stage3_bloom0[47:24];
    wire [23:0] stage3_bloom0_rts = stage3_bloom0[23:0];
    wire [23:0] stage4_bloom0_wts = stage4_bloom0[47:24];
    wire [23:0] stage4_bloom0_rts = stage4_bloom0[23:0];
    wire [47:0] stage6_bloom1;
    wire [47:0] _bloom1_raised_0 =
        {((stage6_bloom1[47:24] < stage6_victim_wts) ? stage6_victim_wts : stage6_bloom1[47:24]),
        ((stage6_bloom1[23:0] < stage6_victim_rts) ? stage6_victim_rts : stage6_bloom1[23:0])};
    wire [47:0] bloom1_raised = in_clear ? 48'd0 : _bloom1_raised_0;
    wire [47:0] bloom1_insertion_ram;
    wire _bloom1_insertion_0 = in_clear | (stage6_victim_valid & victims_advance);
    wire [3:0] _bloom1_insertion_1 = in_clear ? clear_row[3:0] : stage6_victim_row1;
    // Way 1 of the recency Bloom filter, as read by insertions.
    getm_metadata_bloom1_insertion bloom1_insertion (
        .clk(clk),
        .w0_enable(_bloom1_insertion_0),
        .w0_address(_bloom1_insertion_1),
        .w0_data(bloom1_raised),
        .r0_enable(victims_advance),
        .r0_address(victim_row1),
        .r0_data(bloom1_insertion_ram)
    );
    // The row was written at the edge at which it was read.
    reg bloom1_insertion_bypass;
    reg [47:0] bloom1_insertion_written;
    always @(posedge clk) begin
        if (victims_advance) begin
            bloom1_insertion_written <= bloom1_raised;
            bloom1_insertion_bypass <= _bloom1_insertion_0 & (_bloom1_insertion_1 == victim_row1);
        end
    end
    wire [47:0] bloom1_insertion_read =
        bloom1_insertion_bypass ? bloom1_insertion_written : bloom1_insertion_ram;
    assign stage6_bloom1 = bloom1_insertion_read;
    wire [47:0] bloom1_lookup_ram;
    // Way 1 of the recency Bloom filter, as read by lookups.
    getm_metadata_bloom1_lookup bloom1_lookup (
        .clk(clk),
        .w0_enable(_bloom1_insertion_0),
        .w0_address(_bloom1_insertion_1),
        .w0_data(bloom1_raised),
        .r0_enable(moves),
        .r0_address(stage1_bloom_row1),
        .r0_data(bloom1_lookup_ram)
    );
    // The row was written at the edge at which it was read.
    reg bloom1_lookup_bypass;
    reg [47:0] bloom1_lookup_written;
    always @(posedge clk) begin
        if (moves) begin
            bloom1_lookup_written <= bloom1_raised;
            bloom1_lookup_bypass <=
                _bloom1_insertion_0 & (_bloom1_insertion_1 == stage1_bloom_row1);
        end
    end
    wire [47:0] bloom1_lookup_read =
        bloom1_lookup_bypass ? bloom1_lookup_written : bloom1_lookup_ram;
    reg [47:0] stage3_bloom1;
    reg [47:0] stage4_bloom1;
    wire _stage3_bloom1_0 = stage5_evicts & (victim_row1 == stage2_bloom_row1);
    wire _stage3_bloom1_1 = stage6_victim_valid & (stage6_victim_row1 == stage2_bloom_row1);
    wire _stage3_bloom1_2 =
        _stage3_bloom1_0 & (bloom1_lookup_read[47:24] < stage5_victim_wts) &
        ~(_stage3_bloom1_1 & (stage5_victim_wts < stage6_victim_wts));
    wire [23:0] _stage3_bloom1_3 =
        _stage3_bloom1_2 ? stage5_victim_wts :
        ((_stage3_bloom1_1 & (bloom1_lookup_read[47:24] < stage6_victim_wts)) ? stage6_victim_wts :
        bloom1_lookup_read[47:24]);
    wire _stage3_bloom1_4 =
        _stage3_bloom1_0 & (bloom1_lookup_read[23:0] < stage5_victim_rts) &
        ~(_stage3_bloom1_1 & (stage5_victim_rts < stage6_victim_rts));
    wire [23:0] _stage3_bloom1_5 =
        _stage3_bloom1_4 ? stage5_victim_rts :
        ((_stage3_bloom1_1 & (bloom1_lookup_read[23:0] < stage6_victim_rts)) ? stage6_victim_rts :
        bloom1_lookup_read[23:0]);
    wire [47:0] _stage4_bloom1_0 =
        {((stage3_bloom1[47:24] < stage5_victim_wts) ? stage5_victim_wts : stage3_bloom1[47:24]),
        ((stage3_bloom1[23:0] < stage5_victim_rts) ? stage5_victim_rts : stage3_bloom1[23:0])};
    always @(posedge clk) begin
        if (moves) begin
            stage3_bloom1 <= {_stage3_bloom1_3, _stage3_bloom1_5};
            stage4_bloom1 <=
                (stage5_evicts & (victim_row1 == stage3_bloom_row1)) ? _stage4_bloom1_0 :
                stage3_bloom1;
        end
    end
    wire [23:0] stage3_bloom1_wts = stage3_bloom1[47:24];
    wire [23:0] stage3_bloom1_rts = stage3_bloom1[23:0];
    wire [23:0] stage4_bloom1_wts = stage4_bloom1[47:24];
    wire [23:0] stage4_bloom1_rts = stage4_bloom1[23:0];
    wire [47:0] stage6_bloom2;
    wire [47:0] _bloom2_raised_0 =
        {((stage6_bloom2[47:24] < stage6_victim_wts) ? stage6_victim_wts : stage6_bloom2[47:24]),
        ((stage6_bloom2[23:0] < stage6_victim_rts) ? stage6_victim_rts : stage6_bloom2[23:0])};
    wire [47:0] bloom2_raised = in_clear ? 48'd0 : _bloom2_raised_0;
    wire [47:0] bloom2_insertion_ram;
    wire _bloom2_insertion_0 = in_clear | (stage6_victim_valid & victims_advance);
    wire [3:0] _bloom2_insertion_1 = in_clear ? clear_row[3:0] : stage6_victim_row2;
    // Way 2 of the recency Bloom filter, as read by insertions.
    getm_metadata_bloom2_insertion bloom2_insertion (
        .clk(clk),
        .w0_enable(_bloom2_insertion_0),
        .w0_address(_bloom2_insertion_1),
        .w0_data(bloom2_raised),
        .r0_enable(victims_advance),
        .r0_address(victim_row2),
        .r0_data(bloom2_insertion_ram)
    );
    // The row was written at the edge at which it was read.
    reg bloom2_insertion_bypass;
    reg [47:0] bloom2_insertion_written;
    always @(posedge clk) begin
        if (victims_advance) begin
            bloom2_insertion_written <= bloom2_raised;
            bloom2_insertion_bypass <= _bloom2_insertion_0 & (_bloom2_insertion_1 == victim_row2);
        end
    end
    wire [47:0] bloom2_insertion_read =
        bloom2_insertion_bypass ? bloom2_insertion_written : bloom2_insertion_ram;
    assign stage6_bloom2 = bloom2_insertion_read;
    wire [47:0] bloom2_lookup_ram;
    // Way 2 of the recency Bloom filter, as read by lookups.
    getm_metadata_bloom2_lookup bloom2_lookup (
        .clk(clk),
        .w0_enable(_bloom2_insertion_0),
        .w0_address(_bloom2_insertion_1),
        .w0_data(bloom2_raised),
        .r0_enable(moves),
        .r0_address(stage1_bloom_row2),
        .r0_data(bloom2_lookup_ram)
    );
    // The row was written at the edge at which it was read.
    reg bloom2_lookup_bypass;
    reg [47:0] bloom2_lookup_written;
    always @(posedge clk) begin
        if (moves) begin
            bloom2_lookup_written <= bloom2_raised;
            bloom2_lookup_bypass <=
                _bloom2_insertion_0 & (_bloom2_insertion_1 == stage1_bloom_row2);
        end
    end
    wire [47:0] bloom2_lookup_read =
        bloom2_lookup_bypass ? bloom2_lookup_written : bloom2_lookup_ram;
    reg [47:0] stage3_bloom2;
    reg [47:0] stage4_bloom2;
    wire _stage3_bloom2_0 = stage5_evicts & (victim_row2 == stage2_bloom_row2);
    wire _stage3_bloom2_1 = stage6_victim_valid & (stage6_victim_row2 == stage2_bloom_row2);
    wire _stage3_bloom2_2 =
        _stage3_bloom2_0 & (bloom2_lookup_read[47:24] < stage5_victim_wts) &
        ~(_stage3_bloom2_1 & (stage5_victim_wts < stage6_victim_wts));
    wire [23:0] _stage3_bloom2_3 =
        _stage3_bloom2_2 ? stage5_victim_wts :
        ((_stage3_bloom2_1 & (bloom2_lookup_read[47:24] < stage6_victim_wts)) ? stage6_victim_wts :
        bloom2_lookup_read[47:24]);
    wire _stage3_bloom2_4 =
        _stage3_bloom2_0 & (bloom2_lookup_read[23:0] < stage5_victim_rts) &
        ~(_stage3_bloom2_1 & (stage5_victim_rts < stage6_victim_rts));
    wire [23:0] _stage3_bloom2_5 =
        _stage3_bloom2_4 ? stage5_victim_rts :
        ((_stage3_bloom2_1 & (bloom2_lookup_read[23:0] < stage6_victim_rts)) ? stage6_victim_rts :
        bloom2_lookup_read[23:0]);
    wire [47:0] _stage4_bloom2_0 =
        {((stage3_bloom2[47:24] < stage5_victim_wts) ? stage5_victim_wts : stage3_bloom2[47:24]),
        ((stage3_bloom2[23:0] < stage5_victim_rts) ? stage5_victim_rts : stage3_bloom2[23:0])};
    always @(posedge clk) begin
        if (moves) begin
            stage3_bloom2 <= {_stage3_bloom2_3, _stage3_bloom2_5};
            stage4_bloom2 <=
                (stage5_evicts & (victim_row2 == stage3_bloom_row2)) ? _stage4_bloom2_0 :
                stage3_bloom2;
        end
    end
    wire [23:0] stage3_bloom2_wts = stage3_bloom2[47:24];
    wire [23:0] stage3_bloom2_rts = stage3_bloom2[23:0];
    wire [23:0] stage4_bloom2_wts = stage4_bloom2[47:24];
    wire [23:0] stage4_bloom2_rts = stage4_bloom2[23:0];
    wire [47:0] stage6_bloom3;
    wire [47:0] _bloom3_raised_0 =
        {((stage6_bloom3[47:24] < stage6_victim_wts) ? stage6_victim_wts : stage6_bloom3[47:24]),
        ((stage6_bloom3[23:0] < stage6_victim_rts) ? stage6_victim_rts : stage6_bloom3[23:0])};
    wire [47:0] bloom3_raised = in_clear ? 48'd0 : _bloom3_raised_0;
    wire [47:0] bloom3_insertion_ram;
    wire _bloom3_insertion_0 = in_clear | (stage6_victim_valid & victims_advance);
    wire [3:0] _bloom3_insertion_1 = in_clear ? clear_row[3:0] : stage6_victim_row3;
    // Way 3 of the recency Bloom filter, as read by insertions.
    getm_metadata_bloom3_insertion bloom3_insertion (
        .clk(clk),
        .w0_enable(_bloom3_insertion_0),
        .w0_address(_bloom3_insertion_1),
        .w0_data(bloom3_raised),
        .r0_enable(victims_advance),
        .r0_address(victim_row3),
        .r0_data(bloom3_insertion_ram)
    );
    // The row was written at the edge at which it was read.
    reg bloom3_insertion_bypass;
    reg [47:0] bloom3_insertion_written;
    always @(posedge clk) begin
        if (victims_advance) begin
            bloom3_insertion_written <= bloom3_raised;
            bloom3_insertion_bypass <= _bloom3_insertion_0 & (_bloom3_insertion_1 == victim_row3);
        end
    end
    wire [47:0] bloom3_insertion_read =
        bloom3_insertion_bypass ? bloom3_insertion_written : bloom3_insertion_ram;
    assign stage6_bloom3 = bloom3_insertion_read;
    wire [47:0] bloom3_lookup_ram;
    // Way 3 of the recency Bloom filter, as read by lookups.
    getm_metadata_bloom3_lookup bloom3_lookup (
        .clk(clk),
        .w0_enable(_bloom3_insertion_0),
        .w0_address(_bloom3_insertion_1),
        .w0_data(bloom3_raised),
        .r0_enable(moves),
        .r0_address(stage1_bloom_row3),
        .r0_data(bloom3_lookup_ram)
    );
    // The row was written at the edge at which it was read.
    reg bloom3_lookup_bypass;
    reg [47:0] bloom3_lookup_written;
    always @(posedge clk) begin
        if (moves) begin
            bloom3_lookup_written <= bloom3_raised;
            bloom3_lookup_bypass <=
                _bloom3_insertion_0 & (_bloom3_insertion_1 == stage1_bloom_row3);
        end
    end
    wire [47:0] bloom3_lookup_read =
        bloom3_lookup_bypass ? bloom3_lookup_written : bloom3_lookup_ram;
    reg [47:0] stage3_bloom3;
    reg [47:0] stage4_bloom3;
    wire _stage3_bloom3_0 = stage5_evicts & (victim_row3 == stage2_bloom_row3);
    wire _stage3_bloom3_1 = stage6_victim_valid & (stage6_victim_row3 == stage2_bloom_row3);
    wire _stage3_bloom3_2 =
        _stage3_bloom3_0 & (bloom3_lookup_read[47:24] < stage5_victim_wts) &
        ~(_stage3_bloom3_1 & (stage5_victim_wts < stage6_victim_wts));
    wire [23:0] _stage3_bloom3_3 =
        _stage3_bloom3_2 ? stage5_victim_wts :
        ((_stage3_bloom3_1 & (bloom3_lookup_read[47:24] < stage6_victim_wts)) ? stage6_victim_wts :
        bloom3_lookup_read[47:24]);
    wire _stage3_bloom3_4 =
        _stage3_bloom3_0 & (bloom3_lookup_read[23:0] < stage5_victim_rts) &
        ~(_stage3_bloom3_1 & (stage5_victim_rts < stage6_victim_rts));
    wire [23:0] _stage3_bloom3_5 =
        _stage3_bloom3_4 ? stage5_victim_rts :
        ((_stage3_bloom3_1 & (bloom3_lookup_read[23:0] < stage6_victim_rts)) ? stage6_victim_rts :
        bloom3_lookup_read[23:0]);
    wire [47:0] _stage4_bloom3_0 =
        {((stage3_bloom3[47:24] < stage5_victim_wts) ? stage5_victim_wts : stage3_bloom3[47:24]),
        ((stage3_bloom3[23:0] < stage5_victim_rts) ? stage5_victim_rts : stage3_bloom3[23:0])};
    always @(posedge clk) begin
        if (moves) begin
            stage3_bloom3 <= {_stage3_bloom3_3, _stage3_bloom3_5};
            stage4_bloom3 <=
                (stage5_evicts & (victim_row3 == stage3_bloom_row3)) ? _stage4_bloom3_0 :
                stage3_bloom3;
        end
    end
    wire [23:0] stage3_bloom3_wts = stage3_bloom3[47:24];
    wire [23:0] stage3_bloom3_rts = stage3_bloom3[23:0];
    wire [23:0] stage4_bloom3_wts = stage4_bloom3[47:24];
    wire [23:0] stage4_bloom3_rts = stage4_bloom3[23:0];
    reg stage4_wts0_above1;
    wire _stage4_wts0_above1_0 = stage3_bloom0_wts < stage5_victim_wts;
    wire _stage4_wts0_above1_1 = stage5_evicts & (victim_row0 == stage3_bloom_row0);
    wire _stage4_wts0_above1_2 = _stage4_wts0_above1_0 & _stage4_wts0_above1_1;
    wire _stage4_wts0_above1_3 = stage3_bloom1_wts < stage5_victim_wts;
    wire _stage4_wts0_above1_4 = stage5_evicts & (victim_row1 == stage3_bloom_row1);
    wire _stage4_wts0_above1_5 = _stage4_wts0_above1_3 & _stage4_wts0_above1_4;
    wire _stage4_wts0_above1_6 =
        _stage4_wts0_above1_2 ? (_stage4_wts0_above1_5 | ~_stage4_wts0_above1_3) :
        (_stage4_wts0_above1_5 ? _stage4_wts0_above1_0 : (stage3_bloom0_wts <= stage3_bloom1_wts));
    reg stage4_wts0_above2;
    wire _stage4_wts0_above2_0 = stage3_bloom2_wts < stage5_victim_wts;
    wire _stage4_wts0_above2_1 = stage5_evicts & (victim_row2 == stage3_bloom_row2);
    wire _stage4_wts0_above2_2 = _stage4_wts0_above2_0 & _stage4_wts0_above2_1;
    wire _stage4_wts0_above2_3 =
        _stage4_wts0_above1_2 ? (_stage4_wts0_above2_2 | ~_stage4_wts0_above2_0) :
        (_stage4_wts0_above2_2 ? _stage4_wts0_above1_0 : (stage3_bloom0_wts <= stage3_bloom2_wts));
    reg stage4_wts0_above3;
    wire _stage4_wts0_above3_0 = stage3_bloom3_wts < stage5_victim_wts;
    wire _stage4_wts0_above3_1 = stage5_evicts & (victim_row3 == stage3_bloom_row3);
    wire _stage4_wts0_above3_2 = _stage4_wts0_above3_0 & _stage4_wts0_above3_1;
    wire _stage4_wts0_above3_3 =
        _stage4_wts0_above1_2 ? (_stage4_wts0_above3_2 | ~_stage4_wts0_above3_0) :
        (_stage4_wts0_above3_2 ? _stage4_wts0_above1_0 : (stage3_bloom0_wts <= stage3_bloom3_wts));
    reg stage4_wts1_above2;
    wire _stage4_wts1_above2_0 =
        _stage4_wts0_above1_5 ? (_stage4_wts0_above2_2 | ~_stage4_wts0_above2_0) :
        (_stage4_wts0_above2_2 ? _stage4_wts0_above1_3 : (stage3_bloom1_wts <= stage3_bloom2_wts));
    reg stage4_wts1_above3;
    wire _stage4_wts1_above3_0 =
        _stage4_wts0_above1_5 ? (_stage4_wts0_above3_2 | ~_stage4_wts0_above3_0) :
        (_stage4_wts0_above3_2 ? _stage4_wts0_above1_3 : (stage3_bloom1_wts <= stage3_bloom3_wts));
    reg stage4_wts2_above3;
    wire _stage4_wts2_above3_0 =
        _stage4_wts0_above2_2 ? (_stage4_wts0_above3_2 | ~_stage4_wts0_above3_0) :
        (_stage4_wts0_above3_2 ? _stage4_wts0_above2_0 : (stage3_bloom2_wts <= stage3_bloom3_wts));
    always @(posedge clk) begin
        if (moves) begin
            stage4_wts0_above1 <= ~_stage4_wts0_above1_6;
            stage4_wts0_above2 <= ~_stage4_wts0_above2_3;
            stage4_wts0_above3 <= ~_stage4_wts0_above3_3;
            stage4_wts1_above2 <= ~_stage4_wts1_above2_0;
            stage4_wts1_above3 <= ~_stage4_wts1_above3_0;
            stage4_wts2_above3 <= ~_stage4_wts2_above3_0;
        end
    end
    wire _least_wts_ways_0 = stage4_bloom3_wts < stage5_victim_wts;
    wire _least_wts_ways_1 = stage5_evicts & (victim_row3 == stage4_bloom_row3);
    wire _least_wts_ways_2 = _least_wts_ways_0 & _least_wts_ways_1;
    wire _least_wts_ways_3 = stage4_bloom2_wts < stage5_victim_wts;
    wire _least_wts_ways_4 = stage5_evicts & (victim_row2 == stage4_bloom_row2);
    wire _least_wts_ways_5 = _least_wts_ways_3 & _least_wts_ways_4;
    wire _least_wts_ways_6 =
        _least_wts_ways_2 ? (_least_wts_ways_5 | ~_least_wts_ways_3) :
        (_least_wts_ways_5 ? _least_wts_ways_0 : stage4_wts2_above3);
    wire _least_wts_ways_7 = stage4_bloom1_wts < stage5_victim_wts;
    wire _least_wts_ways_8 = stage5_evicts & (victim_row1 == stage4_bloom_row1);
    wire _least_wts_ways_9 = _least_wts_ways_7 & _least_wts_ways_8;
    wire _least_wts_ways_10 =
        _least_wts_ways_2 ? (_least_wts_ways_9 | ~_least_wts_ways_7) :
        (_least_wts_ways_9 ? _least_wts_ways_0 : stage4_wts1_above3);
    wire _least_wts_ways_11 = stage4_bloom0_wts < stage5_victim_wts;
    wire _least_wts_ways_12 = stage5_evicts & (victim_row0 == stage4_bloom_row0);
    wire _least_wts_ways_13 = _least_wts_ways_11 & _least_wts_ways_12;
    wire _least_wts_ways_14 =
        _least_wts_ways_2 ? (_least_wts_ways_13 | ~_least_wts_ways_11) :
        (_least_wts_ways_13 ? _least_wts_ways_0 : stage4_wts0_above3);
    wire _least_wts_ways_15 =
        _least_wts_ways_5 ? (_least_wts_ways_2 | ~_least_wts_ways_0) :
        (_least_wts_ways_2 ? _least_wts_ways_3 : ~stage4_wts2_above3);
    wire _least_wts_ways_16 =
        _least_wts_ways_5 ? (_least_wts_ways_9 | ~_least_wts_ways_7) :
        (_least_wts_ways_9 ? _least_wts_ways_3 : stage4_wts1_above2);
    wire _least_wts_ways_17 =
        _least_wts_ways_5 ? (_least_wts_ways_13 | ~_least_wts_ways_11) :
        (_least_wts_ways_13 ? _least_wts_ways_3 : stage4_wts0_above2);
    wire _least_wts_ways_18 =
        _least_wts_ways_9 ? (_least_wts_ways_2 | ~_least_wts_ways_0) :
        (_least_wts_ways_2 ? _least_wts_ways_7 : ~stage4_wts1_above3);
    wire _least_wts_ways_19 =
        _least_wts_ways_9 ? (_least_wts_ways_5 | ~_least_wts_ways_3) :
        (_least_wts_ways_5 ? _least_wts_ways_7 : ~stage4_wts1_above2);
    wire _least_wts_ways_20 =
        _least_wts_ways_9 ? (_least_wts_ways_13 | ~_least_wts_ways_11) :
        (_least_wts_ways_13 ? _least_wts_ways_7 : stage4_wts0_above1);
    wire _least_wts_ways_21 =
        _least_wts_ways_13 ? (_least_wts_ways_2 | ~_least_wts_ways_0) :
        (_least_wts_ways_2 ? _least_wts_ways_11 : ~stage4_wts0_above3);
    wire _least_wts_ways_22 =
        _least_wts_ways_13 ? (_least_wts_ways_5 | ~_least_wts_ways_3) :
        (_least_wts_ways_5 ? _least_wts_ways_11 : ~stage4_wts0_above2);
    wire _least_wts_ways_23 =
        _least_wts_ways_13 ? (_least_wts_ways_9 | ~_least_wts_ways_7) :
        (_least_wts_ways_9 ? _least_wts_ways_11 : ~stage4_wts0_above1);
    wire [3:0] least_wts_ways =
        {(&{1'b1, _least_wts_ways_6, _least_wts_ways_10, _least_wts_ways_14}),
        (&{_least_wts_ways_15, 1'b1, _least_wts_ways_16, _least_wts_ways_17}),
        (&{_least_wts_ways_18, _least_wts_ways_19, 1'b1, _least_wts_ways_20}),
        (&{_least_wts_ways_21, _least_wts_ways_22, _least_wts_ways_23, 1'b1})};
    wire [23:0] _estimated_wts_0 =
        ({24{least_wts_ways[0]}} & (_least_wts_ways_13 ? stage5_victim_wts : stage4_bloom0_wts)) |
        ({24{least_wts_ways[1]}} & (_least_wts_ways_9 ? stage5_victim_wts : stage4_bloom1_wts));
    wire [23:0] estimated_wts =
        _estimated_wts_0 | ({24{least_wts_ways[2]}} &
        (_least_wts_ways_5 ? stage5_victim_wts : stage4_bloom2_wts)) |
        ({24{least_wts_ways[3]}} & (_least_wts_ways_2 ? stage5_victim_wts : stage4_bloom3_wts));
    wire _estimated_wts_is_later_0 = stage4_warpts < stage5_victim_wts;
    wire _estimated_wts_is_later_1 =
        (least_wts_ways[0] & (_least_wts_ways_13 ? _estimated_wts_is_later_0 :
        (stage4_warpts < stage4_bloom0_wts))) |
        (least_wts_ways[1] & (_least_wts_ways_9 ? _estimated_wts_is_later_0 :
        (stage4_warpts < stage4_bloom1_wts)));
    wire _estimated_wts_is_later_2 =
        _estimated_wts_is_later_1 | (least_wts_ways[2] &
        (_least_wts_ways_5 ? _estimated_wts_is_later_0 : (stage4_warpts < stage4_bloom2_wts)));
    wire estimated_wts_is_later =
        _estimated_wts_is_later_2 | (least_wts_ways[3] &
        (_least_wts_ways_2 ? _estimated_wts_is_later_0 : (stage4_warpts < stage4_bloom3_wts)));
    reg stage4_rts0_above1;
    wire _stage4_rts0_above1_0 = stage3_bloom0_rts < stage5_victim_rts;
    wire _stage4_rts0_above1_1 = _stage4_rts0_above1_0 & _stage4_wts0_above1_1;
    wire _stage4_rts0_above1_2 = stage3_bloom1_rts < stage5_victim_rts;
    wire _stage4_rts0_above1_3 = _stage4_rts0_above1_2 & _stage4_wts0_above1_4;
    wire _stage4_rts0_above1_4 =
        _stage4_rts0_above1_1 ? (_stage4_rts0_above1_3 | ~_stage4_rts0_above1_2) :
        (_stage4_rts0_above1_3 ? _stage4_rts0_above1_0 : (stage3_bloom0_rts <= stage3_bloom1_rts));
    reg stage4_rts0_above2;
    wire _stage4_rts0_above2_0 = stage3_bloom2_rts < stage5_victim_rts;
    wire _stage4_rts0_above2_1 = _stage4_rts0_above2_0 & _stage4_wts0_above2_1;
    wire _stage4_rts0_above2_2 =
        _stage4_rts0_above1_1 ? (_stage4_rts0_above2_1 | ~_stage4_rts0_above2_0) :
        (_stage4_rts0_above2_1 ? _stage4_rts0_above1_0 : (stage3_bloom0_rts <= stage3_bloom2_rts));
    reg stage4_rts0_above3;
    wire _stage4_rts0_above3_0 = stage3_bloom3_rts < stage5_victim_rts;
    wire _stage4_rts0_above3_1 = _stage4_rts0_above3_0 & _stage4_wts0_above3_1;
    wire _stage4_rts0_above3_2 =
        _stage4_rts0_above1_1 ? (_stage4_rts0_above3_1 | ~_stage4_rts0_above3_0) :
        (_stage4_rts0_above3_1 ? _stage4_rts0_above1_0 : (stage3_bloom0_rts <= stage3_bloom3_rts));
    reg stage4_rts1_above2;
    wire _stage4_rts1_above2_0 =
        _stage4_rts0_above1_3 ? (_stage4_rts0_above2_1 | ~_stage4_rts0_above2_0) :
        (_stage4_rts0_above2_1 ? _stage4_rts0_above1_2 : (stage3_bloom1_rts <= stage3_bloom2_rts));
    reg stage4_rts1_above3;
    wire _stage4_rts1_above3_0 =
        _stage4_rts0_above1_3 ? (_stage4_rts0_above3_1 | ~_stage4_rts0_above3_0) :
        (_stage4_rts0_above3_1 ? _stage4_rts0_above1_2 : (stage3_bloom1_rts <= stage3_bloom3_rts));
    reg stage4_rts2_above3;
    wire _stage4_rts2_above3_0 =
        _stage4_rts0_above2_1 ? (_stage4_rts0_above3_1 | ~_stage4_rts0_above3_0) :
        (_stage4_rts0_above3_1 ? _stage4_rts0_above2_0 : (stage3_bloom2_rts <= stage3_bloom3_rts));
    always @(posedge clk) begin
        if (moves) begin
            stage4_rts0_above1 <= ~_stage4_rts0_above1_4;
            stage4_rts0_above2 <= ~_stage4_rts0_above2_2;
            stage4_rts0_above3 <= ~_stage4_rts0_above3_2;
            stage4_rts1_above2 <= ~_stage4_rts1_above2_0;
            stage4_rts1_above3 <= ~_stage4_rts1_above3_0;
            stage4_rts2_above3 <= ~_stage4_rts2_above3_0;
        end
    end
    wire _least_rts_ways_0 = stage4_bloom3_rts < stage5_victim_rts;
    wire _least_rts_ways_1 = _least_rts_ways_0 & _least_wts_ways_1;
    wire _least_rts_ways_2 = stage4_bloom2_rts < stage5_victim_rts;
    wire _least_rts_ways_3 = _least_rts_ways_2 & _least_wts_ways_4;
    wire _least_rts_ways_4 =
        _least_rts_ways_1 ? (_least_rts_ways_3 | ~_least_rts_ways_2) :
        (_least_rts_ways_3 ? _least_rts_ways_0 : stage4_rts2_above3);
    wire _least_rts_ways_5 = stage4_bloom1_rts < stage5_victim_rts;
    wire _least_rts_ways_6 = _least_rts_ways_5 & _least_wts_ways_8;
    wire _least_rts_ways_7 =
        _least_rts_ways_1 ? (_least_rts_ways_6 | ~_least_rts_ways_5) :
        (_least_rts_ways_6 ? _least_rts_ways_0 : stage4_rts1_above3);
    wire _least_rts_ways_8 = stage4_bloom0_rts < stage5_victim_rts;
    wire _least_rts_ways_9 = _least_rts_ways_8 & _least_wts_ways_12;
    wire _least_rts_ways_10 =
        _least_rts_ways_1 ? (_least_rts_ways_9 | ~_least_rts_ways_8) :
        (_least_rts_ways_9 ? _least_rts_ways_0 : stage4_rts0_above3);
    wire _least_rts_ways_11 =
        _least_rts_ways_3 ? (_least_rts_ways_1 | ~_least_rts_ways_0) :
        (_least_rts_ways_1 ? _least_rts_ways_2 : ~stage4_rts2_above3);
    wire _least_rts_ways_12 =
        _least_rts_ways_3 ? (_least_rts_ways_6 | ~_least_rts_ways_5) :
        (_least_rts_ways_6 ? _least_rts_ways_2 : stage4_rts1_above2);
    wire _least_rts_ways_13 =
        _least_rts_ways_3 ? (_least_rts_ways_9 | ~_least_rts_ways_8) :
        (_least_rts_ways_9 ? _least_rts_ways_2 : stage4_rts0_above2);
    wire _least_rts_ways_14 =
        _least_rts_ways_6 ? (_least_rts_ways_1 | ~_least_rts_ways_0) :
        (_least_rts_ways_1 ? _least_rts_ways_5 : ~stage4_rts1_above3);
    wire _least_rts_ways_15 =
        _least_rts_ways_6 ? (_least_rts_ways_3 | ~_least_rts_ways_2) :
        (_least_rts_ways_3 ? _least_rts_ways_5 : ~stage4_rts1_above2);
    wire _least_rts_ways_16 =
        _least_rts_ways_6 ? (_least_rts_ways_9 | ~_least_rts_ways_8) :
        (_least_rts_ways_9 ? _least_rts_ways_5 : stage4_rts0_above1);
    wire _least_rts_ways_17 =
        _least_rts_ways_9 ? (_least_rts_ways_1 | ~_least_rts_ways_0) :
        (_least_rts_ways_1 ? _least_rts_ways_8 : ~stage4_rts0_above3);
    wire _least_rts_ways_18 =
        _least_rts_ways_9 ? (_least_rts_ways_3 | ~_least_rts_ways_2) :
        (_least_rts_ways_3 ? _least_rts_ways_8 : ~stage4_rts0_above2);
    wire _least_rts_ways_19 =
        _least_rts_ways_9 ? (_least_rts_ways_6 | ~_least_rts_ways_5) :
        (_least_rts_ways_6 ? _least_rts_ways_8 : ~stage4_rts0_above1);
    wire [3:0] least_rts_ways =
        {(&{1'b1, _least_rts_ways_4, _least_rts_ways_7, _least_rts_ways_10}),
        (&{_least_rts_ways_11, 1'b1, _least_rts_ways_12, _least_rts_ways_13}),
        (&{_least_rts_ways_14, _least_rts_ways_15, 1'b1, _least_rts_ways_16}),
        (&{_least_rts_ways_17, _least_rts_ways_18, _least_rts_ways_19, 1'b1})};
    wire [23:0] _estimated_rts_0 =
        ({24{least_rts_ways[0]}} & (_least_rts_ways_9 ? stage5_victim_rts : stage4_bloom0_rts)) |
        ({24{least_rts_ways[1]}} & (_least_rts_ways_6 ? stage5_victim_rts : stage4_bloom1_rts));
    wire [23:0] estimated_rts =
        _estimated_rts_0 | ({24{least_rts_ways[2]}} &
        (_least_rts_ways_3 ? stage5_victim_rts : stage4_bloom2_rts)) |
        ({24{least_rts_ways[3]}} & (_least_rts_ways_1 ? stage5_victim_rts : stage4_bloom3_rts));
    wire _estimated_rts_is_later_0 = stage4_warpts < stage5_victim_rts;
    wire _estimated_rts_is_later_1 =
        (least_rts_ways[0] & (_least_rts_ways_9 ? _estimated_rts_is_later_0 :
        (stage4_warpts < stage4_bloom0_rts))) |
        (least_rts_ways[1] & (_least_rts_ways_6 ? _estimated_rts_is_later_0 :
        (stage4_warpts < stage4_bloom1_rts)));
    wire _estimated_rts_is_later_2 =
        _estimated_rts_is_later_1 | (least_rts_ways[2] &
        (_least_rts_ways_3 ? _estimated_rts_is_later_0 : (stage4_warpts < stage4_bloom2_rts)));
    wire estimated_rts_is_later =
        _estimated_rts_is_later_2 | (least_rts_ways[3] &
        (_least_rts_ways_1 ? _estimated_rts_is_later_0 : (stage4_warpts < stage4_bloom3_rts)));
    wire stage4_at_last_timestamp = &stage4_warpts;
    // A load or store with a meaning.
    reg stage5_is_access;
    wire _stage5_is_access_0 =
        ((stage4_op == 2'd0) | (stage4_op == 2'd1)) & ~stage4_at_last_timestamp;
    // An access or a release.
    reg stage5_looks;
    always @(posedge clk) begin
        if (advance) begin
            stage5_is_access <= _stage5_is_access_0;
            stage5_looks <= _stage5_is_access_0 | (stage4_op == 2'd2);
        end
    end
    wire busy = in_run & stage5_valid;
    wire overflow_insert;
    wire overflow_update;
    wire overflow_remove;
    wire [26:0] overflow_granule;
    wire [63:0] overflow_metadata;
    wire overflow_step;
    // Entries in the overflow space.
    reg [27:0] overflow_count;
    // There are entries: else it is not asked.
    reg overflow_in_use;
    // The lookup was made.
    reg overflow_asked;
    // The lookup was answered.
    reg overflow_answered;
    reg overflow_found;
    wire must_ask = busy & stage5_looks & ~stage5_hit & overflow_in_use & ~overflow_answered;
    wire overflow_lookup = must_ask & ~overflow_asked;
    wire overflow_ready;
    wire overflow_buffer_out_ready;
    wire overflow_buffer_in_ready;
    assign overflow_ready = overflow_buffer_in_ready;
    wire overflow_buffer_out_valid;
    wire [97:0] overflow_buffer_out_data;
    wire _overflow_buffer_0 = overflow_insert | overflow_update | overflow_remove;
    wire _overflow_buffer_1 = overflow_lookup | _overflow_buffer_0;
    wire _overflow_buffer_2 = overflow_insert | overflow_update;
    wire [97:0] _overflow_buffer_3 =
        {(({2{overflow_insert}} & 2'd1) | ({2{overflow_update}} & 2'd2) | {2{overflow_remove}}),
        {overflow_granule, 5'd0}, ({64{_overflow_buffer_2}} & overflow_metadata)};
    skid_buffer_w98 overflow_buffer (
        .clk(clk),
        .rst(rst),
        .in_valid(_overflow_buffer_1),
        .in_data(_overflow_buffer_3),
        .out_ready(overflow_buffer_out_ready),
        .in_ready(overflow_buffer_in_ready),
        .out_valid(overflow_buffer_out_valid),
        .out_data(overflow_buffer_out_data)
    );
    wire [1:0] overflow_buffer_op = overflow_buffer_out_data[97:96];
    wire [31:0] overflow_buffer_address = overflow_buffer_out_data[95:64];
    wire [23:0] overflow_buffer_wts = overflow_buffer_out_data[63:40];
    wire [23:0] overflow_buffer_rts = overflow_buffer_out_data[39:16];
    wire [7:0] overflow_buffer_writes = overflow_buffer_out_data[15:8];
    wire [7:0] overflow_buffer_owner = overflow_buffer_out_data[7:0];
    assign overflow_req_valid = overflow_buffer_out_valid;
    assign overflow_buffer_out_ready = overflow_req_ready;
    assign overflow_req_op = overflow_buffer_op;
    assign overflow_req_address = overflow_buffer_address;
    assign overflow_req_wts = overflow_buffer_wts;
    assign overflow_req_rts = overflow_buffer_rts;
    assign overflow_req_writes = overflow_buffer_writes;
    assign overflow_req_owner = overflow_buffer_owner;
    assign overflow_resp_ready = overflow_asked & ~overflow_answered;
    wire _overflow_asked_0 = overflow_resp_valid & overflow_resp_ready;
    always @(posedge clk) begin
        if (_overflow_asked_0) begin
            overflow_found <= overflow_resp_found;
        end
    end
    always @(posedge clk) begin
        if (overflow_lookup & (_overflow_buffer_1 & overflow_ready)) begin
            overflow_asked <= 1'b1;
        end
        if (overflow_step) begin
            overflow_asked <= 1'b0;
        end
        if (rst) begin
            overflow_asked <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (_overflow_asked_0) begin
            overflow_answered <= 1'b1;
        end
        if (overflow_step) begin
            overflow_answered <= 1'b0;
        end
        if (rst) begin
            overflow_answered <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (overflow_insert) begin
            overflow_count <= overflow_count + 28'd1;
        end else if (overflow_remove) begin
            overflow_count <= overflow_count - 28'd1;
        end
        if (rst) begin
            overflow_count <= 28'd0;
        end
    end
    always @(posedge clk) begin
        if (overflow_insert) begin
            overflow_in_use <= 1'b1;
        end else if (overflow_remove) begin
            overflow_in_use <= overflow_count != 28'd1;
        end
        if (rst) begin
            overflow_in_use <= 1'b0;
        end
    end
    // One more than the request's time: wts after a write at it.
    reg [23:0] stage4_successor;
    // What is added to the writes under way.
    reg [7:0] stage4_counts;
    // One more than the request's time: wts after a write at it.
    reg [23:0] stage5_successor;
    // What is added to the writes under way.
    reg [7:0] stage5_counts;
    always @(posedge clk) begin
        if (advance) begin
            stage5_successor <= stage4_successor;
            stage5_counts <= stage4_counts;
        end
    end
    always @(posedge clk) begin
        if (moves) begin
            stage4_successor <= stage3_warpts + 24'd1;
            stage4_counts <= (stage3_op == 2'd2) ? (8'd0 - stage3_count) : 8'd1;
        end
    end
    wire any_reserved;
    wire is_reserved = |before_writes;
    wire is_mine = before_owned & is_reserved;
    wire _aborts_count_0 = (stage5_op == 2'd1) & stage5_is_access;
    wire aborts_count = _aborts_count_0 & (is_mine & (&before_writes));
    wire _aborts_war_0 = (stage5_op == 2'd0) & stage5_is_access;
    wire aborts_war = _aborts_war_0 & ~is_mine & before_written_later;
    wire aborts_waw = _aborts_count_0 & ~is_mine & before_written_later;
    wire aborts_raw = _aborts_count_0 & ~is_mine & ~before_written_later & before_read_later;
    wire parks =
        stage5_is_access & ~is_mine & (~before_written_later &
        (_aborts_war_0 | ~before_read_later)) & is_reserved;
    wire _errors_0 = stage5_op == 2'd2;
    wire _errors_1 =
        _errors_0 & is_reserved & ((stage5_count == 8'd0) | (before_writes < stage5_count));
    wire _errors_2 = _errors_0 & ~is_reserved;
    wire [3:0] errors =
        {((stage5_op == 2'd3) & any_reserved),
        (((stage5_op == 2'd0) | (stage5_op == 2'd1)) & ~stage5_is_access), _errors_1, _errors_2};
    wire is_error = |errors;
    wire [2:0] _verdict_0 =
        ({3{parks}} & 3'd1) | ({3{aborts_war}} & 3'd2) | ({3{aborts_waw}} & 3'd3) |
        ({3{aborts_raw}} & 3'd4) | ({3{aborts_count}} & 3'd5);
    wire [2:0] verdict = _verdict_0 | ({3{is_error}} & 3'd6);
    wire _raises_rts_0 =
        stage5_is_access & ~(aborts_count | aborts_war | aborts_waw | aborts_raw | parks);
    wire raises_rts = _aborts_war_0 & _raises_rts_0 & ~before_read_later;
    wire stores = _aborts_count_0 & _raises_rts_0;
    wire reserves = stores & ~is_mine;
    wire releases = _errors_0 & ~_errors_2 & ~_errors_1;
    wire counts = releases | stores;
    wire [7:0] writes_after = counts ? before_counted : before_writes;
    wire frees = releases & (stage5_count == before_writes);
    wire [23:0] after_wts = reserves ? stage5_successor : before_wts;
    wire [23:0] after_rts = raises_rts ? stage5_warpts : before_rts;
    wire [7:0] after_owner = reserves ? stage5_warp : before_owner;
    wire [1:0] code = ({2{errors[1]}} & 2'd1) | ({2{errors[2]}} & 2'd2) | {2{errors[3]}};
    wire [7:0] after_writes = writes_after;
    wire reserved_after = stores | (is_reserved & ~frees);
    wire _in_overflow_0 = overflow_answered & overflow_found;
    wire in_overflow = _in_overflow_0 & stage5_looks;
    wire decided = busy & ~must_ask;
    wire tells_metadata = ~is_error & ~(stage5_op == 2'd3);
    wire answer_ready;
    wire answer_out_ready;
    wire answer_in_ready;
    assign answer_ready = answer_in_ready;
    wire answer_out_valid;
    wire [118:0] answer_out_data;
    wire [118:0] _answer_0 =
        {stage5_op, stage5_address, stage5_warp, stage5_warpts, stage5_tag, verdict,
        ({24{tells_metadata}} & before_wts), ({24{tells_metadata}} & before_rts),
        (reserved_after & tells_metadata)};
    skid_buffer_w119 answer (
        .clk(clk),
        .rst(rst),
        .in_valid(decided),
        .in_data(_answer_0),
        .out_ready(answer_out_ready),
        .in_ready(answer_in_ready),
        .out_valid(answer_out_valid),
        .out_data(answer_out_data)
    );
    wire [1:0] answer_op = answer_out_data[118:117];
    wire [31:0] answer_address = answer_out_data[116:85];
    wire [7:0] answer_warp = answer_out_data[84:77];
    wire [23:0] answer_warpts = answer_out_data[76:53];
    wire answer_tag = answer_out_data[52];
    wire [2:0] answer_verdict = answer_out_data[51:49];
    wire [23:0] answer_wts = answer_out_data[48:25];
    wire [23:0] answer_rts = answer_out_data[24:1];
    wire answer_reserved = answer_out_data[0];
    assign resp_valid = answer_out_valid;
    assign answer_out_ready = resp_ready;
    assign resp_op = answer_op;
    assign resp_address = answer_address;
    assign resp_warp = answer_warp;
    assign resp_warpts = answer_warpts;
    assign resp_tag = answer_tag;
    assign resp_verdict = answer_verdict;
    assign resp_wts = answer_wts;
    assign resp_rts = answer_rts;
    assign resp_reserved = answer_reserved;
    wire done = decided & answer_ready;
    assign overflow_step = done;
    reg error_raised;
    reg [1:0] error_kind;
    always @(posedge clk) begin
        error_kind <= code;
    end
    always @(posedge clk) begin
        error_raised <= done & is_error;
        if (rst) begin
            error_raised <= 1'b0;
        end
    end
    assign error_valid = error_raised;
    assign error_code = error_kind;
    assign step = ~stage5_valid | done;
    assign ends_clear = done & (stage5_op == 2'd3);
    assign clears = ends_clear & ~any_reserved;
    // To be counted.
    reg one_more_reserved;
    always @(posedge clk) begin
        one_more_reserved <= done & reserves;
        if (rst) begin
            one_more_reserved <= 1'b0;
        end
    end
    // To be counted.
    reg one_less_reserved;
    always @(posedge clk) begin
        one_less_reserved <= done & frees;
        if (rst) begin
            one_less_reserved <= 1'b0;
        end
    end
    // Granules reserved.
    reg [27:0] reserved_count;
    always @(posedge clk) begin
        if (one_more_reserved) begin
            reserved_count <= reserved_count + 28'd1;
        end else if (one_less_reserved) begin
            reserved_count <= reserved_count - 28'd1;
        end
        if (rst) begin
            reserved_count <= 28'd0;
        end
    end
    assign any_reserved =
        one_more_reserved | ((|reserved_count) & ~(one_less_reserved & (reserved_count == 28'd1)));
    wire is_new = stage5_valid & (stage5_is_access & ~stage5_hit & ~_in_overflow_0);
    wire inserts = (done & is_new) | in_place;
    wire finds_room = inserts & stage5_room_is_free;
    wire finds_no_room = inserts & ~stage5_room_is_free;
    assign kick = finds_no_room & may_kick;
    assign leaves_banks = finds_no_room & ~may_kick;
    wire updates = done & stage5_looks;
    wire _bank_of_request_0 = stage5_valid & stage5_looks;
    assign bank_of_request =
        ({4{_bank_of_request_0}} & stage5_bank_hits) | ({4{is_new}} & stage5_room);
    wire _written_banks_0 = finds_room | kick;
    assign written_banks =
        ({4{updates}} & stage5_bank_hits) | ({4{_written_banks_0}} & stage5_room);
    assign after_entry =
        {1'b1, stage5_address[31:5], after_wts, after_rts, after_writes, after_owner};
    assign placed =
        in_run ? after_entry : {moving_valid, moving_granule, moving_wts, moving_rts,
        moving_writes, moving_owner};
    assign overflow_granule = placed[90:64];
    wire [91:0] _moving_valid_0 =
        {stage5_victim_valid, stage5_victim_granule, stage5_victim_wts, stage5_victim_rts,
        stage5_victim_writes, stage5_victim_owner};
    wire [91:0] _moving_valid_1 = kick ? _moving_valid_0 : placed;
    wire _moving_owner_0 = kick | leaves_banks;
    always @(posedge clk) begin
        if (_moving_owner_0) begin
            moving_valid <= _moving_valid_1[91];
            moving_granule <= _moving_valid_1[90:64];
            moving_wts <= _moving_valid_1[63:40];
            moving_rts <= _moving_valid_1[39:16];
            moving_writes <= _moving_valid_1[15:8];
            moving_owner <= _moving_valid_1[7:0];
        end
    end
    wire moving_is_reserved = |moving_writes;
    wire moving_stays = in_leave & moving_is_reserved;
    wire [3:0] stash_empty = {~stash3_valid, ~stash2_valid, ~stash1_valid, ~stash0_valid};
    wire [3:0] stash_free =
        {(stash3_valid & (stash3_writes == 8'd0)), (stash2_valid & (stash2_writes == 8'd0)),
        (stash1_valid & (stash1_writes == 8'd0)), (stash0_valid & (stash0_writes == 8'd0))};
    wire [3:0] stash_room =
        (|stash_empty) ? (stash_empty & (~stash_empty + 4'd1)) :
        (stash_free & (~stash_free + 4'd1));
    wire [91:0] _stash_victim_valid_0 =
        ({92{stash_room[0]}} & {stash0_valid, stash0_granule, stash0_wts, stash0_rts,
        stash0_writes, stash0_owner}) |
        ({92{stash_room[1]}} & {stash1_valid, stash1_granule, stash1_wts, stash1_rts,
        stash1_writes, stash1_owner});
    wire [91:0] _stash_victim_valid_1 =
        _stash_victim_valid_0 | ({92{stash_room[2]}} &
        {stash2_valid, stash2_granule, stash2_wts, stash2_rts, stash2_writes, stash2_owner});
    wire [91:0] _stash_victim_valid_2 =
        _stash_victim_valid_1 | ({92{stash_room[3]}} &
        {stash3_valid, stash3_granule, stash3_wts, stash3_rts, stash3_writes, stash3_owner});
    wire stash_victim_valid = _stash_victim_valid_2[91];
    wire [26:0] stash_victim_granule = _stash_victim_valid_2[90:64];
    wire [23:0] stash_victim_wts = _stash_victim_valid_2[63:40];
    wire [23:0] stash_victim_rts = _stash_victim_valid_2[39:16];
    wire [7:0] stash_victim_writes = _stash_victim_valid_2[15:8];
    wire [7:0] stash_victim_owner = _stash_victim_valid_2[7:0];
    wire [3:0] stash_taken = {4{moving_stays}} & stash_room;
    wire overflows = moving_stays & ~(|stash_room);
    assign overflow_insert = overflows;
    wire [3:0] _stash1_granule_0 = ({4{updates}} & stage5_stash_hits) | stash_taken;
    always @(posedge clk) begin
        if (_stash1_granule_0[0]) begin
            stash0_granule <= placed[90:64];
            stash0_wts <= placed[63:40];
            stash0_rts <= placed[39:16];
            stash0_writes <= placed[15:8];
            stash0_owner <= placed[7:0];
        end
    end
    always @(posedge clk) begin
        if (_stash1_granule_0[1]) begin
            stash1_granule <= placed[90:64];
            stash1_wts <= placed[63:40];
            stash1_rts <= placed[39:16];
            stash1_writes <= placed[15:8];
            stash1_owner <= placed[7:0];
        end
    end
    always @(posedge clk) begin
        if (_stash1_granule_0[2]) begin
            stash2_granule <= placed[90:64];
            stash2_wts <= placed[63:40];
            stash2_rts <= placed[39:16];
            stash2_writes <= placed[15:8];
            stash2_owner <= placed[7:0];
        end
    end
    always @(posedge clk) begin
        if (_stash1_granule_0[3]) begin
            stash3_granule <= placed[90:64];
            stash3_wts <= placed[63:40];
            stash3_rts <= placed[39:16];
            stash3_writes <= placed[15:8];
            stash3_owner <= placed[7:0];
        end
    end
    always @(posedge clk) begin
        if (_stash1_granule_0[0]) begin
            stash0_valid <= placed[91];
        end
        if (clears) begin
            stash0_valid <= 1'b0;
        end
        if (rst) begin
            stash0_valid <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (_stash1_granule_0[1]) begin
            stash1_valid <= placed[91];
        end
        if (clears) begin
            stash1_valid <= 1'b0;
        end
        if (rst) begin
            stash1_valid <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (_stash1_granule_0[2]) begin
            stash2_valid <= placed[91];
        end
        if (clears) begin
            stash2_valid <= 1'b0;
        end
        if (rst) begin
            stash2_valid <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (_stash1_granule_0[3]) begin
            stash3_valid <= placed[91];
        end
        if (clears) begin
            stash3_valid <= 1'b0;
        end
        if (rst) begin
            stash3_valid <= 1'b0;
        end
    end
    assign overflow_update =
        done & in_overflow & ((_aborts_war_0 & _raises_rts_0 & (before_rts < stage5_warpts)) |
        stores | releases) & ~frees;
    assign overflow_remove = done & in_overflow & frees;
    assign overflow_metadata = placed[63:0];
    wire [63:0] _selected_wts_0 =
        ({64{stage4_bank_hits[0]}} & {stage4_bank0_wts, stage4_bank0_rts, stage4_bank0_writes,
        stage4_bank0_owner}) | ({64{stage4_bank_hits[1]}} &
        {stage4_bank1_wts, stage4_bank1_rts, stage4_bank1_writes, stage4_bank1_owner});
    wire [63:0] _selected_wts_1 =
        _selected_wts_0 | ({64{stage4_bank_hits[2]}} &
        {stage4_bank2_wts, stage4_bank2_rts, stage4_bank2_writes, stage4_bank2_owner});
    wire [63:0] _selected_wts_2 =
        _selected_wts_1 | ({64{stage4_bank_hits[3]}} &
        {stage4_bank3_wts, stage4_bank3_rts, stage4_bank3_writes, stage4_bank3_owner});
    wire [63:0] _selected_wts_3 =
        ({64{stage4_stash_hits[0]}} & {stash0_wts, stash0_rts, stash0_writes, stash0_owner}) |
        ({64{stage4_stash_hits[1]}} & {stash1_wts, stash1_rts, stash1_writes, stash1_owner});
    wire [63:0] _selected_wts_4 =
        _selected_wts_3 | ({64{stage4_stash_hits[2]}} &
        {stash2_wts, stash2_rts, stash2_writes, stash2_owner}) |
        ({64{stage4_stash_hits[3]}} & {stash3_wts, stash3_rts, stash3_writes, stash3_owner});
    wire [63:0] _selected_wts_5 = _selected_wts_2 | _selected_wts_4;
    wire [23:0] selected_wts = _selected_wts_5[63:40];
    wire [23:0] selected_rts = _selected_wts_5[39:16];
    wire [7:0] selected_writes = _selected_wts_5[15:8];
    wire [7:0] selected_owner = _selected_wts_5[7:0];
    reg stage4_granule_in_stage5;
    always @(posedge clk) begin
        if (moves) begin
            stage4_granule_in_stage5 <= stage3_address[31:5] == stage4_address[31:5];
        end
    end
    wire stage5_leaves_it =
        stage4_granule_in_stage5 & ((_bank_of_request_0 & stage5_hit) | is_new);
    wire [3:0] empty_candidates =
        {~stage4_bank3_valid, ~stage4_bank2_valid, ~stage4_bank1_valid, ~stage4_bank0_valid};
    wire [3:0] free_candidates =
        {(stage4_bank3_writes == 8'd0), (stage4_bank2_writes == 8'd0),
        (stage4_bank1_writes == 8'd0), (stage4_bank0_writes == 8'd0)};
    wire [3:0] empty_now = empty_candidates & ~replaced_candidates;
    wire [3:0] free_now =
        (free_candidates & ~replaced_candidates) | ({4{~reserved_after}} & replaced_candidates);
    wire any_empty = |empty_now;
    wire any_free = |free_now;
    wire [3:0] room =
        any_empty ? (empty_now & (~empty_now + 4'd1)) :
        (any_free ? (free_now & (~free_now + 4'd1)) : kick_bank);
    always @(posedge clk) begin
        if (advance) begin
            stage5_room <= room;
        end else if (in_choose) begin
            stage5_room <= room;
        end
    end
    wire _stage5_room_is_free_0 = any_empty | any_free;
    always @(posedge clk) begin
        if (advance) begin
            stage5_room_is_free <= _stage5_room_is_free_0;
        end else if (in_choose) begin
            stage5_room_is_free <= _stage5_room_is_free_0;
        end
    end
    wire [91:0] _victim_0 =
        replaced_candidates[0] ? after_entry :
        {stage4_bank0_valid, stage4_bank0_granule, stage4_bank0_wts, stage4_bank0_rts,
        stage4_bank0_writes, stage4_bank0_owner};
    wire [91:0] _victim_1 =
        replaced_candidates[1] ? after_entry :
        {stage4_bank1_valid, stage4_bank1_granule, stage4_bank1_wts, stage4_bank1_rts,
        stage4_bank1_writes, stage4_bank1_owner};
    wire [91:0] _victim_2 =
        replaced_candidates[2] ? after_entry :
        {stage4_bank2_valid, stage4_bank2_granule, stage4_bank2_wts, stage4_bank2_rts,
        stage4_bank2_writes, stage4_bank2_owner};
    wire [91:0] _victim_3 =
        replaced_candidates[3] ? after_entry :
        {stage4_bank3_valid, stage4_bank3_granule, stage4_bank3_wts, stage4_bank3_rts,
        stage4_bank3_writes, stage4_bank3_owner};
    wire [91:0] victim =
        ({92{room[0]}} & _victim_0) | ({92{room[1]}} & _victim_1) | ({92{room[2]}} & _victim_2) |
        ({92{room[3]}} & _victim_3);
    wire [3:0] bank_hits_left = stage4_bank_hits & ~replaced_candidates;
    wire [3:0] _stage5_bank_hits_0 =
        bank_hits_left | (replaced_candidates & {4{stage4_granule_in_stage5}});
    always @(posedge clk) begin
        if (advance) begin
            stage5_bank_hits <= _stage5_bank_hits_0;
        end
    end
    wire stage4_hit = (|bank_hits_left) | (|stage4_stash_hits);
    wire stage4_hit_now = (|_stage5_bank_hits_0) | (|stage4_stash_hits);
    always @(posedge clk) begin
        if (advance) begin
            stage5_hit <= stage4_hit_now;
        end
    end
    wire _facts_now_0 =
        reserves ? ((stage4_warp == stage5_warp) & (stage4_warpts == stage5_warpts)) :
        ((before_owner == stage4_warp) & (before_wts == stage4_successor));
    wire [74:0] _facts_now_1 =
        {after_wts, after_rts, after_writes, after_owner,
        (reserves ? (stage4_warpts <= stage5_warpts) : (stage4_warpts < before_wts)),
        (raises_rts ? (stage4_warpts < stage5_warpts) : (stage4_warpts < before_rts)),
        _facts_now_0, (counts ? (before_counted + stage4_counts) :
        (before_writes + stage4_counts))};
    wire [74:0] _facts_now_2 =
        {selected_wts, selected_rts, selected_writes, selected_owner,
        (stage4_warpts < selected_wts), (stage4_warpts < selected_rts),
        ((selected_owner == stage4_warp) & (selected_wts == stage4_successor)),
        (selected_writes + stage4_counts)};
    wire [74:0] _facts_now_3 =
        stage4_hit ? _facts_now_2 : {estimated_wts, estimated_rts, 8'd0, 8'd0,
        estimated_wts_is_later, estimated_rts_is_later, 1'b0, 8'd1};
    wire [74:0] facts_now = stage5_leaves_it ? _facts_now_1 : _facts_now_3;
    wire _before_wts_0 = overflow_resp_valid & overflow_resp_ready & overflow_resp_found;
    always @(posedge clk) begin
        if (advance) begin
            before_wts <= facts_now[74:51];
        end
        if (_before_wts_0) begin
            before_wts <= overflow_resp_wts;
        end
    end
    always @(posedge clk) begin
        if (advance) begin
            before_rts <= facts_now[50:27];
        end
        if (_before_wts_0) begin
            before_rts <= overflow_resp_rts;
        end
    end
    always @(posedge clk) begin
        if (advance) begin
            before_writes <= facts_now[26:19];
        end
        if (_before_wts_0) begin
            before_writes <= overflow_resp_writes;
        end
    end
    always @(posedge clk) begin
        if (advance) begin
            before_owner <= facts_now[18:11];
        end
        if (_before_wts_0) begin
            before_owner <= overflow_resp_owner;
        end
    end
    wire [91:0] _stage5_victim_wts_0 =
        moving_is_reserved ? {stash_victim_valid, stash_victim_granule, stash_victim_wts,
        stash_victim_rts, stash_victim_writes, stash_victim_owner} :
        {moving_valid, moving_granule, moving_wts, moving_rts, moving_writes, moving_owner};
    always @(posedge clk) begin
        if (advance) begin
            stage5_victim_wts <= victim[63:40];
        end else if (in_choose) begin
            stage5_victim_wts <= victim[63:40];
        end
        if (in_leave) begin
            stage5_victim_wts <= _stage5_victim_wts_0[63:40];
        end
        if (_before_wts_0) begin
            stage5_victim_wts <= overflow_resp_wts;
        end
    end
    always @(posedge clk) begin
        if (advance) begin
            stage5_victim_rts <= victim[39:16];
        end else if (in_choose) begin
            stage5_victim_rts <= victim[39:16];
        end
        if (in_leave) begin
            stage5_victim_rts <= _stage5_victim_wts_0[39:16];
        end
        if (_before_wts_0) begin
            stage5_victim_rts <= overflow_resp_rts;
        end
    end
    always @(posedge clk) begin
        if (advance) begin
            stage5_victim_writes <= victim[15:8];
        end else if (in_choose) begin
            stage5_victim_writes <= victim[15:8];
        end
        if (in_leave) begin
            stage5_victim_writes <= _stage5_victim_wts_0[15:8];
        end
        if (_before_wts_0) begin
            stage5_victim_writes <= overflow_resp_writes;
        end
    end
    always @(posedge clk) begin
        if (advance) begin
            stage5_victim_owner <= victim[7:0];
        end else if (in_choose) begin
            stage5_victim_owner <= victim[7:0];
        end
        if (in_leave) begin
            stage5_victim_owner <= _stage5_victim_wts_0[7:0];
        end
        if (_before_wts_0) begin
            stage5_victim_owner <= overflow_resp_owner;
        end
    end
    wire _stage5_evicts_0 = ~any_empty & any_free;
    always @(posedge clk) begin
        if (victims_advance) begin
            stage5_evicts <= 1'b0;
        end
        if (advance) begin
            stage5_evicts <=
                stage4_valid & _stage5_is_access_0 & ~stage4_hit_now & _stage5_evicts_0;
        end else if (in_choose) begin
            stage5_evicts <= _stage5_evicts_0;
        end
        if (in_leave) begin
            stage5_evicts <=
                (in_leave & ~moving_is_reserved) | (moving_stays & stash_victim_valid);
        end
        if (_before_wts_0) begin
            stage5_evicts <= (stage5_op == 2'd2) & (stage5_count == overflow_resp_writes);
        end
        if (rst) begin
            stage5_evicts <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (advance) begin
            before_owned <= facts_now[8];
        end
        if (_before_wts_0) begin
            before_owned <=
                (overflow_resp_owner == stage5_warp) & (overflow_resp_wts == stage5_successor);
        end
    end
    always @(posedge clk) begin
        if (advance) begin
            before_counted <= facts_now[7:0];
        end
        if (_before_wts_0) begin
            before_counted <= overflow_resp_writes + stage5_counts;
        end
    end
    always @(posedge clk) begin
        if (advance) begin
            before_written_later <= facts_now[10];
        end
        if (_before_wts_0) begin
            before_written_later <= stage5_warpts < overflow_resp_wts;
        end
    end
    always @(posedge clk) begin
        if (advance) begin
            before_read_later <= facts_now[9];
        end
        if (_before_wts_0) begin
            before_read_later <= stage5_warpts < overflow_resp_rts;
        end
    end
    always @(posedge clk) begin
        if (advance) begin
            stage5_victim_granule <= victim[90:64];
        end else if (in_choose) begin
            stage5_victim_granule <= victim[90:64];
        end
        if (in_leave) begin
            stage5_victim_granule <= _stage5_victim_wts_0[90:64];
        end
        if (_before_wts_0) begin
            stage5_victim_granule <= stage5_address[31:5];
        end
    end
    always @(posedge clk) begin
        if (advance) begin
            stage5_victim_valid <= victim[91];
        end else if (in_choose) begin
            stage5_victim_valid <= victim[91];
        end
        if (in_leave) begin
            stage5_victim_valid <= _stage5_victim_wts_0[91];
        end
        if (_before_wts_0) begin
            stage5_victim_valid <= 1'b1;
        end
    end
`ifdef FORMAL
    initial assume (rst);
    // Only a lookup waits for room in the buffer.
    always @(posedge clk) begin
        if (!rst) overflow_has_room: assert (~_overflow_buffer_0 | overflow_ready);
    end
    // At most one bank has an entry of a granule.
    always @(posedge clk) begin
        if (!rst) one_bank_has_the_granule: assert (~busy | ((stage5_bank_hits & (stage5_bank_hits - 4'd1)) == 4'd0));
    end
    // What is freed was counted as reserved.
    always @(posedge clk) begin
        if (!rst) reserved_counted: assert (~one_less_reserved | (|reserved_count));
    end
`endif
endmodule
