//! Messages that are no requests: they are handled as they arrive.

use super::message::{Kind, Port};
use super::{Done, Hierarchy};

impl Hierarchy {
    /// An answer, an invalidation or a mark has arrived.
    pub(super) fn answered(&mut self, message: u32) {
        let it = self.messages.get(message);
        let (kind, from, to, token) = (it.kind, it.from, it.to, it.token);
        let (line, data, sequence) = (it.line, it.data, it.sequence);
        self.cause = it.cause;
        match (kind, to) {
            (Kind::Data, Port::Core(core)) => self.line_for_l1(core, token, &data),
            (Kind::Data, Port::Gpm(gpm)) => self.filled(gpm, token, &data),
            (Kind::AtomicDone, Port::Core(_)) => self.part_done(token),
            (Kind::AtomicDone, Port::Gpm(gpm)) => {
                let core = self.pool.get(token).core;
                let it = self.messages.get(message);
                (it.from, it.to) = (Port::Gpm(gpm), Port::Core(core));
                self.send(message);
                return;
            }
            (Kind::Invalidate, Port::Gpm(gpm)) => self.invalidated(gpm, from, line),
            (Kind::Mark(reach), Port::Gpm(gpm)) => {
                self.begin_flush(gpm, message, reach);
                return;
            }
            (Kind::Acknowledge, Port::Core(core)) => {
                self.done.push(Done::Synchronised { core, warp: token });
            }
            (Kind::Acknowledge, Port::Gpm(_)) => self.acknowledged(token, from, sequence),
            _ => {}
        }
        self.messages.end(message);
    }
}
