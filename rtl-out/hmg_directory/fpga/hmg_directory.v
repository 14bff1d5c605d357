// Coherence directory (HMG): tracks the sharers of the blocks homed at one GPU module.
// Ren et al., HMG, HPCA 2020, sections IV, V and VII-C, Table I.
//
// Channels are ready/valid: req in; inv and resp out, both in request order. A request
// causes at most one inv, and its resp is presented only after that was accepted. error
// pulses for a request without meaning, which changes nothing and is answered with zeros.
//
// Parameters:
//   address_bits = 40
//   gpms_per_gpu = 4
//   gpus = 2
//   hierarchical = true
//   line_bytes = 128
//   lines_per_entry = 4
//   replacement = "lru"
//   sets = 256
//   ways = 4
module hmg_directory (
    input  wire clk,
    input  wire rst,
    input  wire [1:0] self_gpm,  // number of this GPM within its GPU
    input  wire self_gpu,  // number of this GPU
    input  wire req_valid,
    output wire req_ready,
    input  wire [2:0] req_op,  // 0 load, 1 store, 2 atomic, 3 invalidate, 4 downgrade, 5 release
    input  wire [1:0] req_source_kind,  // 0 this GPM, 1 a GPM, 2 a GPU
    input  wire [1:0] req_source_index,  // number of the GPM or GPU; ignored for this GPM
    input  wire [39:0] req_address,  // byte address; ignored by release
    output wire init_done,  // the RAM has been cleared after reset
    output wire error_valid,  // a request had no meaning
    output wire [2:0] error_code,  // 0 op, 1 source kind, 2 GPU source when flat, 3 no such source, 4 source is self, 5 illegal invalidate
    output wire inv_valid,
    input  wire inv_ready,
    output wire [39:0] inv_address,  // byte address of the block, aligned to an entry
    output wire [3:0] inv_sharers,  // other GPMs ascending, then other GPUs ascending; never 0
    output wire resp_valid,
    input  wire resp_ready,
    output wire resp_hit,  // the block was tracked
    output wire resp_allocated,  // an entry was made for it
    output wire resp_evicted  // another block lost its entry for that
);
    // Next row to clear; high bit: done.
    reg [8:0] clear_next;
    always @(posedge clk) begin
        if (~clear_next[8]) begin
            clear_next <= clear_next + 9'd1;
        end
        if (rst) begin
            clear_next <= 9'd0;
        end
    end
    // The output takes stage 4: all stages move on.
    wire advance;
    assign req_ready = advance & clear_next[8];
    assign init_done = clear_next[8];
    reg stage1_valid;
    reg [2:0] stage1_op;
    reg [1:0] stage1_source_kind;
    reg [1:0] stage1_source_index;
    reg [30:0] stage1_block;
    always @(posedge clk) begin
        if (advance) begin
            stage1_valid <= req_valid & clear_next[8];
            stage1_op <= req_op;
            stage1_source_kind <= req_source_kind;
            stage1_source_index <= req_source_index;
            stage1_block <= req_address[39:9];
        end
        if (rst) begin
            stage1_valid <= 1'b0;
        end
    end
    wire stage1_is_gpm = stage1_source_kind == 2'd1;
    wire stage1_is_gpu = stage1_source_kind == 2'd2;
    wire [1:0] stage1_own_number = self_gpm;
    wire [1:0] _stage1_source_sharer_0 = {1'b0, self_gpu};
    wire [2:0] _stage1_source_sharer_1 =
        {((stage1_own_number <= 2'd2) ? (stage1_source_index == 2'd3) :
        (stage1_source_index == 2'd2)),
        ((stage1_own_number <= 2'd1) ? (stage1_source_index == 2'd2) :
        (stage1_source_index == 2'd1)),
        ((stage1_own_number == 2'd0) ? (stage1_source_index == 2'd1) :
        (stage1_source_index == 2'd0))};
    wire [3:0] stage1_source_sharer =
        {(stage1_is_gpu & ((_stage1_source_sharer_0 == 2'd0) ? (stage1_source_index == 2'd1) :
        (stage1_source_index == 2'd0))), ({3{stage1_is_gpm}} & _stage1_source_sharer_1)};
    wire _stage1_errors_0 =
        ((stage1_source_index == stage1_own_number) & stage1_is_gpm) |
        ((stage1_source_index == _stage1_source_sharer_0) & stage1_is_gpu);
    wire [5:0] stage1_errors =
        {((stage1_op == 3'd3) & ~stage1_is_gpu), _stage1_errors_0,
        ((2'd2 <= stage1_source_index) & stage1_is_gpu), 1'b0, (stage1_source_kind == 2'd3),
        (3'd5 < stage1_op)};
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
    reg [3:0] stage2_source;
    reg [30:0] stage2_block;
    reg stage3_valid;
    reg stage3_load;
    reg stage3_store;
    reg stage3_invalidate;
    reg stage3_downgrade;
    reg stage3_error;
    reg [2:0] stage3_error_code;
    reg [3:0] stage3_source;
    reg [30:0] stage3_block;
    reg stage4_valid;
    reg stage4_load;
    reg stage4_store;
    reg stage4_invalidate;
    reg stage4_downgrade;
    reg stage4_error;
    reg [2:0] stage4_error_code;
    reg [3:0] stage4_source;
    reg [30:0] stage4_block;
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
    wire [117:0] updated_row;
    // Stage 4 changes its set, in one way.
    wire row_changes;
    // That way, one-hot.
    wire [3:0] updated_way;
    // It is valid afterwards.
    wire updated_way_valid;
    wire [117:0] row_read;
    // One row a set: its recency and its ways.
    hmg_directory_rows rows (
        .clk(clk),
        .w0_enable(~clear_next[8] | (row_changes & advance)),
        .w0_address(~clear_next[8] ? clear_next[7:0] : stage4_block[7:0]),
        .w0_data(~clear_next[8] ? 118'd0 : updated_row),
        .r0_enable(advance),
        .r0_address(stage1_block[7:0]),
        .r0_data(row_read)
    );
    reg [117:0] stage5_row;
    reg stage2_set_in_stage5;
    reg [117:0] stage3_read;
    reg stage3_set_in_stage5;
    always @(posedge clk) begin
        if (advance) begin
            stage5_row <= updated_row;
            stage2_set_in_stage5 <=
                stage1_valid & stage4_valid & (stage1_block[7:0] == stage4_block[7:0]);
            stage3_read <= stage2_set_in_stage5 ? stage5_row : row_read;
            stage3_set_in_stage5 <=
                stage2_valid & stage4_valid & (stage2_block[7:0] == stage4_block[7:0]);
        end
    end
    wire [117:0] stage3_row = stage3_set_in_stage5 ? stage5_row : stage3_read;
    wire stage3_way0_valid = stage3_row[111];
    wire [22:0] stage3_way0_tag = stage3_row[106:84];
    wire stage3_way1_valid = stage3_row[83];
    wire [22:0] stage3_way1_tag = stage3_row[78:56];
    wire stage3_way2_valid = stage3_row[55];
    wire [22:0] stage3_way2_tag = stage3_row[50:28];
    wire stage3_way3_valid = stage3_row[27];
    wire [22:0] stage3_way3_tag = stage3_row[22:0];
    wire [3:0] stage3_hits =
        {(stage3_way3_valid & (stage3_way3_tag == stage3_block[30:8])),
        (stage3_way2_valid & (stage3_way2_tag == stage3_block[30:8])),
        (stage3_way1_valid & (stage3_way1_tag == stage3_block[30:8])),
        (stage3_way0_valid & (stage3_way0_tag == stage3_block[30:8]))};
    reg stage3_set_in_stage4;
    reg stage3_tag_in_stage4;
    reg [117:0] stage4_row;
    reg [3:0] stage4_hits;
    wire _stage4_hits_0 = updated_way_valid & stage3_tag_in_stage4;
    wire [3:0] _stage4_hits_1 =
        (stage3_set_in_stage4 & row_changes) ?
        ((stage3_hits & ~updated_way) | ({4{_stage4_hits_0}} & updated_way)) : stage3_hits;
    always @(posedge clk) begin
        if (advance) begin
            stage3_set_in_stage4 <=
                stage2_valid & stage3_valid & (stage2_block[7:0] == stage3_block[7:0]);
            stage3_tag_in_stage4 <= stage2_block[30:8] == stage3_block[30:8];
            stage4_row <= stage3_set_in_stage4 ? updated_row : stage3_row;
            stage4_hits <= _stage4_hits_1;
        end
    end
    wire [5:0] stage4_recency = stage4_row[117:112];
    wire stage4_way0_valid = stage4_row[111];
    wire [3:0] stage4_way0_sharers = stage4_row[110:107];
    wire [22:0] stage4_way0_tag = stage4_row[106:84];
    wire stage4_way1_valid = stage4_row[83];
    wire [3:0] stage4_way1_sharers = stage4_row[82:79];
    wire [22:0] stage4_way1_tag = stage4_row[78:56];
    wire stage4_way2_valid = stage4_row[55];
    wire [3:0] stage4_way2_sharers = stage4_row[54:51];
    wire [22:0] stage4_way2_tag = stage4_row[50:28];
    wire stage4_way3_valid = stage4_row[27];
    wire [3:0] stage4_way3_sharers = stage4_row[26:23];
    wire [22:0] stage4_way3_tag = stage4_row[22:0];
    wire [3:0] ways_valid =
        {stage4_way3_valid, stage4_way2_valid, stage4_way1_valid, stage4_way0_valid};
    wire any_hit = |stage4_hits;
    wire access = stage4_load | stage4_store;
    wire allocate = access & (|stage4_source) & ~any_hit;
    wire evict = allocate & (&ways_valid);
    wire [3:0] victim =
        {(&{stage4_recency[5:4], stage4_recency[2]}),
        (&{~stage4_recency[5], stage4_recency[3], stage4_recency[1]}),
        (&{~stage4_recency[4], ~stage4_recency[3], stage4_recency[0]}),
        (&{~stage4_recency[2], ~stage4_recency[1], ~stage4_recency[0]})};
    wire [3:0] room = (&ways_valid) ? victim : (~ways_valid & (ways_valid + 4'd1));
    wire [3:0] way = any_hit ? stage4_hits : room;
    assign updated_way = way;
    wire [3:0] _sharers_hit_0 =
        ({4{stage4_hits[0]}} & stage4_way0_sharers) | ({4{stage4_hits[1]}} & stage4_way1_sharers) |
        ({4{stage4_hits[2]}} & stage4_way2_sharers);
    wire [3:0] sharers_hit = _sharers_hit_0 | ({4{stage4_hits[3]}} & stage4_way3_sharers);
    wire [3:0] sharers_room =
        ({4{room[0]}} & stage4_way0_sharers) | ({4{room[1]}} & stage4_way1_sharers) |
        ({4{room[2]}} & stage4_way2_sharers) | ({4{room[3]}} & stage4_way3_sharers);
    wire [3:0] _sharers_after_0 = sharers_hit & ~stage4_source;
    wire [3:0] sharers_after =
        stage4_store ? stage4_source :
        (stage4_downgrade ? _sharers_after_0 : (sharers_hit | stage4_source));
    wire valid_after = ~stage4_invalidate & (|sharers_after);
    assign updated_way_valid = valid_after;
    wire changes =
        stage4_valid & ((any_hit & (access | stage4_invalidate | stage4_downgrade)) | allocate);
    assign row_changes = changes;
    wire [3:0] told =
        any_hit ? (stage4_store ? _sharers_after_0 :
        ({4{stage4_invalidate}} & (sharers_hit & 4'd7))) : ({4{evict}} & sharers_room);
    wire [5:0] _updated_row_0 =
        {((stage4_recency[5] | way[2]) & ~way[3]), ((stage4_recency[4] | way[1]) & ~way[3]),
        ((stage4_recency[3] | way[1]) & ~way[2]), ((stage4_recency[2] | way[0]) & ~way[3]),
        ((stage4_recency[1] | way[0]) & ~way[2]), ((stage4_recency[0] | way[0]) & ~way[1])};
    wire [117:0] _updated_row_1 =
        {(access ? _updated_row_0 : stage4_recency), (way[0] ? valid_after : stage4_way0_valid),
        (way[0] ? sharers_after : stage4_way0_sharers),
        (way[0] ? stage4_block[30:8] : stage4_way0_tag),
        (way[1] ? valid_after : stage4_way1_valid), (way[1] ? sharers_after : stage4_way1_sharers),
        (way[1] ? stage4_block[30:8] : stage4_way1_tag),
        (way[2] ? valid_after : stage4_way2_valid), (way[2] ? sharers_after : stage4_way2_sharers),
        (way[2] ? stage4_block[30:8] : stage4_way2_tag),
        (way[3] ? valid_after : stage4_way3_valid), (way[3] ? sharers_after : stage4_way3_sharers),
        (way[3] ? stage4_block[30:8] : stage4_way3_tag)};
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
    wire [37:0] effect_out_data;
    wire [22:0] _effect_0 =
        ({23{room[0]}} & stage4_way0_tag) | ({23{room[1]}} & stage4_way1_tag) |
        ({23{room[2]}} & stage4_way2_tag) | ({23{room[3]}} & stage4_way3_tag);
    wire [37:0] _effect_1 =
        {(any_hit & (access | stage4_invalidate | stage4_downgrade)), allocate, evict,
        {(any_hit ? stage4_block[30:8] : _effect_0), stage4_block[7:0]}, told};
    skid_buffer_w38 effect (
        .clk(clk),
        .rst(rst),
        .in_valid(stage4_valid),
        .in_data(_effect_1),
        .out_ready(effect_out_ready),
        .in_ready(effect_in_ready),
        .out_valid(effect_out_valid),
        .out_data(effect_out_data)
    );
    wire effect_hit = effect_out_data[37];
    wire effect_allocated = effect_out_data[36];
    wire effect_evicted = effect_out_data[35];
    wire [30:0] effect_inv_block = effect_out_data[34:4];
    wire [3:0] effect_inv_sharers = effect_out_data[3:0];
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
        if (!rst) one_entry_per_block: assert (~stage4_valid | ((stage4_hits & (stage4_hits - 4'd1)) == 4'd0));
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
`endif
endmodule
