//! Video instructions: on the bytes or halves of words (`vadd4`), and on one of them (`vadd`).
//!
//! PTX ISA 8.0, 9.7.16 and 9.7.17.

use super::kinds::Comparison;

/// Operation on a part of each word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in PTX")]
pub enum VideoOp {
    Add,
    Sub,
    Average,
    AbsDifference,
    Min,
    Max,
    /// 1 where it holds.
    Set(Comparison),
}

/// Operations on the bytes or halves of two words. Their sum with `c`, or each in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Video {
    /// Operation.
    pub op: VideoOp,
    /// Parts of a word: 2 or 4.
    pub parts: u8,
    /// Whether the result is signed.
    pub d_signed: bool,
    /// Whether the parts of `a` are.
    pub a_signed: bool,
    /// Whether those of `b` are.
    pub b_signed: bool,
    /// `.sat`
    pub saturate: bool,
    /// `.add`: the results are added to `c`.
    pub accumulate: bool,
    /// The parts that have a result, a bit each; the others are those of `c`.
    pub mask: u8,
    /// For each part, which of the parts of `a` and then `b` the operands are.
    pub picked: [[u8; 4]; 2],
}

impl Video {
    /// Each part of `a` with that of `b`, all signed or none.
    pub(super) fn plain(op: VideoOp, parts: u8, signed: bool) -> Self {
        let [d_signed, a_signed, b_signed] = [signed; 3];
        let picked = [0, parts].map(|first| [0, 1, 2, 3].map(|part| first + part));
        let mask = (1 << parts) - 1;
        let [saturate, accumulate] = [false; 2];
        Self { op, parts, d_signed, a_signed, b_signed, saturate, accumulate, mask, picked }
    }
}

/// A part of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordPart {
    /// Its lowest bit.
    pub at: u8,
    /// Its size.
    pub bits: u8,
}

impl WordPart {
    /// All of the word.
    pub const WHOLE: Self = Self { at: 0, bits: 32 };

    /// `b0` to `b3`, `h0` and `h1`.
    pub(super) fn named(name: &str) -> Option<Self> {
        let part = |at, bits| Some(Self { at, bits });
        match name {
            "b0" => part(0, 8),
            "b1" => part(8, 8),
            "b2" => part(16, 8),
            "b3" => part(24, 8),
            "h0" => part(0, 16),
            "h1" => part(16, 16),
            _ => None,
        }
    }
}

/// Operation of a scalar video instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScalarOp {
    /// As with parts.
    Of(VideoOp),
    /// `vshl`, `vshr`
    Shift {
        /// To which side.
        left: bool,
        /// `.wrap`, or else `.clamp`.
        wrap: bool,
    },
    /// `vmad`: what is added to the product is `c`.
    Multiply {
        /// Whether the product is subtracted.
        minus_product: bool,
        /// Whether `c` is.
        minus_c: bool,
        /// `.po`: one is added.
        plus_one: bool,
        /// Bits that are shifted out.
        scale: u8,
    },
}

/// Second operation, of the result and `c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secondary {
    /// The result.
    None,
    /// `.add`
    Add,
    /// `.min`
    Min,
    /// `.max`
    Max,
    /// `c` with the result as a part.
    Merge(WordPart),
}

/// An operation on a part of each of two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScalarVideo {
    /// Operation.
    pub op: ScalarOp,
    /// Whether the result is signed.
    pub d_signed: bool,
    /// Whether `a` is.
    pub a_signed: bool,
    /// Whether `b` is.
    pub b_signed: bool,
    /// The part of `a`.
    pub a: WordPart,
    /// The part of `b`.
    pub b: WordPart,
    /// `.sat`
    pub saturate: bool,
    /// Second operation.
    pub secondary: Secondary,
}
