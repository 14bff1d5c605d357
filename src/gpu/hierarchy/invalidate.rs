//! Invalidations: sent by directories, never acknowledged (HMG IV-B).

use super::message::{Kind, Message, Port};
use super::{Hierarchy, LINE, PlantedError};
use crate::gpu::coherence::Routing;
use crate::gpu::isa::GLOBALS_BASE;
use warpsmith_blocks::hmg_directory::{Invalidation, Op, Source};

impl Hierarchy {
    /// Tells the sharers of a block that their copies are old.
    pub(super) fn invalidate_sharers(&mut self, gpm: u32, invalidation: Invalidation) {
        let line = ((invalidation.address - GLOBALS_BASE) / LINE as u64) as u32;
        let mut sharers = invalidation.sharers;
        while sharers != 0 {
            let bit = sharers.trailing_zeros();
            sharers &= sharers - 1;
            let skips = |error| match error {
                PlantedError::SkipInvalidation(one_in) => Some(one_in),
                _ => None,
            };
            if !self.errs(skips) {
                let to = self.sharer(gpm, bit, line);
                self.send_invalidation(gpm, to, line);
            }
        }
    }

    /// The GPM that a bit of a sharer mask stands for: the others of this GPU come first, then the
    /// other GPUs, of which the home of the block is told. Flat, all others come in order.
    fn sharer(&self, gpm: u32, bit: u32, line: u32) -> u32 {
        let beyond = |at: u32, own: u32| at + u32::from(at >= own);
        let topology = self.homes.topology;
        if self.system.routing() == Routing::Direct {
            return beyond(bit, gpm);
        }
        let (first, own) = (topology.same_gpu(gpm).start, gpm % topology.gpms_per_gpu);
        let others = topology.gpms_per_gpu - 1;
        if bit < others {
            return first + beyond(bit, own);
        }
        let gpu = beyond(bit - others, topology.gpu(gpm));
        self.homes.gpu_home(gpu * topology.gpms_per_gpu, line)
    }

    pub(super) fn send_invalidation(&mut self, gpm: u32, to: u32, line: u32) {
        self.statistics.coherence.invalidations += 1;
        self.l2[gpm as usize].progress.invalidations.sent(to);
        let mut message = Message::new(Kind::Invalidate, Port::Gpm(gpm), Port::Gpm(to));
        (message.line, message.cause) = (line, self.cause);
        let message = self.messages.add(message);
        self.send(message);
    }

    /// An invalidation has arrived: the block's lines go, and one from another GPU is passed on to
    /// the sharers in this one (V-B).
    pub(super) fn invalidated(&mut self, gpm: u32, from: Port, line: u32) {
        let lines = self.homes.block(line);
        let l2 = &mut self.l2[gpm as usize];
        for line in lines {
            self.statistics.coherence.invalidated_lines += u64::from(l2.cache.drop_line(line));
            // What is under way may be older than what other GPMs have passed to the home.
            if let Some(miss) = l2.misses.of(line)
                && !l2.misses.get(miss).blocking
            {
                l2.misses.detach(line);
            }
        }
        let topology = self.homes.topology;
        if let Port::Gpm(other) = from
            && self.system.routing() == Routing::ByGpuHome
            && topology.gpu(other) != topology.gpu(gpm)
            && self.planted != Some(PlantedError::DoNotForward)
        {
            self.present(gpm, Op::Invalidate, Source::Gpu(topology.gpu(other)), line);
        }
    }
}
