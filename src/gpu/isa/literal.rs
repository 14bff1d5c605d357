//! Numbers as they are written.

/// A number in the text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Literal {
    Integer(i128),
    /// Bits of an `0f` literal.
    Single(u32),
    /// Bits of an `0d` literal, or a decimal number.
    Double(u64),
}

impl Literal {
    /// Reads digits as PTX writes them.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let lower = text.trim_end_matches('U').to_ascii_lowercase();
        let radix = |digits: &str, radix| u64::from_str_radix(digits, radix).ok().map(i128::from);
        if let Some(hex) = lower.strip_prefix("0x") {
            return radix(hex, 16).map(Self::Integer);
        }
        if let Some(bits) = lower.strip_prefix("0f") {
            return u32::from_str_radix(bits, 16).ok().map(Self::Single);
        }
        if let Some(bits) = lower.strip_prefix("0d") {
            return u64::from_str_radix(bits, 16).ok().map(Self::Double);
        }
        if let Some(bits) = lower.strip_prefix("0b") {
            return radix(bits, 2).map(Self::Integer);
        }
        if lower.contains(['.', 'e']) {
            return lower.parse().ok().map(|value: f64| Self::Double(value.to_bits()));
        }
        let base = if lower.len() > 1 && lower.starts_with('0') { 8 } else { 10 };
        radix(&lower, base).map(Self::Integer)
    }

    /// With the other sign.
    pub(super) fn negated(self) -> Self {
        match self {
            Self::Integer(value) => Self::Integer(-value),
            Self::Single(bits) => Self::Single(bits ^ 1 << 31),
            Self::Double(bits) => Self::Double(bits ^ 1 << 63),
        }
    }
}
