//! The write cache's channels, and their payloads as Rust values.

use std::fmt;

use super::params::Params;
use crate::kit::*;

codes! {
    /// What a request is.
    pub enum Op {
        /// A write of some bytes of a block.
        Store,
        /// An atomic, which is forwarded at once.
        Atomic,
        /// A read of some bytes of a block that its read cache does not have, or marked as written.
        Read,
        /// All stores accepted before it are to be visible.
        Release,
    }

    /// Why a request is refused: codes of `error_code`, the first that applies.
    pub enum Error {
        /// Its wavefront waits for the end of a release: a flag would overtake what it guards.
        EarlyFlag,
        /// A store of no byte.
        NoBytes,
    }
}

/// Words of the data of the largest block.
pub(super) const DATA: usize = 8;

/// A request: a payload of `req` and of `down`, which are alike, so that levels can be stacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// What it is.
    pub op: Op,
    /// Number of the block; of a release nothing.
    pub block: u64,
    /// The bytes that are written or read; of an atomic any.
    pub bytes: u64,
    /// The wavefront; of a write on `down` zero.
    pub wavefront: u64,
    /// Of a release: the wavefront waits for its end.
    pub needs_ack: bool,
    /// Of a store or atomic: the block.
    pub data: [u64; DATA],
}

impl Request {
    /// The fields.
    pub fn fields(p: &Params) -> Fields {
        Fields::new()
            .with("op", 2, "0 store, 1 atomic, 2 read, 3 release")
            .with("block", p.block_bits, "number of the block")
            .with("bytes", p.block_bytes, "of a store or read: the bytes that are written or read")
            .with("wavefront", p.wavefront_bits, "number of the wavefront")
            .with("needs_ack", 1, "of a release: the wavefront waits for its end")
            .with("data", 8 * p.block_bytes, "of a store or atomic: the block")
    }

    /// A store.
    pub fn store(block: u64, bytes: u64, data: [u64; DATA], wavefront: u64) -> Self {
        Self { op: Op::Store, block, bytes, wavefront, needs_ack: false, data }
    }

    /// A read.
    pub fn read(block: u64, bytes: u64, wavefront: u64) -> Self {
        Self { op: Op::Read, ..Self::store(block, bytes, [0; DATA], wavefront) }
    }

    /// A release.
    pub fn release(wavefront: u64, needs_ack: bool) -> Self {
        Self { op: Op::Release, needs_ack, ..Self::store(0, 0, [0; DATA], wavefront) }
    }

    /// The payload.
    pub fn encode(&self, p: &Params) -> Vec<u64> {
        let head = [self.op as u64, self.block, self.bytes, self.wavefront, self.needs_ack.into()];
        [&head[..], &self.data[..p.data_words()]].concat()
    }

    /// Reads a payload.
    pub fn decode(payload: &[u64]) -> Self {
        let (head, words) = payload.split_at(5);
        let mut data = [0; DATA];
        data[..words.len()].copy_from_slice(words);
        Self {
            op: Op::of(head[0]).expect("every code is an op"),
            block: head[1],
            bytes: head[2],
            wavefront: head[3],
            needs_ack: head[4] != 0,
            data,
        }
    }

    /// The request with zeros where it says nothing: what goes down.
    #[must_use]
    pub fn kept(&self) -> Self {
        let zero = [0; DATA];
        match self.op {
            Op::Store => {
                let data = selected(&self.data, self.bytes);
                Self { wavefront: 0, needs_ack: false, data, ..*self }
            }
            Op::Atomic => Self { needs_ack: false, ..*self },
            Op::Read => Self { needs_ack: false, data: zero, ..*self },
            Op::Release => Self { block: 0, bytes: 0, data: zero, ..*self },
        }
    }
}

/// The byte of that number.
pub(super) fn byte(data: &[u64; DATA], number: u32) -> u8 {
    (data[number as usize / 8] >> (number % 8 * 8)) as u8
}

/// Data with zeros in bytes that are not selected.
pub(super) fn selected(data: &[u64; DATA], bytes: u64) -> [u64; DATA] {
    merged(&[0; DATA], data, bytes)
}

/// Data with these bytes of another.
pub(super) fn merged(old: &[u64; DATA], new: &[u64; DATA], bytes: u64) -> [u64; DATA] {
    std::array::from_fn(|word| {
        // Each of eight bits at the place of its byte: bit i is 7i higher there, and the last would carry.
        let bits = bytes >> (8 * word) & 0xff;
        let low = (bits & 0x7f).wrapping_mul(0x0002_0408_1020_4081) & 0x0101_0101_0101_0101;
        let mask = (low | (bits & 0x80) << 49) * 0xff;
        old[word] & !mask | new[word] & mask
    })
}

payload! {
    /// A block: a payload of `mark_written` and `inv`.
    pub struct Block(p: &Params) {
        block: u64 [p.block_bits] "number of the block";
    }

    /// Read caches that have done what the oldest invalidation that they have not acknowledged says.
    pub struct InvAck(p: &Params) {
        caches: u64 [p.read_caches] "the read caches";
    }

    /// The end of a release: a payload of `released` and of `ack`.
    pub struct Released(p: &Params) {
        wavefront: u64 [p.wavefront_bits] "number of the wavefront";
    }
}

/// The fields of a read's answer.
fn hit_fields(p: &Params) -> Fields {
    Request::fields(p).without("op").without("needs_ack")
}

/// The payload of `hit`: the read, and the bytes that it reads.
pub(super) fn encode_hit(p: &Params, read: &Request, data: &[u64; DATA]) -> Vec<u64> {
    let head = [read.block, read.bytes, read.wavefront];
    [&head[..], &selected(data, read.bytes)[..p.data_words()]].concat()
}

channels! { |p|
    REQ = Channel::input("req", Request::fields(p), "requests of the compute unit, or of the level above");
    INV_ACK = Channel::input(
        "inv_ack",
        InvAck::fields(p),
        "read caches acknowledge invalidations; a surplus one changes nothing",
    )
    .valid_only();
    DONE = Channel::input(
        "done",
        Fields::new(),
        "the oldest atomic that was forwarded has completed; a surplus one changes nothing",
    )
    .valid_only();
    RELEASED = Channel::input(
        "released",
        Released::fields(p),
        "the level below acknowledges a release; at the last level it is not used",
    )
    .valid_only();
    DOWN = Channel::output("down", Request::fields(p), "writes, atomics, reads and releases for the level below");
    INV = Channel::output("inv", Block::fields(p), "a block is written through: every read cache drops it")
        .valid_only();
    MARK_WRITTEN = Channel::output(
        "mark_written",
        Block::fields(p),
        "a store was merged, after what inv says in this clock: the read cache beside marks the block",
    )
    .valid_only();
    HIT = Channel::output("hit", hit_fields(p), "reads whose bytes are all dirty").valid_only();
    ACK = Channel::output("ack", Released::fields(p), "releases have ended").valid_only();
    ERROR = Channel::error(
        1,
        "0 the wavefront waits for the end of its release, 1 a store of no byte",
        "refused requests; they change nothing",
    );
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Request { op, block, bytes, wavefront, needs_ack, .. } = self;
        match op {
            Op::Release => write!(f, "release of wavefront {wavefront}, answer {needs_ack}"),
            _ => write!(f, "{op:?} of block 0x{block:x}, bytes 0x{bytes:x}, wavefront {wavefront}"),
        }
    }
}
