//! The clock after the table's answer: what it means for waiters and for the roll-over.

use warpsmith_rtl::library::fifo;

use super::Waiting;
use super::issue::Issue;
use super::stall::Table;
use crate::getm_metadata::{self, Op};
use crate::getm_validation::channels::{Decided, Outcome, Response, access_fields};
use crate::getm_validation::params::Params;
use crate::kit::*;

/// A verdict of the table, or that timestamps roll over.
pub(super) struct Verdict<'m> {
    fields: Record<'m>,
    pub access: Signal<'m>,
    pub parks: Signal<'m>,
    pub ends_retry: Signal<'m>,
    /// A release has ended a reservation.
    pub wakes: Signal<'m>,
    /// The table was to be cleared.
    pub ends_clear: Signal<'m>,
    /// The table did as requested.
    pub succeeds: Signal<'m>,
}

impl<'m> Verdict<'m> {
    pub fn get(&self, name: &str) -> Signal<'m> {
        self.fields.get(name)
    }
}

fn verdict_fields(p: &Params) -> Fields {
    access_fields(p)
        .saying("address", "byte address of the granule")
        .with("verdict", 3, "the table's, or 6: timestamps roll over")
        .with("timestamp", p.timestamp_bits, "what the next start has to be later than")
        .with("reserved", 1, "the granule is reserved")
        .with("stored", 1, "a store has reserved it")
}

pub(super) fn verdict<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    table: &Table<'m>,
    issue: &Issue<'m>,
    waiting: &Waiting<'m>,
) -> Verdict<'m> {
    let answers = table.output("resp_valid");
    let [op, verdict, wts, rts] =
        ["op", "verdict", "wts", "rts"].map(|field| table.output(&format!("resp_{field}")));
    let is = |wanted: Op| answers & op.eq(wanted as usize);
    let (load, store) = (is(Op::Load), is(Op::Store));

    // A WAR is caused by the write alone.
    let by_write = verdict.eq(getm_metadata::Verdict::AbortWar as usize) | wts.gt(rts);
    let timestamp = by_write.mux(wts, rts).named("reported");
    let address = p.granule(table.output("resp_address"));
    let aligned = |granule: Signal<'m>| p.address(granule);
    let decided = vec![
        aligned(address),
        store,
        table.output("resp_warp"),
        table.output("resp_warpts"),
        verdict,
        timestamp,
        table.output("resp_reserved"),
        store & verdict.eq(getm_metadata::Verdict::Success as usize),
    ];
    let decided = Record::new(&verdict_fields(p), decided);

    // What is refused comes here without the table, in clocks in which that says nothing.
    let refused = (issue.refuse_request | issue.refuse_retry).named("refused");
    let from = |stream: &Stream<'m>| stream.payload.pack();
    let access = issue.refuse_retry.mux(from(&waiting.retry), from(&waiting.request));
    let access = Record::unpack(waiting.retry.payload.fields(), access);
    let granule = p.granule(access.get("address"));
    let rolls = vec![
        aligned(granule),
        access.get("store"),
        access.get("warp"),
        access.get("warpts"),
        m.lit(3, Outcome::AbortRollover as u64),
        m.lit(p.timestamp_bits, 0),
        m.lit(1, 0),
        m.lit(1, 0),
    ];
    let rolls = Record::new(&verdict_fields(p), rolls);

    let flag = |name: &str, value: Signal<'m>| {
        let register = m.reg(name, 1, 0);
        register.set(value);
        *register
    };
    let is_access = flag("verdict_on_access", load | store | refused);
    let retry = (load | store) & table.output("resp_tag");
    let ends_retry = flag("verdict_on_retry", retry | issue.refuse_retry);
    let is_release = flag("verdict_on_release", is(Op::Release));
    let ends_clear = flag("verdict_on_clear", is(Op::Clear));
    let decides = flag("verdict_of_table", answers);
    let next = rolls.or_where_not(refused, &decided);
    let held = Held::new(m, "verdict", &verdict_fields(p));
    held.set(&next);
    let fields = held.get().clone();

    let verdict = fields.get("verdict");
    let doc = Decided::fields(p);
    m.output("decided_valid", decides);
    m.output("decided_verdict", verdict).doc(&doc.iter().next().expect("a field").doc);
    let succeeds = verdict.eq(getm_metadata::Verdict::Success as usize);
    let parks = is_access & verdict.eq(getm_metadata::Verdict::Park as usize);
    Verdict {
        access: is_access,
        parks: parks.named("parks"),
        ends_retry,
        wakes: (is_release & succeeds & !fields.get("reserved")).named("wakes"),
        ends_clear,
        succeeds,
        fields,
    }
}

// Answers to accesses: as many as the response buffer has places for are under way.

/// Places of the response buffer: more than an access takes clocks from its issue to its answer.
pub(crate) const RESPONSES: u32 = 16;

pub(super) struct Answers<'m> {
    /// There is a place for one more answer.
    pub can_answer: Signal<'m>,
    /// No access is between issue and answer.
    pub quiet: Signal<'m>,
    /// Places of the response buffer that are taken or will be.
    due: Reg<'m>,
    /// Accesses between issue and answer.
    under_way: Reg<'m>,
}

impl<'m> Answers<'m> {
    pub fn new(m: &'m ModuleBuilder) -> Self {
        let bits = address_bits(RESPONSES + 1);
        let due = m.reg("answers_due", bits, 0).doc("Answers in the buffer, or to come.");
        let under_way = m.reg("accesses_under_way", bits, 0).doc("From issue to answer.");
        let can_answer = due.ne(RESPONSES).named("can_answer");
        Self { can_answer, quiet: (!under_way.any()).named("quiet"), due, under_way }
    }

    /// Answers what does not wait. `had_room`: what parked a clock before does wait.
    pub fn step(
        &self,
        m: &'m ModuleBuilder,
        p: &Params,
        issue: &Issue<'m>,
        verdict: &Verdict<'m>,
        had_room: Signal<'m>,
    ) {
        let valid = m.reg("answer_valid", 1, 0);
        let parked = m.reg_without_reset("answer_parked", 1).doc("It was to wait.");
        valid.set(verdict.access);
        parked.set(verdict.parks);
        let fields = Response::fields(p);
        let held = Held::new(m, "answer", &fields);
        // The verdict to wait has the code of the abort for want of room.
        debug_assert_eq!(Outcome::AbortFull as u64, getm_metadata::Verdict::Park as u64);
        let value = |name: &str| verdict.get(if name == "outcome" { "verdict" } else { name });
        held.set(&record(&fields, |field| value(&field.name)));
        let payload = held.get().clone();

        let waits = (*valid & *parked & had_room).named("waits");
        let answer = Stream { valid: *valid & !waits, payload, ready: m.wire("answer_room", 1) };
        let has_room = !answer.valid | *answer.ready;
        m.assert("answer_has_room", has_room, "There is a place for each answer.");
        let responses = fifo::buffer(m, "responses", answer, RESPONSES);
        let left = responses.fires();
        responses.output(m, "resp");

        let begins = issue.accesses();
        let count = |register: Reg<'m>, more: Signal<'m>, less: &[Signal<'m>]| {
            let width = register.width();
            let less = less.iter().map(|bit| bit.zero_extend(width));
            let less = less.reduce(|a, b| a + b).expect("something is less");
            register.set(*register + more.zero_extend(width) - less);
        };
        count(self.due, begins, &[left, waits]);
        count(self.under_way, begins, &[*valid]);
    }
}
