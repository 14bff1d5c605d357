//! The directories beside the L2s, and the invalidations that they send, which are never
//! acknowledged (HMG IV-B).

use super::Hmg;
use super::directory::Output;
use super::message::{Kind, Message};
use super::planted::{DO_NOT_FORWARD, SKIP_INVALIDATION};
use super::variant::Routing;
use crate::config::LINE;
use crate::isa::GLOBALS_BASE;
use crate::memory::{Port, Shared};
use crate::systems::hmg::SystemEvent;
use warpsmith_blocks::hmg_directory::{Invalidation, Op, Request, Source};

impl Hmg {
    /// Shows a request for a line to the directory beside an L2, if there is one.
    pub(super) fn present(
        &mut self,
        shared: &mut Shared,
        gpm: u32,
        op: Op,
        source: Source,
        line: u32,
    ) {
        let l2 = &mut self.l2[gpm as usize];
        let Some(directory) = &mut l2.directory else { return };
        let address = GLOBALS_BASE + u64::from(line) * LINE as u64;
        let mut outputs = std::mem::take(&mut self.outputs);
        directory.present(&Request { op: Some(op), source, address }, self.cause, &mut outputs);
        if directory.is_busy() && !std::mem::replace(&mut l2.clocked, true) {
            shared.events.at(shared.events.now() + 1, SystemEvent::Clock(gpm));
        }
        self.directory_says(shared, gpm, outputs);
    }

    pub(super) fn clock_directory(&mut self, shared: &mut Shared, gpm: u32) {
        let mut outputs = std::mem::take(&mut self.outputs);
        let l2 = &mut self.l2[gpm as usize];
        let Some(directory) = &mut l2.directory else { return };
        l2.clocked = directory.clock(&mut outputs);
        if l2.clocked {
            shared.events.at(shared.events.now() + 1, SystemEvent::Clock(gpm));
        }
        if shared.mismatch.is_none() {
            shared.mismatch = directory.mismatch().map(ToString::to_string);
        }
        self.directory_says(shared, gpm, outputs);
    }

    fn directory_says(&mut self, shared: &mut Shared, gpm: u32, mut outputs: Vec<Output>) {
        for output in outputs.drain(..) {
            match output {
                Output::Invalidate(invalidation, cause) => {
                    self.cause = cause;
                    self.invalidate_sharers(shared, gpm, invalidation);
                }
                Output::Released => {
                    if let Some(flush) = self.l2[gpm as usize].releases.pop_front() {
                        self.spread(shared, flush);
                    }
                }
            }
        }
        self.outputs = outputs;
    }

    /// The requester's number in the directory of a GPM.
    pub(super) fn source(&self, shared: &Shared, gpm: u32, from: Port) -> Source {
        let Port::Gpm(other) = from else { return Source::Local };
        let topology = shared.homes.topology;
        match self.variant.routing {
            Routing::Direct => Source::Gpm(other),
            Routing::ByGpuHome if topology.gpu(other) == topology.gpu(gpm) => {
                Source::Gpm(other % topology.gpms_per_gpu)
            }
            Routing::ByGpuHome => Source::Gpu(topology.gpu(other)),
        }
    }

    /// Invalidates the sharers of a block.
    pub(super) fn invalidate_sharers(
        &mut self,
        shared: &mut Shared,
        gpm: u32,
        invalidation: Invalidation,
    ) {
        let line = ((invalidation.address - GLOBALS_BASE) / LINE as u64) as u32;
        let mut sharers = invalidation.sharers;
        while sharers != 0 {
            let bit = sharers.trailing_zeros();
            sharers &= sharers - 1;
            if !self.planted.errs(SKIP_INVALIDATION) {
                let to = self.sharer(shared, gpm, bit, line);
                self.send_invalidation(shared, gpm, to, line);
            }
        }
    }

    /// The GPM that a bit of a sharer mask stands for: the others of this GPU come first, then the
    /// other GPUs, of which the home of the block is told. Flat, all others come in order.
    fn sharer(&self, shared: &Shared, gpm: u32, bit: u32, line: u32) -> u32 {
        let beyond = |at: u32, own: u32| at + u32::from(at >= own);
        let topology = shared.homes.topology;
        if self.variant.routing == Routing::Direct {
            return beyond(bit, gpm);
        }
        let (first, own) = (topology.same_gpu(gpm).start, gpm % topology.gpms_per_gpu);
        let others = topology.gpms_per_gpu - 1;
        if bit < others {
            return first + beyond(bit, own);
        }
        let gpu = beyond(bit - others, topology.gpu(gpm));
        shared.homes.gpu_home(gpu * topology.gpms_per_gpu, line)
    }

    pub(super) fn send_invalidation(&mut self, shared: &mut Shared, gpm: u32, to: u32, line: u32) {
        shared.statistics.coherence.invalidations += 1;
        self.l2[gpm as usize].progress.invalidations.sent(to);
        let mut message = Message::new(Kind::Invalidate, Port::Gpm(gpm), Port::Gpm(to));
        (message.line, message.cause) = (line, self.cause);
        self.fabric.send_new(shared, message);
    }

    /// An invalidation has arrived: the block's lines go, and one from another GPU is passed on to
    /// the sharers in this one (V-B).
    pub(super) fn invalidated(&mut self, shared: &mut Shared, gpm: u32, from: Port, line: u32) {
        let lines = shared.homes.block(line);
        let l2 = &mut self.l2[gpm as usize];
        for line in lines {
            shared.statistics.coherence.invalidated_lines += u64::from(l2.cache.drop_line(line));
            // What is under way may be older than what other GPMs have passed to the home.
            if let Some(miss) = l2.misses.of(line)
                && !l2.misses.get(miss).blocking
            {
                l2.misses.detach(line);
            }
        }
        let topology = shared.homes.topology;
        if let Port::Gpm(other) = from
            && self.variant.is_hierarchical()
            && topology.gpu(other) != topology.gpu(gpm)
            && !self.planted.is(DO_NOT_FORWARD)
        {
            self.present(shared, gpm, Op::Invalidate, Source::Gpu(topology.gpu(other)), line);
        }
    }
}
