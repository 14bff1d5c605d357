//! The report of a frame that was made.

use serde::Serialize;

use super::{table, thousands};

/// The report of `warpsmith frame`.
#[derive(Debug, Serialize)]
pub struct FrameReport {
    /// Path of the frame.
    pub frame: String,
    /// Width of its picture in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Draws.
    pub draws: usize,
    /// Their triangles.
    pub triangles: u64,
    /// Parts of a model or a dump that are not in the frame.
    pub left_out: Vec<String>,
}

impl FrameReport {
    /// The report as text.
    pub fn text(&self) -> String {
        let row = |name: &str, value: u64| [name.to_string(), thousands(value)];
        let rows = [row("draws", self.draws as u64), row("triangles", self.triangles)];
        let size = format!("{} x {}", self.width, self.height);
        let mut text = table([self.frame.as_str(), &size], rows);
        for what in &self.left_out {
            text += &format!("\n\nleft out: {what}");
        }
        text
    }
}
