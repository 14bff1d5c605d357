//! What a read-modify-write makes of the old value.

use super::access::Access;
use crate::isa::{AtomicOp, MAX_ELEMENTS, Type};

/// Performs an atomic of a lane on the bytes that it is at; the old value goes to the access. Gives whether it stores: all
/// do, be it the value that was there, but a compare-and-swap that fails.
pub fn perform(op: AtomicOp, access: &mut Access, lane: usize, place: &mut [u8]) -> bool {
    let (size, count) = (usize::from(access.ty.bytes), usize::from(access.elements));
    let data: [u64; MAX_ELEMENTS] = access.data.each_ref().map(|element| element[lane]);
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..size].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    let mut halves = place.chunks_exact(size).zip(&data);
    let stores = op != AtomicOp::CompareAndSwap
        || halves.all(|(old, operand)| *old == operand.to_le_bytes()[..size]);
    for (at, half) in place.chunks_exact_mut(size).enumerate().take(count) {
        let old = word(half);
        if stores {
            let new = update(op, access.ty, old, [data[at], data[(at + count) % MAX_ELEMENTS]]);
            half.copy_from_slice(&new.to_le_bytes()[..size]);
        }
        access.data[at][lane] = old;
    }
    stores
}

/// The new value. `operands` are that of the instruction, and the new value of a
/// compare-and-swap.
pub fn update(op: AtomicOp, ty: Type, old: u64, operands: [u64; 2]) -> u64 {
    if let Some(half) = ty.half() {
        let [low, high] = [0, 16].map(|at| {
            let part = |word: u64| word >> at & 0xffff;
            update(op, half, part(old), operands.map(part)) << at
        });
        return low | high;
    }
    if ty.is_float() && op == AtomicOp::Add && ty.bytes == 2 {
        return ty.bits_of(ty.value_of(old) + ty.value_of(operands[0]));
    }
    if ty.is_float() && ty.bytes == 2 && matches!(op, AtomicOp::Min | AtomicOp::Max) {
        let [one, other] = [old, operands[0]].map(|bits| ty.value_of(bits));
        let is_other = other < one || one == 0.0 && other.is_sign_negative();
        let takes = one.is_nan() || !other.is_nan() && is_other == (op == AtomicOp::Min);
        return if takes { operands[0] & 0xffff } else { old };
    }
    if ty.bytes == 2 {
        let wide = Type { bytes: 4, ..ty };
        let [old, operands] = [[old, 0], operands].map(|pair| pair.map(|word| word & 0xffff));
        return update(op, wide, old[0], operands) & 0xffff;
    }
    let narrow = ty.bytes == 4;
    if ty.is_float() && op == AtomicOp::Add {
        return match narrow {
            true => {
                let sum = f32::from_bits(old as u32) + f32::from_bits(operands[0] as u32);
                let bits = if sum.is_nan() { 0x7fff_ffff } else { sum.to_bits() };
                bits.into()
            }
            false => (f64::from_bits(old) + f64::from_bits(operands[0])).to_bits(),
        };
    }
    let word = |value: u64| if narrow { u64::from(value as u32) } else { value };
    let signed = |value: u64| if narrow { i64::from(value as i32) } else { value as i64 };
    let [old, operand, second] = [old, operands[0], operands[1]].map(word);
    let is_less = match ty.is_signed() {
        true => signed(old) < signed(operand),
        false => old < operand,
    };
    match op {
        AtomicOp::Add => word(old.wrapping_add(operand)),
        AtomicOp::Min => [operand, old][usize::from(is_less)],
        AtomicOp::Max => [old, operand][usize::from(is_less)],
        AtomicOp::And => old & operand,
        AtomicOp::Or => old | operand,
        AtomicOp::Xor => old ^ operand,
        AtomicOp::Exchange => operand,
        AtomicOp::CompareAndSwap if old == operand => second,
        AtomicOp::CompareAndSwap => old,
        AtomicOp::Increment if old >= operand => 0,
        AtomicOp::Increment => old + 1,
        AtomicOp::Decrement if old == 0 || old > operand => operand,
        AtomicOp::Decrement => old - 1,
        // These can go wrong, and are done by `operate`.
        AtomicOp::Mbarrier(_) => old,
    }
}
