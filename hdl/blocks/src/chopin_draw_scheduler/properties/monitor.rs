//! What the properties remember, and the rules that they assert at the ports.

use super::super::circuit::decided_fields;
use crate::chopin_draw_scheduler::channels::{self, Totals};
use crate::chopin_draw_scheduler::params::Params;
use crate::chopin_draw_scheduler::rules;
use crate::kit::*;

/// The ports of the draw scheduler, and what is remembered of what they showed.
pub(super) struct Monitor<'p, 'm> {
    pub m: &'m ModuleBuilder,
    pub p: &'p Params,
    pub draw: Watched<'m>,
    pub query: Watched<'m>,
    pub processed: Watched<'m>,
    pub grant: Watched<'m>,
    /// What came 1, 2 and 3 clocks ago.
    pub draws: [Came<'m>; 3],
    pub queries: [Came<'m>; 2],
    pub gpus: Vec<Gpu<'m>>,
    /// The GPU with the fewest remaining, and its triangles.
    pub fewest: (Signal<'m>, Signal<'m>),
    /// Draws that are decided and not taken.
    pub decided: Queue<'m>,
    pub in_flight: Signal<'m>,
    pub room: Signal<'m>,
    /// The answer of a query 3 and 4 clocks ago, with its GPU.
    pub answers: [(Came<'m>, Record<'m>); 2],
}

/// A transfer so many clocks ago: whether there was one, and its only field.
#[derive(Clone, Copy)]
pub(super) struct Came<'m> {
    pub valid: Signal<'m>,
    pub value: Signal<'m>,
}

/// The ideal entry of a GPU.
pub(super) struct Gpu<'m> {
    /// What it reported a clock ago, and is now checked.
    pub reported: Signal<'m>,
    /// Reports that fitted, a clock and two clocks after that.
    pub counted: [Signal<'m>; 2],
    pub refused: Signal<'m>,
    /// Triangles of its grant that is taken, and of those that were a clock and two clocks ago.
    pub given_now: Signal<'m>,
    pub given: [Signal<'m>; 2],
    pub held: Signal<'m>,
    pub totals: [Signal<'m>; 2],
    pub remaining: Signal<'m>,
    scheduled: Reg<'m>,
}

impl<'m> Came<'m> {
    /// The same a clock later.
    fn later(m: &'m ModuleBuilder, name: &str, now: Came<'m>) -> Self {
        let valid = last_clock(m, &format!("{name}_valid"), now.valid);
        let value = m.reg_without_reset(name, now.value.width());
        value.set(now.value);
        Self { valid, value: *value }
    }

    /// The value, or zero if there was none.
    pub fn or_none(&self) -> Signal<'m> {
        self.value.and_where(self.valid)
    }
}

/// The signal a clock later; zero after reset.
fn later<'m>(m: &'m ModuleBuilder, name: &str, signal: Signal<'m>) -> Signal<'m> {
    let held = m.reg(name, signal.width(), 0);
    held.set(signal);
    *held
}

impl<'m> Gpu<'m> {
    fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        number: u32,
        processed: &Watched<'m>,
        given_now: Signal<'m>,
    ) -> Self {
        m.scope(&format!("gpu{number}"), || {
            let report = processed.get(&channels::gpu(number)).and_where(processed.valid);
            let reported = later(m, "reported", report);
            let given = later(m, "given", given_now);
            let given = [given, later(m, "given_before", given)];
            let held = m.reg("held", p.remaining_bits, 0);
            let wide = |signal: Signal<'m>| signal.zero_extend(p.remaining_bits);
            let fits = (wide(reported).le(*held)).named("report_fits");
            let counts = reported.and_where(fits);
            held.set(*held + wide(given[0]) - wide(counts));
            let counted = later(m, "counted", counts);
            let counted = [counted, later(m, "counted_before", counted)];
            let total = |name: &str, more: Signal<'m>, bits: u32| {
                let total = m.reg(name, bits, 0);
                total.set(*total + more.zero_extend(bits));
                *total
            };
            let totals = [
                total("total_given", given[1], p.counter_bits),
                total("total_processed", counted[0], p.counter_bits),
            ];
            let scheduled = m.reg("scheduled", p.remaining_bits, 0);
            let processed = total("processed", counted[1], p.remaining_bits);
            let remaining = (*scheduled - processed).named("remaining");
            let refused = later(m, "refused", !fits);
            Self {
                reported,
                counted,
                refused,
                given_now,
                given,
                held: *held,
                totals,
                remaining,
                scheduled,
            }
        })
    }
}

