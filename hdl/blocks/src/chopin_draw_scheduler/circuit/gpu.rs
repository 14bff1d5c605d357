//! The entry of a GPU in the table of figure 6.9.

use super::total;
use crate::chopin_draw_scheduler::params::Params;
use crate::kit::*;

/// The totals of an entry.
pub(super) const TOTALS: [&str; 2] = ["scheduled", "processed"];

/// The module `chopin_gpu`.
pub(super) fn gpu(p: &Params) -> Module {
    let m = ModuleBuilder::new("chopin_gpu");
    m.describe(
        "The entry of a GPU: its totals of triangles scheduled and processed, how many it holds, of\n\
         which it may report as processed, and how many remain, by which draws are scheduled. A\n\
         report is checked in the first clock and made ready in the second, together with the draw\n\
         that comes to be decided; in the third, one addition counts both.",
    );
    build(&m, p);
    m.finish()
}

fn build<'m>(m: &'m ModuleBuilder, p: &Params) {
    let reported = m.input("reported", p.triangle_bits).doc("triangles reported, 0 for none");
    let given = m.input("given", 1).doc("a grant of this GPU was taken");
    let given_triangles = m.input("given_triangles", p.triangle_bits);
    let next_draw =
        m.input("next_draw", p.triangle_bits).doc("what is decided in the next clock, 0 for none");
    let chosen = m.input("chosen", 1).doc("the draw that is decided goes to this GPU");
    let wide = |signal: Signal<'m>| signal.zero_extend(p.remaining_bits);

    let held = m.reg("held", p.remaining_bits, 0).doc("Triangles given and not reported.");
    let more = given_triangles.and_where(given).named("more");
    let fits = wide(reported).le(*held).named("fits");
    let held_with_more = *held + wide(more);
    held.set(fits.mux(held_with_more - wide(reported), held_with_more));
    let exceeds = m.reg("exceeds", 1, 0).doc("More was reported than was held.");
    exceeds.set(!fits);

    let counted = m.reg("counted", p.triangle_bits, 0).doc("Triangles of a report that fits.");
    counted.set(reported.and_where(fits));
    let scheduled = m.reg("scheduled_more", p.triangle_bits, 0).doc("Triangles given.");
    scheduled.set(more);

    let less = m.reg("less", p.remaining_bits, 0).doc("What a report changes.");
    let less_and_draw = m
        .reg("less_and_draw", p.remaining_bits, 0)
        .doc("The same with the draw, if it comes here.");
    less.set(m.lit(p.remaining_bits, 0) - wide(*counted));
    less_and_draw.set(wide(next_draw) - wide(*counted));
    let remaining =
        m.reg("remaining", p.remaining_bits, 0).doc("Triangles scheduled and not processed.");
    // Both sums: who is chosen is known late.
    let without_draw = (*remaining + *less).named("remaining_without_draw");
    let with_draw = (*remaining + *less_and_draw).named("remaining_with_draw");
    remaining.set(chosen.mux(with_draw, without_draw));

    m.output("without_draw", without_draw).doc("what remains next if the draw goes elsewhere");
    m.output("with_draw", with_draw).doc("what remains next if the draw comes here");
    m.output("has_many", remaining.bit(p.remaining_bits - 1)).doc("no draw should come here");
    m.output("refused", *exceeds).doc("the report was not counted");
    let module = total::total(p);
    for (name, more) in TOTALS.into_iter().zip([*scheduled, *counted]) {
        let total = m.instance(name, &module, &[("more", more)]);
        for number in 0..p.segments() {
            let segment = total.output(&total::segment(number));
            m.output(&format!("{name}{number}"), segment);
        }
    }
}
