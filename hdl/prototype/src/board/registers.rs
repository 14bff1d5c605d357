//! What the host writes and reads of a top itself.

use rust_hdl::prelude::*;

use super::link::Link;

/// The link and region 0: written, the `CONTROL` bits, the highest byte first; read, 16 bytes of status.
#[derive(LogicBlock, Default)]
pub struct Registers<const CONTROL: usize> {
    /// The link's clock.
    pub clock: Signal<In, Clock>,
    /// A byte from the host.
    pub received: Signal<In, Bits<8>>,
    /// There is one.
    pub received_valid: Signal<In, Bit>,
    /// A byte to the host.
    pub sent: Signal<Out, Bits<8>>,
    /// There is one.
    pub sent_valid: Signal<Out, Bit>,
    /// It is taken.
    pub sent_ready: Signal<In, Bit>,
    /// What the host has written to region 0.
    pub control: Signal<Out, Bits<CONTROL>>,
    /// Number of rows in the log.
    pub cross_rows: Signal<In, Bits<11>>,
    /// Nothing happens any more, by the block's clock.
    pub cross_quiet: Signal<In, Bit>,
    /// Rows of the log are lost, by the block's clock.
    pub cross_overflows: Signal<In, Bit>,
    /// What block this is.
    pub identification: Signal<In, Bits<64>>,
    /// The region of the frame.
    pub region: Signal<Out, Bits<8>>,
    /// Its first row.
    pub row: Signal<Out, Bits<16>>,
    /// A frame begins.
    pub seek: Signal<Out, Bit>,
    /// A byte is written.
    pub write: Signal<Out, Bit>,
    /// The byte.
    pub data: Signal<Out, Bits<8>>,
    /// A byte of another region.
    pub read: Signal<In, Bits<8>>,
    /// It was read.
    pub step: Signal<Out, Bit>,
    link: Link,
    quiet: BitSynchronizer,
    overflows: BitSynchronizer,
    shift: DFF<Bits<CONTROL>>,
    held: DFF<Bits<CONTROL>>,
    is_control: Signal<Local, Bit>,
    status: DFF<Bits<128>>,
    flags: Signal<Local, Bits<8>>,
}

impl<const CONTROL: usize> Logic for Registers<CONTROL> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, shift, held, status);
        clock!(self, clock, link, quiet, overflows);
        self.link.received.next = self.received.val();
        self.link.received_valid.next = self.received_valid.val();
        self.sent.next = self.link.sent.val();
        self.sent_valid.next = self.link.sent_valid.val();
        self.link.sent_ready.next = self.sent_ready.val();
        self.quiet.sig_in.next = self.cross_quiet.val();
        self.overflows.sig_in.next = self.cross_overflows.val();

        self.region.next = self.link.region.val();
        self.row.next = self.link.row.val();
        self.seek.next = self.link.seek.val();
        self.write.next = self.link.write.val();
        self.data.next = self.link.data.val();
        self.step.next = self.link.step.val();

        self.is_control.next = self.link.region.val() == 0;
        self.control.next = self.held.q.val();
        if self.link.write.val() && self.is_control.val() {
            self.shift.d.next =
                (self.shift.q.val() << 8) | bit_cast::<CONTROL, 8>(self.link.data.val());
        }
        if self.link.commit.val() && self.is_control.val() {
            self.held.d.next = self.shift.q.val();
        }

        self.flags.next = 0.into();
        if self.quiet.sig_out.val() {
            self.flags.next = 1.into();
        }
        if self.overflows.sig_out.val() {
            self.flags.next = self.flags.val() | 2;
        }
        self.link.read.next = self.read.val();
        if self.is_control.val() {
            self.link.read.next = self.status.q.val().get_bits::<8>(0);
        }
        if self.link.step.val() {
            self.status.d.next = self.status.q.val() >> 8;
        }
        if self.link.seek.val() {
            self.status.d.next = bit_cast::<128, 8>(self.flags.val())
                | (bit_cast::<128, 8>(self.link.bad.val()) << 8)
                | (bit_cast::<128, 8>(self.link.cut.val()) << 16)
                | (bit_cast::<128, 11>(self.cross_rows.val()) << 32)
                | (bit_cast::<128, 64>(self.identification.val()) << 64);
        }
    }
}
