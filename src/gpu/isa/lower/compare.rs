//! Comparisons, selection, logic on predicates.

use super::super::layout::Trouble;
use super::super::types::Type;
use super::super::written::{Operand, Written};
use super::body::Body;
use super::operands::{Lowered, PREDICATE};
use crate::gpu::isa::{Comparison, Condition, Logic, Operation, Source, Target};

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
                self.comparison(written, &parts(written)?, p, q)
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
        if to.bytes != 4 {
            return Err("set gives 32 bits".into());
        }
        let predicate = self.scopes.fresh(PREDICATE)?;
        let compare = self.comparison(written, &parts, predicate.target(), None)?;
        let guard = written.guard.as_ref().map(|guard| self.condition(guard)).transpose()?;
        self.push(self.line, guard, compare);
        let d = self.first(written, to)?;
        let predicate = Source::register(predicate.index);
        Ok(Operation::Spread { float: to.is_float(), d, predicate })
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
    let comparison = match written.modifiers.first().copied().unwrap_or_default() {
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
        _ => return Err("a comparison is missing".into()),
    };
    if ty.bytes < 2 {
        return Err("this type cannot be compared".into());
    }
    Ok(Parts { comparison, logic, ty })
}
