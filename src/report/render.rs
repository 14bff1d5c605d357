//! The report of a frame's picture.

use serde::Serialize;

use super::{number, section, table, thousands};
use crate::gpu::graphics::split::{Bits, Replayed, Report, System};
use crate::gpu::graphics::{Counts, Picture, View};

/// Groups that are shown as text.
const SHOWN: usize = 24;

/// Comparison with one GPU's picture.
#[derive(Debug, Serialize)]
pub struct Compared {
    /// Pixels that differ.
    pub pixels: usize,
    /// The greatest difference of a channel, in steps of 255.
    pub worst: u8,
    /// Column and row of the first that differs.
    pub first: Option<[usize; 2]>,
}

impl Compared {
    /// Compares pictures of one size.
    pub fn of(picture: &Picture, alone: &Picture) -> Self {
        let pairs = || picture.pixels.iter().zip(&alone.pixels);
        let steps = |(one, other): (&u32, &u32)| {
            let channels = one.to_le_bytes().into_iter().zip(other.to_le_bytes());
            channels.map(|(one, other)| one.abs_diff(other)).max().unwrap_or(0)
        };
        let width = picture.width as usize;
        Self {
            pixels: pairs().filter(|(one, other)| one != other).count(),
            worst: pairs().map(steps).max().unwrap_or(0),
            first: pairs().position(|(one, other)| one != other).map(|at| [at % width, at / width]),
        }
    }

    fn text(&self) -> String {
        match self.first {
            None => "\n\nall pixels are those of one GPU\n".to_string(),
            Some([x, y]) => format!(
                "\n\n{} pixels differ from those of one GPU, the first at {x}, {y}; by at most {} of 255\n",
                thousands(self.pixels as u64),
                self.worst
            ),
        }
    }
}

/// What rounded sub-images do, or with 8 bits would do.
fn rounded(it: &Replayed) -> String {
    let bits = if it.bits == Bits::Eight { 8 } else { 16 };
    let name = |what: &str| what.to_string();
    let row = |what: &str, value: u64| [name(what), thousands(value)];
    let rows = [
        row("groups", it.groups),
        row("groups that take lists, as no sub-image can say what they blend", it.lists),
        row("pixels of them that differ from lists'", it.pixels),
        [name("greatest step of 255"), it.worst.to_string()],
        row("pixels with a proven bound", it.bounded),
        row("pixels beyond it", it.beyond_bound),
    ];
    section(&format!("Sub-images of {bits} bits"), ["of transparent groups", ""], rows)
}

/// A picture that shows something in place of colours.
#[derive(Debug, Serialize)]
pub struct DebugReport {
    /// What it shows.
    pub view: View,
    /// Most fragments of a pixel, the highest number of a GPU or group, or the greatest depth that was drawn.
    pub most: u32,
}

impl DebugReport {
    fn text(&self) -> String {
        let most = thousands(self.most.into());
        match self.view {
            View::Overdraw => format!("at most {most} fragments were written to a pixel"),
            View::Owner => format!("GPUs 0 to {most} drew"),
            View::Group => format!("groups up to number {most}"),
            View::Depth => format!("the greatest depth is {most} of 16,777,215"),
        }
    }
}

/// The report of `warpsmith render`.
#[derive(Debug, Default, Serialize)]
pub struct RenderReport {
    /// The frame.
    pub frame: String,
    /// The system; of one GPU it makes no difference.
    pub system: System,
    /// GPUs.
    pub gpus: usize,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Draws of the frame.
    pub draws: usize,
    /// Their triangles.
    pub triangles: u64,
    /// Counts of all GPUs.
    pub counts: Counts,
    /// Report of several GPUs.
    pub split: Option<Report>,
    /// Comparison with one GPU's picture, if asked for.
    pub compared: Option<Compared>,
    /// The debug picture, if asked for.
    pub debug: Option<DebugReport>,
    /// Transfers of schedulers' RTL that were compared with their references; null without them.
    pub compared_transfers: Option<u64>,
    /// How a scheduler's RTL was wrong; there is no picture then.
    pub mismatch: Option<String>,
    /// Seconds that drawing took.
    pub seconds: f64,
}

