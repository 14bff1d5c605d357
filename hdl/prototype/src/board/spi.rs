//! SPI in mode 1, the highest bit first, with rust_hdl's widget.

use rust_hdl::prelude::*;

/// Exchanges bytes with a host that clocks them: each under a select of its own, at most a bit in 20 clocks and at
/// least 32 clocks apart. The byte to the host is 0 where there is none to send.
#[derive(LogicBlock)]
pub struct SpiBytes {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Low while a byte is exchanged, of no clock.
    pub select: Signal<In, Bit>,
    /// The host's clock: bits change at its rising edge and are taken at its falling edge.
    pub spi_clock: Signal<In, Bit>,
    /// From the host.
    pub mosi: Signal<In, Bit>,
    /// To the host.
    pub miso: Signal<Out, Bit>,
    /// The byte from the host, where valid.
    pub data: Signal<Out, Bits<8>>,
    /// One clock for each byte.
    pub valid: Signal<Out, Bit>,
    /// The byte to send.
    pub sent: Signal<In, Bits<8>>,
    /// Offers the byte.
    pub sent_valid: Signal<In, Bit>,
    /// Takes the byte, if offered.
    pub sent_ready: Signal<Out, Bit>,
    slave: SPISlave<8>,
    cross_mosi: BitSynchronizer,
    /// Clocks since the last byte: the link needs fewer than 15 for its next one.
    pause: DFF<Bits<4>>,
    arms: Signal<Local, Bit>,
}

impl Default for SpiBytes {
    fn default() -> Self {
        // The widget gives a byte up that stops for 500 clocks.
        let mode = SPIConfig {
            clock_speed: 250,
            cs_off: true,
            mosi_off: false,
            speed_hz: 1,
            cpha: true,
            cpol: false,
        };
        Self {
            clock: Signal::default(),
            select: Signal::default(),
            spi_clock: Signal::default(),
            mosi: Signal::default(),
            miso: Signal::default(),
            data: Signal::default(),
            valid: Signal::default(),
            sent: Signal::default(),
            sent_valid: Signal::default(),
            sent_ready: Signal::default(),
            slave: SPISlave::new(mode),
            cross_mosi: BitSynchronizer::default(),
            pause: DFF::default(),
            arms: Signal::default(),
        }
    }
}

impl Logic for SpiBytes {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, pause);
        clock!(self, clock, slave, cross_mosi);
        self.cross_mosi.sig_in.next = self.mosi.val();
        self.slave.wires.mosi.next = self.cross_mosi.sig_out.val();
        // The widget brings these two to its clock.
        self.slave.wires.msel.next = self.select.val();
        self.slave.wires.mclk.next = self.spi_clock.val();
        self.miso.next = self.slave.wires.miso.val();
        self.slave.disabled.next = false;
        self.slave.continued_transaction.next = false;
        self.slave.bits.next = 8.into();
        self.data.next = self.slave.data_inbound.val();
        self.valid.next = self.slave.transfer_done.val();

        self.arms.next = self.pause.q.val() == 15;
        if self.pause.q.val() != 15 {
            self.pause.d.next = self.pause.q.val() + 1;
        }
        if self.slave.busy.val() {
            self.pause.d.next = 0.into();
            self.arms.next = false;
        }
        self.slave.start_send.next = self.arms.val();
        self.sent_ready.next = self.arms.val();
        self.slave.data_outbound.next = 0.into();
        if self.sent_valid.val() {
            self.slave.data_outbound.next = self.sent.val();
        }
    }
}
