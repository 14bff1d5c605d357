// Commit unit of GETM: coalesces the logs of warps into regions, writes them to the LLC, and
// releases the writes that are done with. Ren, GETM (thesis chapter 4), section 4.5.3 and
// figure 4.6.
//
// Channels are ready/valid: log in; write and release out, in order. A release is presented
// only after its region was written. error pulses for an item without meaning, which changes
// nothing.
//
// Parameters:
//   address_bits = 4
//   granule_bytes = 2
//   max_wait = 5
//   ring = 4
//   window = 2
//   word_bytes = 1
//   write_count_bits = 2
module getm_commit (
    input  wire clk,
    input  wire rst,
    input  wire log_valid,
    output wire log_ready,
    input  wire [1:0] log_kind,  // 0 commit, 1 abort, 2 end of a warp's log
    input  wire [3:0] log_address,  // byte address of the word; ignored at an end
    input  wire [7:0] log_data,  // of a commit: the word
    input  wire log_bytes,  // of a commit: the bytes that are written
    input  wire [1:0] log_count,  // of a commit or abort: writes that were counted for it
    output wire write_valid,
    input  wire write_ready,
    output wire [3:0] write_address,  // byte address of the region
    output wire [15:0] write_data,  // the region; zero where nothing is written
    output wire [1:0] write_bytes,  // the bytes that are written; never 0
    output wire release_valid,
    input  wire release_ready,
    output wire [3:0] release_address,  // byte address of the region
    output wire [1:0] release_count,  // writes that are done with; never 0
    output wire error_valid,  // an item had no meaning
    output wire [1:0] error_code  // 0 reserved kind, 1 no writes are counted, 2 the address is not that of a word
);
    wire item_out_ready;
    wire item_in_ready;
    assign log_ready = item_in_ready;
    wire item_out_valid;
    wire [16:0] item_out_data;
    skid_buffer_w17 item (
        .clk(clk),
        .rst(rst),
        .in_valid(log_valid),
        .in_data({log_kind, log_address, log_data, log_bytes, log_count}),
        .out_ready(item_out_ready),
        .in_ready(item_in_ready),
        .out_valid(item_out_valid),
        .out_data(item_out_data)
    );
    wire [1:0] item_kind = item_out_data[16:15];
    wire [3:0] item_address = item_out_data[14:11];
    wire [7:0] item_data = item_out_data[10:3];
    wire item_bytes = item_out_data[2];
    wire [1:0] item_count = item_out_data[1:0];
    wire is_write = (item_kind == 2'd0) | (item_kind == 2'd1);
    wire kind_is_reserved = 2'd2 < item_kind;
    wire counts_no_writes = is_write & (item_count == 2'd0);
    wire is_misaligned = 1'b0;
    wire is_error = kind_is_reserved | counts_no_writes | is_misaligned;
    wire item_waits = item_out_valid & ~is_error;
    wire _item_region_bytes_0 = item_kind == 2'd0;
    wire [1:0] item_region_bytes =
        {(_item_region_bytes_0 & item_address[0] & item_bytes),
        (_item_region_bytes_0 & ~item_address[0] & item_bytes)};
    // The slot that is written to the LLC next.
    reg [2:0] head;
    // The oldest slot of the window.
    reg [2:0] window_head;
    // The slot that is begun next.
    reg [2:0] tail;
    wire ring_is_full = (tail - head) == 3'd4;
    reg place0_open;
    reg [2:0] place0_granule;
    reg [1:0] place0_bytes;
    reg [1:0] place0_count;
    reg [2:0] place0_begun;
    reg [1:0] place0_slot;
    reg place1_open;
    reg [2:0] place1_granule;
    reg [1:0] place1_bytes;
    reg [1:0] place1_count;
    reg [2:0] place1_begun;
    reg [1:0] place1_slot;
    // Items taken, as far as ages need it.
    reg [2:0] items;
    wire [1:0] open = {place1_open, place0_open};
    wire [1:0] is_old = {((items - place1_begun) == 3'd5), ((items - place0_begun) == 3'd5)};
    wire [1:0] same_region =
        {(place1_granule == item_address[3:1]), (place0_granule == item_address[3:1])};
    wire [1:0] _matching_0 = is_old & open;
    wire [1:0] matching = open & ~_matching_0 & same_region & {2{is_write}};
    wire [2:0] sum =
        {1'b0, (({2{matching[0]}} & place0_count) | ({2{matching[1]}} & place1_count))} +
        {1'b0, item_count};
    wire too_many_writes = (|matching) & sum[2];
    wire coalesces = (|matching) & ~too_many_writes;
    wire needs_a_slot = is_write & ~coalesces;
    wire takes_item = item_waits & ~(needs_a_slot & ring_is_full);
    wire begins = takes_item & needs_a_slot;
    wire _closes_0 = item_kind == 2'd2;
    wire [1:0] closes =
        {2{takes_item}} & (_matching_0 | (matching & {2{too_many_writes}}) | {2{_closes_0}});
    wire [1:0] oldest = {window_head[0], ~window_head[0]};
    wire [2:0] in_window = tail - window_head;
    wire leaves = (|in_window) & (~(|(open & ~closes & oldest)) | (begins & (in_window == 3'd2)));
    wire [1:0] place0_bytes_with_item = place0_bytes | item_region_bytes;
    wire [1:0] _place0_bytes_0 = {2{begins}} & {tail[0], ~tail[0]};
    always @(posedge clk) begin
        if (_place0_bytes_0[0]) begin
            place0_granule <= item_address[3:1];
        end
    end
    wire _place0_bytes_1 = takes_item & coalesces;
    wire [1:0] _place0_bytes_2 = {2{_place0_bytes_1}} & matching;
    always @(posedge clk) begin
        if (_place0_bytes_2[0]) begin
            place0_bytes <= place0_bytes_with_item;
        end
        if (_place0_bytes_0[0]) begin
            place0_bytes <= item_region_bytes;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_2[0]) begin
            place0_count <= sum[1:0];
        end
        if (_place0_bytes_0[0]) begin
            place0_count <= item_count;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_0[0]) begin
            place0_begun <= items;
        end
    end
    always @(posedge clk) begin
        if (closes[0]) begin
            place0_open <= 1'b0;
        end
        if (_place0_bytes_2[0]) begin
            place0_open <= ~(&place0_bytes_with_item);
        end
        if (_place0_bytes_0[0]) begin
            place0_open <= ~(&item_region_bytes);
        end
        if (rst) begin
            place0_open <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_0[0]) begin
            place0_slot <= tail[1:0];
        end
    end
    wire [1:0] place1_bytes_with_item = place1_bytes | item_region_bytes;
    always @(posedge clk) begin
        if (_place0_bytes_0[1]) begin
            place1_granule <= item_address[3:1];
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_2[1]) begin
            place1_bytes <= place1_bytes_with_item;
        end
        if (_place0_bytes_0[1]) begin
            place1_bytes <= item_region_bytes;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_2[1]) begin
            place1_count <= sum[1:0];
        end
        if (_place0_bytes_0[1]) begin
            place1_count <= item_count;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_0[1]) begin
            place1_begun <= items;
        end
    end
    always @(posedge clk) begin
        if (closes[1]) begin
            place1_open <= 1'b0;
        end
        if (_place0_bytes_2[1]) begin
            place1_open <= ~(&place1_bytes_with_item);
        end
        if (_place0_bytes_0[1]) begin
            place1_open <= ~(&item_region_bytes);
        end
        if (rst) begin
            place1_open <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (_place0_bytes_0[1]) begin
            place1_slot <= tail[1:0];
        end
    end
    always @(posedge clk) begin
        if (takes_item) begin
            items <= items + 3'd1;
        end
        if (rst) begin
            items <= 3'd0;
        end
    end
    wire [1:0] word_slot =
        coalesces ? (({2{matching[0]}} & place0_slot) | ({2{matching[1]}} & place1_slot)) :
        tail[1:0];
    wire [2:0] oldest_granule =
        ({3{oldest[0]}} & place0_granule) | ({3{oldest[1]}} & place1_granule);
    wire [1:0] oldest_bytes = ({2{oldest[0]}} & place0_bytes) | ({2{oldest[1]}} & place1_bytes);
    wire [1:0] oldest_count = ({2{oldest[0]}} & place0_count) | ({2{oldest[1]}} & place1_count);
    always @(posedge clk) begin
        if (begins) begin
            tail <= tail + 3'd1;
        end
        if (rst) begin
            tail <= 3'd0;
        end
    end
    always @(posedge clk) begin
        if (leaves) begin
            window_head <= window_head + 3'd1;
        end
        if (rst) begin
            window_head <= 3'd0;
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
            head <= head + 3'd1;
        end
        if (rst) begin
            head <= 3'd0;
        end
    end
    wire [6:0] sizes_read;
    // Of regions that have left the window: number, bytes and count.
    getm_commit_sizes sizes (
        .clk(clk),
        .w0_enable(leaves),
        .w0_address(window_head[1:0]),
        .w0_data({oldest_granule, oldest_bytes, oldest_count}),
        .r0_enable(region_is_read),
        .r0_address(head[1:0]),
        .r0_data(sizes_read)
    );
    wire [15:0] data_read;
    // The regions' data, a byte a lane.
    getm_commit_data data (
        .clk(clk),
        .w0_enable(takes_item & (item_kind == 2'd0)),
        .w0_address(word_slot),
        .w0_data({2{item_data}}),
        .w0_lanes(item_region_bytes),
        .r0_enable(region_is_read),
        .r0_address(head[1:0]),
        .r0_data(data_read)
    );
    wire region_buffer_out_ready;
    wire region_buffer_in_ready;
    assign region_ready = region_buffer_in_ready;
    wire region_buffer_out_valid;
    wire [22:0] region_buffer_out_data;
    skid_buffer_w23 region_buffer (
        .clk(clk),
        .rst(rst),
        .in_valid(region_valid),
        .in_data({sizes_read, (data_read & {{8{sizes_read[3]}}, {8{sizes_read[2]}}})}),
        .out_ready(region_buffer_out_ready),
        .in_ready(region_buffer_in_ready),
        .out_valid(region_buffer_out_valid),
        .out_data(region_buffer_out_data)
    );
    wire [2:0] region_buffer_granule = region_buffer_out_data[22:20];
    wire [1:0] region_buffer_bytes = region_buffer_out_data[19:18];
    wire [1:0] region_buffer_count = region_buffer_out_data[17:16];
    wire [15:0] region_buffer_data = region_buffer_out_data[15:0];
    wire release_room;
    wire has_bytes = |region_buffer_bytes;
    // The region is accepted at the edge.
    wire write_done;
    assign write_valid = region_buffer_out_valid & has_bytes & release_room;
    assign write_done = write_ready;
    wire [3:0] _write_address_0 = {region_buffer_granule, 1'b0};
    assign write_address = _write_address_0;
    assign write_data = region_buffer_data;
    assign write_bytes = region_buffer_bytes;
    wire is_written = write_done | ~has_bytes;
    assign region_buffer_out_ready = release_room & is_written;
    wire release_buffer_out_ready;
    wire release_buffer_in_ready;
    assign release_room = release_buffer_in_ready;
    wire release_buffer_out_valid;
    wire [5:0] release_buffer_out_data;
    skid_buffer_w6 release_buffer (
        .clk(clk),
        .rst(rst),
        .in_valid(region_buffer_out_valid & is_written),
        .in_data({_write_address_0, region_buffer_count}),
        .out_ready(release_buffer_out_ready),
        .in_ready(release_buffer_in_ready),
        .out_valid(release_buffer_out_valid),
        .out_data(release_buffer_out_data)
    );
    wire [3:0] release_buffer_address = release_buffer_out_data[5:2];
    wire [1:0] release_buffer_count = release_buffer_out_data[1:0];
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
        if (!rst) one_open_region_matches: assert ((matching & (matching - 2'd1)) == 2'd0);
    end
    // The window has so many places.
    always @(posedge clk) begin
        if (!rst) window_not_overfull: assert (in_window <= 3'd2);
    end
`endif
endmodule
