//! The queue: requests stay in it until they are acted on, and enter stage 1 from it, again if need be.

use super::misses::NextFill;
use super::roll::Roll;
use super::{Stage, event_fields};
use crate::kit::*;
use crate::relativistic_l2::channels::{Action, Misuse, Op, REQ};
use crate::relativistic_l2::params::Params;

/// Requests in the queue: those in all stages, and some behind them.
pub(crate) const ENTRIES: u32 = 8;

/// Control of the queue by stage 5.
pub(super) struct Control<'m> {
    pub moves: Signal<'m>,
    pub squash: Signal<'m>,
    /// The oldest request is acted on.
    pub acts: Signal<'m>,
}

/// A request in the queue: with its operation decoded, and what is malformed whatever the bank holds.
pub(in crate::relativistic_l2) fn request_fields(p: &Params) -> Fields {
    Fields::new()
        .with("gets", 1, "")
        .with("write", 1, "")
        .with("atomic", 1, "")
        .with("bad", 1, "malformed")
        .with("code", 3, "why")
        .with("core", p.core_bits(), "")
        .with("block", p.block_bits(), "")
        .with("now", p.timestamp_bits, "")
        .with("exp", p.timestamp_bits, "")
        .with("tag", p.tag_bits, "")
}

pub(super) struct Queue<'m> {
    m: &'m ModuleBuilder,
    p: Params,
    requests: MemoryHandle<'m>,
    /// The next request to enter.
    take: Reg<'m>,
    /// A request waits to enter.
    has_next: Signal<'m>,
    /// A request is inside, as the ports show.
    pub inside: Signal<'m>,
    /// Requests enter again.
    squashed: Signal<'m>,
}

impl<'m> Queue<'m> {
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        channels: &[Channel],
        control: &Control<'m>,
        initialised: Signal<'m>,
    ) -> Self {
        let request = Stream::input(m, channels[REQ].name, &channels[REQ].fields);
        let bits = ENTRIES.ilog2();
        let tail = m.reg("queue_tail", bits + 1, 0).doc("Where the next request goes.");
        let head = m.reg("queue_head", bits + 1, 0).doc("The oldest request.");
        let take = m.reg("queue_take", bits + 1, 0).doc("The next request that enters stage 1.");
        let full = (head.truncate(bits).eq(tail.truncate(bits))
            & head.bit(bits).ne(tail.bit(bits)))
        .named("queue_full");
        request.ready.set(!full & initialised);
        let comes = request.fires();
        let requests = m
            .memory("requests", ENTRIES, request_fields(p).width(), 1, Collision::Undefined)
            .doc("Requests that have not been acted on.");
        requests.write(comes, tail.truncate(bits), decode(m, p, &request.payload).pack());
        m.when(comes, || tail.set(*tail + 1));
        m.when(control.acts, || head.set(*head + 1));
        let shown = m.reg("request_shown", 1, 0).doc("A request is shown on issued.");
        shown.set(control.acts);
        let inside = (head.ne(*tail) | comes | *shown).named("request_inside");
        let has_next = take.ne(*tail).named("queue_has_next");
        let again = (control.squash & control.moves).named("enters_again");
        m.when(again, || take.set(*head));
        Self { m, p: p.clone(), requests, take, has_next, inside, squashed: again }
    }

    /// Stage 1: a malformed roll-over, a fill or a request.
    pub fn enter(
        &self,
        control: &Control<'m>,
        roll: &Roll<'m>,
        filled: &NextFill<'m>,
    ) -> Stage<'m> {
        let Self { m, p, .. } = self;
        let moves = control.moves;
        let others = *roll.bad | filled.enters;
        let enters = (self.has_next & !others & !*roll.pending & moves & !self.squashed)
            .named("request_enters");
        m.when(enters, || self.take.set(*self.take + 1));
        let request =
            self.requests.read("stage1_request", moves, self.take.truncate(ENTRIES.ilog2()));
        let request = Record::unpack(&request_fields(p), request);

        let valid = m.reg("stage1_valid", 1, 0);
        let action = m.reg_without_reset("stage1_action", 2);
        let bad = m.reg_without_reset("stage1_fill_bad", 1);
        let place = Held::new(m, "stage1_fill", &super::misses::place_fields(p));
        let mshr = m.reg_without_reset("stage1_fill_mshr", p.mshr_bits());
        let code = |action: Action| m.lit(2, action as u64);
        m.when(moves, || {
            valid.set(others | enters);
            let fill = filled.enters.mux(code(Action::Fill), code(Action::Request));
            action.set(roll.bad.mux(code(Action::Roll), fill));
            bad.set(*roll.bad | filled.bad);
            place.set(&filled.place);
            mshr.set(filled.mshr);
        });
        m.when(moves & *roll.bad, || roll.bad.set(0));
        let is_request = action.eq(Action::Request as u64).named("stage1_is_request");
        let error = |misuse: Misuse| m.lit(3, misuse as u64);
        let is_roll = action.eq(Action::Roll as u64);
        let event = record(&event_fields(p), |field| match field.name.as_str() {
            "action" => *action,
            "mshr" => *mshr,
            "way" => place.get().get("way"),
            "bad" => is_request.mux(request.get("bad"), *bad),
            "code" => {
                let other =
                    is_roll.mux(error(Misuse::RequestInside), error(Misuse::NothingFetched));
                is_request.mux(request.get("code"), other)
            }
            "block" => {
                let set = place.get().get("set").zero_extend(p.block_bits());
                is_request.mux(request.get("block"), set)
            }
            name @ ("gets" | "write" | "atomic") => request.get(name) & is_request,
            name => request.get(name),
        });
        Stage { valid: *valid, event }
    }
}

/// Fields of a request in the queue.
fn decode<'m>(m: &'m ModuleBuilder, p: &Params, request: &Record<'m>) -> Record<'m> {
    let is = |op: Op| request.get("op").eq(op as u64);
    let reserved = request.get("op").eq(3);
    let core = request.get("core");
    let no_core = core.ge(p.cores);
    // The limit is the last time but one.
    let late = is(Op::Gets) & request.get("exp").all();
    let bad = (reserved | no_core | late).named("is_malformed");
    let code = |misuse: Misuse| m.lit(3, misuse as u64);
    let code = reserved.mux(
        code(Misuse::ReservedOp),
        no_core.mux(code(Misuse::CoreOutOfRange), code(Misuse::LeaseTooLate)),
    );
    let values = vec![
        is(Op::Gets) & !bad,
        is(Op::Write) & !bad,
        is(Op::Atomic) & !bad,
        bad,
        code,
        core,
        p.block(request.get("address")),
        request.get("now"),
        request.get("exp"),
        request.get("tag"),
    ];
    Record::new(&request_fields(p), values)
}
