//! How a kernel is launched, and which launches the machine takes.

use std::sync::Arc;

use super::fault::Fault;
use crate::config::UnitsConfig;
use crate::isa::{Instruction, Kernel, Operation, Program};
use crate::memory::System;
use crate::simt::{Identity, Warnings};
use crate::texture::Objects;

/// Most threads of a CTA.
const MOST_THREADS: u64 = 1024;
/// Most CTAs of a grid, along each axis.
const MOST_CTAS: [u32; 3] = [i32::MAX as u32, 65_535, 65_535];

/// Most shared memory of a CTA: that of the GPUs for which clang compiles.
const MOST_SHARED: u64 = 96 << 10;

/// What the watchdog allows a single warp, in all; it may come to barriers for ever.
pub const PATIENCE: u64 = 10;

/// What a run does where a kernel does something undefined that GPUs let pass: an access beside all
/// buffers, or an instruction of lanes together that names lanes which are elsewhere.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Checks {
    /// The kernel is stopped.
    #[default]
    Strict,
    /// A warning for each place in the source, with a count. Such loads give 0, stores do nothing, and
    /// lanes that are elsewhere are left out.
    Lenient,
    /// As strict, and the functional machine looks for data races: a warning for each pair of places in the source.
    Races,
    /// As strict, and the functional machine looks for wrong uses of memory: a warning for each place in the source.
    Memory,
}

impl Checks {
    /// Whether its warnings, other than of equal values, are failures.
    pub fn fails(self) -> bool {
        matches!(self, Self::Races | Self::Memory)
    }

    /// What takes the warnings, if there are any.
    pub(super) fn warnings(self) -> Option<Warnings> {
        (self == Self::Lenient).then(Warnings::default)
    }
}

/// How lanes of a warp that have diverged take turns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Divergence {
    /// Lanes that turn in a loop for long give way to the others, as PTX promises for `sm_70` and later: a lane may
    /// wait for another lane's store.
    #[default]
    Fair,
    /// One path runs to its end, as on hardware before that.
    Stack,
}

/// How a kernel is launched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Launch {
    /// CTAs along each axis.
    pub grid: [u32; 3],
    /// Threads of a CTA along each axis.
    pub block: [u32; 3],
    /// CTAs of a cluster along each axis, where the kernel does not say it.
    pub cluster: Option<[u32; 3]>,
    /// Bytes of shared memory beyond what the kernel declares.
    pub dynamic_shared: u32,
    /// Contents of the parameter space.
    pub parameters: Vec<u8>,
    /// Textures and surfaces.
    pub objects: Arc<Objects>,
    /// CTAs that run at the same time.
    pub resident: u32,
    /// Warp instructions after which a launch is given up in which no warp has ended and none has
    /// come to a barrier. A single warp may execute [`PATIENCE`] times as many in all.
    pub watchdog: u64,
    /// What stops the kernel.
    pub checks: Checks,
    /// How diverged lanes take turns.
    pub divergence: Divergence,
    /// 32-bit registers of a thread; estimated from the kernel if not given.
    pub registers: Option<u32>,
    /// Address of the workspace of cooperative groups: 8 bytes that are zero before the first launch.
    pub workspace: u64,
    /// Whether the outcome has a digest of registers at exit.
    pub digest: bool,
    /// CPUs that run the kernel beside the grid: each is one thread, in a CTA behind those of the grid. Only the
    /// timed machine has any.
    pub cpus: u32,
}

impl Launch {
    /// What the warps of a CTA are, and on which of how many cores.
    pub(super) fn identity(&self, cta: [u32; 3], core: [u32; 2]) -> Identity {
        let Self { block, grid, dynamic_shared, workspace, divergence, .. } = *self;
        let is_stubborn = divergence == Divergence::Stack;
        let of_launch = Identity { block, grid, dynamic_shared, workspace, ..Identity::default() };
        Identity { cta, core, is_stubborn, ..of_launch }
    }

    /// CTAs of the grid.
    pub fn ctas(&self) -> u64 {
        self.grid.iter().map(|side| u64::from(*side)).product()
    }
}

/// A kernel and its launch.
#[derive(Debug, Clone, Copy)]
pub struct Work<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The launch.
    pub launch: &'a Launch,
}

