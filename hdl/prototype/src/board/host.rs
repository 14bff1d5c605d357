//! The host's side of a top: all but the queues and the block.

use rust_hdl::prelude::*;

use super::lines::Lines;
use super::log::Log;
use super::pace::Pace;
use super::registers::Registers;

/// Lines, registers, pace and log.
///
/// `CONTROL` is the width of region 0, `EVENT` of what the log has of a clock, `ROW` of its row in whole bytes.
#[derive(LogicBlock, Default)]
pub struct Host<const CONTROL: usize, const EVENT: usize, const ROW: usize> {
    /// The link's clock.
    pub link_clock: Signal<In, Clock>,
    /// The block's clock.
    pub block_clock: Signal<In, Clock>,
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
    /// What block this is.
    pub identification: Signal<In, Bits<64>>,
    /// What the host has written to region 0.
    pub control: Signal<Out, Bits<CONTROL>>,
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
    /// Reset of the block.
    pub restart: Signal<Out, Bit>,
    /// New offers may be made.
    pub offers: Signal<Out, Bit>,
    /// Answers are taken.
    pub takes: Signal<Out, Bit>,
    /// What happens at this clock of the block.
    pub transfers: Signal<In, Bits<EVENT>>,
    /// Something happens.
    pub happens: Signal<In, Bit>,
    lines: Lines,
    registers: Registers<CONTROL>,
    pace: Pace,
    log: Log<EVENT, ROW>,
}

impl<const CONTROL: usize, const EVENT: usize, const ROW: usize> Logic
    for Host<CONTROL, EVENT, ROW>
{
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, link_clock, lines, registers);
        self.lines.bit_clocks.next = self.bit_clocks.val();
        self.lines.rx.next = self.rx.val();
        self.tx.next = self.lines.tx.val();
        self.lines.spi_select.next = self.spi_select.val();
        self.lines.spi_clock.next = self.spi_clock.val();
        self.lines.mosi.next = self.mosi.val();
        self.miso.next = self.lines.miso.val();
        self.registers.received.next = self.lines.received.val();
        self.registers.received_valid.next = self.lines.received_valid.val();
        self.lines.sent.next = self.registers.sent.val();
        self.lines.sent_valid.next = self.registers.sent_valid.val();
        self.registers.sent_ready.next = self.lines.sent_ready.val();

        self.registers.identification.next = self.identification.val();
        self.registers.cross_rows.next = self.log.cross_rows.val();
        self.registers.cross_quiet.next = self.pace.quiet.val();
        self.registers.cross_overflows.next = self.log.overflows.val();
        self.registers.read.next = self.log.read.val();
        self.control.next = self.registers.control.val();
        self.region.next = self.registers.region.val();
        self.row.next = self.registers.row.val();
        self.seek.next = self.registers.seek.val();
        self.write.next = self.registers.write.val();
        self.data.next = self.registers.data.val();

        self.pace.clock.next = self.block_clock.val();
        self.pace.cross_run.next = self.registers.control.val().get_bit(0);
        self.pace.cross_restart.next = self.registers.control.val().get_bit(1);
        self.pace.cross_clear.next = self.registers.control.val().get_bit(2);
        self.pace.cross_input_stalls.next = self.registers.control.val().get_bits::<8>(8);
        self.pace.cross_output_stalls.next = self.registers.control.val().get_bits::<8>(16);
        self.pace.cross_seed.next = self.registers.control.val().get_bits::<16>(24);
        self.pace.happens.next = self.happens.val();
        self.pace.is_filling.next = self.log.is_filling.val();
        self.restart.next = self.pace.restart.val();
        self.offers.next = self.pace.offers.val();
        self.takes.next = self.pace.takes.val();

        self.log.block_clock.next = self.block_clock.val();
        self.log.link_clock.next = self.link_clock.val();
        self.log.transfers.next = self.transfers.val();
        self.log.happens.next = self.happens.val();
        self.log.clear.next = self.pace.clear.val();
        self.log.seek.next = self.registers.seek.val();
        self.log.row.next = self.registers.row.val();
        self.log.step.next = self.registers.step.val();
    }
}
