//! What rounded sub-images make of a transparent group, in the order in which its lists were composed.

use std::collections::BTreeMap;

use serde::Serialize;

use super::machine::BLOCK_PIXELS;
use super::order::Pair;
use super::rounded::{Bits, Pixel, Rounded};
use crate::graphics::rop::{List, Rop};

/// What rounded sub-images changed, or would have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Replayed {
    /// Bits of a channel.
    pub bits: Bits,
    /// Transparent groups that were composed from such sub-images.
    pub groups: u64,
    /// Transparent groups whose blending they cannot say; lists of fragments were taken.
    pub lists: u64,
    /// Pixels that differ from those of lists, counted in each group.
    pub pixels: u64,
    /// The greatest difference of a channel, in steps of 255.
    pub worst: u8,
    /// Pixels blended by *over*, for which there is a bound.
    pub bounded: u64,
    /// Those that differ by more than the bound.
    pub beyond_bound: u64,
}

impl Replayed {
    pub(super) fn new(bits: Bits) -> Self {
        Self { bits, groups: 0, lists: 0, pixels: 0, worst: 0, bounded: 0, beyond_bound: 0 }
    }

    /// A pixel that lists make `exact`, and rounded sub-images `found`.
    fn count(&mut self, rounded: &Rounded, [exact, found]: [u32; 2], layers: u64, gpus: u64) {
        let steps = exact.to_le_bytes().into_iter().zip(found.to_le_bytes());
        let step = steps.map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0);
        self.pixels += u64::from(step > 0);
        self.worst = self.worst.max(step);
        if let Some(is_within) = rounded.is_within(step, layers, gpus) {
            self.bounded += 1;
            self.beyond_bound += u64::from(!is_within);
        }
    }
}

/// The sub-images of a group.
pub(super) struct Replay {
    rounded: Rounded,
    /// Of each GPU the blocks that have fragments, with the fragments that each of their pixels is made of.
    images: Vec<BTreeMap<usize, Block>>,
}

type Block = Vec<(Pixel, u64)>;

impl Replay {
    /// The sub-images as their GPUs have drawn them.
    pub(super) fn new<'a>(rounded: Rounded, rops: impl Iterator<Item = &'a Rop>) -> Self {
        let image = |rop: &Rop| {
            let drawn = rop.lists.iter().enumerate().filter(|(_, list)| !list.is_empty());
            drawn.map(|(block, list)| (block, of_list(&rounded, list))).collect()
        };
        Self { images: rops.map(image).collect(), rounded }
    }

    /// A GPU's blocks go to another.
    pub(super) fn compose(&mut self, [src, dst]: Pair, blocks: &[usize]) {
        let rounded = self.rounded;
        let Ok([from, to]) = self.images.get_disjoint_mut([src, dst]) else { return };
        for block in blocks {
            let Some(sent) = from.get(block) else { continue };
            let own = to
                .entry(*block)
                .or_insert_with(|| vec![(rounded.empty(), 0); BLOCK_PIXELS as usize]);
            for ((pixel, layers), (other, more)) in own.iter_mut().zip(sent) {
                let (upper, lower) = if src > dst { (other, &*pixel) } else { (&*pixel, other) };
                (*pixel, *layers) = (rounded.over(upper, lower), *layers + more);
            }
        }
    }

    /// The pixels of a block that a GPU makes of what is in the target: what lists make of it, and what rounded
    /// sub-images do.
    pub(super) fn finish(
        &self,
        gpu: usize,
        block: usize,
        replayed: &mut Replayed,
        mut pixel: impl FnMut(u8, &dyn Fn(u32) -> u32) -> [u32; 2],
    ) {
        let Some(own) = self.images[gpu].get(&block) else { return };
        for (number, (image, layers)) in (0..).zip(own).filter(|(_, (_, layers))| *layers > 0) {
            let both = pixel(number, &|below| self.rounded.onto(image, below));
            replayed.count(&self.rounded, both, *layers, self.images.len() as u64);
        }
    }
}

fn of_list(rounded: &Rounded, list: &List) -> Block {
    let mut block = vec![(rounded.empty(), 0); BLOCK_PIXELS as usize];
    for (pixel, color) in list {
        let (pixel, layers) = &mut block[usize::from(*pixel)];
        rounded.draw(pixel, *color);
        *layers += 1;
    }
    block
}
