//! Who owns which part of the screen.

use super::raster::{BLOCK, Bounds};

/// Pixels of a tile's side (6.5).
pub const TILE: i64 = 64;

/// A target divided among GPUs: tiles in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tiles {
    /// GPUs.
    pub gpus: usize,
    /// Width of the target in pixels.
    pub width: u32,
    /// Height of the target in pixels.
    pub height: u32,
}

impl Tiles {
    /// Blocks of a row.
    pub fn columns(&self) -> usize {
        self.width.div_ceil(BLOCK as u32) as usize
    }

    /// All blocks of the target.
    pub fn blocks(&self) -> usize {
        self.columns() * self.height.div_ceil(BLOCK as u32) as usize
    }

    /// The owner of the tile at a column and row of tiles.
    #[inline]
    fn owner_of_tile(&self, column: i64, row: i64) -> usize {
        let columns = i64::from(self.width.div_ceil(TILE as u32));
        (row * columns + column) as usize % self.gpus
    }

    /// The owner of a block, by its column and row.
    #[inline]
    pub fn owner(&self, column: i64, row: i64) -> usize {
        self.owner_of_tile(column * BLOCK / TILE, row * BLOCK / TILE)
    }

    /// The owner of a block, by its number.
    pub fn owner_of_block(&self, block: usize) -> usize {
        let columns = self.columns();
        self.owner((block % columns) as i64, (block / columns) as i64)
    }

    /// The GPUs that own a tile which a part of the target touches, a bit each.
    pub fn owners(&self, part: &Bounds) -> u64 {
        let all = u64::MAX >> (64 - self.gpus);
        let mut owners = 0;
        for row in part.y[0] / TILE..=(part.y[1] - 1) / TILE {
            for column in part.x[0] / TILE..=(part.x[1] - 1) / TILE {
                owners |= 1 << self.owner_of_tile(column, row);
                if owners == all {
                    return all;
                }
            }
        }
        owners
    }

    /// The pixels of a block, as places in the target.
    pub fn pixels(&self, block: usize) -> impl Iterator<Item = usize> + use<> {
        let (width, height, columns) = (self.width as usize, self.height as usize, self.columns());
        let side = BLOCK as usize;
        let [x, y] = [block % columns * side, block / columns * side];
        let rows = y..(y + side).min(height);
        rows.flat_map(move |row| (x..(x + side).min(width)).map(move |column| row * width + column))
    }
}

impl Tiles {
    /// The place in the target of a block's pixel, which is counted row by row within the block.
    pub fn pixel(&self, block: usize, pixel: u8) -> usize {
        let (columns, side) = (self.columns(), BLOCK as usize);
        let [x, y] = [block % columns, block / columns].map(|at| at * side);
        let pixel = usize::from(pixel);
        (y + pixel / side) * self.width as usize + x + pixel % side
    }
}

/// A set of blocks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blocks(Vec<u64>);

impl Blocks {
    /// None of so many.
    pub fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    /// Adds one.
    #[inline]
    pub fn insert(&mut self, block: usize) {
        self.0[block / 64] |= 1 << (block % 64);
    }

    /// Holds a block.
    pub fn contains(&self, block: usize) -> bool {
        self.0[block / 64] >> (block % 64) & 1 != 0
    }

    /// All of them, lowest first.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len() * 64).filter(|block| self.contains(*block))
    }

    /// Takes all out.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }
}
