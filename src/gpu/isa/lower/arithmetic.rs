//! Integer arithmetic and operations on bits.

use super::super::layout::Trouble;
use super::super::types::{Kind, Type};
use super::super::written::{Operand, Written};
use super::body::Body;
use super::operands::{Lowered, PREDICATE, U32, U64};
use crate::isa::{
    Bits3, Carry, Comparison, Count, Integer1, Integer2, Integer3, Logic, Operation, PermuteMode,
    Source, Video, VideoOp,
};

impl Body<'_, '_> {
    /// Integer arithmetic.
    pub(super) fn arithmetic(&mut self, written: &Written) -> Lowered {
        written.only(&["lo", "hi", "wide", "sat", "cc", "relu"])?;
        let ty = written.last_type()?;
        if ty.bytes < 2 || ty.kind == Kind::Bits {
            return Err("this type has no arithmetic".into());
        }
        if let Some(op) = carry(written) {
            return self.carry(op, ty, written);
        }
        let high = written.has("hi");
        let saturate = written.has("sat");
        let op = match written.opcode {
            "mul" | "mad" if written.has("wide") => return self.widening(ty, written),
            "add" if saturate => Integer2::AddSat,
            "add" => Integer2::Add,
            "sub" if saturate => Integer2::SubSat,
            "sub" => Integer2::Sub,
            "mul" if high => Integer2::MulHi,
            "mul" => Integer2::MulLo,
            "mul24" if high => Integer2::Mul24Hi,
            "mul24" => Integer2::Mul24Lo,
            "div" => Integer2::Div,
            "rem" => Integer2::Rem,
            "min" => Integer2::Min,
            "max" => Integer2::Max,
            "abs" => return self.integer1(Integer1::Abs, ty, written),
            "neg" => return self.integer1(Integer1::Neg, ty, written),
            "mad" if saturate => return self.integer3(Integer3::MadHiSat, ty, written),
            "mad" if high => return self.integer3(Integer3::MadHi, ty, written),
            "mad" => return self.integer3(Integer3::MadLo, ty, written),
            "mad24" if saturate => return self.integer3(Integer3::Mad24HiSat, ty, written),
            "mad24" if high => return self.integer3(Integer3::Mad24Hi, ty, written),
            "mad24" => return self.integer3(Integer3::Mad24Lo, ty, written),
            "sad" => return self.integer3(Integer3::Sad, ty, written),
            _ => return Err("this instruction is not supported".into()),
        };
        if !written.has("relu") {
            return self.integer2(op, ty, written);
        }
        if !matches!(op, Integer2::Min | Integer2::Max) || (ty.kind, ty.bytes) != (Kind::Signed, 4)
        {
            return Err(".relu is for min and max of .s32, .s16x2 and floats".into());
        }
        let (ab, inner) = (self.sources(written, ty)?, self.scopes.fresh(ty)?);
        self.push_guarded(written, Operation::Integer2 { op, ty, d: inner.target(), ab })?;
        let (d, zero) = (self.first(written, ty)?, self.constant(0, ty));
        let ab = [Source::register(inner.index), zero];
        Ok(Operation::Integer2 { op: Integer2::Max, ty, d, ab })
    }

    /// `add`, `min` and `max` of `.s16x2` and `.u16x2`.
    pub(super) fn integer_pairs(&mut self, written: &Written) -> Lowered {
        written.only(&["s16x2", "u16x2", "relu"])?;
        let op = match written.opcode {
            "add" => VideoOp::Add,
            "min" => VideoOp::Min,
            "max" => VideoOp::Max,
            _ => return Err("pairs of integers are added, or their min or max taken".into()),
        };
        let (signed, relu) = (written.has("s16x2"), written.has("relu"));
        if relu && (op == VideoOp::Add || !signed) {
            return Err(".relu is for min and max of .s32, .s16x2 and floats".into());
        }
        // What is negative saturates at 0 as an unsigned number.
        let d_signed = signed && !relu;
        let video = Video { d_signed, saturate: relu, ..Video::plain(op, 2, signed) };
        let (d, [a, b]) = (self.first(written, U32)?, self.sources(written, U32)?);
        Ok(Operation::Bits3 { op: Bits3::Video(video), d, abc: [a, b, b] })
    }

