//! The end of a launch that makes no progress.

use super::Run;
use crate::machine::launch::PATIENCE;
use crate::machine::{Fault, report};

impl Run<'_> {
    /// Asks the watchdog after an instruction of a warp that has executed so many, unless the policy asks it.
    pub(super) fn watch_warp(&self, executed: u64) -> Result<(), Box<Fault>> {
        if self.defers_barriers { Ok(()) } else { self.watch(executed) }
    }

    /// Asks the watchdog at the policy's request. Whatever has come to an end since the last time has done so now, so
    /// that the answer does not depend on the order in time.
    pub(super) fn watch_now(&mut self) -> Result<(), Box<Fault>> {
        if self.progress > self.watched {
            self.progress = self.outcome.warp_instructions;
        }
        self.watched = self.outcome.warp_instructions;
        let ctas = self.cores.iter().flat_map(|core| core.ctas.iter().flatten());
        let executed = ctas.flat_map(|cta| &cta.warps).map(|(warp, _)| warp.executed());
        self.watch(executed.max().unwrap_or(0))
    }

    /// Gives up a launch in which nothing has come to an end for long.
    pub(super) fn watch(&self, executed: u64) -> Result<(), Box<Fault>> {
        let watchdog = self.watchdog;
        let idle = self.outcome.warp_instructions - self.progress;
        let reason = match () {
            () if idle > watchdog => format!(
                "no warp has ended and none has come to a barrier for {watchdog} instructions \
                 (watchdog)"
            ),
            () if executed > watchdog.saturating_mul(PATIENCE) => {
                format!("a warp has executed {executed} instructions (watchdog)")
            }
            () => return Ok(()),
        };
        Err(self.stuck(reason))
    }

    pub(super) fn stuck(&self, reason: String) -> Box<Fault> {
        let ctas = self.cores.iter().flat_map(|core| core.ctas.iter().flatten());
        report::stuck(self.image, self.work, ctas, reason)
    }
}
