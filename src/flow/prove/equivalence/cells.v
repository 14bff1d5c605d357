(* techmap_celltype = "$pmux" *)
module pmux_chain (A, B, S, Y);
  parameter WIDTH = 1;
  parameter S_WIDTH = 1;
  input [WIDTH-1:0] A;
  input [WIDTH*S_WIDTH-1:0] B;
  input [S_WIDTH-1:0] S;
  output [WIDTH-1:0] Y;
  wire [WIDTH*(S_WIDTH+1)-1:0] chain;
  assign chain[WIDTH*S_WIDTH +: WIDTH] = A;
  genvar i;
  generate for (i = 0; i < S_WIDTH; i = i + 1) begin : link
    \$mux #(.WIDTH(WIDTH)) mux (.A(chain[WIDTH*(i+1) +: WIDTH]), .B(B[WIDTH*i +: WIDTH]), .S(S[i]), .Y(chain[WIDTH*i +: WIDTH]));
  end endgenerate
  assign Y = chain[0 +: WIDTH];
endmodule

(* techmap_celltype = "$buf" *)
module buffer (A, Y);
  parameter WIDTH = 1;
  input [WIDTH-1:0] A;
  output [WIDTH-1:0] Y;
  assign Y = A;
endmodule
