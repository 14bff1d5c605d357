//! The stall buffer's channels, and their payloads as Rust values.

use std::fmt;

use warpsmith_rtl::library::record::Fields;

use super::params::Params;
use crate::channel::{Channel, Direction, Handshake, Judgement};

/// Index of the channel `park`.
pub const PARK: usize = 0;
/// Index of the channel `retry_result`.
pub const RETRY_RESULT: usize = 1;
/// Index of the channel `release`.
pub const RELEASE: usize = 2;
/// Index of the channel `parked`.
pub const PARKED: usize = 3;
/// Index of the channel `retry`.
pub const RETRY: usize = 4;
/// Index of the channel `error`.
pub const ERROR: usize = 5;

/// The only code of `error_code`: the result of a retry that is not under way.
pub(super) const NO_SUCH_RETRY: u64 = 0;

/// A load or store of a transaction: a payload of `park` and of `retry`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Byte address; of `retry`, that of its granule.
    pub address: u64,
    /// A store, else a load.
    pub store: bool,
    /// Number of the warp.
    pub warp: u64,
    /// The warp's timestamp.
    pub warpts: u64,
}

impl Access {
    /// The payload.
    pub fn encode(&self) -> [u64; 4] {
        [self.address, u64::from(self.store), self.warp, self.warpts]
    }

    /// Reads a payload.
    pub fn decode(payload: &[u64]) -> Self {
        let &[address, store, warp, warpts] = payload else {
            panic!("an access has four fields, not {}", payload.len());
        };
        Self { address, store: store != 0, warp, warpts }
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Access { address, store, warp, warpts } = self;
        let op = if *store { "store to" } else { "load of" };
        write!(f, "{op} 0x{address:x} by warp {warp} at {warpts}")
    }
}

/// What became of a retried access: a payload of `retry_result`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryResult {
    /// Byte address.
    pub address: u64,
    /// The retried access has reserved its granule, or has parked again: others wait on.
    pub reserved: bool,
}

impl RetryResult {
    /// The payload.
    pub fn encode(&self) -> [u64; 2] {
        [self.address, u64::from(self.reserved)]
    }

    /// Reads a payload.
    pub fn decode(payload: &[u64]) -> Self {
        Self { address: payload[0], reserved: payload[1] != 0 }
    }
}

/// The end of a reservation: a payload of `release`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    /// Byte address, unless all are released.
    pub address: u64,
    /// Whatever anybody waits for is released, as for a roll-over (4.5.2).
    pub all: bool,
}

impl Release {
    /// The payload.
    pub fn encode(&self) -> [u64; 2] {
        [self.address, u64::from(self.all)]
    }

    /// Reads a payload.
    pub fn decode(payload: &[u64]) -> Self {
        Self { address: payload[0], all: payload[1] != 0 }
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

pub(super) fn channels(p: &Params) -> Vec<Channel> {
    let channel = |name, direction, fields, doc| Channel {
        name,
        doc,
        direction,
        handshake: Handshake::ValidOnly,
        judgement: Judgement::InOrder,
        fields,
    };
    let address = || Fields::new().with("address", p.address_bits, "byte address");
    let retry = Channel {
        handshake: Handshake::ReadyValid,
        judgement: Judgement::InOrderPerKey(0),
        ..channel(
            "retry",
            Direction::Output,
            access_fields(p, "byte address of the granule"),
            "accesses to be tried again; of each address one at a time",
        )
    };
    vec![
        channel(
            "park",
            Direction::Input,
            access_fields(p, "byte address"),
            "accesses that are to wait",
        ),
        channel(
            "retry_result",
            Direction::Input,
            address().with("reserved", 1, "the retry reserved the address or parked again"),
            "what became of a retry",
        ),
        channel(
            "release",
            Direction::Input,
            address().with("all", 1, "every address is released"),
            "ends of reservations",
        ),
        channel(
            "parked",
            Direction::Output,
            Fields::new().with("room", 1, "1 the access waits, 0 there is no room for it"),
            "the answer to a park, in the next clock",
        ),
        retry,
        channel(
            "error",
            Direction::Output,
            Fields::new().with("code", 1, "0 the result of a retry that is not under way"),
            "transfers that have no meaning; they change nothing",
        ),
    ]
}
