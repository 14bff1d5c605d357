//! The directory's channels, and their payloads as Rust values.

use std::fmt;

use warpsmith_rtl::address_bits;
use warpsmith_rtl::library::record::Fields;

use super::params::Params;
use crate::channel::{Channel, Direction, Handshake, Judgement, Strap};

/// Index of the channel `req`.
pub const REQ: usize = 0;
/// Index of the channel `resp`.
pub const RESP: usize = 1;
/// Index of the channel `inv`.
pub const INV: usize = 2;
/// Index of the channel `error`.
pub const ERROR: usize = 3;

/// What a request does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// A load at the home; the source may keep a copy.
    Load = 0,
    /// A store at the home; the source may keep a copy, everybody else's is old.
    Store = 1,
    /// An atomic or a reduction, treated as a store (IV-B).
    Atomic = 2,
    /// An invalidation from the system home, to be forwarded to this GPU's sharers (V-B).
    Invalidate = 3,
    /// The source no longer holds any line of the block (IV-B, optional message).
    Downgrade = 4,
    /// Answered once every earlier invalidation has left (IV-B).
    Release = 5,
}

impl Op {
    /// All operations, in the order of their codes.
    pub const ALL: [Op; 6] =
        [Op::Load, Op::Store, Op::Atomic, Op::Invalidate, Op::Downgrade, Op::Release];
}

/// Who sent a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// This GPM.
    Local,
    /// A GPM: of this GPU if hierarchical, else of the machine, in (GPU, GPM) order.
    Gpm(u32),
    /// Another GPU (HMG only).
    Gpu(u32),
    /// The code that means nothing.
    Reserved,
}

/// Codes of `source_kind`.
pub(super) mod source_kind {
    pub const LOCAL: u64 = 0;
    pub const GPM: u64 = 1;
    pub const GPU: u64 = 2;
    pub const RESERVED: u64 = 3;
}

/// Codes of `error_code`, the first that applies in this order.
pub(super) mod error_code {
    pub const RESERVED_OP: u64 = 0;
    pub const RESERVED_SOURCE: u64 = 1;
    pub const GPU_SOURCE_IN_FLAT: u64 = 2;
    pub const SOURCE_OUT_OF_RANGE: u64 = 3;
    pub const SOURCE_IS_SELF: u64 = 4;
    pub const ILLEGAL_INVALIDATE: u64 = 5;
}

/// A request: a payload of `req`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Operation; none for a code that means nothing.
    pub op: Option<Op>,
    /// Sender.
    pub source: Source,
    /// Byte address; ignored by `release`.
    pub address: u64,
}

impl Request {
    /// Writes the payload.
    pub fn encode(&self, payload: &mut [u64]) {
        payload[0] = self.op.map_or(Op::ALL.len() as u64, |op| op as u64);
        (payload[1], payload[2]) = match self.source {
            Source::Local => (source_kind::LOCAL, 0),
            Source::Gpm(i) => (source_kind::GPM, u64::from(i)),
            Source::Gpu(j) => (source_kind::GPU, u64::from(j)),
            Source::Reserved => (source_kind::RESERVED, 0),
        };
        payload[3] = self.address;
    }

    /// Reads a payload.
    pub fn decode(payload: &[u64]) -> Self {
        let source = match payload[1] {
            source_kind::LOCAL => Source::Local,
            source_kind::GPM => Source::Gpm(payload[2] as u32),
            source_kind::GPU => Source::Gpu(payload[2] as u32),
            _ => Source::Reserved,
        };
        Self { op: Op::ALL.get(payload[0] as usize).copied(), source, address: payload[3] }
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.op {
            Some(op) => write!(f, "{}", format!("{op:?}").to_lowercase())?,
            None => write!(f, "reserved op")?,
        }
        match self.source {
            Source::Local => write!(f, " by this GPM")?,
            Source::Gpm(i) => write!(f, " by GPM {i}")?,
            Source::Gpu(j) => write!(f, " by GPU {j}")?,
            Source::Reserved => write!(f, " by a reserved source")?,
        }
        write!(f, " at 0x{:x}", self.address)
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [hit, allocated, evicted] = self.encode();
        write!(f, "hit={hit} allocated={allocated} evicted={evicted}")
    }
}

