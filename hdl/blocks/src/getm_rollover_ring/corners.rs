//! The situations that verification of a station must have met.

use super::Params;
use crate::kit::*;

corners! {
    BY_ITSELF "the unit stops by itself",
    TOLD "a stop tells the unit to stop",
    BEFORE_ORDER "the unit stops before it has taken the order to",
    RETURNS "its own stop returns",
    LOWER "stop of a lower number at a unit whose own is out",
    HIGHER "stop of a higher number at a unit whose own is out",
    SECOND "second stop at a unit that has stopped",
    DRAINED_EARLY "the commit unit is drained before the go comes",
    DRAINED_WITH "the commit unit is drained in the clock of the go",
    TWO_OUT "two messages wait to leave",
    FOREIGN "message of a unit that is not on the ring",
    EXCLUDED "message that the protocol excludes",
    NOT_ROLLED "rolled that is not due",
    NOT_HALTED "halted that is not due",
    LINE_IN_STALLED "line_in stalled",
    LINE_OUT_STALLED "line_out stalled",
    LINE_OUT_STALLED_LONG "line_out stalled for 8 clocks",
    ROLL_STALLED "roll stalled",
    HALT_STALLED "halt stalled",
    RESUME_STALLED "resume stalled",
}

stalled! {
    LINE_IN_STALLED: LINE_IN for 1,
    LINE_OUT_STALLED: LINE_OUT for 1,
    LINE_OUT_STALLED_LONG: LINE_OUT for 8,
    ROLL_STALLED: ROLL for 1,
    HALT_STALLED: HALT for 1,
    RESUME_STALLED: RESUME for 1,
}

pub(super) fn reachable(p: &Params, corner: usize) -> bool {
    corner != FOREIGN || !p.units.is_power_of_two()
}
