//! A launch from its first CTA to its last.

use super::answer::{answer, settle};
use super::bulk::{Transfers, Wrong};
use super::checkers::Checkers;
use super::cluster::{self, Clusters, ctas, slot_of};
use super::cta::{Cta, State};
use super::digest::Digests;
use super::fault::{Fault, Thread};
use super::launch::{Checks, Launch, LaunchError, PATIENCE, Work, check};
use super::print::{self, Printed};
use super::report::{self, Warning};
use crate::isa::Kernel;
use crate::memory::{Flat, Site};
use crate::simt::{Access, Identity, Image, Problem, Step, Surroundings, Warnings, lanes_of};

/// Steps of a warp before it is another's turn.
const TURN: u32 = 64;

/// What a launch came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Warp instructions.
    pub warp_instructions: u64,
    /// The same, counted for each lane that executed them.
    pub thread_instructions: u64,
    /// What the kernel printed, in the order of its threads.
    pub printed: String,
    /// What was gone past, if checks are lenient.
    pub warnings: Vec<Warning>,
    /// SHA-256 of all threads' registers and predicates at exit, if the launch asks for it.
    pub registers: Option<String>,
}

/// Runs a kernel.
pub fn run(
    image: &Image,
    kernel: &Kernel,
    launch: &Launch,
    memory: &mut Flat,
) -> Result<Outcome, LaunchError> {
    check(kernel, launch)?;
    if launch.cpus > 0 {
        return Err(LaunchError::Cpus(launch.cpus));
    }
    cluster::check_resident(kernel, launch)?;
    if launch.checks == Checks::Memory {
        memory.device.keep_history();
    }
    Machine::new(image, kernel, launch, memory).run().map_err(LaunchError::Fault)
}

struct Machine<'a> {
    image: &'a Image,
    kernel: &'a Kernel,
    launch: &'a Launch,
    memory: &'a mut Flat,
    access: Box<Access>,
    outcome: Outcome,
    warnings: Option<Warnings>,
    digests: Option<Digests>,
    checkers: Checkers,
    /// CTAs of a cluster.
    cluster: [u32; 3],
    clusters: Clusters,
    transfers: Transfers,
    printed: Printed,
    /// Warp instructions when something last came to an end.
    progress: u64,
    /// Most instructions that one warp has executed.
    longest: u64,
}

impl<'a> Machine<'a> {
    fn new(image: &'a Image, kernel: &'a Kernel, launch: &'a Launch, memory: &'a mut Flat) -> Self {
        Self {
            image,
            kernel,
            launch,
            memory,
            access: Box::default(),
            outcome: Outcome::default(),
            warnings: launch.checks.warnings(),
            digests: Digests::of(&[Work { kernel, launch }]),
            cluster: cluster::of(kernel, launch),
            clusters: Clusters::default(),
            transfers: Transfers::default(),
            checkers: Checkers::new(image, kernel, launch),
            printed: Printed::default(),
            progress: 0,
            longest: 0,
        }
    }

    fn run(mut self) -> Result<Outcome, Box<Fault>> {
        match self.run_all() {
            Ok(()) => Ok(self.outcome),
            Err(mut fault) => {
                fault.found = self.checkers.warnings(self.image, self.kernel, self.launch);
                Err(fault)
            }
        }
    }

