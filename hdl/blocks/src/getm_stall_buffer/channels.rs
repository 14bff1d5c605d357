//! The stall buffer's channels, and their payloads as Rust values.

use std::fmt;

use super::params::Params;
use crate::kit::*;

/// The only code of `error_code`: the result of a retry that is not under way.
pub(super) const NO_SUCH_RETRY: u64 = 0;

payload! {
    /// A load or store of a transaction: a payload of `park` and of `retry`, where the address is that
    /// of the granule.
    pub struct Access(p: &Params) {
        address: u64 [p.address_bits] "byte address";
        store: bool [1] "1 a store, 0 a load";
        warp: u64 [p.owner_bits] "number of the warp";
        warpts: u64 [p.timestamp_bits] "the warp's timestamp";
    }

    /// What became of a retried access: a payload of `retry_result`. Where it has reserved its granule,
    /// or has parked again, others wait on.
    pub struct RetryResult(p: &Params) {
        address: u64 [p.address_bits] "byte address";
        reserved: bool [1] "the retry reserved the address or parked again";
    }

    /// The end of a reservation, or of all for a roll-over (4.5.2): a payload of `release`.
    pub struct Release(p: &Params) {
        address: u64 [p.address_bits] "byte address";
        all: bool [1] "every address is released";
    }

    /// The answer to a park: a payload of `parked`.
    pub struct Parked(p: &Params) {
        room: bool [1] "1 the access waits, 0 there is no room for it";
    }
}

channels! { |p|
    PARK = Channel::input("park", Access::fields(p), "accesses that are to wait").valid_only();
    RETRY_RESULT =
        Channel::input("retry_result", RetryResult::fields(p), "what became of a retry").valid_only();
    RELEASE = Channel::input("release", Release::fields(p), "ends of reservations").valid_only();
    PARKED =
        Channel::output("parked", Parked::fields(p), "the answer to a park, in the next clock")
            .valid_only();
    RETRY = Channel::output(
        "retry",
        Access::fields(p).saying("address", "byte address of the granule"),
        "accesses to be tried again; of each address one at a time",
    )
    .in_order_per("address");
    ERROR = Channel::error(
        1,
        "0 the result of a retry that is not under way",
        "malformed transfers; they change nothing",
    );
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Access { address, store, warp, warpts } = self;
        let op = if *store { "store to" } else { "load of" };
        write!(f, "{op} 0x{address:x} by warp {warp} at {warpts}")
    }
}