impl fmt::Display for Invalidation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "inv address=0x{:x} sharers={:#b}", self.address, self.sharers)
    }
}

/// An answer: a payload of `resp`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// The block was tracked.
    pub hit: bool,
    /// An entry was made for it.
    pub allocated: bool,
    /// Another block lost its entry for that.
    pub evicted: bool,
}

impl Response {
    /// The payload.
    pub fn encode(&self) -> [u64; 3] {
        [self.hit, self.allocated, self.evicted].map(u64::from)
    }

    /// Reads a payload.
    pub fn decode(payload: &[u64]) -> Self {
        Self { hit: payload[0] != 0, allocated: payload[1] != 0, evicted: payload[2] != 0 }
    }
}

/// An invalidation: a payload of `inv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invalidation {
    /// Byte address of the block, aligned to what an entry covers.
    pub address: u64,
    /// Nodes whose copies are to go; never 0.
    pub sharers: u64,
}

impl Invalidation {
    /// The payload.
    pub fn encode(&self) -> [u64; 2] {
        [self.address, self.sharers]
    }

    /// Reads a payload.
    pub fn decode(payload: &[u64]) -> Self {
        Self { address: payload[0], sharers: payload[1] }
    }
}

/// What a request does, beside changing the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// The answer.
    pub response: Response,
    /// The invalidation, if one is sent.
    pub invalidation: Option<Invalidation>,
    /// Why the request has no meaning, if it has none.
    pub error: Option<u64>,
}

/// The fields of a request.
pub(super) fn request_fields(p: &Params) -> Fields {
    Fields::new()
        .with("op", 3, "0 load, 1 store, 2 atomic, 3 invalidate, 4 downgrade, 5 release")
        .with("source_kind", 2, "0 this GPM, 1 a GPM, 2 a GPU")
        .with("source_index", p.node_bits(), "number of the GPM or GPU; ignored for this GPM")
        .with("address", p.address_bits, "byte address; ignored by release")
}

/// The fields of an answer.
pub(super) fn response_fields() -> Fields {
    Fields::new()
        .with("hit", 1, "the block was tracked")
        .with("allocated", 1, "an entry was made for it")
        .with("evicted", 1, "another block lost its entry for that")
}

/// The fields of an invalidation.
pub(super) fn invalidation_fields(p: &Params) -> Fields {
    Fields::new()
        .with("address", p.address_bits, "byte address of the block, aligned to an entry")
        .with("sharers", p.sharers(), "other GPMs ascending, then other GPUs ascending; never 0")
}

pub(super) fn channels(p: &Params) -> Vec<Channel> {
    let channel = |name, direction, handshake, fields, doc| Channel {
        name,
        doc,
        direction,
        handshake,
        judgement: Judgement::InOrder,
        fields,
    };
    let error_fields = Fields::new().with(
        "code",
        3,
        "0 op, 1 source kind, 2 GPU source when flat, 3 no such source, 4 source is self, \
         5 illegal invalidate",
    );
    vec![
        channel(
            "req",
            Direction::Input,
            Handshake::ReadyValid,
            request_fields(p),
            "requests that reached the home",
        ),
        channel(
            "resp",
            Direction::Output,
            Handshake::ReadyValid,
            response_fields(),
            "one answer a request, after its invalidation was accepted",
        ),
        channel(
            "inv",
            Direction::Output,
            Handshake::ReadyValid,
            invalidation_fields(p),
            "at most one invalidation a request",
        ),
        channel(
            "error",
            Direction::Output,
            Handshake::ValidOnly,
            error_fields,
            "requests that have no meaning; they change nothing",
        ),
    ]
}

pub(super) fn straps(p: &Params) -> Vec<Strap> {
    let strap = |name, doc, values: u32| Strap {
        name,
        doc,
        width: address_bits(values),
        values: u64::from(values),
    };
    vec![
        strap("self_gpm", "number of this GPM within its GPU", p.gpms_per_gpu),
        strap("self_gpu", "number of this GPU", p.gpus),
    ]
}
