// The regions' data, a byte a lane.
// 4 rows of 16 bits. Reads take one clock; reading a row
// that is written at the same edge gives undefined data.
module getm_commit_data (
    input  wire clk,
    input  wire w0_enable,
    input  wire [1:0] w0_address,
    input  wire [15:0] w0_data,
    input  wire [1:0] w0_lanes,
    input  wire r0_enable,
    input  wire [1:0] r0_address,
    output reg  [15:0] r0_data
);
    reg [15:0] _rows [0:3];

    always @(posedge clk) begin
        if (w0_enable && w0_lanes[0]) begin
            _rows[w0_address][7:0] <= w0_data[7:0];
        end
        if (w0_enable && w0_lanes[1]) begin
            _rows[w0_address][15:8] <= w0_data[15:8];
        end
    end

    always @(posedge clk) begin
        if (r0_enable) begin
            r0_data <= _rows[r0_address];
            if (w0_enable && w0_address == r0_address) begin
                r0_data <= {16{1'bx}};
            end
        end
    end
endmodule
