//! The meaning of each operator, for any width.
//!
//! This is the definition for everything else: constant folding uses it, and the simulator's compiled
//! operators are tested against it. It is written to be obviously right, not fast.

use std::cmp::Ordering;

use crate::bits::Bits;
use crate::ir::{BinaryOp, UnaryOp};

/// The value of an operator on one operand.
pub fn unary(op: UnaryOp, a: &Bits) -> Bits {
    let mut bits = (0..a.width()).map(|i| a.bit(i));
    match op {
        UnaryOp::Not => Bits::from_fn(a.width(), |i| !a.bit(i)),
        UnaryOp::ReduceAnd => bit(bits.all(|b| b)),
        UnaryOp::ReduceOr => bit(bits.any(|b| b)),
        UnaryOp::ReduceXor => bit(bits.fold(false, |parity, b| parity ^ b)),
    }
}

/// The value of an operator on two operands.
///
/// # Panics
/// If the operands differ in width and the operator is not a shift.
#[track_caller]
pub fn binary(op: BinaryOp, a: &Bits, b: &Bits) -> Bits {
    let shift =
        matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight | BinaryOp::ShiftRightSigned);
    assert!(
        shift || a.width() == b.width(),
        "operands of {op:?} are {} and {} bits wide",
        a.width(),
        b.width()
    );
    let width = a.width();
    match op {
        BinaryOp::And => Bits::from_fn(width, |i| a.bit(i) & b.bit(i)),
        BinaryOp::Or => Bits::from_fn(width, |i| a.bit(i) | b.bit(i)),
        BinaryOp::Xor => Bits::from_fn(width, |i| a.bit(i) ^ b.bit(i)),
        BinaryOp::Add => add(a, b, false),
        BinaryOp::Sub => add(a, &unary(UnaryOp::Not, b), true),
        BinaryOp::Mul => multiply(a, b),
        BinaryOp::Eq => bit(a == b),
        BinaryOp::Ne => bit(a != b),
        BinaryOp::Lt => bit(compare(a, b) == Ordering::Less),
        BinaryOp::Le => bit(compare(a, b) != Ordering::Greater),
        BinaryOp::LtSigned => bit(compare_signed(a, b) == Ordering::Less),
        BinaryOp::LeSigned => bit(compare_signed(a, b) != Ordering::Greater),
        BinaryOp::ShiftLeft => {
            let by = distance(b);
            Bits::from_fn(width, |i| u64::from(i) >= by && a.bit(i - by as u32))
        }
        BinaryOp::ShiftRight => shift_right(a, distance(b), false),
        BinaryOp::ShiftRightSigned => shift_right(a, distance(b), a.bit(width - 1)),
    }
}

/// `on_true` where the one-bit `condition` is one, else `on_false`.
///
/// # Panics
/// If the condition is not one bit wide or the two values differ in width.
#[track_caller]
pub fn mux(condition: &Bits, on_true: &Bits, on_false: &Bits) -> Bits {
    assert_eq!(condition.width(), 1, "a condition is one bit wide");
    assert_eq!(on_true.width(), on_false.width(), "both values of a choice are equally wide");
    if condition.bit(0) { on_true.clone() } else { on_false.clone() }
}

/// `width` bits of `from`, starting at bit `low`.
///
/// # Panics
/// If they do not lie within `from`.
#[track_caller]
pub fn slice(from: &Bits, low: u32, width: u32) -> Bits {
    assert!(
        u64::from(low) + u64::from(width) <= u64::from(from.width()),
        "bits {low} to {} of a value of {} bits",
        u64::from(low) + u64::from(width) - 1,
        from.width()
    );
    Bits::from_fn(width, |i| from.bit(low + i))
}

/// The parts side by side, the first the most significant.
///
/// # Panics
/// If there are none.
#[track_caller]
pub fn concat(parts: &[&Bits]) -> Bits {
    let bits: Vec<bool> =
        parts.iter().rev().flat_map(|part| (0..part.width()).map(|i| part.bit(i))).collect();
    Bits::from_fn(bits.len() as u32, |i| bits[i as usize])
}

fn bit(value: bool) -> Bits {
    Bits::new(1, value.into())
}

fn add(a: &Bits, b: &Bits, mut carry: bool) -> Bits {
    Bits::from_fn(a.width(), |i| {
        let (x, y, c) = (a.bit(i), b.bit(i), carry);
        carry = (x & y) | (x & c) | (y & c);
        x ^ y ^ c
    })
}

