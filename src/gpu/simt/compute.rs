//! Instructions that neither jump nor go to memory.

use super::access::lanes_of;
use super::alu::{for_packed, for_type};
use super::problem::Problem;
use super::registers::{LANES, Word};
use super::warp::{Surroundings, Warp};
use crate::isa::{File, Logic, Operation, Parts, Source, SourceIn, Target};

impl Warp {
    pub(super) fn compute(
        &mut self,
        operation: &Operation,
        mask: u32,
        around: Surroundings,
    ) -> Result<(), Problem> {
        let image = around.image;
        let mut alu = self.alu(image, mask);
        match *operation {
            Operation::Integer1 { op, ty, d, a } => for_type!(ty, alu.integer1(op, d, a)),
            Operation::Count { op, ty, d, a } => for_type!(ty, alu.count(op, d, a)),
            Operation::Integer2 { op, ty, d, ab } => for_type!(ty, alu.integer2(op, d, ab)),
            Operation::Integer3 { op, ty, d, abc } => for_type!(ty, alu.integer3(op, d, abc)),
            Operation::Widening { ty, d, a, b, c } => alu.widening(ty, d, a, b, c),
            Operation::Carry { op, ty, carry_in, carry_out, d, abc } => {
                for_type!(ty, alu.carry([carry_in, carry_out], op, d, abc));
            }
            Operation::Shift { left, ty, d, a, amount } => {
                for_type!(ty, alu.shift(left, d, a, amount));
            }
            Operation::Extract { ty, d, a, position, length } => {
                for_type!(ty, alu.extract(d, [a, position, length]));
            }
            Operation::Insert { ty, d, ab: [a, b], position, length } => {
                for_type!(ty, alu.insert(d, [a, b, position, length]));
            }
            Operation::Bits3 { op, d, abc } => alu.bits3(op, d, abc),
            Operation::Float1 { op, mode, ty, d, a } => for_packed!(ty, alu.float1(op, mode, d, a)),
            Operation::Float2 { op, mode, ty, d, ab } => {
                for_packed!(ty, alu.float2(op, mode, d, ab))
            }
            Operation::Fused { mode, ty, d, abc } => for_packed!(ty, alu.fused(mode, d, abc)),
            Operation::Convert { to, from, mode, integral, d, a } => {
                alu.convert([to, from], mode, integral, d, a);
            }
            Operation::Compare { comparison, ty, ftz, combine, p, q, ab } => {
                let found = alu.compare(comparison, ty, ftz, ab);
                let combined = |found| match combine {
                    Some((op, with)) => logic(op, found, alu.registers.condition(image, with)),
                    None => found,
                };
                let (for_p, for_q) = (combined(found), combined(!found));
                alu.registers.write_predicate(p, mask, for_p);
                if let Some(q) = q {
                    alu.registers.write_predicate(q, mask, for_q);
                }
            }
            Operation::TestFloat { class, ty, p, a } => {
                let found = alu.test_float(class, ty, a);
                alu.registers.write_predicate(p, mask, found);
            }
            Operation::Spread { float, d, predicate } => {
                let bits = alu.registers.predicate(image, predicate);
                let value = if float { 1f32.to_bits() } else { u32::MAX };
                let values = std::array::from_fn(|lane| (bits >> lane & 1) * value);
                alu.registers.write(d, mask, &values);
            }
            Operation::Select { file, d, ab, condition } => {
                let bits = alu.registers.condition(image, condition);
                alu.select(file, d, ab, bits);
            }
            Operation::SelectBySign { file, c, ftz, d, ab, by } => {
                let bits = alu.not_negative(c, ftz, by);
                alu.select(file, d, ab, bits);
            }
            Operation::Logic { op, p, a, b } => {
                let a = alu.registers.condition(image, a);
                let b = alu.registers.condition(image, b);
                alu.registers.write_predicate(p, mask, logic(op, a, b));
            }
            Operation::Move { file: File::Wide, d, a } => {
                let row = *u64::row(alu.registers, image, a);
                alu.registers.write(d, mask, &row);
            }
            Operation::Move { d, a, .. } => {
                let row = *u32::row(alu.registers, image, a);
                alu.registers.write(d, mask, &row);
            }
            Operation::Pack { parts, d } => self.pack(&parts, d, mask, around),
            Operation::Unpack { parts, a } => self.unpack(&parts, a, mask, around),
            Operation::Special { special, file, d } => self.special(special, file, d, mask, around),
            Operation::FrameAddress { file, d, offset } => {
                let address = u64::from(self.local_base()).wrapping_add(offset);
                self.write_both(file, d, mask, &[address; LANES]);
            }
            Operation::ToGeneric { space, file, d, a } => {
                let a = self.registers.read_any(image, SourceIn { file, source: a });
                let values = a.map(|address| address.wrapping_add(space.window()));
                self.write_both(file, d, mask, &values);
            }
            Operation::FromGeneric { space, file, d, a } => {
                let a = self.registers.read_any(image, SourceIn { file, source: a });
                let values = a.map(|address| address.wrapping_sub(space.window()));
                self.write_both(file, d, mask, &values);
            }
            Operation::Matrix(ref form) => return self.multiply(form, mask, around),
            Operation::Transpose { d, a } => self.transpose(d, a, mask, around)?,
            Operation::CheckIndex { index, targets } => {
                let found = self.row::<u32>(image, index);
                let beyond = lanes_of(mask).find(|lane| found[*lane] >= targets);
                if let Some(lane) = beyond {
                    return Err(Problem::NoTarget { index: found[lane], targets });
                }
            }
            Operation::AllocateLocal { file, d, bytes, align } => {
                self.allocate_local([d.0, align], file, bytes, mask, image)?;
            }
            Operation::SaveLocal { file, d } => self.save_local(file, d, mask),
            Operation::RestoreLocal { file, a } => self.restore_local(file, a, mask, image),
            Operation::MatrixAddress(ref form) => self.matrix_address(form, mask, around),
            Operation::Query { query, d, handle } => self.query(query, d, handle, mask, around)?,
            Operation::IsSpace { space, p, a } => {
                let addresses = self.registers.read_any(image, a);
                let bits = (0..LANES).fold(0, |all, lane| {
                    all | u32::from(self.lies_in(space, addresses[lane])) << lane
                });
                self.registers.write_predicate(p, mask, bits);
            }
            Operation::Map { generic, file, d, a, rank } => {
                return self.map((generic, file), d, [a, rank], mask, around);
            }
            Operation::RankOf { generic, file, d, a } => {
                return self.rank_of((generic, file), d, a, mask, around);
            }
            ref other => return self.together(other, mask, around),
        }
        Ok(())
    }

