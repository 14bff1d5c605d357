//! The directory's channels, and their payloads as Rust values.

use std::fmt;

use super::params::Params;
use crate::kit::*;
use crate::payload::Value;

codes! {
    /// What a request does.
    pub enum Op {
        /// A load at the home; the source may keep a copy.
        Load,
        /// A store at the home; the source may keep a copy, all others are stale.
        Store,
        /// An atomic or a reduction, treated as a store (IV-B).
        Atomic,
        /// An invalidation from the system home, to be forwarded to this GPU's sharers (V-B).
        Invalidate,
        /// The source no longer holds any line of the block (IV-B, optional message).
        Downgrade,
        /// Answered once every earlier invalidation has left (IV-B).
        Release,
    }

    /// Why a request is malformed: codes of `error_code`, the first that applies in this order.
    pub enum Misuse {
        /// The code of the operation is reserved.
        ReservedOp,
        /// The code of the source's kind is reserved.
        ReservedSource,
        /// A GPU is the source, and the directory is flat.
        GpuSourceInFlat,
        /// There is no such source.
        SourceOutOfRange,
        /// The source is this GPM or this GPU.
        SourceIsSelf,
        /// An invalidate that the system home cannot have sent.
        IllegalInvalidate,
    }
}

/// The sender of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// This GPM.
    Local,
    /// A GPM: of this GPU if hierarchical, else of the machine, in (GPU, GPM) order.
    Gpm(u32),
    /// Another GPU (HMG only).
    Gpu(u32),
    /// A reserved code.
    Reserved,
}

/// Codes of `source_kind`.
pub(super) mod source_kind {
    pub const LOCAL: u64 = 0;
    pub const GPM: u64 = 1;
    pub const GPU: u64 = 2;
    pub const RESERVED: u64 = 3;
}

impl Source {
    fn fields(p: &Params) -> Fields {
        let index = "number of the GPM or GPU; ignored for this GPM";
        let kind = Fields::new().with("source_kind", 2, "0 this GPM, 1 a GPM, 2 a GPU");
        kind.with("source_index", p.node_bits(), index)
    }
}

impl Value for Source {
    const WORDS: usize = 2;

    fn write(self, words: &mut [u64]) {
        (words[0], words[1]) = match self {
            Source::Local => (source_kind::LOCAL, 0),
            Source::Gpm(i) => (source_kind::GPM, u64::from(i)),
            Source::Gpu(j) => (source_kind::GPU, u64::from(j)),
            Source::Reserved => (source_kind::RESERVED, 0),
        };
    }

    fn read(words: &[u64]) -> Self {
        match words[0] {
            source_kind::LOCAL => Source::Local,
            source_kind::GPM => Source::Gpm(words[1] as u32),
            source_kind::GPU => Source::Gpu(words[1] as u32),
            _ => Source::Reserved,
        }
    }
}

payload! {
    /// A request: a payload of `req`. It has no operation if the code is reserved.
    pub struct Request(p: &Params) {
        op: Option<Op> [3] "0 load, 1 store, 2 atomic, 3 invalidate, 4 downgrade, 5 release";
        /// Sender.
        source: Source {Source::fields(p)};
        address: u64 [p.address_bits] "byte address; ignored by release";
    }

    /// An answer: a payload of `resp`.
    #[derive(Default)]
    pub struct Response(p: &Params) {
        hit: bool [1] "the block was tracked";
        allocated: bool [1] "an entry was made for it";
        evicted: bool [1] "another block lost its entry for that";
    }

    /// An invalidation: a payload of `inv`.
    pub struct Invalidation(p: &Params) {
        address: u64 [p.address_bits] "byte address of the block, aligned to an entry";
        sharers: u64 [p.sharers()] "other GPMs ascending, then other GPUs ascending; never 0";
    }
}

channels! { |p|
    REQ = Channel::input("req", Request::fields(p), "requests that reached the home");
    RESP = Channel::output(
        "resp",
        Response::fields(p),
        "one answer a request, after its invalidation was accepted",
    );
    INV = Channel::output("inv", Invalidation::fields(p), "at most one invalidation a request");
    ERROR = Channel::error(
        3,
        "0 op, 1 source kind, 2 GPU source when flat, 3 no such source, 4 source is self, \
         5 illegal invalidate",
        "malformed requests; they change nothing",
    );
}

pub(super) fn straps(p: &Params) -> Vec<Strap> {
    let strap = |name, doc, count: u32| {
        let (width, values) = (address_bits(count), u64::from(count));
        Strap { name, doc, width, values }
    };
    vec![
        strap("self_gpm", "number of this GPM within its GPU", p.gpms_per_gpu),
        strap("self_gpu", "number of this GPU", p.gpus),
    ]
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

/// What a request does, beside changing the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// The answer.
    pub response: Response,
    /// The invalidation, if one is sent.
    pub invalidation: Option<Invalidation>,
    /// Why the request is malformed, if it is.
    pub error: Option<Misuse>,
}
