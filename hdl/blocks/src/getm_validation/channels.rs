//! The validation unit's channels, and their payloads as Rust values.

use std::fmt;

use warpsmith_rtl::library::record::Fields;

use super::params::Params;
use crate::channel::{Channel, Direction, Handshake, Judgement};
use crate::getm_metadata;
pub use crate::getm_stall_buffer::Access;

/// Index of the channel `req`.
pub const REQ: usize = 0;
/// Index of the channel `release`.
pub const RELEASE: usize = 1;
/// Index of the channel `roll`.
pub const ROLL: usize = 2;
/// Index of the channel `overflow_resp`.
pub const OVERFLOW_RESP: usize = 3;
/// Index of the channel `resp`.
pub const RESP: usize = 4;
/// Index of the channel `rolled`.
pub const ROLLED: usize = 5;
/// Index of the channel `overflow_req`.
pub const OVERFLOW_REQ: usize = 6;
/// Index of the channel `issued`.
pub const ISSUED: usize = 7;
/// Index of the channel `decided`.
pub const DECIDED: usize = 8;
/// Index of the channel `error`.
pub const ERROR: usize = 9;

/// What became of an access: codes of `resp_outcome`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It succeeds.
    Success = 0,
    /// It was to wait and there was no room: the transaction aborts.
    AbortFull = 1,
    /// A load after a logically later write: the transaction aborts.
    AbortWar = 2,
    /// A store after a logically later write: the transaction aborts.
    AbortWaw = 3,
    /// A store after a logically later read: the transaction aborts.
    AbortRaw = 4,
    /// No more writes to the granule can be counted: the transaction aborts.
    AbortCount = 5,
    /// Timestamps roll over: the transaction aborts, and its warp begins again at zero.
    AbortRollover = 6,
}

impl Outcome {
    /// All outcomes, in the order of their codes.
    pub const ALL: [Outcome; 7] = [
        Outcome::Success,
        Outcome::AbortFull,
        Outcome::AbortWar,
        Outcome::AbortWaw,
        Outcome::AbortRaw,
        Outcome::AbortCount,
        Outcome::AbortRollover,
    ];
}

/// The end of writes to a granule: a payload of `release`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    /// Byte address.
    pub address: u64,
    /// Number of writes that are done with.
    pub count: u64,
}

impl Release {
    /// The payload.
    pub fn encode(&self) -> [u64; 2] {
        [self.address, self.count]
    }

    /// Reads a payload.
    pub fn decode(payload: &[u64]) -> Self {
        Self { address: payload[0], count: payload[1] }
    }
}

/// An answer to an access: a payload of `resp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// The access, with its granule's address.
    pub access: Access,
    /// What became of it.
    pub outcome: Outcome,
    /// The timestamp that the transaction has to be later than when it starts again: the granule's
    /// `wts` for a WAR, else the larger of `wts` and `rts`; 0 in a roll-over.
    pub timestamp: u64,
}

impl Response {
    /// The payload.
    pub fn encode(&self) -> [u64; 6] {
        let [address, store, warp, warpts] = self.access.encode();
        [address, store, warp, warpts, self.outcome as u64, self.timestamp]
    }

    /// Reads a payload.
    pub fn decode(payload: &[u64]) -> Self {
        let access = Access::decode(&payload[..4]);
        let outcome = Outcome::ALL.get(payload[4] as usize);
        let outcome = outcome.copied().unwrap_or(Outcome::AbortRollover);
        Self { access, outcome, timestamp: payload[5] }
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}, timestamp {}", self.access, self.outcome, self.timestamp)
    }
}

/// What the unit does next: codes of `issued_what`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Issue {
    /// An access from `req` enters the table.
    Request = 0,
    /// A waiter enters the table again.
    Retry = 1,
    /// A release enters the table.
    Release = 2,
    /// The unit stops for a roll-over.
    Stop = 3,
    /// The table is cleared.
    Clear = 4,
    /// An access from `req` is answered that timestamps roll over.
    RefusedRequest = 5,
    /// A waiter is answered that timestamps roll over.
    RefusedRetry = 6,
}

impl Issue {
    /// All of them, in the order of their codes.
    pub const ALL: [Issue; 7] = [
        Issue::Request,
        Issue::Retry,
        Issue::Release,
        Issue::Stop,
        Issue::Clear,
        Issue::RefusedRequest,
        Issue::RefusedRetry,
    ];
}