    fn run_all(&mut self) -> Result<(), Box<Fault>> {
        let total = self.launch.ctas();
        // The CTAs of a cluster are numbered one after the other, and begin together.
        let size: u32 = self.cluster.iter().product();
        let slots = u64::from(self.launch.resident.max(size) / size * size).min(total);
        let mut next = slots;
        let mut running: Vec<_> = (0..slots).map(|at| Some(self.begin(at, at as usize))).collect();
        while running.iter().any(Option::is_some) {
            let mut moved = false;
            for slot in 0..running.len() {
                let Some(cta) = &mut running[slot] else { continue };
                moved |= self.turn(slot, cta)?;
                if !cta.is_done() {
                    continue;
                }
                self.end(slot, &cta.warps[0].0.identity);
                running[slot] = None;
                let cluster = ctas(slot, size);
                if next < total && running[cluster.clone()].iter().all(Option::is_none) {
                    for slot in cluster {
                        running[slot] = Some(self.begin(next, slot));
                        next += 1;
                    }
                }
            }
            let Launch { watchdog, .. } = *self.launch;
            let idle = self.outcome.warp_instructions - self.progress;
            let reason = match () {
                _ if !moved => "all warps wait at barriers that nobody opens".to_string(),
                _ if idle > watchdog => format!(
                    "no warp has ended and none has come to a barrier for {watchdog} instructions \
                     (watchdog)"
                ),
                _ if self.longest > watchdog.saturating_mul(PATIENCE) => {
                    format!("a warp has executed {} instructions (watchdog)", self.longest)
                }
                () => continue,
            };
            let ctas = running.iter().flatten();
            return Err(report::stuck(self.image, &[self.work()], ctas, reason));
        }
        self.outcome.registers = self.digests.take().map(Digests::all);
        self.outcome.printed = self.printed.in_thread_order();
        self.outcome.warnings =
            report::warnings(self.image, &[self.work()], self.warnings.as_ref());
        let found = self.checkers.warnings(self.image, self.kernel, self.launch);
        self.outcome.warnings.extend(found);
        Ok(())
    }

