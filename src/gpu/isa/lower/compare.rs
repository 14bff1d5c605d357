//! Comparisons, selection, logic on predicates.

use super::super::layout::Trouble;
use super::super::types::{Kind, Type};
use super::super::written::{Operand, Written};
use super::body::Body;
use super::operands::{Lowered, PREDICATE, U32};
use crate::isa::{Comparison, Condition, Integer2, Logic, Operation, Source, Target};

/// What `setp` and `set` have in common.
struct Parts {
    comparison: Comparison,
    logic: Option<Logic>,
    ty: Type,
}

impl Body<'_, '_> {
    /// `setp`, `set`, `selp`, `slct`
    pub(super) fn compare(&mut self, written: &Written) -> Lowered {
        let ty = written.last_type()?;
        match written.opcode {
            "setp" => {
                let (p, q) = match written.operand(0)? {
                    Operand::Pair(p, q) if **q == Operand::Name("_") => (&**p, None),
                    Operand::Pair(p, q) => (&**p, Some(self.target(q, PREDICATE)?)),
                    p => (p, None),
                };
                let p = self.target(p, PREDICATE)?;
                let parts = parts(written)?;
                match (parts.ty.half(), q) {
                    (None, q) => self.comparison(written, &parts, p, q),
                    (Some(half), Some(q)) => self.compare_pair(written, &parts, half, [p, q]),
                    (Some(_), None) => Err("pairs are compared into two predicates, p|q".into()),
                }
            }
            "set" => self.set(written),
            "selp" => {
                written.only(&[])?;
                let condition = self.condition(written.operand(3)?)?;
                let d = self.first(written, ty)?;
                let ab = self.sources(written, ty)?;
                Ok(Operation::Select { file: ty.file(), d, ab, condition })
            }
            _ => {
                written.only(&["ftz"])?;
                let of = written.type_from_last(1)?;
                Ok(Operation::SelectBySign {
                    file: of.file(),
                    c: ty,
                    ftz: written.has("ftz"),
                    d: self.first(written, of)?,
                    ab: self.sources(written, of)?,
                    by: self.source(written.operand(3)?, ty)?,
                })
            }
        }
    }

    /// `set`: a comparison, and then its result as a value.
    fn set(&mut self, written: &Written) -> Lowered {
        let parts = parts(written)?;
        let to = written.type_from_last(1)?;
        let true_half = match (to.half().unwrap_or(to).kind, to.is_float()) {
            (Kind::Brain, _) => 0x3f80,
            (_, true) => 0x3c00,
            _ => 0xffff,
        };
        let predicate = self.scopes.fresh(PREDICATE)?;
        let holds = Source::register(predicate.index);
        if let Some(half) = parts.ty.half() {
            let second = self.scopes.fresh(PREDICATE)?;
            let targets = [predicate.target(), second.target()];
            let compare = self.compare_pair(written, &parts, half, targets)?;
            self.push_guarded(written, compare)?;
            let low = self.chosen(written, true_half, holds)?;
            let high = self.chosen(written, true_half << 16, Source::register(second.index))?;
            let d = self.first(written, to)?;
            return Ok(Operation::Integer2 { op: Integer2::Or, ty: U32, d, ab: [low, high] });
        }
        let compare = self.comparison(written, &parts, predicate.target(), None)?;
        self.push_guarded(written, compare)?;
        let d = self.first(written, to)?;
        match to.bytes {
            4 => Ok(Operation::Spread { float: to.is_float(), d, predicate: holds }),
            2 => {
                let ab = [self.constant(true_half, U32), self.constant(0, U32)];
                let condition = Condition { predicate: holds, negated: false };
                Ok(Operation::Select { file: to.file(), d, ab, condition })
            }
            _ => Err("set gives 16 or 32 bits".into()),
        }
    }

