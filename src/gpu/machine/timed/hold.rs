//! Accesses that a core holds, so that later ones pass them: loads of a weak core, and errors that
//! are planted.

use super::Run;
use super::events::CoreEvent;
use crate::config::LINE;
use crate::isa::{AccessKind, Order};
use crate::machine::planted::{LOADS_PASS_LOADS, STORES_PASS_STORES};
use crate::memory::{Operation, PlantedError};
use crate::simt::Access;

/// Longest time for which a planted error holds an access, in clocks.
const LONGEST: u32 = 400;

/// What a core holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// Nothing: accesses go to the L1 in order.
    Nothing,
    /// Loads without order, for up to so many clocks, behind whatever orders them.
    Weak(u32),
    /// All loads, whatever orders them.
    Loads,
    /// All stores and atomics, whatever orders them.
    Stores,
}

impl Hold {
    /// What the cores of a machine hold. A run that is not perturbed holds nothing.
    pub(super) fn new(planted: Option<PlantedError>, weak: u32, is_perturbed: bool) -> Self {
        match planted {
            _ if !is_perturbed => Self::Nothing,
            Some(LOADS_PASS_LOADS) => Self::Loads,
            Some(STORES_PASS_STORES) => Self::Stores,
            _ if weak > 0 => Self::Weak(weak),
            _ => Self::Nothing,
        }
    }

    fn longest(self, access: &Access) -> u32 {
        let is_load = access.kind == AccessKind::Load;
        let is_plain = matches!(access.order, Order::Weak | Order::Relaxed);
        match self {
            Self::Weak(longest) if is_load && is_plain => longest,
            Self::Loads if is_load => LONGEST,
            Self::Stores if !is_load => LONGEST,
            _ => 0,
        }
    }
}

/// Whether two accesses are to a line in common.
fn share_a_line(one: &Access, other: &Access) -> bool {
    let line = |access: &Access, lane: usize| access.addresses[lane] / LINE as u64;
    one.lanes().any(|at| other.lanes().any(|to| line(one, at) == line(other, to)))
}

impl Run<'_> {
    /// Whether an access that is to go to the L1 is held instead. Every other one is, by chance.
    pub(super) fn holds(&mut self, core: u32, slot: u32, access: u32) -> bool {
        if let Hold::Weak(_) = self.hold {
            for held in self.held.clone() {
                if self.stays_before(held, access) {
                    self.let_go(held);
                }
            }
        }
        let pending = self.shared.accesses.get(access);
        let (pc, is_awaited) = (pending.access.pc, pending.is_awaited());
        let longest = self.hold.longest(&pending.access);
        if longest == 0 || self.shared.random(2) == 0 {
            return false;
        }
        let clocks = 1 + self.shared.random(longest);
        let now = self.shared.events.now();
        self.shared.events.at(now + u64::from(clocks), CoreEvent::Held(access));
        self.held.push(access);
        if is_awaited {
            let decoded = *self.table.get(pc);
            let slot = &mut self.cores[core as usize].slots[slot as usize];
            slot.scoreboard.wait(&self.table, &decoded);
            slot.outstanding += 1;
        }
        true
    }

    /// Whether a held load of the same warp must go before an access: they share a line.
    fn stays_before(&mut self, held: u32, access: u32) -> bool {
        let other = self.shared.accesses.get(access);
        let (core, warp, other) = (other.core, other.warp, other.access.clone());
        let held = self.shared.accesses.get(held);
        (held.core, held.warp) == (core, warp) && share_a_line(&held.access, &other)
    }

    /// Gives what a weak core holds for a warp to its L1: the warp comes to a barrier.
    pub(super) fn let_all_go(&mut self, core: u32, slot: u32) {
        if !matches!(self.hold, Hold::Weak(_)) {
            return;
        }
        for access in self.held.clone() {
            let pending = self.shared.accesses.get(access);
            if (pending.core, pending.warp) == (core, slot) {
                self.let_go(access);
            }
        }
    }

    /// A held access goes to the L1, if it has not gone before.
    pub(super) fn let_go(&mut self, access: u32) {
        let Some(at) = self.held.iter().position(|held| *held == access) else { return };
        self.held.remove(at);
        let core = self.shared.accesses.get(access).core;
        let is_awaited = self.shared.accesses.get(access).is_awaited();
        if self.system.submit(self.shared, core, Operation::Access(access)).is_some() && is_awaited
        {
            self.answered(access);
        }
    }
}
