//! Where the threads of a test run.

use std::fmt;

use super::Test;
use crate::config::{Config, MachineConfig, PRESETS};
use crate::isa::Scope;
use crate::systems::System;

/// How far the threads are from each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Warps of one CTA.
    SameCta,
    /// CTAs of one GPM.
    OtherCta,
    /// GPMs of one GPU.
    OtherGpm,
    /// GPUs.
    OtherGpu,
    /// As the test says of each thread.
    AsWritten,
}

/// A test with scope and place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    /// What `$` stands for.
    pub scope: Scope,
    /// Where the threads are.
    pub place: Place,
}

impl Place {
    /// All of them, near ones first.
    pub const ALL: [Self; 5] =
        [Self::SameCta, Self::OtherCta, Self::OtherGpm, Self::OtherGpu, Self::AsWritten];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::SameCta => "same CTA",
            Self::OtherCta => "other CTA",
            Self::OtherGpm => "other GPM",
            Self::OtherGpu => "other GPU",
            Self::AsWritten => "as written",
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}, {}", scope_name(self.scope), self.place.name())
    }
}

/// A test with threads on CPUs, and a memory system or a machine without a CPU side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoCpus {
    test: String,
    system: &'static str,
    /// The memory system has a CPU side; it is the machine that has none.
    has_side: bool,
}

impl fmt::Display for NoCpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { test, system, has_side } = self;
        let listed = |names: Vec<&str>| names.join(", ");
        if !has_side {
            let have = System::ALL.into_iter().filter(|it| it.cpus).map(|it| it.name).collect();
            return write!(
                f,
                "{test} has a thread on a CPU, and the memory system {system} has no CPU side; those that have: {}",
                listed(have)
            );
        }
        let shares = |name: &&str| Config::preset(name).is_ok_and(|it| it.l3.is_some());
        let presets = PRESETS.map(|(name, _)| name).into_iter().filter(shares).collect();
        write!(
            f,
            "{test} has a thread on a CPU, and the machine has no directory shared with CPUs ([l3]); presets that \
             have: {}",
            listed(presets)
        )
    }
}

impl std::error::Error for NoCpus {}

/// A scope in PTX.
pub(super) fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Cta => "cta",
        Scope::Cluster => "cluster",
        Scope::Gpu => "gpu",
        Scope::Sys => "sys",
    }
}

/// Where a test places a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThreadPlace {
    /// On a GPU, written `gpu1.gpm0.cta2`. Threads with the same three are warps of one CTA.
    Gpu {
        /// The GPU.
        gpu: u32,
        /// The GPM of the GPU.
        gpm: u32,
        /// The CTA of the GPM.
        cta: u32,
    },
    /// On a CPU of its own, written `cpu`: outside of every GPU.
    Cpu,
}

/// Where a thread of the GPU runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seat {
    /// The GPM, by its number in the machine.
    pub(super) gpm: u32,
    /// The CTA of the GPM, and the warp of the CTA.
    pub(super) cta: u32,
    pub(super) warp: u32,
}

impl ThreadPlace {
    /// Reads `cpu`, or `gpu1.gpm0.cta2`, of which what is left out at the end is 0.
    pub(super) fn parse(text: &str, threads: u32) -> Result<Self, String> {
        if text == "cpu" {
            return Ok(Self::Cpu);
        }
        let wrong = || {
            format!(
                "{text}: accepted are places like gpu1, gpu1.gpm0 and gpu1.gpm0.cta2, with CTAs 0 \
                 to {}, and cpu",
                threads - 1
            )
        };
        let mut numbers = [0; 3];
        let mut names = ["gpu", "gpm", "cta"].into_iter().zip(&mut numbers);
        for part in text.split('.') {
            let (name, number) = names.next().ok_or_else(wrong)?;
            *number =
                part.strip_prefix(name).and_then(|text| text.parse().ok()).ok_or_else(wrong)?;
        }
        let [gpu, gpm, cta] = numbers;
        if cta < threads { Ok(Self::Gpu { gpu, gpm, cta }) } else { Err(wrong()) }
    }
}

