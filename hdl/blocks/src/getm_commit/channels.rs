//! The commit unit's channels, and their payloads as Rust values.

use std::fmt;

use warpsmith_rtl::library::record::Fields;

use super::params::Params;
use crate::channel::{Channel, Direction, Handshake, Judgement};

/// Index of the channel `log`.
pub const LOG: usize = 0;
/// Index of the channel `write`.
pub const WRITE: usize = 1;
/// Index of the channel `release`.
pub const RELEASE: usize = 2;
/// Index of the channel `error`.
pub const ERROR: usize = 3;

/// What an item of a log is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A write of a thread that has committed.
    Commit = 0,
    /// Writes of a thread that has aborted: their reservations are given up (4.4.1).
    Abort = 1,
    /// The end of a warp's log.
    End = 2,
}

impl Kind {
    /// All kinds, in the order of their codes.
    pub const ALL: [Kind; 3] = [Kind::Commit, Kind::Abort, Kind::End];
}

/// Why an item has no meaning: codes of `error_code`, the first that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misuse {
    /// The code of the kind means nothing.
    ReservedKind = 0,
    /// A commit or abort that counts no write.
    NoWrites = 1,
    /// A commit or abort whose address is not that of a word.
    Misaligned = 2,
}

/// An item of a log: a payload of `log`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it is; none for a code that means nothing.
    pub kind: Option<Kind>,
    /// Byte address of the word; ignored at an end.
    pub address: u64,
    /// The word, of a commit.
    pub data: u64,
    /// The bytes of the word that are written, of a commit.
    pub bytes: u64,
    /// Writes that the validation unit has counted for it.
    pub count: u64,
}

impl Item {
    /// The payload.
    pub fn encode(&self) -> [u64; 5] {
        let kind = self.kind.map_or(Kind::ALL.len() as u64, |kind| kind as u64);
        [kind, self.address, self.data, self.bytes, self.count]
    }

    /// Reads a payload.
    pub fn decode(payload: &[u64]) -> Self {
        let &[kind, address, data, bytes, count] = payload else {
            panic!("an item has five fields, not {}", payload.len());
        };
        let kind = Kind::ALL.get(kind as usize).copied();
        Self { kind, address, data, bytes, count }
    }

    /// What the item is, if it has a meaning.
    ///
    /// # Errors
    /// Why it has none.
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
    let mut payload = vec![granule << p.offset_bits()];
    let (mut data, mut mask) = (Vec::<u64>::new(), Vec::<u64>::new());
    for bytes in region.chunks(8) {
        let word = |i: usize| u64::from(bytes[i].unwrap_or(0)) << (8 * i);
        data.push((0..bytes.len()).map(word).sum());
    }
    for bytes in region.chunks(64) {
        let bit = |i: usize| u64::from(bytes[i].is_some()) << i;
        mask.push((0..bytes.len()).map(bit).sum());
    }
    payload.extend(data);
    payload.extend(mask);
    payload
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
    (payload[0] >> p.offset_bits(), (0..bytes).map(byte).collect())
}

/// The fields of an item.
pub(super) fn log_fields(p: &Params) -> Fields {
    Fields::new()
        .with("kind", 2, "0 commit, 1 abort, 2 end of a warp's log")
        .with("address", p.address_bits, "byte address of the word; ignored at an end")
        .with("data", 8 * p.word_bytes, "of a commit: the word")
        .with("bytes", p.word_bytes, "of a commit: the bytes that are written")
        .with("count", p.write_count_bits, "of a commit or abort: writes that were counted for it")
}

/// The fields of a write.
pub(super) fn write_fields(p: &Params) -> Fields {
    Fields::new()
        .with("address", p.address_bits, "byte address of the region")
        .with("data", 8 * p.granule_bytes, "the region; zero where nothing is written")
        .with("bytes", p.granule_bytes, "the bytes that are written; never 0")
}

/// The fields of a release.
pub(super) fn release_fields(p: &Params) -> Fields {
    Fields::new().with("address", p.address_bits, "byte address of the region").with(
        "count",
        p.write_count_bits,
        "writes that are done with; never 0",
    )
}

/// What `error_code` says.
pub(super) const ERROR_CODES: &str =
    "0 reserved kind, 1 no writes are counted, 2 the address is not that of a word";

/// The channels, in the order of their indices.
pub fn channels(p: &Params) -> Vec<Channel> {
    let channel = |name, direction, handshake, fields, doc| Channel {
        name,
        doc,
        direction,
        handshake,
        judgement: Judgement::InOrder,
        fields,
    };
    use Direction::{Input, Output};
    use Handshake::{ReadyValid, ValidOnly};
    vec![
        channel("log", Input, ReadyValid, log_fields(p), "logs of warps, item by item"),
        channel("write", Output, ReadyValid, write_fields(p), "regions to be written to the LLC"),
        channel(
            "release",
            Output,
            ReadyValid,
            release_fields(p),
            "writes that are done with, for the validation unit; after their region was written",
        ),
        channel(
            "error",
            Output,
            ValidOnly,
            Fields::new().with("code", 2, ERROR_CODES),
            "items that have no meaning; they change nothing",
        ),
    ]
}
