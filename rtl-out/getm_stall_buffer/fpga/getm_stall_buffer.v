// Stall buffer: accesses that wait for the end of a reservation.
// GETM, section 4.5.2, figure 4.9.
//
// Nothing is refused: park, retry_result and release count at the clock at which
// they are valid, in this order; parked answers a park in the next clock. retry is
// ready/valid: of a released address the waiter with the smallest warpts, of equal
// ones the oldest. The next goes once retry_result says that the retry neither
// reserved the address nor parked again, or after another release.
//
// Parameters:
//   address_bits = 32
//   entries = 4
//   granule_bytes = 32
//   lines = 4
//   owner_bits = 8
//   timestamp_bits = 24
module getm_stall_buffer (
    input  wire clk,
    input  wire rst,
    input  wire park_valid,
    input  wire [31:0] park_address,  // byte address
    input  wire park_store,  // 1 a store, 0 a load
    input  wire [7:0] park_warp,  // number of the warp
    input  wire [23:0] park_warpts,  // the warp's timestamp
    input  wire retry_result_valid,
    input  wire [31:0] retry_result_address,  // byte address
    input  wire retry_result_reserved,  // the retry reserved the address or parked again
    input  wire release_valid,
    input  wire [31:0] release_address,  // byte address
    input  wire release_all,  // every address is released
    output wire parked_valid,
    output wire parked_room,  // 1 the access waits, 0 there is no room for it
    output wire retry_valid,
    input  wire retry_ready,
    output wire [31:0] retry_address,  // byte address of the granule
    output wire retry_store,  // 1 a store, 0 a load
    output wire [7:0] retry_warp,  // number of the warp
    output wire [23:0] retry_warpts,  // the warp's timestamp
    output wire error_valid,
    output wire error_code
);
    // The line that the access enters, one-hot.
    wire [3:0] enters;
    // The line whose retry is taken, one-hot.
    wire [3:0] leaves;
    wire line0_live;
    wire line0_has_parked;
    wire line0_has_room;
    wire line0_awake;
    wire line0_has_result;
    wire [26:0] line0_granule;
    wire line0_first_store;
    wire [7:0] line0_first_warp;
    wire [23:0] line0_first_warpts;
    getm_stall_line line0 (
        .clk(clk),
        .rst(rst),
        .park_granule(park_address[31:5]),
        .park_store(park_store),
        .park_warp(park_warp),
        .park_warpts(park_warpts),
        .enters(enters[0]),
        .result_valid(retry_result_valid),
        .result_granule(retry_result_address[31:5]),
        .result_reserved(retry_result_reserved),
        .release_valid(release_valid),
        .release_granule(release_address[31:5]),
        .release_all(release_all),
        .leaves(leaves[0]),
        .live(line0_live),
        .has_parked(line0_has_parked),
        .has_room(line0_has_room),
        .awake(line0_awake),
        .has_result(line0_has_result),
        .granule(line0_granule),
        .first_store(line0_first_store),
        .first_warp(line0_first_warp),
        .first_warpts(line0_first_warpts)
    );
    wire line1_live;
    wire line1_has_parked;
    wire line1_has_room;
    wire line1_awake;
    wire line1_has_result;
    wire [26:0] line1_granule;
    wire line1_first_store;
    wire [7:0] line1_first_warp;
    wire [23:0] line1_first_warpts;
    getm_stall_line line1 (
        .clk(clk),
        .rst(rst),
        .park_granule(park_address[31:5]),
        .park_store(park_store),
        .park_warp(park_warp),
        .park_warpts(park_warpts),
        .enters(enters[1]),
        .result_valid(retry_result_valid),
        .result_granule(retry_result_address[31:5]),
        .result_reserved(retry_result_reserved),
        .release_valid(release_valid),
        .release_granule(release_address[31:5]),
        .release_all(release_all),
        .leaves(leaves[1]),
        .live(line1_live),
        .has_parked(line1_has_parked),
        .has_room(line1_has_room),
        .awake(line1_awake),
        .has_result(line1_has_result),
        .granule(line1_granule),
        .first_store(line1_first_store),
        .first_warp(line1_first_warp),
        .first_warpts(line1_first_warpts)
    );
    wire line2_live;
    wire line2_has_parked;
    wire line2_has_room;
    wire line2_awake;
    wire line2_has_result;
    wire [26:0] line2_granule;
    wire line2_first_store;
    wire [7:0] line2_first_warp;
    wire [23:0] line2_first_warpts;
    getm_stall_line line2 (
        .clk(clk),
        .rst(rst),
        .park_granule(park_address[31:5]),
        .park_store(park_store),
        .park_warp(park_warp),
        .park_warpts(park_warpts),
        .enters(enters[2]),
        .result_valid(retry_result_valid),
        .result_granule(retry_result_address[31:5]),
        .result_reserved(retry_result_reserved),
        .release_valid(release_valid),
        .release_granule(release_address[31:5]),
        .release_all(release_all),
        .leaves(leaves[2]),
        .live(line2_live),
        .has_parked(line2_has_parked),
        .has_room(line2_has_room),
        .awake(line2_awake),
        .has_result(line2_has_result),
        .granule(line2_granule),
        .first_store(line2_first_store),
        .first_warp(line2_first_warp),
        .first_warpts(line2_first_warpts)
    );
    wire line3_live;
    wire line3_has_parked;
    wire line3_has_room;
    wire line3_awake;
    wire line3_has_result;
    wire [26:0] line3_granule;
    wire line3_first_store;
    wire [7:0] line3_first_warp;
    wire [23:0] line3_first_warpts;
    getm_stall_line line3 (
        .clk(clk),
        .rst(rst),
        .park_granule(park_address[31:5]),
        .park_store(park_store),
        .park_warp(park_warp),
        .park_warpts(park_warpts),
        .enters(enters[3]),
        .result_valid(retry_result_valid),
        .result_granule(retry_result_address[31:5]),
        .result_reserved(retry_result_reserved),
        .release_valid(release_valid),
        .release_granule(release_address[31:5]),
        .release_all(release_all),
        .leaves(leaves[3]),
        .live(line3_live),
        .has_parked(line3_has_parked),
        .has_room(line3_has_room),
        .awake(line3_awake),
        .has_result(line3_has_result),
        .granule(line3_granule),
        .first_store(line3_first_store),
        .first_warp(line3_first_warp),
        .first_warpts(line3_first_warpts)
    );
    wire [3:0] same_address =
        {line3_has_parked, line2_has_parked, line1_has_parked, line0_has_parked};
    wire [3:0] live = {line3_live, line2_live, line1_live, line0_live};
    // The line with room for the access, one-hot.
    wire [3:0] place =
        (|same_address) ? (same_address &
        {line3_has_room, line2_has_room, line1_has_room, line0_has_room}) : (~live & (live + 4'd1));
    assign enters = {4{park_valid}} & place;
    // An access was to park in the last clock.
    reg answers;
    always @(posedge clk) begin
        answers <= park_valid;
        if (rst) begin
            answers <= 1'b0;
        end
    end
    // There was room for it.
    reg had_room;
    always @(posedge clk) begin
        had_room <= |place;
    end
    assign parked_valid = answers;
    assign parked_room = had_room;
    // Lines with a retry to be taken.
    wire [3:0] awake = {line3_awake, line2_awake, line1_awake, line0_awake};
    // The line that is offered on retry, one-hot.
    reg [3:0] offered;
    wire retry_taken;
    assign leaves = {4{retry_taken}} & offered;
    wire offers_next = retry_taken | ~(|offered);
    wire [3:0] turn_grant;
    round_robin_arbiter_n4 turn (
        .clk(clk),
        .rst(rst),
        .requests(awake & ~offered),
        .advance(offers_next),
        .grant(turn_grant)
    );
    always @(posedge clk) begin
        if (offers_next) begin
            offered <= turn_grant;
        end
        if (rst) begin
            offered <= 4'd0;
        end
    end
    assign retry_valid = |offered;
    assign retry_taken = retry_ready;
    wire [26:0] _retry_address_0 =
        ({27{offered[0]}} & line0_granule) | ({27{offered[1]}} & line1_granule) |
        ({27{offered[2]}} & line2_granule) | ({27{offered[3]}} & line3_granule);
    assign retry_address = {_retry_address_0, 5'd0};
    wire _retry_store_0 =
        (offered[0] & line0_first_store) | (offered[1] & line1_first_store) |
        (offered[2] & line2_first_store) | (offered[3] & line3_first_store);
    assign retry_store = _retry_store_0;
    wire [7:0] _retry_warp_0 =
        ({8{offered[0]}} & line0_first_warp) | ({8{offered[1]}} & line1_first_warp) |
        ({8{offered[2]}} & line2_first_warp) | ({8{offered[3]}} & line3_first_warp);
    assign retry_warp = _retry_warp_0;
    wire [23:0] _retry_warpts_0 =
        ({24{offered[0]}} & line0_first_warpts) | ({24{offered[1]}} & line1_first_warpts) |
        ({24{offered[2]}} & line2_first_warpts);
    assign retry_warpts = _retry_warpts_0 | ({24{offered[3]}} & line3_first_warpts);
    // The last clock had the result of no retry.
    reg no_such_retry;
    always @(posedge clk) begin
        no_such_retry <=
            retry_result_valid & ~(|{line3_has_result, line2_has_result, line1_has_result,
            line0_has_result});
        if (rst) begin
            no_such_retry <= 1'b0;
        end
    end
    assign error_valid = no_such_retry;
    assign error_code = 1'b0;
    wire _unused = &{1'b0, park_address[4:0], retry_result_address[4:0], release_address[4:0]};
`ifdef FORMAL
    initial assume (rst);
    // At most one line has an address.
    always @(posedge clk) begin
        if (!rst) one_line_per_address: assert ((same_address & (same_address - 4'd1)) == 4'd0);
    end
    // What is offered is to be retried.
    always @(posedge clk) begin
        if (!rst) offered_is_awake: assert ((offered & ~awake) == 4'd0);
    end
`endif
endmodule