/// A payload of `issued`; of what is no access, fields that mean nothing are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issued {
    /// What it is.
    pub what: Issue,
    /// The access, with its granule's address; of a release only the address.
    pub access: Access,
}

impl Issued {
    /// The payload.
    pub fn encode(&self) -> [u64; 5] {
        let [address, store, warp, warpts] = self.access.encode();
        [self.what as u64, address, store, warp, warpts]
    }

    /// Reads a payload; none if it means nothing.
    pub fn decode(payload: &[u64]) -> Option<Self> {
        let what = *Issue::ALL.get(payload[0] as usize)?;
        Some(Self { what, access: Access::decode(&payload[1..]) })
    }
}

/// The fields of an access.
pub(super) fn access_fields(p: &Params, address: &str) -> Fields {
    Fields::new()
        .with("address", p.address_bits, address)
        .with("store", 1, "1 a store, 0 a load")
        .with("warp", p.owner_bits, "number of the warp")
        .with("warpts", p.timestamp_bits, "the warp's timestamp")
}

/// The fields of a release.
pub(super) fn release_fields(p: &Params) -> Fields {
    Fields::new().with("address", p.address_bits, "byte address").with(
        "count",
        p.write_count_bits,
        "writes that are done with",
    )
}

/// The fields of an answer.
pub(super) fn response_fields(p: &Params) -> Fields {
    access_fields(p, "byte address of the granule")
        .with(
            "outcome",
            3,
            "0 success; else abort: 1 no room to wait, 2 WAR, 3 WAW, 4 RAW, 5 too many writes, \
             6 roll-over",
        )
        .with("timestamp", p.timestamp_bits, "what the next start has to be later than")
}

/// The field of `roll` and `rolled`.
pub(super) fn roll_fields(doc: &str) -> Fields {
    Fields::new().with("go", 1, doc)
}

/// The fields of `issued`.
pub(super) fn issued_fields(p: &Params) -> Fields {
    Fields::new()
        .with(
            "what",
            3,
            "0 request, 1 retry, 2 release, 3 stop, 4 clear, 5 request refused, 6 retry refused",
        )
        .with("address", p.address_bits, "byte address of the granule; 0 of stop and clear")
        .with("store", 1, "of an access: 1 a store, 0 a load")
        .with("warp", p.owner_bits, "of an access: number of the warp")
        .with("warpts", p.timestamp_bits, "of an access: the warp's timestamp")
}

/// The field of `decided`.
pub(super) fn decided_fields() -> Fields {
    Fields::new().with(
        "verdict",
        3,
        "0 success, 1 to wait, 2 WAR, 3 WAW, 4 RAW, 5 too many writes, 6 error",
    )
}

pub(super) fn channels(p: &Params) -> Vec<Channel> {
    use Direction::{Input, Output};
    use Handshake::{ReadyValid, ValidOnly};
    let channel = |name, direction, handshake, fields, doc| Channel {
        name,
        doc,
        direction,
        handshake,
        judgement: Judgement::InOrder,
        fields,
    };
    let of_table = getm_metadata::channels(&p.table());
    vec![
        channel(
            "req",
            Input,
            ReadyValid,
            access_fields(p, "byte address"),
            "transactional accesses",
        ),
        channel(
            "release",
            Input,
            ReadyValid,
            release_fields(p),
            "writes of the commit unit's logs",
        ),
        channel(
            "roll",
            Input,
            ReadyValid,
            roll_fields("0 stop, 1 every unit has stopped: clear and go on"),
            "what the unit has to do of a roll-over",
        ),
        of_table[getm_metadata::OVERFLOW_RESP].clone(),
        channel("resp", Output, ReadyValid, response_fields(p), "one answer an access"),
        channel(
            "rolled",
            Output,
            ReadyValid,
            roll_fields("0 the unit has stopped, 1 it is cleared and goes on"),
            "what the unit has done of a roll-over, which it may begin itself",
        ),
        of_table[getm_metadata::OVERFLOW_REQ].clone(),
        channel(
            "issued",
            Output,
            ValidOnly,
            issued_fields(p),
            "what the unit does, in this order: for counters and for verification",
        ),
        channel(
            "decided",
            Output,
            ValidOnly,
            decided_fields(),
            "the verdict on each access and release, in the order in which they were issued",
        ),
        of_table[getm_metadata::ERROR].clone(),
    ]
}
