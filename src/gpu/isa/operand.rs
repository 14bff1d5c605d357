//! Operands as indices.

use super::types::File;

/// What is read: a register of the current frame, or a constant of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source(u32);

impl Source {
    const CONSTANT: u32 = 1 << 31;

    /// A register, by its index in its file.
    pub fn register(index: u32) -> Self {
        Self(index)
    }

    /// A constant, by its index in the table of its file.
    pub fn constant(index: u32) -> Self {
        Self(index | Self::CONSTANT)
    }

    /// The index of the constant, if it is one.
    #[inline]
    pub fn as_constant(self) -> Option<usize> {
        (self.0 & Self::CONSTANT != 0).then_some((self.0 & !Self::CONSTANT) as usize)
    }

    /// The index of the register.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A register that is written, by its index in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target(pub u32);

/// A register that is written, where the file is not implied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetIn {
    /// The file.
    pub file: File,
    /// The register.
    pub target: Target,
    /// Size of the register in bytes.
    pub bytes: u8,
}

/// What is read, where the file is not implied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceIn {
    /// The file.
    pub file: File,
    /// The register or constant.
    pub source: Source,
}

/// A predicate, possibly negated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Condition {
    /// The predicate.
    pub predicate: Source,
    /// `!`
    pub negated: bool,
}
