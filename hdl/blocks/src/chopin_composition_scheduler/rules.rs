//! The rules of the scheduler: what the run-time contract and the proofs hold it to. They leave open which of
//! several pairs goes first.

use crate::kit::*;

rules! {
    SAME_GROUP "same_group":
        "a transfer starts only between two GPUs that are ready in the same composition group, whose CGID \
         it shows",
        "CHOPIN 6.4.5: (1) is ready to compose and running in the same composition group";
    EACH_PAIR_ONCE "each_pair_once":
        "of each ordered pair of GPUs one transfer starts in a group",
        "CHOPIN 6.4.5: (2) has not yet been composed with";
    ONE_RECEIVER "one_receiver":
        "a GPU sends to one other at a time",
        "CHOPIN 6.4.5: (3) is not sending pixels to another GPU";
    ONE_SENDER "one_sender":
        "a GPU receives from one other, or from the background, at a time",
        "CHOPIN table 6.1: Receiving";
    RUN_GROWS "run_grows":
        "in a transparent group a GPU composes with a neighbour of the GPUs that it has composed with",
        "CHOPIN 6.4.5: only adjacent GPUs are checked";
    BACKGROUND_LAST "background_last":
        "a GPU composes with the background once in a transparent group, after all others; never in an opaque \
         one",
        "CHOPIN 6.4.5: and, for transparent sub-images, the background";
    NONE_WITHHELD "none_withheld":
        "if a transfer may start, one is offered 3 clocks after the done or finished that allowed it",
        "README: Pipelining and latency";
    GROUPS_END "groups_end":
        "where all GPUs are ready in a group that has not ended, one of its transfers is under way or may start",
        "CHOPIN 6.4.5: This procedure is repeated until all sub-images are composed";
    ERROR_AS_DUE "error_as_due":
        "a finished that is a third, of another kind than its group's, or of no GPU, and only such a one, raises \
         error in the next clock with its code",
        "README: Ports";
    DONE_ERROR_AS_DUE "done_error_as_due":
        "a done of a transfer that is not under way, and only such a one, raises done_error in the next clock",
        "README: Ports";
}
