// Round-robin arbiter of 4 requesters: one-hot grant in the same clock; `advance`
// moves the search above the requester that has the grant.
module round_robin_arbiter_n4 (
    input  wire clk,
    input  wire rst,
    input  wire [3:0] requests,
    input  wire advance,
    output wire [3:0] grant
);
    // Requesters above the last one granted.
    reg [3:0] above_last;
    wire [3:0] preferred = requests & above_last;
    wire [3:0] candidates = (|preferred) ? preferred : requests;
    wire _above_granted_0 = candidates[0] | candidates[1];
    wire [3:0] above_granted =
        {(_above_granted_0 | candidates[2]), _above_granted_0, candidates[0], 1'b0};
    assign grant = candidates & ~above_granted;
    always @(posedge clk) begin
        if (advance & (|requests)) begin
            above_last <= above_granted;
        end
        if (rst) begin
            above_last <= 4'd0;
        end
    end
`ifdef FORMAL
    initial assume (rst);
    // Only a requester is granted.
    always @(posedge clk) begin
        if (!rst) grant_requested: assert ((grant & ~requests) == 4'd0);
    end
    // At most one is granted.
    always @(posedge clk) begin
        if (!rst) grant_one_hot: assert ((grant & (grant - 4'd1)) == 4'd0);
    end
    // A request is granted at once.
    always @(posedge clk) begin
        if (!rst) grant_some: assert ((|grant) == (|requests));
    end
`endif
endmodule
