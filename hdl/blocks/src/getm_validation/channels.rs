//! The validation unit's channels, and their payloads as Rust values.

use std::fmt;

use super::params::Params;
use crate::getm_metadata::{self, Verdict};
pub use crate::getm_stall_buffer::Access;
use crate::kit::*;

codes! {
    /// What became of an access: codes of `resp_outcome`.
    pub enum Outcome {
        /// It succeeds.
        Success,
        /// It was to wait and there was no room: the transaction aborts.
        AbortFull,
        /// A load after a logically later write: the transaction aborts.
        AbortWar,
        /// A store after a logically later write: the transaction aborts.
        AbortWaw,
        /// A store after a logically later read: the transaction aborts.
        AbortRaw,
        /// No more writes to the granule can be counted: the transaction aborts.
        AbortCount,
        /// Timestamps roll over: the transaction aborts, and its warp begins again at zero.
        AbortRollover,
    }

    /// What the unit does next: codes of `issued_what`.
    pub enum Issue {
        /// An access from `req` enters the table.
        Request,
        /// A waiter enters the table again.
        Retry,
        /// A release enters the table.
        Release,
        /// The unit stops for a roll-over.
        Stop,
        /// The table is cleared.
        Clear,
        /// An access from `req` is answered that timestamps roll over.
        RefusedRequest,
        /// A waiter is answered that timestamps roll over.
        RefusedRetry,
    }
}

payload! {
    /// The end of writes to a granule: a payload of `release`.
    pub struct Release(p: &Params) {
        address: u64 [p.address_bits] "byte address";
        count: u64 [p.write_count_bits] "writes that are done with";
    }

    /// An answer to an access: a payload of `resp`. The transaction has to be later than the
    /// timestamp when it starts again: the granule's `wts` for a WAR, else the larger of `wts` and
    /// `rts`; 0 in a roll-over.
    pub struct Response(p: &Params) {
        /// The access, with its granule's address.
        access: Access {access_fields(p).saying("address", "byte address of the granule")};
        outcome: Outcome [3] "0 success; else abort: 1 no room to wait, 2 WAR, 3 WAW, 4 RAW, \
            5 too many writes, 6 roll-over";
        timestamp: u64 [p.timestamp_bits] "what the next start has to be later than";
    }

    /// A payload of `issued`; of what is no access, fields that mean nothing are 0, and of a release
    /// all but the address.
    pub struct Issued(p: &Params) {
        what: Issue [3] "0 request, 1 retry, 2 release, 3 stop, 4 clear, 5 request \
            refused, 6 retry refused";
        /// The access, with its granule's address.
        access: Access {
            access_fields(p)
                .saying("address", "byte address of the granule; 0 of stop and clear")
                .saying("store", "of an access: 1 a store, 0 a load")
                .saying("warp", "of an access: number of the warp")
                .saying("warpts", "of an access: the warp's timestamp")
        };
    }

    /// What the unit is to do, or has done, of a roll-over: a payload of `roll` and of `rolled`.
    pub struct Roll(p: &Params) {
        go: bool [1] "0 stop, 1 every unit has stopped: clear and go on";
    }

    /// A payload of `decided`.
    pub struct Decided(p: &Params) {
        verdict: Verdict [3] "0 success, 1 to wait, 2 WAR, 3 WAW, 4 RAW, 5 too many writes, 6 error";
    }
}

pub(super) fn access_fields(p: &Params) -> warpsmith_rtl::library::record::Fields {
    Access::fields(&p.stall_buffer())
}

channels! { |p|
    REQ = Channel::input("req", access_fields(p), "transactional accesses");
    RELEASE = Channel::input("release", Release::fields(p), "writes of the commit unit's logs");
    ROLL = Channel::input("roll", Roll::fields(p), "what the unit has to do of a roll-over");
    OVERFLOW_RESP = of_table(p, getm_metadata::OVERFLOW_RESP);
    RESP = Channel::output("resp", Response::fields(p), "one answer an access");
    ROLLED = Channel::output(
        "rolled",
        Roll::fields(p).saying("go", "0 the unit has stopped, 1 it is cleared and goes on"),
        "what the unit has done of a roll-over, which it may begin itself",
    );
    OVERFLOW_REQ = of_table(p, getm_metadata::OVERFLOW_REQ);
    ISSUED = Channel::output(
        "issued",
        Issued::fields(p),
        "what the unit does, in this order: for counters and for verification",
    )
    .valid_only();
    DECIDED = Channel::output(
        "decided",
        Decided::fields(p),
        "the verdict on each access and release, in the order in which they were issued",
    )
    .valid_only();
    ERROR = of_table(p, getm_metadata::ERROR);
}

/// A channel of the table that is one of the unit.
fn of_table(p: &Params, index: usize) -> Channel {
    getm_metadata::channels(&p.table()).swap_remove(index)
}

impl Issued {
    /// Reads a payload; none if its code is reserved.
    pub fn of(payload: &[u64]) -> Option<Self> {
        Issue::of(payload[0]).map(|_| Self::decode(payload))
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}, timestamp {}", self.access, self.outcome, self.timestamp)
    }
}
