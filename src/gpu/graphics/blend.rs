//! Colours: from floats to RGBA8, and blending in integers.
//!
//! A colour is a word, red in its lowest byte.

use serde::{Deserialize, Serialize};

/// Factors of GL, of 0 to 255.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "named as in GL")]
pub enum Factor {
    Zero,
    One,
    SrcColor,
    OneMinusSrcColor,
    DstColor,
    OneMinusDstColor,
    SrcAlpha,
    OneMinusSrcAlpha,
    DstAlpha,
    OneMinusDstAlpha,
    ConstantColor,
    OneMinusConstantColor,
    ConstantAlpha,
    OneMinusConstantAlpha,
    SrcAlphaSaturate,
}

impl Factor {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::Zero,
        Self::One,
        Self::SrcColor,
        Self::OneMinusSrcColor,
        Self::DstColor,
        Self::OneMinusDstColor,
        Self::SrcAlpha,
        Self::OneMinusSrcAlpha,
        Self::DstAlpha,
        Self::OneMinusDstAlpha,
        Self::ConstantColor,
        Self::OneMinusConstantColor,
        Self::ConstantAlpha,
        Self::OneMinusConstantAlpha,
        Self::SrcAlphaSaturate,
    ];

    /// The factor of a channel, of 0 to 255.
    #[inline]
    pub fn of(self, channel: usize, source: [u8; 4], target: [u8; 4], constant: [u8; 4]) -> i32 {
        let value = match self {
            Self::Zero => 0,
            Self::One => 255,
            Self::SrcColor => source[channel],
            Self::OneMinusSrcColor => !source[channel],
            Self::DstColor => target[channel],
            Self::OneMinusDstColor => !target[channel],
            Self::SrcAlpha => source[3],
            Self::OneMinusSrcAlpha => !source[3],
            Self::DstAlpha => target[3],
            Self::OneMinusDstAlpha => !target[3],
            Self::ConstantColor => constant[channel],
            Self::OneMinusConstantColor => !constant[channel],
            Self::ConstantAlpha => constant[3],
            Self::OneMinusConstantAlpha => !constant[3],
            Self::SrcAlphaSaturate if channel == 3 => 255,
            Self::SrcAlphaSaturate => source[3].min(!target[3]),
        };
        i32::from(value)
    }

    /// The factor reads the target.
    fn reads_target(self) -> bool {
        use Factor::{DstAlpha, DstColor, OneMinusDstAlpha, OneMinusDstColor, SrcAlphaSaturate};
        matches!(self, DstColor | OneMinusDstColor | DstAlpha | OneMinusDstAlpha | SrcAlphaSaturate)
    }
}

/// Operators of GL. Of `Min` and `Max` the factors do not matter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "named as in GL")]
pub enum Operator {
    #[default]
    Add,
    Subtract,
    ReverseSubtract,
    Min,
    Max,
}

impl Operator {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Add, Self::Subtract, Self::ReverseSubtract, Self::Min, Self::Max];
}

/// Factors and operator of the colour, or of alpha.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Equation {
    /// Factor of what is drawn.
    pub source: Factor,
    /// Factor of what is there.
    pub target: Factor,
    /// Blend operator.
    #[serde(default)]
    pub operator: Operator,
}

impl Equation {
    #[inline]
    fn apply(self, channel: usize, source: [u8; 4], target: [u8; 4], constant: [u8; 4]) -> u8 {
        let [s, d] = [source, target].map(|color| i32::from(color[channel]));
        let factor = |factor: Factor| factor.of(channel, source, target, constant);
        let (fs, fd) = (factor(self.source), factor(self.target));
        let sum = match self.operator {
            Operator::Add => s * fs + d * fd,
            Operator::Subtract => s * fs - d * fd,
            Operator::ReverseSubtract => d * fd - s * fs,
            Operator::Min => return s.min(d) as u8,
            Operator::Max => return s.max(d) as u8,
        };
        ((sum + 127) / 255).clamp(0, 255) as u8
    }

