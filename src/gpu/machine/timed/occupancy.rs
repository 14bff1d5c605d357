//! How many CTAs a core holds at a time.

use crate::gpu::config::CoreConfig;
use crate::gpu::isa::{Kernel, Program};
use crate::gpu::machine::{Launch, LaunchError};

/// Registers are given out in multiples of this.
const REGISTER_STEP: u32 = 2;

/// How a kernel fills a core.
#[derive(Debug, Clone, Copy)]
pub(super) struct Occupancy {
    pub(super) ctas: u32,
    /// Registers of a thread.
    pub(super) registers: u32,
}

/// Registers of a thread as estimated, and not more than the kernel allows: `.maxnreg`, and
/// `.minnctapersm` CTAs in a core.
fn bounded(core: &CoreConfig, program: &Program, kernel: &Kernel, warps: u32) -> u32 {
    let of_cta = warps.saturating_mul(32);
    let ctas = kernel.min_ctas.filter(|ctas| *ctas > 0);
    let fit = ctas.and_then(|ctas| core.registers.checked_div(ctas.saturating_mul(of_cta)));
    let fit = fit.map(|fit| fit / REGISTER_STEP * REGISTER_STEP);
    let most = [kernel.max_registers, fit].into_iter().flatten().min().unwrap_or(u32::MAX);
    program.live_registers(kernel).min(most)
}

/// The CTAs that fit in warps, registers, shared memory and places for CTAs.
pub(super) fn occupancy(
    core: &CoreConfig,
    program: &Program,
    kernel: &Kernel,
    launch: &Launch,
) -> Result<Occupancy, LaunchError> {
    let threads: u32 = launch.block.iter().product();
    let warps = threads.div_ceil(32);
    let registers = launch.registers.unwrap_or_else(|| bounded(core, program, kernel, warps));
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
