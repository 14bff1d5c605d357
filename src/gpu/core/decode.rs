//! Registers, unit and timing of each instruction of a program.

use crate::config::{Timing, UnitsConfig};
use crate::isa::{
    Bits3, Carry, Element, File, Float1, Float2, Instruction, Integer2, Integer3, Kind, MatrixForm,
    Operation, Program, ScalarOp, Service, Type,
};

/// Where an instruction is executed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Integers and single precision.
    Arithmetic,
    /// Double precision, division, functions.
    Special,
    /// Loads, stores, atomics.
    Memory,
    /// Jumps, barriers and the like: no unit.
    #[default]
    None,
}

impl Unit {
    pub(crate) const ALL: [Self; 4] = [Self::Arithmetic, Self::Special, Self::Memory, Self::None];
}

/// Unit, timing and registers of an instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decoded {
    pub(crate) unit: Unit,
    /// Clocks until its result can be used.
    pub(crate) latency: u32,
    /// Clocks until the unit takes another.
    pub(crate) interval: u32,
    /// All answers of memory must have come before: calls, returns, the end, transactions.
    pub(crate) drains: bool,
    first: u32,
    uses: u16,
    writes: u16,
}

/// All instructions of a program.
#[derive(Debug, Default)]
pub(crate) struct Table {
    decoded: Vec<Decoded>,
    /// Registers of one instruction after the other: those it writes, then those it reads.
    registers: Vec<u32>,
    /// Most registers of a function.
    pub(crate) most_registers: u32,
}

impl Table {
    pub(crate) fn new(program: &Program, units: &UnitsConfig) -> Self {
        let mut table = Self::default();
        let mut entries: Vec<_> = program.functions.iter().collect();
        entries.sort_by_key(|function| function.entry);
        for (at, instruction) in program.code.iter().enumerate() {
            let own = entries.partition_point(|function| function.entry as usize <= at);
            let count = entries.get(own.wrapping_sub(1)).map(|function| function.registers);
            let count = count.unwrap_or_default();
            let number = |file: File, index: u32| match file {
                File::Predicate => index,
                File::Narrow => count.predicates + index,
                File::Wide => count.predicates + count.narrow + index,
            };
            table.most_registers =
                table.most_registers.max(count.predicates + count.narrow + count.wide);
            let first = table.registers.len();
            let mut add = |written: bool| {
                instruction.registers(|register| {
                    if register.written == written {
                        table.registers.push(number(register.file, register.index));
                    }
                });
                (table.registers.len() - first) as u16
            };
            let (writes, uses) = (add(true), add(false));
            let (unit, timing) = class(instruction, units);
            let latency = timing.latency + units.pipeline;
            let drains = matches!(
                instruction.operation,
                Operation::Call(_)
                    | Operation::CallIndirect(_)
                    | Operation::Return
                    | Operation::Exit
                    | Operation::Trap
                    | Operation::Service(Service::Transaction(_))
            );
            let interval = timing.interval.max(1);
            let first = first as u32;
            table.decoded.push(Decoded { unit, latency, interval, drains, first, uses, writes });
        }
        table
    }

    #[inline]
    pub(crate) fn get(&self, pc: u32) -> &Decoded {
        &self.decoded[pc as usize]
    }

    #[inline]
    pub(super) fn uses(&self, decoded: &Decoded) -> &[u32] {
        &self.registers[decoded.first as usize..][..usize::from(decoded.uses)]
    }

    /// The registers that an instruction reads.
    #[inline]
    pub(crate) fn reads(&self, decoded: &Decoded) -> &[u32] {
        &self.uses(decoded)[usize::from(decoded.writes)..]
    }

    /// The registers that an instruction writes.
    #[inline]
    pub(crate) fn writes(&self, decoded: &Decoded) -> &[u32] {
        &self.registers[decoded.first as usize..][..usize::from(decoded.writes)]
    }
}

/// The unit takes a part of its time for a part of the products, and less for those of shorter types. Of `.f64` it makes a
/// sixteenth of those of `.f16`, as an A100.
fn of_matrices(form: &MatrixForm, units: &UnitsConfig) -> Timing {
    let whole = units.matrix.unwrap_or(units.function);
    let [m, n, k] = form.fragments[0].shape;
    let products = m * n * k * form.fragments[0].matrices();
    let bits = match form.fragments[0].element {
        Element::F64 => 256,
        element => element.bits(),
    };
    let interval = (whole.interval * products * bits).div_ceil(4096 * 16);
    Timing { latency: (whole.latency + interval).saturating_sub(whole.interval), interval }
}

