// The coherence directory of HMG for the preset `fpga`, by hand: 256 sets of 4 ways, 4 GPMs by 2
// GPUs, LRU. Ports and behaviour are those of the emitted circuit.
//
//   1 decode    the source's sharer bit, errors; the set is read from the RAMs
//   2 read      RAM data
//   3 compare   tags
//   4 update    Table I; written to the RAMs
//   5 written   the set's state, for those who read it too early
//
// A set's state (recency, valid bits, sharers) is forwarded whole to the requests behind. Its tags
// are not. They have a RAM a way, written only when a way gets a new tag. Whether a request in flight
// put our tag into a way, or another one, is known from comparing requests with each other. And a
// way that was filled by one of the last three requests is never the least recently used of four,
// so the tag of a victim is never in flight.
module hmg_directory (
    input  wire        clk,
    input  wire        rst,
    input  wire [1:0]  self_gpm,
    input  wire        self_gpu,
    input  wire        req_valid,
    output wire        req_ready,
    input  wire [2:0]  req_op,
    input  wire [1:0]  req_source_kind,
    input  wire [1:0]  req_source_index,
    input  wire [39:0] req_address,
    output wire        init_done,
    output reg         error_valid,
    output reg  [2:0]  error_code,
    output wire        inv_valid,
    input  wire        inv_ready,
    output wire [39:0] inv_address,
    output wire [3:0]  inv_sharers,
    output wire        resp_valid,
    input  wire        resp_ready,
    output wire        resp_hit,
    output wire        resp_allocated,
    output wire        resp_evicted
);
    // All stages move on.
    wire advance;

    // One row is cleared a clock after reset.
    reg  [8:0] clear_next;
    wire       clearing = !clear_next[8];
    always @(posedge clk)
        if (rst) clear_next <= 0;
        else if (clearing) clear_next <= clear_next + 1'b1;

    assign init_done = !clearing;
    assign req_ready = advance && !clearing;

    // ------------------------------------------------------------------------------------ 1 decode
    reg        s1_valid;
    reg [2:0]  s1_op;
    reg [1:0]  s1_kind, s1_source;
    reg [30:0] s1_block;
    always @(posedge clk) begin
        if (advance) begin
            s1_valid  <= req_valid && !clearing;
            s1_op     <= req_op;
            s1_kind   <= req_source_kind;
            s1_source <= req_source_index;
            s1_block  <= req_address[39:9];
        end
        if (rst) s1_valid <= 1'b0;
    end

    wire s1_gpm = s1_kind == 2'd1;
    wire s1_gpu = s1_kind == 2'd2;
    // GPM g is sharer g, or g - 1 above oneself; the other GPU is sharer 3.
    wire [1:0] s1_place = s1_source - (s1_source > self_gpm);
    wire [3:0] s1_sharer = {s1_gpu && s1_source[0] != self_gpu, {3{s1_gpm}} & (3'b001 << s1_place)};
    wire s1_self = s1_gpm ? s1_source == self_gpm : s1_gpu && s1_source == {1'b0, self_gpu};
    wire s1_illegal = s1_op == 3'd3 && !s1_gpu;
    wire s1_error = s1_op > 3'd5 || s1_kind == 2'd3 || s1_gpu && s1_source[1] || s1_self || s1_illegal;

    // An error is raised at once: well before its answer.
    always @(posedge clk) begin
        error_valid <= s1_valid && s1_error && advance && !rst;
        error_code  <= s1_op > 3'd5            ? 3'd0 :
                       s1_kind == 2'd3         ? 3'd1 :
                       s1_gpu && s1_source[1]  ? 3'd3 :
                       s1_self                 ? 3'd4 : 3'd5;
    end

    // ----------------------------------------------------------------------------- stages 2, 3, 4
    // A release, and a request with an error, is none of the four.
    reg        s2_valid, s2_load, s2_store, s2_invalidate, s2_downgrade;
    reg        s3_valid, s3_load, s3_store, s3_invalidate, s3_downgrade;
    reg        s4_valid, s4_load, s4_store, s4_invalidate, s4_downgrade;
    reg [3:0]  s2_sharer, s3_sharer, s4_sharer;
    reg [30:0] s2_block, s3_block, s4_block;
    always @(posedge clk) begin
        if (advance) begin
            s2_valid      <= s1_valid;
            s2_load       <= s1_op == 3'd0 && !s1_error;
            s2_store      <= (s1_op == 3'd1 || s1_op == 3'd2) && !s1_error;
            s2_invalidate <= s1_op == 3'd3 && !s1_error;
            s2_downgrade  <= s1_op == 3'd4 && !s1_error;
            s2_sharer     <= s1_sharer;
            s2_block      <= s1_block;
            {s3_valid, s3_load, s3_store, s3_invalidate, s3_downgrade, s3_sharer, s3_block} <=
                {s2_valid, s2_load, s2_store, s2_invalidate, s2_downgrade, s2_sharer, s2_block};
            {s4_valid, s4_load, s4_store, s4_invalidate, s4_downgrade, s4_sharer, s4_block} <=
                {s3_valid, s3_load, s3_store, s3_invalidate, s3_downgrade, s3_sharer, s3_block};
        end
        if (rst) {s2_valid, s3_valid, s4_valid} <= 3'b0;
    end

    // Sets and tags are compared one stage before it is needed.
    reg s2_set_in_5, s3_set_in_5, s3_set_in_4;
    reg s2_tag_in_5, s3_tag_in_5, s3_tag_in_4;
    always @(posedge clk)
        if (advance) begin
            s2_set_in_5 <= s1_valid && s4_valid && s1_block[7:0] == s4_block[7:0];
            s3_set_in_5 <= s2_valid && s4_valid && s2_block[7:0] == s4_block[7:0];
            s3_set_in_4 <= s2_valid && s3_valid && s2_block[7:0] == s3_block[7:0];
            s2_tag_in_5 <= s1_block[30:8] == s4_block[30:8];
            s3_tag_in_5 <= s2_block[30:8] == s4_block[30:8];
            s3_tag_in_4 <= s2_block[30:8] == s3_block[30:8];
        end

    // ---------------------------------------------------------------------------------------- RAMs
    // State of a set: {recency, valid, sharers of ways 3 to 0}. Whoever reads a row at the edge of
    // a write to it does not use what it gets.
    (* no_rw_check *) reg [25:0] state_ram [0:255];
    (* no_rw_check *) reg [22:0] tag_ram0 [0:255];
    (* no_rw_check *) reg [22:0] tag_ram1 [0:255];
    (* no_rw_check *) reg [22:0] tag_ram2 [0:255];
    (* no_rw_check *) reg [22:0] tag_ram3 [0:255];
    reg  [25:0] state_read;
    reg  [22:0] tag_read0, tag_read1, tag_read2, tag_read3;
    wire [25:0] s4_state_after;
    wire        s4_changes;
    wire [3:0]  s4_fills;       // the way that gets a new tag

    wire [7:0] write_row = clearing ? clear_next[7:0] : s4_block[7:0];
    always @(posedge clk) begin
        if (clearing || s4_changes && advance)
            state_ram[write_row] <= {s4_state_after[25:16] & {10{!clearing}}, s4_state_after[15:0]};
        if (s4_fills[0] && advance) tag_ram0[s4_block[7:0]] <= s4_block[30:8];
        if (s4_fills[1] && advance) tag_ram1[s4_block[7:0]] <= s4_block[30:8];
        if (s4_fills[2] && advance) tag_ram2[s4_block[7:0]] <= s4_block[30:8];
        if (s4_fills[3] && advance) tag_ram3[s4_block[7:0]] <= s4_block[30:8];
        if (advance) begin
            state_read <= state_ram[s1_block[7:0]];
            tag_read0  <= tag_ram0[s1_block[7:0]];
            tag_read1  <= tag_ram1[s1_block[7:0]];
            tag_read2  <= tag_ram2[s1_block[7:0]];
            tag_read3  <= tag_ram3[s1_block[7:0]];
        end
    end

    // -------------------------------------------------------------------------- 2 read, 3 compare
    reg [25:0] s5_state;
    reg [3:0]  s5_fills;
    reg [25:0] s3_state_read, s4_state;
    reg [91:0] s3_tags, s4_tags;
    reg [3:0]  s3_filled;       // the way of the set that was filled as it was read
    reg        s3_filled_tag;   // with our tag
    reg [3:0]  s4_same;         // ways of our tag, valid or not

    wire [25:0] s3_state = s3_set_in_5 ? s5_state : s3_state_read;
    wire [3:0]  s3_same, s3_ahead_fills;
    assign s3_ahead_fills = s4_fills & {4{s3_set_in_4}};
    genvar w;
    generate
        for (w = 0; w < 4; w = w + 1) begin : way
            assign s3_same[w] = s3_set_in_5 && s5_fills[w] ? s3_tag_in_5 :
                                s3_filled[w]               ? s3_filled_tag :
                                                             s3_tags[23*w +: 23] == s3_block[30:8];
        end
    endgenerate

    always @(posedge clk)
        if (advance) begin
            s5_state      <= s4_state_after;
            s5_fills      <= s4_fills;
            s3_state_read <= s2_set_in_5 ? s5_state : state_read;
            s3_filled     <= s5_fills & {4{s2_set_in_5}};
            s3_filled_tag <= s2_tag_in_5;
            s3_tags       <= {tag_read3, tag_read2, tag_read1, tag_read0};
            s4_tags       <= s3_tags;
            s4_state      <= s3_set_in_4 ? s4_state_after : s3_state;
            s4_same       <= (s3_same & ~s3_ahead_fills) | (s3_ahead_fills & {4{s3_tag_in_4}});
        end

    // ------------------------------------------------------------------------------------ 4 update
    wire [5:0] recency = s4_state[25:20];
    wire [3:0] valid   = s4_state[19:16];
    wire [3:0] hits    = s4_same & valid;
    wire       hit     = |hits;
    wire       access  = s4_load || s4_store;
    wire       alloc   = access && |s4_sharer && !hit;
    wire       full    = &valid;
    wire       evict   = alloc && full;

    // recency: {2>3, 1>3, 1>2, 0>3, 0>2, 0>1}, where a>b says that a was used later.
    wire [3:0] oldest = {
         recency[5] &&  recency[4] &&  recency[2],
        !recency[5] &&  recency[3] &&  recency[1],
        !recency[4] && !recency[3] &&  recency[0],
        !recency[2] && !recency[1] && !recency[0]
    };
    wire [3:0] room = full ? oldest : ~valid & (valid + 4'd1);
    wire [3:0] used = hit ? hits : room;
    wire [5:0] recency_used = {
        (recency[5] | used[2]) & ~used[3],
        (recency[4] | used[1]) & ~used[3],
        (recency[3] | used[1]) & ~used[2],
        (recency[2] | used[0]) & ~used[3],
        (recency[1] | used[0]) & ~used[2],
        (recency[0] | used[0]) & ~used[1]
    };

    wire [3:0] sharers_hit = ({4{hits[0]}} & s4_state[3:0])  | ({4{hits[1]}} & s4_state[7:4]) |
                             ({4{hits[2]}} & s4_state[11:8]) | ({4{hits[3]}} & s4_state[15:12]);
    wire [3:0] sharers_out = ({4{room[0]}} & s4_state[3:0])  | ({4{room[1]}} & s4_state[7:4]) |
                             ({4{room[2]}} & s4_state[11:8]) | ({4{room[3]}} & s4_state[15:12]);
    wire [3:0] others  = sharers_hit & ~s4_sharer;
    wire [3:0] sharers = s4_store ? s4_sharer : s4_downgrade ? others : sharers_hit | s4_sharer;
    wire       stays   = !s4_invalidate && |sharers;
    wire       hits_it = hit && (access || s4_invalidate || s4_downgrade);

    assign s4_changes = s4_valid && (hits_it || alloc);
    assign s4_fills   = room & {4{s4_valid && alloc}};
    wire [3:0] writes = used & {4{s4_changes}};
    assign s4_state_after = {
        s4_changes && access ? recency_used : recency,
        (valid & ~writes) | (writes & {4{stays}}),
        writes[3] ? sharers : s4_state[15:12],
        writes[2] ? sharers : s4_state[11:8],
        writes[1] ? sharers : s4_state[7:4],
        writes[0] ? sharers : s4_state[3:0]
    };

    wire [22:0] tag_out = ({23{room[0]}} & s4_tags[22:0])  | ({23{room[1]}} & s4_tags[45:23]) |
                          ({23{room[2]}} & s4_tags[68:46]) | ({23{room[3]}} & s4_tags[91:69]);
    wire [3:0] told = !hit          ? sharers_out & {4{evict}} :
                      s4_store      ? others :
                      s4_invalidate ? {1'b0, sharers_hit[2:0]} : 4'b0;

    // -------------------------------------------------------------------------------------- output
    wire        effect_valid, effect_hit, effect_allocated, effect_evicted, answer_ready;
    wire [30:0] effect_block;
    wire        tells = |inv_sharers;
    wire        told_all = inv_ready || !tells;
    skid #(38) effect (
        .clk(clk), .rst(rst),
        .in_valid(s4_valid), .in_ready(advance),
        .in_data({hits_it, alloc, evict, hit ? s4_block[30:8] : tag_out, s4_block[7:0], told}),
        .out_valid(effect_valid), .out_ready(answer_ready && told_all),
        .out_data({effect_hit, effect_allocated, effect_evicted, effect_block, inv_sharers})
    );
    assign inv_valid = effect_valid && tells && answer_ready;
    assign inv_address = {effect_block, 9'd0};

    skid #(3) answer (
        .clk(clk), .rst(rst),
        .in_valid(effect_valid && told_all), .in_ready(answer_ready),
        .in_data({effect_hit, effect_allocated, effect_evicted}),
        .out_valid(resp_valid), .out_ready(resp_ready),
        .out_data({resp_hit, resp_allocated, resp_evicted})
    );
endmodule

// Two places: valid, data and ready are registered, one transfer a clock.
module skid #(
    parameter WIDTH = 1
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             in_valid,
    output wire             in_ready,
    input  wire [WIDTH-1:0] in_data,
    output reg              out_valid,
    input  wire             out_ready,
    output reg  [WIDTH-1:0] out_data
);
    reg             held;
    reg [WIDTH-1:0] held_data;
    assign in_ready = !held;
    wire leaves = out_ready || !out_valid;

    always @(posedge clk) begin
        if (leaves) begin
            out_valid <= in_valid || held;
            out_data  <= held ? held_data : in_data;
        end
        if (in_ready) held_data <= in_data;
        held <= !leaves && (held || in_valid);
        if (rst) begin
            out_valid <= 1'b0;
            held      <= 1'b0;
        end
    end
endmodule
