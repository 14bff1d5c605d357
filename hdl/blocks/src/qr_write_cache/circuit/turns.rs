//! Two registers in turn for requests: one is looked at while the other takes what comes.

use super::places::{Lookup, Newer, Places};
use crate::kit::*;

/// The request that is looked at. What a register loads does not depend on what is decided.
pub(super) struct Turns<'m> {
    pub valid: Signal<'m>,
    pub payload: Record<'m>,
    /// The ways that have the tag of its block.
    pub matches: Signal<'m>,
    /// What is looked at is done with.
    pub leaves: Wire<'m>,
}

impl<'m> Turns<'m> {
    /// The registers behind the stage that reads tags.
    pub fn new(
        m: &'m ModuleBuilder,
        name: &str,
        places: &Places<'_, 'm>,
        from: &Lookup<'m>,
    ) -> Self {
        let input = from.stage.stream();
        let fields = input.payload.fields();
        let valid = [0, 1].map(|i| m.reg(&format!("{name}{i}_valid"), 1, 0));
        let held = [0, 1].map(|i| Held::new(m, &format!("{name}{i}"), fields));
        let matches =
            [0, 1].map(|i| m.reg_without_reset(&format!("{name}{i}_match"), from.after.width()));
        // One-hot: one bit for the wide payload, the other for decisions, which are late.
        let turn = [("first", 1), ("second", 0)]
            .map(|(turn, reset)| m.reg(&format!("{name}_is_{turn}"), 1, reset));
        let loads = m.reg(&format!("{name}_loads"), 1, 0).doc("The second is the next to load.");
        let leaves = m.wire(&format!("{name}_leaves"), 1);
        input.ready.set(!loads.mux(*valid[1], *valid[0]));
        let of = |i: usize, field: &str| held[i].get().get(field);
        // The request that is looked at leaves as its block begins: only the other one is compared with it.
        let (same_set, same_tag) = places.compare(of(0, "block"), of(1, "block"));
        let same = (same_set.named("requests_of_one_set"), same_tag.named("requests_of_one_tag"));
        for i in 0..2 {
            let loads = if i == 1 { *loads } else { !*loads };
            m.when(!*valid[i], || {
                held[i].set(&input.payload);
                matches[i].set(from.after);
            })
            .otherwise(|| matches[i].set(places.after(Newer::Compared, *matches[i], same)));
            valid[i].set(valid[i].mux(!(*leaves & *turn[i]), input.valid & loads));
            turn[i].set(*turn[i] ^ *leaves);
        }
        loads.set(*loads ^ input.fires());
        m.assert("one_turn", *turn[0] ^ *turn[1], "One register is looked at.");
        let payload = record(fields, |field| {
            let (first, second) = (of(0, &field.name), of(1, &field.name));
            let value = match field.name.as_str() {
                "op" => turn[1].mux(second, first),
                _ => turn[0].mux(first, second),
            };
            value.named(&format!("{name}_{}", field.name))
        });
        Self {
            valid: turn[1].mux(*valid[1], *valid[0]).named(&format!("{name}_valid")),
            matches: turn[1].mux(*matches[1], *matches[0]).named(&format!("{name}_match")),
            payload,
            leaves,
        }
    }
}
