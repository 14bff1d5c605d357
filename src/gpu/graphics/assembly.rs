//! Triangles of a draw, and the reuse of vertices that were shaded already.

use serde::{Deserialize, Serialize};

use crate::simt::LANES;

/// Vertices that are kept for reuse.
pub const REUSE: usize = 32;

/// Primitive topology of a draw.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Topology {
    /// Three vertices each.
    #[default]
    Triangles,
    /// Each vertex makes a triangle with the two before it.
    Strip,
    /// Each vertex makes a triangle with the one before it and the first.
    Fan,
}

impl Topology {
    /// Triangles of so many vertices.
    pub fn triangles(self, vertices: u32) -> u32 {
        match self {
            Self::Triangles => vertices / 3,
            Self::Strip | Self::Fan => vertices.saturating_sub(2),
        }
    }

    /// The places of a triangle's vertices in the draw, the provoking one first (Vulkan's order).
    pub fn vertices(self, triangle: u32) -> [u32; 3] {
        let at = triangle;
        match self {
            Self::Triangles => [3 * at, 3 * at + 1, 3 * at + 2],
            Self::Strip => [at, at + 1 + at % 2, at + 2 - at % 2],
            Self::Fan => [at + 1, at + 2, 0],
        }
    }
}

/// Assembles triangles into batches whose vertices fill a warp.
///
/// Vertices have serial numbers in the order in which they are shaded. Those that are kept are the last
/// `REUSE` ones, whichever warp shaded them.
#[derive(Debug, Clone, Default)]
pub struct Assembler {
    /// Indices of the last vertices, by serial number modulo `REUSE`.
    kept: [u32; REUSE],
    next: u32,
    /// First vertex of the batch.
    first: u32,
    /// Indices of the vertices to be shaded.
    pub indices: Vec<u32>,
    /// The batch's triangles: number in the draw, serial numbers of the vertices.
    pub triangles: Vec<(u32, [u32; 3])>,
}

impl Assembler {
    /// The batch has no room for a triangle of three new vertices.
    pub fn is_full(&self) -> bool {
        self.indices.len() + 3 > LANES
    }

    /// Appends a triangle to the batch.
    pub fn push(&mut self, triangle: u32, indices: [u32; 3]) {
        let serials = indices.map(|index| self.serial(index));
        self.triangles.push((triangle, serials));
    }

    fn serial(&mut self, index: u32) -> u32 {
        let kept = self.next.min(REUSE as u32) as usize;
        if let Some(at) = self.kept[..kept].iter().position(|other| *other == index) {
            let newest = self.next - 1;
            return newest - (newest.wrapping_sub(at as u32)) % REUSE as u32;
        }
        let serial = self.next;
        self.kept[serial as usize % REUSE] = index;
        self.indices.push(index);
        self.next += 1;
        serial
    }

    /// Serial number of the batch's first vertex.
    pub fn first(&self) -> u32 {
        self.first
    }

    /// Begins the next batch.
    pub fn clear(&mut self) {
        self.first = self.next;
        self.indices.clear();
        self.triangles.clear();
    }
}
