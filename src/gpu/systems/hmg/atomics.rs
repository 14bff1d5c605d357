//! Atomics: performed at the home of their scope, and treated as stores by directories (HMG IV-B,
//! V-B).

use super::Hmg;
use super::message::{Kind, Message};
use super::planted::EFFECT_AT_HOME;
use crate::isa::Scope;
use crate::memory::planted::ATOMICS_STORE_TWICE;
use crate::memory::{Bytes, Data, Port, Shared, WHOLE, perform, write};
use warpsmith_blocks::hmg_directory::Op;

impl Hmg {
    /// An atomic of a CTA is performed at the home in its GPU: its L1 keeps nothing that is not
    /// written through.
    pub(super) fn serve_atomic(&mut self, shared: &mut Shared, gpm: u32, message: u32) {
        self.perform_ideally(shared, message);
        let packet = self.fabric.get(message);
        let (line, scope, from) = (packet.line, packet.scope.max(Scope::Gpu), packet.from);
        let is_here = self.variant.is_home(&shared.homes, gpm, line, scope);
        let l2 = &mut self.l2[gpm as usize];
        if let Some(miss) = l2.misses.of(line) {
            let entry = l2.misses.get(miss);
            entry.blocking |= is_here;
            if entry.blocking {
                self.write_waits(gpm, miss, message);
                return;
            }
            self.pass_by(shared, gpm, line);
        }
        if !is_here {
            self.l2[gpm as usize].cache.drop_line(line);
            if self.is_only_gpu_home(shared, gpm, line) {
                self.show_store(shared, gpm, Op::Atomic, from, line);
            }
            if let Some(next) = self.variant.next(&shared.homes, gpm, line) {
                self.forward(shared, gpm, message, next);
            }
            return;
        }
        let l2 = &mut self.l2[gpm as usize];
        match l2.cache.hit(line) {
            Some(place) => self.perform_at(shared, gpm, place, message),
            None => {
                let miss = l2.misses.begin(line, true, message);
                l2.misses.get(miss).blocking = true;
                let packet = self.fabric.get(message);
                packet.generation = l2.progress.writes.begin(packet.generation);
                self.fetch(shared, gpm, miss, None);
            }
        }
    }

    fn perform_at(&mut self, shared: &mut Shared, gpm: u32, place: usize, message: u32) {
        let packet = self.fabric.get(message);
        let (line, lanes, access, from) = (packet.line, packet.lanes, packet.token, packet.from);
        let (performed, stored) = (packet.performed, packet.bytes);
        let mut data = *self.l2[gpm as usize].cache.data(place);
        let bytes = match performed {
            true if stored == 0 => 0,
            true => WHOLE,
            false => {
                let [words, stored] =
                    perform(&mut shared.accesses.get(access).access, lanes, &mut data);
                self.store_again(shared, gpm, line, &data, words);
                stored
            }
        };
        match self.variant.next(&shared.homes, gpm, line) {
            // Nothing to write through: the data at the home of the machine may be newer.
            _ if bytes == 0 => {}
            None => {
                self.change_at_home(shared, gpm, line, &data, bytes);
                self.show_store(shared, gpm, Op::Atomic, from, line);
            }
            // The home in a GPU writes the result through, as a store.
            Some(next) => {
                let l2 = &mut self.l2[gpm as usize];
                write(l2.cache.change(place, bytes, false), &data, bytes);
                self.show_store(shared, gpm, Op::Atomic, from, line);
                let mut result = Message::new(Kind::Store, Port::Gpm(gpm), Port::Gpm(next));
                (result.line, result.bytes, result.data) = (line, bytes, data);
                (result.performed, result.cause) = (performed, self.cause);
                let result = self.fabric.add(result);
                self.forward(shared, gpm, result, next);
            }
        }
        let pending = shared.accesses.get(access);
        if !pending.is_awaited() {
            shared.answered(access);
            self.fabric.end(message);
            return;
        }
        let core = pending.core;
        let home = shared.homes.topology.gpm_of_core(core);
        let to = if home == gpm { Port::Core(core) } else { Port::Gpm(home) };
        let packet = self.fabric.get(message);
        (packet.kind, packet.from, packet.to) = (Kind::AtomicDone, Port::Gpm(gpm), to);
        self.fabric.send(shared, message);
    }

    /// With ideal caching every operation takes effect at the first cache that it reaches, everywhere at
    /// once; what follows takes time and moves bytes, but changes nothing.
    pub(super) fn perform_ideally(&mut self, shared: &mut Shared, message: u32) {
        if !self.variant.is_ideal() {
            return;
        }
        let effect_at_home = self.planted.is(EFFECT_AT_HOME);
        let packet = self.fabric.get(message);
        let Port::Gpm(gpm) = packet.to else { return };
        let is_late = effect_at_home && packet.kind == Kind::Store;
        if is_late && self.variant.next(&shared.homes, gpm, packet.line).is_some() {
            return;
        }
        if std::mem::replace(&mut packet.performed, true) {
            return;
        }
        let (line, kind, bytes, data) = (packet.line, packet.kind, packet.bytes, packet.data);
        let (access, lanes) = (packet.token, packet.lanes);
        match kind {
            Kind::Store => return shared.write_line(line, &data, bytes),
            Kind::Load => {
                let data = shared.line(line);
                self.fabric.get(message).data = data;
                return;
            }
            _ => {}
        }
        let mut data = shared.line(line);
        let [words, stored] = perform(&mut shared.accesses.get(access).access, lanes, &mut data);
        self.fabric.get(message).bytes = stored;
        shared.write_line(line, &data, stored);
        self.store_again(shared, gpm, line, &data, words);
    }

    /// The planted error [`ATOMICS_STORE_TWICE`]: an atomic's words are stored a second time, later.
    fn store_again(&mut self, shared: &mut Shared, gpm: u32, line: u32, data: &Data, bytes: Bytes) {
        if !self.planted.is(ATOMICS_STORE_TWICE) {
            return;
        }
        let core = gpm * shared.homes.topology.cores_per_gpm;
        let mut again = Message::new(Kind::Store, Port::Core(core), Port::Gpm(gpm));
        (again.line, again.bytes, again.data) = (line, bytes, *data);
        again.cause = self.cause;
        self.fabric.send_new(shared, again);
    }
}
