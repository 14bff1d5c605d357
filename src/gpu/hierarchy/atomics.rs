//! Atomics: performed at the home of their scope, and treated as stores by directories (HMG IV-B,
//! V-B).

use super::access::perform;
use super::message::{Kind, Message, Port};
use super::{Hierarchy, PlantedError};
use crate::gpu::cache::{Bytes, Data, WHOLE, write};
use crate::gpu::isa::Scope;
use warpsmith_blocks::hmg_directory::Op;

impl Hierarchy {
    /// An atomic of a CTA is performed at the home in its GPU: its L1 keeps nothing that is not
    /// written through.
    pub(super) fn serve_atomic(&mut self, gpm: u32, message: u32) {
        self.perform_ideally(message);
        let it = self.messages.get(message);
        let (line, scope, from) = (it.line, it.scope.max(Scope::Gpu), it.from);
        let is_here = self.homes.is_home(gpm, line, scope);
        let l2 = &mut self.l2[gpm as usize];
        if let Some(miss) = l2.misses.of(line) {
            let entry = l2.misses.get(miss);
            entry.blocking |= is_here;
            if entry.blocking {
                self.write_waits(gpm, miss, message);
                return;
            }
            self.pass_by(gpm, line);
        }
        if !is_here {
            self.l2[gpm as usize].cache.drop_line(line);
            if self.is_only_gpu_home(gpm, line) {
                self.show_store(gpm, Op::Atomic, from, line);
            }
            if let Some(next) = self.homes.next(gpm, line) {
                self.forward(gpm, message, next);
            }
            return;
        }
        let l2 = &mut self.l2[gpm as usize];
        match l2.cache.hit(line) {
            Some(place) => self.perform_at(gpm, place, message),
            None => {
                let miss = l2.misses.begin(line, true, message);
                l2.misses.get(miss).blocking = true;
                let it = self.messages.get(message);
                it.generation = l2.progress.writes.begin(it.generation);
                self.fetch(gpm, miss, None);
            }
        }
    }

    fn perform_at(&mut self, gpm: u32, place: usize, message: u32) {
        let it = self.messages.get(message);
        let (line, lanes, access, from) = (it.line, it.lanes, it.token, it.from);
        let (performed, stored) = (it.performed, it.bytes);
        let mut data = *self.l2[gpm as usize].cache.data(place);
        let bytes = match performed {
            true if stored == 0 => 0,
            true => WHOLE,
            false => {
                let [words, stored] = perform(&mut self.pool.get(access).access, lanes, &mut data);
                self.store_again(gpm, line, &data, words);
                stored
            }
        };
        match self.homes.next(gpm, line) {
            // Nothing to be written, nor to be told: what the home of the machine has may be newer.
            _ if bytes == 0 => {}
            None => {
                self.change_at_home(gpm, line, &data, bytes);
                self.show_store(gpm, Op::Atomic, from, line);
            }
            // The home in a GPU writes the result through, as a store.
            Some(next) => {
                let l2 = &mut self.l2[gpm as usize];
                write(l2.cache.change(place, bytes, false), &data, bytes);
                self.show_store(gpm, Op::Atomic, from, line);
                let mut result = Message::new(Kind::Store, Port::Gpm(gpm), Port::Gpm(next));
                (result.line, result.bytes, result.data) = (line, bytes, data);
                (result.performed, result.cause) = (performed, self.cause);
                let result = self.messages.add(result);
                self.forward(gpm, result, next);
            }
        }
        let pending = self.pool.get(access);
        if !pending.is_awaited() {
            self.part_done(access);
            self.messages.end(message);
            return;
        }
        let core = pending.core;
        let home = self.homes.topology.gpm_of_core(core);
        let to = if home == gpm { Port::Core(core) } else { Port::Gpm(home) };
        let it = self.messages.get(message);
        (it.kind, it.from, it.to) = (Kind::AtomicDone, Port::Gpm(gpm), to);
        self.send(message);
    }

    /// With ideal caching all that a core asks for takes effect where it is first seen, everywhere at
    /// once; what follows takes time and moves bytes, but changes nothing.
    pub(super) fn perform_ideally(&mut self, message: u32) {
        if !self.is_ideal() {
            return;
        }
        let it = self.messages.get(message);
        let Port::Gpm(gpm) = it.to else { return };
        let is_late = self.planted == Some(PlantedError::EffectAtHome) && it.kind == Kind::Store;
        if is_late && self.homes.next(gpm, it.line).is_some() {
            return;
        }
        if std::mem::replace(&mut it.performed, true) {
            return;
        }
        let (line, kind, bytes, data) = (it.line, it.kind, it.bytes, it.data);
        let (access, lanes) = (it.token, it.lanes);
        match kind {
            Kind::Store => return self.write_memory(line, &data, bytes),
            Kind::Load => {
                let data = self.in_memory(line);
                self.messages.get(message).data = data;
                return;
            }
            _ => {}
        }
        let mut data = self.in_memory(line);
        let [words, stored] = perform(&mut self.pool.get(access).access, lanes, &mut data);
        self.messages.get(message).bytes = stored;
        self.write_memory(line, &data, stored);
        self.store_again(gpm, line, &data, words);
    }

    /// By [`PlantedError::AtomicsStoreTwice`], words that an atomic has met are stored later, too.
    fn store_again(&mut self, gpm: u32, line: u32, data: &Data, bytes: Bytes) {
        if self.planted != Some(PlantedError::AtomicsStoreTwice) {
            return;
        }
        let core = gpm * self.homes.topology.cores_per_gpm;
        let mut again = Message::new(Kind::Store, Port::Core(core), Port::Gpm(gpm));
        (again.line, again.bytes, again.data) = (line, bytes, *data);
        again.cause = self.cause;
        let again = self.messages.add(again);
        self.send(again);
    }
}
