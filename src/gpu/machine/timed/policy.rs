//! What the system's issue policy decides and requests.

use super::Run;
use super::synchronise::{Mark, Pause};
use crate::machine::Fault;
use crate::machine::cta::State;
use crate::machine::profile::Stall;
use crate::memory::{NextInstruction, Permit, Request};

impl Run<'_> {
    /// Whether a warp may issue its next instruction.
    pub(super) fn permits(&mut self, core: u32, slot: u32) -> bool {
        let Some((cta, warp)) = self.cores[core as usize].cta_mut(slot) else { return true };
        let warp = &cta.warps[warp].0;
        let next = warp.next(self.image);
        let (Some(policy), Some((next, lanes))) = (self.system.policy(), next) else { return true };
        let objects = &self.work[warp.identity.launch as usize].launch.objects;
        let lines = || warp.lines_of_next(self.image, objects);
        let next = NextInstruction { operation: &next.operation, lanes, lines: &lines };
        match policy.permit(core, slot, &next) {
            Permit::Issue => true,
            Permit::Wait => {
                if let Some(profile) = &mut self.profile {
                    profile.waits(core, slot, Stall::Permission);
                }
                false
            }
            Permit::EndOfQuantum => {
                self.pause(core, slot, Pause::mark(Mark::EndOfQuantum));
                false
            }
        }
    }

    /// Does what the policy requests, and begins CTAs for which there is work now.
    pub(super) fn serve_policy(&mut self) -> Result<(), Box<Fault>> {
        while let Some(request) =
            self.system.policy().and_then(|policy| policy.request(self.shared))
        {
            match request {
                Request::Wake(core, slot) => self.prepare(core, slot),
                Request::CountArrivals(core, place) => {
                    let cta = &mut self.cores[core as usize].ctas[place as usize];
                    let held = cta.as_mut().map_or(0, |cta| cta.count_deferred());
                    if let Some(policy) = self.system.policy() {
                        policy.counted(core, place, held);
                    }
                }
                Request::OpenBarriers(core, place) => {
                    if let Some(cta) = &mut self.cores[core as usize].ctas[place as usize] {
                        cta.let_held_go();
                    }
                    self.look_at_cta(core, place);
                }
                Request::ReportFault(core, slot) => {
                    let kept = self.cores[core as usize].slots[slot as usize].fault.take();
                    kept.map_or(Ok(()), Err)?;
                }
                Request::AskWatchdog => self.watch_now()?,
            }
        }
        while let Some((core, place)) = self.system.ctas().and_then(|source| source.wakes()) {
            self.begin_later(core, place);
        }
        Ok(())
    }

    /// A warp has met a fault, which ends the launch unless the policy lets the warp keep it.
    #[cold]
    pub(super) fn faults(
        &mut self,
        core: u32,
        slot: u32,
        fault: Box<Fault>,
    ) -> Result<(), Box<Fault>> {
        if !self.system.policy().is_some_and(|policy| policy.keeps_fault(core, slot)) {
            return Err(fault);
        }
        let core_state = &mut self.cores[core as usize];
        core_state.slots[slot as usize].fault = Some(fault);
        if let Some((cta, warp)) = core_state.cta_mut(slot) {
            cta.warps[warp].1 = State::Faulty;
        }
        Ok(())
    }
}
