//! A register between what arrives and what is decided about it.

use crate::kit::*;

/// What is looked at, and what comes next.
pub(super) struct Stage<'m> {
    pub valid: Reg<'m>,
    pub payload: Record<'m>,
    /// What is looked at in the next clock, if it advances.
    pub next: Record<'m>,
    pub advances: Signal<'m>,
    /// What is looked at is done with.
    pub leaves: Wire<'m>,
}

impl<'m> Stage<'m> {
    /// The stage behind a stream.
    pub fn new(m: &'m ModuleBuilder, name: &str, input: &Stream<'m>) -> Self {
        let valid = m.reg(&format!("{name}_valid"), 1, 0);
        let held = Held::new(m, name, input.payload.fields());
        let leaves = m.wire(&format!("{name}_leaves"), 1);
        let advances = (!*valid | *leaves).named(&format!("{name}_advances"));
        input.ready.set(advances);
        m.when(advances, || {
            valid.set(input.valid);
            held.set(&input.payload);
        });
        let payload = held.get().clone();
        Self { valid, payload, next: input.payload.clone(), advances, leaves }
    }

    /// What it gives to the next stage.
    pub fn stream(&self) -> Stream<'m> {
        Stream { valid: *self.valid, payload: self.payload.clone(), ready: self.leaves }
    }
}
