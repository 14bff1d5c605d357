// The iCE40-HX8K-B-EVN around a top: 12 MHz for the link, the PLL's clock for the block, 1 Mbaud.
module board (
    input wire clk_12mhz,
    input wire rx,
    output wire tx,
    input wire spi_select,
    input wire spi_clock,
    input wire spi_mosi,
    output wire spi_miso
);
    wire block_clock;

    // The flow sets the divisors.
    SB_PLL40_CORE #(
        .FEEDBACK_PATH("SIMPLE"), .DIVR(4'd0), .DIVF(7'd65), .DIVQ(3'd5), .FILTER_RANGE(3'd1)
    ) pll (
        .REFERENCECLK(clk_12mhz), .PLLOUTGLOBAL(block_clock), .RESETB(1'b1), .BYPASS(1'b0)
    );

    top top_inside (
        .link_clock(clk_12mhz), .block_clock(block_clock), .bit_clocks(8'd12),
        .rx(rx), .tx(tx),
        .spi_select(spi_select), .spi_clock(spi_clock), .mosi(spi_mosi), .miso(spi_miso)
    );
endmodule
