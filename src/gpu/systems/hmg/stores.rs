//! Stores at an L2: written through to the home, which tells the others.

use super::Hmg;
use super::message::Kind;
use super::planted::PRESENT_LATE;
use crate::memory::{Port, Shared};
use warpsmith_blocks::hmg_directory::{Op, Source};

impl Hmg {
    pub(super) fn serve_store(&mut self, shared: &mut Shared, gpm: u32, message: u32) {
        self.perform_ideally(shared, message);
        let packet = self.fabric.get(message);
        let (line, bytes, data, from) = (packet.line, packet.bytes, packet.data, packet.from);
        let l2 = &mut self.l2[gpm as usize];
        if let Some(miss) = l2.misses.of(line) {
            if l2.misses.get(miss).blocking {
                self.write_waits(gpm, miss, message);
                return;
            }
            self.pass_by(shared, gpm, line);
        }
        let Some(next) = self.variant.next(&shared.homes, gpm, line) else {
            self.change_at_home(shared, gpm, line, &data, bytes);
            self.show_store(shared, gpm, Op::Store, from, line);
            self.fabric.end(message);
            return;
        };
        let l2 = &mut self.l2[gpm as usize];
        l2.cache.update(line, &data, bytes);
        if self.is_only_gpu_home(shared, gpm, line) {
            self.show_store(shared, gpm, Op::Store, from, line);
        }
        self.forward(shared, gpm, message, next);
    }

    /// Shows a store or an atomic to the directory.
    pub(super) fn show_store(
        &mut self,
        shared: &mut Shared,
        gpm: u32,
        op: Op,
        from: Port,
        line: u32,
    ) {
        let source = self.source(shared, gpm, from);
        self.present(shared, gpm, op, source, line);
        if self.planted.is(PRESENT_LATE) {
            let block = shared.homes.block(line);
            let is_due = |it: &(u32, Source, u32)| it.0 == gpm && block.contains(&it.2);
            let due: Vec<_> = self.late.extract_if(.., |it| is_due(it)).collect();
            due.into_iter()
                .for_each(|(_, source, line)| self.present(shared, gpm, Op::Load, source, line));
        }
    }

    /// A store or an atomic waits for the line of a miss.
    pub(super) fn write_waits(&mut self, gpm: u32, miss: u32, message: u32) {
        let l2 = &mut self.l2[gpm as usize];
        l2.misses.get(miss).waiting.push(message);
        let packet = self.fabric.get(message);
        packet.generation = l2.progress.writes.begin(packet.generation);
    }

    /// A store or an atomic passes by a miss of its line on the way to the home. What comes for the
    /// miss is older: whoever waits gets it, but nobody keeps it, here or in the GPMs that wait.
    pub(super) fn pass_by(&mut self, shared: &mut Shared, gpm: u32, line: u32) {
        let l2 = &mut self.l2[gpm as usize];
        let Some(miss) = l2.misses.of(line) else { return };
        let waiting = std::mem::take(&mut l2.misses.get(miss).waiting);
        l2.misses.detach(line);
        // Without a directory, who waits has to acquire before he may trust a copy.
        let has_directory = self.l2[gpm as usize].directory.is_some();
        for message in waiting.iter().filter(|_| has_directory) {
            let packet = self.fabric.get(*message);
            if let (Kind::Load, Port::Gpm(waits)) = (packet.kind, packet.from) {
                self.send_invalidation(shared, gpm, waits, line);
            }
        }
        self.l2[gpm as usize].misses.get(miss).waiting = waiting;
    }
}
