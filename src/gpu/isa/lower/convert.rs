//! Conversions between types and between kinds of addresses.

use super::super::types::Space;
use super::super::written::Written;
use super::body::Body;
use super::float::mode;
use super::operands::{Lowered, PREDICATE, U64};
use crate::gpu::isa::Operation;

impl Body<'_, '_> {
    /// `cvt`
    pub(super) fn cvt(&mut self, written: &Written) -> Lowered {
        let integral = ["rni", "rzi", "rmi", "rpi"];
        let known = [&integral[..], &["rn", "rz", "rm", "rp", "ftz", "sat"]].concat();
        written.only(&known)?;
        let (to, from) = (written.type_from_last(1)?, written.type_from_last(0)?);
        if to.bytes == 0 || from.bytes == 0 {
            return Err("predicates are not converted: use selp or setp".into());
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
            return Err("32-bit addresses are not supported".into());
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
