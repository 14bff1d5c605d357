// The ULX3S around a top: 25 MHz for the link, the PLL's clock for the block, 1 Mbaud.
module board (
    input wire clk_25mhz,
    input wire ftdi_txd,
    output wire ftdi_rxd,
    input wire spi_select,
    input wire spi_clock,
    input wire spi_mosi,
    output wire spi_miso,
    output wire wifi_gpio0
);
    wire block_clock;

    assign wifi_gpio0 = 1'b1;

    // The flow sets the divisors.
    EHXPLLL #(
        .CLKI_DIV(1), .CLKFB_DIV(1), .CLKOP_DIV(24), .CLKOP_CPHASE(0), .CLKOP_FPHASE(0),
        .CLKOP_ENABLE("ENABLED"), .FEEDBK_PATH("CLKOP"), .PLLRST_ENA("DISABLED"),
        .INTFB_WAKE("DISABLED"), .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED"),
        .OUTDIVIDER_MUXA("DIVA")
    ) pll (
        .CLKI(clk_25mhz), .CLKFB(block_clock), .CLKOP(block_clock), .RST(1'b0), .STDBY(1'b0),
        .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b0), .PHASESTEP(1'b0),
        .PHASELOADREG(1'b0), .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0)
    );

    top top_inside (
        .link_clock(clk_25mhz), .block_clock(block_clock), .bit_clocks(8'd25),
        .rx(ftdi_txd), .tx(ftdi_rxd),
        .spi_select(spi_select), .spi_clock(spi_clock), .mosi(spi_mosi), .miso(spi_miso)
    );
endmodule
