//! Who wrote which pixel of the picture, for pictures that show it.

/// The GPU and the group of a fragment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Source {
    /// The GPU that shaded it.
    pub gpu: usize,
    /// Its composition group, from 1 on; 0 if nothing was written.
    pub group: u32,
}

/// What a GPU wrote to its copy of the picture since the last clear.
#[derive(Debug, Clone)]
pub struct History {
    /// The GPU, and the group that it draws.
    pub now: Source,
    /// Fragments that were written to each pixel.
    pub written: Vec<u32>,
    /// The last one of each pixel.
    pub last: Vec<Source>,
}

impl History {
    /// Nothing was written to so many pixels.
    pub fn new(gpu: usize, pixels: usize) -> Self {
        let now = Source { gpu, group: 0 };
        Self { now, written: vec![0; pixels], last: vec![Source::default(); pixels] }
    }

    /// A fragment is written.
    #[inline]
    pub fn write(&mut self, place: usize) {
        self.written[place] += 1;
        self.last[place] = self.now;
    }

    /// The picture is cleared.
    pub fn clear(&mut self) {
        self.written.fill(0);
        self.last.fill(Source::default());
    }

    /// The picture takes a pixel of another GPU's sub-image that lies above or below its own.
    pub fn take(&mut self, place: usize, from: &Self, is_above: bool) {
        let source = from.last[place];
        if is_above || self.last[place].group != source.group {
            self.last[place] = source;
        }
    }
}