impl Test {
    /// The scopes and places in which the threads are within the scope, as far as a machine has
    /// them. A test without scopes is run in all places; one that places its threads in that only.
    pub fn variants(&self, machine: &MachineConfig) -> Vec<Variant> {
        let scopes = match self.is_scoped {
            true => &[Scope::Cta, Scope::Gpu, Scope::Sys][..],
            false => &[Scope::Sys],
        };
        let places = match self.places[..] {
            [] => vec![
                (Place::SameCta, Scope::Cta, true),
                (Place::OtherCta, Scope::Gpu, true),
                (Place::OtherGpm, Scope::Gpu, machine.gpms_per_gpu > 1),
                (Place::OtherGpu, Scope::Sys, machine.gpus > 1),
            ],
            _ => vec![(Place::AsWritten, self.widest(), self.fits(machine))],
        };
        let within = |scope| places.iter().filter(move |place| place.1 <= scope && place.2);
        let variant = |scope| within(scope).map(move |place| Variant { scope, place: place.0 });
        scopes.iter().flat_map(|scope| variant(*scope)).collect()
    }

    /// Whether a machine has the places in which the test puts its threads.
    pub fn fits(&self, machine: &MachineConfig) -> bool {
        self.places.iter().all(|place| match *place {
            ThreadPlace::Gpu { gpu, gpm, .. } => gpu < machine.gpus && gpm < machine.gpms_per_gpu,
            ThreadPlace::Cpu => true,
        })
    }

    /// Threads on CPUs, for which a memory system needs a CPU side.
    pub fn cpus(&self) -> usize {
        self.places.iter().filter(|place| **place == ThreadPlace::Cpu).count()
    }

    /// Refuses a memory system and a machine without a CPU side for a test with threads on CPUs.
    ///
    /// # Errors
    /// What is missing, and who has it.
    pub fn check_cpus(&self, system: System, config: &Config) -> Result<(), NoCpus> {
        match self.cpus() == 0 || system.has_cpus(config) {
            true => Ok(()),
            false => {
                Err(NoCpus { test: self.name.clone(), system: system.name, has_side: system.cpus })
            }
        }
    }

    /// The narrowest scope that includes two threads in a place.
    pub fn scope_between(&self, place: Place, one: usize, other: usize) -> Scope {
        match place {
            _ if one == other => Scope::Cta,
            Place::SameCta => Scope::Cta,
            Place::OtherCta | Place::OtherGpm => Scope::Gpu,
            Place::OtherGpu => Scope::Sys,
            Place::AsWritten => {
                use ThreadPlace::Gpu;
                match (self.places[one], self.places[other]) {
                    (one @ Gpu { .. }, other) if one == other => Scope::Cta,
                    (Gpu { gpu: one, .. }, Gpu { gpu: other, .. }) if one == other => Scope::Gpu,
                    _ => Scope::Sys,
                }
            }
        }
    }

    /// The narrowest scope that includes all threads as the test places them.
    fn widest(&self) -> Scope {
        let scopes = (0..self.places.len()).map(|at| self.scope_between(Place::AsWritten, 0, at));
        scopes.max().unwrap_or(Scope::Cta)
    }
}

/// Where the threads of a test run in a place, none for a thread on a CPU; `base` shifts all. There are as many
/// CTAs in each GPM as there are threads.
pub(super) fn seats(
    test: &Test,
    place: Place,
    base: u32,
    machine: &MachineConfig,
) -> Vec<Option<Seat>> {
    let (gpms, gpus) = (machine.gpms_per_gpu, machine.gpus);
    let gpm = |gpu: u32, gpm: u32| (base / gpms + gpu) % gpus * gpms + (base + gpm) % gpms;
    let seat = |at: usize| {
        let thread = at as u32;
        Some(match place {
            Place::SameCta => Seat { gpm: gpm(0, 0), cta: 0, warp: thread },
            Place::OtherCta => Seat { gpm: gpm(0, 0), cta: thread, warp: 0 },
            Place::OtherGpm => Seat { gpm: gpm(0, thread), cta: thread, warp: 0 },
            Place::OtherGpu => Seat { gpm: gpm(thread, thread / gpus), cta: thread, warp: 0 },
            Place::AsWritten => {
                let of = test.places[at];
                let ThreadPlace::Gpu { gpu, gpm: in_gpu, cta } = of else { return None };
                let warp = test.places[..at].iter().filter(|other| **other == of).count() as u32;
                Seat { gpm: gpm(gpu, in_gpu), cta, warp }
            }
        })
    };
    (0..test.threads.len()).map(seat).collect()
}
