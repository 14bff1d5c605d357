//! Video instructions.

use super::bits::{low_bits, part};
use crate::isa::{Comparison, ScalarOp, ScalarVideo, Secondary, Video, VideoOp, WordPart};

/// The result of an operation on two numbers.
fn result(op: VideoOp, a: i128, b: i128) -> i128 {
    match op {
        VideoOp::Add => a + b,
        VideoOp::Sub => a - b,
        // Rounded away from zero where it is between two numbers.
        VideoOp::Average => (a + b + i128::from(a + b >= 0)) >> 1,
        VideoOp::AbsDifference => (a - b).abs(),
        VideoOp::Min => a.min(b),
        VideoOp::Max => a.max(b),
        VideoOp::Set(comparison) => i128::from(match comparison {
            Comparison::Ne => a != b,
            Comparison::Lt => a < b,
            Comparison::Le => a <= b,
            Comparison::Gt => a > b,
            Comparison::Ge => a >= b,
            _ => a == b,
        }),
    }
}

/// A number within the range of so many bits.
fn saturated(value: i128, bits: u32, signed: bool) -> i128 {
    match signed {
        true => value.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        false => value.clamp(0, (1 << bits) - 1),
    }
}

/// A word as a number.
fn number(word: u32, bits: u32, signed: bool) -> i128 {
    match signed {
        true => part(word, bits, true).into(),
        false => i128::from(part(word, bits, false) as u32),
    }
}

/// An operation on the bytes or halves of words.
pub(super) fn in_parts(video: Video, a: u32, b: u32, c: u32) -> u32 {
    let Video { op, parts, d_signed, a_signed, b_signed, saturate, accumulate, .. } = video;
    let bits = 32 / u32::from(parts);
    let ones = low_bits(bits) as u32;
    let picked = |of: [u8; 4], at: u8, signed: bool| {
        let part = of[usize::from(at)];
        let word = if part < parts { a } else { b };
        number(word >> (u32::from(part % parts) * bits), bits, signed)
    };
    let mut word = c;
    for at in (0..parts).filter(|at| video.mask & 1 << at != 0) {
        let (a, b) = (picked(video.picked[0], at, a_signed), picked(video.picked[1], at, b_signed));
        let result = result(op, a, b);
        let result = if saturate { saturated(result, bits, d_signed) } else { result } as u32;
        let place = u32::from(at) * bits;
        word = match accumulate {
            true => word.wrapping_add(result),
            false => word & !(ones << place) | (result & ones) << place,
        };
    }
    word
}

/// An operation on a part of each of two words.
pub(super) fn scalar(video: ScalarVideo, a: u32, b: u32, c: u32) -> u32 {
    let value =
        |word: u32, of: WordPart, signed: bool| number(word >> of.at, of.bits.into(), signed);
    let a = value(a, video.a, video.a_signed);
    let b = value(b, video.b, video.b_signed);
    let d_bits = if let Secondary::Merge(of) = video.secondary { of.bits.into() } else { 32 };
    let mut signed = video.d_signed;
    let result = match video.op {
        ScalarOp::Of(op) => result(op, a, b),
        ScalarOp::Shift { left, wrap } => {
            let amount = if wrap { b & 31 } else { (b as u32).min(32).into() };
            if left { a << amount } else { a >> amount }
        }
        ScalarOp::Multiply { minus_product, minus_c, plus_one, scale } => {
            signed = video.a_signed || video.b_signed || minus_product || minus_c;
            let c = number(c, 32, signed);
            let sum = match (minus_product, minus_c) {
                (true, _) => c - a * b,
                (_, true) => a * b - c,
                _ => a * b + c + i128::from(plus_one),
            };
            sum >> scale
        }
    };
    let result = if video.saturate { saturated(result, d_bits, signed) } else { result };
    let third = number(c, 32, video.d_signed);
    match video.secondary {
        Secondary::None => result as u32,
        Secondary::Add => (result + third) as u32,
        Secondary::Min => result.min(third) as u32,
        Secondary::Max => result.max(third) as u32,
        Secondary::Merge(of) => {
            let ones = low_bits(of.bits.into()) as u32;
            c & !(ones << of.at) | (result as u32 & ones) << of.at
        }
    }
}
