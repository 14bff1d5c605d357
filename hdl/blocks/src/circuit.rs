//! What circuits are made of, beside the library of `warpsmith-rtl`.

use warpsmith_rtl::library::record::{Field, Fields, Record};
use warpsmith_rtl::{Module, ModuleBuilder, Reg, Signal};

use crate::channel::Channel;
use crate::parameters::Settings;

/// The module of that name, which `build` builds.
pub fn module(name: &str, build: impl FnOnce(&ModuleBuilder)) -> Module {
    let m = ModuleBuilder::new(name);
    build(&m);
    m.finish()
}

/// The header of a circuit's file: what it is, and its parameters.
pub fn describe(m: &ModuleBuilder, text: &str, params: &impl Settings) {
    let table = params.params();
    let lines = table.iter().map(|(name, value)| format!("  {name} = {value}\n"));
    m.describe(&format!("{text}\n\nParameters:\n{}", lines.collect::<String>()));
}

/// A record of the values of these fields.
#[track_caller]
pub fn record<'m>(fields: &Fields, value: impl FnMut(&Field) -> Signal<'m>) -> Record<'m> {
    Record::new(fields, fields.iter().map(value).collect())
}

/// These fields of a record that may have others too.
#[track_caller]
pub fn pick<'m>(fields: &Fields, of: &Record<'m>) -> Record<'m> {
    record(fields, |field| of.get(&field.name))
}

/// Signals beside each other, the first the lowest.
#[track_caller]
pub fn column<'m>(
    m: &'m ModuleBuilder,
    signals: impl IntoIterator<Item = Signal<'m>>,
) -> Signal<'m> {
    m.concat_low_first(&signals.into_iter().collect::<Vec<_>>())
}

/// Whether one of the one-bit signals is one; there is one at least.
pub fn any_of<'m>(bits: impl IntoIterator<Item = Signal<'m>>) -> Signal<'m> {
    bits.into_iter().reduce(|a, b| a | b).expect("a bit")
}

/// Eight bits for each bit: those of the bytes that are written.
pub fn byte_mask<'m>(m: &'m ModuleBuilder, bytes: Signal<'m>) -> Signal<'m> {
    column(m, bytes.to_bits().into_iter().map(|bit| bit.repeat(8)))
}

/// The ports of an input channel whose transfers cannot be refused: valid and payload.
#[track_caller]
pub fn valid_only_input<'m>(m: &'m ModuleBuilder, channel: &Channel) -> (Signal<'m>, Record<'m>) {
    let port = |name: &str, width| m.input(&format!("{}_{name}", channel.name), width);
    let valid = port("valid", 1);
    (valid, record(&channel.fields, |f| port(&f.name, f.width).doc(&f.doc)))
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
    m.output("error_valid", *raised).doc(&format!("{what} was malformed"));
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

    /// What those of the fields in `record` hold after the edge, as [`Held::set`].
    #[track_caller]
    pub fn set_some(&self, record: &Record<'m>) {
        for (register, field) in self.registers.iter().zip(self.record.fields().iter()) {
            if record.fields().position(&field.name).is_some() {
                register.set(record.get(&field.name));
            }
        }
    }

    /// What they hold after the edge; where they keep theirs, it stands within a `when`.
    #[track_caller]
    pub fn set(&self, record: &Record<'m>) {
        for (register, field) in self.registers.iter().zip(self.record.fields().iter()) {
            register.set(record.get(&field.name));
        }
    }
}
