//! Textures: texels in levels of half the size each, and how they are sampled.

use serde::{Deserialize, Serialize};

pub use crate::texture::{Filter, Sampler, Wrap};
use crate::texture::{PARTS, between, floor};

/// Formats of texels, a byte a channel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Red, green, blue, alpha.
    #[default]
    Rgba8,
    /// Alpha is 255.
    Rgb8,
    /// Alpha alone; the colour is white.
    A8,
}

impl Format {
    /// Bytes of a texel.
    pub fn bytes(self) -> usize {
        match self {
            Self::Rgba8 => 4,
            Self::Rgb8 => 3,
            Self::A8 => 1,
        }
    }

    fn texel(self, bytes: &[u8]) -> u32 {
        u32::from_le_bytes(match (self, bytes) {
            (Self::Rgba8, &[r, g, b, a]) => [r, g, b, a],
            (Self::Rgb8, &[r, g, b]) => [r, g, b, 255],
            (_, bytes) => [255, 255, 255, bytes[0]],
        })
    }
}

/// Texels, row by row.
#[derive(Debug, Clone, Copy)]
pub struct Level<'a> {
    /// Texels of a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// RGBA8, red in the lowest byte.
    pub texels: &'a [u32],
}

impl Level<'_> {
    fn texel(&self, wrap: Wrap, x: i64, y: i64) -> [u8; 4] {
        let at = (wrap.texel(x, self.width), wrap.texel(y, self.height));
        let (Some(column), Some(row)) = at else { return [0; 4] };
        self.texels[row * self.width as usize + column].to_le_bytes()
    }

    /// The colour at a place; the level is 0 to 1 wide and high.
    pub fn sample(&self, sampler: Sampler, u: f32, v: f32) -> u32 {
        let Sampler { filter, wrap } = sampler;
        let (x, y) = (wrap.scaled(u, self.width), wrap.scaled(v, self.height));
        if filter == Filter::Nearest {
            return u32::from_le_bytes(self.texel(wrap, floor(x), floor(y)));
        }
        let [(x, across), (y, down)] = [x, y].map(between);
        let columns = [0, 1].map(|by| wrap.texel(x + by, self.width));
        let rows = [0, 1].map(|by| wrap.texel(y + by, self.height));
        let rows = rows.map(|row| row.map(|row| row * self.width as usize));
        // Two channels at a time, 32 bits for each.
        let mut sums = [1u64 << 15 | 1 << 47; 2];
        for (row, weight_down) in rows.into_iter().zip([PARTS - down, down]) {
            for (column, weight_across) in columns.into_iter().zip([PARTS - across, across]) {
                let (Some(row), Some(column)) = (row, column) else { continue };
                let texel = u64::from(self.texels[row + column]);
                let weight = u64::from(weight_down * weight_across);
                sums[0] += weight * (texel & 0xff | texel << 16 & 0xff << 32);
                sums[1] += weight * (texel >> 8 & 0xff | texel << 8 & 0xff << 32);
            }
        }
        let [even, odd] = sums.map(|sum| (sum >> 16 & 0xff | sum >> 32 & 0xff << 16) as u32);
        even | odd << 8
    }
}

/// A texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texture {
    /// Width, height and texels of each level, the largest first.
    levels: Vec<(u32, u32, Vec<u32>)>,
    /// Sampler.
    pub sampler: Sampler,
}

impl Texture {
    /// From bytes, row by row; with `mips` levels down to one texel, each the mean of four texels of the one before.
    /// None if there are too few bytes, or none.
    pub fn new(
        [width, height]: [u32; 2],
        format: Format,
        bytes: &[u8],
        mips: bool,
        sampler: Sampler,
    ) -> Option<Self> {
        let count = (width as usize).checked_mul(height as usize)?;
        let bytes = bytes.get(..count.checked_mul(format.bytes())?).filter(|it| !it.is_empty())?;
        let texels = bytes.chunks_exact(format.bytes()).map(|it| format.texel(it));
        let mut texture = Self { levels: vec![(width, height, texels.collect())], sampler };
        for number in 0.. {
            let level = texture.level(number);
            if !mips || level.width.max(level.height) == 1 {
                break;
            }
            let half = halved(&level);
            texture.levels.push(half);
        }
        Some(texture)
    }

    /// Has one level only.
    pub fn is_flat(&self) -> bool {
        self.levels.len() == 1
    }

    /// A level; beyond the last one the last.
    pub fn level(&self, number: u32) -> Level<'_> {
        let (width, height, texels) = &self.levels[(number as usize).min(self.levels.len() - 1)];
        Level { width: *width, height: *height, texels }
    }
}

fn halved(level: &Level<'_>) -> (u32, u32, Vec<u32>) {
    let (width, height) = ((level.width / 2).max(1), (level.height / 2).max(1));
    let mean = |at: u32| {
        let [x, y] = [at % width, at / width].map(|at| 2 * i64::from(at));
        let mut sums = [2u32; 4];
        for [column, row] in [[0, 0], [1, 0], [0, 1], [1, 1]] {
            let texel = level.texel(Wrap::Clamp, x + column, y + row);
            sums.iter_mut().zip(texel).for_each(|(sum, it)| *sum += u32::from(it));
        }
        u32::from_le_bytes(sums.map(|sum| (sum / 4) as u8))
    };
    (width, height, (0..width * height).map(mean).collect())
}

/// The level for places of a quad that lie so far apart, across and down, in texels of level 0: their longer
/// distance, and the shader's bias. One that is no number is level 0.
pub fn level(across: [f64; 2], down: [f64; 2], bias: f32) -> u32 {
    let square = |[u, v]: [f64; 2]| u * u + v * v;
    let longest = square(across).max(square(down));
    let level = if longest > 0.0 { libm::log2(longest) / 2.0 } else { 0.0 };
    (level + f64::from(bias) + 0.5).floor().clamp(0.0, 31.0) as u32
}
