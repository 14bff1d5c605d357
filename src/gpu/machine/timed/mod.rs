//! The timed machine: SIMT cores that issue clock by clock, and the memory hierarchy behind them.
//! A core in which no warp can issue sleeps; so the time of a run is that of its instructions and
//! messages, not of its clocks.

mod cores;
mod cpus;
mod ctas;
mod events;
mod hold;
mod issue;
pub(super) mod occupancy;
mod policy;
mod rtl;
mod synchronise;
mod texture_cache;
mod watchdog;
mod writers;

use super::cluster::check_timed;
use super::digest::Digests;
use super::launch::{Checks, Launch, LaunchError, Work, check, check_system, check_units};
use super::print::Printed;
use super::profile::{LaunchSpan, Profile};
use super::{Fault, Outcome, report};
use crate::config::{Config, LINE, PerturbationConfig};
use crate::core::{InstructionCaches, Table};
use crate::isa::{Kernel, Scope};
use crate::memory::{
    Device, Flat, MemorySystem, PlantedError, RtlSettings, Shared, Statistics, System,
    TransactionCounts,
};
use crate::simt::{Image, Warnings};
use cores::Core;
use cpus::Cpu;
use ctas::Grids;
use hold::Hold;
use writers::Watch;
pub use writers::Write;

/// A machine with its memory, which it keeps from launch to launch.
#[derive(Debug)]
pub struct Machine {
    config: Config,
    kind: System,
    seed: Option<u64>,
    shared: Shared,
    system: Box<dyn MemorySystem>,
    caches: InstructionCaches,
    planted: Option<PlantedError>,
    scopes_as_written: bool,
    rtl: Vec<RtlSettings>,
    times_metadata: Option<RtlSettings>,
    profile: Option<Box<Profile>>,
    watch: Option<Box<Watch>>,
}

/// What a launch came to on the timed machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimedOutcome {
    /// As on the functional machine.
    pub outcome: Outcome,
    /// Clocks from the beginning until all that was stored is in memory or an L2.
    pub cycles: u64,
    /// CTAs that a core holds at a time.
    pub ctas_per_core: u32,
    /// 32-bit registers that a thread was taken to need.
    pub registers_per_thread: u32,
}

impl Machine {
    /// A machine with empty caches. With a seed, arbitration and latencies are shuffled.
    ///
    /// A launch that is spread over several GPUs as if they were one takes what the kernel says of
    /// its GPU (`.gpu`) to be meant for all of them, unless scopes are to be as written.
    pub fn new(config: &Config, kind: System, seed: Option<u64>) -> Self {
        Self {
            config: config.clone(),
            kind,
            seed,
            shared: Shared::new(config, seed),
            system: (kind.make)(config),
            caches: InstructionCaches::default(),
            planted: None,
            scopes_as_written: false,
            rtl: Vec::new(),
            times_metadata: None,
            profile: None,
            watch: None,
        }
    }

    /// Counts for a profile what later launches do, which are all of the profile's program.
    pub fn profile(&mut self, profile: Profile) {
        self.profile = Some(Box::new(profile));
    }

    /// The profile, if there is one; nothing is counted for it any more.
    pub fn take_profile(&mut self) -> Option<Profile> {
        self.profile.take().map(|profile| *profile)
    }

    /// Notes stores to a word of memory, by its place in the contents, from now on.
    pub(crate) fn watch(&mut self, place: usize) {
        self.watch = Some(Box::new(Watch { place: place as u64, writes: Vec::new() }));
    }

    /// The stores to the watched word, in the order in which warps issued them.
    pub(crate) fn writes(&self) -> &[Write] {
        self.watch.as_ref().map_or(&[], |watch| &watch.writes)
    }

    /// Takes `.gpu` for the GPU that a CTA runs on.
    pub fn with_scopes_as_written(mut self) -> Self {
        self.scopes_as_written = true;
        self
    }

    /// Gives the machine its memory.
    pub fn load(&mut self, device: Device, constants: &[u8]) {
        self.shared.flat = Flat::new(device, constants);
    }

    /// Global memory, as it is between launches.
    pub fn device(&self) -> &Device {
        &self.shared.flat.device
    }

    /// Global memory, when the machine is not needed any more.
    pub fn into_device(self) -> Device {
        self.shared.flat.device
    }

    /// The host writes to global memory between launches; false where nothing is allocated.
    #[must_use]
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> bool {
        let device = &mut self.shared.flat.device;
        let Some(first) = device.place(address, bytes.len()) else { return false };
        device.contents()[first..first + bytes.len()].copy_from_slice(bytes);
        let lines = first / LINE..(first + bytes.len()).div_ceil(LINE);
        self.system.forget(lines.start as u32..lines.end as u32);
        true
    }

