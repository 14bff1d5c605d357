//! Draws that are decided and not taken.

use crate::chopin_draw_scheduler::channels::Grant;
use crate::chopin_draw_scheduler::params::Params;
use crate::kit::*;

/// A draw with its GPU.
pub(in crate::chopin_draw_scheduler) fn decided_fields(p: &Params) -> Fields {
    Grant::fields(p).with("triangles", p.triangle_bits, "triangles of the draw")
}

/// The module `chopin_grants`.
pub(super) fn grants(p: &Params) -> Module {
    let m = ModuleBuilder::new("chopin_grants");
    m.describe(
        "Draws that are decided and whose grants are not taken, the oldest in place 0. Whoever puts\n\
         a draw in sees to it that there is room.",
    );
    let fields = decided_fields(p);
    let enters = m.input("enters", 1);
    let draw = record(&fields, |f| m.input(&format!("draw_{}", f.name), f.width));
    let leaves = m.input("leaves", 1).doc("the oldest is taken");

    let places = p.draws_in_flight();
    let taken: Vec<_> = (0..places).map(|i| m.reg(&format!("place{i}_taken"), 1, 0)).collect();
    let held: Vec<_> = (0..places).map(|i| Held::new(&m, &format!("place{i}"), &fields)).collect();
    let mut below = m.lit(1, 1);
    for i in 0..places as usize {
        let behind = taken.get(i + 1).map_or(m.lit(1, 0), |taken| **taken);
        let stays = leaves.mux(behind, *taken[i]).named(&format!("place{i}_stays"));
        let fills = enters & below;
        taken[i].set(stays | fills);
        // Where nothing stays, what is decided is written, whether or not it enters.
        let moves = (leaves & stays).named(&format!("place{i}_moves"));
        m.when(!stays, || held[i].set(&draw)).otherwise_when(moves, || {
            if let Some(behind) = held.get(i + 1) {
                held[i].set(behind.get());
            }
        });
        below = stays;
    }
    m.output("any", *taken[0]);
    for field in fields.iter() {
        m.output(&format!("oldest_{}", field.name), held[0].get().get(&field.name));
    }
    let last = *taken[places as usize - 1];
    m.assert("room", !(enters & last & !leaves), "There is room for what is decided.");
    m.assert("one_leaves", !leaves | *taken[0], "Only what is there leaves.");
    m.finish()
}
