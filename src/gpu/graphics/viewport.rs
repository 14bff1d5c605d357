//! From clip space to the screen.

use serde::{Deserialize, Serialize};

/// Positions on the screen are multiples of 1 / `SUBPIXEL` pixel.
pub const SUBPIXEL: i64 = 256;

/// Greatest depth of 24 bits.
pub const DEPTH_MOST: u32 = (1 << 24) - 1;

/// Pixels from the origin beyond which triangles are clipped.
pub(super) const GUARD_BAND: f64 = 16384.0;

/// Where clip space lies on the target, in pixels; y points downwards in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Viewport {
    /// Left edge.
    pub x: u32,
    /// Upper edge.
    pub y: u32,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

/// A vertex on the screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed {
    /// Column in 1 / [`SUBPIXEL`] pixel.
    pub x: i64,
    /// Row in the same.
    pub y: i64,
    /// Depth, 0 to [`DEPTH_MOST`].
    pub depth: u32,
    /// 1 / w.
    pub inverse_w: f64,
}

impl Viewport {
    /// Half its width and height, and its centre.
    pub(super) fn halves(&self) -> [[f64; 2]; 2] {
        let half = [self.width, self.height].map(|side| f64::from(side) / 2.0);
        [half, [f64::from(self.x) + half[0], f64::from(self.y) + half[1]]]
    }

    /// Places a clipped vertex; none if its w is not positive.
    pub fn place(&self, [x, y, z, w]: [f64; 4]) -> Option<Placed> {
        if w <= 0.0 {
            return None;
        }
        let [half, centre] = self.halves();
        let snapped = |value: f64, axis: usize| {
            let pixels = value / w * half[axis] + centre[axis];
            // What clipping rounds may lie beyond the guard band by a little.
            let most = GUARD_BAND * SUBPIXEL as f64;
            (pixels * SUBPIXEL as f64).round_ties_even().clamp(-most, most) as i64
        };
        let depth = (z / w * f64::from(DEPTH_MOST)).round_ties_even();
        let depth = depth.clamp(0.0, f64::from(DEPTH_MOST)) as u32;
        Some(Placed { x: snapped(x, 0), y: snapped(y, 1), depth, inverse_w: 1.0 / w })
    }
}