    /// Plants an error in the cores or in the memory system, to see whether it is found.
    pub fn plant(&mut self, error: PlantedError) {
        self.planted = Some(error);
        self.system.plant(error);
    }

    /// Makes a GPM the home of the page of an address, unless it has one.
    pub(crate) fn place_page(&mut self, address: u64, gpm: u32) {
        if let Some(place) = self.shared.flat.device.place(address, 1) {
            self.shared.homes.touch(gpm, (place / LINE) as u32);
        }
    }

    /// Changes how long random delays are from now on.
    pub(crate) fn perturb(&mut self, perturbation: PerturbationConfig) {
        self.config.perturbation = perturbation.clone();
        self.shared.config.perturbation = perturbation;
    }

    /// Counts of transactions, if its memory system has them.
    pub fn transactions(&mut self) -> Option<TransactionCounts> {
        self.system.transactions().map(|transactions| transactions.counts())
    }

    /// Counters of the memory system's own.
    pub fn counters(&self) -> Vec<(&'static str, u64)> {
        self.system.counters()
    }

    /// What was counted since the machine was made.
    pub fn statistics(&self) -> Statistics {
        self.shared.statistics(self.system.traffic(&self.shared))
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
    ) -> Result<TimedOutcome, LaunchError> {
        self.run_together(image, &[Work { kernel, launch }])
    }

    /// Runs kernels of one image beside each other, until all have come to their end. A core has places for CTAs of
    /// any of them.
    ///
    /// # Errors
    /// If a kernel or the machine does not take its launch, or a kernel goes wrong.
    pub fn run_together(
        &mut self,
        image: &Image,
        work: &[Work],
    ) -> Result<TimedOutcome, LaunchError> {
        for Work { kernel, launch } in work {
            check(kernel, launch)?;
            if launch.cpus > 0 && !self.kind.has_cpus(&self.config) {
                return Err(LaunchError::Cpus(launch.cpus));
            }
        }
        check_timed(work, image)?;
        check_units(&self.config.units, &image.program)?;
        check_system(&self.kind, &image.program)?;
        let occupancy = occupancy::shared(&self.config.core, work)?;
        let program = &image.program;
        self.caches.begin(&program.file, program.code.len(), self.config.machine.cores());
        let start = self.shared.events.now();
        self.system.begin_launch(&mut self.shared);
        let mut run = Run::new(self, image, work, occupancy.ctas);
        let outcome = run.run();
        let end = run.end;
        self.system.clean(&mut self.shared);
        let outcome = match (outcome, self.shared.mismatch.take()) {
            (Ok(_), Some(mismatch)) => {
                let kernel = names(image, work);
                let place = |(what, pc): (String, u32)| {
                    format!("\n  {what}: {}:{}", program.file, program.lines[pc as usize])
                };
                let accused = std::mem::take(&mut self.shared.accused).into_iter().map(place);
                let mismatch = mismatch + &accused.collect::<String>();
                Err(LaunchError::Mismatch { kernel, mismatch })
            }
            (outcome, _) => outcome,
        };
        if outcome.is_err() {
            // Messages in flight and the contents of the caches are gone.
            let flat = std::mem::take(&mut self.shared.flat);
            self.shared = Shared::new(&self.config, self.seed);
            self.shared.flat = flat;
            self.system = (self.kind.make)(&self.config);
            if let Some(error) = self.planted {
                self.system.plant(error);
            }
            self.use_rtl_again();
        }
        if let Some(trace) = self.profile.as_mut().and_then(|profile| profile.trace.as_mut()) {
            let kernel = names(image, work);
            trace.launches.push(LaunchSpan { kernel, clocks: start..end });
        }
        Ok(TimedOutcome {
            outcome: outcome?,
            cycles: end - start,
            ctas_per_core: occupancy.ctas,
            registers_per_thread: occupancy.registers,
        })
    }
}

/// The names of kernels.
fn names(image: &Image, work: &[Work]) -> String {
    let names = work.iter().map(|work| image.program.body(work.kernel).name.as_str());
    names.collect::<Vec<_>>().join(", ")
}

