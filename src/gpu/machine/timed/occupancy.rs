//! How many CTAs a core holds at a time.

use crate::config::CoreConfig;
use crate::isa::Kernel;
use crate::machine::{Launch, LaunchError, Work};

/// Registers are given out in multiples of this.
const REGISTER_STEP: u32 = 2;

/// How a kernel fills a core.
#[derive(Debug, Clone, Copy)]
pub(in crate::machine) struct Occupancy {
    pub(in crate::machine) ctas: u32,
    /// Registers of a thread.
    pub(in crate::machine) registers: u32,
}

/// Registers of a thread as estimated, and not more than the kernel allows: `.maxnreg`, and so many that
/// `.minnctapersm` CTAs fit in a core; or one, of the threads that `.maxntid` or `.reqntid` tells.
fn bounded(core: &CoreConfig, kernel: &Kernel, warps: u32) -> u32 {
    let required = kernel.required_threads.map(|sides| sides.iter().product());
    let declared: Option<u32> = required.or(kernel.max_threads);
    let of_cta = declared.map_or(warps, |threads| threads.div_ceil(32)).saturating_mul(32);
    let ctas = kernel.min_ctas.filter(|ctas| *ctas > 0).or(declared.map(|_| 1));
    let fit = ctas.and_then(|ctas| core.registers.checked_div(ctas.saturating_mul(of_cta)));
    let fit = fit.map(|fit| fit / REGISTER_STEP * REGISTER_STEP);
    let most = [kernel.max_registers, fit].into_iter().flatten().min().unwrap_or(u32::MAX);
    kernel.registers.min(most)
}

/// The CTAs that a core holds, of whichever of these kernels.
pub(in crate::machine) fn shared(
    core: &CoreConfig,
    work: &[Work],
) -> Result<Occupancy, LaunchError> {
    let mut shared = Occupancy { ctas: core.ctas, registers: 0 };
    for Work { kernel, launch } in work {
        let of_one = occupancy(core, kernel, launch)?;
        shared.ctas = shared.ctas.min(of_one.ctas);
        shared.registers = shared.registers.max(of_one.registers);
    }
    Ok(shared)
}

/// The CTAs that fit in warps, registers, shared memory and places for CTAs.
fn occupancy(
    core: &CoreConfig,
    kernel: &Kernel,
    launch: &Launch,
) -> Result<Occupancy, LaunchError> {
    let threads: u32 = launch.block.iter().product();
    let warps = threads.div_ceil(32);
    let registers = launch.registers.unwrap_or_else(|| bounded(core, kernel, warps));
    let registers = registers.max(1).next_multiple_of(REGISTER_STEP);
    let shared = kernel.shared_bytes + launch.dynamic_shared;
    let mut ctas = core.ctas;
    for (what, found, most) in [
        ("warps", warps, core.warps),
        ("registers", (registers * 32).saturating_mul(warps), core.registers),
        ("bytes of shared memory", shared, core.shared_bytes),
    ] {
        if found > most {
            return Err(LaunchError::Core { what, found, most });
        }
        ctas = ctas.min(most.checked_div(found).unwrap_or(u32::MAX));
    }
    Ok(Occupancy { ctas, registers })
}
