//! Runs of a litmus test.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;

use super::instruction::{Instruction, Kind, Value, flattened};
use super::place::{Seat, Variant, seats};
use super::ptx::ptx;
use super::{Condition, NoCpus, REGISTERS, Term, Test};
use crate::PlantedError;
use crate::config::{Config, LINE, PerturbationConfig};
use crate::isa::{self, PtxError};
use crate::machine::{Launch, LaunchError, Machine};
use crate::memory::Device;
use crate::simt::Image;
use crate::systems::System;

/// Pages among which locations lie: each GPM is home of up to so many, of so many bytes in all.
const PAGES: u32 = 16;
const ROOM: u32 = 4 << 20;
/// Lines of a page in which locations lie.
const LINES: u32 = 16;
/// Longest waits of the threads of a run, in turns of a loop of three instructions.
const WAITS: [u32; 4] = [1, 8, 60, 300];
/// By what the random delays of messages of a run are made longer.
const SLOWER: [u32; 3] = [1, 4, 40];
/// One message in so many is delayed in a run.
const ONE_IN: [u32; 3] = [1, 6, 6];
/// Warp instructions after which a run is given up.
const WATCHDOG: u64 = 1_000_000;

/// What was seen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Runs.
    pub runs: u64,
    /// How often each forbidden condition held.
    pub forbidden: Vec<u64>,
    /// How often each allowed condition held.
    pub allowed: Vec<u64>,
}

/// Why a test cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum LitmusRunError {
    /// Its instructions are not PTX.
    #[error("{test}: {error}")]
    Ptx {
        /// The test.
        test: String,
        /// What is wrong with its kernel.
        error: PtxError,
    },
    /// It has threads on CPUs, of which there are none.
    #[error(transparent)]
    NoCpus(#[from] NoCpus),
    /// The machine does not run it.
    #[error("{test}: {error}")]
    Launch {
        /// The test.
        test: String,
        /// What the machine says.
        error: LaunchError,
    },
}

/// How a test is run.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    /// The machine.
    pub config: &'a Config,
    /// The memory system.
    pub system: System,
    /// Of all that is random.
    pub seed: u64,
    /// Least runs.
    pub runs: u64,
    /// Most runs: a test is run on until all that it is to show has been seen, as
    /// `Settings::shows` says.
    pub most: u64,
    /// An error that is planted: then the test is to show what is forbidden, else what is allowed.
    pub planted: Option<PlantedError>,
}

impl Test {
    /// The line of a barrier for which a machine cannot be told how many threads it waits for.
    pub fn open_barrier(&self) -> Option<usize> {
        let is_open = |it: &&Instruction| {
            let Kind::Barrier(barrier) = it.kind else { return false };
            barrier.count.is_none() && matches!(barrier.id, Some(Value::Register(_)))
        };
        let mut all = self.threads.iter().flat_map(|thread| flattened(thread));
        all.find(is_open).map(|it| it.line)
    }
}

impl Settings<'_> {
    /// Whether all has been seen that is to be: of a machine without error what is allowed, but for
    /// what is excused; of one with an error what is forbidden, be it excused, for that may be wrong.
    fn shows(&self, test: &Test, variant: Variant, counts: &Counts) -> bool {
        if self.planted.is_some() {
            return counts.forbidden.iter().all(|count| *count > 0);
        }
        let mut allowed = test.allowed.iter().zip(&counts.allowed);
        allowed
            .all(|(it, count)| *count > 0 || it.excuse(&test.name, self.system, variant).is_some())
    }
}

