// FIFO of 16 words of 18 bits: one word in and one out per clock, offered in the
// clock after it came.
module fifo_w18_d16 (
    input  wire clk,
    input  wire rst,
    input  wire in_valid,
    input  wire [17:0] in_data,
    input  wire out_ready,
    output wire in_ready,
    output wire out_valid,
    output wire [17:0] out_data,
    output wire [4:0] count
);
    reg [3:0] write_pointer;
    reg [3:0] read_pointer;
    reg [4:0] words_held;
    wire full = words_held[4];
    wire push = in_valid & ~full;
    wire pop = out_ready & (words_held != 5'd0);
    always @(posedge clk) begin
        if (push) begin
            write_pointer <= write_pointer + 4'd1;
        end
        if (rst) begin
            write_pointer <= 4'd0;
        end
    end
    always @(posedge clk) begin
        if (pop) begin
            read_pointer <= read_pointer + 4'd1;
        end
        if (rst) begin
            read_pointer <= 4'd0;
        end
    end
    always @(posedge clk) begin
        if (push ^ pop) begin
            words_held <= words_held + {{4{pop}}, 1'b1};
        end
        if (rst) begin
            words_held <= 5'd0;
        end
    end
    wire [17:0] head;
    fifo_w18_d16_rows rows (
        .clk(clk),
        .w0_enable(push),
        .w0_address(write_pointer),
        .w0_data(in_data),
        .r0_address(read_pointer),
        .r0_data(head)
    );
    assign in_ready = ~full;
    assign out_valid = words_held != 5'd0;
    assign out_data = head;
    assign count = words_held;
`ifdef FORMAL
    initial assume (rst);
    // No more words are held than there are rows.
    always @(posedge clk) begin
        if (!rst) count_in_range: assert (words_held <= 5'd16);
    end
`endif
endmodule