    /// Logic, shifts, bit fields.
    pub(super) fn bits(&mut self, written: &Written) -> Lowered {
        let modes = ["l", "r", "clamp", "wrap", "shiftamt"];
        let permutations = ["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"];
        let logic = if written.opcode == "lop3" { &["and", "or"][..] } else { &[] };
        written.only(&[&modes[..], &permutations, &["lo", "hi"], logic].concat())?;
        let of_words = ["shf", "lop3", "prmt", "dp4a", "dp2a", "bmsk", "szext", "fns"];
        if of_words.contains(&written.opcode) {
            return self.words(written);
        }
        let ty = written.last_type()?;
        if ty.bytes == 0 {
            return self.logic(written);
        }
        if ty.is_float() {
            return Err("this type has no bits to work on".into());
        }
        match written.opcode {
            "and" => self.integer2(Integer2::And, ty, written),
            "or" => self.integer2(Integer2::Or, ty, written),
            "xor" => self.integer2(Integer2::Xor, ty, written),
            "not" => self.integer1(Integer1::Not, ty, written),
            "cnot" => self.integer1(Integer1::Cnot, ty, written),
            "brev" => self.integer1(Integer1::Brev, ty, written),
            "shl" | "shr" => Ok(Operation::Shift {
                left: written.opcode == "shl",
                ty,
                d: self.first(written, ty)?,
                a: self.source(written.operand(1)?, ty)?,
                amount: self.source(written.operand(2)?, U32)?,
            }),
            "popc" => self.count(Count::Popc, ty, written),
            "clz" => self.count(Count::Clz, ty, written),
            "bfind" if written.has("shiftamt") => self.count(Count::BfindShift, ty, written),
            "bfind" => self.count(Count::Bfind, ty, written),
            "bfe" => Ok(Operation::Extract {
                ty,
                d: self.first(written, ty)?,
                a: self.source(written.operand(1)?, ty)?,
                position: self.source(written.operand(2)?, U32)?,
                length: self.source(written.operand(3)?, U32)?,
            }),
            _ => Ok(Operation::Insert {
                ty,
                d: self.first(written, ty)?,
                ab: self.sources(written, ty)?,
                position: self.source(written.operand(3)?, U32)?,
                length: self.source(written.operand(4)?, U32)?,
            }),
        }
    }

    fn integer1(&mut self, op: Integer1, ty: Type, written: &Written) -> Lowered {
        let (d, [a]) = (self.first(written, ty)?, self.sources(written, ty)?);
        Ok(Operation::Integer1 { op, ty, d, a })
    }

    fn count(&mut self, op: Count, ty: Type, written: &Written) -> Lowered {
        let (d, [a]) = (self.first(written, U32)?, self.sources(written, ty)?);
        Ok(Operation::Count { op, ty, d, a })
    }

    fn integer2(&mut self, op: Integer2, ty: Type, written: &Written) -> Lowered {
        let d = self.first(written, ty)?;
        Ok(Operation::Integer2 { op, ty, d, ab: self.sources(written, ty)? })
    }

    fn integer3(&mut self, op: Integer3, ty: Type, written: &Written) -> Lowered {
        let d = self.first(written, ty)?;
        Ok(Operation::Integer3 { op, ty, d, abc: self.sources(written, ty)? })
    }

    fn widening(&mut self, ty: Type, written: &Written) -> Lowered {
        if ty.bytes == 8 {
            return Err("there is no type twice as wide".into());
        }
        let double = Type { bytes: ty.bytes * 2, ..ty };
        let d = self.first(written, double)?;
        let [a, b] = self.sources(written, ty)?;
        let c = match written.opcode {
            "mad" => Some(self.source(written.operand(3)?, double)?),
            _ => None,
        };
        Ok(Operation::Widening { ty, d, a, b, c })
    }