fn multiply(a: &Bits, b: &Bits) -> Bits {
    let width = a.width();
    (0..width).filter(|&i| b.bit(i)).fold(Bits::zeros(width), |sum, i| {
        add(&sum, &Bits::from_fn(width, |j| j >= i && a.bit(j - i)), false)
    })
}

fn compare(a: &Bits, b: &Bits) -> Ordering {
    let from_the_top = (0..a.width()).rev().map(|i| a.bit(i).cmp(&b.bit(i)));
    from_the_top.fold(Ordering::Equal, Ordering::then)
}

/// The sign bit counts in reverse: the negative number is the smaller one.
fn compare_signed(a: &Bits, b: &Bits) -> Ordering {
    let sign = a.width() - 1;
    b.bit(sign).cmp(&a.bit(sign)).then(compare(a, b))
}

fn shift_right(a: &Bits, by: u64, fill: bool) -> Bits {
    Bits::from_fn(a.width(), |i| {
        let from = u64::from(i).saturating_add(by);
        if from < u64::from(a.width()) { a.bit(from as u32) } else { fill }
    })
}

/// A shift distance; too large ones saturate.
fn distance(amount: &Bits) -> u64 {
    amount.to_u64().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On small widths every operator is compared with the machine's own arithmetic.
    #[test]
    fn small_widths_agree_with_the_machine() {
        for width in 1..=5u32 {
            let mask = (1u64 << width) - 1;
            let signed = |x: u64| ((x << (64 - width)) as i64) >> (64 - width);
            for x in 0..=mask {
                for y in 0..=mask {
                    let (a, b) = (Bits::new(width, x), Bits::new(width, y));
                    let check = |op, expected: u64| {
                        let got = binary(op, &a, &b).to_u64();
                        assert_eq!(got, Some(expected), "{op:?} of {x} and {y}, {width} bits");
                    };
                    check(BinaryOp::And, x & y);
                    check(BinaryOp::Or, x | y);
                    check(BinaryOp::Xor, x ^ y);
                    check(BinaryOp::Add, (x + y) & mask);
                    check(BinaryOp::Sub, x.wrapping_sub(y) & mask);
                    check(BinaryOp::Mul, (x * y) & mask);
                    check(BinaryOp::Eq, (x == y).into());
                    check(BinaryOp::Ne, (x != y).into());
                    check(BinaryOp::Lt, (x < y).into());
                    check(BinaryOp::Le, (x <= y).into());
                    check(BinaryOp::LtSigned, (signed(x) < signed(y)).into());
                    check(BinaryOp::LeSigned, (signed(x) <= signed(y)).into());
                    check(BinaryOp::ShiftLeft, (x << y) & mask);
                    check(BinaryOp::ShiftRight, x >> y);
                    check(BinaryOp::ShiftRightSigned, (signed(x) >> y) as u64 & mask);
                }
                let a = Bits::new(width, x);
                let value = |op| unary(op, &a).to_u64().unwrap();
                assert_eq!(value(UnaryOp::Not), !x & mask);
                assert_eq!(value(UnaryOp::ReduceAnd), (x == mask).into());
                assert_eq!(value(UnaryOp::ReduceOr), (x != 0).into());
                assert_eq!(value(UnaryOp::ReduceXor), u64::from(x.count_ones() % 2));
            }
        }
    }

    #[test]
    fn wide_values_carry_across_words() {
        let one = Bits::new(130, 1);
        let minus_one = binary(BinaryOp::Sub, &Bits::zeros(130), &one);
        assert!(minus_one.is_ones());
        assert!(binary(BinaryOp::Add, &minus_one, &one).is_zero());
        assert_eq!(binary(BinaryOp::Mul, &minus_one, &minus_one), one);
        assert!(binary(BinaryOp::LtSigned, &minus_one, &one).is_ones());
        assert!(binary(BinaryOp::Lt, &one, &minus_one).is_ones());
        let far = Bits::ones(70);
        assert!(binary(BinaryOp::ShiftRight, &minus_one, &far).is_zero());
        assert!(binary(BinaryOp::ShiftRightSigned, &minus_one, &far).is_ones());
        assert!(binary(BinaryOp::ShiftLeft, &minus_one, &far).is_zero());
    }

    #[test]
    fn the_first_part_is_the_most_significant() {
        let whole = concat(&[&Bits::new(4, 0xa), &Bits::new(8, 0x5c)]);
        assert_eq!(whole, Bits::new(12, 0xa5c));
        assert_eq!(slice(&whole, 4, 4), Bits::new(4, 5));
        assert_eq!(mux(&Bits::new(1, 1), &whole, &Bits::zeros(12)), whole);
    }
}
