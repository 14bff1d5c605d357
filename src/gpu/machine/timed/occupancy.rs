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

/// The CTAs that fit in warps, registers, shared memory and places for CTAs.
pub(super) fn occupancy(
    core: &CoreConfig,
    program: &Program,
    kernel: &Kernel,
    launch: &Launch,
) -> Result<Occupancy, LaunchError> {
    let threads: u32 = launch.block.iter().product();
    let warps = threads.div_ceil(32);
    let registers = program.live_registers(kernel).next_multiple_of(REGISTER_STEP);
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