impl RenderReport {
    /// The report as text.
    pub fn text(&self) -> String {
        if let Some(mismatch) = &self.mismatch {
            return format!("{}: a scheduler's RTL is wrong\n\n{mismatch}\n", self.frame);
        }
        let mut text = self.of_all();
        if let Some(split) = &self.split {
            text += &self.of_several(split);
        }
        if let Some(compared) = self.compared_transfers {
            let compared = thousands(compared);
            text += &format!(
                "\n\n{compared} transfers of schedulers' RTL are as their references say\n"
            );
        }
        text += &self.compared.as_ref().map(Compared::text).unwrap_or_default();
        if let Some(debug) = &self.debug {
            text += &format!("\n\n{}\n", debug.text());
        }
        text
    }

    fn of_all(&self) -> String {
        let row = |name: &str, value: u64| [name.to_string(), thousands(value)];
        let Counts {
            triangles,
            vertices,
            not_finite,
            outside,
            clipped,
            degenerate,
            culled,
            dropped,
            rasterized,
            fragments,
            failed,
            discarded,
            written,
            ..
        } = self.counts;
        let rows = [
            row("draws", self.draws as u64),
            row("triangles of the frame", self.triangles),
            row("triangles in", triangles),
            row("vertices shaded", vertices),
            row("triangles with NaN or infinity", not_finite),
            row("triangles outside", outside),
            row("triangles clipped", clipped),
            row("triangles without area", degenerate),
            row("triangles culled", culled),
            row("triangles in others' tiles", dropped),
            row("triangles rasterized", rasterized),
            row("fragments", fragments),
            row("fragments that fail a test", failed),
            row("fragments discarded", discarded),
            row("fragments written", written),
        ];
        let size = format!("{} x {}", self.width, self.height);
        table([self.frame.as_str(), &size], rows)
    }

    fn of_several(&self, split: &Report) -> String {
        let mut text = format!("\n\n{} GPUs, {}", self.gpus, self.system.name());
        let bytes = &split.bytes;
        let row = |name: &str, bytes: u64| [name.to_string(), thousands(bytes)];
        let rows = [
            row("composition of sub-images", bytes.composition),
            row("draw numbers for ties", bytes.draw_numbers),
            row("primitives", bytes.primitives),
            row("depth before groups that read it", bytes.depth_broadcasts),
            row("targets at a switch", bytes.target_broadcasts),
            row("reports to the draw scheduler", bytes.reports),
        ];
        text += &section("Links", ["purpose", "bytes"], rows);
        let balance = [
            ("triangles", split.imbalance(|it| it.triangles)),
            ("fragments", split.imbalance(|it| it.fragments)),
        ];
        let balance = balance.map(|(of, most)| [of.to_string(), number(most)]);
        text += &section("Balance", ["of", "most over mean"], balance);
        text += &split.sub_images.as_ref().map(rounded).unwrap_or_default();
        let [composed, triangles] = split.composed();
        let share = 100.0 * triangles as f64 / self.triangles.max(1) as f64;
        text += &format!(
            "\n\n{} of {} groups composed, with {share:.1} % of the triangles",
            thousands(composed),
            thousands(split.groups.len() as u64)
        );
        let rows = split.groups.iter().take(SHOWN).map(|group| {
            let reason = group.duplicated.and_then(|it| serde_json::to_value(it).ok());
            let reason = reason.and_then(|it| it.as_str().map(|it| it.replace('_', " ")));
            [
                group.line.to_string(),
                thousands(group.draws as u64),
                thousands(group.triangles),
                if group.transparent { "transparent" } else { "opaque" }.to_string(),
                reason.map_or("composed".to_string(), |it| format!("duplicated: {it}")),
            ]
        });
        text += &section("Groups", ["line", "draws", "triangles", "kind", "how"], rows);
        if split.groups.len() > SHOWN {
            text += &format!("\nand {} more", split.groups.len() - SHOWN);
        }
        text
    }
}
