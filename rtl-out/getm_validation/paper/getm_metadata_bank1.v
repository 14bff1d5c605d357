// Bank 1 of the precise table.
// 256 rows of 128 bits. Reads take one clock; reading a row
// that is written at the same edge gives undefined data.
module getm_metadata_bank1 (
    input  wire clk,
    input  wire w0_enable,
    input  wire [7:0] w0_address,
    input  wire [127:0] w0_data,
    input  wire r0_enable,
    input  wire [7:0] r0_address,
    output reg  [127:0] r0_data
);
    reg [127:0] _rows [0:255];

    always @(posedge clk) begin
        if (w0_enable) begin
            _rows[w0_address] <= w0_data;
        end
    end

    always @(posedge clk) begin
        if (r0_enable) begin
            r0_data <= _rows[r0_address];
            if (w0_enable && w0_address == r0_address) begin
                r0_data <= {128{1'bx}};
            end
        end
    end
endmodule
