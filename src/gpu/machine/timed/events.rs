//! The events of a run, and the answers of the memory system.

use super::{Run, names};
use crate::events;
use crate::isa::AccessKind;
use crate::machine::LaunchError;
use crate::memory::{Done, Unit};
use crate::simt::Problem;

events! {
    /// Events of cores and CPUs.
    pub(super) enum CoreEvent of Unit::FRONT;
    /// A core may issue.
    Core(core),
    /// A CTA begins at a place of a core.
    Begin(core, place),
    /// A core gives an access to its L1 that it has held.
    Held(access),
    /// A core has the answer of an asynchronous copy, a texel, or a line of textures.
    Answered(access),
    /// A CPU executes its next instruction.
    Cpu(cpu),
}

impl Run<'_> {
    /// Handles events until nothing is to happen.
    pub(super) fn handle_events(&mut self) -> Result<(), LaunchError> {
        while let Some(event) = self.shared.events.pop() {
            match event.unit {
                Unit::FRONT => match event.into() {
                    CoreEvent::Core(core) => self.tick(core)?,
                    CoreEvent::Begin(core, place) => self.begin(core, place),
                    CoreEvent::Held(access) => self.let_go(access),
                    CoreEvent::Answered(access) => self.answered(access),
                    CoreEvent::Cpu(cpu) => self.step_cpu(cpu)?,
                },
                // What DRAM has yet to write does not keep the launch from ending.
                Unit::DRAM => self.shared.handle_dram(event),
                _ => {
                    self.end = self.shared.events.now();
                    self.system.handle(self.shared, event);
                    if let Some(mismatch) = self.shared.mismatch.take() {
                        let kernel = names(self.image, self.work);
                        return Err(LaunchError::Mismatch { kernel, mismatch });
                    }
                }
            }
            while let Some(done) = self.shared.done.pop() {
                match done {
                    Done::Access(access) => self.answered(access),
                    Done::Synchronised { core, warp } => self.proceed(core, warp),
                    Done::TransactionEnded { core, warp, aborted } => {
                        self.transaction_ended(core, warp, aborted);
                    }
                    Done::Aborted { core, warp, lanes } => {
                        self.cores[core as usize].slots[warp as usize].aborted |= lanes;
                    }
                    Done::LogFull { core, warp, pc, lane, entries } => {
                        let problem = Problem::LogFull { entries };
                        return Err(self
                            .wrong(core, warp, pc, Some(lane as usize), problem)
                            .into());
                    }
                    Done::PartOfWord { core, warp, pc } => {
                        let fault = self.wrong(core, warp, pc, None, Problem::PartOfWord);
                        self.faults(core, warp, fault)?;
                    }
                    Done::Accepts(core) => self.schedule(core, self.shared.events.now() + 1),
                }
            }
            if let Some(fault) = self.fault.take() {
                return Err(fault.into());
            }
            if self.has_policy {
                self.serve_policy()?;
            }
        }
        Ok(())
    }

    /// An access has its answer.
    pub(super) fn answered(&mut self, access: u32) {
        let now = self.shared.events.now();
        let pending = self.shared.accesses.get(access);
        let (core, slot) = (pending.core, pending.warp);
        if let Some(cpu) = core.checked_sub(self.cores.len() as u32) {
            return self.answered_to_cpu(cpu, access);
        }
        if self.fills_texture_cache(core, access) {
            return;
        }
        let pending = self.shared.accesses.get(access);
        let decoded = *self.table.get(pending.access.pc);
        let core_state = &mut self.cores[core as usize];
        let completes = core_state
            .cta_mut(slot)
            .is_none_or(|(cta, warp)| cta.warps[warp].0.complete(&mut pending.access));
        if completes {
            core_state.slots[slot as usize].scoreboard.write(&self.table, &decoded, now);
        }
        let is_copy = pending.access.copy.is_some();
        let is_atomic = matches!(pending.access.kind, AccessKind::Atomic(_));
        self.shared.accesses.end(access);
        let slot_state = &mut core_state.slots[slot as usize];
        slot_state.outstanding -= 1;
        // Those that were held have not been counted.
        slot_state.atomics = slot_state.atomics.saturating_sub(u32::from(is_atomic));
        if is_copy {
            slot_state.copies -= 1;
            self.fault = self.fault.take().or(self.settle(core, slot).err());
        }
        let slot_state = &mut self.cores[core as usize].slots[slot as usize];
        if slot_state.pause.is_some() {
            self.proceed(core, slot);
        } else if slot_state.blocked {
            self.prepare(core, slot);
        }
    }
}
