//! The lines to the host.

use rust_hdl::prelude::*;

use super::spi::SpiBytes;
use super::uart::{UartReceiver, UartTransmitter};

/// A UART and SPI: bytes come from either, and go to the one that the last byte came from.
#[derive(LogicBlock, Default)]
pub struct Lines {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Clocks of a bit of the UART.
    pub bit_clocks: Signal<In, Bits<8>>,
    /// UART from the host.
    pub rx: Signal<In, Bit>,
    /// UART to the host.
    pub tx: Signal<Out, Bit>,
    /// SPI: select, low while a byte is exchanged.
    pub spi_select: Signal<In, Bit>,
    /// SPI: the host's clock.
    pub spi_clock: Signal<In, Bit>,
    /// SPI from the host.
    pub mosi: Signal<In, Bit>,
    /// SPI to the host.
    pub miso: Signal<Out, Bit>,
    /// A byte from the host.
    pub received: Signal<Out, Bits<8>>,
    /// There is one.
    pub received_valid: Signal<Out, Bit>,
    /// A byte to the host.
    pub sent: Signal<In, Bits<8>>,
    /// There is one.
    pub sent_valid: Signal<In, Bit>,
    /// It is taken.
    pub sent_ready: Signal<Out, Bit>,
    receiver: UartReceiver,
    transmitter: UartTransmitter,
    spi: SpiBytes,
    by_spi: DFF<Bit>,
}

impl Logic for Lines {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, by_spi);
        clock!(self, clock, receiver, transmitter, spi);
        self.receiver.bit_clocks.next = self.bit_clocks.val();
        self.receiver.rx.next = self.rx.val();
        self.transmitter.bit_clocks.next = self.bit_clocks.val();
        self.tx.next = self.transmitter.tx.val();
        self.spi.select.next = self.spi_select.val();
        self.spi.spi_clock.next = self.spi_clock.val();
        self.spi.mosi.next = self.mosi.val();
        self.miso.next = self.spi.miso.val();

        self.received.next = self.receiver.data.val();
        self.received_valid.next = self.receiver.valid.val();
        if self.receiver.valid.val() {
            self.by_spi.d.next = false;
        }
        if self.spi.valid.val() {
            self.received.next = self.spi.data.val();
            self.received_valid.next = true;
            self.by_spi.d.next = true;
        }

        self.transmitter.data.next = self.sent.val();
        self.spi.sent.next = self.sent.val();
        self.transmitter.valid.next = self.sent_valid.val() && !self.by_spi.q.val();
        self.spi.sent_valid.next = self.sent_valid.val() && self.by_spi.q.val();
        self.sent_ready.next = self.transmitter.ready.val();
        if self.by_spi.q.val() {
            self.sent_ready.next = self.spi.sent_ready.val();
        }
    }
}
