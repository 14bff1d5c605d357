//! What circuits are made of, beside the library of `warpsmith-rtl`.

use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{ModuleBuilder, Reg, Signal};

use crate::channel::Channel;
use crate::parameters::Settings;

/// The header of a circuit's file: what it is, and its parameters.
pub fn describe(m: &ModuleBuilder, text: &str, params: &impl Settings) {
    let table = params.params();
    let lines = table.iter().map(|(name, value)| format!("  {name} = {value}\n"));
    m.describe(&format!("{text}\n\nParameters:\n{}", lines.collect::<String>()));
}

/// The ports of an input channel whose transfers cannot be refused: valid and payload.
#[track_caller]
pub fn valid_only_input<'m>(m: &'m ModuleBuilder, channel: &Channel) -> (Signal<'m>, Record<'m>) {
    let port = |name: &str, width| m.input(&format!("{}_{name}", channel.name), width);
    let valid = port("valid", 1);
    let fields = channel.fields.iter().map(|f| port(&f.name, f.width).doc(&f.doc)).collect();
    (valid, Record::new(&channel.fields, fields))
}

/// Pulses `error` with a code in the clock after all of `raises` are one; `what` is malformed.
pub fn raise_errors<'m>(
    m: &'m ModuleBuilder,
    channel: &Channel,
    what: &str,
    raises: &[Signal<'m>],
    code: Signal<'m>,
) {
    let raised = m.reg("error_raised", 1, 0);
    let kind = m.reg_without_reset("error_kind", code.width());
    raised.set(raises.iter().copied().reduce(|a, b| a & b).expect("a condition"));
    kind.set(code);
    m.output("error_valid", *raised).doc(&format!("{what} had no meaning"));
    m.output("error_code", *kind).doc(channel.codes());
}

/// A record in registers, named `<prefix>_<field>`.
pub struct Held<'m> {
    registers: Vec<Reg<'m>>,
    record: Record<'m>,
}

impl<'m> Held<'m> {
    /// Registers without reset.
    #[track_caller]
    pub fn new(m: &'m ModuleBuilder, prefix: &str, fields: &Fields) -> Self {
        let register = |name: &str, width| m.reg_without_reset(&format!("{prefix}_{name}"), width);
        Self::of(fields, register)
    }

    /// Registers that are zero after reset.
    #[track_caller]
    pub fn zero(m: &'m ModuleBuilder, prefix: &str, fields: &Fields) -> Self {
        Self::of(fields, |name, width| m.reg(&format!("{prefix}_{name}"), width, 0))
    }

    fn of(fields: &Fields, register: impl Fn(&str, u32) -> Reg<'m>) -> Self {
        let registers: Vec<_> = fields.iter().map(|f| register(&f.name, f.width)).collect();
        let record = Record::new(fields, registers.iter().map(|register| **register).collect());
        Self { registers, record }
    }

    /// What they hold.
    pub fn get(&self) -> &Record<'m> {
        &self.record
    }

    /// What they hold after the edge; where they keep theirs, it stands within a `when`.
    #[track_caller]
    pub fn set(&self, record: &Record<'m>) {
        for (register, field) in self.registers.iter().zip(self.record.fields().iter()) {
            register.set(record.get(&field.name));
        }
    }
}
