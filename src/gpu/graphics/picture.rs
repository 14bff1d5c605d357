//! A picture and its file.

use super::pass::Counts;

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
