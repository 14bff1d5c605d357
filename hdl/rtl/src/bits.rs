//! A bit vector value of any width.

use std::fmt;

use bitvec::prelude::{BitVec, Lsb0};

use crate::ports::words;

/// A value of a fixed width of at least one bit. Bit 0 is the least significant.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bits(BitVec<u64, Lsb0>);

impl Bits {
    /// All bits zero.
    ///
    /// # Panics
    /// If `width` is 0, which Verilog does not have.
    #[track_caller]
    pub fn zeros(width: u32) -> Self {
        assert!(width > 0, "a value has at least one bit");
        Self(BitVec::repeat(false, width as usize))
    }

    /// All bits one.
    #[track_caller]
    pub fn ones(width: u32) -> Self {
        Self::from_words(width, &vec![u64::MAX; words(width)])
    }

    /// `value` as `width` bits.
    ///
    /// # Panics
    /// If the value does not fit.
    #[track_caller]
    pub fn new(width: u32, value: u64) -> Self {
        assert!(
            width >= 64 || value >> width == 0,
            "the value {value} does not fit in {width} bits"
        );
        Self::from_words(width, &[value])
    }

    /// The low `width` bits of `words`, least significant word first; missing words are zero.
    #[track_caller]
    pub fn from_words(width: u32, source: &[u64]) -> Self {
        assert!(width > 0, "a value has at least one bit");
        let mut raw = vec![0u64; words(width)];
        let n = raw.len().min(source.len());
        raw[..n].copy_from_slice(&source[..n]);
        let mut bits = BitVec::from_vec(raw);
        bits.truncate(width as usize);
        bits.set_uninitialized(false);
        Self(bits)
    }

    /// A value from a function of the bit index.
    #[track_caller]
    pub fn from_fn(width: u32, mut bit: impl FnMut(u32) -> bool) -> Self {
        let mut bits = Self::zeros(width);
        for i in 0..width {
            bits.0.set(i as usize, bit(i));
        }
        bits
    }

    /// Width in bits.
    pub fn width(&self) -> u32 {
        self.0.len() as u32
    }

    /// The words of the value, least significant first; bits above the width are zero.
    pub fn words(&self) -> &[u64] {
        self.0.as_raw_slice()
    }

    /// Bit `index`.
    ///
    /// # Panics
    /// If the index is not below the width.
    #[track_caller]
    pub fn bit(&self, index: u32) -> bool {
        self.0[index as usize]
    }

    /// The value as a `u64`, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        let words = self.words();
        words[1..].iter().all(|&w| w == 0).then_some(words[0])
    }

    /// Whether every bit is zero.
    pub fn is_zero(&self) -> bool {
        self.0.not_any()
    }

    /// Whether every bit is one.
    pub fn is_ones(&self) -> bool {
        self.0.all()
    }
}

/// Hexadecimal digits without a prefix, as many as the width needs.
impl fmt::LowerHex for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for digit in (0..self.width().div_ceil(4)).rev() {
            let value = (self.words()[(digit / 16) as usize] >> (digit % 16 * 4)) & 15;
            write!(f, "{value:x}")?;
        }
        Ok(())
    }
}

/// The value as a sized Verilog literal: `1'b1`, `8'd12`, `48'h0123_4567_89ab` without separators.
impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.width(), self.to_u64()) {
            (1, Some(value)) => write!(f, "1'b{value}"),
            (width, Some(value)) if value < 256 => write!(f, "{width}'d{value}"),
            (width, _) => write!(f, "{width}'h{self:x}"),
        }
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