    /// A word where a predicate holds, and zero elsewhere.
    fn chosen(
        &mut self,
        written: &Written,
        word: u64,
        predicate: Source,
    ) -> Result<Source, Trouble> {
        let register = self.scopes.fresh(U32)?;
        let ab = [self.constant(word, U32), self.constant(0, U32)];
        let condition = Condition { predicate, negated: false };
        let d = register.target();
        self.push_guarded(written, Operation::Select { file: U32.file(), d, ab, condition })?;
        Ok(Source::register(register.index))
    }

    /// Compares both halves of pairs; the last instruction is that of the upper one.
    fn compare_pair(
        &mut self,
        written: &Written,
        parts: &Parts,
        half: Type,
        [p, q]: [Target; 2],
    ) -> Lowered {
        let low: [Source; 2] = self.sources(written, parts.ty)?;
        let mut high = low;
        for (source, of) in high.iter_mut().zip(low) {
            let register = self.scopes.fresh(U32)?;
            let (d, amount) = (register.target(), self.constant(16, U32));
            let shift = Operation::Shift { left: false, ty: U32, d, a: of, amount };
            self.push_guarded(written, shift)?;
            *source = Source::register(register.index);
        }
        let combine = match parts.logic {
            Some(logic) => Some((logic, self.condition(written.operand(3)?)?)),
            None => None,
        };
        let (comparison, ftz) = (parts.comparison, written.has("ftz"));
        let of = |p: Target, ab: [Source; 2]| Operation::Compare {
            comparison,
            ty: half,
            ftz,
            combine,
            p,
            q: None,
            ab,
        };
        self.push_guarded(written, of(p, low))?;
        Ok(of(q, high))
    }

    fn comparison(
        &mut self,
        written: &Written,
        parts: &Parts,
        p: Target,
        q: Option<Target>,
    ) -> Lowered {
        let combine = match parts.logic {
            Some(logic) => Some((logic, self.condition(written.operand(3)?)?)),
            None => None,
        };
        Ok(Operation::Compare {
            comparison: parts.comparison,
            ty: parts.ty,
            ftz: written.has("ftz"),
            combine,
            p,
            q,
            ab: self.sources(written, parts.ty)?,
        })
    }

    /// `and.pred` and so on.
    pub(super) fn logic(&mut self, written: &Written) -> Lowered {
        let p = self.first(written, PREDICATE)?;
        let a = self.condition(written.operand(1)?)?;
        let op = match written.opcode {
            "and" => Logic::And,
            "or" => Logic::Or,
            "xor" => Logic::Xor,
            "not" => {
                let inverted = Condition { negated: !a.negated, ..a };
                return Ok(Operation::Logic { op: Logic::And, p, a: inverted, b: inverted });
            }
            _ => return Err("not for predicates".into()),
        };
        Ok(Operation::Logic { op, p, a, b: self.condition(written.operand(2)?)? })
    }
}

fn parts(written: &Written) -> Result<Parts, Trouble> {
    let ty = written.last_type()?;
    let logic = written.modifiers.iter().find_map(|name| match *name {
        "and" => Some(Logic::And),
        "or" => Some(Logic::Or),
        "xor" => Some(Logic::Xor),
        _ => None,
    });
    let name = written.modifiers.first().copied().unwrap_or_default();
    let comparison = comparison(name).ok_or("a comparison is missing")?;
    if ty.bytes < 2 {
        return Err("this type cannot be compared".into());
    }
    Ok(Parts { comparison, logic, ty })
}

/// The comparison of that name.
pub(super) fn comparison(name: &str) -> Option<Comparison> {
    Some(match name {
        "eq" => Comparison::Eq,
        "ne" => Comparison::Ne,
        "lt" | "lo" => Comparison::Lt,
        "le" | "ls" => Comparison::Le,
        "gt" | "hi" => Comparison::Gt,
        "ge" | "hs" => Comparison::Ge,
        "equ" => Comparison::Equ,
        "neu" => Comparison::Neu,
        "ltu" => Comparison::Ltu,
        "leu" => Comparison::Leu,
        "gtu" => Comparison::Gtu,
        "geu" => Comparison::Geu,
        "num" => Comparison::Num,
        "nan" => Comparison::Nan,
        _ => return None,
    })
}
