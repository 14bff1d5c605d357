//! What the block did, with the clock of it.

use rust_hdl::prelude::*;

/// 1024 rows, one for each clock with a transfer: the number of the clock in 24 bits, then the block's `EVENT`.
/// The host reads rows, the lowest byte first, while nothing is written.
///
/// `ROW` is their width in whole bytes.
#[derive(LogicBlock)]
pub struct Log<const EVENT: usize, const ROW: usize> {
    /// The block's clock.
    pub block_clock: Signal<In, Clock>,
    /// What happens at this clock.
    pub transfers: Signal<In, Bits<EVENT>>,
    /// Something happens.
    pub happens: Signal<In, Bit>,
    /// Forgets all, and begins at clock 0.
    pub clear: Signal<In, Bit>,
    /// Number of rows.
    pub cross_rows: Signal<Out, Bits<11>>,
    /// There is room for few more.
    pub is_filling: Signal<Out, Bit>,
    /// There was room for no more, and rows are lost.
    pub overflows: Signal<Out, Bit>,
    /// The host's clock.
    pub link_clock: Signal<In, Clock>,
    /// Reading begins at that row.
    pub seek: Signal<In, Bit>,
    /// The row.
    pub row: Signal<In, Bits<16>>,
    /// The byte was read.
    pub step: Signal<In, Bit>,
    /// The byte, four clocks later.
    pub read: Signal<Out, Bits<8>>,
    clock: DFF<Bits<24>>,
    stamped: DFF<Bits<ROW>>,
    happened: DFF<Bit>,
    count: DFF<Bits<11>>,
    overflown: DFF<Bit>,
    rows: RAM<Bits<ROW>, 10>,
    read_row: DFF<Bits<16>>,
    byte_index: DFF<Bits<8>>,
    last_byte: Constant<Bits<8>>,
    fetches: DFF<Bits<2>>,
    shift: DFF<Bits<ROW>>,
}

impl<const EVENT: usize, const ROW: usize> Default for Log<EVENT, ROW> {
    fn default() -> Self {
        Self {
            block_clock: Signal::default(),
            transfers: Signal::default(),
            happens: Signal::default(),
            clear: Signal::default(),
            cross_rows: Signal::default(),
            is_filling: Signal::default(),
            overflows: Signal::default(),
            link_clock: Signal::default(),
            seek: Signal::default(),
            row: Signal::default(),
            step: Signal::default(),
            read: Signal::default(),
            clock: DFF::default(),
            stamped: DFF::default(),
            happened: DFF::default(),
            count: DFF::default(),
            overflown: DFF::default(),
            rows: RAM::default(),
            read_row: DFF::default(),
            byte_index: DFF::default(),
            last_byte: Constant::new((ROW as u64 / 8 - 1).into()),
            fetches: DFF::default(),
            shift: DFF::default(),
        }
    }
}

impl<const EVENT: usize, const ROW: usize> Logic for Log<EVENT, ROW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, block_clock, clock, stamped, happened, count, overflown);
        dff_setup!(self, link_clock, read_row, byte_index, fetches, shift);
        self.rows.write_clock.next = self.block_clock.val();
        self.rows.read_clock.next = self.link_clock.val();

        self.clock.d.next = self.clock.q.val() + 1;
        self.happened.d.next = self.happens.val();
        self.stamped.d.next = bit_cast::<ROW, 24>(self.clock.q.val())
            | (bit_cast::<ROW, EVENT>(self.transfers.val()) << 24);
        self.rows.write_address.next = self.count.q.val().get_bits::<10>(0);
        self.rows.write_data.next = self.stamped.q.val();
        self.rows.write_enable.next = false;
        if self.happened.q.val() {
            if self.count.q.val() == 1024 {
                self.overflown.d.next = true;
            } else {
                self.rows.write_enable.next = true;
                self.count.d.next = self.count.q.val() + 1;
            }
        }
        if self.clear.val() {
            self.clock.d.next = 0.into();
            self.count.d.next = 0.into();
            self.happened.d.next = false;
            self.overflown.d.next = false;
        }
        self.cross_rows.next = self.count.q.val();
        self.is_filling.next = self.count.q.val() > 960;
        self.overflows.next = self.overflown.q.val();

        self.read.next = self.shift.q.val().get_bits::<8>(0);
        self.rows.read_address.next = self.read_row.q.val().get_bits::<10>(0);
        if self.fetches.q.val() != 0 {
            self.fetches.d.next = self.fetches.q.val() - 1;
            self.shift.d.next = self.rows.read_data.val();
        }
        if self.step.val() {
            self.shift.d.next = self.shift.q.val() >> 8;
            self.byte_index.d.next = self.byte_index.q.val() + 1;
            if self.byte_index.q.val() == self.last_byte.val() {
                self.byte_index.d.next = 0.into();
                self.read_row.d.next = self.read_row.q.val() + 1;
                self.fetches.d.next = 3.into();
            }
        }
        if self.seek.val() {
            self.byte_index.d.next = 0.into();
            self.read_row.d.next = self.row.val();
            self.fetches.d.next = 3.into();
        }
    }
}
