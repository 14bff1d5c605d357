//! Conversions between types and between kinds of addresses.

use super::super::layout::Trouble;
use super::super::scope::Register;
use super::super::types::{Space, Type};
use super::super::written::Written;
use super::body::Body;
use super::float::mode;
use super::operands::{F32, Lowered, PREDICATE, U32, U64};
use crate::isa::{
    Bits3, Float1, FloatMode, Kind, Operation, Parts, Rounding, Source, SourceIn, TargetIn, ToTf32,
};

impl Body<'_, '_> {
    /// `cvt`
    pub(super) fn cvt(&mut self, written: &Written) -> Lowered {
        match written.modifiers.first() {
            Some(&"pack") => return self.cvt_pack(written),
            _ if written.has("tf32") => return self.cvt_to_tf32(written),
            _ => {}
        }
        let integral = ["rni", "rzi", "rmi", "rpi"];
        let pairs = ["satfinite", "e4m3x2", "e5m2x2"];
        let known =
            [&integral[..], &["rn", "rz", "rm", "rp", "ftz", "sat", "relu"], &pairs].concat();
        written.only(&known)?;
        let mut names = written.modifiers.iter().rev().filter(|name| **name != "relu");
        let [from, to] = [names.next(), names.next()].map(|name| Type::part_named(name?));
        if let Some(to) = to {
            return self.cvt_pair(written, to, from);
        }
        let (to, from) = (written.type_from_last(1)?, written.type_from_last(0)?);
        if to.bytes == 0 || from.bytes == 0 {
            return Err("predicates are not converted: use selp or setp".into());
        }
        if from.half().is_some() {
            return Err("a pair is not converted: take it apart with mov.b32 {low, high}".into());
        }
        if written.has("satfinite") && !(to.is_float() && to.bytes == 2) {
            return Err(
                ".satfinite is for results of .f16, .bf16, .tf32 and numbers of 8 bits".into()
            );
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

    /// `cvt.rn.f16x2.f32 d, a, b`: `a` becomes the upper half. One of two pairs is of bytes.
    fn cvt_pair(&mut self, written: &Written, to: Type, from: Option<Type>) -> Lowered {
        let is_of_bytes = |ty: Type| ty.bytes == 1;
        if from.is_some_and(|from| is_of_bytes(from) == is_of_bytes(to)) {
            return Err("of two pairs one is of bytes: .e4m3x2 or .e5m2x2".into());
        }
        if is_of_bytes(to) && !written.has("satfinite") {
            return Err("results of .e4m3x2 and .e5m2x2 must have .satfinite".into());
        }
        let mode = mode(written);
        let (from, sources) = match from {
            Some(from) => (from, self.parts_of_pair(written, from)?),
            None => {
                let from = written.type_from_last(0)?;
                let mut source = |operand| self.source_in(written.operand(operand)?, from);
                (from, [source(2)?, source(1)?])
            }
        };
        let mut parts = [Source::register(0); 4];
        for (part, a) in parts.iter_mut().zip(sources) {
            let register = self.scopes.fresh(to)?;
            let d = TargetIn { file: to.file(), target: register.target(), bytes: to.bytes };
            let convert = Operation::Convert { to, from, mode, integral: false, d, a };
            self.push_guarded(written, convert)?;
            *part = Source::register(register.index);
        }
        let whole = Type { kind: Kind::Bits, bytes: 2 * to.bytes };
        let parts = Parts { parts, count: 2, bits: 8 * to.bytes, whole: whole.file() };
        Ok(Operation::Pack { parts, d: self.first(written, whole)? })
    }

    /// `cvt.rn.relu.satfinite.tf32.f32 d, a`
    fn cvt_to_tf32(&mut self, written: &Written) -> Lowered {
        let how = match written.modifiers.first() {
            Some(&"rna") => ToTf32::Away,
            Some(&"rn") => ToTf32::Even,
            Some(&"rz") => ToTf32::Zero,
            _ => return Err(".rn, .rz or .rna is missing".into()),
        };
        written.only(&["rna", "rn", "rz", "relu", "satfinite", "tf32"])?;
        if written.last_type()? != F32 || how == ToTf32::Away && written.has("relu") {
            return Err(".tf32 is made of .f32, with .relu unless it is .rna".into());
        }
        let mode = FloatMode { rounding: Rounding::Nearest, ..mode(written) };
        let (d, [a]) = (self.first(written, U32)?, self.sources(written, F32)?);
        Ok(Operation::Float1 { op: Float1::Tf32(how), mode, ty: F32, d, a })
    }

    /// `cvt.pack.sat.u8.s32.b32 d, a, b, c`: `a` above `b`, and `c` above both.
    fn cvt_pack(&mut self, written: &Written) -> Lowered {
        let ["pack", "sat", to, "s32", ref rest @ ..] = written.modifiers[..] else {
            return Err(".pack.sat makes a type of .s32".into());
        };
        let bits = to.get(1..).and_then(|bits| bits.parse::<u8>().ok());
        let (bits, signed) = match (bits, to.as_bytes()[0]) {
            (Some(bits @ (2 | 4 | 8 | 16)), sign @ (b'u' | b's')) => (bits, sign == b's'),
            _ => return Err("u16, s16, u8, s8, u4, s4, u2 and s2 are accepted".into()),
        };
        let d = self.first(written, U32)?;
        let [a, b] = self.sources(written, U32)?;
        let c = match (bits, rest) {
            (16, []) => b,
            (2..16, ["b32"]) => self.source(written.operand(3)?, U32)?,
            _ => return Err("16 bits are packed without .b32, fewer with it".into()),
        };
        Ok(Operation::Bits3 { op: Bits3::Pack { bits, signed }, d, abc: [a, b, c] })
    }

    /// Takes a pair apart.
    fn parts_of_pair(&mut self, written: &Written, part: Type) -> Result<[SourceIn; 2], Trouble> {
        let whole = Type { kind: Kind::Bits, bytes: 2 * part.bytes };
        let a = self.source(written.operand(1)?, whole)?;
        let registers = [self.scopes.fresh(part)?, self.scopes.fresh(part)?];
        let mut parts = [None; 4];
        for (part, register) in parts.iter_mut().zip(&registers) {
            *part = Some(register.target());
        }
        let parts = Parts { parts, count: 2, bits: 8 * part.bytes, whole: whole.file() };
        self.push_guarded(written, Operation::Unpack { parts, a })?;
        let source = |register: &Register| Source::register(register.index);
        Ok(registers.each_ref().map(|it| SourceIn { file: part.file(), source: source(it) }))
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
        "shared::cluster" => Space::Cluster,
        "local" => Space::Local,
        "const" => Space::Const,
        "param" | "param::entry" | "param::func" => Space::Param,
        _ => return None,
    })
}
