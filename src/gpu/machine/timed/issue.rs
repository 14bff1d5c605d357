//! A warp issues an instruction.

use super::Run;
use super::events::CoreEvent;
use super::hold::Hold;
use super::synchronise::{Mark, Pause};
use crate::core::{Decoded, WAITS, turns};
use crate::isa::{AccessKind, Boundary, Operation as Instruction, Order, Scope, Space};
use crate::machine::answer::{answer, settle};
use crate::machine::fault::Thread;
use crate::machine::planted::{
    ACQUIRE_DOES_NOTHING, FENCE_DOES_NOTHING, RELEASE_DOES_NOTHING, RETRY_KEEPS_REGISTERS,
};
use crate::machine::profile::Stall;
use crate::machine::{Fault, print, report};
use crate::simt::{Problem, Step, Surroundings, lanes_of};

/// What a scope of the kernel means on this machine, on which `.cta` and `.gpu` mean these.
fn widened(scope: Scope, [cta, gpu]: [Scope; 2]) -> Scope {
    match scope {
        // A cluster has one CTA here.
        Scope::Cta | Scope::Cluster => cta,
        Scope::Gpu => gpu,
        Scope::Sys => Scope::Sys,
    }
}

impl Run<'_> {
    #[inline]
    pub(super) fn issue(&mut self, core: u32, slot: u32) -> Result<(), Box<Fault>> {
        let now = self.shared.events.now();
        let clock = match self.has_policy {
            true => self.system.policy().and_then(|policy| policy.clock(core, slot)),
            false => None,
        };
        let core_state = &mut self.cores[core as usize];
        let pc = core_state.slots[slot as usize].pc;
        let mut decoded = *self.table.get(pc);
        decoded.latency += core_state.occupy(now, slot, &decoded, &self.table);
        core_state.slots[slot as usize].permitted = false;
        core_state.slots[slot as usize].buffer.issued(pc);
        let Some((cta, warp)) = core_state.cta_mut(slot) else { return Ok(()) };
        let warp = &mut cta.warps[warp].0;
        let launch = self.work[warp.identity.launch as usize].launch;
        let around = Surroundings {
            image: self.image,
            parameters: &launch.parameters,
            objects: &launch.objects,
            clock: clock.unwrap_or(now),
            warnings: self.warnings.as_ref(),
        };
        let before = warp.lanes_executed();
        let lanes = warp.running();
        let step = warp.step(around, &mut self.shared.accesses.get(self.current).access);
        self.outcome.warp_instructions += 1;
        self.outcome.thread_instructions += warp.lanes_executed() - before;
        let executed = warp.executed();
        if let Some(profile) = &mut self.profile {
            profile.issues(core, slot, now, pc, self.table.writes(&decoded));
            if let Some(time) = self.system.logical_time(core) {
                profile.timeline.is_at(core, now, time);
            }
            let operation = &self.image.program.code[pc as usize].operation;
            // A branch leaves a part of the lanes running only where the others go another way.
            let (after, is_branch) =
                (warp.running(), matches!(operation, Instruction::Branch { .. }));
            let diverged = is_branch && after != lanes && after & !lanes == 0 && after != 0;
            profile.executed(pc, warp.lanes_executed() - before, diverged);
        }
        let step = match step {
            Ok(step) => step,
            Err((lane, problem)) => return Err(self.wrong(core, slot, pc, lane, problem)),
        };
        match step {
            Step::Done => {
                let scoreboard = &mut core_state.slots[slot as usize].scoreboard;
                scoreboard.write(&self.table, &decoded, now + u64::from(decoded.latency));
            }
            Step::Private => self.private(core, slot, &decoded),
            Step::Access => self.access(core, slot, pc)?,
            Step::Copies => {
                self.settle(core, slot)?;
                self.pause(core, slot, Pause::for_copies());
            }
            Step::Bulk(_) | Step::Cluster(..) => {} // Refused at the launch.
            Step::Fence(order, scope) => {
                let scope = widened(scope, [self.cta_scope, self.gpu_scope]);
                let _ = order; // Every fence releases and acquires.
                if self.planted != Some(FENCE_DOES_NOTHING) {
                    self.pause(core, slot, Pause::fence(scope));
                }
            }
            Step::Transaction(boundary, lanes) => {
                let mark = match boundary {
                    Boundary::Begin => Mark::Begin(lanes),
                    Boundary::Commit => Mark::Commit(lanes),
                };
                if self.system.transactions().is_none() {
                    let system = format!("the memory system `{}`", self.name);
                    let problem = Problem::NoTransactions(system);
                    return Err(self.wrong(core, slot, pc, None, problem));
                }
                self.pause(core, slot, Pause::mark(mark));
            }
            Step::Texture(_) => {
                let problem = Problem::NoStage("__texture");
                return Err(self.wrong(core, slot, pc, None, problem));
            }
            Step::Barrier(arrival) => {
                self.arrive(core, slot, arrival, &decoded);
                return self.watch_warp(executed);
            }
            Step::Print(print) => {
                let printed = self.printed.print(warp, &print, &self.shared.flat);
                if let Err((lane, problem)) = printed {
                    return Err(self.wrong(core, slot, pc, Some(lane), problem));
                }
            }
            Step::Allocate(wanted) => {
                let addresses = self.shared.flat.device.heap(&wanted);
                let addresses = match addresses {
                    Ok(addresses) => addresses,
                    Err((lane, problem)) => {
                        return Err(self.wrong(core, slot, pc, Some(lane), problem));
                    }
                };
                lanes_of(wanted.mask)
                    .for_each(|lane| warp.allocated(&wanted, lane, addresses[lane]));
            }
            Step::Assertion(lane, message) => {
                let problem = print::assertion(message, &self.shared.flat);
                return Err(self.wrong(core, slot, pc, Some(lane), problem));
            }
            Step::Exited => {
                self.exit(core, slot);
                return Ok(());
            }
        }
        self.prepare(core, slot);
        if self.outcome.warp_instructions.is_multiple_of(256) {
            return self.watch_warp(executed);
        }
        Ok(())
    }

    /// An access to local memory or to parameters.
    fn private(&mut self, core: u32, slot: u32, decoded: &Decoded) {
        let now = self.shared.events.now();
        let space = self.shared.accesses.get(self.current).access.space;
        let latency = match space {
            Space::Local => self.config.l1.latency,
            _ => decoded.latency,
        };
        let core_state = &mut self.cores[core as usize];
        let begin = match &core_state.front_end {
            Some(front_end) if space == Space::Param => {
                self.caches.parameters(front_end.config(), core, now).max(now)
            }
            _ => now,
        };
        if let Some(profile) = self.profile.as_mut().filter(|_| space == Space::Local) {
            profile.results(core, slot, self.table.writes(decoded), Stall::Memory);
        }
        let scoreboard = &mut core_state.slots[slot as usize].scoreboard;
        scoreboard.write(&self.table, decoded, begin + u64::from(latency));
        core_state.memory_free = now + 1;
    }

    /// An access to memory that others see.
    fn access(&mut self, core: u32, slot: u32, pc: u32) -> Result<(), Box<Fault>> {
        let now = self.shared.events.now();
        let decoded = *self.table.get(pc);
        let current = self.current;
        let pending = self.shared.accesses.get(current);
        let access = &mut pending.access;
        if matches!(access.space, Space::Shared | Space::Const) {
            let core_config = &self.config.core;
            let turns = match access.space {
                Space::Shared => turns(access, core_config.shared_banks),
                _ => 1,
            };
            if let Some(profile) = self.profile.as_mut().filter(|_| access.space == Space::Shared) {
                profile.shared(pc, access, turns);
                profile.results(core, slot, self.table.writes(&decoded), Stall::SharedMemory);
            }
            let shared = core * 64 + self.cores[core as usize].slots[slot as usize].cta;
            let core_state = &mut self.cores[core as usize];
            let Some((cta, warp)) = core_state.cta_mut(slot) else { return Ok(()) };
            let warp = &mut cta.warps[warp].0;
            let (flat, warnings) = (&mut self.shared.flat, self.warnings.as_ref());
            match answer(flat, warnings, shared as usize, warp, access) {
                Ok(()) => _ = warp.complete(access),
                Err((lane, problem)) => {
                    return Err(self.wrong(core, slot, pc, Some(lane), problem));
                }
            }
            let core_state = &mut self.cores[core as usize];
            core_state.memory_free = now + u64::from(turns);
            let result = now + u64::from(core_config.shared_latency + turns - 1);
            core_state.slots[slot as usize].scoreboard.write(&self.table, &decoded, result);
            return Ok(());
        }
        let bytes = access.bytes() as usize;
        let device = &self.shared.flat.device;
        let mut outside = 0u32;
        for lane in access.lanes() {
            match device.place(access.addresses[lane], bytes) {
                Some(place) => access.addresses[lane] = place as u64,
                None => outside |= 1 << lane,
            }
        }
        if outside != 0 {
            let lane = outside.trailing_zeros() as usize;
            let problem = device.out_of_bounds(access.addresses[lane], bytes);
            if self.go_past(core, slot, pc, outside, (lane, problem))? == 0 {
                let core_state = &mut self.cores[core as usize];
                let scoreboard = &mut core_state.slots[slot as usize].scoreboard;
                scoreboard.write(&self.table, &decoded, now + u64::from(decoded.latency));
                if let Some((cta, warp)) = core_state.cta_mut(slot) {
                    cta.warps[warp].0.complete(&mut self.shared.accesses.get(current).access);
                }
                return Ok(());
            }
        }
        let pending = self.shared.accesses.get(current);
        let access = &mut pending.access;
        if let Some(profile) = &mut self.profile {
            profile.global(pc, access);
            profile.results(core, slot, self.table.writes(&decoded), Stall::Memory);
        }
        (pending.core, pending.warp) = (core, slot);
        pending.acknowledged = self.acknowledges_stores;
        access.scope = widened(access.scope, [self.cta_scope, self.gpu_scope]);
        let (order, scope) = (access.order, access.scope_of_effect());
        let beyond = Some(scope).filter(|scope| *scope > Scope::Cta);
        let releases = matches!(order, Order::Release | Order::AcquireRelease)
            && self.planted != Some(RELEASE_DOES_NOTHING);
        let acquires = matches!(order, Order::Acquire | Order::AcquireRelease)
            && access.kind != AccessKind::Store
            && self.planted != Some(ACQUIRE_DOES_NOTHING);
        if releases || acquires {
            let pause = Pause {
                drained: !releases,
                release: beyond.filter(|_| releases),
                access: Some(current),
                acquire: beyond.filter(|_| acquires),
                waits: acquires,
                ..Pause::default()
            };
            self.current = self.shared.accesses.begin();
            self.pause(core, slot, pause);
            return Ok(());
        }
        self.current = self.shared.accesses.begin();
        self.submit(core, slot, current);
        Ok(())
    }

    /// Goes past an access to addresses that nothing has in some lanes, if checks are lenient; the
    /// lanes that are left.
    #[cold]
    fn go_past(
        &mut self,
        core: u32,
        slot: u32,
        pc: u32,
        outside: u32,
        (lane, problem): (usize, Problem),
    ) -> Result<u32, Box<Fault>> {
        let Some(warnings) = self.warnings.as_ref().filter(|_| outside != 0) else {
            return Err(self.wrong(core, slot, pc, Some(lane), problem));
        };
        let access = &mut self.shared.accesses.get(self.current).access;
        if let Some((cta, warp)) = self.cores[core as usize].cta_mut(slot) {
            let warp = &mut cta.warps[warp].0;
            warnings.pass(pc, warp.identity, Some(lane), problem, outside.count_ones());
            warp.leave_out(access, outside);
        }
        Ok(access.mask)
    }

    /// Gives an access to the L1.
    pub(super) fn submit(&mut self, core: u32, slot: u32, access: u32) {
        let is_copy = self.shared.accesses.get(access).access.copy.is_some();
        if self.hold != Hold::Nothing && !is_copy && self.holds(core, slot, access) {
            return;
        }
        if self.watch.is_some() {
            self.note_writes(core, slot, access);
        }
        let pending = self.shared.accesses.get(access);
        let (pc, is_awaited) = (pending.access.pc, pending.is_awaited());
        let is_atomic = matches!(pending.access.kind, AccessKind::Atomic(_));
        let known = self.send(core, slot, access);
        if !is_awaited {
            return;
        }
        if is_copy {
            let slot_state = &mut self.cores[core as usize].slots[slot as usize];
            (slot_state.outstanding, slot_state.copies) =
                (slot_state.outstanding + 1, slot_state.copies + 1);
            if let Some(time) = known {
                self.shared.events.at(time, CoreEvent::Answered(access));
            }
            return;
        }
        let decoded = *self.table.get(pc);
        let core_state = &mut self.cores[core as usize];
        match known {
            Some(time) => {
                let access_state = &mut self.shared.accesses.get(access).access;
                let completes = core_state
                    .cta_mut(slot)
                    .is_none_or(|(cta, warp)| cta.warps[warp].0.complete(access_state));
                let time = if completes { time } else { WAITS };
                core_state.slots[slot as usize].scoreboard.write(&self.table, &decoded, time);
                self.shared.accesses.end(access);
            }
            None => {
                core_state.slots[slot as usize].scoreboard.wait(&self.table, &decoded);
                core_state.slots[slot as usize].outstanding += 1;
                core_state.slots[slot as usize].atomics += u32::from(is_atomic);
            }
        }
    }

    /// A transaction has ended, and these lanes of its warp run it again.
    pub(super) fn transaction_ended(&mut self, core: u32, slot: u32, aborted: u32) {
        let keeps = self.planted == Some(RETRY_KEEPS_REGISTERS);
        let core_state = &mut self.cores[core as usize];
        core_state.slots[slot as usize].aborted = 0;
        if let Some((cta, warp)) = core_state.cta_mut(slot) {
            cta.warps[warp].0.end_transaction(aborted, keeps);
        }
        self.proceed(core, slot);
    }

    /// Does what asynchronous copies of a warp have made due.
    pub(super) fn settle(&mut self, core: u32, slot: u32) -> Result<(), Box<Fault>> {
        let core_state = &mut self.cores[core as usize];
        let place = core * 64 + core_state.slots[slot as usize].cta;
        let Some((cta, warp)) = core_state.cta_mut(slot) else { return Ok(()) };
        let (flat, warnings) = (&mut self.shared.flat, self.warnings.as_ref());
        let settled = settle(flat, warnings, place as usize, &mut cta.warps[warp].0, |_, _| ());
        settled.map_err(|(pc, lane, problem)| self.wrong(core, slot, pc, Some(lane), problem))
    }

    #[cold]
    pub(super) fn wrong(
        &mut self,
        core: u32,
        slot: u32,
        pc: u32,
        lane: Option<usize>,
        problem: Problem,
    ) -> Box<Fault> {
        let core_state = &mut self.cores[core as usize];
        let identity = core_state.cta_mut(slot).map(|(cta, warp)| cta.warps[warp].0.identity);
        let launch = identity.map_or(0, |identity| identity.launch);
        let thread = identity.map(|identity| Thread::of(&identity, lane));
        report::fault(self.image, self.work[launch as usize].kernel, pc, thread, problem)
    }
}
