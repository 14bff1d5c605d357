//! Report of a frame on several GPUs.

use std::collections::BTreeMap;

use serde::Serialize;

use super::groups::{Group, Reason};
use super::order::Pair;
use super::replay::Replayed;
use crate::graphics::counts::Counts;

/// Bytes on links, by purpose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Bytes {
    /// Sub-images: 8 of header a block, and 8 (opaque: colour and depth) or 4 a pixel.
    pub composition: u64,
    /// Draw numbers that settle ties, 2 a pixel; not in the thesis.
    pub draw_numbers: u64,
    /// Primitives of GPUpd, 12 for each and each GPU.
    pub primitives: u64,
    /// Depth and stencil, before groups that read them and do not write them; not in the thesis.
    pub depth_broadcasts: u64,
    /// Targets at a switch (6.5).
    pub target_broadcasts: u64,
    /// Triangles that GPUs report to the draw scheduler, 4 each.
    pub reports: u64,
}

/// A group, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GroupReport {
    /// Line of its first draw in the frame.
    pub line: usize,
    /// Draws.
    pub draws: usize,
    /// Triangles.
    pub triangles: u64,
    /// Objects are transparent.
    pub transparent: bool,
    /// The reason for which all GPUs drew all of it; none if its sub-images were composed.
    pub duplicated: Option<Reason>,
}

impl GroupReport {
    pub(super) fn of(group: &Group<'_>, duplicated: Option<Reason>) -> Self {
        Self {
            line: group.draws.first().map_or(0, |draw| draw.line),
            draws: group.draws.len(),
            triangles: group.triangles(),
            transparent: group.is_transparent(),
            duplicated,
        }
    }
}

/// All of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Groups in order.
    pub groups: Vec<GroupReport>,
    /// Bytes on links.
    pub bytes: Bytes,
    /// Each GPU's counts.
    pub gpus: Vec<Counts>,
    /// Each GPU's counts in GPUpd's projection.
    pub projection: Vec<Counts>,
    /// Primitives that GPUpd stored between the two, 16 bytes each.
    pub primitives_stored: u64,
    /// Transfers of sub-images.
    pub transfers: u64,
    /// Blocks that were sent, those of a GPU to itself not counted.
    pub blocks: u64,
    /// Transfers of schedulers' RTL that were compared with their references.
    pub compared_transfers: u64,
    /// What rounded sub-images changed, or with 8 bits would have changed; none without a transparent group that was
    /// composed.
    pub sub_images: Option<Replayed>,
    /// Of each such group its transfers, in the order of their ends.
    #[serde(skip)]
    pub orders: Vec<Vec<Pair>>,
}

impl Report {
    /// Groups that were composed, and their triangles.
    pub fn composed(&self) -> [u64; 2] {
        let groups = self.groups.iter().filter(|group| group.duplicated.is_none());
        groups.fold([0; 2], |[count, sum], group| [count + 1, sum + group.triangles])
    }

    /// Groups that were not composed, by the reason.
    pub fn reasons(&self) -> BTreeMap<Reason, u64> {
        let mut reasons = BTreeMap::new();
        for reason in self.groups.iter().filter_map(|group| group.duplicated) {
            *reasons.entry(reason).or_default() += 1;
        }
        reasons
    }

    /// The most that a GPU has of something over the mean.
    pub fn imbalance(&self, of: impl Fn(&Counts) -> u64) -> f64 {
        let counts: Vec<_> = self.gpus.iter().map(of).collect();
        let (most, sum) = (counts.iter().max().copied().unwrap_or(0), counts.iter().sum::<u64>());
        if sum == 0 { 1.0 } else { most as f64 * counts.len() as f64 / sum as f64 }
    }
}
