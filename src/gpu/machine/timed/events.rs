//! The events of a run, and the answers of the memory system.

use super::{Run, names};
use crate::events;
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
}
