//! The draw scheduler as hardware: an entry for each GPU, and who is ahead of whom.
//!
//! The grant loop cannot be pipelined: who has the fewest remaining depends on the draw before. It is kept
//! short by deciding from comparisons that are registers: those of the next clock are made while this
//! clock's draw is added, of the sums themselves, and for each GPU that it can go to.

mod answers;
mod gpu;
mod grants;
mod total;

pub(super) use grants::decided_fields;

use super::channels::{self, DRAW, ERROR, GRANT, NOT_SCHEDULED, PROCESSED, QUERY};
use super::params::Params;
use crate::kit::*;

/// The module `chopin_draw_scheduler`.
pub(super) fn circuit(p: &Params) -> Module {
    module("chopin_draw_scheduler", |m| build(m, p))
}

/// Clocks in which the ports' registers only pass on what came.
fn further_clocks(p: &Params) -> u32 {
    p.report_latency - 3
}

fn build(m: &ModuleBuilder, p: &Params) {
    describe(
        m,
        "Draw-command scheduler: a draw goes to the GPU with the fewest remaining triangles.\n\
        CHOPIN, section 6.4.4, figure 6.9.\n\n\
        draw and grant are ready/valid: grants in the order of the draws, each offered\n\
        report_latency + 1 clocks after its draw. Of equal GPUs the lowest. It counts all\n\
        earlier draws and all reports of earlier clocks. processed and query are never\n\
        refused; a report counts for what comes in later clocks, and is checked against\n\
        grants that were taken in earlier ones.",
        p,
    );
    let channels = channels::channels(p);
    let draw = Stream::input(m, channels[DRAW].name, &channels[DRAW].fields);
    let (query_valid, query) = valid_only_input(m, &channels[QUERY]);
    let (processed_valid, processed) = valid_only_input(m, &channels[PROCESSED]);

    let taken = m.wire("taken", 1).doc("A grant is taken.");
    let fires = draw.fires().named("draw_fires");
    let comes = Coming::new(m, p, fires, draw.payload.get("triangles"));
    let chosen = m.wire("chosen", p.gpus).doc("Who has the fewest remaining, one-hot.");
    let grants = m.instance(
        "grants",
        &grants::grants(p),
        &[
            ("enters", comes.is_decided),
            ("draw_gpu", one_hot::encode(*chosen)),
            ("draw_triangles", comes.decided),
            ("leaves", *taken),
        ],
    );
    let grant = Stream {
        valid: grants.output("any"),
        payload: Record::new(&channels[GRANT].fields, vec![grants.output("oldest_gpu")]),
        ready: m.wire("grant_is_ready", 1),
    };
    taken.set(grant.fires());
    let to_gpu = one_hot::decode(grants.output("oldest_gpu"), p.gpus).and_where(*taken);
    let given = passed(m, p, "given", to_gpu);
    let given_triangles = passed_data(m, p, "given_triangles", grants.output("oldest_triangles"));

    let module = gpu::gpu(p);
    let entry = |number: u32| {
        let report = processed.get(&channels::gpu(number)).and_where(processed_valid);
        let inputs = [
            ("reported", passed(m, p, &format!("reported{number}"), report)),
            ("given", given.bit(number)),
            ("given_triangles", given_triangles),
            ("next_draw", comes.next),
            ("chosen", chosen.bit(number)),
        ];
        m.instance(&format!("gpu{number}"), &module, &inputs)
    };
    let gpus: Vec<_> = (0..p.gpus).map(entry).collect();
    let of_gpus = |name: &str| gpus.iter().map(|gpu| gpu.output(name)).collect::<Vec<_>>();
    chosen.set(fewest(m, *chosen, &of_gpus("without_draw"), &of_gpus("with_draw")));

    let room = m.reg("has_room", 1, 1).doc("Some GPU does not have many remaining.");
    room.set(!column(m, of_gpus("has_many")).all());
    draw.ready.set(*room & !all_in_flight(m, p, fires, *taken));
    grant.output(m, channels[GRANT].name);

    let asks = passed(m, p, "query_comes", query_valid);
    let query = (asks, passed_data(m, p, "query_of", query.get("gpu")));
    answers::answer(m, p, &gpus, query);
    let refused = column(m, of_gpus("refused")).named("refused");
    m.output("error_valid", refused.any());
    m.output("error_code", m.lit(1, NOT_SCHEDULED)).doc(channels[ERROR].codes());
    m.output("error_gpus", refused).doc("GPUs whose report it was, a bit each");
}

