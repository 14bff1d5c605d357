//! The store buffer of a wavefront: its stores of a quantum, in order (4.3).

use crate::memory::{Bytes, Data, WHOLE, write};

/// The first line of what is no memory: store buffers.
pub(super) const LOGS: u32 = 1 << 31;
/// Lines of a store buffer, at most: a line of data for each entry, then headers of 32 bytes.
const LOG_LINES: u32 = 1 << 13;
/// Lines from log to log. Logs of one core would share a set of its L1 if this were a power of two.
const STRIDE: u32 = LOG_LINES + 1;
/// Headers in a line.
const HEADERS: usize = 4;

/// A store to a line.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub line: u32,
    pub bytes: Bytes,
    pub data: Data,
}

/// A store buffer.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub entries: Vec<Entry>,
    /// The first entry of the workgroup that is in the slot now. Older ones are of another, and are not seen.
    pub begin: usize,
}

/// Result of a search.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub bytes: Bytes,
    pub data: Data,
    /// Lines of the log that were read, by their number in it.
    pub read: Vec<u32>,
}

impl Log {
    /// Whether the workgroup has stored.
    pub fn has_stores(&self) -> bool {
        self.entries.len() > self.begin
    }

    /// Whether the workgroup has stored to a line.
    pub fn has(&self, line: u32) -> bool {
        self.entries[self.begin..].iter().any(|entry| entry.line == line)
    }

    /// Takes each wanted byte of a line from the newest entry that has it.
    pub fn search(&self, line: u32, wanted: Bytes, oldest_first: bool) -> Found {
        let mut found = Found { bytes: 0, data: [0; 128], read: Vec::new() };
        let visible = self.begin..self.entries.len();
        let mut header = None;
        for turn in 0..visible.len() {
            if found.bytes & wanted == wanted {
                break;
            }
            let at = match oldest_first {
                true => visible.start + turn,
                false => visible.end - 1 - turn,
            };
            if header.replace(at / HEADERS) != Some(at / HEADERS) {
                found.read.push(header_line(at));
            }
            let entry = &self.entries[at];
            let taken = entry.bytes & wanted & !found.bytes;
            if entry.line == line && taken != 0 {
                write(&mut found.data, &entry.data, taken);
                found.bytes |= taken;
                found.read.push(at as u32);
            }
        }
        found
    }

    /// The lines of the log that an entry lies in, by their number.
    pub fn lines_of(at: usize) -> [u32; 2] {
        [at as u32, header_line(at)]
    }

    /// Lines that it takes, by their number.
    pub fn lines(&self) -> impl Iterator<Item = u32> {
        let entries = self.entries.len();
        (0..entries as u32).chain((0..entries).step_by(HEADERS).map(header_line))
    }
}

/// The number of a line in the address space of the L1, from its number in the log of a wavefront.
pub(super) fn log_line(wavefront: usize, number: u32) -> u32 {
    LOGS + wavefront as u32 * STRIDE + number
}

/// The wavefront that a line of a log is of.
pub(super) fn wavefront_of(line: u32) -> usize {
    ((line - LOGS) / STRIDE) as usize
}

fn header_line(entry: usize) -> u32 {
    LOG_LINES / 2 + (entry / HEADERS) as u32
}

/// Whether an entry has a part of a word.
pub(super) fn has_part_of_word(bytes: Bytes) -> bool {
    let mut first = bytes & (WHOLE / 0xf);
    first |= first << 1;
    first |= first << 2;
    first != bytes
}

#[cfg(test)]
mod tests {
    use super::{Entry, Log, has_part_of_word};

    #[test]
    fn the_newest_entry_of_each_byte_is_found_and_older_ones_are_not_read() {
        let entry = |line, bytes, byte| Entry { line, bytes, data: [byte; 128] };
        let entries =
            vec![entry(7, 0xff, 1), entry(7, 0x0f, 2), entry(8, 0xf0, 3), entry(7, 0x3, 4)];
        let mut log = Log { entries, begin: 0 };
        let found = log.search(7, 0x1f, false);
        assert_eq!((found.bytes, &found.data[..5]), (0x1f, &[4, 4, 2, 2, 1][..]));
        let found = log.search(7, 0x3, false);
        assert_eq!(found.read, [4096, 3], "a line of headers and the entry");
        log.begin = 1;
        assert_eq!(log.search(7, 0x1f, false).bytes, 0xf, "of another workgroup");
    }

    #[test]
    fn parts_of_words_are_found() {
        assert!(!has_part_of_word(0xf0f) && !has_part_of_word(0) && !has_part_of_word(u128::MAX));
        assert!(has_part_of_word(0x1) && has_part_of_word(0x7f) && has_part_of_word(0xe << 124));
    }
}
