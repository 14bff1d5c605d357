//! What hardware keeps of the virtual registers of a function.

use crate::isa::{
    File, Instruction, Integer2, Integer3, Operation, RegisterCount, Source, Space, Special,
};

/// What a value takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// A predicate register.
    Predicate,
    /// A register.
    One,
    /// A pair of registers.
    Two,
    /// Nothing: the instructions that use it have it as a constant operand, as they have parameters, the sizes of
    /// CTA and grid, and addresses of variables.
    Constant,
    /// Nothing: the instructions that use it use another value instead, of which it is a copy, or the index that they
    /// scale and add to an address.
    As(usize),
}

/// The values of a function: predicates, then narrow registers, then wide ones.
pub(super) struct Values {
    counts: RegisterCount,
    pub(super) held: Vec<Held>,
}

/// Uses and definitions of each value.
struct Seen {
    definitions: Vec<Vec<usize>>,
    uses: Vec<Vec<usize>>,
}

impl Values {
    pub(super) fn of(code: &[Instruction], counts: RegisterCount) -> Self {
        let total = counts.predicates + counts.narrow + counts.wide;
        let held = |value: u32| match value {
            value if value < counts.predicates => Held::Predicate,
            value if value < counts.predicates + counts.narrow => Held::One,
            _ => Held::Two,
        };
        let mut values = Self { counts, held: (0..total).map(held).collect() };
        let none = || vec![Vec::new(); total as usize];
        let mut seen = Seen { definitions: none(), uses: none() };
        for (at, instruction) in code.iter().enumerate() {
            instruction.registers(|register| {
                let value = values.number(register.file, register.index);
                match register.written {
                    true => seen.definitions[value].push(at),
                    false => seen.uses[value].push(at),
                }
            });
        }
        values.shorten_addresses(code, &seen);
        values.leave_out_constants(code, &seen);
        values.leave_out_indices(code, &seen);
        values
    }

    /// The number of a register.
    pub(super) fn number(&self, file: File, index: u32) -> usize {
        let before = match file {
            File::Predicate => 0,
            File::Narrow => self.counts.predicates,
            File::Wide => self.counts.predicates + self.counts.narrow,
        };
        (before + index) as usize
    }

    fn of_source(&self, file: File, source: Source) -> Option<usize> {
        source.as_constant().is_none().then(|| self.number(file, source.index() as u32))
    }

    /// The value that is used where this one is read; none for constants.
    pub(super) fn used(&self, mut value: usize) -> Option<usize> {
        loop {
            match self.held[value] {
                Held::Constant => return None,
                Held::As(other) => value = other,
                _ => return Some(value),
            }
        }
    }

    /// Registers of a value.
    pub(super) fn words(&self, value: usize) -> u32 {
        match self.held[value] {
            Held::One => 1,
            Held::Two => 2,
            Held::Predicate | Held::Constant | Held::As(_) => 0,
        }
    }

    /// Addresses of shared, local and const memory have 32 bits on hardware: where PTX computes them with 64, a value
    /// that goes nowhere else has the lower half only.
    fn shorten_addresses(&mut self, code: &[Instruction], seen: &Seen) {
        let first = (self.counts.predicates + self.counts.narrow) as usize;
        let mut is_short: Vec<bool> = (0..self.held.len()).map(|value| value >= first).collect();
        loop {
            let mut changed = false;
            for value in first..self.held.len() {
                let all = seen.uses[value].iter().all(|at| {
                    match self.lower_half(&code[*at].operation, value) {
                        Lower::Only => true,
                        Lower::OfResult(result) => is_short[result],
                        Lower::No => false,
                    }
                });
                if is_short[value] && !all {
                    (is_short[value], changed) = (false, true);
                }
            }
            if !changed {
                break;
            }
        }
        for (held, is_short) in self.held.iter_mut().zip(is_short) {
            if is_short {
                *held = Held::One;
            }
        }
    }

    /// Whether an operation needs more of a wide value than its lower half.
    fn lower_half(&self, operation: &Operation, value: usize) -> Lower {
        let wide = |target: super::super::Target| self.number(File::Wide, target.0);
        let is = |source: Source| self.of_source(File::Wide, source) == Some(value);
        match *operation {
            Operation::Access(ref form) => {
                let is_stored =
                    form.sources.iter().any(|it| it.file == File::Wide && is(it.source));
                match form.space {
                    Space::Shared | Space::Cluster | Space::Local | Space::Const if !is_stored => {
                        Lower::Only
                    }
                    _ => Lower::No,
                }
            }
            Operation::Integer2 { op, d, .. } => match op {
                Integer2::Add | Integer2::Sub | Integer2::MulLo => Lower::OfResult(wide(d)),
                Integer2::And | Integer2::Or | Integer2::Xor => Lower::OfResult(wide(d)),
                _ => Lower::No,
            },
            Operation::Integer3 { op: Integer3::MadLo, d, .. } => Lower::OfResult(wide(d)),
            Operation::Shift { left: true, d, .. } => Lower::OfResult(wide(d)),
            Operation::Widening { ty, d, .. } if ty.bytes == 4 => Lower::OfResult(wide(d)),
            Operation::Move { file: File::Wide, d, .. }
            | Operation::Select { file: File::Wide, d, .. }
            | Operation::ToGeneric { file: File::Wide, d, .. }
            | Operation::FromGeneric { file: File::Wide, d, .. } => Lower::OfResult(wide(d)),
            Operation::Convert { to, from, .. }
                if to.bytes <= 4 && !to.is_float() && !from.is_float() =>
            {
                Lower::Only
            }
            _ => Lower::No,
        }
    }

