//! The oracle of deterministic execution: an untimed machine that runs kernels as GPUDet promises to
//! (Jooybar's thesis, chapter 4). It was written apart from the timed system, with which it shares arithmetic and control
//! flow only: each workgroup of a quantum runs alone, on memory as the quantum found it and its wavefronts' own bytes; then
//! all stores are applied, from the largest wavefront number to the smallest; then atomics are performed in ascending order.

mod quantum;
mod wavefront;

use std::collections::VecDeque;

use super::cluster::check_timed;
use super::cta::{Cta, State};
use super::digest::Digests;
use super::fault::Fault;
use super::launch::{Launch, LaunchError, PATIENCE, Work, check, check_units, place_of_cta};
use super::print::Printed;
use super::report;
use super::run::Outcome;
use super::timed::occupancy;
use crate::config::Config;
use crate::isa::Kernel;
use crate::memory::{Device, Flat};
use crate::simt::{Access, Image, Warnings};
use wavefront::Wavefront;

/// An untimed machine that keeps its memory, and the number of its quanta, from launch to launch.
#[derive(Debug)]
pub struct Oracle {
    config: Config,
    memory: Flat,
    quanta: u64,
    counts: Counts,
}

/// Counts since the oracle was made.
#[derive(Debug, Default)]
struct Counts {
    entries: u64,
    queries: u64,
    atomics: u64,
    ended: [u64; REASONS.len()],
}

/// Reasons that end a wavefront's quantum, as the counters of the timed system are named.
const REASONS: [&str; 7] = [
    "quanta_ended_by_count",
    "quanta_ended_by_atomic",
    "quanta_ended_by_fence",
    "quanta_ended_by_full_log",
    "quanta_ended_by_print",
    "quanta_ended_by_barrier",
    "quanta_ended_by_completion",
];
const COUNT: usize = 0;
const ATOMIC: usize = 1;
const FENCE: usize = 2;
const FULL_LOG: usize = 3;
const PRINT: usize = 4;
const BARRIER: usize = 5;
const COMPLETION: usize = 6;

impl Oracle {
    /// The oracle of a machine, with its memory.
    pub fn new(config: &Config, device: Device, constants: &[u8]) -> Self {
        let memory = Flat::new(device, constants);
        Self { config: config.clone(), memory, quanta: 0, counts: Counts::default() }
    }

    /// Gives it another memory.
    pub fn load(&mut self, device: Device, constants: &[u8]) {
        self.memory = Flat::new(device, constants);
    }

    /// Global memory.
    pub fn device(&self) -> &Device {
        &self.memory.device
    }

    /// Global memory, for the host to write between launches.
    pub fn device_mut(&mut self) -> &mut Device {
        &mut self.memory.device
    }

    /// Counters, named as those of the timed system.
    pub fn counters(&self) -> Vec<(&'static str, u64)> {
        let Counts { entries, queries, atomics, ended } = self.counts;
        let others = [
            ("quanta", self.quanta),
            ("log_entries", entries),
            ("bloom_insertions", entries),
            ("bloom_queries", queries),
            ("serial_atomics", atomics),
        ];
        REASONS.into_iter().zip(ended).chain(others).collect()
    }

    /// Runs a kernel to its end.
    ///
    /// # Errors
    /// If the kernel or the machine does not take the launch, or the kernel goes wrong.
    pub fn run(
        &mut self,
        image: &Image,
        kernel: &Kernel,
        launch: &Launch,
    ) -> Result<Outcome, LaunchError> {
        check(kernel, launch)?;
        check_timed(&[Work { kernel, launch }], image)?;
        check_units(&self.config.units, &image.program)?;
        let work = Work { kernel, launch };
        let places = occupancy::shared(&self.config.core, &[work])?.ctas;
        let threads: u32 = launch.block.iter().product();
        let cores = self.config.machine.cores();
        let slots = (places * cores) as usize;
        let wavefronts = (cores * self.config.core.warps) as usize;
        let run = Run {
            config: &self.config,
            memory: &mut self.memory,
            quanta: &mut self.quanta,
            counts: &mut self.counts,
            image,
            work,
            warps_per_cta: threads.div_ceil(32),
            slots: (0..slots).map(|_| Slot::default()).collect(),
            wavefronts: (0..wavefronts).map(|_| Wavefront::default()).collect(),
            pending: (0..launch.ctas()).collect(),
            access: Box::default(),
            outcome: Outcome::default(),
            warnings: launch.checks.warnings(),
            digests: Digests::of(&[work]),
            printed: Printed::default(),
            progress: 0,
            advances: false,
        };
        run.run().map_err(LaunchError::Fault)
    }
}

/// A slot for a workgroup.
#[derive(Debug, Default)]
struct Slot {
    cta: Option<Cta>,
    /// Workgroups that it is to run in this quantum.
    share: VecDeque<u64>,
    /// Warps at complete barriers, one bit each.
    held: u64,
}

/// A launch that is running.
struct Run<'a> {
    config: &'a Config,
    memory: &'a mut Flat,
    quanta: &'a mut u64,
    counts: &'a mut Counts,
    image: &'a Image,
    work: Work<'a>,
    warps_per_cta: u32,
    /// By number: place x cores + core.
    slots: Vec<Slot>,
    /// By number: core x warps a core + warp.
    wavefronts: Vec<Wavefront>,
    pending: VecDeque<u64>,
    access: Box<Access>,
    outcome: Outcome,
    warnings: Option<Warnings>,
    digests: Option<Digests>,
    printed: Printed,
    /// Instructions when the watchdog last saw something come to an end, and whether something has since.
    progress: u64,
    advances: bool,
}