    fn carry(&mut self, op: Carry, ty: Type, written: &Written) -> Lowered {
        let d = self.first(written, ty)?;
        let abc = match op {
            Carry::Add | Carry::Sub => self.sources(written, ty).map(|[a, b]| [a, b, b])?,
            Carry::MadLo | Carry::MadHi => self.sources(written, ty)?,
        };
        let carry_in = written.opcode.ends_with('c');
        let carry_out = written.has("cc");
        Ok(Operation::Carry { op, ty, carry_in, carry_out, d, abc })
    }

    /// What exists for 32-bit words only.
    fn words(&mut self, written: &Written) -> Lowered {
        if let Operand::Pair(d, p) = written.operand(0)? {
            return self.lop3_with_predicate(written, d, p);
        }
        let d = self.first(written, U32)?;
        if matches!(written.opcode, "bmsk" | "szext") {
            let [a, b] = self.sources(written, U32)?;
            let wrap = written.has("wrap");
            let op = match written.opcode {
                "bmsk" => Bits3::Mask { wrap },
                _ => Bits3::Extend { signed: written.last_type()?.is_signed(), wrap },
            };
            return Ok(Operation::Bits3 { op, d, abc: [a, b, b] });
        }
        let abc = self.sources(written, U32)?;
        let op = match written.opcode {
            "fns" => Bits3::FindSet,
            "dp2a" => Bits3::Dp2a {
                a_signed: written.type_from_last(1)?.is_signed(),
                b_signed: written.type_from_last(0)?.is_signed(),
                high: written.has("hi"),
            },
            "shf" => Bits3::Funnel { left: written.has("l"), wrap: written.has("wrap") },
            "lop3" => Bits3::Lop3(self.table(written)?),
            "dp4a" => Bits3::Dp4a {
                a_signed: written.type_from_last(1)?.is_signed(),
                b_signed: written.type_from_last(0)?.is_signed(),
            },
            _ => Bits3::Permute(match written.modifiers.last() {
                Some(&"f4e") => PermuteMode::F4e,
                Some(&"b4e") => PermuteMode::B4e,
                Some(&"rc8") => PermuteMode::Rc8,
                Some(&"ecl") => PermuteMode::Ecl,
                Some(&"ecr") => PermuteMode::Ecr,
                Some(&"rc16") => PermuteMode::Rc16,
                _ => PermuteMode::Index,
            }),
        };
        Ok(Operation::Bits3 { op, d, abc })
    }

    /// `lop3.or.b32 d|p, a, b, c, table, q`: whether the result is not zero, combined with `q`.
    fn lop3_with_predicate(&mut self, written: &Written, d: &Operand, p: &Operand) -> Lowered {
        let logic = match written.modifiers[..] {
            ["and", "b32"] if written.opcode == "lop3" => Logic::And,
            ["or", "b32"] if written.opcode == "lop3" => Logic::Or,
            _ => return Err("d|p is written by lop3.and.b32 and lop3.or.b32".into()),
        };
        let (d, abc) = (self.target(d, U32)?, self.sources(written, U32)?);
        let op = Bits3::Lop3(self.table(written)?);
        let with = self.condition(written.operand(5)?)?;
        let p = self.target(p, PREDICATE)?;
        self.push_guarded(written, Operation::Bits3 { op, d, abc })?;
        Ok(Operation::Compare {
            comparison: Comparison::Ne,
            ty: U32,
            ftz: false,
            combine: Some((logic, with)),
            p,
            q: None,
            ab: [Source::register(d.0), self.constant(0, U32)],
        })
    }

    fn table(&mut self, written: &Written) -> Result<u8, Trouble> {
        let table = self.source(written.operand(4)?, U64)?;
        let table = table.as_constant().map(|at| self.lowering.program.wide_constants[at]);
        let table = table.and_then(|table| u8::try_from(table).ok());
        table.ok_or_else(|| "the table of lop3 is a number up to 255".into())
    }
}

fn carry(written: &Written) -> Option<Carry> {
    let with_flag = written.has("cc") || matches!(written.opcode, "addc" | "subc" | "madc");
    let op = match written.opcode {
        "add" | "addc" => Carry::Add,
        "sub" | "subc" => Carry::Sub,
        "mad" | "madc" if written.has("hi") => Carry::MadHi,
        "mad" | "madc" => Carry::MadLo,
        _ => return None,
    };
    with_flag.then_some(op)
}
