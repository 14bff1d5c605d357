//! Composition: blocks of sub-images meet at the owners of their tiles.

use super::groups::Group;
use super::machine::{BLOCK_PIXELS, HEADER, Machine};
use super::order::{Pair, direct_send};
use super::planted::Planted;
use super::replay::{Replay, Replayed};
use super::rounded::{Bits, Rounded};
use super::rule::Rule;
use super::seats::Fault;
use crate::graphics::depth::{Function, depth_of};
use crate::graphics::rop::Rop;

impl Machine<'_> {
    /// The transfers of a group, in the order in which they end.
    fn transfers(&mut self, transparent: bool) -> Result<Vec<Pair>, Fault> {
        let gpus = self.settings.gpus;
        let any = transparent && self.settings.planted == Some(Planted::AnyNeighbour);
        let Some(scheduler) = &mut self.composition else {
            return Ok(direct_send(gpus, transparent, any, &mut self.random)?);
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

    pub(super) fn compose_opaque(&mut self, group: &Group<'_>) -> Result<(), Fault> {
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
                    if let (Some(to), Some(from)) = (&mut dst.history, &src.history) {
                        to.take(at, from, true);
                    }
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

    pub(super) fn compose_transparent(&mut self, group: &Group<'_>) -> Result<(), Fault> {
        let mut replay = self.replay(group);
        let pairs = self.transfers(true)?;
        for [src, dst] in pairs.iter().copied() {
            if src == dst {
                self.background(group, dst, replay.as_ref());
                continue;
            }
            let blocks = self.sent([src, dst], 4);
            if let Some(replay) = &mut replay {
                replay.compose([src, dst], &blocks);
            }
            let Some((from, to)) = self.two([src, dst]) else { continue };
            let tiles = from.tiles;
            for block in blocks {
                to.dirty.insert(block);
                let sent = &from.lists[block];
                // What comes from below stands before what is there, which is a run of neighbours.
                let is_above = src > dst;
                let at = if is_above { to.lists[block].len() } else { 0 };
                to.lists[block].splice(at..at, sent.iter().copied());
                if let (Some(to), Some(from)) = (&mut to.history, &from.history) {
                    let places = sent.iter().map(|(pixel, _)| tiles.pixel(block, *pixel));
                    places.for_each(|place| to.take(place, from, is_above));
                }
            }
        }
        self.report.orders.push(pairs);
        self.written(false);
        (0..self.settings.gpus).for_each(|gpu| self.rop(gpu).lists = Vec::new());
        Ok(())
    }

    /// Rounded sub-images of a group, if they can say what its blending does.
    fn replay(&mut self, group: &Group<'_>) -> Option<Replay> {
        // What 8 bits would do is always told.
        let bits = self.settings.sub_images.unwrap_or(Bits::Eight);
        let rounded = group.common.blend.and_then(|blend| Rounded::new(&blend, bits));
        let replayed = self.report.sub_images.get_or_insert(Replayed::new(bits));
        match rounded {
            Some(_) => replayed.groups += 1,
            None => replayed.lists += 1,
        }
        let rops = self.gpus.iter().filter_map(|gpu| Some(&gpu.rop.as_ref()?.1));
        Some(Replay::new(rounded?, rops))
    }

    /// The lists of a GPU's own tiles meet what was drawn before, fragment by fragment.
    fn background(&mut self, group: &Group<'_>, gpu: usize, replay: Option<&Replay>) {
        let state = group.common.state();
        let times = match self.settings.planted {
            Some(Planted::BackgroundTwice) => 2,
            Some(Planted::NoBackground) => 0,
            _ => 1,
        };
        self.report.transfers += 1;
        let rounds = self.settings.sub_images.is_some();
        let Some((_, rop)) = &mut self.gpus[gpu].rop else { return };
        let tiles = rop.tiles;
        for block in (0..tiles.blocks()).filter(|block| tiles.owner_of_block(*block) == gpu) {
            let list = std::mem::take(&mut rop.lists[block]);
            let mut before = [0; BLOCK_PIXELS as usize];
            for (pixel, _) in &list {
                before[usize::from(*pixel)] = rop.color[tiles.pixel(block, *pixel)];
            }
            for (pixel, color) in list.iter().cycle().take(times * list.len()) {
                let at = tiles.pixel(block, *pixel);
                rop.color[at] = state.color(*color, rop.color[at]);
            }
            let (Some(replay), Some(counts)) = (replay, &mut self.report.sub_images) else {
                continue;
            };
            replay.finish(gpu, block, counts, |pixel, onto| {
                let at = tiles.pixel(block, pixel);
                let below = before[usize::from(pixel)];
                let both = [rop.color[at], state.mask.merge(onto(below), below)];
                rop.color[at] = both[usize::from(rounds)];
                both
            });
        }
    }
}
