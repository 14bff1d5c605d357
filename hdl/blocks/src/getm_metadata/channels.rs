//! The table's channels, and their payloads as Rust values.

use std::fmt;

use warpsmith_rtl::library::record::Fields;

use super::access::{Metadata, Verdict};
pub use super::access::{Misuse, Op};
use super::params::Params;
use crate::channel::{Channel, Direction, Handshake, Judgement};

/// Index of the channel `req`.
pub const REQ: usize = 0;
/// Index of the channel `resp`.
pub const RESP: usize = 1;
/// Index of the channel `overflow_req`.
pub const OVERFLOW_REQ: usize = 2;
/// Index of the channel `overflow_resp`.
pub const OVERFLOW_RESP: usize = 3;
/// Index of the channel `error`.
pub const ERROR: usize = 4;

/// A request: a payload of `req`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Operation.
    pub op: Op,
    /// Byte address; ignored by `clear`.
    pub address: u64,
    /// Number of the warp, of a load or store.
    pub warp: u64,
    /// The warp's timestamp, of a load or store.
    pub warpts: u64,
    /// Number of writes that are done with, of a release.
    pub count: u64,
    /// Comes back with the answer.
    pub tag: u64,
}

impl Request {
    /// The payload.
    pub fn encode(&self) -> [u64; 6] {
        [self.op as u64, self.address, self.warp, self.warpts, self.count, self.tag]
    }

    /// Reads a payload.
    pub fn decode(payload: &[u64]) -> Self {
        let &[op, address, warp, warpts, count, tag] = payload else {
            panic!("a request has six fields, not {}", payload.len());
        };
        Self { op: Op::ALL[op as usize], address, warp, warpts, count, tag }
    }
}

/// An answer: a payload of `resp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The request.
    pub request: Request,
    /// What became of it.
    pub verdict: Verdict,
    /// `wts` before the request; 0 after a clear or an error.
    pub wts: u64,
    /// `rts` before the request; 0 after a clear or an error.
    pub rts: u64,
    /// The granule is reserved after the request.
    pub reserved: bool,
}

impl Answer {
    /// The payload.
    pub fn encode(&self) -> [u64; 9] {
        let Request { op, address, warp, warpts, tag, .. } = self.request;
        let reserved = u64::from(self.reserved);
        let verdict = self.verdict as u64;
        [op as u64, address, warp, warpts, tag, verdict, self.wts, self.rts, reserved]
    }

    /// Reads a payload. The count of a release does not come back; it is 0 here.
    pub fn decode(payload: &[u64]) -> Self {
        let &[op, address, warp, warpts, tag, verdict, wts, rts, reserved] = payload else {
            panic!("an answer has nine fields, not {}", payload.len());
        };
        let op = Op::ALL[op as usize];
        Self {
            request: Request { op, address, warp, warpts, count: 0, tag },
            verdict: Verdict::ALL.get(verdict as usize).copied().unwrap_or(Verdict::Error),
            wts,
            rts,
            reserved: reserved != 0,
        }
    }
}

/// What is asked of the overflow space in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverflowOp {
    /// Is there an entry of the granule? Only this is answered, on `overflow_resp`.
    Lookup = 0,
    /// A new entry.
    Insert = 1,
    /// The entry changes.
    Update = 2,
    /// The entry leaves.
    Remove = 3,
}

impl OverflowOp {
    /// All operations, in the order of their codes.
    pub const ALL: [OverflowOp; 4] =
        [OverflowOp::Lookup, OverflowOp::Insert, OverflowOp::Update, OverflowOp::Remove];
}

/// A payload of `overflow_req`. A lookup and a removal have no metadata: it is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverflowRequest {
    /// Operation.
    pub op: OverflowOp,
    /// Byte address of the granule, aligned to it.
    pub address: u64,
    /// What is to be kept.
    pub metadata: Metadata,
}

impl OverflowRequest {
    /// The payload.
    pub fn encode(&self) -> [u64; 6] {
        let Metadata { wts, rts, writes, owner } = self.metadata;
        [self.op as u64, self.address, wts, rts, writes, owner]
    }

    /// Reads a payload.
    pub fn decode(payload: &[u64]) -> Self {
        let &[op, address, wts, rts, writes, owner] = payload else {
            panic!("a request of the overflow space has six fields, not {}", payload.len());
        };
        let op = OverflowOp::ALL[op as usize];
        Self { op, address, metadata: Metadata { wts, rts, writes, owner } }
    }
}