    /// The only definition of a value, if it is always executed.
    fn definition<'c>(
        &self,
        code: &'c [Instruction],
        seen: &Seen,
        value: usize,
    ) -> Option<&'c Operation> {
        match seen.definitions[value][..] {
            [at] if code[at].guard.is_none() => Some(&code[at].operation),
            _ => None,
        }
    }

    /// Leaves out what is a constant operand, and copies of other values.
    fn leave_out_constants(&mut self, code: &[Instruction], seen: &Seen) {
        for instruction in code {
            let mut written = Vec::new();
            instruction.registers(|it| {
                if it.written {
                    written.push(self.number(it.file, it.index));
                }
            });
            let [value] = written[..] else { continue };
            let Some(operation) = self.definition(code, seen, value) else { continue };
            let copied = match *operation {
                Operation::Access(ref form)
                    if form.space == Space::Param && form.base.is_none() =>
                {
                    Some(Held::Constant)
                }
                Operation::Special { special: Special::Ntid(_) | Special::Nctaid(_), .. } => {
                    Some(Held::Constant)
                }
                Operation::Move { file, a, .. } => self.copy_of(file, a, seen),
                // The window of global memory begins at 0, and addresses of variables are known.
                Operation::ToGeneric { space, file, a, .. }
                | Operation::FromGeneric { space, file, a, .. } => self
                    .copy_of(file, a, seen)
                    .filter(|held| space == Space::Global || *held == Held::Constant),
                _ => None,
            };
            // Two may be copies of each other.
            let is_new = |held: &Held| self.words(value) > 0 && *held != Held::As(value);
            if let Some(held) = copied.filter(is_new) {
                self.held[value] = held;
            }
        }
    }

    /// What a copy of a source is held as: that of a value that is written more than once is a value of its own.
    fn copy_of(&self, file: File, source: Source, seen: &Seen) -> Option<Held> {
        let Some(value) = self.of_source(file, source) else { return Some(Held::Constant) };
        let Some(used) = self.used(value) else { return Some(Held::Constant) };
        (seen.definitions[value].len() == 1).then_some(Held::As(used))
    }

    /// Leaves out indices that were widened and scaled only to be added to addresses: the addition does that itself.
    fn leave_out_indices(&mut self, code: &[Instruction], seen: &Seen) {
        // Of each value the one that it is made of.
        let made_of = |values: &Self, value: usize| -> Option<usize> {
            let (file, source) = match *values.definition(code, seen, value)? {
                Operation::Widening { ty, a, b, c: None, .. }
                    if ty.bytes == 4 && b.as_constant().is_some() =>
                {
                    (File::Narrow, a)
                }
                Operation::Convert { to, from, a, .. }
                    if to.bytes == 8 && from.bytes == 4 && !to.is_float() && !from.is_float() =>
                {
                    (a.file, a.source)
                }
                Operation::Shift { left: true, ty, a, amount, .. }
                    if ty.bytes == 8 && amount.as_constant().is_some() =>
                {
                    // Of an index that was widened.
                    let widened = values.of_source(File::Wide, a)?;
                    let definition = values.definition(code, seen, widened)?;
                    matches!(definition, Operation::Convert { .. }).then_some((File::Wide, a))?
                }
                _ => return None,
            };
            let source = values.of_source(file, source)?;
            (seen.definitions[source].len() == 1).then_some(source)
        };
        let first = (self.counts.predicates + self.counts.narrow) as usize;
        let mut made: Vec<_> = (0..self.held.len()).map(|_| None).collect();
        for value in (first..self.held.len()).filter(|value| self.held[*value] == Held::Two) {
            made[value] = made_of(self, value);
        }
        loop {
            let mut changed = false;
            for value in first..self.held.len() {
                let goes = |at: &usize| match code[*at].operation {
                    Operation::Integer2 { op: Integer2::Add, ty, .. } => ty.bytes == 8,
                    Operation::Shift { left: true, d, .. } => {
                        made[self.number(File::Wide, d.0)] == Some(value)
                    }
                    _ => false,
                };
                // A shift is of an index that was widened.
                let is_narrow = made[value].is_some_and(|of| of < first || made[of].is_some());
                if made[value].is_some() && !(is_narrow && seen.uses[value].iter().all(goes)) {
                    (made[value], changed) = (None, true);
                }
            }
            if !changed {
                break;
            }
        }
        for (value, of) in made.into_iter().enumerate() {
            if let Some(of) = of {
                self.held[value] = Held::As(of);
            }
        }
    }
}

/// Whether the lower half of a value is enough.
enum Lower {
    Only,
    /// If it is for the result.
    OfResult(usize),
    No,
}
