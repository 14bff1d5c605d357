//! Releases, acquires and fences: what a warp does before it goes on.

use super::Run;
use super::hold::Hold;
use crate::isa::Scope;
use crate::machine::profile::Stall;
use crate::memory::Operation;

/// Boundary of a transaction or a quantum that the system is told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// A transaction begins, in the lanes of the mask.
    Begin(u32),
    /// A transaction has come to its end, in the lanes of the mask.
    Commit(u32),
    /// The warp's quantum is over.
    EndOfQuantum,
}

/// What a warp has yet to do, in this order, before it issues again.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pause {
    /// All answers of memory have come.
    pub(super) drained: bool,
    /// All earlier stores are to be visible to this scope.
    pub(super) release: Option<Scope>,
    /// An access is to be given to memory.
    pub(super) access: Option<u32>,
    /// And to be waited for.
    pub(super) waits: bool,
    /// Later loads are to see the stores of this scope.
    pub(super) acquire: Option<Scope>,
    /// Asynchronous copies are to have come.
    pub(super) copies: bool,
    /// The memory system is to be told.
    pub(super) mark: Option<Mark>,
}

impl Pause {
    /// A fence. Within a CTA nothing is to be done but to wait for what was loaded: its threads
    /// share an L1, which takes all in order.
    pub(super) fn fence(scope: Scope) -> Self {
        let beyond = Some(scope).filter(|scope| *scope > Scope::Cta);
        Self { release: beyond, acquire: beyond, ..Self::default() }
    }

    /// A wait for asynchronous copies, and for nothing else.
    pub(super) fn for_copies() -> Self {
        Self { drained: true, copies: true, ..Self::default() }
    }

    /// A mark.
    pub(super) fn mark(mark: Mark) -> Self {
        Self { mark: Some(mark), ..Self::default() }
    }
}

impl Run<'_> {
    /// A warp pauses.
    pub(super) fn pause(&mut self, core: u32, slot: u32, pause: Pause) {
        if let Some(profile) = &mut self.profile {
            profile.waits(core, slot, if pause.copies { Stall::Memory } else { Stall::Order });
        }
        self.cores[core as usize].slots[slot as usize].pause = Some(pause);
        self.proceed(core, slot);
    }

    fn mark(&mut self, core: u32, slot: u32, mark: Mark) {
        match (mark, self.system.transactions()) {
            (Mark::EndOfQuantum, _) => {
                if let Some(policy) = self.system.policy() {
                    policy.drained(self.shared, core, slot);
                }
            }
            (Mark::Begin(lanes), Some(it)) => it.begin(self.shared, core, slot, lanes),
            (Mark::Commit(lanes), Some(it)) => it.commit(self.shared, core, slot, lanes),
            // Refused when it was issued.
            (Mark::Begin(_) | Mark::Commit(_), None) => {}
        }
    }

    /// Does the next step of a warp's pause, unless an answer that it waits for is outstanding.
    pub(super) fn proceed(&mut self, core: u32, slot: u32) {
        let core_state = &mut self.cores[core as usize];
        if core_state.slots[slot as usize].pause.is_some_and(|pause| pause.copies)
            && core_state.cta_mut(slot).is_some_and(|(cta, warp)| cta.warps[warp].0.awaits_copies())
        {
            return;
        }
        let slot_state = &mut core_state.slots[slot as usize];
        let Some(pause) = &mut slot_state.pause else { return };
        // A planted error: nobody waits for loads that are passed.
        let passed = self.hold == Hold::Loads || self.hold == Hold::Stores;
        if !pause.drained && slot_state.outstanding > slot_state.copies && !passed {
            return;
        }
        pause.drained = true;
        if let Some(scope) = pause.release.take() {
            self.system.submit(
                self.shared,
                core,
                Operation::Release { warp: slot, scope, of: pause.access },
            );
            return;
        }
        if let Some(mark) = pause.mark.take() {
            return self.mark(core, slot, mark);
        }
        if let Some(access) = pause.access.take() {
            self.submit(core, slot, access);
        }
        let slot_state = &mut self.cores[core as usize].slots[slot as usize];
        let Some(pause) = &mut slot_state.pause else { return };
        if pause.waits && slot_state.outstanding > slot_state.copies && !passed {
            return;
        }
        if let Some(scope) = pause.acquire.take() {
            self.system.submit(self.shared, core, Operation::Acquire { warp: slot, scope });
            return;
        }
        slot_state.pause = None;
        self.prepare(core, slot);
    }
}
