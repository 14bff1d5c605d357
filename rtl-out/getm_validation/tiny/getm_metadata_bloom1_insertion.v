// Way 1 of the recency Bloom filter, as read by insertions.
// 2 rows of 8 bits. Reads take one clock; reading a row
// that is written at the same edge gives undefined data.
module getm_metadata_bloom1_insertion (
    input  wire clk,
    input  wire w0_enable,
    input  wire w0_address,
    input  wire [7:0] w0_data,
    input  wire r0_enable,
    input  wire r0_address,
    output reg  [7:0] r0_data
);
    reg [7:0] _rows [0:1];

    always @(posedge clk) begin
        if (w0_enable) begin
            _rows[w0_address] <= w0_data;
        end
    end

    always @(posedge clk) begin
        if (r0_enable) begin
            r0_data <= _rows[r0_address];
            if (w0_enable && w0_address == r0_address) begin
                r0_data <= {8{1'bx}};
            end
        end
    end
endmodule
