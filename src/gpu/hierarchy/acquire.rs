//! Acquires: old copies between a core and the home of the scope are forgotten.

use super::message::{Kind, Message, Port};
use super::{Done, Hierarchy, PlantedError};
use crate::gpu::coherence::{Coherence, Routing};
use crate::gpu::isa::Scope;

impl Hierarchy {
    /// A warp acquires. Its L1 is emptied. With software coherence so are copies in L2 caches (VI);
    /// directories have done that already.
    pub(super) fn acquire(&mut self, core: u32, warp: u32, scope: Scope) {
        self.statistics.coherence.acquires += 1;
        if self.planted != Some(PlantedError::KeepL1) {
            self.empty_l1(core);
        }
        if self.system.coherence() != Coherence::Bulk {
            self.done.push(Done::Synchronised { core, warp });
            return;
        }
        let everywhere = scope == Scope::Sys && self.system.routing() == Routing::ByGpuHome;
        self.ask(core, warp, scope, Kind::Drop { everywhere });
    }

    /// An L2 forgets copies; with `everywhere`, so do the others of its GPU, which may be homes in
    /// the GPU on this core's way to homes in other GPUs.
    pub(super) fn serve_drop(&mut self, gpm: u32, message: u32, everywhere: bool) {
        let it = self.messages.get(message);
        let (scope, from, token) = (it.scope, it.from, it.token);
        self.messages.end(message);
        if self.planted != Some(PlantedError::KeepCopies) {
            self.drop_copies(gpm, scope);
        }
        let flush = self.flushes.begin(gpm, from, token, 0);
        if everywhere && self.planted != Some(PlantedError::DropHereOnly) {
            for other in self.homes.topology.same_gpu(gpm).filter(|other| *other != gpm) {
                let kind = Kind::Drop { everywhere: false };
                let mut drop = Message::new(kind, Port::Gpm(gpm), Port::Gpm(other));
                (drop.scope, drop.token) = (scope, flush);
                let drop = self.messages.add(drop);
                self.flushes.waits(flush);
                self.send(drop);
            }
        }
        self.finish_if_done(flush);
    }
}