/// What comes at a port, as long after it as everything that comes at ports; zero after reset.
fn passed<'m>(m: &'m ModuleBuilder, p: &Params, name: &str, signal: Signal<'m>) -> Signal<'m> {
    through(p, name, signal, |name| m.reg(name, signal.width(), 0))
}

/// The same of what has a meaning only beside something that is zero after reset.
fn passed_data<'m>(m: &'m ModuleBuilder, p: &Params, name: &str, signal: Signal<'m>) -> Signal<'m> {
    through(p, name, signal, |name| m.reg_without_reset(name, signal.width()))
}

fn through<'m>(
    p: &Params,
    name: &str,
    signal: Signal<'m>,
    register: impl Fn(&str) -> Reg<'m>,
) -> Signal<'m> {
    let further = (0..further_clocks(p)).map(|clock| format!("{name}_passed{clock}"));
    further.chain([name.to_string()]).fold(signal, |signal, name| {
        let held = register(&name);
        held.set(signal);
        *held
    })
}

/// A draw on its way to its decision.
struct Coming<'m> {
    /// Its triangles in the clock before; 0 without a draw.
    next: Signal<'m>,
    is_decided: Signal<'m>,
    decided: Signal<'m>,
}

impl<'m> Coming<'m> {
    fn new(m: &'m ModuleBuilder, p: &Params, fires: Signal<'m>, triangles: Signal<'m>) -> Self {
        let came = passed(m, p, "draw_came", fires);
        let triangles = passed_data(m, p, "draw_came_with", triangles);
        let is_next = m.reg("is_next", 1, 0).doc("A draw is decided in the next clock.");
        let next = m.reg("next_draw", p.triangle_bits, 0).doc("Its triangles, 0 for none.");
        is_next.set(came);
        next.set(triangles.and_where(came));
        let is_decided = m.reg("is_decided", 1, 0).doc("A draw is decided.");
        let decided = m.reg_without_reset("decided_draw", p.triangle_bits);
        is_decided.set(*is_next);
        decided.set(*next);
        Self { next: *next, is_decided: *is_decided, decided: *decided }
    }
}

/// Who has the fewest remaining, one-hot, of equal ones the lowest: from comparisons that were made as the
/// values were written. Bit `low` of row `high` is one where GPU `low` goes before GPU `high`. For each place
/// where this clock's draw can go there is a comparison, which does not wait for the choice.
fn fewest<'m>(
    m: &'m ModuleBuilder,
    chosen: Signal<'m>,
    without_draw: &[Signal<'m>],
    with_draw: &[Signal<'m>],
) -> Signal<'m> {
    let gpus = without_draw.len() as u32;
    let mut rows = Vec::new();
    for high in 1..gpus {
        let ones = u64::MAX >> (64 - high);
        let row =
            m.reg(&format!("before_gpu{high}"), high, ones).doc("Lower GPUs that go before it.");
        let before = |low: u32| {
            let [low_with, low_without] = [with_draw, without_draw].map(|of| of[low as usize]);
            let [high_with, high_without] = [with_draw, without_draw].map(|of| of[high as usize]);
            let elsewhere = low_without.le(high_without);
            let to_high = chosen.bit(high).mux(low_without.le(high_with), elsewhere);
            let is_before = chosen.bit(low).mux(low_with.le(high_without), to_high);
            is_before.named(&format!("gpu{low}_before_gpu{high}"))
        };
        row.set(column(m, (0..high).map(before)));
        rows.push(*row);
    }
    column(
        m,
        (0..gpus).map(|gpu| {
            let lower = gpu.checked_sub(1).map(|row| !rows[row as usize].any());
            let higher = (gpu + 1..gpus).map(|high| rows[high as usize - 1].bit(gpu));
            let higher: Vec<_> = higher.collect();
            let higher = (!higher.is_empty()).then(|| column(m, higher).all());
            lower.into_iter().chain(higher).reduce(|a, b| a & b).expect("two GPUs")
        }),
    )
}

/// Whether as many draws are in flight as there is room for among the grants.
fn all_in_flight<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    fires: Signal<'m>,
    taken: Signal<'m>,
) -> Signal<'m> {
    let width = address_bits(p.draws_in_flight() + 1);
    let in_flight = m.reg("in_flight", width, 0).doc("Draws whose grants are not taken.");
    let [more, less] = [fires, taken].map(|bit| bit.zero_extend(width));
    in_flight.set(*in_flight + more - less);
    in_flight.eq(p.draws_in_flight())
}