impl Run<'_> {
    fn run(mut self) -> Result<Outcome, Box<Fault>> {
        while self.distribute() {
            for slot in 0..self.slots.len() {
                self.run_slot(slot);
            }
            self.watch()?;
            self.report_fault()?;
            self.commit();
            self.perform_atomics();
            self.report_fault()?;
            *self.quanta += 1;
        }
        let left = self.pending.len() + self.slots.iter().map(|it| it.share.len()).sum::<usize>();
        let is_running = self.slots.iter().any(|slot| slot.cta.is_some());
        if is_running || left > 0 {
            return Err(self.stuck(match is_running {
                true => "all warps wait, at barriers or to be permitted to issue".to_string(),
                false => format!("nobody begins the {left} CTAs that are left"),
            }));
        }
        self.outcome.registers = self.digests.take().map(Digests::all);
        self.outcome.printed = self.printed.in_thread_order();
        self.outcome.warnings = report::warnings(self.image, &[self.work], self.warnings.as_ref());
        Ok(self.outcome)
    }

    /// Deals workgroups to slots (4.2.2); false if no workgroup can run.
    fn distribute(&mut self) -> bool {
        for slot in &mut self.slots {
            self.pending.extend(slot.share.drain(..));
        }
        self.pending.make_contiguous().sort_unstable();
        let mut runs = false;
        for at in 0..self.slots.len() {
            match &self.slots[at].cta {
                None => self.slots[at].share.extend(self.pending.pop_front()),
                Some(_) => runs |= self.resume(at),
            }
            runs |= !self.slots[at].share.is_empty();
        }
        if self.config.quanta.dwp {
            let slots = self.slots.len();
            for (at, number) in self.pending.drain(..).enumerate() {
                self.slots[at % slots].share.push_back(number);
            }
        }
        self.wavefronts.iter_mut().for_each(|wavefront| wavefront.count = 0);
        runs
    }

    /// The wavefront number of a warp.
    fn index(&self, slot: usize, warp: usize) -> usize {
        let cores = self.config.machine.cores() as usize;
        let in_core = slot / cores * self.warps_per_cta as usize + warp;
        slot % cores * self.config.core.warps as usize + in_core
    }

    /// The warps of the workgroup in a slot go on in a new quantum; false if none can.
    fn resume(&mut self, at: usize) -> bool {
        let held = std::mem::take(&mut self.slots[at].held);
        let Some(cta) = &mut self.slots[at].cta else { return false };
        cta.let_held_go();
        let warps = cta.warps.len();
        let mut runs = false;
        for warp in 0..warps {
            let index = self.index(at, warp);
            let wavefront = &mut self.wavefronts[index];
            let ended = wavefront.ended.take_if(|reason| *reason != BARRIER);
            if ended.is_some() || held >> warp & 1 != 0 {
                (wavefront.runs, wavefront.ended) = (true, None);
                runs = true;
            }
        }
        runs
    }

    fn begin(&mut self, at: usize, number: u64) {
        let Work { kernel, launch } = self.work;
        let Launch { grid, dynamic_shared, .. } = *launch;
        let base = kernel.dynamic_shared_base;
        self.memory.begin_cta(at, kernel.shared_bytes, base, dynamic_shared);
        let cores = self.config.machine.cores();
        let (cta, core) = (place_of_cta(number, grid), [at as u32 % cores, cores]);
        let identity = launch.identity(cta, core);
        for warp in 0..identity.warps() as usize {
            let index = self.index(at, warp);
            self.wavefronts[index].begin();
        }
        self.slots[at].cta = Some(Cta::new(self.image, kernel, identity));
    }

    /// The fault of the smallest wavefront number, if there is one.
    fn report_fault(&mut self) -> Result<(), Box<Fault>> {
        self.wavefronts.iter_mut().find_map(|wavefront| wavefront.fault.take()).map_or(Ok(()), Err)
    }

    fn watch(&mut self) -> Result<(), Box<Fault>> {
        let executed = self.outcome.warp_instructions;
        if std::mem::take(&mut self.advances) {
            self.progress = executed;
        }
        let watchdog = self.work.launch.watchdog;
        let ctas = self.slots.iter().filter_map(|slot| slot.cta.as_ref());
        let longest = ctas.flat_map(|cta| &cta.warps).map(|(warp, _)| warp.executed());
        let longest = longest.max().unwrap_or(0);
        let reason = match () {
            () if executed - self.progress > watchdog => format!(
                "no warp has ended and none has come to a barrier for {watchdog} instructions (watchdog)"
            ),
            () if longest > watchdog.saturating_mul(PATIENCE) => {
                format!("a warp has executed {longest} instructions (watchdog)")
            }
            () => return Ok(()),
        };
        Err(self.stuck(reason))
    }

    /// A launch that does not come to an end: warps in the order of cores.
    fn stuck(&self, reason: String) -> Box<Fault> {
        let cores = self.config.machine.cores() as usize;
        let of_core = |core| self.slots.iter().skip(core).step_by(cores);
        let ctas = (0..cores).flat_map(of_core).filter_map(|slot| slot.cta.as_ref());
        report::stuck(self.image, &[self.work], ctas, reason)
    }

    /// Whether a warp of a workgroup keeps a fault.
    fn keeps(&mut self, at: usize, warp: usize, fault: Box<Fault>) {
        let index = self.index(at, warp);
        let wavefront = &mut self.wavefronts[index];
        (wavefront.fault, wavefront.runs) = (Some(fault), false);
        if let Some(cta) = &mut self.slots[at].cta {
            cta.warps[warp].1 = State::Faulty;
        }
    }
}
