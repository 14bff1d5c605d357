//! The validation unit as hardware: the metadata table, the stall buffer, and what lies between.
//!
//! ```text
//! issue      release, stop, retry or request, the first that can, into the table
//! table      as many stages as it has; nothing behind it ever waits
//! verdict    parks, wakes, says what became of a retry
//! answer     knows whether there was room to wait; into the response buffer
//! ```
//!
//! An access is issued only if the response buffer has a place for its answer. So nothing behind the
//! table waits, and a release is held up neither by responses nor by waiters.

mod issue;
mod stall;
mod verdict;

use super::channels::{Release, Roll, access_fields};
use super::params::Params;
use crate::kit::*;
use issue::{Issue, May, Rollover};
use stall::{StallBuffer, Table};
use verdict::Answers;
pub(super) use verdict::RESPONSES;

/// The module `getm_validation`.
pub(super) fn circuit(p: &Params) -> Module {
    module("getm_validation", |m| build(m, p))
}

/// What waits to be issued.
struct Waiting<'m> {
    request: Stream<'m>,
    release: Stream<'m>,
    retry: Stream<'m>,
}

fn build(m: &ModuleBuilder, p: &Params) {
    describe(
        m,
        "Validation unit of GETM: decides on transactional loads and stores as they come. Ren, GETM\n\
        (thesis chapter 4), sections 4.4 and 4.5.2, figure 4.6.\n\n\
        req in and resp out: one answer an access, or later if it waits; release: writes that the\n\
        commit unit is done with. roll and rolled: a roll-over of timestamps. overflow_req and\n\
        overflow_resp: the overflow space in memory. issued and decided show what the unit does.",
        p,
    );
    let is_cleared = m.wire("is_cleared", 1).doc("The table has been cleared after reset.");
    let after_init = |name: &str, stream| after_init(m, name, stream, *is_cleared);
    let request = Stream::input(m, "req", &access_fields(p));
    let request = skid_buffer::buffer(m, "request", after_init("request", request));
    let release = Stream::input(m, "release", &Release::fields(p));
    let release = skid_buffer::buffer(m, "written", after_init("written", release));
    let roll = Stream::input(m, "roll", &Roll::fields(p).saying("go", "0 stop, 1 clear and go on"));
    let roll = after_init("roll", roll);

    let table = Table::new(m, p);
    is_cleared.set(table.output("init_done"));
    m.output("init_done", *is_cleared).doc("the table has been cleared after reset");
    let stall = StallBuffer::new(m, p);
    let waiting = Waiting { request, release, retry: stall.retry(p) };
    let rollover = Rollover::new(m, p, &waiting);
    let answers = Answers::new(m);
    let may = May {
        stop: rollover.stops,
        run: !rollover.is_stopped,
        late: rollover.late,
        answer: answers.can_answer,
        refuse: rollover.refuses,
        clear: rollover.may_clear & stall.is_empty(),
    };
    let issue = Issue::new(m, p, &waiting, &table, &may);
    let verdict = verdict::verdict(m, p, &table, &issue, &waiting);
    stall.step(m, &verdict, &waiting.retry, rollover.wakes_all(&answers));
    rollover.step(m, roll, &issue, &answers, &verdict);
    answers.step(m, p, &issue, &verdict, stall.had_room());
}

/// A stream that nothing is taken from while the table is cleared after reset.
fn after_init<'m>(
    m: &'m ModuleBuilder,
    name: &str,
    stream: Stream<'m>,
    is_cleared: Signal<'m>,
) -> Stream<'m> {
    let ready = m.wire(&format!("{name}_room"), 1);
    stream.ready.set(*ready & is_cleared);
    Stream { valid: stream.valid & is_cleared, payload: stream.payload, ready }
}
