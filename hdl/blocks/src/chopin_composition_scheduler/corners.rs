//! The situations that verification of the scheduler must have met.

use super::params::Params;
use crate::kit::*;

corners! {
    CGID_WRAP "the CGID wraps to 0",
    FINISHED_WHILE_COMPOSING "finished of a GPU that is receiving or sending",
    NEXT_GROUP_ENTERED "an entry resets and a waiting finished begins the next group",
    FINISHED_AS_ENTRY_RESETS "finished of a GPU at the clock at which its entry resets",
    DONE_AND_FINISHED "done and finished in one clock",
    ALL_AT_ONCE "all GPUs are ready before the group's first transfer has ended",
    ONE_LAST "all GPUs but one have composed with each other as the last gets ready",
    TWO_GROUPS "a transfer starts while another group has one under way",
    OTHER_KIND_NEXT "a group of the other kind than the one before it",
    SOURCE_BUSY "a receiver waits for a source that is sending",
    BOTH_NEIGHBOURS "transparent: a receiver may take either neighbour of its run",
    WRAPS_BELOW "opaque: a receiver takes a GPU with a higher number",
    BACKGROUND_WHILE_SENDING "a receiver composes with the background while it sends",
    BACKGROUND_LAST "an entry resets after its background",
    SENT_LAST "an entry resets as the last receiver has its sub-image",
    START_EACH_CLOCK "starts are taken in two clocks in a row",
    ERROR_THIRD "error: a third group of one GPU",
    ERROR_KIND "error: another kind than a group that composes",
    ERROR_KIND_WAITING "error: another kind than a group that nobody composes yet",
    ERROR_NO_SUCH_GPU "error: no such GPU",
    ERROR_DONE "error: done of a receiver that is not receiving",
    ERROR_DONE_SOURCE "error: done of a receiver from another source than its own",
    ERROR_DONE_EARLY "error: done of a start that is not taken yet",
    ERROR_BOTH "finished and done are malformed in one clock",
    START_STALLED "start stalled",
}

stalled! { START_STALLED: START for 1 }

pub(super) fn reachable(p: &Params, corner: usize) -> bool {
    match corner {
        // A number that a port can say.
        ERROR_NO_SUCH_GPU => p.has_strangers(),
        // Two neighbours, or a pair beside a third GPU, be it at its background only.
        BOTH_NEIGHBOURS | ONE_LAST | SOURCE_BUSY | TWO_GROUPS => p.gpus >= 3,
        _ => true,
    }
}
