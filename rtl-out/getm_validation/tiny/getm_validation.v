// Validation unit of GETM: decides on transactional loads and stores as they come. Ren, GETM
// (thesis chapter 4), sections 4.4 and 4.5.2, figure 4.6.
//
// req in and resp out: one answer an access, or later if it waits; release: writes that the
// commit unit is done with. roll and rolled: a roll-over of timestamps. overflow_req and
// overflow_resp: the overflow space in memory. issued and decided show what the unit does.
//
// Parameters:
//   address_bits = 5
//   bloom_rows = 2
//   bloom_ways = 2
//   entries = 2
//   faithful = false
//   granule_bytes = 2
//   hash_seed = 1
//   lines = 2
//   max_kicks = 2
//   owner_bits = 1
//   rows_per_way = 2
//   stash = 1
//   timestamp_bits = 4
//   ways = 2
//   write_count_bits = 2
module getm_validation (
    input  wire clk,
    input  wire rst,
    input  wire req_valid,
    output wire req_ready,
    input  wire [4:0] req_address,  // byte address
    input  wire req_store,  // 1 a store, 0 a load
    input  wire req_warp,  // number of the warp
    input  wire [3:0] req_warpts,  // the warp's timestamp
    input  wire release_valid,
    output wire release_ready,
    input  wire [4:0] release_address,  // byte address
    input  wire [1:0] release_count,  // writes that are done with
    input  wire roll_valid,
    output wire roll_ready,
    input  wire roll_go,  // 0 stop, 1 clear and go on
    input  wire overflow_req_ready,
    input  wire overflow_resp_valid,
    input  wire overflow_resp_found,  // there is an entry of the granule
    input  wire [3:0] overflow_resp_wts,  // one more than the time of the last write
    input  wire [3:0] overflow_resp_rts,  // the time of the last read
    input  wire [1:0] overflow_resp_writes,  // writes under way; not 0: reserved
    input  wire overflow_resp_owner,  // the warp that reserves it
    output wire overflow_resp_ready,
    output wire overflow_req_valid,
    output wire [1:0] overflow_req_op,  // 0 lookup, 1 insert, 2 update, 3 remove
    output wire [4:0] overflow_req_address,  // byte address of the granule, aligned to it
    output wire [3:0] overflow_req_wts,  // one more than the time of the last write
    output wire [3:0] overflow_req_rts,  // the time of the last read
    output wire [1:0] overflow_req_writes,  // writes under way; not 0: reserved
    output wire overflow_req_owner,  // the warp that reserves it
    output wire error_valid,
    output wire [1:0] error_code,  // 0 release of a granule that is not reserved, 1 release of no writes or more than are under way, 2 access at the largest timestamp, 3 clear while a granule is reserved
    output wire init_done,  // the table has been cleared after reset
    output wire issued_valid,
    output wire [2:0] issued_what,  // 0 request, 1 retry, 2 release, 3 stop, 4 clear, 5 request refused, 6 retry refused
    output wire [4:0] issued_address,  // byte address of the granule; 0 of stop and clear
    output wire issued_store,  // of an access: 1 a store, 0 a load
    output wire issued_warp,  // of an access: number of the warp
    output wire [3:0] issued_warpts,  // of an access: the warp's timestamp
    output wire decided_valid,
    output wire [2:0] decided_verdict,  // 0 success, 1 to wait, 2 WAR, 3 WAW, 4 RAW, 5 too many writes, 6 error
    input  wire rolled_ready,
    output wire rolled_valid,
    output wire rolled_go,  // 0 the unit has stopped, 1 it is cleared and goes on
    output wire resp_valid,
    input  wire resp_ready,
    output wire [4:0] resp_address,  // byte address of the granule
    output wire resp_store,  // 1 a store, 0 a load
    output wire resp_warp,  // number of the warp
    output wire [3:0] resp_warpts,  // the warp's timestamp
    output wire [2:0] resp_outcome,  // 0 success; else abort: 1 no room to wait, 2 WAR, 3 WAW, 4 RAW, 5 too many writes, 6 roll-over
    output wire [3:0] resp_timestamp  // what the next start has to be later than
);
    // The table has been cleared after reset.
    wire is_cleared;
    wire request_room;
    assign req_ready = request_room & is_cleared;
    wire request_out_ready;
    wire request_in_ready;
    assign request_room = request_in_ready;
    wire request_out_valid;
    wire [10:0] request_out_data;
    skid_buffer_w11 request (
        .clk(clk),
        .rst(rst),
        .in_valid(req_valid & is_cleared),
        .in_data({req_address, req_store, req_warp, req_warpts}),
        .out_ready(request_out_ready),
        .in_ready(request_in_ready),
        .out_valid(request_out_valid),
        .out_data(request_out_data)
    );
    wire [4:0] request_address = request_out_data[10:6];
    wire request_store = request_out_data[5];
    wire request_warp = request_out_data[4];
    wire [3:0] request_warpts = request_out_data[3:0];
    wire written_room;
    assign release_ready = written_room & is_cleared;
    wire written_out_ready;
    wire written_in_ready;
    assign written_room = written_in_ready;
    wire written_out_valid;
    wire [6:0] written_out_data;
    skid_buffer_w7 written (
        .clk(clk),
        .rst(rst),
        .in_valid(release_valid & is_cleared),
        .in_data({release_address, release_count}),
        .out_ready(written_out_ready),
        .in_ready(written_in_ready),
        .out_valid(written_out_valid),
        .out_data(written_out_data)
    );
    wire [4:0] written_address = written_out_data[6:2];
    wire [1:0] written_count = written_out_data[1:0];
    wire roll_room;
    assign roll_ready = roll_room & is_cleared;
    wire issues_valid;
    wire [1:0] issues_op;
    wire [4:0] issues_address;
    wire issues_warp;
    wire [3:0] issues_warpts;
    wire [1:0] issues_count = written_count;
    wire issues_tag;
    wire metadata_init_done;
    assign is_cleared = metadata_init_done;
    wire metadata_req_ready;
    wire metadata_overflow_resp_ready;
    wire metadata_overflow_req_valid;
    wire [1:0] metadata_overflow_req_op;
    wire [4:0] metadata_overflow_req_address;
    wire [3:0] metadata_overflow_req_wts;
    wire [3:0] metadata_overflow_req_rts;
    wire [1:0] metadata_overflow_req_writes;
    wire metadata_overflow_req_owner;
    wire metadata_resp_valid;
    wire [1:0] metadata_resp_op;
    wire [4:0] metadata_resp_address;
    wire metadata_resp_warp;
    wire [3:0] metadata_resp_warpts;
    wire metadata_resp_tag;
    wire [2:0] metadata_resp_verdict;
    wire [3:0] metadata_resp_wts;
    wire [3:0] metadata_resp_rts;
    wire metadata_resp_reserved;
    wire metadata_error_valid;
    wire [1:0] metadata_error_code;
    getm_metadata metadata (
        .clk(clk),
        .rst(rst),
        .req_valid(issues_valid),
        .req_op(issues_op),
        .req_address(issues_address),
        .req_warp(issues_warp),
        .req_warpts(issues_warpts),
        .req_count(issues_count),
        .req_tag(issues_tag),
        .overflow_resp_valid(overflow_resp_valid),
        .overflow_resp_found(overflow_resp_found),
        .overflow_resp_wts(overflow_resp_wts),
        .overflow_resp_rts(overflow_resp_rts),
        .overflow_resp_writes(overflow_resp_writes),
        .overflow_resp_owner(overflow_resp_owner),
        .overflow_req_ready(overflow_req_ready),
        .resp_ready(1'b1),
        .init_done(metadata_init_done),
        .req_ready(metadata_req_ready),
        .overflow_resp_ready(metadata_overflow_resp_ready),
        .overflow_req_valid(metadata_overflow_req_valid),
        .overflow_req_op(metadata_overflow_req_op),
        .overflow_req_address(metadata_overflow_req_address),
        .overflow_req_wts(metadata_overflow_req_wts),
        .overflow_req_rts(metadata_overflow_req_rts),
        .overflow_req_writes(metadata_overflow_req_writes),
        .overflow_req_owner(metadata_overflow_req_owner),
        .resp_valid(metadata_resp_valid),
        .resp_op(metadata_resp_op),
        .resp_address(metadata_resp_address),
        .resp_warp(metadata_resp_warp),
        .resp_warpts(metadata_resp_warpts),
        .resp_tag(metadata_resp_tag),
        .resp_verdict(metadata_resp_verdict),
        .resp_wts(metadata_resp_wts),
        .resp_rts(metadata_resp_rts),
        .resp_reserved(metadata_resp_reserved),
        .error_valid(metadata_error_valid),
        .error_code(metadata_error_code)
    );
    assign overflow_resp_ready = metadata_overflow_resp_ready;
    assign overflow_req_valid = metadata_overflow_req_valid;
    assign overflow_req_op = metadata_overflow_req_op;
    assign overflow_req_address = metadata_overflow_req_address;
    assign overflow_req_wts = metadata_overflow_req_wts;
    assign overflow_req_rts = metadata_overflow_req_rts;
    assign overflow_req_writes = metadata_overflow_req_writes;
    assign overflow_req_owner = metadata_overflow_req_owner;
    assign error_valid = metadata_error_valid;
    assign error_code = metadata_error_code;
    assign init_done = is_cleared;
    wire stall_park_valid_in;
    wire [4:0] stall_park_address_in;
    wire stall_park_store_in;
    wire stall_park_warp_in;
    wire [3:0] stall_park_warpts_in;
    wire stall_retry_result_valid_in;
    wire [4:0] stall_retry_result_address_in;
    wire stall_retry_result_reserved_in;
    wire stall_release_valid_in;
    wire [4:0] stall_release_address_in;
    wire stall_release_all_in;
    wire stall_retry_ready_in;
    wire stall_parked_valid;
    wire stall_parked_room;
    wire stall_retry_valid;
    wire [4:0] stall_retry_address;
    wire stall_retry_store;
    wire stall_retry_warp;
    wire [3:0] stall_retry_warpts;
    wire stall_error_valid;
    wire stall_error_code;
    getm_stall_buffer stall (
        .clk(clk),
        .rst(rst),
        .park_valid(stall_park_valid_in),
        .park_address(stall_park_address_in),
        .park_store(stall_park_store_in),
        .park_warp(stall_park_warp_in),
        .park_warpts(stall_park_warpts_in),
        .retry_result_valid(stall_retry_result_valid_in),
        .retry_result_address(stall_retry_result_address_in),
        .retry_result_reserved(stall_retry_result_reserved_in),
        .release_valid(stall_release_valid_in),
        .release_address(stall_release_address_in),
        .release_all(stall_release_all_in),
        .retry_ready(stall_retry_ready_in),
        .parked_valid(stall_parked_valid),
        .parked_room(stall_parked_room),
        .retry_valid(stall_retry_valid),
        .retry_address(stall_retry_address),
        .retry_store(stall_retry_store),
        .retry_warp(stall_retry_warp),
        .retry_warpts(stall_retry_warpts),
        .error_valid(stall_error_valid),
        .error_code(stall_error_code)
    );
    // Accesses that wait in the stall buffer.
    reg [2:0] waiters;
    // The unit has stopped for a roll-over.
    reg stopped;
    // Waiters have not been woken yet.
    reg waiters_to_wake;
    // Another unit rolls over.
    reg told_to_stop;
    // Every unit has stopped: clear and go on.
    reg told_to_go;
    // The table is being cleared.
    reg clearing;
    // To be said on rolled: stopped.
    reg says_stopped;
    // To be said on rolled: cleared.
    reg says_cleared;
    // The request has no time left.
    wire late = request_out_valid & (4'd13 <= request_warpts);
    // Answers in the buffer, or to come.
    reg [4:0] answers_due;
    // From issue to answer.
    reg [4:0] accesses_under_way;
    wire can_answer = answers_due != 5'd16;
    wire quiet = ~(|accesses_under_way);
    // A retry is in the table.
    reg retry_under_way;
    wire _stops_now_0 = ~says_stopped & ~says_cleared;
    wire _stops_now_1 = ~stopped & _stops_now_0 & (told_to_stop | late);
    wire stops_now = ~written_out_valid & _stops_now_1;
    wire accesses_enter = ~written_out_valid & ~_stops_now_1 & ~stopped & can_answer;
    wire is_retry = accesses_enter & stall_retry_valid & ~retry_under_way;
    assign issues_tag = is_retry;
    wire is_request = accesses_enter & request_out_valid & ~late & ~is_retry;
    wire accesses_are_refused =
        ~written_out_valid & (stopped & ~waiters_to_wake & ~clearing) & can_answer &
        ~metadata_resp_valid;
    wire refuses_retry = accesses_are_refused & stall_retry_valid;
    wire refuses_request = accesses_are_refused & request_out_valid & ~stall_retry_valid;
    wire _is_clear_0 =
        ~written_out_valid & (stopped & told_to_go & ~clearing & _stops_now_0 & ~waiters_to_wake &
        ~(|waiters)) & ~refuses_retry;
    wire is_clear = _is_clear_0 & ~refuses_request;
    // The unit stopped in the last clock.
    reg stop_shown;
    always @(posedge clk) begin
        stop_shown <= stops_now;
        if (rst) begin
            stop_shown <= 1'b0;
        end
    end
    wire release_enters = written_out_valid & metadata_req_ready;
    assign written_out_ready = release_enters;
    wire retry_enters = is_retry & metadata_req_ready;
    wire request_enters = is_request & metadata_req_ready;
    wire clear_enters = is_clear & metadata_req_ready;
    assign issues_valid = written_out_valid | is_retry | is_request | is_clear;
    wire [10:0] _access_address_0 =
        is_retry ? {stall_retry_address, stall_retry_store, stall_retry_warp, stall_retry_warpts} :
        {request_address, request_store, request_warp, request_warpts};
    wire [4:0] access_address = _access_address_0[10:6];
    wire access_store = _access_address_0[5];
    wire access_warp = _access_address_0[4];
    assign issues_warp = access_warp;
    wire [3:0] access_warpts = _access_address_0[3:0];
    assign issues_warpts = access_warpts;
    assign issues_op =
        (written_out_valid | is_clear) ? (written_out_valid ? 2'd2 : 2'd3) :
        (access_store ? 2'd1 : 2'd0);
    assign issues_address = written_out_valid ? written_address : access_address;
    wire _retry_under_way_0 = metadata_resp_valid & metadata_resp_tag;
    always @(posedge clk) begin
        if (retry_enters) begin
            retry_under_way <= 1'b1;
        end else if (_retry_under_way_0) begin
            retry_under_way <= 1'b0;
        end
        if (rst) begin
            retry_under_way <= 1'b0;
        end
    end
    assign stall_retry_ready_in = _retry_under_way_0 | refuses_retry;
    assign request_out_ready = request_enters | refuses_request;
    wire [6:0] issued =
        {refuses_retry, refuses_request, clear_enters, stops_now, release_enters, retry_enters,
        request_enters};
    reg shows;
    always @(posedge clk) begin
        shows <= |issued;
        if (rst) begin
            shows <= 1'b0;
        end
    end
    assign issued_valid = shows;
    reg [2:0] shown_what;
    wire [2:0] _shown_what_0 =
        ({3{issued[1]}} & 3'd1) | ({3{issued[2]}} & 3'd2) | ({3{issued[3]}} & 3'd3) |
        ({3{issued[4]}} & 3'd4) | ({3{issued[5]}} & 3'd5);
    always @(posedge clk) begin
        shown_what <= _shown_what_0 | ({3{issued[6]}} & 3'd6);
    end
    assign issued_what = shown_what;
    reg [4:0] shown_address;
    wire _shown_address_0 = request_enters | refuses_request;
    wire _shown_address_1 = retry_enters | refuses_retry;
    wire [4:0] _shown_address_2 =
        ({5{_shown_address_0}} & request_address) | ({5{_shown_address_1}} & stall_retry_address) |
        ({5{release_enters}} & written_address);
    always @(posedge clk) begin
        shown_address <= {_shown_address_2[4:1], 1'b0};
    end
    assign issued_address = shown_address;
    reg shown_store;
    always @(posedge clk) begin
        shown_store <= (_shown_address_0 & request_store) | (_shown_address_1 & stall_retry_store);
    end
    assign issued_store = shown_store;
    reg shown_warp;
    always @(posedge clk) begin
        shown_warp <= (_shown_address_0 & request_warp) | (_shown_address_1 & stall_retry_warp);
    end
    assign issued_warp = shown_warp;
    reg [3:0] shown_warpts;
    always @(posedge clk) begin
        shown_warpts <=
            ({4{_shown_address_0}} & request_warpts) | ({4{_shown_address_1}} & stall_retry_warpts);
    end
    assign issued_warpts = shown_warpts;
    wire [3:0] reported =
        ((metadata_resp_verdict == 3'd2) | (metadata_resp_rts < metadata_resp_wts)) ?
        metadata_resp_wts : metadata_resp_rts;
    wire refused = refuses_request | refuses_retry;
    reg verdict_on_access;
    wire _verdict_on_access_0 = metadata_resp_valid & (metadata_resp_op == 2'd0);
    wire _verdict_on_access_1 = metadata_resp_valid & (metadata_resp_op == 2'd1);
    always @(posedge clk) begin
        verdict_on_access <= _verdict_on_access_0 | _verdict_on_access_1 | refused;
        if (rst) begin
            verdict_on_access <= 1'b0;
        end
    end
    reg verdict_on_retry;
    assign stall_retry_result_valid_in = verdict_on_retry;
    always @(posedge clk) begin
        verdict_on_retry <=
            ((_verdict_on_access_0 | _verdict_on_access_1) & metadata_resp_tag) | refuses_retry;
        if (rst) begin
            verdict_on_retry <= 1'b0;
        end
    end
    reg verdict_on_release;
    always @(posedge clk) begin
        verdict_on_release <= metadata_resp_valid & (metadata_resp_op == 2'd2);
        if (rst) begin
            verdict_on_release <= 1'b0;
        end
    end
    reg verdict_on_clear;
    always @(posedge clk) begin
        verdict_on_clear <= metadata_resp_valid & (metadata_resp_op == 2'd3);
        if (rst) begin
            verdict_on_clear <= 1'b0;
        end
    end
    reg verdict_of_table;
    always @(posedge clk) begin
        verdict_of_table <= metadata_resp_valid;
        if (rst) begin
            verdict_of_table <= 1'b0;
        end
    end
    reg [4:0] verdict_address;
    assign stall_park_address_in = verdict_address;
    assign stall_retry_result_address_in = verdict_address;
    assign stall_release_address_in = verdict_address;
    wire [10:0] _verdict_address_0 =
        refuses_retry ? {stall_retry_address, stall_retry_store, stall_retry_warp,
        stall_retry_warpts} : {request_address, request_store, request_warp, request_warpts};
    always @(posedge clk) begin
        verdict_address <=
            refused ? {_verdict_address_0[10:7], 1'b0} : {metadata_resp_address[4:1], 1'b0};
    end
    reg verdict_store;
    assign stall_park_store_in = verdict_store;
    always @(posedge clk) begin
        verdict_store <= refused ? _verdict_address_0[5] : _verdict_on_access_1;
    end
    reg verdict_warp;
    assign stall_park_warp_in = verdict_warp;
    always @(posedge clk) begin
        verdict_warp <= refused ? _verdict_address_0[4] : metadata_resp_warp;
    end
    reg [3:0] verdict_warpts;
    assign stall_park_warpts_in = verdict_warpts;
    always @(posedge clk) begin
        verdict_warpts <= refused ? _verdict_address_0[3:0] : metadata_resp_warpts;
    end
    reg [2:0] verdict_verdict;
    always @(posedge clk) begin
        verdict_verdict <= refused ? 3'd6 : metadata_resp_verdict;
    end
    reg [3:0] verdict_timestamp;
    always @(posedge clk) begin
        verdict_timestamp <= refused ? 4'd0 : reported;
    end
    reg verdict_reserved;
    always @(posedge clk) begin
        verdict_reserved <= refused ? 1'b0 : metadata_resp_reserved;
    end
    reg verdict_stored;
    always @(posedge clk) begin
        verdict_stored <=
            refused ? 1'b0 : (_verdict_on_access_1 & (metadata_resp_verdict == 3'd0));
    end
    assign decided_valid = verdict_of_table;
    assign decided_verdict = verdict_verdict;
    wire parks = verdict_on_access & (verdict_verdict == 3'd1);
    assign stall_park_valid_in = parks;
    wire _wakes_0 = verdict_verdict == 3'd0;
    wire wakes = verdict_on_release & _wakes_0 & ~verdict_reserved;
    wire _stall_release_all_in_0 = waiters_to_wake & quiet;
    assign stall_release_all_in = _stall_release_all_in_0;
    assign stall_retry_result_reserved_in = parks | verdict_stored;
    assign stall_release_valid_in = wakes | _stall_release_all_in_0;
    wire _waiters_0 = stall_parked_valid & stall_parked_room;
    wire _waiters_1 = stall_retry_valid & stall_retry_ready_in;
    always @(posedge clk) begin
        if (_waiters_0 & ~_waiters_1) begin
            waiters <= waiters + 3'd1;
        end else if (_waiters_1 & ~_waiters_0) begin
            waiters <= waiters - 3'd1;
        end
        if (rst) begin
            waiters <= 3'd0;
        end
    end
    assign roll_room = ~told_to_go;
    wire _told_to_stop_0 = roll_valid & is_cleared & roll_room;
    always @(posedge clk) begin
        if (stops_now) begin
            told_to_stop <= 1'b0;
        end else if (_told_to_stop_0 & ~roll_go & ~stopped) begin
            told_to_stop <= 1'b1;
        end
        if (rst) begin
            told_to_stop <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (verdict_on_clear) begin
            told_to_go <= 1'b0;
        end else if (_told_to_stop_0 & roll_go & (stopped & ~stop_shown)) begin
            told_to_go <= 1'b1;
        end
        if (rst) begin
            told_to_go <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (clear_enters) begin
            clearing <= 1'b1;
        end else if (verdict_on_clear) begin
            clearing <= 1'b0;
        end
        if (rst) begin
            clearing <= 1'b0;
        end
    end
    wire _stopped_0 = verdict_on_clear & _wakes_0;
    always @(posedge clk) begin
        if (stops_now) begin
            stopped <= 1'b1;
        end else if (_stopped_0) begin
            stopped <= 1'b0;
        end
        if (rst) begin
            stopped <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (stops_now) begin
            waiters_to_wake <= 1'b1;
        end else if (!_stopped_0) begin
            if (waiters_to_wake & quiet) begin
                waiters_to_wake <= 1'b0;
            end
        end
        if (rst) begin
            waiters_to_wake <= 1'b0;
        end
    end
    assign rolled_valid = says_stopped | says_cleared;
    assign rolled_go = ~says_stopped;
    always @(posedge clk) begin
        if (stop_shown) begin
            says_stopped <= 1'b1;
        end else if (rolled_ready) begin
            says_stopped <= 1'b0;
        end
        if (rst) begin
            says_stopped <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (_stopped_0) begin
            says_cleared <= 1'b1;
        end else if (rolled_ready) begin
            says_cleared <= 1'b0;
        end
        if (rst) begin
            says_cleared <= 1'b0;
        end
    end
    reg answer_valid;
    always @(posedge clk) begin
        answer_valid <= verdict_on_access;
        if (rst) begin
            answer_valid <= 1'b0;
        end
    end
    // It was to wait.
    reg answer_parked;
    always @(posedge clk) begin
        answer_parked <= parks;
    end
    reg [4:0] answer_address;
    always @(posedge clk) begin
        answer_address <= verdict_address;
    end
    reg answer_store;
    always @(posedge clk) begin
        answer_store <= verdict_store;
    end
    reg answer_warp;
    always @(posedge clk) begin
        answer_warp <= verdict_warp;
    end
    reg [3:0] answer_warpts;
    always @(posedge clk) begin
        answer_warpts <= verdict_warpts;
    end
    reg [2:0] answer_outcome;
    always @(posedge clk) begin
        answer_outcome <= verdict_verdict;
    end
    reg [3:0] answer_timestamp;
    always @(posedge clk) begin
        answer_timestamp <= verdict_timestamp;
    end
    wire waits = answer_valid & answer_parked & stall_parked_room;
    wire responses_out_ready;
    wire responses_in_ready;
    wire responses_out_valid;
    wire [17:0] responses_out_data;
    wire [4:0] responses_count;
    wire _responses_0 = answer_valid & ~waits;
    fifo_w18_d16 responses (
        .clk(clk),
        .rst(rst),
        .in_valid(_responses_0),
        .in_data({answer_address, answer_store, answer_warp, answer_warpts, answer_outcome, answer_timestamp}),
        .out_ready(responses_out_ready),
        .in_ready(responses_in_ready),
        .out_valid(responses_out_valid),
        .out_data(responses_out_data),
        .count(responses_count)
    );
    wire [4:0] responses_address = responses_out_data[17:13];
    wire responses_store = responses_out_data[12];
    wire responses_warp = responses_out_data[11];
    wire [3:0] responses_warpts = responses_out_data[10:7];
    wire [2:0] responses_outcome = responses_out_data[6:4];
    wire [3:0] responses_timestamp = responses_out_data[3:0];
    assign resp_valid = responses_out_valid;
    assign responses_out_ready = resp_ready;
    assign resp_address = responses_address;
    assign resp_store = responses_store;
    assign resp_warp = responses_warp;
    assign resp_warpts = responses_warpts;
    assign resp_outcome = responses_outcome;
    assign resp_timestamp = responses_timestamp;
    wire _answers_due_0 = request_enters | retry_enters | refuses_request | refuses_retry;
    always @(posedge clk) begin
        answers_due <=
            (answers_due + {4'd0, _answers_due_0}) -
            ({4'd0, (responses_out_valid & responses_out_ready)} + {4'd0, waits});
        if (rst) begin
            answers_due <= 5'd0;
        end
    end
    always @(posedge clk) begin
        accesses_under_way <= (accesses_under_way + {4'd0, _answers_due_0}) - {4'd0, answer_valid};
        if (rst) begin
            accesses_under_way <= 5'd0;
        end
    end
    wire _unused =
        &{1'b0, metadata_resp_address[0], stall_error_valid, stall_error_code, _shown_address_2[0],
        _verdict_address_0[6], responses_in_ready, responses_count};
`ifdef FORMAL
    wire answer_room;
    assign answer_room = responses_in_ready;
    initial assume (rst);
    // Each retry has one result.
    always @(posedge clk) begin
        if (!rst) retries_are_answered_once: assert (~stall_error_valid);
    end
    // There is a place for each answer.
    always @(posedge clk) begin
        if (!rst) answer_has_room: assert (~_responses_0 | answer_room);
    end
`endif
endmodule
