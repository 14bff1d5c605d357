//! A total: a wide counter that adds a segment a clock.

use crate::chopin_draw_scheduler::params::Params;
use crate::kit::*;

/// The name of the output with that segment.
pub(super) fn segment(number: u32) -> String {
    format!("segment{number}")
}

/// The module `chopin_total`.
pub(super) fn total(p: &Params) -> Module {
    let m = ModuleBuilder::new("chopin_total");
    m.describe(
        "A total of triangles. It adds `more` to its lowest segment at once; the carry reaches each\n\
         further segment a clock later, so that no clock has an adder wider than a segment.",
    );
    let more = m.input("more", p.triangle_bits).doc("triangles to be added");
    let mut enters = more;
    for number in 0..p.segments() {
        let width = p.segment(number).len() as u32;
        let kept = m.reg(&format!("kept{number}"), width, 0);
        m.output(&segment(number), *kept);
        if number + 1 == p.segments() {
            kept.set(*kept + enters.zero_extend(width));
            break;
        }
        let sum = kept.add_with_carry(enters.zero_extend(width)).named(&format!("sum{number}"));
        kept.set(sum.truncate(width));
        let carry = m.reg(&format!("carry{number}"), 1, 0).doc("For the next segment.");
        carry.set(sum.bit(width));
        enters = *carry;
    }
    m.finish()
}
