//! A serial device as a line.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;
use rustix::termios::{OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr};

use super::Line;

/// Baud rate of the boards.
const BAUD: u32 = 1_000_000;
/// Tenths of a second after which no answer comes.
const PATIENCE: u8 = 5;

/// A serial device.
pub struct SerialLine {
    device: File,
}

impl SerialLine {
    /// Opens a device: 1 Mbaud, eight bits, no parity, one stop bit, no flow control.
    ///
    /// # Errors
    /// That it cannot be opened, or is no serial device.
    pub fn open(path: &Path) -> io::Result<Self> {
        // Neither our terminal, nor waiting for a modem.
        let flags = OFlags::NOCTTY | OFlags::NONBLOCK;
        let device = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(flags.bits() as i32)
            .open(path)?;
        let mut settings = tcgetattr(&device)?;
        settings.make_raw();
        settings.set_speed(BAUD)?;
        settings.special_codes[SpecialCodeIndex::VMIN] = 0;
        settings.special_codes[SpecialCodeIndex::VTIME] = PATIENCE;
        tcsetattr(&device, OptionalActions::Flush, &settings)?;
        rustix::fs::fcntl_setfl(&device, OFlags::empty())?;
        Ok(Self { device })
    }
}

impl Line for SerialLine {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.device.write_all(bytes)
    }

    fn receive(&mut self) -> io::Result<Option<u8>> {
        let mut byte = [0];
        loop {
            match self.device.read(&mut byte) {
                Ok(read) => return Ok((read == 1).then_some(byte[0])),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}
