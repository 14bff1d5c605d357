//! Conversions between types and between kinds of addresses.

use super::super::types::{Space, Type};
use super::super::written::Written;
use super::body::Body;
use super::float::mode;
use super::operands::{F32, Lowered, PREDICATE, U32, U64};
use crate::isa::{Float1, FloatMode, Operation, Parts, Source, TargetIn};

impl Body<'_, '_> {
    /// `cvt`
    pub(super) fn cvt(&mut self, written: &Written) -> Lowered {
        if written.modifiers == ["rna", "tf32", "f32"] {
            let d = self.first(written, U32)?;
            let (op, mode, ty) = (Float1::Tf32, FloatMode::default(), F32);
            let a = self.source(written.operand(1)?, ty)?;
            return Ok(Operation::Float1 { op, mode, ty, d, a });
        }
        let integral = ["rni", "rzi", "rmi", "rpi"];
        let known = [&integral[..], &["rn", "rz", "rm", "rp", "ftz", "sat", "relu"]].concat();
        written.only(&known)?;
        let (to, from) = (written.type_from_last(1)?, written.type_from_last(0)?);
        if to.bytes == 0 || from.bytes == 0 {
            return Err("predicates are not converted: use selp or setp".into());
        }
        if let Some(half) = to.half() {
            return self.cvt_pair(written, half, to, from);
        }
        if from.half().is_some() {
            return Err("a pair is not converted: take it apart with mov.b32 {low, high}".into());
        }
        let is_integral = integral.iter().any(|name| written.has(name));
        Ok(Operation::Convert {
            to,
            from,
            mode: mode(written),
            integral: is_integral,
            d: self.target_in(written.operand(0)?, to)?,
            a: self.source_in(written.operand(1)?, from)?,
        })
    }

    /// `cvt.rn.f16x2.f32 d, a, b`: `a` becomes the upper half.
    fn cvt_pair(&mut self, written: &Written, half: Type, to: Type, from: Type) -> Lowered {
        let mode = mode(written);
        let mut parts = [Source::register(0); 4];
        for (part, operand) in parts.iter_mut().zip([2, 1]) {
            let a = self.source_in(written.operand(operand)?, from)?;
            let register = self.scopes.fresh(half)?;
            let d = TargetIn { file: half.file(), target: register.target(), bytes: 2 };
            let convert = Operation::Convert { to: half, from, mode, integral: false, d, a };
            self.push_guarded(written, convert)?;
            *part = Source::register(register.index);
        }
        let parts = Parts { parts, count: 2, bits: 16, whole: to.file() };
        Ok(Operation::Pack { parts, d: self.first(written, to)? })
    }

    /// `cvta`, `isspacep`
    pub(super) fn address_space(&mut self, written: &Written) -> Lowered {
        let space = written.modifiers.iter().find_map(|name| space(name));
        let space = space.ok_or("this state space is not supported")?;
        if written.opcode == "isspacep" {
            let p = self.first(written, PREDICATE)?;
            return Ok(Operation::IsSpace {
                space,
                p,
                a: self.source_in(written.operand(1)?, U64)?,
            });
        }
        let ty = written.last_type()?;
        if ty.bytes != 8 {
            return Err("generic addresses have 64 bits: use cvta with .u64".into());
        }
        let file = ty.file();
        let d = self.first(written, ty)?;
        let a = self.source(written.operand(1)?, ty)?;
        Ok(match written.has("to") {
            true => Operation::FromGeneric { space, file, d, a },
            false => Operation::ToGeneric { space, file, d, a },
        })
    }
}

/// The state space of a modifier.
pub(super) fn space(name: &str) -> Option<Space> {
    Some(match name {
        "global" => Space::Global,
        "shared" | "shared::cta" => Space::Shared,
        "local" => Space::Local,
        "const" => Space::Const,
        "param" | "param::entry" | "param::func" => Space::Param,
        _ => return None,
    })
}
