//! The stall buffer as hardware: lines of registers, each with its own state, and a retry port that
//! they share.
//!
//! Nothing is refused, and nothing waits but a retry for its taker: what comes at a clock changes
//! the lines at its edge. Lines that are awake take turns on `retry`.

mod line;

use warpsmith_rtl::library::arbiter;

use super::channels::{self, NO_SUCH_RETRY, PARK, RELEASE, RETRY, RETRY_RESULT};
use super::params::Params;
use crate::kit::*;

/// The module `getm_stall_buffer`.
pub(super) fn circuit(p: &Params) -> Module {
    module("getm_stall_buffer", |m| build(m, p))
}

fn build<'m>(m: &'m ModuleBuilder, p: &Params) {
    describe(
        m,
        "Stall buffer: accesses that wait for the end of a reservation.\n\
        GETM, section 4.5.2, figure 4.9.\n\n\
        Nothing is refused: park, retry_result and release count at the clock at which\n\
        they are valid, in this order; parked answers a park in the next clock. retry is\n\
        ready/valid: of a released address the waiter with the smallest warpts, of equal\n\
        ones the oldest. The next goes once retry_result says that the retry neither\n\
        reserved the address nor parked again, or after another release.",
        p,
    );
    let channels = channels::channels(p);
    let (park_valid, park) = valid_only_input(m, &channels[PARK]);
    let (result_valid, result) = valid_only_input(m, &channels[RETRY_RESULT]);
    let (release_valid, release) = valid_only_input(m, &channels[RELEASE]);
    let granule = |transfer: &Record<'m>| p.granule(transfer.get("address"));

    let enters = m.wire("enters", p.lines).doc("The line that the access enters, one-hot.");
    let leaves = m.wire("leaves", p.lines).doc("The line whose retry is taken, one-hot.");
    let module = line::line(p);
    let line = |number: u32| {
        let inputs = [
            ("park_granule", granule(&park)),
            ("park_store", park.get("store")),
            ("park_warp", park.get("warp")),
            ("park_warpts", park.get("warpts")),
            ("enters", enters.bit(number)),
            ("result_valid", result_valid),
            ("result_granule", granule(&result)),
            ("result_reserved", result.get("reserved")),
            ("release_valid", release_valid),
            ("release_granule", granule(&release)),
            ("release_all", release.get("all")),
            ("leaves", leaves.bit(number)),
        ];
        m.instance(&format!("line{number}"), &module, &inputs)
    };
    let lines = Lines { m, lines: (0..p.lines).map(line).collect() };

    let place = lines.place().named("place").doc("The line with room for the access, one-hot.");
    enters.set(place.and_where(park_valid));
    let answers = m.reg("answers", 1, 0).doc("An access was to park in the last clock.");
    let had_room = m.reg_without_reset("had_room", 1).doc("There was room for it.");
    answers.set(park_valid);
    had_room.set(place.any());
    m.output("parked_valid", *answers);
    m.output("parked_room", *had_room).doc("1 the access waits, 0 there is no room for it");

    let awake = lines.column("awake").named("awake").doc("Lines with a retry to be taken.");
    let offered = m.reg("offered", p.lines, 0).doc("The line that is offered on retry, one-hot.");
    let retry = Stream {
        valid: offered.any(),
        payload: lines.retry(p, &channels[RETRY], *offered),
        ready: m.wire("retry_taken", 1),
    };
    leaves.set(offered.and_where(*retry.ready));
    let next = (*retry.ready | !retry.valid).named("offers_next");
    let turn = m.instance(
        "turn",
        &arbiter::round_robin(p.lines),
        &[("requests", awake & !*offered), ("advance", next)],
    );
    m.when(next, || offered.set(turn.output("grant")));
    m.assert("offered_is_awake", (*offered & !awake).eq(0), "What is offered is to be retried.");
    retry.output(m, channels[RETRY].name);

    let error = m.reg("no_such_retry", 1, 0).doc("The last clock had the result of no retry.");
    error.set(result_valid & !lines.column("has_result").any());
    m.output("error_valid", *error);
    m.output("error_code", m.lit(1, NO_SUCH_RETRY));
}

struct Lines<'m> {
    m: &'m ModuleBuilder,
    lines: Vec<InstanceHandle<'m>>,
}

impl<'m> Lines<'m> {
    fn outputs(&self, name: &str) -> Vec<Signal<'m>> {
        self.lines.iter().map(|line| line.output(name)).collect()
    }

    /// A one-bit output, one bit a line.
    fn column(&self, name: &str) -> Signal<'m> {
        self.m.concat_low_first(&self.outputs(name))
    }

    /// Where the access that parks finds room: in the line of its address, if there is one, else in
    /// the lowest free line.
    fn place(&self) -> Signal<'m> {
        let same = self.column("has_parked").named("same_address");
        let one_each = (same & (same - 1)).eq(0);
        self.m.assert("one_line_per_address", one_each, "At most one line has an address.");
        let free = one_hot::lowest(!self.column("live").named("live"));
        same.any().mux(same & self.column("has_room"), free)
    }

    /// The first waiter of a line.
    fn retry(&self, p: &Params, channel: &Channel, line: Signal<'m>) -> Record<'m> {
        let of_line = |name: &str| one_hot::select(line, &self.outputs(name));
        let address = of_line("granule");
        let address = p.address(address);
        let rest = ["first_store", "first_warp", "first_warpts"].map(of_line);
        Record::new(&channel.fields, [&[address][..], &rest].concat())
    }
}
