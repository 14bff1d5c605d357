//! A picture and its file.

use super::counts::Counts;

/// A picture, and what was done for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Colours, row by row, red in the lowest byte.
    pub pixels: Vec<u32>,
    /// Counts.
    pub counts: Counts,
}

impl Picture {
    /// A picture that is black where another has the same pixels, and as bright as they differ elsewhere.
    pub fn differences(&self, other: &Self) -> Self {
        let differ = |(one, other): (&u32, &u32)| {
            let mut channels = [255; 4];
            let steps = one.to_le_bytes().into_iter().zip(other.to_le_bytes());
            let steps = steps.map(|(one, other)| one.abs_diff(other));
            // A step of one would not be seen.
            let seen = |step: u8| if step == 0 { 0 } else { step.saturating_mul(4).max(64) };
            let alpha = steps.clone().nth(3).unwrap_or(0);
            channels
                .iter_mut()
                .zip(steps.take(3))
                .for_each(|(to, step)| *to = seen(step.max(alpha)));
            u32::from_le_bytes(channels)
        };
        let pixels = self.pixels.iter().zip(&other.pixels).map(differ).collect();
        Self { pixels, ..self.clone() }
    }

    /// The picture as a PNG file: RGBA of 8 bits, as it is in the target.
    pub fn png(&self) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width, self.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        let bytes: Vec<u8> = self.pixels.iter().flat_map(|pixel| pixel.to_le_bytes()).collect();
        // Sides are not zero, and memory takes everything.
        let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&bytes));
        debug_assert!(written.is_ok(), "{written:?}");
        file
    }
}
