//! Runs of a litmus test.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;

use super::place::Variant;
use super::ptx::ptx;
use super::{Condition, REGISTERS, Term, Test};
use crate::gpu::PlantedError;
use crate::gpu::coherence::System;
use crate::gpu::config::Config;
use crate::gpu::isa::{self, PtxError};
use crate::gpu::machine::{Launch, LaunchError, Machine};
use crate::gpu::memory::Device;
use crate::gpu::simt::Image;

/// Bytes among which locations lie.
const ROOM: usize = 32 << 10;
/// Longest wait of a thread, in turns of a loop of three instructions.
const WAIT: u32 = 60;
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
    /// The machine does not run it.
    #[error("{test}: {error}")]
    Launch {
        /// The test.
        test: String,
        /// What the machine says.
        error: LaunchError,
    },
}

/// Runs a variant of a test many times on one machine, whose caches stay as they are in between.
///
/// # Errors
/// If the test is no PTX that the machine runs.
pub fn run(
    test: &Test,
    variant: Variant,
    config: &Config,
    system: System,
    runs: u64,
    seed: u64,
    planted: Option<PlantedError>,
) -> Result<Counts, LitmusRunError> {
    let name = || format!("{} ({variant})", test.name);
    let program = isa::load(&test.name, &ptx(test, variant.scope))
        .map_err(|error| LitmusRunError::Ptx { test: name(), error })?;
    let image = Image::new(program);
    let kernel = &image.program.kernels[0];
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut machine = Machine::new(config, system, Some(seed)).with_scopes_as_written();
    if let Some(error) = planted {
        machine.plant(error);
    }
    let mut device = Device::default();
    let room = device.allocate("locations", ROOM);
    let results = device.allocate("results", test.threads.len() * REGISTERS * 4);
    machine.load(device, &[]);
    let mut counts = Counts {
        runs,
        forbidden: vec![0; test.forbidden.len()],
        allowed: vec![0; test.allowed.len()],
    };
    for _ in 0..runs {
        let places = places(test, &mut random, room);
        for place in &places {
            let _ = machine.write(*place, &[0; 4]);
        }
        let launch = launch(test, variant, config, &mut random, &places, results);
        machine
            .run(&image, kernel, &launch)
            .map_err(|error| LitmusRunError::Launch { test: name(), error })?;
        let holds = |condition: &Condition| {
            condition.terms.iter().all(|(term, value)| {
                let address = match term {
                    Term::Location(at) => places[*at],
                    Term::Register(thread, register) => {
                        results + ((thread * REGISTERS + register) * 4) as u64
                    }
                };
                machine.device().get(address, 4) == Some(&value.to_le_bytes())
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

/// Addresses of the locations, sometimes in one line.
fn places(test: &Test, random: &mut Xoshiro256PlusPlus, room: u64) -> Vec<u64> {
    let lines = ROOM as u64 / 128;
    let shared = random.random_range(0..lines);
    let together = random.random_range(0..6) == 0;
    let place = |at: usize| {
        let line = if together { shared } else { random.random_range(0..lines) };
        // Each has words of its own, whatever line it is in.
        room + line * 128 + at as u64 * 16 + random.random_range(0..4) * 4
    };
    (0..test.locations.len()).map(place).collect()
}

fn launch(
    test: &Test,
    variant: Variant,
    config: &Config,
    random: &mut Xoshiro256PlusPlus,
    places: &[u64],
    results: u64,
) -> Launch {
    let threads = test.threads.len() as u32;
    let base = random.random_range(0..config.machine.gpms());
    let mut parameters: Vec<u8> = places.iter().flat_map(|place| place.to_le_bytes()).collect();
    parameters.extend(results.to_le_bytes());
    let warm: u32 = random.random();
    parameters.extend(warm.to_le_bytes());
    for thread in 0..threads {
        let [cta, warp] = variant.place.of(thread, threads, base, &config.machine);
        let wait = random.random_range(0..WAIT);
        for value in [cta, warp, wait] {
            parameters.extend(value.to_le_bytes());
        }
    }
    let warps = if variant.place == super::Place::SameCta { threads } else { 1 };
    Launch {
        grid: [config.machine.gpms() * threads, 1, 1],
        block: [32 * warps, 1, 1],
        dynamic_shared: 0,
        parameters,
        resident: 1,
        watchdog: WATCHDOG,
    }
}
