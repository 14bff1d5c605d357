//! The situations that verification of the synchronization FIFO must have met.

use super::params::Params;
use crate::kit::*;

corners! {
    FULL_STEADY "full: one entry in and one out in one clock, no release inside",
    FULL_DRAINS "full without a release: the oldest leaves",
    NO_ROOM "every place taken",
    RELEASE_ALONE "release into an empty FIFO",
    RELEASE_LAST "release as the entry that fills the FIFO",
    RELEASE_DRAINS "release behind writes that waited",
    RELEASES_BACK_TO_BACK "release right after a release",
    RELEASES_INSIDE "two releases inside",
    ACCEPTS_WHILE_DRAINING "write while a release is inside",
    DRAINING_ENDS "a release leaves and what came after it stays",
    DUPLICATE "a block that waits is written again",
    ATOMIC_OF_WRITTEN "atomic of a block that waits",
    WITH_ANSWER "release with an answer",
    WITHOUT_ANSWER "release without an answer",
    RESERVED "entry of a reserved kind",
    ENQUEUE_STALLED "enqueue stalled",
    DEQUEUE_STALLED "dequeue stalled",
    DEQUEUE_STALLED_LONG "dequeue stalled for 8 clocks",
}

stalled! { ENQUEUE_STALLED: ENQUEUE for 1, DEQUEUE_STALLED: DEQUEUE for 1, DEQUEUE_STALLED_LONG: DEQUEUE for 8 }

pub(super) fn reachable(_: &Params, _: usize) -> bool {
    true
}
