//! Loads at an L2: from a copy, from the home, from DRAM.

use super::Hmg;
use super::message::{Kind, Message};
use super::planted::{FORGET_SHARER, PRESENT_LATE};
use crate::memory::{Data, Port, Shared, Transfer};
use crate::systems::hmg::SystemEvent;
use warpsmith_blocks::hmg_directory::Op;

impl Hmg {
    pub(super) fn serve_load(&mut self, shared: &mut Shared, gpm: u32, message: u32) {
        self.perform_ideally(shared, message);
        let packet = self.fabric.get(message);
        let (line, strong, scope) = (packet.line, packet.strong, packet.scope);
        let next = self.variant.next(&shared.homes, gpm, line);
        let is_home = next.is_none();
        // A load of a scope reads at the home of the scope, not from copies on the way (V-B).
        let may_hit = !strong || self.variant.is_home(&shared.homes, gpm, line, scope);
        let l2 = &mut self.l2[gpm as usize];
        if let Some(miss) = l2.misses.of(line) {
            let entry = l2.misses.get(miss);
            if entry.blocking || may_hit {
                entry.waiting.push(message);
                return;
            }
        }
        let hits = match is_home {
            true => &mut shared.statistics.l2_home,
            false => &mut shared.statistics.l2_remote,
        };
        if may_hit && let Some(place) = l2.cache.hit(line) {
            hits.hits += 1;
            let data = *l2.cache.data(place);
            self.give(shared, gpm, message, &data);
            return;
        }
        hits.misses += 1;
        l2.misses.detach(line);
        if !may_hit {
            l2.cache.drop_line(line);
        }
        let keeps = self.variant.keeps(&shared.homes, gpm, line);
        let l2 = &mut self.l2[gpm as usize];
        let miss = l2.misses.begin(line, keeps, message);
        l2.misses.get(miss).blocking = is_home;
        self.fetch(shared, gpm, miss, Some(message));
    }

    /// Requests the line of a miss, for the load that waits, or for one that takes any copy.
    pub(super) fn fetch(&mut self, shared: &mut Shared, gpm: u32, miss: u32, like: Option<u32>) {
        let line = self.l2[gpm as usize].misses.get(miss).line;
        let Some(next) = self.variant.next(&shared.homes, gpm, line) else {
            shared.transfer(gpm, Transfer::read(line, SystemEvent::Filled(gpm, miss)));
            return;
        };
        let mut message = Message::new(Kind::Load, Port::Gpm(gpm), Port::Gpm(next));
        (message.line, message.token) = (line, miss);
        if let Some(like) = like {
            let like = self.fabric.get(like);
            (message.strong, message.scope) = (like.strong, like.scope);
            message.cause = like.cause;
        }
        self.fabric.send_new(shared, message);
    }

    /// Answers a load with a line. The directory is shown the load now, when its answer is put on
    /// the way that invalidations take, so that none can overtake it.
    pub(super) fn give(&mut self, shared: &mut Shared, gpm: u32, message: u32, data: &Data) {
        self.record(shared, gpm, message);
        let is_ideal = self.variant.is_ideal();
        let packet = self.fabric.get(message);
        (packet.kind, packet.from, packet.to) = (Kind::Data, Port::Gpm(gpm), packet.from);
        if !is_ideal {
            packet.data = *data;
        }
        self.fabric.send(shared, message);
    }

    /// Shows a load to the directory. Those of this GPM change nothing in Table I.
    fn record(&mut self, shared: &mut Shared, gpm: u32, message: u32) {
        let packet = self.fabric.get(message);
        let (from, line) = (packet.from, packet.line);
        self.cause = packet.cause;
        if matches!(from, Port::Gpm(_)) && !self.planted.errs(FORGET_SHARER) {
            let source = self.source(shared, gpm, from);
            match self.planted.is(PRESENT_LATE) {
                true => self.late.push((gpm, source, line)),
                false => self.present(shared, gpm, Op::Load, source, line),
            }
        }
    }

    /// The line of a miss has come. It is kept, unless a store or an invalidation has overtaken it, and
    /// all waiters are served.
    pub(super) fn filled(&mut self, shared: &mut Shared, gpm: u32, miss: u32, data: &Data) {
        let l2 = &mut self.l2[gpm as usize];
        let entry = l2.misses.get(miss);
        if std::mem::take(&mut entry.stale) {
            self.fetch(shared, gpm, miss, None);
            return;
        }
        let line = entry.line;
        let (keep, waiting) = l2.misses.take(miss);
        if keep {
            let victim = l2.cache.fill(line, data);
            self.evicted(shared, gpm, victim);
        }
        // Bytes stored here meanwhile are newer than the line.
        let l2 = &self.l2[gpm as usize];
        let kept = l2.cache.find(line).filter(|_| keep).map(|place| *l2.cache.data(place));
        for (at, message) in waiting.iter().enumerate() {
            let packet = self.fabric.get(*message);
            let (kind, generation) = (packet.kind, packet.generation);
            match kind {
                // The requester is served; others may have waited behind an atomic.
                Kind::Load if at == 0 => {
                    self.give(shared, gpm, *message, kept.as_ref().unwrap_or(data))
                }
                Kind::Load if !keep => self.give(shared, gpm, *message, data),
                Kind::Load => self.serve_load(shared, gpm, *message),
                _ => {
                    self.serve(shared, *message);
                    self.write_goes_on(gpm, generation);
                }
            }
        }
        self.l2[gpm as usize].misses.end(miss, waiting);
        self.continue_flushes(shared);
    }
}