/// The lowest of the GPUs with the fewest remaining, and its triangles.
pub(super) fn fewest<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    remaining: impl IntoIterator<Item = Signal<'m>>,
) -> (Signal<'m>, Signal<'m>) {
    let numbered = (0..).zip(remaining).map(|(gpu, value)| (m.lit(p.gpu_bits(), gpu), value));
    let lower = |best: (Signal<'m>, Signal<'m>), other: (Signal<'m>, Signal<'m>)| {
        let is_less = other.1.lt(best.1);
        (is_less.mux(other.0, best.0), is_less.mux(other.1, best.1))
    };
    numbered.reduce(lower).expect("GPUs")
}

impl<'p, 'm> Monitor<'p, 'm> {
    /// Watches the ports and asserts the rules.
    pub fn new(m: &'m ModuleBuilder, p: &'p Params) -> Self {
        let [draw, query, processed, grant, totals, error] = Watched::all(m, p);
        let decided = Queue::new(m, "decided", p.draws_in_flight(), &decided_fields(p));
        let oldest = decided.oldest();
        let gpus: Vec<_> = (0..p.gpus)
            .map(|number| {
                let is_given = grant.fires() & oldest.get("gpu").eq(number);
                Gpu::new(m, p, number, &processed, oldest.get("triangles").and_where(is_given))
            })
            .collect();

        let now = Came { valid: draw.fires(), value: draw.get("triangles") };
        let draw1 = Came::later(m, "draw1", now);
        let draw2 = Came::later(m, "draw2", draw1);
        let draw3 = Came::later(m, "draw3", draw2);
        let fewest = fewest(m, p, gpus.iter().map(|gpu| gpu.remaining));
        for (number, gpu) in (0u32..).zip(&gpus) {
            let comes = draw3.valid & fewest.0.eq(number);
            let more = draw3.value.and_where(comes).zero_extend(p.remaining_bits);
            gpu.scheduled.set(*gpu.scheduled + more);
        }
        let entry = Record::new(&decided_fields(p), vec![fewest.0, draw3.value]);
        decided.set(draw3.valid, &entry, grant.fires());
        rules::GRANTS_IN_TIME.assert(m, grant.valid.eq(decided.any()));
        rules::FEWEST_REMAINING.assert(m, !grant.valid | grant.get("gpu").eq(oldest.get("gpu")));
        let after = fewest.1.add_with_carry(draw3.value.zero_extend(p.remaining_bits));
        rules::REMAINING_FITS.assert(m, !draw3.valid | !after.bit(p.remaining_bits));

        let in_flight = m.reg("draws_in_flight", address_bits(p.draws_in_flight() + 1), 0);
        let [more, less] = [draw.fires(), grant.fires()].map(|b| b.zero_extend(in_flight.width()));
        in_flight.set(*in_flight + more - less);
        let has_room = any_of(gpus.iter().map(|gpu| gpu.remaining.lt(p.many())));
        let room = m.reg("room", 1, 1);
        room.set(has_room);
        let takes = in_flight.lt(p.draws_in_flight()) & *room;
        rules::TAKES_IN_TIME.assert(m, draw.ready.eq(takes));

        let now = Came { valid: query.valid, value: query.get("gpu") };
        let query1 = Came::later(m, "query1", now);
        let query2 = Came::later(m, "query2", query1);
        let answers = answers(m, p, &gpus, query2);
        rules::ANSWERS_IN_TIME.assert(m, totals.valid.eq(answers[1].0.valid));
        let same = totals.payload.pack().eq(answers[1].1.pack());
        rules::TOTALS_CONSERVED.assert(m, !totals.valid | same);
        let refused = column(m, gpus.iter().map(|gpu| gpu.refused));
        let as_due = error.get("gpus").eq(refused) & error.get("code").eq(channels::NOT_SCHEDULED);
        rules::ERROR_AS_DUE.assert(m, error.valid.eq(refused.any()) & (!error.valid | as_due));

        let (draws, queries) = ([draw1, draw2, draw3], [query1, query2]);
        let (in_flight, room) = (*in_flight, *room);
        Self {
            m,
            p,
            draw,
            query,
            processed,
            grant,
            draws,
            queries,
            gpus,
            fewest,
            decided,
            in_flight,
            room,
            answers,
        }
    }
}

/// The totals of the GPU that is asked, a clock and two clocks later.
fn answers<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    gpus: &[Gpu<'m>],
    query: Came<'m>,
) -> [(Came<'m>, Record<'m>); 2] {
    let place = one_hot::decode(query.value, p.gpus);
    let total = |of: usize| {
        let totals: Vec<_> = gpus.iter().map(|gpu| gpu.totals[of]).collect();
        one_hot::select(place, &totals)
    };
    let fields = Totals::fields(p);
    let first = Held::new(m, "answer3", &fields);
    first.set(&Record::new(&fields, vec![total(0), total(1)]));
    let second = Held::new(m, "answer4", &fields);
    second.set(first.get());
    let query3 = Came::later(m, "query3", query);
    let query4 = Came::later(m, "query4", query3);
    [(query3, first.get().clone()), (query4, second.get().clone())]
}
