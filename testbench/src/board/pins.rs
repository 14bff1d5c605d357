//! The pins of a board under simulation as a line.

use std::collections::VecDeque;
use std::io;

use super::Line;

/// Bit times without a byte after which no answer comes by UART: longer than the longest frame.
const PATIENCE: u64 = 10 * 300;
/// Zeros after which no answer comes by SPI: more than are in a frame.
const ZEROS: u32 = 300;
/// Clocks of the link in half a bit of SPI, the fewest that a top can follow.
const HALF_BIT: u32 = 10;
/// Clocks of the link between two bytes of SPI.
const GAP: u32 = 32;

/// Levels of the pins that a board reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FromHost {
    /// UART.
    pub rx: bool,
    /// SPI: select, low while a byte is exchanged.
    pub select: bool,
    /// SPI: the clock.
    pub clock: bool,
    /// SPI: data.
    pub mosi: bool,
}

/// Levels of the pins that a board drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToHost {
    /// UART.
    pub tx: bool,
    /// SPI: data.
    pub miso: bool,
}

/// Nothing is sent.
const IDLE: FromHost = FromHost { rx: true, select: true, clock: false, mosi: false };

/// The UART of a simulated board.
pub struct UartPins<F> {
    /// One clock of the link.
    tick: F,
    bit_clocks: u32,
    /// Clocks until the next sample, and the bits of the current byte so far, the start bit first.
    sampling: Option<(u32, Vec<bool>)>,
    received: VecDeque<u8>,
    /// Clocks so far.
    pub clocks: u64,
}

impl<F: FnMut(FromHost) -> ToHost> UartPins<F> {
    /// The line of a board with so many clocks for each bit.
    pub fn new(bit_clocks: u32, tick: F) -> Self {
        Self { tick, bit_clocks, sampling: None, received: VecDeque::new(), clocks: 0 }
    }

    fn clock(&mut self, level: bool) {
        let line = (self.tick)(FromHost { rx: level, ..IDLE }).tx;
        self.clocks += 1;
        match &mut self.sampling {
            None if !line => self.sampling = Some((self.bit_clocks / 2, Vec::new())),
            None => {}
            Some((wait @ 1.., _)) => *wait -= 1,
            Some((wait, bits)) => {
                bits.push(line);
                *wait = self.bit_clocks - 1;
                if let [_, bits @ .., stop] = &**bits
                    && bits.len() == 8
                {
                    let byte = bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
                    self.received.extend(stop.then_some(byte));
                    self.sampling = None;
                }
            }
        }
    }
}

impl<F: FnMut(FromHost) -> ToHost> Line for UartPins<F> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        for byte in bytes {
            let bits = (0..8).map(|bit| byte >> bit & 1 == 1);
            for bit in [false].into_iter().chain(bits).chain([true]) {
                (0..self.bit_clocks).for_each(|_| self.clock(bit));
            }
        }
        Ok(())
    }

    fn receive(&mut self) -> io::Result<Option<u8>> {
        let end = self.clocks + PATIENCE * u64::from(self.bit_clocks);
        while self.received.is_empty() && self.clocks < end {
            self.clock(true);
        }
        Ok(self.received.pop_front())
    }
}

/// SPI on the pins of a simulated board, whose UART is idle.
pub struct SpiPins<F> {
    /// One clock of the link.
    tick: F,
    received: VecDeque<u8>,
    /// Zeros since the last byte that was none.
    zeros: u32,
    /// Clocks so far.
    pub clocks: u64,
}

impl<F: FnMut(FromHost) -> ToHost> SpiPins<F> {
    /// The line of a board, which has been idle for as long as between two bytes.
    pub fn new(tick: F) -> Self {
        let mut line = Self { tick, received: VecDeque::new(), zeros: 0, clocks: 0 };
        line.hold(IDLE, GAP);
        line
    }

    /// Holds levels for so many clocks; the level from the board at the last.
    fn hold(&mut self, levels: FromHost, clocks: u32) -> bool {
        self.clocks += u64::from(clocks);
        (0..clocks).fold(false, |_, _| (self.tick)(levels).miso)
    }

    /// Exchanges bytes in mode 1: bits change at the rising edge and are taken at the falling one.
    fn exchange(&mut self, byte: u8) -> u8 {
        let selected = FromHost { select: false, ..IDLE };
        self.hold(selected, HALF_BIT);
        let found = (0..8).rev().fold(0, |found, bit| {
            let mosi = byte >> bit & 1 == 1;
            let level = self.hold(FromHost { clock: true, mosi, ..selected }, HALF_BIT);
            self.hold(FromHost { mosi, ..selected }, HALF_BIT);
            found << 1 | u8::from(level)
        });
        self.hold(IDLE, GAP);
        found
    }
}

impl<F: FnMut(FromHost) -> ToHost> Line for SpiPins<F> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.zeros = 0;
        for &byte in bytes {
            let found = self.exchange(byte);
            self.received.push_back(found);
        }
        Ok(())
    }

    fn receive(&mut self) -> io::Result<Option<u8>> {
        if let Some(byte) = self.received.pop_front() {
            return Ok(Some(byte));
        }
        if self.zeros == ZEROS {
            return Ok(None);
        }
        let byte = self.exchange(0);
        self.zeros = if byte == 0 { self.zeros + 1 } else { 0 };
        Ok(Some(byte))
    }
}
