// 16 rows of 18 bits, read without a clock.
module fifo_w18_d16_rows (
    input  wire clk,
    input  wire w0_enable,
    input  wire [3:0] w0_address,
    input  wire [17:0] w0_data,
    input  wire [3:0] r0_address,
    output wire [17:0] r0_data
);
    reg [17:0] _rows [0:15];

    always @(posedge clk) begin
        if (w0_enable) begin
            _rows[w0_address] <= w0_data;
        end
    end

    assign r0_data = _rows[r0_address];
endmodule
