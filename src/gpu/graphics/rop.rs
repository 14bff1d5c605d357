//! The render output: what a GPU draws to.

use super::history::History;
use super::raster::{BLOCK, Quad};
use super::state::State;
use super::tiles::{Blocks, Tiles};

/// Fragments of a block in order: the pixel in the block, and the colour.
pub type List = Vec<(u8, u32)>;

/// Targets of a GPU while it draws, and what is kept beside them while it draws a sub-image.
#[derive(Debug, Clone)]
pub struct Rop {
    /// The target's parts.
    pub tiles: Tiles,
    /// Colours, row by row.
    pub color: Vec<u32>,
    /// Words of D24S8, row by row; empty without a depth buffer.
    pub depth: Vec<u32>,
    /// The draw's number in its group, from 1 on.
    pub number: u32,
    /// For each pixel the number of the draw that drew it last, if they are kept.
    pub numbers: Vec<u32>,
    /// For each block its fragments, where they are kept in place of blending them.
    pub lists: Vec<List>,
    /// Blocks that were written.
    pub dirty: Blocks,
    /// Who wrote what, if that is kept.
    pub history: Option<Box<History>>,
}

impl Rop {
    /// Targets that nothing was drawn to yet.
    pub fn new(tiles: Tiles, color: Vec<u32>, depth: Vec<u32>) -> Self {
        let dirty = Blocks::none(tiles.blocks());
        let (numbers, lists) = (Vec::new(), Vec::new());
        Self { tiles, color, depth, number: 0, numbers, lists, dirty, history: None }
    }

    #[inline]
    fn block(&self, quad: &Quad) -> usize {
        let side = BLOCK as usize;
        usize::from(quad.y) / side * self.tiles.columns() + usize::from(quad.x) / side
    }

    /// The place of a quad's pixel in the target.
    #[inline]
    fn place(&self, quad: &Quad, pixel: usize) -> usize {
        let row = usize::from(quad.y) + pixel / 2;
        row * self.tiles.width as usize + usize::from(quad.x) + pixel % 2
    }

    /// Tests the covered pixels of a quad; those that pass. Their depth is given by the pixel.
    #[inline]
    pub fn test(&mut self, state: &State, quad: &Quad, depth: impl Fn(usize) -> u32) -> u8 {
        if self.depth.is_empty() || state.depth.is_none() && state.stencil.is_none() {
            return quad.mask;
        }
        let mut passed = 0;
        for pixel in (0..4).filter(|pixel| quad.mask >> pixel & 1 != 0) {
            let place = self.place(quad, pixel);
            let stored = self.depth[place];
            let (new, passes) = state.test(depth(pixel), stored);
            if new != stored {
                self.depth[place] = new;
            }
            // A depth that is written anew as it was counts as written.
            if new != stored || passes && state.writes_depth() {
                self.mark(quad, place);
            }
            passed |= u8::from(passes) << pixel;
        }
        passed
    }

    #[inline]
    fn mark(&mut self, quad: &Quad, place: usize) {
        let block = self.block(quad);
        self.dirty.insert(block);
        if let Some(number) = self.numbers.get_mut(place) {
            *number = self.number;
        }
    }

    /// Writes a fragment's colour.
    #[inline]
    pub fn write(&mut self, state: &State, quad: &Quad, pixel: usize, color: u32) {
        let place = self.place(quad, pixel);
        self.mark(quad, place);
        if let Some(history) = &mut self.history {
            history.write(place);
        }
        if self.lists.is_empty() {
            self.color[place] = state.color(color, self.color[place]);
            return;
        }
        let block = self.block(quad);
        let [x, y] = [quad.x, quad.y].map(|at| at as u8 % BLOCK as u8);
        let [x, y] = [x + pixel as u8 % 2, y + pixel as u8 / 2];
        self.lists[block].push((y * BLOCK as u8 + x, color));
    }
}
