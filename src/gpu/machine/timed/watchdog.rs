//! The end of a launch that makes no progress.

use super::Run;
use crate::machine::launch::PATIENCE;
use crate::machine::{Fault, report};

impl Run<'_> {
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
