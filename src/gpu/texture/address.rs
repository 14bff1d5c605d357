//! Coordinates to texels.

use serde::{Deserialize, Serialize};

/// Between texels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Filter {
    /// The texel at the place.
    #[default]
    Nearest,
    /// The two around it along each axis, with weights of 8 bits.
    #[serde(rename = "bilinear", alias = "linear")]
    Linear,
}

/// Beyond the edges.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wrap {
    /// Begins again.
    #[default]
    #[serde(alias = "wrap")]
    Repeat,
    /// Goes on with the texel at the edge.
    Clamp,
    /// Goes back.
    Mirror,
    /// Zero.
    Border,
}

/// Sampler of a texture or target.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sampler {
    /// Between texels.
    pub filter: Filter,
    /// Beyond the edges.
    pub wrap: Wrap,
}

/// Parts of a texel's width that weights count.
pub const PARTS: u32 = 256;

impl Wrap {
    /// The texel of a number along an axis; none beyond a border.
    #[inline]
    pub fn texel(self, at: i64, size: u32) -> Option<usize> {
        let size = i64::from(size);
        let within = match self {
            _ if (0..size).contains(&at) => at,
            Self::Repeat => at.rem_euclid(size),
            Self::Clamp => at.clamp(0, size - 1),
            Self::Mirror => match at.rem_euclid(2 * size) {
                back if back >= size => 2 * size - 1 - back,
                forth => forth,
            },
            Self::Border => return None,
        };
        Some(within as usize)
    }

    /// A coordinate in texels, from one that is 1 at the end of the axis; one that is no number is 0.
    #[inline]
    pub fn scaled(self, at: f32, size: u32) -> f64 {
        let at = if at.is_finite() { f64::from(at) } else { 0.0 };
        match self {
            // Floats beyond are whole numbers.
            Self::Repeat if at.abs() >= 16_777_216.0 => 0.0,
            Self::Repeat => (at - floor(at) as f64) * f64::from(size),
            Self::Mirror => at.rem_euclid(2.0) * f64::from(size),
            Self::Clamp | Self::Border => at.clamp(-1.0, 2.0) * f64::from(size),
        }
    }
}

/// A coordinate in texels as it is; one that is no number is 0.
pub fn unscaled(at: f32) -> f64 {
    const FAR: f64 = (1u64 << 32) as f64;
    if at.is_finite() { f64::from(at).clamp(-FAR, FAR) } else { 0.0 }
}

/// The texel before a place, and the weight of the one behind it, in [`PARTS`]. Texels' centres are at halves.
#[inline]
pub fn between(at: f64) -> (i64, u32) {
    let parts = floor((at - 0.5) * f64::from(PARTS) + 0.5);
    (parts >> 8, (parts & 255) as u32)
}

/// The greatest whole number that is not greater.
#[inline]
pub fn floor(at: f64) -> i64 {
    let towards_zero = at as i64;
    towards_zero - i64::from(towards_zero as f64 > at)
}
