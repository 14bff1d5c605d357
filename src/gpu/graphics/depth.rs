//! Depth and stencil tests on words of D24S8: depth in the upper 24 bits, stencil in the lower 8.

use serde::{Deserialize, Serialize};

/// Comparisons of GL.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "named as in GL")]
pub enum Function {
    Never,
    Less,
    Equal,
    Lequal,
    Greater,
    Notequal,
    Gequal,
    #[default]
    Always,
}

impl Function {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Never,
        Self::Less,
        Self::Equal,
        Self::Lequal,
        Self::Greater,
        Self::Notequal,
        Self::Gequal,
        Self::Always,
    ];

    /// A new value passes against the stored one.
    #[inline]
    pub fn passes(self, new: u32, stored: u32) -> bool {
        match self {
            Self::Never => false,
            Self::Less => new < stored,
            Self::Equal => new == stored,
            Self::Lequal => new <= stored,
            Self::Greater => new > stored,
            Self::Notequal => new != stored,
            Self::Gequal => new >= stored,
            Self::Always => true,
        }
    }
}

/// Changes of the stencil, named as in GL.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "named as in GL")]
pub enum StencilOperation {
    #[default]
    Keep,
    Zero,
    Replace,
    /// Up to 255.
    Incr,
    /// Down to 0.
    Decr,
    Invert,
    IncrWrap,
    DecrWrap,
}

impl StencilOperation {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Keep,
        Self::Zero,
        Self::Replace,
        Self::Incr,
        Self::Decr,
        Self::Invert,
        Self::IncrWrap,
        Self::DecrWrap,
    ];

    fn apply(self, stored: u8, reference: u8) -> u8 {
        match self {
            Self::Keep => stored,
            Self::Zero => 0,
            Self::Replace => reference,
            Self::Incr => stored.saturating_add(1),
            Self::Decr => stored.saturating_sub(1),
            Self::Invert => !stored,
            Self::IncrWrap => stored.wrapping_add(1),
            Self::DecrWrap => stored.wrapping_sub(1),
        }
    }
}

/// The depth test.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DepthTest {
    /// Which depths pass.
    pub test: Function,
    /// Depth write enable.
    #[serde(default)]
    pub write: bool,
}

/// The stencil test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StencilTest {
    /// Stencil function.
    #[serde(default)]
    pub test: Function,
    /// The reference.
    #[serde(default)]
    pub reference: u8,
    /// Bits that are compared.
    #[serde(default = "all_bits")]
    pub read_mask: u8,
    /// Bits that are written.
    #[serde(default = "all_bits")]
    pub write_mask: u8,
    /// Where the stencil test fails.
    #[serde(default)]
    pub fail: StencilOperation,
    /// Where it passes, and the depth test fails.
    #[serde(default)]
    pub depth_fail: StencilOperation,
    /// Where both pass.
    #[serde(default)]
    pub pass: StencilOperation,
}

fn all_bits() -> u8 {
    u8::MAX
}

impl StencilTest {
    /// May change the stencil.
    pub fn writes(&self) -> bool {
        let changes = [self.fail, self.depth_fail, self.pass];
        self.write_mask != 0 && changes.iter().any(|it| *it != StencilOperation::Keep)
    }
}

/// Depth of a word of D24S8.
#[inline]
pub fn depth_of(word: u32) -> u32 {
    word >> 8
}

/// Tests a fragment: what is to be stored, and whether it passes.
#[inline]
pub fn test(
    depth_test: Option<&DepthTest>,
    stencil: Option<&StencilTest>,
    depth: u32,
    stored: u32,
) -> (u32, bool) {
    let passes_depth = depth_test.is_none_or(|it| it.test.passes(depth, depth_of(stored)));
    let (new_stencil, passes_stencil) = match stencil {
        None => (stored as u8, true),
        Some(it) => {
            let old = stored as u8;
            let [reference, compared] =
                [it.reference, old].map(|bits| u32::from(bits & it.read_mask));
            let passes = it.test.passes(reference, compared);
            let change = match (passes, passes_depth) {
                (false, _) => it.fail,
                (true, false) => it.depth_fail,
                (true, true) => it.pass,
            };
            let new = change.apply(old, it.reference);
            (old & !it.write_mask | new & it.write_mask, passes)
        }
    };
    let passes = passes_depth && passes_stencil;
    let writes = passes && depth_test.is_some_and(|it| it.write);
    let new_depth = if writes { depth } else { depth_of(stored) };
    (new_depth << 8 | u32::from(new_stencil), passes)
}
