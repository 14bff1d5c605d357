//! The pins of a board under simulation as a line.

use std::collections::VecDeque;
use std::io;

use super::Line;

/// Bit times without a byte after which no answer comes: longer than the longest frame.
const PATIENCE: u64 = 10 * 300;

/// A UART on the pins of a simulated board.
pub struct PinLine<F> {
    /// One clock of the link with the line from the host at this level; the line to the host.
    tick: F,
    bit_clocks: u32,
    /// Clocks until the next sample, and the bits of the current byte so far, the start bit first.
    sampling: Option<(u32, Vec<bool>)>,
    received: VecDeque<u8>,
    /// Clocks so far.
    pub clocks: u64,
}

impl<F: FnMut(bool) -> bool> PinLine<F> {
    /// The line of a board with so many clocks for each bit.
    pub fn new(bit_clocks: u32, tick: F) -> Self {
        Self { tick, bit_clocks, sampling: None, received: VecDeque::new(), clocks: 0 }
    }

    fn clock(&mut self, level: bool) {
        let line = (self.tick)(level);
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

impl<F: FnMut(bool) -> bool> Line for PinLine<F> {
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
