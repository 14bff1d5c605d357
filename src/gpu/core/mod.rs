//! A SIMT core: what a warp may issue, and when.

mod banks;
mod decode;
mod scheduler;
mod scoreboard;
mod sleepers;

pub(super) use banks::turns;
pub(super) use decode::{Table, Unit};
pub(super) use scheduler::Scheduler;
pub(super) use scoreboard::Scoreboard;
pub(super) use sleepers::Sleepers;
