//! Loads at an L2: from a copy, from the home, from DRAM.

use super::message::{Kind, Message, Port};
use super::{Hierarchy, PlantedError};
use crate::gpu::cache::Data;
use crate::gpu::dram::Transfer;
use warpsmith_blocks::hmg_directory::Op;

impl Hierarchy {
    pub(super) fn serve_load(&mut self, gpm: u32, message: u32) {
        self.perform_ideally(message);
        let it = self.messages.get(message);
        let (line, strong, scope) = (it.line, it.strong, it.scope);
        let next = self.homes.next(gpm, line);
        let is_home = next.is_none();
        // A load of a scope sees what is at the home of the scope, no copy before it (V-B).
        let may_hit = !strong || self.homes.is_home(gpm, line, scope);
        let l2 = &mut self.l2[gpm as usize];
        if let Some(miss) = l2.misses.of(line) {
            let entry = l2.misses.get(miss);
            if entry.blocking || may_hit {
                entry.waiting.push(message);
                return;
            }
        }
        let hits = match is_home {
            true => &mut self.statistics.l2_home,
            false => &mut self.statistics.l2_remote,
        };
        if may_hit && let Some(place) = l2.cache.hit(line) {
            hits.hits += 1;
            let data = *l2.cache.data(place);
            self.give(gpm, message, &data);
            return;
        }
        hits.misses += 1;
        l2.misses.detach(line);
        if !may_hit {
            l2.cache.drop_line(line);
        }
        let keeps = self.homes.keeps(gpm, line);
        let l2 = &mut self.l2[gpm as usize];
        let miss = l2.misses.begin(line, keeps, message);
        l2.misses.get(miss).blocking = is_home;
        self.fetch(gpm, miss, Some(message));
    }

    /// Asks for the line of a miss, as a waiting load does, or as one that takes any copy.
    pub(super) fn fetch(&mut self, gpm: u32, miss: u32, like: Option<u32>) {
        let line = self.l2[gpm as usize].misses.get(miss).line;
        let Some(next) = self.homes.next(gpm, line) else {
            self.transfer(gpm, Transfer { line, miss: Some(miss) });
            return;
        };
        let mut message = Message::new(Kind::Load, Port::Gpm(gpm), Port::Gpm(next));
        (message.line, message.token) = (line, miss);
        if let Some(like) = like {
            let like = self.messages.get(like);
            (message.strong, message.scope) = (like.strong, like.scope);
            message.cause = like.cause;
        }
        let message = self.messages.add(message);
        self.send(message);
    }

    /// Answers a load with a line. The directory is shown the load now, when its answer is put on
    /// the way that invalidations take, so that none can overtake it.
    pub(super) fn give(&mut self, gpm: u32, message: u32, data: &Data) {
        self.record(gpm, message);
        let is_ideal = self.is_ideal();
        let it = self.messages.get(message);
        (it.kind, it.from, it.to) = (Kind::Data, Port::Gpm(gpm), it.from);
        if !is_ideal {
            it.data = *data;
        }
        self.send(message);
    }

    /// Shows a load to the directory. Those of this GPM change nothing in Table I.
    fn record(&mut self, gpm: u32, message: u32) {
        let it = self.messages.get(message);
        let (from, line) = (it.from, it.line);
        self.cause = it.cause;
        let forgets = |error| match error {
            PlantedError::ForgetSharer(one_in) => Some(one_in),
            _ => None,
        };
        if matches!(from, Port::Gpm(_)) && !self.errs(forgets) {
            let source = self.source(gpm, from);
            match self.planted {
                Some(PlantedError::PresentLate) => self.late.push((gpm, source, line)),
                _ => self.present(gpm, Op::Load, source, line),
            }
        }
    }

    /// The line of a miss has come: it is kept, unless something has passed by, and all that waits
    /// gets its turn.
    pub(super) fn filled(&mut self, gpm: u32, miss: u32, data: &Data) {
        let l2 = &mut self.l2[gpm as usize];
        let entry = l2.misses.get(miss);
        if std::mem::take(&mut entry.stale) {
            self.fetch(gpm, miss, None);
            return;
        }
        let line = entry.line;
        let (keep, waiting) = l2.misses.take(miss);
        if keep {
            let victim = l2.cache.fill(line, data);
            self.evicted(gpm, victim);
        }
        // Bytes that were stored here meanwhile are newer than those that have come.
        let l2 = &self.l2[gpm as usize];
        let kept = l2.cache.find(line).filter(|_| keep).map(|place| *l2.cache.data(place));
        for (at, message) in waiting.iter().enumerate() {
            let it = self.messages.get(*message);
            let (kind, generation) = (it.kind, it.generation);
            match kind {
                // Who asked has what he asked for; others may have waited behind an atomic.
                Kind::Load if at == 0 => self.give(gpm, *message, kept.as_ref().unwrap_or(data)),
                Kind::Load if !keep => self.give(gpm, *message, data),
                Kind::Load => self.serve_load(gpm, *message),
                _ => {
                    self.serve(*message);
                    self.write_goes_on(gpm, generation);
                }
            }
        }
        self.l2[gpm as usize].misses.end(miss, waiting);
        self.continue_flushes();
    }
}
