//! The channels of a relativistic L2 bank, and their payloads as Rust values.

use std::fmt;

use super::params::Params;
use crate::kit::*;

codes! {
    /// A kind of request.
    pub enum Op {
        /// A load that found no valid copy in its L1.
        Gets,
        /// A store.
        Write,
        /// An atomic.
        Atomic,
    }

    /// A kind of answer.
    pub enum Kind {
        /// To a GETS: the block, with a lease.
        Data,
        /// To a GETS: the core's copy has a new lease.
        Renew,
        /// To a WRITE.
        Ack,
        /// To an ATOMIC.
        Result,
    }

    /// A kind of command to the array of data.
    pub enum ArrayOp {
        /// Read the block, for a DATA.
        Read,
        /// Write the bytes of a store, which wait by core and tag.
        Write,
        /// Perform an atomic, for a RESULT.
        Atomic,
        /// Read the block, to be written to DRAM.
        WriteBack,
        /// Write the fetched bytes but for those written since the miss.
        Fill,
    }

    /// Kind of event.
    pub enum Action {
        /// The oldest request.
        Request,
        /// The oldest transfer of `filled`.
        Fill,
        /// A transfer of `roll`.
        Roll,
    }

    /// Progress of a roll-over.
    pub enum RollOver {
        /// Time has come to its end: the bank wants a roll-over.
        Wanted,
        /// All times of the bank are 0.
        Cleared,
    }

    /// Why a transfer is malformed: codes of `error_code`.
    pub enum Misuse {
        /// The code of the operation is reserved.
        ReservedOp,
        /// There is no such core.
        CoreOutOfRange,
        /// A second GETS of a core for a block that is fetched.
        SecondGets,
        /// The lease of the core's copy ends later than any lease can.
        LeaseTooLate,
        /// The MSHR fetches nothing.
        NothingFetched,
        /// A roll-over with a request inside.
        RequestInside,
    }
}

payload! {
    /// A request: a payload of `req`. It has no operation if the code is reserved.
    pub struct Request(p: &Params) {
        op: Option<Op> [2] "0 gets, 1 write, 2 atomic";
        core: u64 [p.core_bits()] "number of the core";
        address: u64 [p.address_bits] "byte address";
        now: u64 [p.timestamp_bits] "logical time of the core";
        exp: u64 [p.timestamp_bits] "lease of the core's old copy, 0 if it has none; ignored but by gets";
        tag: u64 [p.tag_bits] "comes back with the answer";
    }

    /// An answer: a payload of `resp`. Fields that mean nothing are 0.
    pub struct Response(p: &Params) {
        kind: Kind [2] "0 data, 1 renew, 2 ack, 3 result";
        core: u64 [p.core_bits()] "of the request";
        address: u64 [p.address_bits] "byte address of the block";
        exp: u64 [p.timestamp_bits] "lease, of data and renew; 0: the data may be used once";
        ver: u64 [p.timestamp_bits] "logical time of the block's last store, but of renew";
        tag: u64 [p.tag_bits] "of the request";
    }

    /// A fetch: a payload of `dram`.
    pub struct Fetch(p: &Params) {
        address: u64 [p.address_bits] "byte address of the block that is fetched";
        mshr: u64 [p.mshr_bits()] "comes back with filled";
        evict: bool [1] "a block is to be written back first";
        victim: u64 [p.address_bits] "byte address of that block";
    }

    /// Fetched data are there: a payload of `filled`.
    pub struct Filled(p: &Params) {
        mshr: u64 [p.mshr_bits()] "of the fetch";
    }

    /// A command to the array of data: a payload of `array`.
    pub struct Command(p: &Params) {
        op: ArrayOp [3] "0 read, 1 write, 2 atomic, 3 write back, 4 fill";
        set: u64 [p.set_bits()] "set of the block";
        way: u64 [p.way_bits()] "way of the block";
        core: u64 [p.core_bits()] "of the access; 0 for write back and fill";
        tag: u64 [p.tag_bits] "of the access; 0 for write back and fill";
    }

    /// An event that the bank has acted on: a payload of `issued`.
    pub struct Issued(p: &Params) {
        action: Action [2] "0 request, 1 fill, 2 roll";
        address: u64 [p.address_bits] "byte address of the block; 0 for roll, and for a fill of nothing";
    }

    /// A payload of `rolled`.
    pub struct Rolled(p: &Params) {
        kind: RollOver [1] "0 wanted, 1 cleared";
    }
}

// `issued` comes first of the outputs: at the same edge, what it says is known before the others are compared.
channels! { |p|
    REQ = Channel::input("req", Request::fields(p), "requests of the L1s");
    FILLED = Channel::input("filled", Filled::fields(p), "fetched data are there, in any order");
    ROLL = Channel::input("roll", Fields::new(), "roll-over: all L1s are drained");
    ISSUED = Channel::output("issued", Issued::fields(p), "what the bank acts on, in this order").valid_only();
    RESP = Channel::output("resp", Response::fields(p), "answers");
    DRAM = Channel::output("dram", Fetch::fields(p), "fetches, and write-backs before them");
    ARRAY = Channel::output("array", Command::fields(p), "commands to the array of data");
    ROLLED = Channel::output("rolled", Rolled::fields(p), "a roll-over is wanted, or all times are 0");
    ERROR = Channel::error(
        3,
        "0 reserved op, 1 core out of range, 2 second gets of a core for a block that is fetched, \
         3 exp above the limit, 4 filled of an MSHR that fetches nothing, 5 roll with a request inside",
        "malformed transfers; they change nothing, and get no answer",
    );
}

impl Request {
    /// Why the request is malformed whatever the bank holds, if it is.
    pub fn misuse(&self, p: &Params) -> Option<Misuse> {
        match self.op {
            None => Some(Misuse::ReservedOp),
            Some(_) if self.core >= u64::from(p.cores) => Some(Misuse::CoreOutOfRange),
            Some(Op::Gets) if self.exp > p.limit() => Some(Misuse::LeaseTooLate),
            Some(_) => None,
        }
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Request { op, core, address, now, exp, tag } = self;
        match op {
            Some(op) => write!(f, "{}", format!("{op:?}").to_uppercase())?,
            None => f.write_str("reserved op")?,
        }
        write!(f, "{{now {now}, exp {exp}}} of core {core} at 0x{address:x}, tag {tag}")
    }
}