/// Runs a variant of a test many times on one machine, whose caches stay as they are in between.
///
/// # Errors
/// If the test is no PTX that the machine runs.
pub fn run(test: &Test, variant: Variant, settings: &Settings) -> Result<Counts, LitmusRunError> {
    let Settings { config, system, seed, .. } = *settings;
    test.check_cpus(system, config)?;
    let name = || format!("{} ({variant})", test.name);
    let program = isa::load(&test.name, &ptx(test, variant.scope))
        .map_err(|error| LitmusRunError::Ptx { test: name(), error })?;
    let image = Image::new(program);
    let kernel = &image.program.kernels[0];
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut machine = Machine::new(config, system, Some(seed)).with_scopes_as_written();
    if let Some(error) = settings.planted {
        machine.plant(error);
    }
    let mut device = Device::default();
    let gpms = config.machine.gpms();
    let page = config.machine.page_bytes;
    let pages = pages(config);
    let room = device.allocate("locations", pages as usize * page as usize);
    let results = device.allocate("results", test.threads.len() * REGISTERS * 4);
    machine.load(device, &[]);
    for at in 0..pages {
        machine.place_page(room + u64::from(at) * u64::from(page), at % gpms);
    }
    let mut counts = Counts {
        runs: 0,
        forbidden: vec![0; test.forbidden.len()],
        allowed: vec![0; test.allowed.len()],
    };
    while counts.runs < settings.runs
        || counts.runs < settings.most && !settings.shows(test, variant, &counts)
    {
        counts.runs += 1;
        let slower = SLOWER[random.random_range(0..SLOWER.len())];
        let one_in = ONE_IN[random.random_range(0..ONE_IN.len())];
        let PerturbationConfig { message, start, .. } = config.perturbation;
        machine.perturb(PerturbationConfig { message: message * slower, one_in, start });
        let threads = placed(test, variant, config, &mut random);
        let places = places(test, config, &threads, &mut random, room);
        for (place, value) in places.iter().zip(&test.initial) {
            let _ = machine.write(*place, &value.to_le_bytes());
        }
        let launch = launch(config, &mut random, &threads, &places, results);
        machine
            .run(&image, kernel, &launch)
            .map_err(|error| LitmusRunError::Launch { test: name(), error })?;
        let word = |address| {
            let bytes = machine.device().get(address, 4).and_then(|bytes| bytes.try_into().ok());
            bytes.map_or(0, u32::from_le_bytes)
        };
        let held = |thread: usize, register: usize| {
            word(results + ((thread * REGISTERS + register) * 4) as u64)
        };
        let holds = |condition: &Condition| {
            condition.terms.iter().all(|compared| match compared.term {
                Term::Location(at) => compared.holds(word(places[at]), held),
                Term::Register(thread, register) => compared.holds(held(thread, register), held),
            })
        };
        for (count, condition) in counts.forbidden.iter_mut().zip(&test.forbidden) {
            *count += u64::from(holds(condition));
        }
        for (count, condition) in counts.allowed.iter_mut().zip(&test.allowed) {
            *count += u64::from(holds(condition));
        }
    }
    Ok(counts)
}

/// Pages of all GPMs together.
fn pages(config: &Config) -> u32 {
    let each = (ROOM / config.machine.page_bytes).clamp(1, PAGES);
    config.machine.gpms() * each
}

/// Where the threads run, shifted by chance.
fn placed(
    test: &Test,
    variant: Variant,
    config: &Config,
    random: &mut Xoshiro256PlusPlus,
) -> Vec<Option<Seat>> {
    let base = random.random_range(0..config.machine.gpms());
    seats(test, variant.place, base, &config.machine)
}

/// Addresses of the locations, sometimes in one line, and often at home where a thread runs.
fn places(
    test: &Test,
    config: &Config,
    threads: &[Option<Seat>],
    random: &mut Xoshiro256PlusPlus,
    room: u64,
) -> Vec<u64> {
    let gpms = config.machine.gpms();
    let page_bytes = config.machine.page_bytes;
    let (pages, lines) = (pages(config), LINES.min(page_bytes / LINE as u32));
    let together = random.random_range(0..6) == 0;
    let mut somewhere = || {
        let home = match random.random_range(0..2) {
            0 => random.random_range(0..gpms),
            _ => threads[random.random_range(0..threads.len())].map_or(0, |seat| seat.gpm),
        };
        let page = random.random_range(0..pages / gpms) * gpms + home;
        let line = u64::from(random.random_range(0..lines));
        let at = room + u64::from(page) * u64::from(page_bytes) + line * LINE as u64;
        (at, random.random_range(0..4) * 4)
    };
    let (shared, _) = somewhere();
    let place = |at: usize| {
        let (line, word) = somewhere();
        let line = if together { shared } else { line };
        // Each has words of its own, whatever line it is in.
        line + at as u64 * 16 + word
    };
    (0..test.locations.len()).map(place).collect()
}

fn launch(
    config: &Config,
    random: &mut Xoshiro256PlusPlus,
    threads: &[Option<Seat>],
    places: &[u64],
    results: u64,
) -> Launch {
    let mut parameters: Vec<u8> = places.iter().flat_map(|place| place.to_le_bytes()).collect();
    parameters.extend(results.to_le_bytes());
    let warm: u32 = random.random();
    parameters.extend(warm.to_le_bytes());
    let longest = WAITS[random.random_range(0..WAITS.len())];
    let ctas = threads.len() as u32;
    let (grid, mut cpus) = (config.machine.gpms() * ctas, 0);
    for seat in threads {
        let wait = random.random_range(0..longest);
        let [cta, warp] = match seat {
            Some(seat) => [seat.gpm * ctas + seat.cta, seat.warp],
            None => {
                cpus += 1;
                [grid + cpus - 1, 0]
            }
        };
        for value in [cta, warp, wait] {
            parameters.extend(value.to_le_bytes());
        }
    }
    let warps = threads.iter().flatten().map(|seat| seat.warp + 1).max().unwrap_or(1);
    Launch {
        grid: [grid, 1, 1],
        cpus,
        block: [32 * warps, 1, 1],
        dynamic_shared: 0,
        parameters,
        resident: 1,
        watchdog: WATCHDOG,
        ..Launch::default()
    }
}