    /// Writes 64-bit values to a register of either file.
    pub(super) fn write_both(&mut self, file: File, d: Target, mask: u32, values: &[u64; LANES]) {
        match file {
            File::Wide => self.registers.write(d, mask, values),
            File::Predicate => {
                let bits = lanes_of(mask).filter(|lane| values[*lane] != 0);
                let bits = bits.fold(0, |all, lane| all | 1 << lane);
                self.registers.write_predicate(d, mask, bits);
            }
            File::Narrow => self.registers.write(d, mask, &values.map(|value| value as u32)),
        }
    }

    fn pack(&mut self, parts: &Parts<Source>, d: Target, mask: u32, around: Surroundings) {
        let mut whole = [0u64; LANES];
        for (at, part) in parts.parts.iter().take(parts.count.into()).enumerate() {
            let row = self.row::<u32>(around.image, *part);
            for lane in 0..LANES {
                whole[lane] |= u64::from(row[lane]) << (at * usize::from(parts.bits));
            }
        }
        self.write_both(parts.whole, d, mask, &whole);
    }

    fn unpack(
        &mut self,
        parts: &Parts<Option<Target>>,
        a: Source,
        mask: u32,
        around: Surroundings,
    ) {
        let whole = SourceIn { file: parts.whole, source: a };
        let whole = self.registers.read_any(around.image, whole);
        let low = (1u64 << parts.bits) - 1;
        for (at, part) in parts.parts.iter().take(parts.count.into()).enumerate() {
            let values = whole.map(|word| (word >> (at * usize::from(parts.bits)) & low) as u32);
            if let Some(part) = part {
                self.registers.write(*part, mask, &values);
            }
        }
    }
}

pub(super) fn logic(op: Logic, a: u32, b: u32) -> u32 {
    match op {
        Logic::And => a & b,
        Logic::Or => a | b,
        Logic::Xor => a ^ b,
    }
}
