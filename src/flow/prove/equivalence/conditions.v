(* techmap_celltype = "$mux" *)
module taken_mux (A, B, S, Y);
  parameter WIDTH = 1;
  input [WIDTH-1:0] A, B;
  input S;
  output [WIDTH-1:0] Y;
  wire taken = S === 1'b1;
  assign Y = ({WIDTH{taken}} & B) | ({WIDTH{~taken}} & A);
endmodule

(* techmap_celltype = "$pmux" *)
module taken_pmux (A, B, S, Y);
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
    wire taken = S[i] === 1'b1;
    assign chain[WIDTH*i +: WIDTH] =
      ({WIDTH{taken}} & B[WIDTH*i +: WIDTH]) | ({WIDTH{~taken}} & chain[WIDTH*(i+1) +: WIDTH]);
  end endgenerate
  assign Y = chain[0 +: WIDTH];
endmodule