    fn work(&self) -> Work<'a> {
        Work { kernel: self.kernel, launch: self.launch }
    }

    fn begin(&mut self, number: u64, slot: usize) -> Cta {
        let Launch { grid, dynamic_shared, .. } = *self.launch;
        let cta = cluster::place_of_cta(number, grid, self.cluster);
        let core = [slot as u32, self.launch.resident];
        let base = self.kernel.dynamic_shared_base;
        self.memory.begin_cta(slot, self.kernel.shared_bytes, base, dynamic_shared);
        let explicit_cluster = cluster::is_explicit(self.kernel, self.launch);
        let identity = self.launch.identity(cta, core);
        let identity = Identity { cluster: self.cluster, explicit_cluster, ..identity };
        self.clusters.begin(slot, &identity);
        self.checkers.begin(slot, &identity);
        Cta::new(self.image, self.kernel, identity)
    }

    /// A CTA has ended. What is moved for it is over when its cluster is.
    fn end(&mut self, slot: usize, identity: &Identity) {
        self.memory.end_cta(slot);
        if ctas(slot, identity.cluster_size()).all(|slot| self.memory.has_ended(slot)) {
            self.transfers.end(ctas(slot, identity.cluster_size()));
        }
        if let Some(races) = &mut self.checkers.races {
            races.end(identity);
        }
    }

    /// Each warp of a CTA runs for a while; gives whether any could.
    fn turn(&mut self, slot: usize, cta: &mut Cta) -> Result<bool, Box<Fault>> {
        let mut moved = self.clusters.look_at(slot, cta, self.checkers.races.as_deref_mut());
        for warp in 0..cta.warps.len() {
            for _ in 0..TURN {
                if cta.warps[warp].1 != State::Ready {
                    break;
                }
                moved = true;
                self.step(slot, cta, warp)?;
            }
            self.longest = self.longest.max(cta.warps[warp].0.executed());
        }
        Ok(moved)
    }

    // Called once, for each instruction.
    #[inline(always)]
    fn step(&mut self, slot: usize, cta: &mut Cta, at: usize) -> Result<(), Box<Fault>> {
        let around = Surroundings {
            image: self.image,
            parameters: &self.launch.parameters,
            objects: &self.launch.objects,
            clock: self.outcome.warp_instructions,
            warnings: self.warnings.as_ref(),
        };
        let warp = &mut cta.warps[at].0;
        let pc = warp.paths().next().map_or(0, |path| path.pc);
        let before = warp.lanes_executed();
        let mut lanes = 0;
        if let Some(races) = &mut self.checkers.races {
            lanes = warp.next(self.image).map_or(0, |(_, lanes)| lanes);
            let groups = warp.groups_in_order(self.image);
            groups.into_iter().for_each(|group| races.warp_sync(&warp.identity, group));
        }
        let step = warp.step(around, &mut self.access);
        self.outcome.warp_instructions += 1;
        self.outcome.thread_instructions += warp.lanes_executed() - before;
        let identity = warp.identity;
        let wrong = |machine: &Self, lane: Option<usize>, problem| {
            let thread = Thread::of(&identity, lane);
            report::fault(machine.image, machine.kernel, pc, Some(thread), problem)
        };
        let moved_wrong = |machine: &Self, it: Box<Wrong>| {
            let thread = Thread::of(&it.identity, Some(it.lane));
            report::fault(machine.image, machine.kernel, it.pc, Some(thread), it.problem)
        };
        match step.map_err(|(lane, problem)| wrong(self, lane, problem))? {
            Step::Done | Step::Private => {}
            Step::Fence(_, scope) => {
                if let Some(races) = &mut self.checkers.races {
                    races.fence(&identity, lanes, scope);
                }
            }
            Step::Access => {
                let (warnings, access) = (self.warnings.as_ref(), &self.access);
                let owner = slot_of(self.memory, slot, &identity, access);
                let slot = owner.map_err(|(lane, problem)| wrong(self, Some(lane), problem))?;
                let moved = self.transfers.tested(self.memory, slot, access, &mut self.checkers);
                moved.map_err(|it| moved_wrong(self, it))?;
                let answered = answer(self.memory, warnings, slot, warp, &mut self.access);
                answered.map_err(|(lane, problem)| wrong(self, Some(lane), problem))?;
                self.checkers.access(self.memory, slot, &identity, &self.access);
                warp.complete(&mut self.access);
            }
            Step::Copies => {
                let warnings = self.warnings.as_ref();
                let checkers = &mut self.checkers;
                let settled = settle(self.memory, warnings, slot, warp, |memory, access| {
                    checkers.access(memory, slot, &identity, access);
                });
                settled.map_err(|(pc, lane, problem)| {
                    let thread = Thread::of(&identity, Some(lane));
                    report::fault(self.image, self.kernel, pc, Some(thread), problem)
                })?;
            }
            Step::Bulk(bulk) => {
                let (memory, checkers) = (&mut *self.memory, &mut self.checkers);
                let moved = self.transfers.step(memory, slot, &identity, bulk, checkers);
                moved.map_err(|it| moved_wrong(self, it))?;
            }
            Step::Cluster(kind, lanes) => {
                let races = self.checkers.races.as_deref_mut();
                let came = self.clusters.step(slot, cta, at, (kind, lanes, pc), races);
                came.map_err(|problem| wrong(self, None, problem))?;
                self.progress = self.outcome.warp_instructions;
            }
            Step::Barrier(arrival) => {
                cta.arrive(at, arrival, pc);
                if let Some(races) = &mut self.checkers.races {
                    races.arrive(&identity, &arrival);
                    races.look_at(&identity, cta);
                }
                self.progress = self.outcome.warp_instructions;
            }
            Step::Print(print) => {
                let printed = self.printed.print(warp, &print, self.memory);
                printed.map_err(|(lane, problem)| wrong(self, Some(lane), problem))?;
            }
            Step::Allocate(wanted) => {
                let device = &mut self.memory.device;
                let addresses = match &mut self.checkers.memory {
                    Some(check) => check.heap(device, Site { pc, identity, lane: 0 }, &wanted),
                    None => device.heap(&wanted),
                };
                let addresses = match addresses {
                    Ok(addresses) => addresses,
                    Err((lane, problem)) => return Err(wrong(self, Some(lane), problem)),
                };
                lanes_of(wanted.mask)
                    .for_each(|lane| warp.allocated(&wanted, lane, addresses[lane]));
            }
            Step::Assertion(lane, message) => {
                let problem = print::assertion(message, self.memory);
                return Err(wrong(self, Some(lane), problem));
            }
            Step::Texture(_) => return Err(wrong(self, None, Problem::NoStage("__texture"))),
            Step::Transaction(..) => {
                let problem = Problem::NoTransactions("the functional machine".to_string());
                return Err(wrong(self, None, problem));
            }
            Step::Exited => {
                let left = self.transfers.leave(self.memory, slot, &identity, &mut self.checkers);
                left.map_err(|it| moved_wrong(self, it))?;
                if let Some(digests) = &mut self.digests {
                    digests.exits(warp);
                }
                cta.leave(at);
                if let Some(races) = &mut self.checkers.races {
                    races.look_at(&identity, cta);
                }
                self.progress = self.outcome.warp_instructions;
            }
        }
        Ok(())
    }
}
