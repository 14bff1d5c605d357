//! Stores at an L2: written through to the home, which tells the others.

use super::message::{Kind, Port};
use super::{Hierarchy, PlantedError};
use crate::gpu::cache::write;
use warpsmith_blocks::hmg_directory::{Op, Source};

impl Hierarchy {
    pub(super) fn serve_store(&mut self, gpm: u32, message: u32) {
        self.perform_ideally(message);
        let it = self.messages.get(message);
        let (line, bytes, data, from) = (it.line, it.bytes, it.data, it.from);
        let l2 = &mut self.l2[gpm as usize];
        if let Some(miss) = l2.misses.of(line) {
            if l2.misses.get(miss).blocking {
                self.write_waits(gpm, miss, message);
                return;
            }
            self.pass_by(gpm, line);
        }
        let Some(next) = self.homes.next(gpm, line) else {
            self.change_at_home(gpm, line, &data, bytes);
            self.show_store(gpm, Op::Store, from, line);
            self.messages.end(message);
            return;
        };
        let l2 = &mut self.l2[gpm as usize];
        if let Some(place) = l2.cache.find(line) {
            write(l2.cache.change(place, bytes, false), &data, bytes);
        }
        if self.is_only_gpu_home(gpm, line) {
            self.show_store(gpm, Op::Store, from, line);
        }
        self.forward(gpm, message, next);
    }

    /// Shows a store or an atomic to the directory.
    pub(super) fn show_store(&mut self, gpm: u32, op: Op, from: Port, line: u32) {
        let source = self.source(gpm, from);
        self.present(gpm, op, source, line);
        if self.planted == Some(PlantedError::PresentLate) {
            let block = self.homes.block(line);
            let is_due = |it: &(u32, Source, u32)| it.0 == gpm && block.contains(&it.2);
            let due: Vec<_> = self.late.extract_if(.., |it| is_due(it)).collect();
            due.into_iter().for_each(|(_, source, line)| self.present(gpm, Op::Load, source, line));
        }
    }

    /// A store or an atomic waits for the line of a miss.
    pub(super) fn write_waits(&mut self, gpm: u32, miss: u32, message: u32) {
        let l2 = &mut self.l2[gpm as usize];
        l2.misses.get(miss).waiting.push(message);
        let it = self.messages.get(message);
        it.generation = l2.progress.writes.begin(it.generation);
    }

    /// A store or an atomic passes by a miss of its line on the way to the home. What comes for the
    /// miss is older: whoever waits gets it, but nobody keeps it, here or in the GPMs that wait.
    pub(super) fn pass_by(&mut self, gpm: u32, line: u32) {
        let l2 = &mut self.l2[gpm as usize];
        let Some(miss) = l2.misses.of(line) else { return };
        let waiting = std::mem::take(&mut l2.misses.get(miss).waiting);
        l2.misses.detach(line);
        // Without a directory, who waits has to acquire before he may trust a copy.
        let has_directory = self.l2[gpm as usize].directory.is_some();
        for message in waiting.iter().filter(|_| has_directory) {
            let it = self.messages.get(*message);
            if let (Kind::Load, Port::Gpm(waits)) = (it.kind, it.from) {
                self.send_invalidation(gpm, waits, line);
            }
        }
        self.l2[gpm as usize].misses.get(miss).waiting = waiting;
    }
}
