// A register whose content at power-up is an input: what is undriven here becomes one, and two
// copies of the circuit that share their inputs then wake up alike.
(* techmap_celltype = "$dff" *)
module powerup (CLK, D, Q);
    parameter WIDTH = 1;
    parameter CLK_POLARITY = 1;
    input CLK;
    input [WIDTH-1:0] D;
    output [WIDTH-1:0] Q;
    wire [WIDTH-1:0] undefined;
    reg [WIDTH-1:0] state = 0;
    reg awake = 0;
    always @(posedge CLK) begin
        state <= D;
        awake <= 1;
    end
    assign Q = awake ? state : undefined;
endmodule
