//! Floating-point arithmetic.
//!
//! Approximations (`.approx`, `.full`) become the exact operation, or one evaluated in double
//! precision: at least as good as what PTX promises.

use super::super::types::{Rounding, Type};
use super::super::written::Written;
use super::body::Body;
use super::operands::{Lowered, PREDICATE};
use crate::isa::{Float1, Float2, FloatClass, FloatMode, Operation};

impl Body<'_, '_> {
    /// Arithmetic on `.f32` and `.f64`.
    pub(super) fn float(&mut self, written: &Written) -> Lowered {
        let ty = written.last_type()?;
        if written.opcode == "testp" {
            return self.testp(ty, written);
        }
        let known = ["rn", "rz", "rm", "rp", "ftz", "sat", "relu", "approx", "full", "NaN"];
        written.only(&known)?;
        let mode = mode(written);
        let not_a_number = written.has("NaN");
        let op = match written.opcode {
            "add" => Float2::Add,
            "sub" => Float2::Sub,
            "mul" => Float2::Mul,
            "div" if ty.bytes == 2 || ty.half().is_some() => {
                return Err("div has no numbers of 16 bits: convert to .f32".into());
            }
            "div" => Float2::Div,
            "min" if not_a_number => Float2::MinNan,
            "min" => Float2::Min,
            "max" if not_a_number => Float2::MaxNan,
            "max" => Float2::Max,
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
    }
}
