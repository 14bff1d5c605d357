//! Acquires: copies between a core and the home of the scope that may be stale are invalidated.

use super::Hmg;
use super::directory::Cause;
use super::flush::Flush;
use super::message::{Kind, Message, Reach};
use super::planted::{DROP_HERE_ONLY, KEEP_COPIES};
use super::variant::Coherence;
use crate::isa::Scope;
use crate::memory::planted::KEEP_L1;
use crate::memory::{Done, Port, Shared};

impl Hmg {
    /// A warp acquires. Its L1 is invalidated. With software coherence so are copies in L2 caches (VI);
    /// directories have done that already.
    pub(super) fn acquire(&mut self, shared: &mut Shared, cause: Cause, scope: Scope) {
        shared.statistics.coherence.acquires += 1;
        if !self.planted.is(KEEP_L1) {
            self.empty_l1(cause.core);
        }
        if self.variant.coherence != Coherence::Bulk {
            let Cause { core, warp } = cause;
            shared.done.push(Done::Synchronised { core, warp });
            return;
        }
        let everywhere = scope == Scope::Sys && self.variant.is_hierarchical();
        self.ask(shared, cause, scope, Kind::Drop { everywhere });
    }

    /// An L2 invalidates its copies; with `everywhere`, so do the others of its GPU, which may be homes in
    /// the GPU on this core's way to homes in other GPUs.
    pub(super) fn serve_drop(&mut self, shared: &mut Shared, gpm: u32, message: u32) {
        let flush = self.flushes.begin(Flush::new(gpm, Reach::Here, self.fabric.get(message)));
        let Message { kind, scope, .. } = *self.fabric.get(message);
        self.fabric.end(message);
        if !self.planted.is(KEEP_COPIES) {
            self.drop_copies(shared, gpm, scope);
        }
        let everywhere = kind == Kind::Drop { everywhere: true };
        if everywhere && !self.planted.is(DROP_HERE_ONLY) {
            for other in shared.homes.topology.same_gpu(gpm).filter(|other| *other != gpm) {
                let kind = Kind::Drop { everywhere: false };
                let mut drop = Message::new(kind, Port::Gpm(gpm), Port::Gpm(other));
                (drop.scope, drop.token) = (scope, flush);
                self.flushes.waits(flush);
                self.fabric.send_new(shared, drop);
            }
        }
        self.finish_if_done(shared, flush);
    }

    /// Invalidates copies of lines whose home for the scope is another L2.
    pub(super) fn drop_copies(&mut self, shared: &mut Shared, gpm: u32, scope: Scope) {
        let (variant, homes) = (self.variant, &shared.homes);
        let is_copy = |line| !variant.is_home(homes, gpm, line, scope);
        let l2 = &mut self.l2[gpm as usize];
        shared.statistics.coherence.dropped_lines += l2.cache.drop_where(is_copy);
        l2.misses.detach_where(is_copy);
    }
}
