// Coherence directory (HMG): tracks the sharers of the blocks homed at one GPU module.
// Ren et al., HMG, HPCA 2020, sections IV, V and VII-C, Table I.
//
// Channels are ready/valid: req in; inv and resp out, both in request order. A request
// causes at most one inv, and its resp is presented only after that was accepted. error
// pulses for a request without meaning, which changes nothing and is answered with zeros.
//
// Parameters:
//   address_bits = 48
//   gpms_per_gpu = 4
//   gpus = 4
//   hierarchical = true
//   line_bytes = 128
//   lines_per_entry = 4
//   replacement = "lru"
//   sets = 1024
//   ways = 12
module hmg_directory (
    input  wire clk,
    input  wire rst,
    input  wire [1:0] self_gpm,  // number of this GPM within its GPU
    input  wire [1:0] self_gpu,  // number of this GPU
    input  wire req_valid,
    output wire req_ready,
    input  wire [2:0] req_op,  // 0 load, 1 store, 2 atomic, 3 invalidate, 4 downgrade, 5 release
    input  wire [1:0] req_source_kind,  // 0 this GPM, 1 a GPM, 2 a GPU
    input  wire [1:0] req_source_index,  // number of the GPM or GPU; ignored for this GPM
    input  wire [47:0] req_address,  // byte address; ignored by release
    output wire init_done,  // the RAM has been cleared after reset
    output wire error_valid,  // a request had no meaning
    output wire [2:0] error_code,  // 0 op, 1 source kind, 2 GPU source when flat, 3 no such source, 4 source is self, 5 illegal invalidate
    output wire inv_valid,
    input  wire inv_ready,
    output wire [47:0] inv_address,  // byte address of the block, aligned to an entry
    output wire [5:0] inv_sharers,  // other GPMs ascending, then other GPUs ascending; never 0
    output wire resp_valid,
    input  wire resp_ready,
    output wire resp_hit,  // the block was tracked
    output wire resp_allocated,  // an entry was made for it
    output wire resp_evicted  // another block lost its entry for that
);
    // Next row to clear; high bit: done.
    reg [10:0] clear_next;
    always @(posedge clk) begin
        if (~clear_next[10]) begin
            clear_next <= clear_next + 11'd1;
        end
        if (rst) begin
            clear_next <= 11'd0;
        end
    end
    // The output takes stage 4: all stages move on.
    wire advance;
    assign req_ready = advance & clear_next[10];
    assign init_done = clear_next[10];
    reg stage1_valid;
    reg [2:0] stage1_op;
    reg [1:0] stage1_source_kind;
    reg [1:0] stage1_source_index;
    reg [38:0] stage1_block;
    always @(posedge clk) begin
        if (advance) begin
            stage1_valid <= req_valid & clear_next[10];
            stage1_op <= req_op;
            stage1_source_kind <= req_source_kind;
            stage1_source_index <= req_source_index;
            stage1_block <= req_address[47:9];
        end
        if (rst) begin
            stage1_valid <= 1'b0;
        end
    end
    wire stage1_is_gpm = stage1_source_kind == 2'd1;
    wire stage1_is_gpu = stage1_source_kind == 2'd2;
    wire [1:0] stage1_own_number = self_gpm;
    wire [2:0] _stage1_source_sharer_0 =
        {((self_gpu <= 2'd2) ? (stage1_source_index == 2'd3) : (stage1_source_index == 2'd2)),
        ((self_gpu <= 2'd1) ? (stage1_source_index == 2'd2) : (stage1_source_index == 2'd1)),
        ((self_gpu == 2'd0) ? (stage1_source_index == 2'd1) : (stage1_source_index == 2'd0))};
    wire [2:0] _stage1_source_sharer_1 =
        {((stage1_own_number <= 2'd2) ? (stage1_source_index == 2'd3) :
        (stage1_source_index == 2'd2)),
        ((stage1_own_number <= 2'd1) ? (stage1_source_index == 2'd2) :
        (stage1_source_index == 2'd1)),
        ((stage1_own_number == 2'd0) ? (stage1_source_index == 2'd1) :
        (stage1_source_index == 2'd0))};
    wire [5:0] stage1_source_sharer =
        {({3{stage1_is_gpu}} & _stage1_source_sharer_0),
        ({3{stage1_is_gpm}} & _stage1_source_sharer_1)};
    wire [5:0] stage1_errors =
        {((stage1_op == 3'd3) & ~stage1_is_gpu),
        (((stage1_source_index == stage1_own_number) & stage1_is_gpm) |
        ((stage1_source_index == self_gpu) & stage1_is_gpu)), 1'b0, 1'b0,
        (stage1_source_kind == 2'd3), (3'd5 < stage1_op)};
    wire stage1_is_error = |stage1_errors;
    reg stage2_valid;
    reg stage2_load;
    reg stage2_store;
    reg stage2_invalidate;
    reg stage2_downgrade;
    reg stage2_error;
    reg [2:0] stage2_error_code;
    wire [5:0] _stage2_error_code_0 = stage1_errors & (~stage1_errors + 6'd1);
    wire [2:0] _stage2_error_code_1 =
        ({3{_stage2_error_code_0[1]}} & 3'd1) | ({3{_stage2_error_code_0[2]}} & 3'd2) |
        ({3{_stage2_error_code_0[3]}} & 3'd3) | ({3{_stage2_error_code_0[4]}} & 3'd4);
    reg [5:0] stage2_source;
    reg [38:0] stage2_block;
    reg stage3_valid;
    reg stage3_load;
    reg stage3_store;
    reg stage3_invalidate;
    reg stage3_downgrade;
    reg stage3_error;
    reg [2:0] stage3_error_code;
    reg [5:0] stage3_source;
    reg [38:0] stage3_block;
    reg stage4_valid;
    reg stage4_load;
    reg stage4_store;
    reg stage4_invalidate;
    reg stage4_downgrade;
    reg stage4_error;
    reg [2:0] stage4_error_code;
    reg [5:0] stage4_source;
    reg [38:0] stage4_block;
    always @(posedge clk) begin
        if (advance) begin
            stage2_valid <= stage1_valid;
            stage2_load <= (stage1_op == 3'd0) & ~stage1_is_error;
            stage2_store <=
                ((stage1_op == 3'd1) & ~stage1_is_error) | ((stage1_op == 3'd2) & ~stage1_is_error);
            stage2_invalidate <= (stage1_op == 3'd3) & ~stage1_is_error;
            stage2_downgrade <= (stage1_op == 3'd4) & ~stage1_is_error;
            stage2_error <= stage1_is_error;
            stage2_error_code <= _stage2_error_code_1 | ({3{_stage2_error_code_0[5]}} & 3'd5);
            stage2_source <= stage1_source_sharer;
            stage2_block <= stage1_block;
            stage3_valid <= stage2_valid;
            stage3_load <= stage2_load;
            stage3_store <= stage2_store;
            stage3_invalidate <= stage2_invalidate;
            stage3_downgrade <= stage2_downgrade;
            stage3_error <= stage2_error;
            stage3_error_code <= stage2_error_code;
            stage3_source <= stage2_source;
            stage3_block <= stage2_block;
            stage4_valid <= stage3_valid;
            stage4_load <= stage3_load;
            stage4_store <= stage3_store;
            stage4_invalidate <= stage3_invalidate;
            stage4_downgrade <= stage3_downgrade;
            stage4_error <= stage3_error;
            stage4_error_code <= stage3_error_code;
            stage4_source <= stage3_source;
            stage4_block <= stage3_block;
        end
        if (rst) begin
            stage2_valid <= 1'b0;
            stage3_valid <= 1'b0;
            stage4_valid <= 1'b0;
        end
    end
    // The set as stage 4 leaves it.
    wire [497:0] updated_row;
    // Stage 4 changes its set, in one way.
    wire row_changes;
    // That way, one-hot.
    wire [11:0] updated_way;
    // It is valid afterwards.
    wire updated_way_valid;
    wire [497:0] row_read;
    // One row a set: its recency and its ways.
    hmg_directory_rows rows (
        .clk(clk),
        .w0_enable(~clear_next[10] | (row_changes & advance)),
        .w0_address(~clear_next[10] ? clear_next[9:0] : stage4_block[9:0]),
        .w0_data(~clear_next[10] ? 498'd0 : updated_row),
        .r0_enable(advance),
        .r0_address(stage1_block[9:0]),
        .r0_data(row_read)
    );
    reg [497:0] stage5_row;
    reg stage2_set_in_stage5;
    reg [497:0] stage3_read;
    reg stage3_set_in_stage5;
    always @(posedge clk) begin
        if (advance) begin
            stage5_row <= updated_row;
            stage2_set_in_stage5 <=
                stage1_valid & stage4_valid & (stage1_block[9:0] == stage4_block[9:0]);
            stage3_read <= stage2_set_in_stage5 ? stage5_row : row_read;
            stage3_set_in_stage5 <=
                stage2_valid & stage4_valid & (stage2_block[9:0] == stage4_block[9:0]);
        end
    end
    wire [497:0] stage3_row = stage3_set_in_stage5 ? stage5_row : stage3_read;
    wire stage3_way0_valid = stage3_row[431];
    wire [28:0] stage3_way0_tag = stage3_row[424:396];
    wire stage3_way1_valid = stage3_row[395];
    wire [28:0] stage3_way1_tag = stage3_row[388:360];
    wire stage3_way2_valid = stage3_row[359];
    wire [28:0] stage3_way2_tag = stage3_row[352:324];
    wire stage3_way3_valid = stage3_row[323];
    wire [28:0] stage3_way3_tag = stage3_row[316:288];
    wire stage3_way4_valid = stage3_row[287];
    wire [28:0] stage3_way4_tag = stage3_row[280:252];
    wire stage3_way5_valid = stage3_row[251];
    wire [28:0] stage3_way5_tag = stage3_row[244:216];
    wire stage3_way6_valid = stage3_row[215];
    wire [28:0] stage3_way6_tag = stage3_row[208:180];
    wire stage3_way7_valid = stage3_row[179];
    wire [28:0] stage3_way7_tag = stage3_row[172:144];
    wire stage3_way8_valid = stage3_row[143];
    wire [28:0] stage3_way8_tag = stage3_row[136:108];
    wire stage3_way9_valid = stage3_row[107];
    wire [28:0] stage3_way9_tag = stage3_row[100:72];
    wire stage3_way10_valid = stage3_row[71];
    wire [28:0] stage3_way10_tag = stage3_row[64:36];
    wire stage3_way11_valid = stage3_row[35];
    wire [28:0] stage3_way11_tag = stage3_row[28:0];
    wire [11:0] stage3_hits =
        {(stage3_way11_valid & (stage3_way11_tag == stage3_block[38:10])),
        (stage3_way10_valid & (stage3_way10_tag == stage3_block[38:10])),
        (stage3_way9_valid & (stage3_way9_tag == stage3_block[38:10])),
        (stage3_way8_valid & (stage3_way8_tag == stage3_block[38:10])),
        (stage3_way7_valid & (stage3_way7_tag == stage3_block[38:10])),
        (stage3_way6_valid & (stage3_way6_tag == stage3_block[38:10])),
        (stage3_way5_valid & (stage3_way5_tag == stage3_block[38:10])),
        (stage3_way4_valid & (stage3_way4_tag == stage3_block[38:10])),
        (stage3_way3_valid & (stage3_way3_tag == stage3_block[38:10])),
        (stage3_way2_valid & (stage3_way2_tag == stage3_block[38:10])),
        (stage3_way1_valid & (stage3_way1_tag == stage3_block[38:10])),
        (stage3_way0_valid & (stage3_way0_tag == stage3_block[38:10]))};
    reg stage3_set_in_stage4;
    reg stage3_tag_in_stage4;
    reg [497:0] stage4_row;
    reg [11:0] stage4_hits;
    wire _stage4_hits_0 = updated_way_valid & stage3_tag_in_stage4;
    wire [11:0] _stage4_hits_1 =
        (stage3_set_in_stage4 & row_changes) ?
        ((stage3_hits & ~updated_way) | ({12{_stage4_hits_0}} & updated_way)) : stage3_hits;
    always @(posedge clk) begin
        if (advance) begin
            stage3_set_in_stage4 <=
                stage2_valid & stage3_valid & (stage2_block[9:0] == stage3_block[9:0]);
            stage3_tag_in_stage4 <= stage2_block[38:10] == stage3_block[38:10];
            stage4_row <= stage3_set_in_stage4 ? updated_row : stage3_row;
            stage4_hits <= _stage4_hits_1;
        end
    end
    wire [65:0] stage4_recency = stage4_row[497:432];
    wire stage4_way0_valid = stage4_row[431];
    wire [5:0] stage4_way0_sharers = stage4_row[430:425];
    wire [28:0] stage4_way0_tag = stage4_row[424:396];
    wire stage4_way1_valid = stage4_row[395];
    wire [5:0] stage4_way1_sharers = stage4_row[394:389];
    wire [28:0] stage4_way1_tag = stage4_row[388:360];
    wire stage4_way2_valid = stage4_row[359];
    wire [5:0] stage4_way2_sharers = stage4_row[358:353];
    wire [28:0] stage4_way2_tag = stage4_row[352:324];
    wire stage4_way3_valid = stage4_row[323];
    wire [5:0] stage4_way3_sharers = stage4_row[322:317];
    wire [28:0] stage4_way3_tag = stage4_row[316:288];
    wire stage4_way4_valid = stage4_row[287];
    wire [5:0] stage4_way4_sharers = stage4_row[286:281];
    wire [28:0] stage4_way4_tag = stage4_row[280:252];
    wire stage4_way5_valid = stage4_row[251];
    wire [5:0] stage4_way5_sharers = stage4_row[250:245];
    wire [28:0] stage4_way5_tag = stage4_row[244:216];
    wire stage4_way6_valid = stage4_row[215];
    wire [5:0] stage4_way6_sharers = stage4_row[214:209];
    wire [28:0] stage4_way6_tag = stage4_row[208:180];
    wire stage4_way7_valid = stage4_row[179];
    wire [5:0] stage4_way7_sharers = stage4_row[178:173];
    wire [28:0] stage4_way7_tag = stage4_row[172:144];
    wire stage4_way8_valid = stage4_row[143];
    wire [5:0] stage4_way8_sharers = stage4_row[142:137];
    wire [28:0] stage4_way8_tag = stage4_row[136:108];
    wire stage4_way9_valid = stage4_row[107];
    wire [5:0] stage4_way9_sharers = stage4_row[106:101];
    wire [28:0] stage4_way9_tag = stage4_row[100:72];
    wire stage4_way10_valid = stage4_row[71];
    wire [5:0] stage4_way10_sharers = stage4_row[70:65];
    wire [28:0] stage4_way10_tag = stage4_row[64:36];
    wire stage4_way11_valid = stage4_row[35];
    wire [5:0] stage4_way11_sharers = stage4_row[34:29];
    wire [28:0] stage4_way11_tag = stage4_row[28:0];
    wire [11:0] ways_valid =
        {stage4_way11_valid, stage4_way10_valid, stage4_way9_valid, stage4_way8_valid,
        stage4_way7_valid, stage4_way6_valid, stage4_way5_valid, stage4_way4_valid,
        stage4_way3_valid, stage4_way2_valid, stage4_way1_valid, stage4_way0_valid};
    wire any_hit = |stage4_hits;
    wire access = stage4_load | stage4_store;
    wire allocate = access & (|stage4_source) & ~any_hit;
    wire evict = allocate & (&ways_valid);
    wire [10:0] _victim_0 =
        {stage4_recency[65:64], stage4_recency[62], stage4_recency[59], stage4_recency[55],
        stage4_recency[50], stage4_recency[44], stage4_recency[37], stage4_recency[29],
        stage4_recency[20], stage4_recency[10]};
    wire [10:0] _victim_1 =
        {~stage4_recency[65], stage4_recency[63], stage4_recency[61], stage4_recency[58],
        stage4_recency[54], stage4_recency[49], stage4_recency[43], stage4_recency[36],
        stage4_recency[28], stage4_recency[19], stage4_recency[9]};
    wire [10:0] _victim_2 =
        {~stage4_recency[64], ~stage4_recency[63], stage4_recency[60], stage4_recency[57],
        stage4_recency[53], stage4_recency[48], stage4_recency[42], stage4_recency[35],
        stage4_recency[27], stage4_recency[18], stage4_recency[8]};
    wire [10:0] _victim_3 =
        {~stage4_recency[62], ~stage4_recency[61], ~stage4_recency[60], stage4_recency[56],
        stage4_recency[52], stage4_recency[47], stage4_recency[41], stage4_recency[34],
        stage4_recency[26], stage4_recency[17], stage4_recency[7]};
    wire [10:0] _victim_4 =
        {~stage4_recency[59], ~stage4_recency[58], ~stage4_recency[57], ~stage4_recency[56],
        stage4_recency[51], stage4_recency[46], stage4_recency[40], stage4_recency[33],
        stage4_recency[25], stage4_recency[16], stage4_recency[6]};
    wire [10:0] _victim_5 =
        {~stage4_recency[55], ~stage4_recency[54], ~stage4_recency[53], ~stage4_recency[52],
        ~stage4_recency[51], stage4_recency[45], stage4_recency[39], stage4_recency[32],
        stage4_recency[24], stage4_recency[15], stage4_recency[5]};
    wire [10:0] _victim_6 =
        {~stage4_recency[50], ~stage4_recency[49], ~stage4_recency[48], ~stage4_recency[47],
        ~stage4_recency[46], ~stage4_recency[45], stage4_recency[38], stage4_recency[31],
        stage4_recency[23], stage4_recency[14], stage4_recency[4]};
    wire [10:0] _victim_7 =
        {~stage4_recency[44], ~stage4_recency[43], ~stage4_recency[42], ~stage4_recency[41],
        ~stage4_recency[40], ~stage4_recency[39], ~stage4_recency[38], stage4_recency[30],
        stage4_recency[22], stage4_recency[13], stage4_recency[3]};
    wire [10:0] _victim_8 =
        {~stage4_recency[37], ~stage4_recency[36], ~stage4_recency[35], ~stage4_recency[34],
        ~stage4_recency[33], ~stage4_recency[32], ~stage4_recency[31], ~stage4_recency[30],
        stage4_recency[21], stage4_recency[12], stage4_recency[2]};
    wire [10:0] _victim_9 =
        {~stage4_recency[29], ~stage4_recency[28], ~stage4_recency[27], ~stage4_recency[26],
        ~stage4_recency[25], ~stage4_recency[24], ~stage4_recency[23], ~stage4_recency[22],
        ~stage4_recency[21], stage4_recency[11], stage4_recency[1]};
    wire [10:0] _victim_10 =
        {~stage4_recency[20], ~stage4_recency[19], ~stage4_recency[18], ~stage4_recency[17],
        ~stage4_recency[16], ~stage4_recency[15], ~stage4_recency[14], ~stage4_recency[13],
        ~stage4_recency[12], ~stage4_recency[11], stage4_recency[0]};
    wire [10:0] _victim_11 =
        {~stage4_recency[10], ~stage4_recency[9], ~stage4_recency[8], ~stage4_recency[7],
        ~stage4_recency[6], ~stage4_recency[5], ~stage4_recency[4], ~stage4_recency[3],
        ~stage4_recency[2], ~stage4_recency[1], ~stage4_recency[0]};
    wire [11:0] victim =
        {(&_victim_0), (&_victim_1), (&_victim_2), (&_victim_3), (&_victim_4), (&_victim_5),
        (&_victim_6), (&_victim_7), (&_victim_8), (&_victim_9), (&_victim_10), (&_victim_11)};
    wire [11:0] room = (&ways_valid) ? victim : (~ways_valid & (ways_valid + 12'd1));
    wire [11:0] way = any_hit ? stage4_hits : room;
    assign updated_way = way;
    wire [5:0] _sharers_hit_0 =
        ({6{stage4_hits[0]}} & stage4_way0_sharers) | ({6{stage4_hits[1]}} & stage4_way1_sharers) |
        ({6{stage4_hits[2]}} & stage4_way2_sharers);
    wire [5:0] _sharers_hit_1 =
        _sharers_hit_0 | ({6{stage4_hits[3]}} & stage4_way3_sharers) |
        ({6{stage4_hits[4]}} & stage4_way4_sharers) | ({6{stage4_hits[5]}} & stage4_way5_sharers);
    wire [5:0] _sharers_hit_2 =
        _sharers_hit_1 | ({6{stage4_hits[6]}} & stage4_way6_sharers) |
        ({6{stage4_hits[7]}} & stage4_way7_sharers) | ({6{stage4_hits[8]}} & stage4_way8_sharers);
    wire [5:0] sharers_hit =
        _sharers_hit_2 | ({6{stage4_hits[9]}} & stage4_way9_sharers) |
        ({6{stage4_hits[10]}} & stage4_way10_sharers) |
        ({6{stage4_hits[11]}} & stage4_way11_sharers);
    wire [5:0] _sharers_room_0 =
        ({6{room[0]}} & stage4_way0_sharers) | ({6{room[1]}} & stage4_way1_sharers) |
        ({6{room[2]}} & stage4_way2_sharers) | ({6{room[3]}} & stage4_way3_sharers);
    wire [5:0] _sharers_room_1 =
        _sharers_room_0 | ({6{room[4]}} & stage4_way4_sharers) |
        ({6{room[5]}} & stage4_way5_sharers) | ({6{room[6]}} & stage4_way6_sharers);
    wire [5:0] _sharers_room_2 =
        _sharers_room_1 | ({6{room[7]}} & stage4_way7_sharers) |
        ({6{room[8]}} & stage4_way8_sharers) | ({6{room[9]}} & stage4_way9_sharers);
    wire [5:0] sharers_room =
        _sharers_room_2 | ({6{room[10]}} & stage4_way10_sharers) |
        ({6{room[11]}} & stage4_way11_sharers);
    wire [5:0] _sharers_after_0 = sharers_hit & ~stage4_source;
    wire [5:0] sharers_after =
        stage4_store ? stage4_source :
        (stage4_downgrade ? _sharers_after_0 : (sharers_hit | stage4_source));
    wire valid_after = ~stage4_invalidate & (|sharers_after);
    assign updated_way_valid = valid_after;
    wire changes =
        stage4_valid & ((any_hit & (access | stage4_invalidate | stage4_downgrade)) | allocate);
    assign row_changes = changes;
    wire [5:0] told =
        any_hit ? (stage4_store ? _sharers_after_0 :
        ({6{stage4_invalidate}} & (sharers_hit & 6'd7))) : ({6{evict}} & sharers_room);
    wire [65:0] _updated_row_0 =
        {((stage4_recency[65] | way[10]) & ~way[11]), ((stage4_recency[64] | way[9]) & ~way[11]),
        ((stage4_recency[63] | way[9]) & ~way[10]), ((stage4_recency[62] | way[8]) & ~way[11]),
        ((stage4_recency[61] | way[8]) & ~way[10]), ((stage4_recency[60] | way[8]) & ~way[9]),
        ((stage4_recency[59] | way[7]) & ~way[11]), ((stage4_recency[58] | way[7]) & ~way[10]),
        ((stage4_recency[57] | way[7]) & ~way[9]), ((stage4_recency[56] | way[7]) & ~way[8]),
        ((stage4_recency[55] | way[6]) & ~way[11]), ((stage4_recency[54] | way[6]) & ~way[10]),
        ((stage4_recency[53] | way[6]) & ~way[9]), ((stage4_recency[52] | way[6]) & ~way[8]),
        ((stage4_recency[51] | way[6]) & ~way[7]), ((stage4_recency[50] | way[5]) & ~way[11]),
        ((stage4_recency[49] | way[5]) & ~way[10]), ((stage4_recency[48] | way[5]) & ~way[9]),
        ((stage4_recency[47] | way[5]) & ~way[8]), ((stage4_recency[46] | way[5]) & ~way[7]),
        ((stage4_recency[45] | way[5]) & ~way[6]), ((stage4_recency[44] | way[4]) & ~way[11]),
        ((stage4_recency[43] | way[4]) & ~way[10]), ((stage4_recency[42] | way[4]) & ~way[9]),
        ((stage4_recency[41] | way[4]) & ~way[8]), ((stage4_recency[40] | way[4]) & ~way[7]),
        ((stage4_recency[39] | way[4]) & ~way[6]), ((stage4_recency[38] | way[4]) & ~way[5]),
        ((stage4_recency[37] | way[3]) & ~way[11]), ((stage4_recency[36] | way[3]) & ~way[10]),
        ((stage4_recency[35] | way[3]) & ~way[9]), ((stage4_recency[34] | way[3]) & ~way[8]),
        ((stage4_recency[33] | way[3]) & ~way[7]), ((stage4_recency[32] | way[3]) & ~way[6]),
        ((stage4_recency[31] | way[3]) & ~way[5]), ((stage4_recency[30] | way[3]) & ~way[4]),
        ((stage4_recency[29] | way[2]) & ~way[11]), ((stage4_recency[28] | way[2]) & ~way[10]),
        ((stage4_recency[27] | way[2]) & ~way[9]), ((stage4_recency[26] | way[2]) & ~way[8]),
        ((stage4_recency[25] | way[2]) & ~way[7]), ((stage4_recency[24] | way[2]) & ~way[6]),
        ((stage4_recency[23] | way[2]) & ~way[5]), ((stage4_recency[22] | way[2]) & ~way[4]),
        ((stage4_recency[21] | way[2]) & ~way[3]), ((stage4_recency[20] | way[1]) & ~way[11]),
        ((stage4_recency[19] | way[1]) & ~way[10]), ((stage4_recency[18] | way[1]) & ~way[9]),
        ((stage4_recency[17] | way[1]) & ~way[8]), ((stage4_recency[16] | way[1]) & ~way[7]),
        ((stage4_recency[15] | way[1]) & ~way[6]), ((stage4_recency[14] | way[1]) & ~way[5]),
        ((stage4_recency[13] | way[1]) & ~way[4]), ((stage4_recency[12] | way[1]) & ~way[3]),
        ((stage4_recency[11] | way[1]) & ~way[2]), ((stage4_recency[10] | way[0]) & ~way[11]),
        ((stage4_recency[9] | way[0]) & ~way[10]), ((stage4_recency[8] | way[0]) & ~way[9]),
        ((stage4_recency[7] | way[0]) & ~way[8]), ((stage4_recency[6] | way[0]) & ~way[7]),
        ((stage4_recency[5] | way[0]) & ~way[6]), ((stage4_recency[4] | way[0]) & ~way[5]),
        ((stage4_recency[3] | way[0]) & ~way[4]), ((stage4_recency[2] | way[0]) & ~way[3]),
        ((stage4_recency[1] | way[0]) & ~way[2]), ((stage4_recency[0] | way[0]) & ~way[1])};
    wire [497:0] _updated_row_1 =
        {(access ? _updated_row_0 : stage4_recency), (way[0] ? valid_after : stage4_way0_valid),
        (way[0] ? sharers_after : stage4_way0_sharers),
        (way[0] ? stage4_block[38:10] : stage4_way0_tag),
        (way[1] ? valid_after : stage4_way1_valid), (way[1] ? sharers_after : stage4_way1_sharers),
        (way[1] ? stage4_block[38:10] : stage4_way1_tag),
        (way[2] ? valid_after : stage4_way2_valid), (way[2] ? sharers_after : stage4_way2_sharers),
        (way[2] ? stage4_block[38:10] : stage4_way2_tag),
        (way[3] ? valid_after : stage4_way3_valid), (way[3] ? sharers_after : stage4_way3_sharers),
        (way[3] ? stage4_block[38:10] : stage4_way3_tag),
        (way[4] ? valid_after : stage4_way4_valid), (way[4] ? sharers_after : stage4_way4_sharers),
        (way[4] ? stage4_block[38:10] : stage4_way4_tag),
        (way[5] ? valid_after : stage4_way5_valid), (way[5] ? sharers_after : stage4_way5_sharers),
        (way[5] ? stage4_block[38:10] : stage4_way5_tag),
        (way[6] ? valid_after : stage4_way6_valid), (way[6] ? sharers_after : stage4_way6_sharers),
        (way[6] ? stage4_block[38:10] : stage4_way6_tag),
        (way[7] ? valid_after : stage4_way7_valid), (way[7] ? sharers_after : stage4_way7_sharers),
        (way[7] ? stage4_block[38:10] : stage4_way7_tag),
        (way[8] ? valid_after : stage4_way8_valid), (way[8] ? sharers_after : stage4_way8_sharers),
        (way[8] ? stage4_block[38:10] : stage4_way8_tag),
        (way[9] ? valid_after : stage4_way9_valid), (way[9] ? sharers_after : stage4_way9_sharers),
        (way[9] ? stage4_block[38:10] : stage4_way9_tag),
        (way[10] ? valid_after : stage4_way10_valid),
        (way[10] ? sharers_after : stage4_way10_sharers),
        (way[10] ? stage4_block[38:10] : stage4_way10_tag),
        (way[11] ? valid_after : stage4_way11_valid),
        (way[11] ? sharers_after : stage4_way11_sharers),
        (way[11] ? stage4_block[38:10] : stage4_way11_tag)};
    assign updated_row = changes ? _updated_row_1 : stage4_row;
    reg error_raised;
    reg [2:0] error_kind;
    always @(posedge clk) begin
        error_kind <= stage4_error_code;
    end
    always @(posedge clk) begin
        error_raised <= stage4_valid & stage4_error & advance;
        if (rst) begin
            error_raised <= 1'b0;
        end
    end
    assign error_valid = error_raised;
    assign error_code = error_kind;
    wire effect_out_ready;
    wire effect_in_ready;
    assign advance = effect_in_ready;
    wire effect_out_valid;
    wire [47:0] effect_out_data;
    wire [28:0] _effect_0 =
        ({29{room[0]}} & stage4_way0_tag) | ({29{room[1]}} & stage4_way1_tag) |
        ({29{room[2]}} & stage4_way2_tag) | ({29{room[3]}} & stage4_way3_tag);
    wire [28:0] _effect_1 =
        _effect_0 | ({29{room[4]}} & stage4_way4_tag) | ({29{room[5]}} & stage4_way5_tag) |
        ({29{room[6]}} & stage4_way6_tag) | ({29{room[7]}} & stage4_way7_tag);
    wire [28:0] _effect_2 =
        _effect_1 | ({29{room[8]}} & stage4_way8_tag) | ({29{room[9]}} & stage4_way9_tag) |
        ({29{room[10]}} & stage4_way10_tag);
    wire [47:0] _effect_3 =
        {(any_hit & (access | stage4_invalidate | stage4_downgrade)), allocate, evict,
        {(any_hit ? stage4_block[38:10] : (_effect_2 | ({29{room[11]}} & stage4_way11_tag))),
        stage4_block[9:0]}, told};
    skid_buffer_w48 effect (
        .clk(clk),
        .rst(rst),
        .in_valid(stage4_valid),
        .in_data(_effect_3),
        .out_ready(effect_out_ready),
        .in_ready(effect_in_ready),
        .out_valid(effect_out_valid),
        .out_data(effect_out_data)
    );
    wire effect_hit = effect_out_data[47];
    wire effect_allocated = effect_out_data[46];
    wire effect_evicted = effect_out_data[45];
    wire [38:0] effect_inv_block = effect_out_data[44:6];
    wire [5:0] effect_inv_sharers = effect_out_data[5:0];
    wire answer_room;
    wire has_inv = |effect_inv_sharers;
    // The invalidation is accepted at the edge.
    wire inv_done;
    assign inv_valid = effect_out_valid & has_inv & answer_room;
    assign inv_done = inv_ready;
    assign inv_address = {effect_inv_block, 9'd0};
    assign inv_sharers = effect_inv_sharers;
    wire inv_sent = inv_done | ~has_inv;
    assign effect_out_ready = answer_room & inv_sent;
    wire answer_out_ready;
    wire answer_in_ready;
    assign answer_room = answer_in_ready;
    wire answer_out_valid;
    wire [2:0] answer_out_data;
    skid_buffer_w3 answer (
        .clk(clk),
        .rst(rst),
        .in_valid(effect_out_valid & inv_sent),
        .in_data({effect_hit, effect_allocated, effect_evicted}),
        .out_ready(answer_out_ready),
        .in_ready(answer_in_ready),
        .out_valid(answer_out_valid),
        .out_data(answer_out_data)
    );
    wire answer_hit = answer_out_data[2];
    wire answer_allocated = answer_out_data[1];
    wire answer_evicted = answer_out_data[0];
    assign resp_valid = answer_out_valid;
    assign answer_out_ready = resp_ready;
    assign resp_hit = answer_hit;
    assign resp_allocated = answer_allocated;
    assign resp_evicted = answer_evicted;
    wire _unused = &{1'b0, req_address[8:0], _stage2_error_code_0[0]};
`ifdef FORMAL
    initial assume (rst);
    // At most one entry of a set tracks a block.
    always @(posedge clk) begin
        if (!rst) one_entry_per_block: assert (~stage4_valid | ((stage4_hits & (stage4_hits - 12'd1)) == 12'd0));
    end
    // A valid entry has sharers: state V of HMG Table I is never left without one.
    always @(posedge clk) begin
        if (!rst) way0_has_sharers: assert (~stage4_valid | ~stage4_way0_valid | (|stage4_way0_sharers));
    end
    // A valid entry has sharers: state V of HMG Table I is never left without one.
    always @(posedge clk) begin
        if (!rst) way1_has_sharers: assert (~stage4_valid | ~stage4_way1_valid | (|stage4_way1_sharers));
    end
    // A valid entry has sharers: state V of HMG Table I is never left without one.
    always @(posedge clk) begin
        if (!rst) way2_has_sharers: assert (~stage4_valid | ~stage4_way2_valid | (|stage4_way2_sharers));
    end
    // A valid entry has sharers: state V of HMG Table I is never left without one.
    always @(posedge clk) begin
        if (!rst) way3_has_sharers: assert (~stage4_valid | ~stage4_way3_valid | (|stage4_way3_sharers));
    end
    // A valid entry has sharers: state V of HMG Table I is never left without one.
    always @(posedge clk) begin
        if (!rst) way4_has_sharers: assert (~stage4_valid | ~stage4_way4_valid | (|stage4_way4_sharers));
    end
    // A valid entry has sharers: state V of HMG Table I is never left without one.
    always @(posedge clk) begin
        if (!rst) way5_has_sharers: assert (~stage4_valid | ~stage4_way5_valid | (|stage4_way5_sharers));
    end
    // A valid entry has sharers: state V of HMG Table I is never left without one.
    always @(posedge clk) begin
        if (!rst) way6_has_sharers: assert (~stage4_valid | ~stage4_way6_valid | (|stage4_way6_sharers));
    end
    // A valid entry has sharers: state V of HMG Table I is never left without one.
    always @(posedge clk) begin
        if (!rst) way7_has_sharers: assert (~stage4_valid | ~stage4_way7_valid | (|stage4_way7_sharers));
    end
    // A valid entry has sharers: state V of HMG Table I is never left without one.
    always @(posedge clk) begin
        if (!rst) way8_has_sharers: assert (~stage4_valid | ~stage4_way8_valid | (|stage4_way8_sharers));
    end
    // A valid entry has sharers: state V of HMG Table I is never left without one.
    always @(posedge clk) begin
        if (!rst) way9_has_sharers: assert (~stage4_valid | ~stage4_way9_valid | (|stage4_way9_sharers));
    end
    // A valid entry has sharers: state V of HMG Table I is never left without one.
    always @(posedge clk) begin
        if (!rst) way10_has_sharers: assert (~stage4_valid | ~stage4_way10_valid | (|stage4_way10_sharers));
    end
    // A valid entry has sharers: state V of HMG Table I is never left without one.
    always @(posedge clk) begin
        if (!rst) way11_has_sharers: assert (~stage4_valid | ~stage4_way11_valid | (|stage4_way11_sharers));
    end
`endif
endmodule
