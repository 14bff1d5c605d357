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
    wire _stage1_errors_0 =
        ((stage1_source_index == stage1_own_number) & stage1_is_gpm) |
        ((stage1_source_index == self_gpu) & stage1_is_gpu);
    wire _stage1_errors_1 = stage1_source_kind == 2'd3;
    wire _stage1_errors_2 = 3'd5 < stage1_op;
    wire [5:0] stage1_errors =
        {((stage1_op == 3'd3) & ~stage1_is_gpu), _stage1_errors_0, 1'b0, 1'b0, _stage1_errors_1,
        _stage1_errors_2};
    wire stage1_is_error = |stage1_errors;
    reg error_raised;
    reg [2:0] error_kind;
    always @(posedge clk) begin
        error_kind <=
            _stage1_errors_2 ? 3'd0 : (_stage1_errors_1 ? 3'd1 : (_stage1_errors_0 ? 3'd4 : 3'd5));
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
    reg [5:0] stage2_source;
    reg [38:0] stage2_block;
    reg stage3_valid;
    reg stage3_load;
    reg stage3_store;
    reg stage3_invalidate;
    reg stage3_downgrade;
    reg [5:0] stage3_source;
    reg [38:0] stage3_block;
    reg stage4_valid;
    reg stage4_load;
    reg stage4_store;
    reg stage4_invalidate;
    reg stage4_downgrade;
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
    wire [149:0] updated_row;
    // Stage 4 changes its set, in one way.
    wire row_changes;
    // The way that gets stage 4's tag, one-hot.
    wire [11:0] filled_way;
    wire [149:0] row_read;
    wire [149:0] _rows_0 =
        {({66{clear_next[10]}} & updated_row[149:84]), (clear_next[10] & updated_row[83]),
        updated_row[82:77], (clear_next[10] & updated_row[76]), updated_row[75:70],
        (clear_next[10] & updated_row[69]), updated_row[68:63], (clear_next[10] & updated_row[62]),
        updated_row[61:56], (clear_next[10] & updated_row[55]), updated_row[54:49],
        (clear_next[10] & updated_row[48]), updated_row[47:42], (clear_next[10] & updated_row[41]),
        updated_row[40:35], (clear_next[10] & updated_row[34]), updated_row[33:28],
        (clear_next[10] & updated_row[27]), updated_row[26:21], (clear_next[10] & updated_row[20]),
        updated_row[19:14], (clear_next[10] & updated_row[13]), updated_row[12:7],
        (clear_next[10] & updated_row[6]), updated_row[5:0]};
    // One row a set: its recency, and of each way whether it is valid, and its sharers.
    hmg_directory_rows rows (
        .clk(clk),
        .w0_enable(~clear_next[10] | (row_changes & advance)),
        .w0_address(~clear_next[10] ? clear_next[9:0] : stage4_block[9:0]),
        .w0_data(_rows_0),
        .r0_enable(advance),
        .r0_address(stage1_block[9:0]),
        .r0_data(row_read)
    );
    reg [149:0] stage5_row;
    reg stage2_set_in_stage5;
    reg stage3_set_in_stage5;
    reg stage3_set_in_stage4;
    reg [149:0] stage3_read;
    always @(posedge clk) begin
        if (advance) begin
            stage5_row <= updated_row;
            stage2_set_in_stage5 <=
                stage1_valid & stage4_valid & (stage1_block[9:0] == stage4_block[9:0]);
            stage3_set_in_stage5 <=
                stage2_valid & stage4_valid & (stage2_block[9:0] == stage4_block[9:0]);
            stage3_set_in_stage4 <=
                stage2_valid & stage3_valid & (stage2_block[9:0] == stage3_block[9:0]);
            stage3_read <= stage2_set_in_stage5 ? stage5_row : row_read;
        end
    end
    wire [149:0] stage3_row = stage3_set_in_stage5 ? stage5_row : stage3_read;
    reg [149:0] stage4_row;
    reg stage3_tag_in_stage5;
    reg stage3_tag_in_stage4;
    reg [11:0] stage5_filled;
    always @(posedge clk) begin
        if (advance) begin
            stage4_row <= stage3_set_in_stage4 ? updated_row : stage3_row;
            stage3_tag_in_stage5 <= stage2_block[38:10] == stage4_block[38:10];
            stage3_tag_in_stage4 <= stage2_block[38:10] == stage3_block[38:10];
            stage5_filled <= filled_way;
        end
    end
    wire [11:0] stage2_filled = {12{stage2_set_in_stage5}} & stage5_filled;
    wire [11:0] stage3_filled = {12{stage3_set_in_stage5}} & stage5_filled;
    wire [11:0] stage4_filled = {12{stage3_set_in_stage4}} & filled_way;
    reg [11:0] stage3_read_filled;
    reg stage2_tag_in_stage5;
    reg stage3_read_same_tag;
    always @(posedge clk) begin
        if (advance) begin
            stage3_read_filled <= stage2_filled;
            stage2_tag_in_stage5 <= stage1_block[38:10] == stage4_block[38:10];
            stage3_read_same_tag <= stage2_tag_in_stage5;
        end
    end
    wire [28:0] way0_tag_read;
    hmg_directory_way0_tags way0_tags (
        .clk(clk),
        .w0_enable(filled_way[0] & advance),
        .w0_address(stage4_block[9:0]),
        .w0_data(stage4_block[38:10]),
        .r0_enable(advance),
        .r0_address(stage1_block[9:0]),
        .r0_data(way0_tag_read)
    );
    reg [28:0] stage3_way0_tag;
    reg [28:0] stage4_way0_tag;
    always @(posedge clk) begin
        if (advance) begin
            stage3_way0_tag <= way0_tag_read;
            stage4_way0_tag <= stage3_way0_tag;
        end
    end
    wire [28:0] way1_tag_read;
    hmg_directory_way1_tags way1_tags (
        .clk(clk),
        .w0_enable(filled_way[1] & advance),
        .w0_address(stage4_block[9:0]),
        .w0_data(stage4_block[38:10]),
        .r0_enable(advance),
        .r0_address(stage1_block[9:0]),
        .r0_data(way1_tag_read)
    );
    reg [28:0] stage3_way1_tag;
    reg [28:0] stage4_way1_tag;
    always @(posedge clk) begin
        if (advance) begin
            stage3_way1_tag <= way1_tag_read;
            stage4_way1_tag <= stage3_way1_tag;
        end
    end
    wire [28:0] way2_tag_read;
    hmg_directory_way2_tags way2_tags (
        .clk(clk),
        .w0_enable(filled_way[2] & advance),
        .w0_address(stage4_block[9:0]),
        .w0_data(stage4_block[38:10]),
        .r0_enable(advance),
        .r0_address(stage1_block[9:0]),
        .r0_data(way2_tag_read)
    );
    reg [28:0] stage3_way2_tag;
    reg [28:0] stage4_way2_tag;
    always @(posedge clk) begin
        if (advance) begin
            stage3_way2_tag <= way2_tag_read;
            stage4_way2_tag <= stage3_way2_tag;
        end
    end
    wire [28:0] way3_tag_read;
    hmg_directory_way3_tags way3_tags (
        .clk(clk),
        .w0_enable(filled_way[3] & advance),
        .w0_address(stage4_block[9:0]),
        .w0_data(stage4_block[38:10]),
        .r0_enable(advance),
        .r0_address(stage1_block[9:0]),
        .r0_data(way3_tag_read)
    );
    reg [28:0] stage3_way3_tag;
    reg [28:0] stage4_way3_tag;
    always @(posedge clk) begin
        if (advance) begin
            stage3_way3_tag <= way3_tag_read;
            stage4_way3_tag <= stage3_way3_tag;
        end
    end
    wire [28:0] way4_tag_read;
    hmg_directory_way4_tags way4_tags (
        .clk(clk),
        .w0_enable(filled_way[4] & advance),
        .w0_address(stage4_block[9:0]),
        .w0_data(stage4_block[38:10]),
        .r0_enable(advance),
        .r0_address(stage1_block[9:0]),
        .r0_data(way4_tag_read)
    );
    reg [28:0] stage3_way4_tag;
    reg [28:0] stage4_way4_tag;
    always @(posedge clk) begin
        if (advance) begin
            stage3_way4_tag <= way4_tag_read;
            stage4_way4_tag <= stage3_way4_tag;
        end
    end
    wire [28:0] way5_tag_read;
    hmg_directory_way5_tags way5_tags (
        .clk(clk),
        .w0_enable(filled_way[5] & advance),
        .w0_address(stage4_block[9:0]),
        .w0_data(stage4_block[38:10]),
        .r0_enable(advance),
        .r0_address(stage1_block[9:0]),
        .r0_data(way5_tag_read)
    );
    reg [28:0] stage3_way5_tag;
    reg [28:0] stage4_way5_tag;
    always @(posedge clk) begin
        if (advance) begin
            stage3_way5_tag <= way5_tag_read;
            stage4_way5_tag <= stage3_way5_tag;
        end
    end
    wire [28:0] way6_tag_read;
    hmg_directory_way6_tags way6_tags (
        .clk(clk),
        .w0_enable(filled_way[6] & advance),
        .w0_address(stage4_block[9:0]),
        .w0_data(stage4_block[38:10]),
        .r0_enable(advance),
        .r0_address(stage1_block[9:0]),
        .r0_data(way6_tag_read)
    );
    reg [28:0] stage3_way6_tag;
    reg [28:0] stage4_way6_tag;
    always @(posedge clk) begin
        if (advance) begin
            stage3_way6_tag <= way6_tag_read;
            stage4_way6_tag <= stage3_way6_tag;
        end
    end
    wire [28:0] way7_tag_read;
    hmg_directory_way7_tags way7_tags (
        .clk(clk),
        .w0_enable(filled_way[7] & advance),
        .w0_address(stage4_block[9:0]),
        .w0_data(stage4_block[38:10]),
        .r0_enable(advance),
        .r0_address(stage1_block[9:0]),
        .r0_data(way7_tag_read)
    );
    reg [28:0] stage3_way7_tag;
    reg [28:0] stage4_way7_tag;
    always @(posedge clk) begin
        if (advance) begin
            stage3_way7_tag <= way7_tag_read;
            stage4_way7_tag <= stage3_way7_tag;
        end
    end
    wire [28:0] way8_tag_read;
    hmg_directory_way8_tags way8_tags (
        .clk(clk),
        .w0_enable(filled_way[8] & advance),
        .w0_address(stage4_block[9:0]),
        .w0_data(stage4_block[38:10]),
        .r0_enable(advance),
        .r0_address(stage1_block[9:0]),
        .r0_data(way8_tag_read)
    );
    reg [28:0] stage3_way8_tag;
    reg [28:0] stage4_way8_tag;
    always @(posedge clk) begin
        if (advance) begin
            stage3_way8_tag <= way8_tag_read;
            stage4_way8_tag <= stage3_way8_tag;
        end
    end
    wire [28:0] way9_tag_read;
    hmg_directory_way9_tags way9_tags (
        .clk(clk),
        .w0_enable(filled_way[9] & advance),
        .w0_address(stage4_block[9:0]),
        .w0_data(stage4_block[38:10]),
        .r0_enable(advance),
        .r0_address(stage1_block[9:0]),
        .r0_data(way9_tag_read)
    );
    reg [28:0] stage3_way9_tag;
    reg [28:0] stage4_way9_tag;
    always @(posedge clk) begin
        if (advance) begin
            stage3_way9_tag <= way9_tag_read;
            stage4_way9_tag <= stage3_way9_tag;
        end
    end
    wire [28:0] way10_tag_read;
    hmg_directory_way10_tags way10_tags (
        .clk(clk),
        .w0_enable(filled_way[10] & advance),
        .w0_address(stage4_block[9:0]),
        .w0_data(stage4_block[38:10]),
        .r0_enable(advance),
        .r0_address(stage1_block[9:0]),
        .r0_data(way10_tag_read)
    );
    reg [28:0] stage3_way10_tag;
    reg [28:0] stage4_way10_tag;
    always @(posedge clk) begin
        if (advance) begin
            stage3_way10_tag <= way10_tag_read;
            stage4_way10_tag <= stage3_way10_tag;
        end
    end
    wire [28:0] way11_tag_read;
    hmg_directory_way11_tags way11_tags (
        .clk(clk),
        .w0_enable(filled_way[11] & advance),
        .w0_address(stage4_block[9:0]),
        .w0_data(stage4_block[38:10]),
        .r0_enable(advance),
        .r0_address(stage1_block[9:0]),
        .r0_data(way11_tag_read)
    );
    reg [28:0] stage3_way11_tag;
    reg [28:0] stage4_way11_tag;
    reg [11:0] stage4_same_tag;
    wire _stage4_same_tag_0 =
        stage3_filled[11] ? stage3_tag_in_stage5 :
        (stage3_read_filled[11] ? stage3_read_same_tag : (stage3_way11_tag == stage3_block[38:10]));
    wire _stage4_same_tag_1 =
        stage3_filled[10] ? stage3_tag_in_stage5 :
        (stage3_read_filled[10] ? stage3_read_same_tag : (stage3_way10_tag == stage3_block[38:10]));
    wire _stage4_same_tag_2 =
        stage3_filled[9] ? stage3_tag_in_stage5 :
        (stage3_read_filled[9] ? stage3_read_same_tag : (stage3_way9_tag == stage3_block[38:10]));
    wire _stage4_same_tag_3 =
        stage3_filled[8] ? stage3_tag_in_stage5 :
        (stage3_read_filled[8] ? stage3_read_same_tag : (stage3_way8_tag == stage3_block[38:10]));
    wire _stage4_same_tag_4 =
        stage3_filled[7] ? stage3_tag_in_stage5 :
        (stage3_read_filled[7] ? stage3_read_same_tag : (stage3_way7_tag == stage3_block[38:10]));
    wire _stage4_same_tag_5 =
        stage3_filled[6] ? stage3_tag_in_stage5 :
        (stage3_read_filled[6] ? stage3_read_same_tag : (stage3_way6_tag == stage3_block[38:10]));
    wire _stage4_same_tag_6 =
        stage3_filled[5] ? stage3_tag_in_stage5 :
        (stage3_read_filled[5] ? stage3_read_same_tag : (stage3_way5_tag == stage3_block[38:10]));
    wire _stage4_same_tag_7 =
        stage3_filled[4] ? stage3_tag_in_stage5 :
        (stage3_read_filled[4] ? stage3_read_same_tag : (stage3_way4_tag == stage3_block[38:10]));
    wire _stage4_same_tag_8 =
        stage3_filled[3] ? stage3_tag_in_stage5 :
        (stage3_read_filled[3] ? stage3_read_same_tag : (stage3_way3_tag == stage3_block[38:10]));
    wire _stage4_same_tag_9 =
        stage3_filled[2] ? stage3_tag_in_stage5 :
        (stage3_read_filled[2] ? stage3_read_same_tag : (stage3_way2_tag == stage3_block[38:10]));
    wire _stage4_same_tag_10 =
        stage3_filled[1] ? stage3_tag_in_stage5 :
        (stage3_read_filled[1] ? stage3_read_same_tag : (stage3_way1_tag == stage3_block[38:10]));
    wire _stage4_same_tag_11 =
        stage3_filled[0] ? stage3_tag_in_stage5 :
        (stage3_read_filled[0] ? stage3_read_same_tag : (stage3_way0_tag == stage3_block[38:10]));
    wire [11:0] _stage4_same_tag_12 =
        {(stage4_filled[11] ? stage3_tag_in_stage4 : _stage4_same_tag_0),
        (stage4_filled[10] ? stage3_tag_in_stage4 : _stage4_same_tag_1),
        (stage4_filled[9] ? stage3_tag_in_stage4 : _stage4_same_tag_2),
        (stage4_filled[8] ? stage3_tag_in_stage4 : _stage4_same_tag_3),
        (stage4_filled[7] ? stage3_tag_in_stage4 : _stage4_same_tag_4),
        (stage4_filled[6] ? stage3_tag_in_stage4 : _stage4_same_tag_5),
        (stage4_filled[5] ? stage3_tag_in_stage4 : _stage4_same_tag_6),
        (stage4_filled[4] ? stage3_tag_in_stage4 : _stage4_same_tag_7),
        (stage4_filled[3] ? stage3_tag_in_stage4 : _stage4_same_tag_8),
        (stage4_filled[2] ? stage3_tag_in_stage4 : _stage4_same_tag_9),
        (stage4_filled[1] ? stage3_tag_in_stage4 : _stage4_same_tag_10),
        (stage4_filled[0] ? stage3_tag_in_stage4 : _stage4_same_tag_11)};
    always @(posedge clk) begin
        if (advance) begin
            stage3_way11_tag <= way11_tag_read;
            stage4_way11_tag <= stage3_way11_tag;
            stage4_same_tag <= _stage4_same_tag_12;
        end
    end
    wire [65:0] stage4_recency = stage4_row[149:84];
    wire stage4_way0_valid = stage4_row[83];
    wire [5:0] stage4_way0_sharers = stage4_row[82:77];
    wire stage4_way1_valid = stage4_row[76];
    wire [5:0] stage4_way1_sharers = stage4_row[75:70];
    wire stage4_way2_valid = stage4_row[69];
    wire [5:0] stage4_way2_sharers = stage4_row[68:63];
    wire stage4_way3_valid = stage4_row[62];
    wire [5:0] stage4_way3_sharers = stage4_row[61:56];
    wire stage4_way4_valid = stage4_row[55];
    wire [5:0] stage4_way4_sharers = stage4_row[54:49];
    wire stage4_way5_valid = stage4_row[48];
    wire [5:0] stage4_way5_sharers = stage4_row[47:42];
    wire stage4_way6_valid = stage4_row[41];
    wire [5:0] stage4_way6_sharers = stage4_row[40:35];
    wire stage4_way7_valid = stage4_row[34];
    wire [5:0] stage4_way7_sharers = stage4_row[33:28];
    wire stage4_way8_valid = stage4_row[27];
    wire [5:0] stage4_way8_sharers = stage4_row[26:21];
    wire stage4_way9_valid = stage4_row[20];
    wire [5:0] stage4_way9_sharers = stage4_row[19:14];
    wire stage4_way10_valid = stage4_row[13];
    wire [5:0] stage4_way10_sharers = stage4_row[12:7];
    wire stage4_way11_valid = stage4_row[6];
    wire [5:0] stage4_way11_sharers = stage4_row[5:0];
    wire [11:0] ways_valid =
        {stage4_way11_valid, stage4_way10_valid, stage4_way9_valid, stage4_way8_valid,
        stage4_way7_valid, stage4_way6_valid, stage4_way5_valid, stage4_way4_valid,
        stage4_way3_valid, stage4_way2_valid, stage4_way1_valid, stage4_way0_valid};
    wire [11:0] hits = stage4_same_tag & ways_valid;
    wire any_hit = |hits;
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
    wire [11:0] way = any_hit ? hits : room;
    wire [5:0] _sharers_hit_0 =
        ({6{hits[0]}} & stage4_way0_sharers) | ({6{hits[1]}} & stage4_way1_sharers) |
        ({6{hits[2]}} & stage4_way2_sharers) | ({6{hits[3]}} & stage4_way3_sharers);
    wire [5:0] _sharers_hit_1 =
        _sharers_hit_0 | ({6{hits[4]}} & stage4_way4_sharers) |
        ({6{hits[5]}} & stage4_way5_sharers) | ({6{hits[6]}} & stage4_way6_sharers);
    wire [5:0] _sharers_hit_2 =
        _sharers_hit_1 | ({6{hits[7]}} & stage4_way7_sharers) |
        ({6{hits[8]}} & stage4_way8_sharers) | ({6{hits[9]}} & stage4_way9_sharers);
    wire [5:0] sharers_hit =
        _sharers_hit_2 | ({6{hits[10]}} & stage4_way10_sharers) |
        ({6{hits[11]}} & stage4_way11_sharers);
    wire [5:0] _sharers_victim_0 =
        ({6{victim[0]}} & stage4_way0_sharers) | ({6{victim[1]}} & stage4_way1_sharers) |
        ({6{victim[2]}} & stage4_way2_sharers);
    wire [5:0] _sharers_victim_1 =
        _sharers_victim_0 | ({6{victim[3]}} & stage4_way3_sharers) |
        ({6{victim[4]}} & stage4_way4_sharers) | ({6{victim[5]}} & stage4_way5_sharers);
    wire [5:0] _sharers_victim_2 =
        _sharers_victim_1 | ({6{victim[6]}} & stage4_way6_sharers) |
        ({6{victim[7]}} & stage4_way7_sharers) | ({6{victim[8]}} & stage4_way8_sharers);
    wire [5:0] sharers_victim =
        _sharers_victim_2 | ({6{victim[9]}} & stage4_way9_sharers) |
        ({6{victim[10]}} & stage4_way10_sharers) | ({6{victim[11]}} & stage4_way11_sharers);
    wire [5:0] _sharers_after_0 = sharers_hit & ~stage4_source;
    wire [5:0] sharers_after =
        stage4_store ? stage4_source :
        (stage4_downgrade ? _sharers_after_0 : (sharers_hit | stage4_source));
    wire valid_after = ~stage4_invalidate & (|sharers_after);
    wire changes =
        stage4_valid & ((any_hit & (access | stage4_invalidate | stage4_downgrade)) | allocate);
    assign row_changes = changes;
    wire [5:0] told =
        any_hit ? (stage4_store ? _sharers_after_0 :
        ({6{stage4_invalidate}} & (sharers_hit & 6'd7))) : ({6{evict}} & sharers_victim);
    wire [11:0] written_way = {12{changes}} & way;
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
    wire [149:0] _updated_row_1 =
        {((changes & access) ? _updated_row_0 : stage4_recency),
        (written_way[0] ? valid_after : stage4_way0_valid),
        (written_way[0] ? sharers_after : stage4_way0_sharers),
        (written_way[1] ? valid_after : stage4_way1_valid),
        (written_way[1] ? sharers_after : stage4_way1_sharers),
        (written_way[2] ? valid_after : stage4_way2_valid),
        (written_way[2] ? sharers_after : stage4_way2_sharers),
        (written_way[3] ? valid_after : stage4_way3_valid),
        (written_way[3] ? sharers_after : stage4_way3_sharers),
        (written_way[4] ? valid_after : stage4_way4_valid),
        (written_way[4] ? sharers_after : stage4_way4_sharers),
        (written_way[5] ? valid_after : stage4_way5_valid),
        (written_way[5] ? sharers_after : stage4_way5_sharers),
        (written_way[6] ? valid_after : stage4_way6_valid),
        (written_way[6] ? sharers_after : stage4_way6_sharers),
        (written_way[7] ? valid_after : stage4_way7_valid),
        (written_way[7] ? sharers_after : stage4_way7_sharers),
        (written_way[8] ? valid_after : stage4_way8_valid),
        (written_way[8] ? sharers_after : stage4_way8_sharers),
        (written_way[9] ? valid_after : stage4_way9_valid),
        (written_way[9] ? sharers_after : stage4_way9_sharers),
        (written_way[10] ? valid_after : stage4_way10_valid),
        (written_way[10] ? sharers_after : stage4_way10_sharers),
        (written_way[11] ? valid_after : stage4_way11_valid),
        (written_way[11] ? sharers_after : stage4_way11_sharers)};
    assign updated_row = _updated_row_1;
    wire _filled_way_0 = stage4_valid & allocate;
    assign filled_way = {12{_filled_way_0}} & room;
    wire effect_out_ready;
    wire effect_in_ready;
    assign advance = effect_in_ready;
    wire effect_out_valid;
    wire [47:0] effect_out_data;
    wire [28:0] _effect_0 =
        ({29{victim[0]}} & stage4_way0_tag) | ({29{victim[1]}} & stage4_way1_tag) |
        ({29{victim[2]}} & stage4_way2_tag) | ({29{victim[3]}} & stage4_way3_tag);
    wire [28:0] _effect_1 =
        _effect_0 | ({29{victim[4]}} & stage4_way4_tag) | ({29{victim[5]}} & stage4_way5_tag) |
        ({29{victim[6]}} & stage4_way6_tag);
    wire [28:0] _effect_2 =
        _effect_1 | ({29{victim[7]}} & stage4_way7_tag) | ({29{victim[8]}} & stage4_way8_tag) |
        ({29{victim[9]}} & stage4_way9_tag);
    wire [28:0] _effect_3 =
        any_hit ? stage4_block[38:10] :
        (_effect_2 | ({29{victim[10]}} & stage4_way10_tag) | ({29{victim[11]}} & stage4_way11_tag));
    skid_buffer_w48 effect (
        .clk(clk),
        .rst(rst),
        .in_valid(stage4_valid),
        .in_data({(any_hit & (access | stage4_invalidate | stage4_downgrade)), allocate, evict, {_effect_3, stage4_block[9:0]}, told}),
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
    wire _unused = &{1'b0, req_address[8:0]};
`ifdef FORMAL
    initial assume (rst);
    // At most one entry of a set tracks a block.
    always @(posedge clk) begin
        if (!rst) one_entry_per_block: assert (~stage4_valid | ((hits & (hits - 12'd1)) == 12'd0));
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
