//! `alloca`, `stacksave` and `stackrestore`.

use super::super::literal::Literal;
use super::super::written::{Operand, Written};
use super::body::Body;
use super::operands::Lowered;
use crate::isa::Operation;

/// Greatest alignment: 2 to the power of 23.
const MOST_ALIGN: i128 = 1 << 23;

impl Body<'_, '_> {
    /// `alloca d, bytes{, align}`, `stacksave d`, `stackrestore a`
    pub(super) fn stack(&mut self, written: &Written) -> Lowered {
        written.only(&[])?;
        let ty = written.last_type()?;
        if ty.is_float() || ty.bytes < 4 {
            return Err("u32 and u64 are accepted".into());
        }
        let file = ty.file();
        match written.opcode {
            "stacksave" => Ok(Operation::SaveLocal { file, d: self.first(written, ty)? }),
            "stackrestore" => {
                let a = self.source(written.operand(0)?, ty)?;
                Ok(Operation::RestoreLocal { file, a })
            }
            _ => {
                let (d, [bytes]) = (self.first(written, ty)?, self.sources(written, ty)?);
                let align = match written.operands.get(2) {
                    None => 8,
                    Some(Operand::Literal(Literal::Integer(align)))
                        if (1..=MOST_ALIGN).contains(align) && align.count_ones() == 1 =>
                    {
                        written.asked.set(3);
                        *align as u32
                    }
                    Some(_) => return Err("an alignment is a power of two up to 2^23".into()),
                };
                Ok(Operation::AllocateLocal { file, d, bytes, align })
            }
        }
    }
}
