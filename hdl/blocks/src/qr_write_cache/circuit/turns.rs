//! Two registers in turn for requests: one is looked at while the other takes what comes.

use crate::kit::*;

/// The request that is looked at, and what comes next. What a register loads does not depend on what is decided.
pub(super) struct Turns<'m> {
    pub valid: Signal<'m>,
    pub payload: Record<'m>,
    /// What comes: a register that is empty loads it.
    pub next: Record<'m>,
    /// The registers that are empty, a bit each.
    pub empty: Signal<'m>,
    /// The second register is looked at.
    pub turn: Signal<'m>,
    /// Both registers have one block.
    pub same_block: Signal<'m>,
    /// What is looked at is done with.
    pub leaves: Wire<'m>,
}

impl<'m> Turns<'m> {
    /// The registers behind a stream.
    pub fn new(m: &'m ModuleBuilder, name: &str, input: &Stream<'m>) -> Self {
        let fields = input.payload.fields();
        let valid = [0, 1].map(|i| m.reg(&format!("{name}{i}_valid"), 1, 0));
        let held = [0, 1].map(|i| Held::new(m, &format!("{name}{i}"), fields));
        // One-hot: one bit for the wide payload, the other for decisions, which are late.
        let turn = [("first", 1), ("second", 0)]
            .map(|(turn, reset)| m.reg(&format!("{name}_is_{turn}"), 1, reset));
        let loads = m.reg(&format!("{name}_loads"), 1, 0).doc("The second is the next to load.");
        let leaves = m.wire(&format!("{name}_leaves"), 1);
        input.ready.set(!loads.mux(*valid[1], *valid[0]));
        for i in 0..2 {
            let loads = if i == 1 { *loads } else { !*loads };
            m.when(!*valid[i], || held[i].set(&input.payload));
            valid[i].set(valid[i].mux(!(*leaves & *turn[i]), input.valid & loads));
            turn[i].set(*turn[i] ^ *leaves);
        }
        loads.set(*loads ^ input.fires());
        m.assert("one_turn", *turn[0] ^ *turn[1], "One register is looked at.");
        let of = |i: usize, field: &str| held[i].get().get(field);
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
            payload,
            next: input.payload.clone(),
            empty: (!*valid[1]).concat(!*valid[0]),
            turn: *turn[1],
            same_block: of(0, "block").eq(of(1, "block")).named(&format!("{name}s_of_one_block")),
            leaves,
        }
    }
}