/// The payload of `overflow_resp` to a lookup that found this.
pub fn overflow_answer(found: Option<Metadata>) -> [u64; 5] {
    let Metadata { wts, rts, writes, owner } = found.unwrap_or_default();
    [u64::from(found.is_some()), wts, rts, writes, owner]
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Request { op, address, warp, warpts, count, .. } = self;
        match op {
            Op::Load => write!(f, "load of 0x{address:x} by warp {warp} at {warpts}"),
            Op::Store => write!(f, "store to 0x{address:x} by warp {warp} at {warpts}"),
            Op::Release => write!(f, "release of {count} writes to 0x{address:x}"),
            Op::Clear => write!(f, "clear"),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Answer { verdict, wts, rts, reserved, .. } = self;
        write!(f, "{verdict} wts={wts} rts={rts} reserved={}", u8::from(*reserved))
    }
}

/// The fields of a request.
pub(super) fn request_fields(p: &Params) -> Fields {
    Fields::new()
        .with("op", 2, "0 load, 1 store, 2 release, 3 clear")
        .with("address", p.address_bits, "byte address; ignored by clear")
        .with("warp", p.owner_bits, "of a load or store: the warp")
        .with("warpts", p.timestamp_bits, "of a load or store: the warp's timestamp")
        .with("count", p.write_count_bits, "of a release: writes that are done with")
        .with("tag", p.tag_bits, "comes back with the answer")
}

/// The fields of an answer.
pub(super) fn answer_fields(p: &Params) -> Fields {
    Fields::new()
        .with("op", 2, "as in the request")
        .with("address", p.address_bits, "as in the request")
        .with("warp", p.owner_bits, "as in the request")
        .with("warpts", p.timestamp_bits, "as in the request")
        .with("tag", p.tag_bits, "as in the request")
        .with("verdict", 3, "0 success, 1 park, 2 WAR, 3 WAW, 4 RAW, 5 COUNT, 6 error")
        .with("wts", p.timestamp_bits, "before the request; 0 after a clear or an error")
        .with("rts", p.timestamp_bits, "before the request; 0 after a clear or an error")
        .with("reserved", 1, "the granule is reserved after the request")
}

/// `fields`, then those of a granule's metadata.
pub(super) fn metadata_fields(p: &Params, fields: Fields) -> Fields {
    fields
        .with("wts", p.timestamp_bits, "one more than the time of the last write")
        .with("rts", p.timestamp_bits, "the time of the last read")
        .with("writes", p.write_count_bits, "writes under way; not 0: reserved")
        .with("owner", p.owner_bits, "the warp that reserves it")
}

/// The fields of a request of the overflow space.
pub(super) fn overflow_request_fields(p: &Params) -> Fields {
    let fields = Fields::new().with("op", 2, "0 lookup, 1 insert, 2 update, 3 remove").with(
        "address",
        p.address_bits,
        "byte address of the granule, aligned to it",
    );
    metadata_fields(p, fields)
}

/// The fields of an answer of the overflow space.
pub(super) fn overflow_answer_fields(p: &Params) -> Fields {
    metadata_fields(p, Fields::new().with("found", 1, "there is an entry of the granule"))
}

/// What `error_code` says.
pub(super) const ERROR_CODES: &str = "0 release of a granule that is not reserved, 1 release of no \
     writes or more than are under way, 2 access at the largest timestamp, 3 clear while a granule \
     is reserved";

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
    use Handshake::{ReadyValid, Revocable, ValidOnly};
    vec![
        channel("req", Input, Revocable, request_fields(p), "accesses and releases"),
        channel("resp", Output, ReadyValid, answer_fields(p), "one answer a request"),
        channel(
            "overflow_req",
            Output,
            ReadyValid,
            overflow_request_fields(p),
            "what is asked of the overflow space in memory, to be done in order",
        ),
        channel(
            "overflow_resp",
            Input,
            ReadyValid,
            overflow_answer_fields(p),
            "one answer a lookup in the overflow space",
        ),
        channel(
            "error",
            Output,
            ValidOnly,
            Fields::new().with("code", 2, ERROR_CODES),
            "requests that have no meaning; they change nothing",
        ),
    ]
}
