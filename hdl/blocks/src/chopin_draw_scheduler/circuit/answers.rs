//! Answers to queries: each segment of a total is read a clock after the one below, as it is added.

use super::gpu::TOTALS as TOTALS_OF_A_GPU;
use crate::chopin_draw_scheduler::channels::Totals;
use crate::chopin_draw_scheduler::params::Params;
use crate::kit::*;

/// What of the GPUs' outputs is read: the totals' segments, each a signal for every GPU.
pub(super) fn answer<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    gpus: &[InstanceHandle<'m>],
    (valid, gpu): (Signal<'m>, Signal<'m>),
) {
    // The query as a bit for each GPU, in step with the segments.
    let asked = m.reg("asked", 1, 0).doc("The lowest segments are read.");
    asked.set(valid);
    let mut asks = later(m, "asks0", one_hot::decode(gpu, p.gpus));
    asks.doc("Whose segments are read, a bit each.");
    let mut answered = *asked;
    let mut answers: [Vec<Signal<'m>>; 2] = [Vec::new(), Vec::new()];
    for number in 0..p.segments() {
        for (name, answer) in TOTALS_OF_A_GPU.into_iter().zip(&mut answers) {
            // Lower segments wait for this one.
            for (below, segment) in answer.iter_mut().enumerate() {
                *segment = later(m, &format!("{name}{below}_at{number}"), *segment);
            }
            let of_gpus: Vec<_> =
                gpus.iter().map(|gpu| gpu.output(&format!("{name}{number}"))).collect();
            let read = one_hot::select(asks, &of_gpus).named(&format!("{name}{number}_of_gpu"));
            answer.push(later(m, &format!("{name}{number}_read"), read));
        }
        let next = m.reg(&format!("answered{number}"), 1, 0);
        next.set(answered);
        answered = *next;
        if number + 1 < p.segments() {
            asks = later(m, &format!("asks{}", number + 1), asks);
        }
    }
    m.output("totals_valid", answered);
    for (field, answer) in Totals::fields(p).iter().zip(answers) {
        m.output(&format!("totals_{}", field.name), column(m, answer)).doc(&field.doc);
    }
}

/// The signal a clock later.
fn later<'m>(m: &'m ModuleBuilder, name: &str, signal: Signal<'m>) -> Signal<'m> {
    let held = m.reg_without_reset(name, signal.width());
    held.set(signal);
    *held
}
