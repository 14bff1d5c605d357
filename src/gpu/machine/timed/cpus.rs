//! CPUs that share a directory with the GPU. Each runs one thread of the kernel in program order, with at most one
//! access outstanding: so all that is before an access is over when it begins, and fences have nothing to do. A CPU
//! has no caches of its own, for they would be kept coherent by the directory: its accesses take effect there.

use super::Run;
use super::events::CoreEvent;
use super::hold::Hold;
use crate::isa::{AccessKind, Operation, Space};
use crate::machine::fault::Thread;
use crate::machine::launch::Work;
use crate::machine::{Fault, report};
use crate::simt::{Identity, Problem, Step, Surroundings, Warp};

/// A CPU.
#[derive(Debug)]
pub(super) struct Cpu {
    /// Its thread, as a warp of one lane.
    warp: Warp,
    /// The access that its next step fills in.
    access: u32,
    /// With a planted error, one that goes behind the next.
    held: Option<u32>,
}

impl<'a> Run<'a> {
    /// The CPUs of a launch begin, each as a CTA behind those of the grid.
    pub(super) fn begin_cpus(&mut self) {
        let of_launch = |(launch, work): (u32, &Work<'a>)| {
            let Work { kernel, launch: shape } = *work;
            (0..shape.cpus).map(move |cpu| (launch, kernel, shape.grid, cpu))
        };
        let cpus = (0..).zip(self.work).flat_map(of_launch);
        for (cpu, (launch, kernel, grid, of_launch)) in (0..).zip(cpus) {
            let [x, y, z] = grid;
            let identity = Identity {
                block: [1; 3],
                grid,
                cta: [x + of_launch, y - 1, z - 1],
                launch,
                core: [self.config.machine.cores() + cpu, self.config.machine.cores()],
                ..Identity::default()
            };
            let warp = Warp::new(self.image, kernel, identity);
            self.cpus.push(Cpu { warp, access: self.shared.accesses.begin(), held: None });
            self.running += 1;
            let delay = u64::from(self.shared.random(self.config.perturbation.start + 1));
            self.shared.events.at(self.shared.events.now() + delay, CoreEvent::Cpu(cpu));
        }
    }

    /// A CPU executes an instruction; the next follows when its result is there.
    pub(super) fn step_cpu(&mut self, number: u32) -> Result<(), Box<Fault>> {
        let now = self.shared.events.now();
        let cpu = &mut self.cpus[number as usize];
        let Work { kernel, launch } = self.work[cpu.warp.identity.launch as usize];
        let around = Surroundings {
            image: self.image,
            parameters: &launch.parameters,
            objects: &launch.objects,
            clock: now,
            warnings: self.warnings.as_ref(),
        };
        let pc = cpu.warp.paths().next().map_or(0, |path| path.pc);
        let step = cpu.warp.step(around, &mut self.shared.accesses.get(cpu.access).access);
        let (thread, executed) = (Thread::of(&cpu.warp.identity, None), cpu.warp.executed());
        self.outcome.warp_instructions += 1;
        self.outcome.thread_instructions += 1;
        let fault = |problem| report::fault(self.image, kernel, pc, Some(thread), problem);
        match step.map_err(|(_, problem)| fault(problem))? {
            Step::Done | Step::Private | Step::Fence(..) => {
                let latency = u64::from(self.table.get(pc).latency.max(1));
                self.shared.events.at(now + latency, CoreEvent::Cpu(number));
            }
            Step::Access => {
                let pending = self.shared.accesses.get(cpu.access);
                let access = &mut pending.access;
                let (lane, bytes) = (access.mask.trailing_zeros() as usize % 32, access.bytes());
                if matches!(access.space, Space::Shared | Space::Const) {
                    return Err(fault(Problem::NotOnCpu));
                }
                let device = &self.shared.flat.device;
                let address = access.addresses[lane];
                let Some(place) = device.place(address, bytes as usize) else {
                    return Err(fault(device.out_of_bounds(address, bytes as usize)));
                };
                access.addresses[lane] = place as u64;
                pending.core = self.config.machine.cores() + number;
                (pending.warp, pending.left, pending.unsent) = (0, 1, 0);
                pending.acknowledged = true;
                let kind = access.kind;
                if self.passes(number, kind) {
                    let next = self.shared.accesses.begin();
                    let cpu = &mut self.cpus[number as usize];
                    cpu.held = Some(std::mem::replace(&mut cpu.access, next));
                    self.shared.events.at(now + 1, CoreEvent::Cpu(number));
                    return Ok(());
                }
                let cpu = &self.cpus[number as usize];
                let access = cpu.access;
                self.submit_of_cpu(access);
            }
            Step::Exited => {
                self.shared.accesses.end(cpu.access);
                self.running -= 1;
                self.end = now;
                self.progress = self.outcome.warp_instructions;
                return Ok(());
            }
            _ => return Err(fault(Problem::NotOnCpu)),
        }
        self.watch(executed)
    }

    fn submit_of_cpu(&mut self, access: u32) {
        if let Some(cpus) = self.system.cpus() {
            cpus.submit_of_cpu(self.shared, access);
        }
    }

    /// The planted errors of the cores, in a CPU: every other load goes behind the load that follows it at once, or
    /// every other store behind the store.
    fn passes(&mut self, number: u32, kind: AccessKind) -> bool {
        let cpu = &self.cpus[number as usize];
        let is_of = |kind| {
            matches!(self.hold, Hold::Loads) && kind == AccessKind::Load
                || matches!(self.hold, Hold::Stores) && kind == AccessKind::Store
        };
        let next = cpu.warp.next(self.image).map(|(next, _)| &next.operation);
        let may = is_of(kind) && matches!(next, Some(Operation::Access(form)) if form.kind == kind);
        may && cpu.held.is_none() && self.shared.random(2) == 0
    }

    /// The access of a CPU is over.
    pub(super) fn answered_to_cpu(&mut self, number: u32, access: u32) {
        let Some(cpu) = self.cpus.get_mut(number as usize) else { return };
        cpu.warp.complete(&mut self.shared.accesses.get(access).access);
        if access != cpu.access {
            self.shared.accesses.end(access);
        }
        if let Some(held) = cpu.held.take() {
            return self.submit_of_cpu(held);
        }
        self.shared.events.at(self.shared.events.now() + 1, CoreEvent::Cpu(number));
    }
}
