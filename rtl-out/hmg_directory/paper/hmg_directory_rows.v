// One row a set: its recency, and of each way whether it is valid, and its sharers.
// 1024 rows of 150 bits. Reads take one clock; reading a row
// that is written at the same edge gives undefined data.
module hmg_directory_rows (
    input  wire clk,
    input  wire w0_enable,
    input  wire [9:0] w0_address,
    input  wire [149:0] w0_data,
    input  wire r0_enable,
    input  wire [9:0] r0_address,
    output reg  [149:0] r0_data
);
    reg [149:0] _rows [0:1023];

    always @(posedge clk) begin
        if (w0_enable) begin
            _rows[w0_address] <= w0_data;
        end
    end

    always @(posedge clk) begin
        if (r0_enable) begin
            r0_data <= _rows[r0_address];
            if (w0_enable && w0_address == r0_address) begin
                r0_data <= {150{1'bx}};
            end
        end
    end
endmodule