/// A launch that the machine refuses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// A dimension is zero, or too great.
    #[error("{what} {found:?}: 1 to {most:?} are accepted")]
    Size {
        /// What is counted.
        what: &'static str,
        /// The requested value.
        found: [u32; 3],
        /// What is accepted along each axis.
        most: [u32; 3],
    },
    /// Clusters that the kernel or the grid does not take.
    #[error("clusters of {cluster:?} CTAs: {wanted}")]
    Clusters {
        /// CTAs along each axis.
        cluster: [u32; 3],
        /// What is accepted.
        wanted: String,
    },
    /// Work that only the functional machine does.
    #[error("{0}: only the functional machine does it: use --timing off")]
    NotTimed(String),
    /// Too many threads.
    #[error("{found} threads in a CTA: {most} are accepted")]
    Threads {
        /// The requested value.
        found: u64,
        /// What is accepted.
        most: u64,
    },
    /// The kernel wants another shape.
    #[error("CTAs of {found:?} threads: the kernel requires {wanted:?} (.reqntid)")]
    Required {
        /// The requested value.
        found: [u32; 3],
        /// What the kernel requires.
        wanted: [u32; 3],
    },
    /// Parameters of the wrong size.
    #[error("{found} bytes of parameters: the kernel takes {wanted}")]
    Parameters {
        /// What was given.
        found: usize,
        /// What the kernel takes.
        wanted: u32,
    },
    /// Too much shared memory.
    #[error("{found} bytes of shared memory in a CTA: {most} are accepted")]
    Shared {
        /// The requested value.
        found: u64,
        /// What is accepted.
        most: u64,
    },
    /// A CTA needs more than a core has.
    #[error("{found} {what} in a CTA: a core has {most}")]
    Core {
        /// What is counted.
        what: &'static str,
        /// What the launch needs.
        found: u32,
        /// What there is.
        most: u32,
    },
    /// Instructions for which the machine has no unit.
    #[error(
        "{file}:{line}: this machine has no tensor cores: use --timing off, or a machine with `matrix` in [units], \
         such as hmg_4x4"
    )]
    NoTensorCores {
        /// The module.
        file: String,
        /// Line of the first of them.
        line: u32,
    },
    /// An instruction that the memory system does not take.
    #[error("{file}:{line}: the memory system `{system}` does not take {what}")]
    NotTaken {
        /// The module.
        file: String,
        /// Line of the first of them.
        line: u32,
        /// The instruction.
        what: &'static str,
        /// The system.
        system: &'static str,
    },
    /// CPUs on a machine that has none.
    #[error(
        "a launch with {0} CPUs: only the timed machine has them, with a memory system and a preset that have a CPU side"
    )]
    Cpus(u32),
    /// RTL in the place of a block differs from its reference.
    #[error("mismatch while kernel {kernel} runs: {mismatch}")]
    Mismatch {
        /// The kernel.
        kernel: String,
        /// The difference.
        mismatch: String,
    },
    /// The kernel was stopped.
    #[error(transparent)]
    Fault(#[from] Box<Fault>),
}

/// Refuses launches that are larger than the machine, or that the kernel does not take.
pub(super) fn check(kernel: &Kernel, launch: &Launch) -> Result<(), LaunchError> {
    let Launch { grid, block, .. } = *launch;
    let sized = |what, found: [u32; 3], most: [u32; 3]| {
        let fits = found.iter().zip(most).all(|(found, most)| (1..=most).contains(found));
        if fits { Ok(()) } else { Err(LaunchError::Size { what, found, most }) }
    };
    sized("CTAs", grid, MOST_CTAS)?;
    sized("threads in a CTA", block, [1024, 1024, 64])?;
    super::cluster::check(kernel, launch)?;
    let found = block.iter().map(|side| u64::from(*side)).product();
    let most = kernel.max_threads.map_or(MOST_THREADS, |most| MOST_THREADS.min(most.into()));
    if found > most {
        return Err(LaunchError::Threads { found, most });
    }
    if let Some(wanted) = kernel.required_threads.filter(|wanted| *wanted != block) {
        return Err(LaunchError::Required { found: block, wanted });
    }
    let found = u64::from(kernel.shared_bytes) + u64::from(launch.dynamic_shared);
    if found > MOST_SHARED {
        return Err(LaunchError::Shared { found, most: MOST_SHARED });
    }
    let (found, wanted) = (launch.parameters.len(), kernel.parameter_bytes);
    match found == wanted as usize {
        true => Ok(()),
        false => Err(LaunchError::Parameters { found, wanted }),
    }
}

/// Where the CTA of that number stands in the grid.
pub(super) fn place_of_cta(number: u64, grid: [u32; 3]) -> [u32; 3] {
    let [x, y] = [grid[0], grid[1]].map(u64::from);
    [number % x, number / x % y, number / x / y].map(|at| at as u32)
}

/// Refuses instructions that the memory system does not take.
pub(super) fn check_system(system: &System, program: &Program) -> Result<(), LaunchError> {
    for (at, instruction) in program.code.iter().enumerate() {
        if let Some(what) = (system.refuses)(&instruction.operation) {
            let (file, line) = (program.file.clone(), program.lines[at]);
            return Err(LaunchError::NotTaken { file, line, what, system: system.name });
        }
    }
    Ok(())
}

/// Refuses instructions that the machine has no units for.
pub(super) fn check_units(units: &UnitsConfig, program: &Program) -> Result<(), LaunchError> {
    let is_matrix = |it: &Instruction| matches!(it.operation, Operation::Matrix(_));
    match program.code.iter().position(is_matrix).filter(|_| units.matrix.is_none()) {
        Some(at) => {
            Err(LaunchError::NoTensorCores { file: program.file.clone(), line: program.lines[at] })
        }
        None => Ok(()),
    }
}
