//! The directory's front, to which the GPU's L2 and the CPUs send. CPUs have no caches, so their accesses take effect
//! here: a load finds what has reached the directory, and never asks the GPU (3.1.2); a store or an atomic waits until
//! the copies of its line in the GPU's read caches are invalidated (3.1.1), and takes effect then. What comes for the
//! line in between waits, and all that comes behind it, for a release must not pass a store.

use std::collections::VecDeque;

use super::QuickRelease;
use super::message::{Kind, Message};
use crate::isa::AccessKind;
use crate::memory::planted::SKIP_PROBE;
use crate::memory::{CPUS, DIRECTORY, Port, Shared, WHOLE, extract, gather, next_line};

/// What waits at the directory.
#[derive(Debug, Default)]
pub(super) struct Front {
    /// Stores and atomics of CPUs whose probe is under way: at most one of a line.
    probes: Vec<Message>,
    /// What waits for them, in order.
    waiting: VecDeque<Message>,
}

impl Front {
    fn is_busy(&self, line: u32) -> bool {
        self.probes.iter().any(|probe| probe.line == line)
    }
}

impl QuickRelease {
    /// A CPU sends an access.
    pub(super) fn request_of_cpu(&mut self, shared: &mut Shared, access: u32) {
        let of = &shared.accesses.get(access).access;
        let kind = match of.kind {
            AccessKind::Load => Kind::Load,
            AccessKind::Store => Kind::Store,
            AccessKind::Atomic(_) => Kind::Atomic,
        };
        let mut message = Message::new(kind, 0, 0);
        (message.line, message.lanes) = next_line(of, of.mask);
        message.bytes = gather(of, of.mask, &mut message.data);
        (message.token, message.ends) = (access, [CPUS, DIRECTORY]);
        self.fabric.send_new(shared, message);
    }

    /// A message has come to the directory.
    pub(super) fn at_directory(&mut self, shared: &mut Shared, message: Message) {
        if message.kind == Kind::InvalidateDone {
            return self.probe_done(shared, message.line);
        }
        match !self.front.waiting.is_empty() || self.front.is_busy(message.line) {
            true => self.front.waiting.push_back(message),
            false => self.enter(shared, message),
        }
    }

    fn enter(&mut self, shared: &mut Shared, mut message: Message) {
        let is_of_cpu = message.ends[0] == CPUS;
        if is_of_cpu && message.kind != Kind::Load && !self.planted.errs(SKIP_PROBE) {
            let mut probe = Message::new(Kind::Invalidate, 0, 0);
            (probe.ends, probe.line) = ([DIRECTORY, Port::Gpm(0)], message.line);
            self.fabric.send_new(shared, probe);
            self.front.probes.push(message);
            return;
        }
        if message.kind == Kind::Load && !is_of_cpu {
            message.bytes = WHOLE & !message.have;
        }
        self.take_effect(shared, message);
    }

    fn take_effect(&mut self, shared: &mut Shared, message: Message) {
        let Message { kind, ends, token, .. } = message;
        self.request_at_directory(shared, message);
        if (kind, ends[0]) == (Kind::Store, CPUS) {
            let mut done = Message::new(Kind::StoreDone, 0, 0);
            (done.ends, done.token) = ([DIRECTORY, CPUS], token);
            self.fabric.send_new(shared, done);
        }
    }

    /// The GPU's read caches have dropped a line.
    fn probe_done(&mut self, shared: &mut Shared, line: u32) {
        if let Some(at) = self.front.probes.iter().position(|probe| probe.line == line) {
            let access = self.front.probes.remove(at);
            self.take_effect(shared, access);
        }
        while let Some(next) = self.front.waiting.front()
            && !self.front.is_busy(next.line)
            && let Some(next) = self.front.waiting.pop_front()
        {
            self.enter(shared, next);
        }
    }

    /// An access of a CPU is over.
    pub(super) fn answered_at_cpu(&mut self, shared: &mut Shared, message: &Message) {
        let Message { kind, token, ref data, .. } = *message;
        if kind == Kind::Data {
            let access = &mut shared.accesses.get(token).access;
            extract(access, access.mask, data);
        }
        shared.answered(token);
    }
}
