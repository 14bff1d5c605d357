//! Registers of 128 bits: pairs of 64.

use super::super::layout::Trouble;
use super::super::types::{File, Kind, Type};
use super::super::written::{Operand, Written};
use super::body::Body;
use super::memory::{elements, known};
use super::operands::{Lowered, sized};
use crate::isa::{AccessForm, AccessKind, Operation, Source, SourceIn, Target, TargetIn};

/// `.b128`
pub(super) const QUAD: Type = Type { kind: Kind::Bits, bytes: 16 };
/// A half of it, which memory moves.
pub(super) const HALF_OF_QUAD: Type = Type { kind: Kind::Bits, bytes: 8 };

impl Body<'_, '_> {
    /// `mov.b128`: a register, or its halves in braces.
    pub(super) fn move_quad(&mut self, written: &Written) -> Lowered {
        let a = match written.operand(1)? {
            Operand::Vector(halves) => match &halves[..] {
                [low, high] => [self.source(low, HALF_OF_QUAD)?, self.source(high, HALF_OF_QUAD)?],
                _ => return Err("two halves are expected".into()),
            },
            a => self.halves(a)?.map(Source::register),
        };
        let d = match written.operand(0)? {
            Operand::Vector(halves) => match &halves[..] {
                [low, high] => [self.target(low, HALF_OF_QUAD)?, self.target(high, HALF_OF_QUAD)?],
                _ => return Err("two halves are expected".into()),
            },
            d => self.halves(d)?.map(Target),
        };
        let file = File::Wide;
        self.push_guarded(written, Operation::Move { file, d: d[0], a: a[0] })?;
        Ok(Operation::Move { file, d: d[1], a: a[1] })
    }

    /// Loads, stores, exchanges, and compare-and-swaps: accesses of two halves.
    pub(super) fn quad_access(
        &mut self,
        written: &Written,
        address: usize,
        form: &mut AccessForm,
    ) -> Result<(), Trouble> {
        form.elements = 2;
        match written.opcode {
            "ld" | "ldu" => {
                known(written)?;
                let [d] = elements(written, written.operand(0)?)? else {
                    return Err(VECTOR.into());
                };
                self.quad_target(d, form)
            }
            "st" => {
                known(written)?;
                form.kind = AccessKind::Store;
                let [a] = elements(written, written.operand(1)?)? else {
                    return Err(VECTOR.into());
                };
                self.quad_source(a, &mut form.sources[..2])
            }
            "atom" => {
                let value = written.operand(address + 1)?;
                // Kind and order; the operand is not one of 64 bits.
                self.atomic_of_quad(written, form)?;
                self.quad_target(written.operand(0)?, form)?;
                self.quad_source(value, &mut form.sources[..2])?;
                match written.has("cas") {
                    true => self.quad_source(written.operand(address + 2)?, &mut form.sources[2..]),
                    false => Ok(()),
                }
            }
            name => Err(format!("{name} has no form of .b128: atom has")),
        }
    }

    fn quad_target(&mut self, operand: &Operand, form: &mut AccessForm) -> Result<(), Trouble> {
        if *operand == Operand::Name("_") {
            return Ok(());
        }
        let halves = self.halves(operand)?;
        for (into, half) in form.targets.iter_mut().zip(halves) {
            *into = Some(TargetIn { file: File::Wide, target: Target(half), bytes: 8 });
        }
        Ok(())
    }

    fn quad_source(&mut self, operand: &Operand, into: &mut [SourceIn]) -> Result<(), Trouble> {
        let halves = self.halves(operand)?;
        for (into, half) in into.iter_mut().zip(halves) {
            *into = SourceIn { file: File::Wide, source: Source::register(half) };
        }
        Ok(())
    }

    /// The registers that a register of 128 bits is, the lower one first.
    fn halves(&mut self, operand: &Operand) -> Result<[u32; 2], Trouble> {
        let register = self.register(operand)?;
        sized(&register, QUAD)?;
        Ok([register.index, register.index + 1])
    }
}

const VECTOR: &str = "vectors of .b128 are not supported: move one at a time";
