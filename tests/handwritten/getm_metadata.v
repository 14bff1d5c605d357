// An ideal metadata table at the parameters of `tiny`: exact metadata of all 16 granules, without limits,
// answered in the next clock. With the ports of getm_metadata.
module getm_metadata (
    input  wire clk,
    input  wire rst,
    input  wire req_valid,
    output wire req_ready,
    input  wire [1:0] req_op,
    input  wire [4:0] req_address,
    input  wire req_warp,
    input  wire [3:0] req_warpts,
    input  wire [1:0] req_count,
    input  wire req_tag,
    output reg  resp_valid,
    input  wire resp_ready,
    output reg  [1:0] resp_op,
    output reg  [4:0] resp_address,
    output reg  resp_warp,
    output reg  [3:0] resp_warpts,
    output reg  resp_tag,
    output reg  [2:0] resp_verdict,
    output reg  [3:0] resp_wts,
    output reg  [3:0] resp_rts,
    output reg  resp_reserved,
    output wire overflow_req_valid,
    input  wire overflow_req_ready,
    output wire [1:0] overflow_req_op,
    output wire [4:0] overflow_req_address,
    output wire [3:0] overflow_req_wts,
    output wire [3:0] overflow_req_rts,
    output wire [1:0] overflow_req_writes,
    output wire overflow_req_owner,
    input  wire overflow_resp_valid,
    output wire overflow_resp_ready,
    input  wire overflow_resp_found,
    input  wire [3:0] overflow_resp_wts,
    input  wire [3:0] overflow_resp_rts,
    input  wire [1:0] overflow_resp_writes,
    input  wire overflow_resp_owner,
    output reg  error_valid,
    output reg  [1:0] error_code,
    output wire init_done
);
    assign req_ready = 1'b1;
    assign init_done = 1'b1;
    assign overflow_resp_ready = 1'b1;
    assign {overflow_req_valid, overflow_req_op, overflow_req_address, overflow_req_wts,
            overflow_req_rts, overflow_req_writes, overflow_req_owner} = 0;

    reg [63:0] all_wts, all_rts;
    reg [31:0] all_writes;
    reg [15:0] all_owner;
    wire [3:0] granule = req_address[4:1];
    wire [3:0] wts = all_wts[{granule, 2'd0} +: 4];
    wire [3:0] rts = all_rts[{granule, 2'd0} +: 4];
    wire [1:0] writes = all_writes[{granule, 1'd0} +: 2];
    wire owner = all_owner[granule];

    wire load = req_op == 2'd0;
    wire store = req_op == 2'd1;
    wire release_ = req_op == 2'd2;
    wire clear = req_op == 2'd3;
    wire mine = |writes && owner == req_warp && wts == req_warpts + 4'd1;
    wire error = ((load | store) && &req_warpts) || (clear && |all_writes)
        || (release_ && (req_count == 0 || req_count > writes));
    wire [2:0] verdict =
        error ? 3'd6 :
        (release_ | clear) ? 3'd0 :
        mine ? (store && &writes ? 3'd5 : 3'd0) :
        wts > req_warpts ? (load ? 3'd2 : 3'd3) :
        (store && rts > req_warpts) ? 3'd4 :
        |writes ? 3'd1 : 3'd0;
    wire success = req_valid && verdict == 0;
    wire [1:0] writes_after = !success ? writes :
        release_ ? writes - req_count : store ? (mine ? writes + 2'd1 : 2'd1) : writes;

    always @(posedge clk) begin
        if (success && store && !mine) begin
            all_wts[{granule, 2'd0} +: 4] <= req_warpts + 4'd1;
            all_owner[granule] <= req_warp;
        end
        if (success && load && rts < req_warpts) all_rts[{granule, 2'd0} +: 4] <= req_warpts;
        if (success && (store | release_)) all_writes[{granule, 1'd0} +: 2] <= writes_after;
        resp_valid <= req_valid;
        {resp_op, resp_address, resp_warp, resp_warpts, resp_tag} <=
            {req_op, req_address, req_warp, req_warpts, req_tag};
        resp_verdict <= verdict;
        resp_wts <= (error | clear) ? 4'd0 : wts;
        resp_rts <= (error | clear) ? 4'd0 : rts;
        resp_reserved <= !error && !clear && |writes_after;
        error_valid <= req_valid && error;
        error_code <= clear ? 2'd3 : !release_ ? 2'd2 : |writes ? 2'd1 : 2'd0;
        if (rst || (success && clear)) begin
            all_wts <= 0;
            all_rts <= 0;
            all_writes <= 0;
        end
        if (rst) begin
            resp_valid <= 0;
            error_valid <= 0;
        end
    end
endmodule
