// A line of the stall buffer: an address, and who waits for it in the order in which they
// will leave. It is free, or asleep until its address is released, or awake until its first
// waiter is taken, or retrying until that one's result comes.
module getm_stall_line (
    input  wire clk,
    input  wire rst,
    input  wire [1:0] park_granule,
    input  wire park_store,
    input  wire park_warp,
    input  wire [1:0] park_warpts,
    input  wire enters,  // the access enters this line
    input  wire result_valid,
    input  wire [1:0] result_granule,
    input  wire result_reserved,
    input  wire release_valid,
    input  wire [1:0] release_granule,
    input  wire release_all,
    input  wire leaves,  // the first waiter is taken
    output wire live,  // somebody waits, or is retried
    output wire has_parked,  // the access has this address
    output wire has_room,  // it takes one more
    output wire awake,  // the first waiter is to be taken
    output wire has_result,  // the result is of this line's retry
    output wire [1:0] granule,
    output wire first_store,  // 1 a store, 0 a load
    output wire first_warp,  // number of the warp
    output wire [1:0] first_warpts  // the warp's timestamp
);
    // The first waiter is to be taken.
    reg is_awake;
    // The last one taken has no result yet.
    reg is_retrying;
    // It was released since a waiter was chosen.
    reg released_again;
    // What they wait for.
    reg [1:0] waited_for;
    reg entry0_taken;
    reg entry0_store;
    reg entry0_warp;
    reg [1:0] entry0_warpts;
    reg entry1_taken;
    reg entry1_store;
    reg entry1_warp;
    reg [1:0] entry1_warpts;
    wire is_live = entry0_taken | is_retrying;
    always @(posedge clk) begin
        if (~is_live) begin
            waited_for <= park_granule;
        end
    end
    wire [1:0] granule_now = is_live ? waited_for : park_granule;
    wire retry_has_result = result_valid & is_retrying & (result_granule == waited_for);
    wire sleeps = ~is_awake & (~is_retrying | retry_has_result);
    wire somebody_waits = entry0_taken | enters;
    wire next_goes = retry_has_result & (~result_reserved | released_again) & somebody_waits;
    wire _is_awake_0 = release_valid & (release_all | (release_granule == granule_now));
    always @(posedge clk) begin
        is_awake <= ~leaves & (is_awake | next_goes | (sleeps & _is_awake_0 & somebody_waits));
        if (rst) begin
            is_awake <= 1'b0;
        end
    end
    always @(posedge clk) begin
        is_retrying <= leaves | (is_retrying & ~retry_has_result);
        if (rst) begin
            is_retrying <= 1'b0;
        end
    end
    always @(posedge clk) begin
        released_again <= (~sleeps & (released_again | _is_awake_0)) | (next_goes & _is_awake_0);
        if (rst) begin
            released_again <= 1'b0;
        end
    end
    // Entries that leave before the newcomer.
    wire [1:0] before_newcomer =
        {(entry1_taken & (entry1_warpts <= park_warpts)),
        (entry0_taken & ((entry0_warpts <= park_warpts) | is_awake))};
    wire enters0 =
        enters & (leaves ? (before_newcomer[0] & ~before_newcomer[1]) : ~before_newcomer[0]);
    wire moves_up0 = leaves & (~enters | before_newcomer[1]);
    always @(posedge clk) begin
        if (enters0) begin
            entry0_taken <= 1'b1;
        end else if (moves_up0) begin
            entry0_taken <= entry1_taken;
        end
        if (rst) begin
            entry0_taken <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (enters0) begin
            entry0_store <= park_store;
        end else if (moves_up0) begin
            entry0_store <= entry1_store;
        end
    end
    always @(posedge clk) begin
        if (enters0) begin
            entry0_warp <= park_warp;
        end else if (moves_up0) begin
            entry0_warp <= entry1_warp;
        end
    end
    always @(posedge clk) begin
        if (enters0) begin
            entry0_warpts <= park_warpts;
        end else if (moves_up0) begin
            entry0_warpts <= entry1_warpts;
        end
    end
    wire enters1 =
        enters & (leaves ? before_newcomer[1] : (before_newcomer[0] & ~before_newcomer[1]));
    wire moves_back1 = enters & ~leaves & ~before_newcomer[0];
    always @(posedge clk) begin
        if (enters1) begin
            entry1_store <= park_store;
        end else if (moves_back1) begin
            entry1_store <= entry0_store;
        end
    end
    always @(posedge clk) begin
        if (enters1) begin
            entry1_warp <= park_warp;
        end else if (moves_back1) begin
            entry1_warp <= entry0_warp;
        end
    end
    always @(posedge clk) begin
        if (enters1) begin
            entry1_warpts <= park_warpts;
        end else if (moves_back1) begin
            entry1_warpts <= entry0_warpts;
        end
    end
    wire moves_up1 = leaves & ~enters;
    always @(posedge clk) begin
        if (enters1) begin
            entry1_taken <= 1'b1;
        end else if (moves_back1) begin
            entry1_taken <= entry0_taken;
        end else if (moves_up1) begin
            entry1_taken <= 1'b0;
        end
        if (rst) begin
            entry1_taken <= 1'b0;
        end
    end
    assign live = is_live;
    assign has_parked = is_live & (park_granule == waited_for);
    assign has_room = ~entry1_taken;
    assign awake = is_awake;
    assign has_result = retry_has_result;
    assign granule = waited_for;
    assign first_store = entry0_store;
    assign first_warp = entry0_warp;
    assign first_warpts = entry0_warpts;
`ifdef FORMAL
    initial assume (rst);
    // Somebody waits in a line that is awake.
    always @(posedge clk) begin
        if (!rst) awake_waits: assert (~is_awake | entry0_taken);
    end
    // One retry at a time.
    always @(posedge clk) begin
        if (!rst) awake_or_retrying: assert (~(is_awake & is_retrying));
    end
    // It was chosen before a second release.
    always @(posedge clk) begin
        if (!rst) again_under_way: assert (~released_again | (is_awake | is_retrying));
    end
    // A waiter leaves only a line that is awake.
    always @(posedge clk) begin
        if (!rst) leaves_awake: assert (~leaves | is_awake);
    end
`endif
endmodule
