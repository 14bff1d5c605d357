// A FIFO of 2^LOG_DEPTH words: one word in and one out per clock, offered in the clock after it
// came. Rows are read without a clock, so that they are LUT RAM.
module fifo #(
    parameter WIDTH = 32,
    parameter LOG_DEPTH = 4
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 in_valid,
    output wire                 in_ready,
    input  wire [WIDTH-1:0]     in_data,
    output wire                 out_valid,
    input  wire                 out_ready,
    output wire [WIDTH-1:0]     out_data,
    output reg  [LOG_DEPTH:0]   count
);
    reg [WIDTH-1:0]     mem [0:(1<<LOG_DEPTH)-1];
    reg [LOG_DEPTH-1:0] wptr, rptr;

    // No more than 2^LOG_DEPTH words: the highest bit of the count says full.
    assign in_ready  = !count[LOG_DEPTH];
    assign out_valid = |count;
    assign out_data  = mem[rptr];

    wire push = in_valid && in_ready;
    wire pop  = out_valid && out_ready;

    always @(posedge clk)
        if (push) mem[wptr] <= in_data;

    always @(posedge clk) begin
        if (push) wptr <= wptr + 1'b1;
        if (pop)  rptr <= rptr + 1'b1;
        // Plus one, or plus all ones.
        if (push != pop) count <= count + {{LOG_DEPTH{pop}}, 1'b1};
        if (rst) begin
            wptr  <= 0;
            rptr  <= 0;
            count <= 0;
        end
    end
endmodule
