//! The accesses of CPUs, which have no caches. Each comes to the directory behind the L2, which probes the L2. To the
//! L2 controller that is a request like others: the owner of the line is asked to write it back first. Then what is
//! dirty of the line goes to memory, a store or an atomic invalidates the copy, and the access takes effect. L1s need
//! not be told, for whoever acquires empties his.

use super::ReleaseConsistency;
use super::message::{Kind, Message};
use crate::isa::AccessKind;
use crate::memory::planted::{DONE_BEFORE_PROBE, SKIP_PROBE};
use crate::memory::{CPUS, DIRECTORY, Port, Shared, next_line, perform_alone};

/// No access: the store that a probe is about is over.
const OVER: u32 = u32::MAX;

impl ReleaseConsistency {
    /// A CPU sends an access.
    pub(super) fn request_of_cpu(&mut self, shared: &mut Shared, access: u32) {
        let of = &shared.accesses.get(access).access;
        let (line, _) = next_line(of, of.mask);
        let ends = [CPUS, DIRECTORY];
        self.fabric.send_new(shared, Message::of_cpu(Kind::OfCpu, ends, line, access));
    }

    /// A message has come to the directory or to a CPU.
    pub(super) fn for_cpu(&mut self, shared: &mut Shared, number: u32) {
        let Message { ends, line, token, .. } = *self.fabric.get(number);
        self.fabric.end(number);
        match ends {
            [_, CPUS] => shared.answered(token),
            [CPUS, _] => self.probe(shared, line, token),
            _ => self.done(shared, line, token),
        }
    }

    fn probe(&mut self, shared: &mut Shared, line: u32, mut access: u32) {
        let is_load = shared.accesses.get(access).access.kind == AccessKind::Load;
        if self.planted.errs(SKIP_PROBE) {
            perform_alone(shared, access);
            return self.done(shared, line, access);
        }
        if !is_load && self.planted.errs(DONE_BEFORE_PROBE) {
            perform_alone(shared, access);
            self.done(shared, line, access);
            access = OVER;
        }
        let ends = [DIRECTORY, Port::Gpm(0)];
        self.fabric.send_new(shared, Message::of_cpu(Kind::OfCpu, ends, line, access));
    }

    /// A probe of a line that no L1 owns any more, and about which nothing is under way.
    pub(super) fn probed(&mut self, shared: &mut Shared, number: u32) {
        let Message { line, token, .. } = *self.fabric.get(number);
        self.fabric.end(number);
        let is_load = token != OVER && shared.accesses.get(token).access.kind == AccessKind::Load;
        if let Some(place) = self.l2.cache.find(line) {
            let (data, dirty) = (*self.l2.cache.data(place), self.l2.cache.cleaned(place));
            self.write_memory(shared, line, &data, dirty);
            if !is_load {
                self.l2.cache.drop_line(line);
            }
        }
        if token != OVER {
            perform_alone(shared, token);
            let ends = [Port::Gpm(0), DIRECTORY];
            self.fabric.send_new(shared, Message::of_cpu(Kind::OfCpuDone, ends, line, token));
        }
    }

    fn done(&mut self, shared: &mut Shared, line: u32, access: u32) {
        let ends = [DIRECTORY, CPUS];
        self.fabric.send_new(shared, Message::of_cpu(Kind::OfCpuDone, ends, line, access));
    }
}
