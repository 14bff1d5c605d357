//! `mov`: values, addresses, and parts of values.

use super::super::layout::Trouble;
use super::super::types::{File, Kind, Type};
use super::super::written::{Operand, Written};
use super::body::Body;
use super::operands::{Lowered, PREDICATE};
use crate::isa::{Condition, Logic, Operation, Parts, Source, Target};

impl Body<'_, '_> {
    /// `mov`
    pub(super) fn mov(&mut self, written: &Written) -> Lowered {
        written.only(&[])?;
        let ty = written.last_type()?;
        let (d, a) = (written.operand(0)?, written.operand(1)?);
        if ty.bytes == 0 {
            let p = self.target(d, PREDICATE)?;
            let predicate = self.source(a, PREDICATE)?;
            let a = Condition { predicate, negated: false };
            return Ok(Operation::Logic { op: Logic::And, p, a, b: a });
        }
        match (d, a) {
            (Operand::Vector(parts), a) => {
                let part = part(ty, parts.len())?;
                let mut targets = [None; 4];
                for (target, operand) in targets.iter_mut().zip(parts) {
                    if *operand != Operand::Name("_") {
                        *target = Some(self.target(operand, part)?);
                    }
                }
                let parts = of(targets, parts.len(), part, ty);
                Ok(Operation::Unpack { parts, a: self.source(a, ty)? })
            }
            (d, Operand::Vector(parts)) => {
                let part = part(ty, parts.len())?;
                let mut sources = [Source::register(0); 4];
                for (source, operand) in sources.iter_mut().zip(parts) {
                    *source = self.source(operand, part)?;
                }
                let parts = of(sources, parts.len(), part, ty);
                Ok(Operation::Pack { parts, d: self.target(d, ty)? })
            }
            (d, Operand::Name(name)) if name.starts_with('%') && self.find(name)?.is_none() => {
                let d = self.target(d, ty)?;
                self.special(name, ty, d)
            }
            (d, a) => {
                let d: Target = self.target(d, ty)?;
                Ok(Operation::Move { file: ty.file(), d, a: self.source(a, ty)? })
            }
        }
    }
}

fn part(ty: Type, count: usize) -> Result<Type, Trouble> {
    match (ty.bytes, count) {
        (8, 2 | 4) | (4, 2 | 4) | (2, 2) => {
            Ok(Type { kind: Kind::Bits, bytes: ty.bytes / count as u8 })
        }
        _ => Err(format!("{count} parts of {} bytes", ty.bytes)),
    }
}

fn of<T>(parts: [T; 4], count: usize, part: Type, ty: Type) -> Parts<T> {
    let whole: File = ty.file();
    Parts { parts, count: count as u8, bits: part.bytes * 8, whole }
}
