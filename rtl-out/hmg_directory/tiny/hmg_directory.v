// Coherence directory (HMG): tracks the sharers of the blocks homed at one GPU module.
// Ren et al., HMG, HPCA 2020, sections IV, V and VII-C, Table I.
//
// Channels are ready/valid: req in; inv and resp out, both in request order. A request
// causes at most one inv, and its resp is presented only after that was accepted. error
// pulses for a request without meaning, which changes nothing and is answered with zeros.
//
// Parameters:
//   address_bits = 6
//   gpms_per_gpu = 3
//   gpus = 2
//   hierarchical = true
//   line_bytes = 4
//   lines_per_entry = 2
//   replacement = "lru"
//   sets = 2
//   ways = 2
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
    input  wire [5:0] req_address,  // byte address; ignored by release
    output wire init_done,  // the RAM has been cleared after reset
    output wire error_valid,  // a request had no meaning
    output wire [2:0] error_code,  // 0 op, 1 source kind, 2 GPU source when flat, 3 no such source, 4 source is self, 5 illegal invalidate
    output wire inv_valid,
    input  wire inv_ready,
    output wire [5:0] inv_address,  // byte address of the block, aligned to an entry
    output wire [2:0] inv_sharers,  // other GPMs ascending, then other GPUs ascending; never 0
    output wire resp_valid,
    input  wire resp_ready,
    output wire resp_hit,  // the block was tracked
    output wire resp_allocated,  // an entry was made for it
    output wire resp_evicted  // another block lost its entry for that
);
    // Next row to clear; high bit: done.
    reg [1:0] clear_next;
    always @(posedge clk) begin
        if (~clear_next[1]) begin
            clear_next <= clear_next + 2'd1;
        end
        if (rst) begin
            clear_next <= 2'd0;
        end
    end
    // The output takes stage 4: all stages move on.
    wire advance;
    assign req_ready = advance & clear_next[1];
    assign init_done = clear_next[1];
    reg stage1_valid;
    reg [2:0] stage1_op;
    reg [1:0] stage1_source_kind;
    reg [1:0] stage1_source_index;
    reg [2:0] stage1_block;
    always @(posedge clk) begin
        if (advance) begin
            stage1_valid <= req_valid & clear_next[1];
            stage1_op <= req_op;
            stage1_source_kind <= req_source_kind;
            stage1_source_index <= req_source_index;
            stage1_block <= req_address[5:3];
        end
        if (rst) begin
            stage1_valid <= 1'b0;
        end
    end
    wire stage1_is_gpm = stage1_source_kind == 2'd1;
    wire stage1_is_gpu = stage1_source_kind == 2'd2;
    wire [1:0] stage1_own_number = self_gpm;
    wire [1:0] _stage1_source_sharer_0 = {1'b0, self_gpu};
    wire [1:0] _stage1_source_sharer_1 =
        {((stage1_own_number <= 2'd1) ? (stage1_source_index == 2'd2) :
        (stage1_source_index == 2'd1)),
        ((stage1_own_number == 2'd0) ? (stage1_source_index == 2'd1) :
        (stage1_source_index == 2'd0))};
    wire [2:0] stage1_source_sharer =
        {(stage1_is_gpu & ((_stage1_source_sharer_0 == 2'd0) ? (stage1_source_index == 2'd1) :
        (stage1_source_index == 2'd0))), ({2{stage1_is_gpm}} & _stage1_source_sharer_1)};
    wire _stage1_errors_0 =
        ((stage1_source_index == stage1_own_number) & stage1_is_gpm) |
        ((stage1_source_index == _stage1_source_sharer_0) & stage1_is_gpu);
    wire _stage1_errors_1 =
        ((2'd3 <= stage1_source_index) & stage1_is_gpm) |
        ((2'd2 <= stage1_source_index) & stage1_is_gpu);
    wire _stage1_errors_2 = stage1_source_kind == 2'd3;
    wire _stage1_errors_3 = 3'd5 < stage1_op;
    wire [5:0] stage1_errors =
        {((stage1_op == 3'd3) & ~stage1_is_gpu), _stage1_errors_0, _stage1_errors_1, 1'b0,
        _stage1_errors_2, _stage1_errors_3};
    wire stage1_is_error = |stage1_errors;
    reg error_raised;
    reg [2:0] error_kind;
    always @(posedge clk) begin
        error_kind <=
            _stage1_errors_3 ? 3'd0 : (_stage1_errors_2 ? 3'd1 :
            (_stage1_errors_1 ? 3'd3 : (_stage1_errors_0 ? 3'd4 : 3'd5)));
    end
    always @(posedge clk) begin
        error_raised <= stage1_valid & advance & stage1_is_error;
        if (rst) begin
            error_raised <= 1'b0;
        end
    end
    assign error_valid = error_raised;
    assign error_code = error_kind;
    reg stage2_valid;
    reg stage2_load;
    reg stage2_store;
    reg stage2_invalidate;
    reg stage2_downgrade;
    reg [2:0] stage2_source;
    reg [2:0] stage2_block;
    reg stage3_valid;
    reg stage3_load;
    reg stage3_store;
    reg stage3_invalidate;
    reg stage3_downgrade;
    reg [2:0] stage3_source;
    reg [2:0] stage3_block;
    reg stage4_valid;
    reg stage4_load;
    reg stage4_store;
    reg stage4_invalidate;
    reg stage4_downgrade;
    reg [2:0] stage4_source;
    reg [2:0] stage4_block;
    always @(posedge clk) begin
        if (advance) begin
            stage2_valid <= stage1_valid;
            stage2_load <= (stage1_op == 3'd0) & ~stage1_is_error;
            stage2_store <=
                ((stage1_op == 3'd1) & ~stage1_is_error) | ((stage1_op == 3'd2) & ~stage1_is_error);
            stage2_invalidate <= (stage1_op == 3'd3) & ~stage1_is_error;
            stage2_downgrade <= (stage1_op == 3'd4) & ~stage1_is_error;
            stage2_source <= stage1_source_sharer;
            stage2_block <= stage1_block;
            stage3_valid <= stage2_valid;
            stage3_load <= stage2_load;
            stage3_store <= stage2_store;
            stage3_invalidate <= stage2_invalidate;
            stage3_downgrade <= stage2_downgrade;
            stage3_source <= stage2_source;
            stage3_block <= stage2_block;
            stage4_valid <= stage3_valid;
            stage4_load <= stage3_load;
            stage4_store <= stage3_store;
            stage4_invalidate <= stage3_invalidate;
            stage4_downgrade <= stage3_downgrade;
            stage4_source <= stage3_source;
            stage4_block <= stage3_block;
        end
        if (rst) begin
            stage2_valid <= 1'b0;
            stage3_valid <= 1'b0;
            stage4_valid <= 1'b0;
        end
    end
    // The row as stage 4 leaves it.
    wire [8:0] updated_row;
    // Stage 4 changes its set, in one way.
    wire row_changes;
    // The way that gets stage 4's tag, one-hot.
    wire [1:0] filled_way;
    wire [8:0] row_read;
    wire [8:0] _rows_0 =
        {(clear_next[1] & updated_row[8]), (clear_next[1] & updated_row[7]), updated_row[6:4],
        (clear_next[1] & updated_row[3]), updated_row[2:0]};
    // One row a set: its recency, and of each way whether it is valid, and its sharers.
    hmg_directory_rows rows (
        .clk(clk),
        .w0_enable(~clear_next[1] | (row_changes & advance)),
        .w0_address(~clear_next[1] ? clear_next[0] : stage4_block[0]),
        .w0_data(_rows_0),
        .r0_enable(advance),
        .r0_address(stage1_block[0]),
        .r0_data(row_read)
    );
    reg [8:0] stage5_row;
    reg stage2_set_in_stage5;
    reg stage3_set_in_stage5;
    reg stage3_set_in_stage4;
    reg [8:0] stage3_read;
    always @(posedge clk) begin
        if (advance) begin
            stage5_row <= updated_row;
            stage2_set_in_stage5 <=
                stage1_valid & stage4_valid & (stage1_block[0] == stage4_block[0]);
            stage3_set_in_stage5 <=
                stage2_valid & stage4_valid & (stage2_block[0] == stage4_block[0]);
            stage3_set_in_stage4 <=
                stage2_valid & stage3_valid & (stage2_block[0] == stage3_block[0]);
            stage3_read <= stage2_set_in_stage5 ? stage5_row : row_read;
        end
    end
    wire [8:0] stage3_row = stage3_set_in_stage5 ? stage5_row : stage3_read;
    reg [8:0] stage4_row;
    reg stage3_tag_in_stage5;
    reg stage3_tag_in_stage4;
    reg [1:0] stage5_filled;
    always @(posedge clk) begin
        if (advance) begin
            stage4_row <= stage3_set_in_stage4 ? updated_row : stage3_row;
            stage3_tag_in_stage5 <= stage2_block[2:1] == stage4_block[2:1];
            stage3_tag_in_stage4 <= stage2_block[2:1] == stage3_block[2:1];
            stage5_filled <= filled_way;
        end
    end
    wire [1:0] stage2_filled = {2{stage2_set_in_stage5}} & stage5_filled;
    wire [1:0] stage3_filled = {2{stage3_set_in_stage5}} & stage5_filled;
    wire [1:0] stage4_filled = {2{stage3_set_in_stage4}} & filled_way;
    reg [1:0] stage5_tag;
    always @(posedge clk) begin
        if (advance) begin
            stage5_tag <= stage4_block[2:1];
        end
    end
    wire [1:0] way0_tag_read;
    hmg_directory_way0_tags way0_tags (
        .clk(clk),
        .w0_enable(filled_way[0] & advance),
        .w0_address(stage4_block[0]),
        .w0_data(stage4_block[2:1]),
        .r0_enable(advance),
        .r0_address(stage1_block[0]),
        .r0_data(way0_tag_read)
    );
    reg [1:0] stage3_way0_tag;
    reg [1:0] stage4_way0_tag;
    always @(posedge clk) begin
        if (advance) begin
            stage3_way0_tag <= stage2_filled[0] ? stage5_tag : way0_tag_read;
            stage4_way0_tag <=
                stage4_filled[0] ? stage4_block[2:1] :
                (stage3_filled[0] ? stage5_tag : stage3_way0_tag);
        end
    end
    wire [1:0] way1_tag_read;
    hmg_directory_way1_tags way1_tags (
        .clk(clk),
        .w0_enable(filled_way[1] & advance),
        .w0_address(stage4_block[0]),
        .w0_data(stage4_block[2:1]),
        .r0_enable(advance),
        .r0_address(stage1_block[0]),
        .r0_data(way1_tag_read)
    );
    reg [1:0] stage3_way1_tag;
    reg [1:0] stage4_way1_tag;
    reg [1:0] stage4_same_tag;
    wire _stage4_same_tag_0 =
        stage4_filled[1] ? stage3_tag_in_stage4 :
        (stage3_filled[1] ? stage3_tag_in_stage5 : (stage3_way1_tag == stage3_block[2:1]));
    wire _stage4_same_tag_1 =
        stage4_filled[0] ? stage3_tag_in_stage4 :
        (stage3_filled[0] ? stage3_tag_in_stage5 : (stage3_way0_tag == stage3_block[2:1]));
    always @(posedge clk) begin
        if (advance) begin
            stage3_way1_tag <= stage2_filled[1] ? stage5_tag : way1_tag_read;
            stage4_way1_tag <=
                stage4_filled[1] ? stage4_block[2:1] :
                (stage3_filled[1] ? stage5_tag : stage3_way1_tag);
            stage4_same_tag <= {_stage4_same_tag_0, _stage4_same_tag_1};
        end
    end
    wire stage4_recency = stage4_row[8];
    wire stage4_way0_valid = stage4_row[7];
    wire [2:0] stage4_way0_sharers = stage4_row[6:4];
    wire stage4_way1_valid = stage4_row[3];
    wire [2:0] stage4_way1_sharers = stage4_row[2:0];
    wire [1:0] ways_valid = {stage4_way1_valid, stage4_way0_valid};
    wire [1:0] hits = stage4_same_tag & ways_valid;
    wire any_hit = |hits;
    wire access = stage4_load | stage4_store;
    wire allocate = access & (|stage4_source) & ~any_hit;
    wire evict = allocate & (&ways_valid);
    wire [1:0] victim = {stage4_recency, ~stage4_recency};
    wire [1:0] room = (&ways_valid) ? victim : (~ways_valid & (ways_valid + 2'd1));
    wire [1:0] way = any_hit ? hits : room;
    wire [2:0] sharers_hit =
        ({3{hits[0]}} & stage4_way0_sharers) | ({3{hits[1]}} & stage4_way1_sharers);
    wire [2:0] sharers_victim =
        ({3{victim[0]}} & stage4_way0_sharers) | ({3{victim[1]}} & stage4_way1_sharers);
    wire [2:0] _sharers_after_0 = sharers_hit & ~stage4_source;
    wire [2:0] sharers_after =
        stage4_store ? stage4_source :
        (stage4_downgrade ? _sharers_after_0 : (sharers_hit | stage4_source));
    wire valid_after = ~stage4_invalidate & (|sharers_after);
    wire changes =
        stage4_valid & ((any_hit & (access | stage4_invalidate | stage4_downgrade)) | allocate);
    assign row_changes = changes;
    wire [2:0] told =
        any_hit ? (stage4_store ? _sharers_after_0 :
        ({3{stage4_invalidate}} & (sharers_hit & 3'd3))) : ({3{evict}} & sharers_victim);
    wire [1:0] written_way = {2{changes}} & way;
    wire [8:0] _updated_row_0 =
        {((changes & access) ? ((stage4_recency | way[0]) & ~way[1]) : stage4_recency),
        (written_way[0] ? valid_after : stage4_way0_valid),
        (written_way[0] ? sharers_after : stage4_way0_sharers),
        (written_way[1] ? valid_after : stage4_way1_valid),
        (written_way[1] ? sharers_after : stage4_way1_sharers)};
    assign updated_row = _updated_row_0;
    wire _filled_way_0 = stage4_valid & allocate;
    assign filled_way = {2{_filled_way_0}} & room;
    wire effect_out_ready;
    wire effect_in_ready;
    assign advance = effect_in_ready;
    wire effect_out_valid;
    wire [8:0] effect_out_data;
    wire [2:0] _effect_0 =
        {(any_hit ? stage4_block[2:1] :
        (({2{victim[0]}} & stage4_way0_tag) | ({2{victim[1]}} & stage4_way1_tag))),
        stage4_block[0]};
    skid_buffer_w9 effect (
        .clk(clk),
        .rst(rst),
        .in_valid(stage4_valid),
        .in_data({(any_hit & (access | stage4_invalidate | stage4_downgrade)), allocate, evict, _effect_0, told}),
        .out_ready(effect_out_ready),
        .in_ready(effect_in_ready),
        .out_valid(effect_out_valid),
        .out_data(effect_out_data)
    );
    wire effect_hit = effect_out_data[8];
    wire effect_allocated = effect_out_data[7];
    wire effect_evicted = effect_out_data[6];
    wire [2:0] effect_inv_block = effect_out_data[5:3];
    wire [2:0] effect_inv_sharers = effect_out_data[2:0];
    wire answer_room;
    wire has_inv = |effect_inv_sharers;
    // The invalidation is accepted at the edge.
    wire inv_done;
    assign inv_valid = effect_out_valid & has_inv & answer_room;
    assign inv_done = inv_ready;
    assign inv_address = {effect_inv_block, 3'd0};
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
    wire _unused = &{1'b0, req_address[2:0]};
`ifdef FORMAL
    initial assume (rst);
    // At most one entry of a set tracks a block.
    always @(posedge clk) begin
        if (!rst) one_entry_per_block: assert (~stage4_valid | ((hits & (hits - 2'd1)) == 2'd0));
    end
    // A valid entry has sharers: state V of HMG Table I is never left without one.
    always @(posedge clk) begin
        if (!rst) way0_has_sharers: assert (~stage4_valid | ~stage4_way0_valid | (|stage4_way0_sharers));
    end
    // A valid entry has sharers: state V of HMG Table I is never left without one.
    always @(posedge clk) begin
        if (!rst) way1_has_sharers: assert (~stage4_valid | ~stage4_way1_valid | (|stage4_way1_sharers));
    end
`endif
endmodule
