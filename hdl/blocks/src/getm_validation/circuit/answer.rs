//! Answers to accesses: as many as the response buffer has places for are under way.

use warpsmith_rtl::library::fifo;
use warpsmith_rtl::library::record::Record;
use warpsmith_rtl::library::stream::Stream;
use warpsmith_rtl::{ModuleBuilder, Reg, Signal, address_bits};

use super::issue::Issue;
use super::verdict::Verdict;
use crate::getm_validation::channels::{Outcome, response_fields};
use crate::getm_validation::params::Params;

/// Places of the response buffer: more than an access takes clocks from its issue to its answer.
pub(crate) const RESPONSES: u32 = 16;

/// The accesses that are to be answered.
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
        let fields = response_fields(p);
        let register = |name: &str, value: Signal<'m>| {
            let register = m.reg_without_reset(&format!("answer_{name}"), value.width());
            register.set(value);
            *register
        };
        let value = |name: &str| match name {
            // The verdict to wait has the code of the abort for want of room.
            "outcome" => register(name, verdict.get("verdict")),
            _ => register(name, verdict.get(name)),
        };
        debug_assert_eq!(Outcome::AbortFull as u64, crate::getm_metadata::Verdict::Park as u64);
        let payload = fields.iter().map(|field| value(&field.name)).collect();
        let payload = Record::new(&fields, payload);

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