    /// The result depends on the target.
    pub fn reads_target(&self) -> bool {
        matches!(self.operator, Operator::Min | Operator::Max)
            || self.target != Factor::Zero
            || self.source.reads_target()
    }
}

/// Blending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blend {
    /// Red, green and blue.
    pub color: Equation,
    /// Alpha.
    pub alpha: Equation,
    /// RGBA for the constant factors.
    #[serde(default)]
    pub constant: [u8; 4],
}

impl Blend {
    /// One colour over another, by the alpha of the first.
    pub const OVER: Self = {
        let equation = Equation {
            source: Factor::SrcAlpha,
            target: Factor::OneMinusSrcAlpha,
            operator: Operator::Add,
        };
        Self { color: equation, alpha: equation, constant: [0; 4] }
    };

    /// Blends a colour into another.
    #[inline]
    pub fn apply(&self, source: u32, target: u32) -> u32 {
        let [source, target] = [source, target].map(u32::to_le_bytes);
        u32::from_le_bytes(std::array::from_fn(|channel| {
            let equation = if channel == 3 { self.alpha } else { self.color };
            equation.apply(channel, source, target, self.constant)
        }))
    }

    /// A source with alpha 255 replaces the target.
    pub fn replaces_if_opaque(&self) -> bool {
        let replaces = |it: &Equation| {
            matches!(it.source, Factor::One | Factor::SrcAlpha)
                && matches!(it.target, Factor::Zero | Factor::OneMinusSrcAlpha)
                && it.operator == Operator::Add
        };
        replaces(&self.color) && replaces(&self.alpha)
    }

    /// The result depends on the target.
    pub fn reads_target(&self) -> bool {
        self.color.reads_target() || self.alpha.reads_target()
    }
}

/// Operations of GL on the bits of source and target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "named as in GL")]
pub enum Logic {
    Clear,
    Set,
    Copy,
    CopyInverted,
    Noop,
    Invert,
    And,
    Nand,
    Or,
    Nor,
    Xor,
    Equiv,
    AndReverse,
    AndInverted,
    OrReverse,
    OrInverted,
}

impl Logic {
    /// Combines two colours.
    pub fn apply(self, source: u32, target: u32) -> u32 {
        let (s, d) = (source, target);
        match self {
            Self::Clear => 0,
            Self::Set => !0,
            Self::Copy => s,
            Self::CopyInverted => !s,
            Self::Noop => d,
            Self::Invert => !d,
            Self::And => s & d,
            Self::Nand => !(s & d),
            Self::Or => s | d,
            Self::Nor => !(s | d),
            Self::Xor => s ^ d,
            Self::Equiv => !(s ^ d),
            Self::AndReverse => s & !d,
            Self::AndInverted => !s & d,
            Self::OrReverse => s | !d,
            Self::OrInverted => !s | d,
        }
    }
}

/// Channels that are written: all bits of a channel, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mask(pub u32);

impl Mask {
    /// All channels.
    pub const ALL: Self = Self(u32::MAX);

    /// By letters: `rgba`, `rgb`, `a`, or empty for none. None for any other letter, or one given twice.
    pub fn named(letters: &str) -> Option<Self> {
        let mut mask = 0u32;
        for letter in letters.chars() {
            let channel = 0xff << (8 * "rgba".find(letter)?);
            if mask & channel != 0 {
                return None;
            }
            mask |= channel;
        }
        Some(Self(mask))
    }

    /// The new colour in these channels, the old one in the others.
    #[inline]
    pub fn merge(self, new: u32, old: u32) -> u32 {
        new & self.0 | old & !self.0
    }
}

/// Clamps a shader's colour to 0 to 1, and rounds it to RGBA8, half up. NaN is 0.
#[inline]
pub fn to_color(rgba: [f32; 4]) -> u32 {
    // In f64 the product is exact; NaN stays NaN, and is cast to 0.
    let byte = |value: f32| (f64::from(value.clamp(0.0, 1.0)) * 255.0 + 0.5) as u8;
    u32::from_le_bytes(rgba.map(byte))
}
