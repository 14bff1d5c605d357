//! The Bloom filters beside a core's L1 (4.3): of each wavefront the lines in its store buffer.

/// The filters of a core.
#[derive(Debug, Default)]
pub(super) struct Blooms;

impl Blooms {
    /// A wavefront has stored to a line.
    pub fn insert(&mut self, _warp: u32, _line: u32) {}

    /// Whether a wavefront may have stored to a line.
    pub fn query(&mut self, _warp: u32, _line: u32, is_there: bool) -> bool {
        is_there
    }

    /// A wavefront's store buffer is empty.
    pub fn clear(&mut self, _warp: u32) {}

    /// All store buffers of the core are empty.
    pub fn clear_all(&mut self) {}
}
