//! Pictures that show how a picture came about.

use serde::Serialize;

use super::counts::Counts;
use super::history::Source;
use super::picture::Picture;
use super::viewport::DEPTH_MOST;

/// Quantity shown by a debug picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum View {
    /// Fragments that all GPUs wrote to each pixel since the last clear.
    Overdraw,
    /// The GPU that shaded each pixel's last fragment; darker, the owner of a tile where nothing was drawn.
    Owner,
    /// The composition group of each pixel's last fragment.
    Group,
    /// The depth at the end: white the nearest, black the farthest.
    Depth,
}

/// All that views are made of, pixel by pixel.
#[derive(Debug)]
pub struct Traces {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Fragments of all GPUs.
    pub written: Vec<u32>,
    /// The last fragment, as the owner of the tile knows it.
    pub last: Vec<Source>,
    /// The tile's owner.
    pub owners: Vec<usize>,
    /// Depth of 24 bits, if the picture has a depth buffer.
    pub depth: Option<Vec<u32>>,
}

/// A view, and the greatest value in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Viewed {
    /// The picture.
    pub picture: Picture,
    /// Most fragments of a pixel, the highest number of a GPU that drew or of a group, or the greatest depth that is
    /// not the farthest.
    pub most: u32,
}

/// Colours of 0, 1, 2, 3, 4, up to 6, up to 8, up to 12, up to 16, and of more fragments.
const HEAT: [(u32, [u8; 3]); 10] = [
    (0, [0, 0, 0]),
    (1, [20, 30, 120]),
    (2, [30, 90, 200]),
    (3, [30, 160, 180]),
    (4, [40, 180, 80]),
    (6, [160, 200, 40]),
    (8, [240, 200, 40]),
    (12, [250, 130, 30]),
    (16, [230, 40, 30]),
    (u32::MAX, [255, 255, 255]),
];

fn opaque([red, green, blue]: [u8; 3]) -> u32 {
    u32::from_le_bytes([red, green, blue, 255])
}

/// A colour for a number: neighbours are far apart on the circle of hues. Brightness is 0 to 255.
fn distinct(number: u32, brightness: u8) -> u32 {
    // The golden angle comes near to no earlier one.
    let sixth = (f64::from(number) * 137.507_764 % 360.0) / 60.0;
    let ramp = |from: f64| {
        let away = (sixth - from).rem_euclid(6.0);
        let level = (2.0 - (away - 3.0).abs()).clamp(0.0, 1.0);
        (f64::from(brightness) * (0.25 + 0.75 * level)).round() as u8
    };
    opaque([ramp(3.0), ramp(5.0), ramp(1.0)])
}

impl Traces {
    /// Makes a view.
    ///
    /// # Errors
    /// If depth is asked for, and the picture has no depth buffer.
    pub fn view(&self, view: View) -> Result<Viewed, String> {
        let (pixels, most): (Vec<u32>, u32) = match view {
            View::Overdraw => (self.overdraw(), self.written.iter().copied().max().unwrap_or(0)),
            View::Owner => {
                let drawn = self.last.iter().filter(|it| it.group != 0);
                (self.owner(), drawn.map(|it| it.gpu as u32).max().unwrap_or(0))
            }
            View::Group => {
                let color = |it: &Source| match it.group {
                    0 => opaque([0; 3]),
                    group => distinct(group - 1, 255),
                };
                let most = self.last.iter().map(|it| it.group).max().unwrap_or(0);
                (self.last.iter().map(color).collect(), most)
            }
            View::Depth => self.depths()?,
        };
        let (width, height) = (self.width, self.height);
        Ok(Viewed { picture: Picture { width, height, pixels, counts: Counts::default() }, most })
    }

    fn overdraw(&self) -> Vec<u32> {
        let color = |count: &u32| {
            let found = HEAT.iter().find(|(most, _)| count <= most);
            opaque(found.map_or([255; 3], |(_, color)| *color))
        };
        self.written.iter().map(color).collect()
    }

    fn owner(&self) -> Vec<u32> {
        let color = |(last, owner): (&Source, &usize)| match last.group {
            0 => distinct(*owner as u32, 90),
            _ => distinct(last.gpu as u32, 255),
        };
        self.last.iter().zip(&self.owners).map(color).collect()
    }

    fn depths(&self) -> Result<(Vec<u32>, u32), String> {
        let depth = self.depth.as_ref().ok_or("the picture is drawn without a depth buffer")?;
        let drawn = || depth.iter().copied().filter(|it| *it != DEPTH_MOST);
        let (nearest, farthest) = (drawn().min().unwrap_or(0), drawn().max().unwrap_or(0));
        let range = f64::from(farthest - nearest).max(1.0);
        let gray = |depth: &u32| match *depth {
            DEPTH_MOST => opaque([0; 3]),
            depth => {
                opaque([(255.0 - 215.0 * f64::from(depth - nearest) / range).round() as u8; 3])
            }
        };
        Ok((depth.iter().map(gray).collect(), farthest))
    }
}
