// The regions' data, a byte a lane.
// 512 rows of 256 bits. Reads take one clock; reading a row
// that is written at the same edge gives undefined data.
module getm_commit_data (
    input  wire clk,
    input  wire w0_enable,
    input  wire [8:0] w0_address,
    input  wire [255:0] w0_data,
    input  wire [31:0] w0_lanes,
    input  wire r0_enable,
    input  wire [8:0] r0_address,
    output reg  [255:0] r0_data
);
    reg [255:0] _rows [0:511];

    always @(posedge clk) begin
        if (w0_enable && w0_lanes[0]) begin
            _rows[w0_address][7:0] <= w0_data[7:0];
        end
        if (w0_enable && w0_lanes[1]) begin
            _rows[w0_address][15:8] <= w0_data[15:8];
        end
        if (w0_enable && w0_lanes[2]) begin
            _rows[w0_address][23:16] <= w0_data[23:16];
        end
        if (w0_enable && w0_lanes[3]) begin
            _rows[w0_address][31:24] <= w0_data[31:24];
        end
        if (w0_enable && w0_lanes[4]) begin
            _rows[w0_address][39:32] <= w0_data[39:32];
        end
        if (w0_enable && w0_lanes[5]) begin
            _rows[w0_address][47:40] <= w0_data[47:40];
        end
        if (w0_enable && w0_lanes[6]) begin
            _rows[w0_address][55:48] <= w0_data[55:48];
        end
        if (w0_enable && w0_lanes[7]) begin
            _rows[w0_address][63:56] <= w0_data[63:56];
        end
        if (w0_enable && w0_lanes[8]) begin
            _rows[w0_address][71:64] <= w0_data[71:64];
        end
        if (w0_enable && w0_lanes[9]) begin
            _rows[w0_address][79:72] <= w0_data[79:72];
        end
        if (w0_enable && w0_lanes[10]) begin
            _rows[w0_address][87:80] <= w0_data[87:80];
        end
        if (w0_enable && w0_lanes[11]) begin
            _rows[w0_address][95:88] <= w0_data[95:88];
        end
        if (w0_enable && w0_lanes[12]) begin
            _rows[w0_address][103:96] <= w0_data[103:96];
        end
        if (w0_enable && w0_lanes[13]) begin
            _rows[w0_address][111:104] <= w0_data[111:104];
        end
        if (w0_enable && w0_lanes[14]) begin
            _rows[w0_address][119:112] <= w0_data[119:112];
        end
        if (w0_enable && w0_lanes[15]) begin
            _rows[w0_address][127:120] <= w0_data[127:120];
        end
        if (w0_enable && w0_lanes[16]) begin
            _rows[w0_address][135:128] <= w0_data[135:128];
        end
        if (w0_enable && w0_lanes[17]) begin
            _rows[w0_address][143:136] <= w0_data[143:136];
        end
        if (w0_enable && w0_lanes[18]) begin
            _rows[w0_address][151:144] <= w0_data[151:144];
        end
        if (w0_enable && w0_lanes[19]) begin
            _rows[w0_address][159:152] <= w0_data[159:152];
        end
        if (w0_enable && w0_lanes[20]) begin
            _rows[w0_address][167:160] <= w0_data[167:160];
        end
        if (w0_enable && w0_lanes[21]) begin
            _rows[w0_address][175:168] <= w0_data[175:168];
        end
        if (w0_enable && w0_lanes[22]) begin
            _rows[w0_address][183:176] <= w0_data[183:176];
        end
        if (w0_enable && w0_lanes[23]) begin
            _rows[w0_address][191:184] <= w0_data[191:184];
        end
        if (w0_enable && w0_lanes[24]) begin
            _rows[w0_address][199:192] <= w0_data[199:192];
        end
        if (w0_enable && w0_lanes[25]) begin
            _rows[w0_address][207:200] <= w0_data[207:200];
        end
        if (w0_enable && w0_lanes[26]) begin
            _rows[w0_address][215:208] <= w0_data[215:208];
        end
        if (w0_enable && w0_lanes[27]) begin
            _rows[w0_address][223:216] <= w0_data[223:216];
        end
        if (w0_enable && w0_lanes[28]) begin
            _rows[w0_address][231:224] <= w0_data[231:224];
        end
        if (w0_enable && w0_lanes[29]) begin
            _rows[w0_address][239:232] <= w0_data[239:232];
        end
        if (w0_enable && w0_lanes[30]) begin
            _rows[w0_address][247:240] <= w0_data[247:240];
        end
        if (w0_enable && w0_lanes[31]) begin
            _rows[w0_address][255:248] <= w0_data[255:248];
        end
    end

    always @(posedge clk) begin
        if (r0_enable) begin
            r0_data <= _rows[r0_address];
            if (w0_enable && w0_address == r0_address) begin
                r0_data <= {256{1'bx}};
            end
        end
    end
endmodule
