//! What a read-modify-write makes of the old value.

use crate::gpu::isa::{AtomicOp, Type};

/// The new value. `operands` are that of the instruction, and the new value of a
/// compare-and-swap.
pub fn update(op: AtomicOp, ty: Type, old: u64, operands: [u64; 2]) -> u64 {
    let narrow = ty.bytes == 4;
    let [operand, second] = operands;
    if ty.is_float() && op == AtomicOp::Add {
        return match narrow {
            true => {
                let sum = f32::from_bits(old as u32) + f32::from_bits(operand as u32);
                let bits = if sum.is_nan() { 0x7fff_ffff } else { sum.to_bits() };
                bits.into()
            }
            false => (f64::from_bits(old) + f64::from_bits(operand)).to_bits(),
        };
    }
    if !narrow {
        return update64(op, ty, old, operand, second);
    }
    let (old, operand, second) = (old as u32, operand as u32, second as u32);
    let new = match op {
        AtomicOp::Add => old.wrapping_add(operand),
        AtomicOp::Min if ty.is_signed() => (old as i32).min(operand as i32) as u32,
        AtomicOp::Max if ty.is_signed() => (old as i32).max(operand as i32) as u32,
        AtomicOp::Min => old.min(operand),
        AtomicOp::Max => old.max(operand),
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
    };
    new.into()
}

fn update64(op: AtomicOp, ty: Type, old: u64, operand: u64, second: u64) -> u64 {
    match op {
        AtomicOp::Add => old.wrapping_add(operand),
        AtomicOp::Min if ty.is_signed() => (old as i64).min(operand as i64) as u64,
        AtomicOp::Max if ty.is_signed() => (old as i64).max(operand as i64) as u64,
        AtomicOp::Min => old.min(operand),
        AtomicOp::Max => old.max(operand),
        AtomicOp::And => old & operand,
        AtomicOp::Or => old | operand,
        AtomicOp::Xor => old ^ operand,
        AtomicOp::Exchange => operand,
        AtomicOp::CompareAndSwap if old == operand => second,
        // The two that exist for 32 bits only are refused when a program is loaded.
        AtomicOp::CompareAndSwap | AtomicOp::Increment | AtomicOp::Decrement => old,
    }
}
