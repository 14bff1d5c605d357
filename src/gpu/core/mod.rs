//! A SIMT core: what a warp may issue, and when.

mod banks;
mod collectors;
mod decode;
mod front_end;
mod scheduler;
mod scoreboard;
mod sleepers;

pub(super) use banks::turns;
pub(super) use collectors::Collectors;
pub(super) use decode::{Decoded, Table, Unit};
pub(super) use front_end::{Buffer, FrontEnd, InstructionCaches};
pub(super) use scheduler::Scheduler;
pub(super) use scoreboard::{Scoreboard, WAITS};
pub(super) use sleepers::Sleepers;
