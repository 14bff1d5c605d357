// Round-robin arbiter: a one-hot grant in the same clock. After a clock with a grant and `advance`,
// the search begins above the requester that had it.
module round_robin #(
    parameter N = 8
) (
    input  wire         clk,
    input  wire         rst,
    input  wire [N-1:0] requests,
    input  wire         advance,
    output wire [N-1:0] grant
);
    // Requesters above the last one granted; they go first.
    reg  [N-1:0] mask;
    wire [N-1:0] masked = requests & mask;
    wire [N-1:0] candidates = |masked ? masked : requests;

    // Above the lowest candidate.
    wire [N-1:0] above;
    assign above[0] = 1'b0;
    genvar i;
    generate
        for (i = 1; i < N; i = i + 1) begin : chain
            assign above[i] = above[i-1] | candidates[i-1];
        end
    endgenerate

    assign grant = candidates & ~above;

    always @(posedge clk)
        if (rst) mask <= 0;
        else if (advance && |requests) mask <= above;
endmodule
