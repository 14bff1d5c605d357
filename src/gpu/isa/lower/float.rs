//! Floating-point arithmetic.
//!
//! Approximations (`.approx`, `.full`) become the exact operation, or one evaluated in double
//! precision: at least as good as what PTX promises.

use super::super::types::{Rounding, Type};
use super::super::written::Written;
use super::body::Body;
use super::operands::{Lowered, PREDICATE};
use crate::isa::{Extreme, Float1, Float2, FloatClass, FloatMode, Operation, Source};

impl Body<'_, '_> {
    /// Arithmetic on `.f32` and `.f64`.
    pub(super) fn float(&mut self, written: &Written) -> Lowered {
        let ty = written.last_type()?;
        if written.opcode == "testp" {
            return self.testp(ty, written);
        }
        if ty.half().is_some()
            && ty.bytes == 8
            && !matches!(written.opcode, "add" | "sub" | "mul" | "fma")
        {
            return Err(format!(
                "{} has no form of .f32x2: add, sub, mul and fma have",
                written.opcode
            ));
        }
        if written.has("oob") {
            return Err(
                "tensor copies, whose NaN .oob looks for, are not modelled: leave .oob out".into(),
            );
        }
        let known = ["rn", "rz", "rm", "rp", "ftz", "sat", "relu", "approx", "full"];
        if !matches!(written.opcode, "min" | "max") {
            written.only(&known)?;
        }
        let mode = mode(written);
        let op = match written.opcode {
            "add" => Float2::Add,
            "sub" => Float2::Sub,
            "mul" => Float2::Mul,
            "div" if ty.bytes == 2 || ty.half().is_some() => {
                return Err("div has no numbers of 16 bits: convert to .f32".into());
            }
            "div" => Float2::Div,
            "min" | "max" => return self.extreme(mode, ty, written),
            "copysign" => Float2::Copysign,
            "fma" | "mad" => {
                let d = self.first(written, ty)?;
                return Ok(Operation::Fused { mode, ty, d, abc: self.sources(written, ty)? });
            }
            _ => return self.float1(mode, ty, written),
        };
        let d = self.first(written, ty)?;
        Ok(Operation::Float2 { op, mode, ty, d, ab: self.sources(written, ty)? })
    }

    /// `min` and `max`, of three numbers too.
    fn extreme(&mut self, mode: FloatMode, ty: Type, written: &Written) -> Lowered {
        written.only(&["ftz", "relu", "NaN", "xorsign", "abs"])?;
        let of_three = written.operands.len() > 3;
        let extreme = extreme(written);
        if !of_three && extreme.magnitude != extreme.xor_sign {
            return Err(".xorsign and .abs go together; .abs alone is for three operands".into());
        }
        if of_three && (ty.bytes != 4 || ty.half().is_some() || extreme.xor_sign) {
            return Err("three operands are accepted for .f32, without .xorsign".into());
        }
        let op = Float2::Extreme(extreme);
        let (d, mut ab) = (self.first(written, ty)?, self.sources(written, ty)?);
        if of_three {
            let inner = self.scopes.fresh(ty)?;
            let c = self.source(written.operand(3)?, ty)?;
            self.push_guarded(written, Operation::Float2 { op, mode, ty, d: inner.target(), ab })?;
            ab = [Source::register(inner.index), c];
        }
        Ok(Operation::Float2 { op, mode, ty, d, ab })
    }

    fn float1(&mut self, mode: FloatMode, ty: Type, written: &Written) -> Lowered {
        if ty.bytes == 2 || ty.half().is_some() {
            let has = matches!(written.opcode, "abs" | "neg" | "ex2" | "tanh");
            if !has {
                return Err(format!(
                    "{} has no numbers of 16 bits: convert to .f32",
                    written.opcode
                ));
            }
        }
        let op = match written.opcode {
            "abs" => Float1::Abs,
            "neg" => Float1::Neg,
            "rcp" => Float1::Rcp,
            "sqrt" => Float1::Sqrt,
            "rsqrt" => Float1::Rsqrt,
            "sin" => Float1::Sin,
            "cos" => Float1::Cos,
            "lg2" => Float1::Lg2,
            "ex2" => Float1::Ex2,
            "tanh" => Float1::Tanh,
            _ => return Err("this instruction is not supported for floats".into()),
        };
        let d = self.first(written, ty)?;
        Ok(Operation::Float1 { op, mode, ty, d, a: self.source(written.operand(1)?, ty)? })
    }

    fn testp(&mut self, ty: Type, written: &Written) -> Lowered {
        let class = match written.modifiers.first() {
            Some(&"finite") => FloatClass::Finite,
            Some(&"infinite") => FloatClass::Infinite,
            Some(&"number") => FloatClass::Number,
            Some(&"notanumber") => FloatClass::NotANumber,
            Some(&"normal") => FloatClass::Normal,
            Some(&"subnormal") => FloatClass::Subnormal,
            _ => return Err("a class is missing".into()),
        };
        let p = self.first(written, PREDICATE)?;
        Ok(Operation::TestFloat { class, ty, p, a: self.source(written.operand(1)?, ty)? })
    }
}

/// Which of the numbers `min` or `max` takes.
pub(super) fn extreme(written: &Written) -> Extreme {
    let has = |name: &str| written.has(name);
    Extreme {
        greatest: written.opcode == "max" || has("max"),
        keep_nan: has("NaN"),
        magnitude: has("abs"),
        xor_sign: has("xorsign"),
    }
}

/// Rounding, flushing and saturation that the modifiers ask for.
pub(super) fn mode(written: &Written) -> FloatMode {
    let rounding = |name: &&str| match *name {
        "rn" | "rni" => Some(Rounding::Nearest),
        "rz" | "rzi" => Some(Rounding::Zero),
        "rm" | "rmi" => Some(Rounding::Down),
        "rp" | "rpi" => Some(Rounding::Up),
        _ => None,
    };
    FloatMode {
        rounding: written.modifiers.iter().find_map(rounding).unwrap_or(Rounding::Nearest),
        ftz: written.has("ftz"),
        saturate: written.has("sat"),
        relu: written.has("relu"),
        finite: written.has("satfinite"),
    }
}
