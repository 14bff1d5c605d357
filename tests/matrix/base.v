module s_fifo (
    input wire clk, input wire rst, //@ports
    input wire enqueue_valid, output wire enqueue_ready,
    input wire [1:0] enqueue_kind, input wire [1:0] enqueue_block,
    input wire enqueue_wavefront, input wire enqueue_needs_ack,
    output wire error_valid, output wire error_code,
    output wire dequeue_valid, input wire dequeue_ready,
    output wire [1:0] dequeue_kind, output wire [1:0] dequeue_block,
    output wire dequeue_wavefront, output wire dequeue_needs_ack
);
    reg [3:0] rows [0:3];
    reg [1:0] head, tail;
    reg [2:0] held, releases;
    reg [3:0] first, second;
    reg [1:0] leaving;
    reg bad;
    wire offered = enqueue_valid & enqueue_ready;
    wire push = offered & enqueue_kind != 2'd3;
    wire [1:0] content = enqueue_kind == 2'd2 ? {enqueue_wavefront, enqueue_needs_ack} : enqueue_block; //@content
    wire [3:0] oldest = rows[head];
    wire drains = (held[2] | releases != 3'd0) & leaving != 2'd2;
    wire pop = dequeue_valid & dequeue_ready;
    always @(posedge clk) if (push) rows[tail] <= {enqueue_kind, content}; //@write
    always @(posedge clk) if (rst) tail <= 2'd0; else if (push) tail <= tail + 2'd1; //@tail
    always @(posedge clk) if (rst) begin
        head <= 2'd0; held <= 3'd0; releases <= 3'd0; leaving <= 2'd0; bad <= 1'b0;
    end else begin
        bad <= offered & enqueue_kind == 2'd3;
        head <= head + {1'b0, drains};
        held <= held + {2'd0, push} - {2'd0, drains};
        releases <= releases + {2'd0, push & enqueue_kind[1]} - {2'd0, drains & oldest[3]};
        leaving <= leaving + {1'b0, drains} - {1'b0, pop};
    end
    always @(posedge clk) begin
        if (pop | leaving == 2'd0) first <= leaving == 2'd2 ? second : oldest;
        if (drains) second <= oldest;
    end
    assign enqueue_ready = ~held[2] | leaving != 2'd2;
    assign dequeue_valid = leaving != 2'd0;
    assign dequeue_kind = first[3:2];
    assign dequeue_block = first[3] ? 2'd0 : first[1:0];
    assign dequeue_wavefront = first[3] & first[1];
    assign dequeue_needs_ack = first[3] & first[0];
    assign error_valid = bad;
    assign error_code = 1'b0;
    //@items
endmodule
