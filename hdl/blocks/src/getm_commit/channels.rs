//! The commit unit's channels, and their payloads as Rust values.

use std::fmt;

use super::params::Params;
use crate::kit::*;

codes! {
    /// What an item of a log is.
    pub enum Kind {
        /// A write of a thread that has committed.
        Commit,
        /// Writes of a thread that has aborted: their reservations are given up (4.4.1).
        Abort,
        /// The end of a warp's log.
        End,
    }

    /// Why an item is malformed: codes of `error_code`, the first that applies.
    pub enum Misuse {
        /// The code of the kind is reserved.
        ReservedKind,
        /// A commit or abort that counts no write.
        NoWrites,
        /// A commit or abort whose address is not that of a word.
        Misaligned,
    }
}

payload! {
    /// An item of a log: a payload of `log`. It has no kind if the code is reserved.
    pub struct Item(p: &Params) {
        kind: Option<Kind> [2] "0 commit, 1 abort, 2 end of a warp's log";
        address: u64 [p.address_bits] "byte address of the word; ignored at an end";
        data: u64 [8 * p.word_bytes] "of a commit: the word";
        bytes: u64 [p.word_bytes] "of a commit: the bytes that are written";
        count: u64 [p.write_count_bits] "of a commit or abort: writes that were counted for it";
    }

    /// Writes that the validation unit may forget: a payload of `release`.
    pub struct Release(p: &Params) {
        address: u64 [p.address_bits] "byte address of the region";
        count: u64 [p.write_count_bits] "writes that are done with; never 0";
    }
}

/// The fields of a write, which may be of many words.
pub(super) fn write_fields(p: &Params) -> Fields {
    Fields::new()
        .with("address", p.address_bits, "byte address of the region")
        .with("data", 8 * p.granule_bytes, "the region; zero where nothing is written")
        .with("bytes", p.granule_bytes, "the bytes that are written; never 0")
}

channels! { |p|
    LOG = Channel::input("log", Item::fields(p), "logs of warps, item by item");
    WRITE = Channel::output("write", write_fields(p), "regions to be written to the LLC");
    RELEASE = Channel::output(
        "release",
        Release::fields(p),
        "writes that are done with, for the validation unit; after their region was written",
    );
    ERROR = Channel::error(
        2,
        "0 reserved kind, 1 no writes are counted, 2 the address is not that of a word",
        "malformed items; they change nothing",
    );
}

impl Item {
    /// What the item is, if it is well formed.
    ///
    /// # Errors
    /// Why it is malformed.
    pub fn meaning(&self, p: &Params) -> Result<Kind, Misuse> {
        let kind = self.kind.ok_or(Misuse::ReservedKind)?;
        match kind {
            Kind::End => Ok(kind),
            _ if self.count == 0 => Err(Misuse::NoWrites),
            _ if !self.address.is_multiple_of(u64::from(p.word_bytes)) => Err(Misuse::Misaligned),
            _ => Ok(kind),
        }
    }

    /// Number of the first byte of the word in its region.
    pub fn place(&self, p: &Params) -> usize {
        (self.address % u64::from(p.granule_bytes)) as usize
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Item { kind, address, data, bytes, count } = self;
        match kind {
            Some(Kind::Commit) => {
                write!(f, "commit of 0x{data:x} to 0x{address:x}, bytes {bytes:#b}, {count} writes")
            }
            Some(Kind::Abort) => write!(f, "abort of {count} writes to 0x{address:x}"),
            Some(Kind::End) => write!(f, "end of a log"),
            None => write!(f, "item of reserved kind"),
        }
    }
}

/// The bytes of a region: a value where one is written.
pub type Region = Vec<Option<u8>>;

/// The payload of a write of these bytes.
pub fn encode_write(p: &Params, granule: u64, region: &Region) -> Vec<u64> {
    let payload = [p.address_of(granule)];
    let (mut data, mut mask) = (Vec::<u64>::new(), Vec::<u64>::new());
    for bytes in region.chunks(8) {
        let word = |i: usize| u64::from(bytes[i].unwrap_or(0)) << (8 * i);
        data.push((0..bytes.len()).map(word).sum());
    }
    for bytes in region.chunks(64) {
        let bit = |i: usize| u64::from(bytes[i].is_some()) << i;
        mask.push((0..bytes.len()).map(bit).sum());
    }
    [&payload[..], &data, &mask].concat()
}

/// Reads a payload of `write`: the region's number and its bytes.
pub fn decode_write(p: &Params, payload: &[u64]) -> (u64, Region) {
    let bytes = p.granule_bytes as usize;
    let data = &payload[1..];
    let mask = &data[bytes.div_ceil(8)..];
    let byte = |i: usize| {
        let is_written = mask[i / 64] >> (i % 64) & 1 == 1;
        is_written.then_some((data[i / 8] >> (8 * (i % 8))) as u8)
    };
    (p.granule_of(payload[0]), (0..bytes).map(byte).collect())
}