fn class(instruction: &Instruction, units: &UnitsConfig) -> (Unit, Timing) {
    let is_double = |ty: Type| ty.kind == Kind::Float && ty.bytes == 8;
    let divide = (Unit::Special, units.divide);
    let multiply = (Unit::Arithmetic, units.multiply);
    let double = (Unit::Special, units.double);
    let multiply_add = (Unit::Arithmetic, units.multiply_add.unwrap_or(units.multiply));
    let other = |ordinary| (Unit::Arithmetic, units.other.unwrap_or(ordinary));
    let other_double = units.other.map_or(double, |timing| (Unit::Arithmetic, timing));
    match instruction.operation {
        Operation::Integer2 { op, .. } => match op {
            Integer2::Min | Integer2::Max => (Unit::Arithmetic, units.minimum),
            Integer2::Div | Integer2::Rem => divide,
            Integer2::MulLo | Integer2::MulHi | Integer2::Mul24Lo | Integer2::Mul24Hi => multiply,
            Integer2::And | Integer2::Or | Integer2::Xor => other(units.integer),
            Integer2::Add | Integer2::AddSat | Integer2::Sub | Integer2::SubSat => {
                (Unit::Arithmetic, units.integer)
            }
        },
        Operation::Integer3 { op: Integer3::Sad, .. } => other(units.integer),
        Operation::Widening { c: None, .. } => multiply,
        Operation::Integer3 { .. } | Operation::Widening { .. } => multiply_add,
        Operation::Carry { op: Carry::MadLo | Carry::MadHi, .. } => multiply_add,
        Operation::Carry { .. } => (Unit::Arithmetic, units.integer),
        Operation::Float1 { op: Float1::Abs | Float1::Neg, ty, .. } if is_double(ty) => {
            other_double
        }
        Operation::Float1 { op: Float1::Abs | Float1::Neg, .. } => other(units.float),
        Operation::Float1 { ty, .. } if is_double(ty) => {
            (Unit::Special, units.double_function.unwrap_or(units.double_divide))
        }
        Operation::Float1 { .. } => (Unit::Special, units.function),
        Operation::Float2 { op: Float2::Div, ty, .. } if is_double(ty) => {
            (Unit::Special, units.double_divide)
        }
        Operation::Float2 { op: Float2::Div, .. } => {
            (Unit::Special, units.float_divide.unwrap_or(units.function))
        }
        Operation::Compare { ty, .. } if is_double(ty) => other_double,
        Operation::Float2 { op: Float2::Extreme(_), ty, .. } if is_double(ty) => {
            (Unit::Special, units.double_minimum.unwrap_or(units.double))
        }
        Operation::Float2 { ty, .. } | Operation::Fused { ty, .. } if is_double(ty) => double,
        Operation::Float2 { op, .. } => match op {
            Float2::Extreme(_) => (Unit::Arithmetic, units.minimum),
            _ => (Unit::Arithmetic, units.float),
        },
        Operation::Fused { .. } => (Unit::Arithmetic, units.fused.unwrap_or(units.float)),
        Operation::Convert { to, from, .. } if is_double(to) || is_double(from) => other_double,
        Operation::Shuffle { .. }
        | Operation::Match { .. }
        | Operation::Redux { .. }
        | Operation::Transpose { .. } => (Unit::Special, units.shuffle),
        Operation::Bits3 { op: Bits3::ScalarVideo(video), .. }
            if matches!(video.op, ScalarOp::Multiply { .. }) =>
        {
            multiply_add
        }
        Operation::Matrix(ref form) => (Unit::Special, of_matrices(form, units)),
        Operation::Access(_) | Operation::Copy(_) => {
            (Unit::Memory, units.other.unwrap_or(units.integer))
        }
        Operation::Fence { .. }
        | Operation::CopyCommit
        | Operation::CopyWait { .. }
        | Operation::CopyArrive { .. }
        | Operation::Barrier { .. }
        | Operation::Branch { .. }
        | Operation::Call(_)
        | Operation::CallIndirect(_)
        | Operation::Service(_)
        | Operation::Return
        | Operation::Exit
        | Operation::Trap
        | Operation::CheckIndex { .. }
        | Operation::Sleep
        | Operation::Nothing => (Unit::None, units.other.unwrap_or(units.integer)),
        _ => other(units.integer),
    }
}
