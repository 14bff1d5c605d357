//! A quantum: workgroups one after the other, then stores, then atomics.

use super::super::answer::answer;
use super::{ATOMIC, BARRIER, COMPLETION, COUNT, FENCE, FULL_LOG, PRINT, Run};
use crate::config::{BarrierRule, Granularity, LINE};
use crate::isa::{AccessKind, Operation, Order, Service, Space};
use crate::machine::fault::Thread;
use crate::machine::{print, report};
use crate::simt::{Problem, Step, Surroundings, lanes_of};

impl Run<'_> {
    /// A slot runs its workgroup, and others of its share, until one ends its quantum.
    pub(super) fn run_slot(&mut self, at: usize) {
        loop {
            if self.slots[at].cta.is_none() {
                let Some(number) = self.slots[at].share.pop_front() else { return };
                self.begin(at, number);
            }
            while let Some(warp) = self.smallest(at) {
                self.turn(at, warp);
            }
            let quanta = &self.config.quanta;
            let Some(cta) = &mut self.slots[at].cta else { return };
            if cta.is_done() {
                self.slots[at].cta = None;
                continue;
            }
            let held = cta.count_deferred();
            let warps = cta.warps.len();
            let has_stored =
                (0..warps).any(|warp| self.wavefronts[self.index(at, warp)].has_stored());
            let passes = quanta.bta && (quanta.barriers == BarrierRule::Thesis || !has_stored);
            if held == 0 || !passes {
                self.slots[at].held = held;
                return;
            }
            if let Some(cta) = &mut self.slots[at].cta {
                cta.let_held_go();
            }
            for warp in (0..warps).filter(|warp| held >> warp & 1 != 0) {
                let index = self.index(at, warp);
                (self.wavefronts[index].runs, self.wavefronts[index].ended) = (true, None);
            }
        }
    }

    /// The running warp with the smallest count and number.
    fn smallest(&self, at: usize) -> Option<usize> {
        let warps = self.slots[at].cta.as_ref()?.warps.len();
        let running = (0..warps).filter(|warp| self.wavefronts[self.index(at, *warp)].runs);
        running.min_by_key(|warp| (self.wavefronts[self.index(at, *warp)].count, *warp))
    }

    /// A warp executes an instruction, or its quantum ends before that.
    fn turn(&mut self, at: usize, warp: usize) {
        let index = self.index(at, warp);
        if let Some(reason) = self.reason(at, warp) {
            let wavefront = &mut self.wavefronts[index];
            (wavefront.runs, wavefront.ended) = (false, Some(reason));
            wavefront.is_behind_fence = reason == FENCE;
            return;
        }
        let wavefront = &mut self.wavefronts[index];
        wavefront.count += 1;
        wavefront.is_behind_fence = false;
        if let Err((pc, lane, problem)) = self.step(at, warp) {
            self.fault(at, warp, pc, lane, problem);
        }
    }

    /// Why a warp's quantum ends before its next instruction, if it does (4.2).
    fn reason(&self, at: usize, warp: usize) -> Option<usize> {
        let wavefront = &self.wavefronts[self.index(at, warp)];
        let quanta = &self.config.quanta;
        let (next, lanes) = self.slots[at].cta.as_ref()?.warps[warp].0.next(self.image)?;
        if wavefront.count == quanta.instructions {
            return Some(COUNT);
        }
        if lanes == 0 {
            return None;
        }
        let mut orders = false;
        match &next.operation {
            Operation::Service(Service::Allocate { .. } | Service::Free { .. }) => {
                return Some(ATOMIC);
            }
            Operation::Service(Service::Print { .. }) if wavefront.entries > 0 => {
                return Some(PRINT);
            }
            Operation::Fence { .. } => orders = true,
            Operation::Access(form) => {
                let is_generic = form.space == Space::Generic;
                let may_be_global = is_generic || form.space == Space::Global;
                if matches!(form.kind, AccessKind::Atomic(_)) && may_be_global {
                    return Some(ATOMIC);
                }
                let synchronises =
                    matches!(form.order, Order::Acquire | Order::Release | Order::AcquireRelease);
                orders = synchronises && form.space.may_be_shared();
            }
            _ => {}
        }
        if orders && !wavefront.is_behind_fence {
            return Some(FENCE);
        }
        let is_store =
            matches!(&next.operation, Operation::Access(form) if form.kind == AccessKind::Store);
        let free = quanta.log_entries - wavefront.entries;
        let lines = || {
            self.slots[at]
                .cta
                .as_ref()
                .map(|cta| cta.warps[warp].0.lines_of_next(self.image, &self.work.launch.objects))
        };
        (is_store && lines() > Some(free)).then_some(FULL_LOG)
    }

    fn fault(&mut self, at: usize, warp: usize, pc: u32, lane: Option<usize>, problem: Problem) {
        let Some(cta) = &self.slots[at].cta else { return };
        let thread = Thread::of(&cta.warps[warp].0.identity, lane);
        let fault = report::fault(self.image, self.work.kernel, pc, Some(thread), problem);
        self.keeps(at, warp, fault);
    }

    /// Executes an instruction. On a problem, the instruction and the lane.
    fn step(&mut self, at: usize, warp: usize) -> Result<(), (u32, Option<usize>, Problem)> {
        let index = self.index(at, warp);
        let quantum = *self.quanta * u64::from(self.config.quanta.instructions);
        let Some(cta) = &mut self.slots[at].cta else { return Ok(()) };
        let of_warp = &mut cta.warps[warp].0;
        let pc = of_warp.paths().next().map_or(0, |path| path.pc);
        let around = Surroundings {
            image: self.image,
            parameters: &self.work.launch.parameters,
            objects: &self.work.launch.objects,
            clock: quantum + u64::from(self.wavefronts[index].count),
            warnings: self.warnings.as_ref(),
        };
        let before = of_warp.lanes_executed();
        let step = of_warp.step(around, &mut self.access);
        self.outcome.warp_instructions += 1;
        self.outcome.thread_instructions += of_warp.lanes_executed() - before;
        let at_lane = |(lane, problem)| (pc, Some(lane), problem);
        match step.map_err(|(lane, problem)| (pc, lane, problem))? {
            Step::Done | Step::Private | Step::Fence(..) => {}
            Step::Access if self.access.space == Space::Global => {
                return self.access(at, warp, pc);
            }
            Step::Access => {
                let warnings = self.warnings.as_ref();
                answer(self.memory, warnings, at, of_warp, &mut self.access).map_err(at_lane)?;
                of_warp.complete(&mut self.access);
            }
            Step::Barrier(arrival) => {
                self.advances = true;
                cta.defer(warp, arrival, pc);
                if arrival.waits {
                    let wavefront = &mut self.wavefronts[index];
                    (wavefront.runs, wavefront.ended) = (false, Some(BARRIER));
                }
            }
            Step::Print(print) => {
                self.printed.print(of_warp, &print, self.memory).map_err(at_lane)?;
            }
            Step::Allocate(wanted) => {
                let addresses = self.memory.device.heap(&wanted).map_err(at_lane)?;
                lanes_of(wanted.mask)
                    .for_each(|lane| of_warp.allocated(&wanted, lane, addresses[lane]));
            }
            Step::Assertion(lane, message) => {
                let problem = print::assertion(message, self.memory);
                return Err((pc, Some(lane), problem));
            }
            Step::Texture(_) => return Err((pc, None, Problem::NoStage("__texture"))),
            Step::Transaction(..) => {
                return Err((pc, None, Problem::NoTransactions("the oracle of quanta".into())));
            }
            // Refused before.
            Step::Copies | Step::Bulk(_) | Step::Cluster(..) => {}
            Step::Exited => {
                self.advances = true;
                if let Some(digests) = &mut self.digests {
                    digests.exits(of_warp);
                }
                cta.leave_deferred(warp);
                self.wavefronts[index].runs = false;
                self.counts.ended[COMPLETION] += 1;
            }
        }
        Ok(())
    }

    /// A load or a store of global memory, or an atomic in its turn.
    fn access(
        &mut self,
        at: usize,
        warp: usize,
        pc: u32,
    ) -> Result<(), (u32, Option<usize>, Problem)> {
        let index = self.index(at, warp);
        let Some(cta) = &mut self.slots[at].cta else { return Ok(()) };
        let (of_warp, access) = (&mut cta.warps[warp].0, &mut self.access);
        let device = &self.memory.device;
        let bytes = access.bytes() as usize;
        let is_outside = |lane: &usize| device.place(access.addresses[*lane], bytes).is_none();
        let outside: u32 = access.lanes().filter(is_outside).fold(0, |all, lane| all | 1 << lane);
        if outside != 0 {
            let lane = outside.trailing_zeros() as usize;
            let problem = device.out_of_bounds(access.addresses[lane], bytes);
            let Some(warnings) = &self.warnings else { return Err((pc, Some(lane), problem)) };
            warnings.pass(pc, of_warp.identity, Some(lane), problem, outside.count_ones());
            of_warp.leave_out(access, outside);
        }
        let places = access.lanes().filter_map(|lane| device.place(access.addresses[lane], bytes));
        let mut lines: Vec<_> = places.map(|place| place / LINE).collect();
        lines.sort_unstable();
        lines.dedup();
        let wavefront = &mut self.wavefronts[index];
        match access.kind {
            AccessKind::Load => {
                self.counts.queries += lines.len() as u64;
                wavefront.load(access, device);
            }
            AccessKind::Store => {
                let has_part = wavefront.store(access, device);
                if has_part && self.config.quanta.granularity == Granularity::Word {
                    return Err((pc, None, Problem::PartOfWord));
                }
            }
            AccessKind::Atomic(_) => {
                let warnings = self.warnings.as_ref();
                answer(self.memory, warnings, at, of_warp, access)
                    .map_err(|(lane, problem)| (pc, Some(lane), problem))?;
            }
        }
        of_warp.complete(access);
        Ok(())
    }

    /// All stores of the quantum become visible: those of the smallest wavefront number last.
    pub(super) fn commit(&mut self) {
        for wavefront in &self.wavefronts {
            if let Some(reason) = wavefront.ended {
                self.counts.ended[reason] += 1;
            }
        }
        for wavefront in self.wavefronts.iter_mut().rev() {
            self.counts.entries += u64::from(wavefront.entries);
            wavefront.commit(self.memory.device.contents());
        }
    }

    /// Atomics in ascending order of the wavefronts.
    pub(super) fn perform_atomics(&mut self) {
        let cores = self.config.machine.cores() as usize;
        for core in 0..cores {
            for at in (core..self.slots.len()).step_by(cores) {
                let warps = self.slots[at].cta.as_ref().map_or(0, |cta| cta.warps.len());
                for warp in 0..warps {
                    if self.wavefronts[self.index(at, warp)].ended != Some(ATOMIC) {
                        continue;
                    }
                    self.counts.atomics += 1;
                    if let Err((pc, lane, problem)) = self.step(at, warp) {
                        self.fault(at, warp, pc, lane, problem);
                    }
                }
            }
        }
    }
}
