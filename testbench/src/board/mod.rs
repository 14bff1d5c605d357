//! The host's side of an FPGA board: frames on a line, and a co-simulation of the block behind them.
//! docs/boards.md describes the link.

mod frame;
mod pins;
mod serial;
mod session;
mod verilated;

pub use frame::{Decoder, Frame, crc};
pub use pins::{FromHost, SpiPins, ToHost, UartPins};
pub use serial::SerialLine;
pub use session::{Ran, Run, run};
pub use verilated::verilated;

use std::io;

use thiserror::Error;

/// Times that a frame is sent before the board counts as dead.
const TRIES: u32 = 4;
/// Most bytes of a frame's contents.
const CONTENTS: usize = 255;
const WRITE: u8 = 1;
const READ: u8 = 2;
/// A kind with this bit is an answer.
const ANSWER: u8 = 0x80;

/// A line to a board.
pub trait Line {
    /// Sends bytes.
    ///
    /// # Errors
    /// That the line is broken.
    fn send(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// The next byte; none if none comes for as long as an answer may take.
    ///
    /// # Errors
    /// That the line is broken.
    fn receive(&mut self) -> io::Result<Option<u8>>;
}

impl<L: Line + ?Sized> Line for &mut L {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        (**self).send(bytes)
    }

    fn receive(&mut self) -> io::Result<Option<u8>> {
        (**self).receive()
    }
}

/// Why a board cannot be used.
#[derive(Debug, Error)]
pub enum BoardError {
    /// The line is broken.
    #[error("the line to the board failed: {0}")]
    Line(#[from] io::Error),
    /// No whole answer came.
    #[error(
        "the board does not answer ({TRIES} frames were sent); is it configured, and is this its line?"
    )]
    Silent,
    /// The board has another block.
    #[error(
        "the board identifies its block as {found:016x}; `{block}` at preset `fpga` is {expected:016x}: \
         write the bitstream that `warpsmith board {block}` makes"
    )]
    OtherBlock {
        /// The block that is wanted.
        block: &'static str,
        /// What the board says.
        found: u64,
        /// What it should say.
        expected: u64,
    },
    /// A burst does not end.
    #[error(
        "the board's block runs on and on, though its log must be full; is its clock too fast?"
    )]
    Restless,
    /// The log of a burst is not whole.
    #[error("the board's log overflowed, so transfers are lost")]
    Overflow,
}

/// What the board says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Nothing has happened for 2048 clocks.
    pub quiet: bool,
    /// Rows of the log are lost.
    pub overflows: bool,
    /// Frames that it dropped for their CRC or contents, modulo 256.
    pub bad_frames: u8,
    /// Frames that it dropped because they ended early, modulo 256.
    pub cut_frames: u8,
    /// Rows of the log.
    pub rows: u16,
    /// Its block.
    pub identification: u64,
}

/// A board on a line.
pub struct Board<L> {
    /// The line.
    pub line: L,
    /// Frames that had to be sent again.
    pub repeated: u64,
}

impl<L: Line> Board<L> {
    /// The board on that line.
    pub fn new(line: L) -> Self {
        Self { line, repeated: 0 }
    }

    /// Writes bytes of a region from a row on. They must be whole rows.
    ///
    /// # Errors
    /// [`BoardError::Line`] or [`BoardError::Silent`].
    pub fn write(
        &mut self,
        region: u8,
        row: u16,
        row_bytes: usize,
        bytes: &[u8],
    ) -> Result<(), BoardError> {
        let rows = (CONTENTS - 3) / row_bytes;
        for (part, bytes) in bytes.chunks(rows * row_bytes).enumerate() {
            let [low, high] = (row + (part * rows) as u16).to_le_bytes();
            self.command(WRITE, &[&[region, low, high], bytes].concat(), 0)?;
        }
        Ok(())
    }

    /// Reads so many rows of a region.
    ///
    /// # Errors
    /// As [`Board::write`].
    pub fn read(
        &mut self,
        region: u8,
        row_bytes: usize,
        rows: usize,
    ) -> Result<Vec<u8>, BoardError> {
        let mut bytes = Vec::new();
        let at_once = CONTENTS / row_bytes;
        for first in (0..rows).step_by(at_once) {
            let count = at_once.min(rows - first) * row_bytes;
            let [low, high] = (first as u16).to_le_bytes();
            bytes.extend(self.command(READ, &[region, low, high, count as u8], count)?);
        }
        Ok(bytes)
    }

    /// The status.
    ///
    /// # Errors
    /// As [`Board::write`].
    pub fn status(&mut self) -> Result<Status, BoardError> {
        let bytes = self.read(0, 16, 1)?;
        let (words, _) = bytes.as_chunks::<8>();
        let [low, identification] = [words[0], words[1]].map(u64::from_le_bytes);
        Ok(Status {
            quiet: low & 1 == 1,
            overflows: low & 2 == 2,
            bad_frames: bytes[1],
            cut_frames: bytes[2],
            rows: (low >> 32) as u16,
            identification,
        })
    }

    /// Sends a frame until it is answered. Frames may be repeated: each says where what it has belongs.
    fn command(&mut self, kind: u8, contents: &[u8], answer: usize) -> Result<Vec<u8>, BoardError> {
        let frame = Frame { kind, contents: contents.to_vec() };
        for attempt in 0..TRIES {
            self.repeated += u64::from(attempt > 0);
            self.line.send(&frame.bytes())?;
            let mut decoder = Decoder::default();
            while let Some(byte) = self.line.receive()? {
                let Some(found) = decoder.push(byte) else { continue };
                if found.kind == kind | ANSWER && found.contents.len() == answer {
                    if attempt > 0 {
                        self.drain()?;
                    }
                    return Ok(found.contents);
                }
            }
        }
        Err(BoardError::Silent)
    }

    /// Forgets what still comes: the late answer to a frame that was sent again must not pass for that to the next.
    fn drain(&mut self) -> Result<(), BoardError> {
        while self.line.receive()?.is_some() {}
        Ok(())
    }
}
