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
    wire _stage1_errors_1 = (2'd2 <= stage1_source_index) & stage1_is_gpu;
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
    reg [3:0] stage2_source;
    reg [30:0] stage2_block;
    reg stage3_valid;
    reg stage3_load;
    reg stage3_store;
    reg stage3_invalidate;
    reg stage3_downgrade;
    reg [3:0] stage3_source;
    reg [30:0] stage3_block;
    reg stage4_valid;
    reg stage4_load;
    reg stage4_store;
    reg stage4_invalidate;
    reg stage4_downgrade;
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
    wire [25:0] updated_row;
    // Stage 4 changes its set, in one way.
    wire row_changes;
    // The way that gets stage 4's tag, one-hot.
    wire [3:0] filled_way;
    wire [25:0] row_read;
    wire [25:0] _rows_0 =
        {({6{clear_next[8]}} & updated_row[25:20]), (clear_next[8] & updated_row[19]),
        updated_row[18:15], (clear_next[8] & updated_row[14]), updated_row[13:10],
        (clear_next[8] & updated_row[9]), updated_row[8:5], (clear_next[8] & updated_row[4]),
        updated_row[3:0]};
    // One row a set: its recency, and of each way whether it is valid, and its sharers.
    hmg_directory_rows rows (
        .clk(clk),
        .w0_enable(~clear_next[8] | (row_changes & advance)),
        .w0_address(~clear_next[8] ? clear_next[7:0] : stage4_block[7:0]),
        .w0_data(_rows_0),
        .r0_enable(advance),
        .r0_address(stage1_block[7:0]),
        .r0_data(row_read)
    );
    reg [25:0] stage5_row;
    reg stage2_set_in_stage5;
    reg stage3_set_in_stage5;
    reg stage3_set_in_stage4;
    reg [25:0] stage3_read;
    always @(posedge clk) begin
        if (advance) begin
            stage5_row <= updated_row;
            stage2_set_in_stage5 <=
                stage1_valid & stage4_valid & (stage1_block[7:0] == stage4_block[7:0]);
            stage3_set_in_stage5 <=
                stage2_valid & stage4_valid & (stage2_block[7:0] == stage4_block[7:0]);
            stage3_set_in_stage4 <=
                stage2_valid & stage3_valid & (stage2_block[7:0] == stage3_block[7:0]);
            stage3_read <= stage2_set_in_stage5 ? stage5_row : row_read;
        end
    end
    wire [25:0] stage3_row = stage3_set_in_stage5 ? stage5_row : stage3_read;
    reg [25:0] stage4_row;
    reg stage3_tag_in_stage5;
    reg stage3_tag_in_stage4;
    reg [3:0] stage5_filled;
    always @(posedge clk) begin
        if (advance) begin
            stage4_row <= stage3_set_in_stage4 ? updated_row : stage3_row;
            stage3_tag_in_stage5 <= stage2_block[30:8] == stage4_block[30:8];
            stage3_tag_in_stage4 <= stage2_block[30:8] == stage3_block[30:8];
            stage5_filled <= filled_way;
        end
    end
    wire [3:0] stage2_filled = {4{stage2_set_in_stage5}} & stage5_filled;
    wire [3:0] stage3_filled = {4{stage3_set_in_stage5}} & stage5_filled;
    wire [3:0] stage4_filled = {4{stage3_set_in_stage4}} & filled_way;
    reg [3:0] stage3_read_filled;
    reg stage2_tag_in_stage5;
    reg stage3_read_same_tag;
    always @(posedge clk) begin
        if (advance) begin
            stage3_read_filled <= stage2_filled;
            stage2_tag_in_stage5 <= stage1_block[30:8] == stage4_block[30:8];
            stage3_read_same_tag <= stage2_tag_in_stage5;
        end
    end
    wire [22:0] way0_tag_read;
    hmg_directory_way0_tags way0_tags (
        .clk(clk),
        .w0_enable(filled_way[0] & advance),
        .w0_address(stage4_block[7:0]),
        .w0_data(stage4_block[30:8]),
        .r0_enable(advance),
        .r0_address(stage1_block[7:0]),
        .r0_data(way0_tag_read)
    );
    reg [22:0] stage3_way0_tag;
    reg [22:0] stage4_way0_tag;
    always @(posedge clk) begin
        if (advance) begin
            stage3_way0_tag <= way0_tag_read;
            stage4_way0_tag <= stage3_way0_tag;
        end
    end
    wire [22:0] way1_tag_read;
    hmg_directory_way1_tags way1_tags (
        .clk(clk),
        .w0_enable(filled_way[1] & advance),
        .w0_address(stage4_block[7:0]),
        .w0_data(stage4_block[30:8]),
        .r0_enable(advance),
        .r0_address(stage1_block[7:0]),
        .r0_data(way1_tag_read)
    );
    reg [22:0] stage3_way1_tag;
    reg [22:0] stage4_way1_tag;
    always @(posedge clk) begin
        if (advance) begin
            stage3_way1_tag <= way1_tag_read;
            stage4_way1_tag <= stage3_way1_tag;
        end
    end
    wire [22:0] way2_tag_read;
    hmg_directory_way2_tags way2_tags (
        .clk(clk),
        .w0_enable(filled_way[2] & advance),
        .w0_address(stage4_block[7:0]),
        .w0_data(stage4_block[30:8]),
        .r0_enable(advance),
        .r0_address(stage1_block[7:0]),
        .r0_data(way2_tag_read)
    );
    reg [22:0] stage3_way2_tag;
    reg [22:0] stage4_way2_tag;
    always @(posedge clk) begin
        if (advance) begin
            stage3_way2_tag <= way2_tag_read;
            stage4_way2_tag <= stage3_way2_tag;
        end
    end
    wire [22:0] way3_tag_read;
    hmg_directory_way3_tags way3_tags (
        .clk(clk),
        .w0_enable(filled_way[3] & advance),
        .w0_address(stage4_block[7:0]),
        .w0_data(stage4_block[30:8]),
        .r0_enable(advance),
        .r0_address(stage1_block[7:0]),
        .r0_data(way3_tag_read)
    );
    reg [22:0] stage3_way3_tag;
    reg [22:0] stage4_way3_tag;
    reg [3:0] stage4_same_tag;
    wire _stage4_same_tag_0 =
        stage3_filled[3] ? stage3_tag_in_stage5 :
        (stage3_read_filled[3] ? stage3_read_same_tag : (stage3_way3_tag == stage3_block[30:8]));
    wire _stage4_same_tag_1 =
        stage3_filled[2] ? stage3_tag_in_stage5 :
        (stage3_read_filled[2] ? stage3_read_same_tag : (stage3_way2_tag == stage3_block[30:8]));
    wire _stage4_same_tag_2 =
        stage3_filled[1] ? stage3_tag_in_stage5 :
        (stage3_read_filled[1] ? stage3_read_same_tag : (stage3_way1_tag == stage3_block[30:8]));
    wire _stage4_same_tag_3 =
        stage3_filled[0] ? stage3_tag_in_stage5 :
        (stage3_read_filled[0] ? stage3_read_same_tag : (stage3_way0_tag == stage3_block[30:8]));
    wire [3:0] _stage4_same_tag_4 =
        {(stage4_filled[3] ? stage3_tag_in_stage4 : _stage4_same_tag_0),
        (stage4_filled[2] ? stage3_tag_in_stage4 : _stage4_same_tag_1),
        (stage4_filled[1] ? stage3_tag_in_stage4 : _stage4_same_tag_2),
        (stage4_filled[0] ? stage3_tag_in_stage4 : _stage4_same_tag_3)};
    always @(posedge clk) begin
        if (advance) begin
            stage3_way3_tag <= way3_tag_read;
            stage4_way3_tag <= stage3_way3_tag;
            stage4_same_tag <= _stage4_same_tag_4;
        end
    end
    wire [5:0] stage4_recency = stage4_row[25:20];
    wire stage4_way0_valid = stage4_row[19];
    wire [3:0] stage4_way0_sharers = stage4_row[18:15];
    wire stage4_way1_valid = stage4_row[14];
    wire [3:0] stage4_way1_sharers = stage4_row[13:10];
    wire stage4_way2_valid = stage4_row[9];
    wire [3:0] stage4_way2_sharers = stage4_row[8:5];
    wire stage4_way3_valid = stage4_row[4];
    wire [3:0] stage4_way3_sharers = stage4_row[3:0];
    wire [3:0] ways_valid =
        {stage4_way3_valid, stage4_way2_valid, stage4_way1_valid, stage4_way0_valid};
    wire [3:0] hits = stage4_same_tag & ways_valid;
    wire any_hit = |hits;
    wire access = stage4_load | stage4_store;
    wire allocate = access & (|stage4_source) & ~any_hit;
    wire evict = allocate & (&ways_valid);
    wire [3:0] victim =
        {(&{stage4_recency[5:4], stage4_recency[2]}),
        (&{~stage4_recency[5], stage4_recency[3], stage4_recency[1]}),
        (&{~stage4_recency[4], ~stage4_recency[3], stage4_recency[0]}),
        (&{~stage4_recency[2], ~stage4_recency[1], ~stage4_recency[0]})};
    wire [3:0] room = (&ways_valid) ? victim : (~ways_valid & (ways_valid + 4'd1));
    wire [3:0] way = any_hit ? hits : room;
    wire [3:0] sharers_hit =
        ({4{hits[0]}} & stage4_way0_sharers) | ({4{hits[1]}} & stage4_way1_sharers) |
        ({4{hits[2]}} & stage4_way2_sharers) | ({4{hits[3]}} & stage4_way3_sharers);
    wire [3:0] _sharers_victim_0 =
        ({4{victim[0]}} & stage4_way0_sharers) | ({4{victim[1]}} & stage4_way1_sharers) |
        ({4{victim[2]}} & stage4_way2_sharers);
    wire [3:0] sharers_victim = _sharers_victim_0 | ({4{victim[3]}} & stage4_way3_sharers);
    wire [3:0] _sharers_after_0 = sharers_hit & ~stage4_source;
    wire [3:0] sharers_after =
        stage4_store ? stage4_source :
        (stage4_downgrade ? _sharers_after_0 : (sharers_hit | stage4_source));
    wire valid_after = ~stage4_invalidate & (|sharers_after);
    wire changes =
        stage4_valid & ((any_hit & (access | stage4_invalidate | stage4_downgrade)) | allocate);
    assign row_changes = changes;
    wire [3:0] told =
        any_hit ? (stage4_store ? _sharers_after_0 :
        ({4{stage4_invalidate}} & (sharers_hit & 4'd7))) : ({4{evict}} & sharers_victim);
    wire [3:0] written_way = {4{changes}} & way;
    wire [5:0] _updated_row_0 =
        {((stage4_recency[5] | way[2]) & ~way[3]), ((stage4_recency[4] | way[1]) & ~way[3]),
        ((stage4_recency[3] | way[1]) & ~way[2]), ((stage4_recency[2] | way[0]) & ~way[3]),
        ((stage4_recency[1] | way[0]) & ~way[2]), ((stage4_recency[0] | way[0]) & ~way[1])};
    wire [25:0] _updated_row_1 =
        {((changes & access) ? _updated_row_0 : stage4_recency),
        (written_way[0] ? valid_after : stage4_way0_valid),
        (written_way[0] ? sharers_after : stage4_way0_sharers),
        (written_way[1] ? valid_after : stage4_way1_valid),
        (written_way[1] ? sharers_after : stage4_way1_sharers),
        (written_way[2] ? valid_after : stage4_way2_valid),
        (written_way[2] ? sharers_after : stage4_way2_sharers),
        (written_way[3] ? valid_after : stage4_way3_valid),
        (written_way[3] ? sharers_after : stage4_way3_sharers)};
    assign updated_row = _updated_row_1;
    wire _filled_way_0 = stage4_valid & allocate;
    assign filled_way = {4{_filled_way_0}} & room;
    wire effect_out_ready;
    wire effect_in_ready;
    assign advance = effect_in_ready;
    wire effect_out_valid;
    wire [37:0] effect_out_data;
    wire [22:0] _effect_0 =
        ({23{victim[0]}} & stage4_way0_tag) | ({23{victim[1]}} & stage4_way1_tag) |
        ({23{victim[2]}} & stage4_way2_tag) | ({23{victim[3]}} & stage4_way3_tag);
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
    wire _unused = &{1'b0, req_address[8:0]};
`ifdef FORMAL
    initial assume (rst);
    // At most one entry of a set tracks a block.
    always @(posedge clk) begin
        if (!rst) one_entry_per_block: assert (~stage4_valid | ((hits & (hits - 4'd1)) == 4'd0));
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
