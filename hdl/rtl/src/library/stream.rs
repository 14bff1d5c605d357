//! Ready/valid streams: a transfer happens at a clock edge with both high; valid never waits for
//! ready; payload and valid hold until the transfer.

use crate::{ModuleBuilder, Signal, Wire};

use super::record::{Fields, Record};

/// A stream as its receiver sees it: valid and payload are inputs, `ready` is assigned.
#[derive(Clone)]
pub struct Stream<'m> {
    /// A payload is offered.
    pub valid: Signal<'m>,
    /// The payload.
    pub payload: Record<'m>,
    /// The receiver is ready.
    pub ready: Wire<'m>,
}

impl<'m> Stream<'m> {
    /// Adds the ports `<name>_valid`, `<name>_ready` and `<name>_<field>` of an incoming stream.
    #[track_caller]
    pub fn input(m: &'m ModuleBuilder, name: &str, fields: &Fields) -> Self {
        let valid = m.input(&format!("{name}_valid"), 1);
        let ready = m.output_wire(&format!("{name}_ready"), 1);
        let mut values = Vec::new();
        for field in fields.iter() {
            let port = m.input(&format!("{name}_{}", field.name), field.width);
            values.push(port.doc(&field.doc));
        }
        Self { valid, payload: Record::new(fields, values), ready }
    }

    /// Makes the stream an output of the module, with ports of the same kind.
    #[track_caller]
    pub fn output(self, m: &'m ModuleBuilder, name: &str) {
        m.output(&format!("{name}_valid"), self.valid);
        self.ready.set(m.input(&format!("{name}_ready"), 1));
        for field in self.payload.fields().iter() {
            m.output(&format!("{name}_{}", field.name), self.payload.get(&field.name))
                .doc(&field.doc);
        }
    }

    /// One where a transfer happens at the coming edge.
    pub fn fires(&self) -> Signal<'m> {
        self.valid & self.ready
    }
}
