//! Requests that memory without time answers.

use crate::memory::Flat;
use crate::simt::{Access, Problem, Warnings, Warp};

/// Answers a request. Lanes whose addresses nothing has are left out, if checks are lenient.
#[inline]
pub(super) fn answer(
    flat: &mut Flat,
    warnings: Option<&Warnings>,
    cta: usize,
    warp: &mut Warp,
    access: &mut Access,
) -> Result<(), (usize, Problem)> {
    let Err((lane, problem)) = flat.access(cta, access) else { return Ok(()) };
    let lanes = flat.outside(cta, access);
    let Some(warnings) = warnings.filter(|_| lanes != 0) else { return Err((lane, problem)) };
    warnings.pass(access.pc, warp.identity, Some(lane), problem, lanes.count_ones());
    warp.leave_out(access, lanes);
    flat.access(cta, access)
}

/// Does what asynchronous copies of a warp have made due, and tells of it. On a problem, the instruction and the lane.
pub(super) fn settle(
    flat: &mut Flat,
    warnings: Option<&Warnings>,
    cta: usize,
    warp: &mut Warp,
    mut seen: impl FnMut(&mut Flat, &Access),
) -> Result<(), (u32, usize, Problem)> {
    for mut access in warp.due() {
        answer(flat, warnings, cta, warp, &mut access)
            .map_err(|(lane, problem)| (access.pc, lane, problem))?;
        seen(flat, &access);
    }
    Ok(())
}
