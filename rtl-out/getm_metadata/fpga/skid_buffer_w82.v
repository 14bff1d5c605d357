// Skid buffer for 82 bits: registered valid, data and ready, one transfer per clock.
module skid_buffer_w82 (
    input  wire clk,
    input  wire rst,
    input  wire in_valid,
    input  wire [81:0] in_data,
    input  wire out_ready,
    output wire in_ready,
    output wire out_valid,
    output wire [81:0] out_data
);
    // The output place is taken.
    reg valid;
    reg [81:0] data;
    // The second place is taken: not ready.
    reg skid_valid;
    reg [81:0] skid_data;
    // The output place is free at the edge.
    wire leaves = out_ready | ~valid;
    always @(posedge clk) begin
        if (leaves) begin
            valid <= in_valid | skid_valid;
            data <= skid_valid ? skid_data : in_data;
        end
        if (rst) begin
            valid <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (~skid_valid) begin
            skid_data <= in_data;
        end
    end
    always @(posedge clk) begin
        skid_valid <= ~leaves & (in_valid | skid_valid);
        if (rst) begin
            skid_valid <= 1'b0;
        end
    end
    assign in_ready = ~skid_valid;
    assign out_valid = valid;
    assign out_data = data;
`ifdef FORMAL
    initial assume (rst);
    // The second place is taken only after the first.
    always @(posedge clk) begin
        if (!rst) second_after_first: assert (valid | ~skid_valid);
    end
`endif
endmodule