/// Launches that are running.
struct Run<'a> {
    config: &'a Config,
    shared: &'a mut Shared,
    system: &'a mut dyn MemorySystem,
    caches: &'a mut InstructionCaches,
    /// Whether the system has a policy, and whether that opens barriers.
    has_policy: bool,
    defers_barriers: bool,
    /// The system's name.
    name: &'static str,
    acknowledges_stores: bool,
    planted: Option<PlantedError>,
    profile: Option<&'a mut Profile>,
    watch: Option<&'a mut Watch>,
    image: &'a Image,
    work: &'a [Work<'a>],
    table: Table,
    cores: Vec<Core>,
    cpus: Vec<Cpu>,
    /// CTAs that have not begun, unless the system deals them.
    grids: Grids,
    /// Slots of a place for CTAs.
    warps_per_cta: u32,
    watchdog: u64,
    /// The access that the next step fills in.
    current: u32,
    /// What `.cta` and `.gpu` are taken for.
    cta_scope: Scope,
    gpu_scope: Scope,
    /// What cores hold, and what they are holding.
    hold: Hold,
    held: Vec<u32>,
    /// What went wrong with an answer.
    fault: Option<Box<Fault>>,
    outcome: Outcome,
    warnings: Option<Warnings>,
    digests: Option<Digests>,
    printed: Printed,
    /// Warp instructions when something last came to an end.
    progress: u64,
    /// Warp instructions when the policy last asked the watchdog.
    watched: u64,
    /// CTAs that have begun, for the age of their warps.
    begun: u64,
    running: u64,
    end: u64,
}

impl<'a> Run<'a> {
    fn new(
        machine: &'a mut Machine,
        image: &'a Image,
        work: &'a [Work<'a>],
        ctas_per_core: u32,
    ) -> Self {
        let Machine {
            config,
            kind,
            shared,
            system,
            caches,
            planted,
            scopes_as_written,
            profile,
            watch,
            ..
        } = machine;
        let table = Table::new(&image.program, &config.units);
        let threads = |work: &Work| work.launch.block.iter().product::<u32>();
        let watchdog = work.iter().map(|work| work.launch.watchdog).max().unwrap_or_default();
        let checks = work.iter().map(|work| work.launch.checks);
        let core = |_| Core::new(config, &table, ctas_per_core);
        let cores = (0..config.machine.cores()).map(core).collect();
        let current = shared.accesses.begin();
        let weak = config.core.weak_loads;
        let hold = Hold::new(*planted, weak, shared.is_perturbed());
        let is_one_gpu = config.machine.gpus == 1 || *scopes_as_written;
        Self {
            cores,
            cpus: Vec::new(),
            table,
            grids: Grids::new(work, &config.machine),
            warps_per_cta: work.iter().map(threads).max().unwrap_or(0).div_ceil(32),
            watchdog,
            current,
            cta_scope: if system.is_scoped() { Scope::Cta } else { Scope::Gpu },
            gpu_scope: if is_one_gpu { Scope::Gpu } else { Scope::Sys },
            hold,
            held: Vec::new(),
            fault: None,
            outcome: Outcome::default(),
            digests: Digests::of(work),
            warnings: checks.filter_map(Checks::warnings).next(),
            printed: Printed::default(),
            progress: 0,
            watched: 0,
            begun: 0,
            running: 0,
            end: shared.events.now(),
            has_policy: system.policy().is_some() || system.ctas().is_some(),
            defers_barriers: system.policy().is_some_and(|policy| policy.defers_barriers()),
            name: kind.name,
            acknowledges_stores: system.acknowledges_stores(),
            config,
            shared,
            system: &mut **system,
            caches,
            planted: *planted,
            profile: profile.as_deref_mut(),
            watch: watch.as_deref_mut(),
            image,
            work,
        }
    }

    fn run(&mut self) -> Result<Outcome, LaunchError> {
        self.begin_all();
        self.begin_cpus();
        self.handle_events()?;
        if self.running == 0 {
            self.system.end_launch(self.shared);
            self.handle_events()?;
        }
        self.shared.accesses.end(self.current);
        let left = self.ctas_left();
        if self.running > 0 || left > 0 {
            let reason = match self.has_policy {
                _ if self.running == 0 => format!("nobody begins the {left} CTAs that are left"),
                false => "all warps wait at barriers that nobody opens".to_string(),
                true => "all warps wait, at barriers or to be permitted to issue".to_string(),
            };
            return Err(self.stuck(reason).into());
        }
        self.outcome.registers = self.digests.take().map(Digests::all);
        self.outcome.printed = self.printed.in_thread_order();
        self.outcome.warnings = report::warnings(self.image, self.work, self.warnings.as_ref());
        Ok(std::mem::take(&mut self.outcome))
    }
}
