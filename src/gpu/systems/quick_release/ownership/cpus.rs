//! The accesses of CPUs, which have no caches. Each comes to their directory, which probes the GPU for all that it has
//! of the line: of a load for what is newer than the L3, of a store or an atomic for the line itself. What the home
//! sends later is behind its answer, on one way, so the access takes effect when the answer is there.

use super::message::{Kind, Message};
use super::{DONE_BEFORE_PROBE, Ownership, SKIP_PROBE};
use crate::isa::AccessKind;
use crate::memory::{CPUS, DIRECTORY, Port, Shared, next_line, perform_alone};

/// No access: the store that a probe is about is over.
const OVER: u32 = u32::MAX;

impl Ownership {
    /// A CPU sends an access.
    pub(super) fn request_of_cpu(&mut self, shared: &mut Shared, access: u32) {
        let of = &shared.accesses.get(access).access;
        let (line, _) = next_line(of, of.mask);
        let message = Message::new(Kind::Access, [CPUS, DIRECTORY], line);
        self.fabric.send_new(shared, Message { access, ..message });
    }

    /// An access of a CPU has come to the directory.
    pub(super) fn probe(&mut self, shared: &mut Shared, line: u32, mut access: u32) {
        let stays = shared.accesses.get(access).access.kind == AccessKind::Load;
        if self.planted.errs(SKIP_PROBE) {
            return self.take_effect(shared, line, access);
        }
        if !stays && self.planted.errs(DONE_BEFORE_PROBE) {
            self.take_effect(shared, line, access);
            access = OVER;
        }
        let probe = Message::new(Kind::Probe { stays }, [DIRECTORY, Port::Gpm(0)], line);
        self.fabric.send_new(shared, Message { access, ..probe });
    }

    /// The home answers a probe, for which it has asked the L1s.
    pub(super) fn answer_probe(
        &mut self,
        shared: &mut Shared,
        line: u32,
        (access, stays): (u32, bool),
    ) {
        let mut answer = Message::new(Kind::Probed, [Port::Gpm(0), DIRECTORY], line);
        answer.access = access;
        let l2 = &mut self.home.l2;
        if let Some(place) = l2.find(line) {
            (answer.data, answer.bytes) = (*l2.data(place), l2.cleaned(place));
            if !stays {
                l2.drop_line(line);
            }
        }
        self.fabric.send_new(shared, answer);
    }

    /// The answer of a probe has come to the directory.
    pub(super) fn probed(&mut self, shared: &mut Shared, message: &Message) {
        let Message { line, access, bytes, ref data, .. } = *message;
        if bytes != 0 {
            shared.write_line(line, data, bytes);
            self.l3.write_back(shared, line);
        }
        if access != OVER {
            self.take_effect(shared, line, access);
        }
    }

    /// An access takes effect in the L3.
    fn take_effect(&mut self, shared: &mut Shared, line: u32, access: u32) {
        if perform_alone(shared, access) {
            self.l3.write_back(shared, line);
        }
        let done = Message::new(Kind::AccessDone, [DIRECTORY, CPUS], line);
        self.fabric.send_new(shared, Message { access, ..done });
    }
}
