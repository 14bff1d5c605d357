// Commit unit of GETM: coalesces the logs of warps into regions, writes them to the LLC, and
// releases the writes that are done with. Ren, GETM (thesis chapter 4), section 4.5.3 and
// figure 4.6.
//
// Channels are ready/valid: log in; write and release out, in order. A release is presented
// only after its region was written. error pulses for an item without meaning, which changes
// nothing.
//
// Parameters:
//   address_bits = 32
//   granule_bytes = 32
//   max_wait = 64
//   ring = 64
//   window = 8
//   word_bytes = 4
//   write_count_bits = 8
module getm_commit (
    input  wire clk,
    input  wire rst,
    input  wire log_valid,
    output wire log_ready,
    input  wire [1:0] log_kind,  // 0 commit, 1 abort, 2 end of a warp's log
    input  wire [31:0] log_address,  // byte address of the word; ignored at an end
    input  wire [31:0] log_data,  // of a commit: the word
    input  wire [3:0] log_bytes,  // of a commit: the bytes that are written
    input  wire [7:0] log_count,  // of a commit or abort: writes that were counted for it
    output wire write_valid,
    input  wire write_ready,
    output wire [31:0] write_address,  // byte address of the region
    output wire [255:0] write_data,  // the region; zero where nothing is written
    output wire [31:0] write_bytes,  // the bytes that are written; never 0
    output wire release_valid,
    input  wire release_ready,
    output wire [31:0] release_address,  // byte address of the region
    output wire [7:0] release_count,  // writes that are done with; never 0
    output wire error_valid,  // an item had no meaning
    output wire [1:0] error_code  // 0 reserved kind, 1 no writes are counted, 2 the address is not that of a word
);
    wire item_out_ready;
    wire item_in_ready;
    assign log_ready = item_in_ready;
    wire item_out_valid;
    wire [77:0] item_out_data;
    skid_buffer_w78 item (
        .clk(clk),
        .rst(rst),
        .in_valid(log_valid),
        .in_data({log_kind, log_address, log_data, log_bytes, log_count}),
        .out_ready(item_out_ready),
        .in_ready(item_in_ready),
        .out_valid(item_out_valid),
        .out_data(item_out_data)
    );
    wire [1:0] item_kind = item_out_data[77:76];
    wire [31:0] item_address = item_out_data[75:44];
    wire [31:0] item_data = item_out_data[43:12];
    wire [3:0] item_bytes = item_out_data[11:8];
    wire [7:0] item_count = item_out_data[7:0];
    wire is_write = (item_kind == 2'd0) | (item_kind == 2'd1);
    wire kind_is_reserved = 2'd2 < item_kind;
    wire counts_no_writes = is_write & (item_count == 8'd0);
    wire is_misaligned = is_write & (|item_address[1:0]);
    wire is_error = kind_is_reserved | counts_no_writes | is_misaligned;
    wire item_waits = item_out_valid & ~is_error;
    wire _item_region_bytes_0 = item_kind == 2'd0;
    wire _item_region_bytes_1 = _item_region_bytes_0 & (item_address[4:2] == 3'd7);
    wire _item_region_bytes_2 = _item_region_bytes_0 & (item_address[4:2] == 3'd6);
    wire _item_region_bytes_3 = _item_region_bytes_0 & (item_address[4:2] == 3'd5);
    wire _item_region_bytes_4 = _item_region_bytes_0 & (item_address[4:2] == 3'd4);
    wire _item_region_bytes_5 = _item_region_bytes_0 & (item_address[4:2] == 3'd3);
    wire _item_region_bytes_6 = _item_region_bytes_0 & (item_address[4:2] == 3'd2);
    wire _item_region_bytes_7 = _item_region_bytes_0 & (item_address[4:2] == 3'd1);
    wire _item_region_bytes_8 = _item_region_bytes_0 & (item_address[4:2] == 3'd0);
    wire [31:0] item_region_bytes =
        {({4{_item_region_bytes_1}} & item_bytes), ({4{_item_region_bytes_2}} & item_bytes),
        ({4{_item_region_bytes_3}} & item_bytes), ({4{_item_region_bytes_4}} & item_bytes),
        ({4{_item_region_bytes_5}} & item_bytes), ({4{_item_region_bytes_6}} & item_bytes),
        ({4{_item_region_bytes_7}} & item_bytes), ({4{_item_region_bytes_8}} & item_bytes)};
    // The slot that is written to the LLC next.
    reg [6:0] head;
    // The oldest slot of the window.
    reg [6:0] window_head;
    // The slot that is begun next.
    reg [6:0] tail;
    wire ring_is_full = (tail - head) == 7'd64;
    reg place0_open;
    reg [26:0] place0_granule;
    reg [31:0] place0_bytes;
    reg [7:0] place0_count;
    reg [6:0] place0_begun;
    reg [5:0] place0_slot;
    reg place1_open;
    reg [26:0] place1_granule;
    reg [31:0] place1_bytes;
    reg [7:0] place1_count;
    reg [6:0] place1_begun;
    reg [5:0] place1_slot;
    reg place2_open;
    reg [26:0] place2_granule;
    reg [31:0] place2_bytes;
    reg [7:0] place2_count;
    reg [6:0] place2_begun;
    reg [5:0] place2_slot;
    reg place3_open;
    reg [26:0] place3_granule;
    reg [31:0] place3_bytes;
    reg [7:0] place3_count;
    reg [6:0] place3_begun;
    reg [5:0] place3_slot;
    reg place4_open;
    reg [26:0] place4_granule;
    reg [31:0] place4_bytes;
    reg [7:0] place4_count;
    reg [6:0] place4_begun;
    reg [5:0] place4_slot;
    reg place5_open;
    reg [26:0] place5_granule;
    reg [31:0] place5_bytes;
    reg [7:0] place5_count;
    reg [6:0] place5_begun;
    reg [5:0] place5_slot;
    reg place6_open;
    reg [26:0] place6_granule;
    reg [31:0] place6_bytes;
    reg [7:0] place6_count;
    reg [6:0] place6_begun;
    reg [5:0] place6_slot;
    reg place7_open;
    reg [26:0] place7_granule;
    reg [31:0] place7_bytes;
    reg [7:0] place7_count;
    reg [6:0] place7_begun;
    reg [5:0] place7_slot;
    // Items taken, as far as ages need it.
    reg [6:0] items;
    wire [7:0] open =
        {place7_open, place6_open, place5_open, place4_open, place3_open, place2_open, place1_open,
        place0_open};
    wire [7:0] is_old =
        {((items - place7_begun) == 7'd64), ((items - place6_begun) == 7'd64),
        ((items - place5_begun) == 7'd64), ((items - place4_begun) == 7'd64),
        ((items - place3_begun) == 7'd64), ((items - place2_begun) == 7'd64),
        ((items - place1_begun) == 7'd64), ((items - place0_begun) == 7'd64)};
    wire [7:0] same_region =
        {(place7_granule == item_address[31:5]), (place6_granule == item_address[31:5]),
        (place5_granule == item_address[31:5]), (place4_granule == item_address[31:5]),
        (place3_granule == item_address[31:5]), (place2_granule == item_address[31:5]),
        (place1_granule == item_address[31:5]), (place0_granule == item_address[31:5])};
    wire [7:0] _matching_0 = is_old & open;
    wire [7:0] matching = open & ~_matching_0 & same_region & {8{is_write}};
    wire [7:0] _sum_0 =
        ({8{matching[0]}} & place0_count) | ({8{matching[1]}} & place1_count) |
        ({8{matching[2]}} & place2_count) | ({8{matching[3]}} & place3_count);
    wire [7:0] _sum_1 =
        _sum_0 | ({8{matching[4]}} & place4_count) | ({8{matching[5]}} & place5_count) |
        ({8{matching[6]}} & place6_count) | ({8{matching[7]}} & place7_count);
    wire [8:0] sum = {1'b0, _sum_1} + {1'b0, item_count};
    wire too_many_writes = (|matching) & sum[8];
    wire coalesces = (|matching) & ~too_many_writes;
    wire needs_a_slot = is_write & ~coalesces;
    wire takes_item = item_waits & ~(needs_a_slot & ring_is_full);
    wire begins = takes_item & needs_a_slot;
    wire _closes_0 = item_kind == 2'd2;
    wire [7:0] closes =
        {8{takes_item}} & (_matching_0 | (matching & {8{too_many_writes}}) | {8{_closes_0}});
    wire [7:0] oldest =
        {(window_head[2:0] == 3'd7), (window_head[2:0] == 3'd6), (window_head[2:0] == 3'd5),
        (window_head[2:0] == 3'd4), (window_head[2:0] == 3'd3), (window_head[2:0] == 3'd2),
        (window_head[2:0] == 3'd1), (window_head[2:0] == 3'd0)};
    wire [6:0] in_window = tail - window_head;
    wire leaves = (|in_window) & (~(|(open & ~closes & oldest)) | (begins & (in_window == 7'd8)));
    wire [31:0] place0_bytes_with_item = place0_bytes | item_region_bytes;
    wire [7:0] _place0_bytes_0 =
        {(tail[2:0] == 3'd7), (tail[2:0] == 3'd6), (tail[2:0] == 3'd5), (tail[2:0] == 3'd4),
        (tail[2:0] == 3'd3), (tail[2:0] == 3'd2), (tail[2:0] == 3'd1), (tail[2:0] == 3'd0)};
    wire [7:0] _place0_bytes_1 = {8{begins}} & _place0_bytes_0;
    always @(posedge clk) begin
        if (_place0_bytes_1[0]) begin
            place0_granule <= item_address[31:5];
        end
    end
    wire _place0_bytes_2 = takes_item & coalesces;
    wire [7:0] _place0_bytes_3 = {8{_place0_bytes_2}} & matching;
    always @(posedge clk) begin
        if (_place0_bytes_3[0]) begin
            place0_bytes <= place0_bytes_with_item;
        end
        if (_place0_bytes_1[0]) begin
            place0_bytes <= item_region_bytes;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_3[0]) begin
            place0_count <= sum[7:0];
        end
        if (_place0_bytes_1[0]) begin
            place0_count <= item_count;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_1[0]) begin
            place0_begun <= items;
        end
    end
    always @(posedge clk) begin
        if (closes[0]) begin
            place0_open <= 1'b0;
        end
        if (_place0_bytes_3[0]) begin
            place0_open <= ~(&place0_bytes_with_item);
        end
        if (_place0_bytes_1[0]) begin
            place0_open <= ~(&item_region_bytes);
        end
        if (rst) begin
            place0_open <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_1[0]) begin
            place0_slot <= tail[5:0];
        end
    end
    wire [31:0] place1_bytes_with_item = place1_bytes | item_region_bytes;
    always @(posedge clk) begin
        if (_place0_bytes_1[1]) begin
            place1_granule <= item_address[31:5];
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_3[1]) begin
            place1_bytes <= place1_bytes_with_item;
        end
        if (_place0_bytes_1[1]) begin
            place1_bytes <= item_region_bytes;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_3[1]) begin
            place1_count <= sum[7:0];
        end
        if (_place0_bytes_1[1]) begin
            place1_count <= item_count;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_1[1]) begin
            place1_begun <= items;
        end
    end
    always @(posedge clk) begin
        if (closes[1]) begin
            place1_open <= 1'b0;
        end
        if (_place0_bytes_3[1]) begin
            place1_open <= ~(&place1_bytes_with_item);
        end
        if (_place0_bytes_1[1]) begin
            place1_open <= ~(&item_region_bytes);
        end
        if (rst) begin
            place1_open <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_1[1]) begin
            place1_slot <= tail[5:0];
        end
    end
    wire [31:0] place2_bytes_with_item = place2_bytes | item_region_bytes;
    always @(posedge clk) begin
        if (_place0_bytes_1[2]) begin
            place2_granule <= item_address[31:5];
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_3[2]) begin
            place2_bytes <= place2_bytes_with_item;
        end
        if (_place0_bytes_1[2]) begin
            place2_bytes <= item_region_bytes;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_3[2]) begin
            place2_count <= sum[7:0];
        end
        if (_place0_bytes_1[2]) begin
            place2_count <= item_count;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_1[2]) begin
            place2_begun <= items;
        end
    end
    always @(posedge clk) begin
        if (closes[2]) begin
            place2_open <= 1'b0;
        end
        if (_place0_bytes_3[2]) begin
            place2_open <= ~(&place2_bytes_with_item);
        end
        if (_place0_bytes_1[2]) begin
            place2_open <= ~(&item_region_bytes);
        end
        if (rst) begin
            place2_open <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_1[2]) begin
            place2_slot <= tail[5:0];
        end
    end
    wire [31:0] place3_bytes_with_item = place3_bytes | item_region_bytes;
    always @(posedge clk) begin
        if (_place0_bytes_1[3]) begin
            place3_granule <= item_address[31:5];
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_3[3]) begin
            place3_bytes <= place3_bytes_with_item;
        end
        if (_place0_bytes_1[3]) begin
            place3_bytes <= item_region_bytes;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_3[3]) begin
            place3_count <= sum[7:0];
        end
        if (_place0_bytes_1[3]) begin
            place3_count <= item_count;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_1[3]) begin
            place3_begun <= items;
        end
    end
    always @(posedge clk) begin
        if (closes[3]) begin
            place3_open <= 1'b0;
        end
        if (_place0_bytes_3[3]) begin
            place3_open <= ~(&place3_bytes_with_item);
        end
        if (_place0_bytes_1[3]) begin
            place3_open <= ~(&item_region_bytes);
        end
        if (rst) begin
            place3_open <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_1[3]) begin
            place3_slot <= tail[5:0];
        end
    end
    wire [31:0] place4_bytes_with_item = place4_bytes | item_region_bytes;
    always @(posedge clk) begin
        if (_place0_bytes_1[4]) begin
            place4_granule <= item_address[31:5];
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_3[4]) begin
            place4_bytes <= place4_bytes_with_item;
        end
        if (_place0_bytes_1[4]) begin
            place4_bytes <= item_region_bytes;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_3[4]) begin
            place4_count <= sum[7:0];
        end
        if (_place0_bytes_1[4]) begin
            place4_count <= item_count;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_1[4]) begin
            place4_begun <= items;
        end
    end
    always @(posedge clk) begin
        if (closes[4]) begin
            place4_open <= 1'b0;
        end
        if (_place0_bytes_3[4]) begin
            place4_open <= ~(&place4_bytes_with_item);
        end
        if (_place0_bytes_1[4]) begin
            place4_open <= ~(&item_region_bytes);
        end
        if (rst) begin
            place4_open <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_1[4]) begin
            place4_slot <= tail[5:0];
        end
    end
    wire [31:0] place5_bytes_with_item = place5_bytes | item_region_bytes;
    always @(posedge clk) begin
        if (_place0_bytes_1[5]) begin
            place5_granule <= item_address[31:5];
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_3[5]) begin
            place5_bytes <= place5_bytes_with_item;
        end
        if (_place0_bytes_1[5]) begin
            place5_bytes <= item_region_bytes;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_3[5]) begin
            place5_count <= sum[7:0];
        end
        if (_place0_bytes_1[5]) begin
            place5_count <= item_count;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_1[5]) begin
            place5_begun <= items;
        end
    end
    always @(posedge clk) begin
        if (closes[5]) begin
            place5_open <= 1'b0;
        end
        if (_place0_bytes_3[5]) begin
            place5_open <= ~(&place5_bytes_with_item);
        end
        if (_place0_bytes_1[5]) begin
            place5_open <= ~(&item_region_bytes);
        end
        if (rst) begin
            place5_open <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_1[5]) begin
            place5_slot <= tail[5:0];
        end
    end
    wire [31:0] place6_bytes_with_item = place6_bytes | item_region_bytes;
    always @(posedge clk) begin
        if (_place0_bytes_1[6]) begin
            place6_granule <= item_address[31:5];
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_3[6]) begin
            place6_bytes <= place6_bytes_with_item;
        end
        if (_place0_bytes_1[6]) begin
            place6_bytes <= item_region_bytes;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_3[6]) begin
            place6_count <= sum[7:0];
        end
        if (_place0_bytes_1[6]) begin
            place6_count <= item_count;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_1[6]) begin
            place6_begun <= items;
        end
    end
    always @(posedge clk) begin
        if (closes[6]) begin
            place6_open <= 1'b0;
        end
        if (_place0_bytes_3[6]) begin
            place6_open <= ~(&place6_bytes_with_item);
        end
        if (_place0_bytes_1[6]) begin
            place6_open <= ~(&item_region_bytes);
        end
        if (rst) begin
            place6_open <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_1[6]) begin
            place6_slot <= tail[5:0];
        end
    end
    wire [31:0] place7_bytes_with_item = place7_bytes | item_region_bytes;
    always @(posedge clk) begin
        if (_place0_bytes_1[7]) begin
            place7_granule <= item_address[31:5];
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_3[7]) begin
            place7_bytes <= place7_bytes_with_item;
        end
        if (_place0_bytes_1[7]) begin
            place7_bytes <= item_region_bytes;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_3[7]) begin
            place7_count <= sum[7:0];
        end
        if (_place0_bytes_1[7]) begin
            place7_count <= item_count;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_1[7]) begin
            place7_begun <= items;
        end
    end
    always @(posedge clk) begin
        if (closes[7]) begin
            place7_open <= 1'b0;
        end
        if (_place0_bytes_3[7]) begin
            place7_open <= ~(&place7_bytes_with_item);
        end
        if (_place0_bytes_1[7]) begin
            place7_open <= ~(&item_region_bytes);
        end
        if (rst) begin
            place7_open <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_1[7]) begin
            place7_slot <= tail[5:0];
        end
    end
    always @(posedge clk) begin
        if (takes_item) begin
            items <= items + 7'd1;
        end
        if (rst) begin
            items <= 7'd0;
        end
    end
    wire [5:0] _word_slot_0 =
        ({6{matching[0]}} & place0_slot) | ({6{matching[1]}} & place1_slot) |
        ({6{matching[2]}} & place2_slot) | ({6{matching[3]}} & place3_slot);
    wire [5:0] _word_slot_1 =
        _word_slot_0 | ({6{matching[4]}} & place4_slot) | ({6{matching[5]}} & place5_slot) |
        ({6{matching[6]}} & place6_slot) | ({6{matching[7]}} & place7_slot);
    wire [5:0] word_slot = coalesces ? _word_slot_1 : tail[5:0];
    wire [26:0] _oldest_granule_0 =
        ({27{oldest[0]}} & place0_granule) | ({27{oldest[1]}} & place1_granule) |
        ({27{oldest[2]}} & place2_granule) | ({27{oldest[3]}} & place3_granule);
    wire [26:0] _oldest_granule_1 =
        _oldest_granule_0 | ({27{oldest[4]}} & place4_granule) | ({27{oldest[5]}} & place5_granule)
        | ({27{oldest[6]}} & place6_granule);
    wire [26:0] oldest_granule = _oldest_granule_1 | ({27{oldest[7]}} & place7_granule);
    wire [31:0] _oldest_bytes_0 =
        ({32{oldest[0]}} & place0_bytes) | ({32{oldest[1]}} & place1_bytes) |
        ({32{oldest[2]}} & place2_bytes) | ({32{oldest[3]}} & place3_bytes);
    wire [31:0] _oldest_bytes_1 =
        _oldest_bytes_0 | ({32{oldest[4]}} & place4_bytes) | ({32{oldest[5]}} & place5_bytes) |
        ({32{oldest[6]}} & place6_bytes);
    wire [31:0] oldest_bytes = _oldest_bytes_1 | ({32{oldest[7]}} & place7_bytes);
    wire [7:0] _oldest_count_0 =
        ({8{oldest[0]}} & place0_count) | ({8{oldest[1]}} & place1_count) |
        ({8{oldest[2]}} & place2_count) | ({8{oldest[3]}} & place3_count);
    wire [7:0] oldest_count =
        _oldest_count_0 | ({8{oldest[4]}} & place4_count) | ({8{oldest[5]}} & place5_count) |
        ({8{oldest[6]}} & place6_count) | ({8{oldest[7]}} & place7_count);
    always @(posedge clk) begin
        if (begins) begin
            tail <= tail + 7'd1;
        end
        if (rst) begin
            tail <= 7'd0;
        end
    end
    always @(posedge clk) begin
        if (leaves) begin
            window_head <= window_head + 7'd1;
        end
        if (rst) begin
            window_head <= 7'd0;
        end
    end
    wire region_ready;
    // A region was read from the RAMs.
    reg region_valid;
    wire region_moves = ~region_valid | region_ready;
    wire region_waits = head != window_head;
    always @(posedge clk) begin
        if (region_moves) begin
            region_valid <= region_waits;
        end
        if (rst) begin
            region_valid <= 1'b0;
        end
    end
    wire region_is_read = region_moves & region_waits;
    always @(posedge clk) begin
        if (region_is_read) begin
            head <= head + 7'd1;
        end
        if (rst) begin
            head <= 7'd0;
        end
    end
    wire [66:0] sizes_read;
    // Of regions that have left the window: number, bytes and count.
    getm_commit_sizes sizes (
        .clk(clk),
        .w0_enable(leaves),
        .w0_address(window_head[5:0]),
        .w0_data({oldest_granule, oldest_bytes, oldest_count}),
        .r0_enable(region_is_read),
        .r0_address(head[5:0]),
        .r0_data(sizes_read)
    );
    wire [255:0] data_read;
    // The regions' data, a byte a lane.
    getm_commit_data data (
        .clk(clk),
        .w0_enable(takes_item & (item_kind == 2'd0)),
        .w0_address(word_slot),
        .w0_data({8{item_data}}),
        .w0_lanes(item_region_bytes),
        .r0_enable(region_is_read),
        .r0_address(head[5:0]),
        .r0_data(data_read)
    );
    wire region_buffer_out_ready;
    wire region_buffer_in_ready;
    assign region_ready = region_buffer_in_ready;
    wire region_buffer_out_valid;
    wire [322:0] region_buffer_out_data;
    wire [255:0] _region_buffer_0 =
        {{8{sizes_read[39]}}, {8{sizes_read[38]}}, {8{sizes_read[37]}}, {8{sizes_read[36]}},
        {8{sizes_read[35]}}, {8{sizes_read[34]}}, {8{sizes_read[33]}}, {8{sizes_read[32]}},
        {8{sizes_read[31]}}, {8{sizes_read[30]}}, {8{sizes_read[29]}}, {8{sizes_read[28]}},
        {8{sizes_read[27]}}, {8{sizes_read[26]}}, {8{sizes_read[25]}}, {8{sizes_read[24]}},
        {8{sizes_read[23]}}, {8{sizes_read[22]}}, {8{sizes_read[21]}}, {8{sizes_read[20]}},
        {8{sizes_read[19]}}, {8{sizes_read[18]}}, {8{sizes_read[17]}}, {8{sizes_read[16]}},
        {8{sizes_read[15]}}, {8{sizes_read[14]}}, {8{sizes_read[13]}}, {8{sizes_read[12]}},
        {8{sizes_read[11]}}, {8{sizes_read[10]}}, {8{sizes_read[9]}}, {8{sizes_read[8]}}};
    skid_buffer_w323 region_buffer (
        .clk(clk),
        .rst(rst),
        .in_valid(region_valid),
        .in_data({sizes_read, (data_read & _region_buffer_0)}),
        .out_ready(region_buffer_out_ready),
        .in_ready(region_buffer_in_ready),
        .out_valid(region_buffer_out_valid),
        .out_data(region_buffer_out_data)
    );
    wire [26:0] region_buffer_granule = region_buffer_out_data[322:296];
    wire [31:0] region_buffer_bytes = region_buffer_out_data[295:264];
    wire [7:0] region_buffer_count = region_buffer_out_data[263:256];
    wire [255:0] region_buffer_data = region_buffer_out_data[255:0];
    wire release_room;
    wire has_bytes = |region_buffer_bytes;
    // The region is accepted at the edge.
    wire write_done;
    assign write_valid = region_buffer_out_valid & has_bytes & release_room;
    assign write_done = write_ready;
    wire [31:0] _write_address_0 = {region_buffer_granule, 5'd0};
    assign write_address = _write_address_0;
    assign write_data = region_buffer_data;
    assign write_bytes = region_buffer_bytes;
    wire is_written = write_done | ~has_bytes;
    assign region_buffer_out_ready = release_room & is_written;
    wire release_buffer_out_ready;
    wire release_buffer_in_ready;
    assign release_room = release_buffer_in_ready;
    wire release_buffer_out_valid;
    wire [39:0] release_buffer_out_data;
    skid_buffer_w40 release_buffer (
        .clk(clk),
        .rst(rst),
        .in_valid(region_buffer_out_valid & is_written),
        .in_data({_write_address_0, region_buffer_count}),
        .out_ready(release_buffer_out_ready),
        .in_ready(release_buffer_in_ready),
        .out_valid(release_buffer_out_valid),
        .out_data(release_buffer_out_data)
    );
    wire [31:0] release_buffer_address = release_buffer_out_data[39:8];
    wire [7:0] release_buffer_count = release_buffer_out_data[7:0];
    assign release_valid = release_buffer_out_valid;
    assign release_buffer_out_ready = release_ready;
    assign release_address = release_buffer_address;
    assign release_count = release_buffer_count;
    wire item_is_taken = takes_item | is_error;
    assign item_out_ready = item_is_taken;
    reg error_raised;
    always @(posedge clk) begin
        error_raised <= item_out_valid & is_error;
        if (rst) begin
            error_raised <= 1'b0;
        end
    end
    reg [1:0] error_kind;
    always @(posedge clk) begin
        error_kind <= kind_is_reserved ? 2'd0 : (counts_no_writes ? 2'd1 : 2'd2);
    end
    assign error_valid = error_raised;
    assign error_code = error_kind;
`ifdef FORMAL
    initial assume (rst);
    // At most one region of the window takes an item.
    always @(posedge clk) begin
        if (!rst) one_open_region_matches: assert ((matching & (matching - 8'd1)) == 8'd0);
    end
    // The window has so many places.
    always @(posedge clk) begin
        if (!rst) window_not_overfull: assert (in_window <= 7'd8);
    end
`endif
endmodule
