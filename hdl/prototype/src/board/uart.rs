//! A UART: eight bits, lowest first, no parity, one stop bit.

use rust_hdl::prelude::*;

/// Takes bytes from a line.
#[derive(LogicBlock, Default)]
pub struct UartReceiver {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Clocks of a bit, at least 8.
    pub bit_clocks: Signal<In, Bits<8>>,
    /// The line, of no clock.
    pub rx: Signal<In, Bit>,
    /// The byte, where valid.
    pub data: Signal<Out, Bits<8>>,
    /// One clock for each byte; a byte without its stop bit is dropped.
    pub valid: Signal<Out, Bit>,
    cross_rx: BitSynchronizer,
    line: Signal<Local, Bit>,
    busy: DFF<Bit>,
    /// Clocks until the next sample.
    count: DFF<Bits<8>>,
    /// Number of the bit: 0 the start bit, 9 the stop bit.
    bit_index: DFF<Bits<4>>,
    shift: DFF<Bits<8>>,
}

impl Logic for UartReceiver {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, busy, count, bit_index, shift);
        clock!(self, clock, cross_rx);
        // Inverted, so that the line is idle after power-up.
        self.cross_rx.sig_in.next = !self.rx.val();
        self.line.next = !self.cross_rx.sig_out.val();
        self.data.next = self.shift.q.val();
        self.valid.next = false;
        if !self.busy.q.val() {
            self.bit_index.d.next = 0.into();
            self.count.d.next = self.bit_clocks.val() >> 1;
            self.busy.d.next = !self.line.val();
        } else if self.count.q.val() != 0 {
            self.count.d.next = self.count.q.val() - 1;
        } else {
            self.count.d.next = self.bit_clocks.val() - 1;
            self.bit_index.d.next = self.bit_index.q.val() + 1;
            if self.bit_index.q.val() == 0 {
                // A glitch is no start bit.
                self.busy.d.next = !self.line.val();
            } else if self.bit_index.q.val() == 9 {
                self.busy.d.next = false;
                self.valid.next = self.line.val();
            } else {
                self.shift.d.next = self.shift.q.val() >> 1;
                if self.line.val() {
                    self.shift.d.next = (self.shift.q.val() >> 1) | 0x80;
                }
            }
        }
    }
}

/// Puts bytes on a line.
#[derive(LogicBlock, Default)]
pub struct UartTransmitter {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Clocks of a bit.
    pub bit_clocks: Signal<In, Bits<8>>,
    /// The byte to send.
    pub data: Signal<In, Bits<8>>,
    /// Offers the byte.
    pub valid: Signal<In, Bit>,
    /// Takes the byte, if offered.
    pub ready: Signal<Out, Bit>,
    /// The line.
    pub tx: Signal<Out, Bit>,
    /// The line inverted, so that it is idle after power-up.
    low: DFF<Bit>,
    count: DFF<Bits<8>>,
    /// Bits left, the current one included: 10 at the start bit, 1 at the stop bit.
    left: DFF<Bits<4>>,
    shift: DFF<Bits<8>>,
}

impl Logic for UartTransmitter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, low, count, left, shift);
        self.tx.next = !self.low.q.val();
        self.ready.next = self.left.q.val() == 0;
        if self.left.q.val() == 0 {
            self.count.d.next = self.bit_clocks.val() - 1;
            if self.valid.val() {
                self.shift.d.next = self.data.val();
                self.left.d.next = 10.into();
                self.low.d.next = true;
            }
        } else if self.count.q.val() != 0 {
            self.count.d.next = self.count.q.val() - 1;
        } else {
            self.count.d.next = self.bit_clocks.val() - 1;
            self.left.d.next = self.left.q.val() - 1;
            self.low.d.next = false;
            if self.left.q.val() > 2 {
                self.low.d.next = !self.shift.q.val().get_bit(0);
                self.shift.d.next = self.shift.q.val() >> 1;
            }
        }
    }
}
