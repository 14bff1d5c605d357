//! Requests that are offered to the block.

use rust_hdl::prelude::*;

/// 512 payloads of an input channel. The host writes rows, the highest byte first; the block's side offers them
/// in order, back to back unless held back. An offer stays until it is taken.
///
/// `PAYLOAD` is the width of the payload, `ROW` the same in whole bytes, 16 bits at least.
#[derive(LogicBlock)]
pub struct Queue<const PAYLOAD: usize, const ROW: usize> {
    /// The host's clock.
    pub link_clock: Signal<In, Clock>,
    /// A frame begins at that row, of this queue if selected.
    pub seek: Signal<In, Bit>,
    /// The row.
    pub row: Signal<In, Bits<16>>,
    /// Frames are for this queue.
    pub selected: Signal<In, Bit>,
    /// A byte is written.
    pub write: Signal<In, Bit>,
    /// The byte.
    pub data: Signal<In, Bits<8>>,
    /// The block's clock.
    pub block_clock: Signal<In, Clock>,
    /// Begins again at row 0, with nothing on offer.
    pub restart: Signal<In, Bit>,
    /// New offers may be made.
    pub offers: Signal<In, Bit>,
    /// Number of the row after the last, modulo 1024; it stays while `offers`.
    pub cross_end: Signal<In, Bits<10>>,
    /// There is an offer.
    pub valid: Signal<Out, Bit>,
    /// It is taken.
    pub ready: Signal<In, Bit>,
    /// Its payload.
    pub payload: Signal<Out, Bits<PAYLOAD>>,
    rows: RAM<Bits<PAYLOAD>, 9>,
    write_row: DFF<Bits<16>>,
    byte_index: DFF<Bits<8>>,
    shift: DFF<Bits<ROW>>,
    shifted: Signal<Local, Bits<ROW>>,
    last_byte: Constant<Bits<8>>,
    read_row: DFF<Bits<10>>,
    next_row: Signal<Local, Bits<10>>,
    offering: DFF<Bit>,
}

impl<const PAYLOAD: usize, const ROW: usize> Default for Queue<PAYLOAD, ROW> {
    fn default() -> Self {
        Self {
            link_clock: Signal::default(),
            seek: Signal::default(),
            row: Signal::default(),
            selected: Signal::default(),
            write: Signal::default(),
            data: Signal::default(),
            block_clock: Signal::default(),
            restart: Signal::default(),
            offers: Signal::default(),
            cross_end: Signal::default(),
            valid: Signal::default(),
            ready: Signal::default(),
            payload: Signal::default(),
            rows: RAM::default(),
            write_row: DFF::default(),
            byte_index: DFF::default(),
            shift: DFF::default(),
            shifted: Signal::default(),
            last_byte: Constant::new((ROW as u64 / 8 - 1).into()),
            read_row: DFF::default(),
            next_row: Signal::default(),
            offering: DFF::default(),
        }
    }
}

impl<const PAYLOAD: usize, const ROW: usize> Logic for Queue<PAYLOAD, ROW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, link_clock, write_row, byte_index, shift);
        dff_setup!(self, block_clock, read_row, offering);
        self.rows.write_clock.next = self.link_clock.val();
        self.rows.read_clock.next = self.block_clock.val();

        self.shifted.next = (self.shift.q.val() << 8) | bit_cast::<ROW, 8>(self.data.val());
        self.rows.write_address.next = self.write_row.q.val().get_bits::<9>(0);
        self.rows.write_data.next = self.shifted.val().get_bits::<PAYLOAD>(0);
        self.rows.write_enable.next = false;
        if self.seek.val() {
            self.write_row.d.next = self.row.val();
            self.byte_index.d.next = 0.into();
        }
        if self.write.val() && self.selected.val() {
            self.shift.d.next = self.shifted.val();
            self.byte_index.d.next = self.byte_index.q.val() + 1;
            if self.byte_index.q.val() == self.last_byte.val() {
                self.byte_index.d.next = 0.into();
                self.write_row.d.next = self.write_row.q.val() + 1;
                self.rows.write_enable.next = true;
            }
        }

        self.valid.next = self.offering.q.val();
        self.payload.next = self.rows.read_data.val();
        self.next_row.next = self.read_row.q.val();
        if self.offering.q.val() && self.ready.val() {
            self.next_row.next = self.read_row.q.val() + 1;
            self.offering.d.next = false;
        }
        if self.offers.val() && (self.next_row.val() != self.cross_end.val()) {
            self.offering.d.next = true;
        }
        self.read_row.d.next = self.next_row.val();
        self.rows.read_address.next = self.next_row.val().get_bits::<9>(0);
        if self.restart.val() {
            self.offering.d.next = false;
            self.read_row.d.next = 0.into();
        }
    }
}
