//! Counts of a GPU's pipeline.

use serde::Serialize;

/// Counts of a GPU's pipeline.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Triangles that came to assembly.
    pub triangles: u64,
    /// Vertices that were shaded.
    pub vertices: u64,
    /// Triangles with a position that is NaN or infinite.
    pub not_finite: u64,
    /// Triangles outside of the view.
    pub outside: u64,
    /// Triangles of which clipping left a part.
    pub clipped: u64,
    /// Triangles without area, after clipping.
    pub degenerate: u64,
    /// Triangles that face the wrong way, after clipping.
    pub culled: u64,
    /// Triangles that touch no tile of this GPU, after clipping.
    pub dropped: u64,
    /// Triangles that were rasterized.
    pub rasterized: u64,
    /// Pixels that they cover.
    pub fragments: u64,
    /// Fragments that the depth or stencil test drops.
    pub failed: u64,
    /// Fragments that their shader drops.
    pub discarded: u64,
    /// Fragments that were written.
    pub written: u64,
    /// Warps of fragments.
    pub fragment_warps: u64,
}

impl Counts {
    /// Adds another GPU's.
    pub fn add(&mut self, other: &Self) {
        self.triangles += other.triangles;
        self.vertices += other.vertices;
        self.not_finite += other.not_finite;
        self.outside += other.outside;
        self.clipped += other.clipped;
        self.degenerate += other.degenerate;
        self.culled += other.culled;
        self.dropped += other.dropped;
        self.rasterized += other.rasterized;
        self.fragments += other.fragments;
        self.failed += other.failed;
        self.discarded += other.discarded;
        self.written += other.written;
        self.fragment_warps += other.fragment_warps;
    }
}
