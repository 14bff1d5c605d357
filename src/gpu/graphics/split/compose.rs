//! Composition: blocks of sub-images meet at the owners of their tiles.

use super::groups::Group;
use super::machine::{BLOCK_PIXELS, HEADER, Machine};
use super::order::{Pair, direct_send};
use super::planted::Planted;
use crate::graphics::depth::{Function, depth_of};
use crate::graphics::rop::Rop;

/// Which of two pixels stays.
#[derive(Debug, Clone, Copy)]
struct Rule {
    function: Function,
    writes_depth: bool,
    /// Nothing but the order of arrival settles a tie.
    by_arrival: bool,
}

impl Rule {
    /// The arriving pixel replaces the stored one; each is its depth and the number of its draw.
    fn replaces(&self, [new, number]: [u32; 2], [old, other]: [u32; 2]) -> bool {
        // Of the depths that passed, those of the last draw stay, unless a depth is nearer.
        let is_later = self.by_arrival || number > other;
        if !self.writes_depth {
            return is_later;
        }
        match self.function {
            Function::Less if self.by_arrival => new < old,
            Function::Greater if self.by_arrival => new > old,
            Function::Less => new < old || new == old && number < other,
            Function::Lequal => new < old || new == old && is_later,
            Function::Greater => new > old || new == old && number < other,
            Function::Gequal => new > old || new == old && is_later,
            _ => is_later,
        }
    }
}

impl Machine<'_> {
    /// The transfers of a group, in the order in which they end.
    fn transfers(&mut self, transparent: bool) -> Result<Vec<Pair>, String> {
        let gpus = self.settings.gpus;
        let any = transparent && self.settings.planted == Some(Planted::AnyNeighbour);
        let Some(scheduler) = &mut self.composition else {
            return direct_send(gpus, transparent, any, &mut self.random);
        };
        let mut pairs = scheduler.group(transparent && !any, &mut self.random)?;
        if any {
            pairs.extend((0..gpus).map(|gpu| [gpu, gpu]));
        }
        Ok(pairs)
    }

    /// Blocks that a GPU sends to another, and how they are counted.
    fn sent(&mut self, [src, dst]: Pair, bytes_of_pixel: u64) -> Vec<usize> {
        let tiles = self.rop(src).tiles;
        let off = usize::from(self.settings.planted == Some(Planted::OwnerOffByOne));
        let owner = (dst + off) % self.settings.gpus;
        let left_out = usize::from(self.settings.planted == Some(Planted::LeavesOutBlock));
        let dirty = &self.rop(src).dirty;
        let blocks = dirty.iter().filter(|block| tiles.owner_of_block(*block) == owner);
        let blocks: Vec<_> = blocks.skip(left_out).collect();
        self.report.transfers += 1;
        self.report.blocks += blocks.len() as u64;
        self.report.bytes.composition +=
            blocks.len() as u64 * (HEADER + BLOCK_PIXELS * bytes_of_pixel);
        blocks
    }

    /// Two GPUs of which one is changed.
    fn two(&mut self, [src, dst]: Pair) -> Option<(&Rop, &mut Rop)> {
        let [src, dst] = self.gpus.get_disjoint_mut([src, dst]).ok()?;
        Some((&src.rop.as_ref()?.1, &mut dst.rop.as_mut()?.1))
    }

    pub(super) fn compose_opaque(&mut self, group: &Group<'_>) -> Result<(), String> {
        let state = group.common.state();
        let rule = Rule {
            function: group.common.depth.map_or(Function::Always, |it| it.test),
            writes_depth: state.writes_depth(),
            by_arrival: self.settings.ties_by_arrival
                || self.settings.planted == Some(Planted::TieByArrival),
        };
        for pair in self.transfers(false)? {
            let blocks = self.sent(pair, 8);
            if !rule.by_arrival {
                self.report.bytes.draw_numbers += blocks.len() as u64 * BLOCK_PIXELS * 2;
            }
            let Some((src, dst)) = self.two(pair) else { continue };
            for block in blocks {
                dst.dirty.insert(block);
                for at in dst.tiles.pixels(block).filter(|at| src.numbers[*at] != 0) {
                    let of = |rop: &Rop| {
                        let depth = rop.depth.get(at).map_or(0, |word| depth_of(*word));
                        [depth, rop.numbers[at]]
                    };
                    if !rule.replaces(of(src), of(dst)) {
                        continue;
                    }
                    dst.color[at] = state.mask.merge(src.color[at], dst.color[at]);
                    dst.numbers[at] = src.numbers[at];
                    if rule.writes_depth {
                        dst.depth[at] = src.depth[at] & !0xff | dst.depth[at] & 0xff;
                    }
                }
            }
        }
        self.written(rule.writes_depth);
        (0..self.settings.gpus).for_each(|gpu| self.rop(gpu).numbers = Vec::new());
        Ok(())
    }

    pub(super) fn compose_transparent(&mut self, group: &Group<'_>) -> Result<(), String> {
        for [src, dst] in self.transfers(true)? {
            if src == dst {
                self.background(group, dst);
                continue;
            }
            let blocks = self.sent([src, dst], 4);
            let Some((from, to)) = self.two([src, dst]) else { continue };
            for block in blocks {
                to.dirty.insert(block);
                let sent = &from.lists[block];
                // What comes from below stands before what is there, which is a run of neighbours.
                let at = if src < dst { 0 } else { to.lists[block].len() };
                to.lists[block].splice(at..at, sent.iter().copied());
            }
        }
        self.written(false);
        (0..self.settings.gpus).for_each(|gpu| self.rop(gpu).lists = Vec::new());
        Ok(())
    }

    /// The lists of a GPU's own tiles meet what was drawn before, fragment by fragment.
    fn background(&mut self, group: &Group<'_>, gpu: usize) {
        let state = group.common.state();
        let times = match self.settings.planted {
            Some(Planted::BackgroundTwice) => 2,
            Some(Planted::NoBackground) => 0,
            _ => 1,
        };
        self.report.transfers += 1;
        let rop = self.rop(gpu);
        let tiles = rop.tiles;
        for block in (0..tiles.blocks()).filter(|block| tiles.owner_of_block(*block) == gpu) {
            let list = std::mem::take(&mut rop.lists[block]);
            for (pixel, color) in list.iter().cycle().take(times * list.len()) {
                let at = tiles.pixel(block, *pixel);
                rop.color[at] = state.color(*color, rop.color[at]);
            }
        }
    }
}
