//! The write cache as hardware: tags, data and dirty bytes in RAM, and the synchronization FIFO.
//!
//! ```text
//! arriving, next_drain   the tags of the set are read
//! request, drain         what is done about one request and one entry; RAM is read or written
//! issued                 the block, which bytes are dirty, and their data; to mark_written, inv, hit and down
//! ```
//!
//! What needs the RAM's read port and the way down is one thing a clock; the entry that drains goes first.

mod drain;
mod outputs;
mod places;
mod request;
mod stage;
mod surroundings;
mod turns;

use super::channels::{self, ERROR, Error, REQ, Request};
use super::params::Params;
use crate::kit::*;
use drain::Drain;
use outputs::{Issue, Outputs};
use places::{At, Newer, Places};
use request::Requests;
use surroundings::Surroundings;
use turns::Turns;

/// The module `qr_write_cache`.
pub fn circuit(p: &Params) -> Module {
    module("qr_write_cache", |m| build(m, p))
}

fn build(m: &ModuleBuilder, p: &Params) {
    describe(
        m,
        "Write cache with a synchronization FIFO. QuickRelease, section 3.\n\n\
        Stores combine with what is dirty. A block is written through, on down, as its entry\n\
        drains from the FIFO, as another block needs its place, or as it is read or the target\n\
        of an atomic; inv tells every read cache. mark_written, inv and hit show what was done\n\
        one clock before; down follows in order.",
        p,
    );
    let surroundings = Surroundings::new(m, p);
    let requests = input(m, p, &surroundings);
    let places = Places::new(m, p);
    let arriving = places.lookup("arriving", Newer::Compared, &requests);
    let request = Turns::new(m, "request", &places, &arriving);
    places.request.set(request.payload.get("block"));
    let outputs = Outputs::new(m, p);
    let enqueue = Enqueue::new(m);
    let entries = drain::fifo(m, p, &enqueue, &request.payload);
    let drain = Drain::new(m, p, &entries, &places);

    let drains = drain.decide(&outputs, &surroundings);
    let requests = Requests::new(m, p, &request, &places);
    let does = requests.decide(&drain, &drains, &outputs, &surroundings, &enqueue);
    request.leaves.set(does.leaves);

    let begins = (does.fills | does.evicts).named("block_begins");
    let clears = (drains.writes_through | does.flushes).named("block_is_cleared");
    let slot = At {
        set: drains.takes_slot.mux(drain.at.set, requests.slot.set).named("slot_set"),
        way: drains.takes_slot.mux(drain.at.way, requests.slot.way).named("slot_way"),
    };
    places.begins.set(requests.written.way.and_where(begins));
    // The place of a block that is evicted stays dirty: another begins there.
    let fills = (does.fills | does.refills).named("fills_way");
    places.update(requests.written.only_where(fills), slot.only_where(clears));
    let writes_through = (clears | does.evicts).named("writes_through");
    let atomic = outputs.issue(Issue {
        drain: &drain,
        drains,
        block: drains.takes_slot.mux(drain.block, requests.payload.get("block")),
        place: places.number(slot),
        written: places.number(requests.written),
        begins,
        does,
        writes_through,
        request: requests.payload,
    });
    surroundings.update(&drain, &drains, atomic, writes_through);
}

/// The request that is looked at; what is refused raises error, and goes no further.
fn input<'m>(m: &'m ModuleBuilder, p: &Params, surroundings: &Surroundings<'m>) -> Stream<'m> {
    let channels = channels::channels(p);
    let req = Stream::input(m, channels[REQ].name, &Request::fields(p));
    let op = req.payload.get("op");
    let early = surroundings.waits_for_release(&req).named("is_early");
    let empty = (op.eq(0) & !req.payload.get("bytes").any()).named("has_no_bytes");
    let refused = (early | empty).named("refused");
    let code = early.mux(m.lit(1, Error::EarlyFlag as u64), m.lit(1, Error::NoBytes as u64));
    raise_errors(m, &channels[ERROR], "a request", &[req.fires(), refused], code);
    Stream { valid: (req.valid & !refused).named("arrives"), ..req }
}

/// What enters the synchronization FIFO.
struct Enqueue<'m> {
    valid: Wire<'m>,
    ready: Wire<'m>,
}

impl<'m> Enqueue<'m> {
    fn new(m: &'m ModuleBuilder) -> Self {
        Self { valid: m.wire("enqueues", 1), ready: m.wire("has_entry", 1) }
    }
}
