//! The scheduler's channels, and their payloads as Rust values.

use std::fmt;

use super::params::Params;
use crate::kit::*;

/// The only code of `done_error_code`: no such transfer is under way.
pub(super) const NEVER_STARTED: u64 = 0;

codes! {
    /// Why a `finished` is malformed: the code of `error`.
    pub enum Misuse {
        /// The GPU composes a group, and has finished the next one already.
        Third,
        /// Another GPU has finished the same group as one of the other kind.
        OtherKind,
        /// There is no such GPU.
        NoSuchGpu,
    }
}

payload! {
    /// A GPU has generated its sub-image: a payload of `finished`.
    pub struct Finished(p: &Params) {
        gpu: u64 [p.gpu_bits()] "number of the GPU";
        transparent: bool [1] "1 the group's objects are transparent, 0 opaque";
    }

    /// A transfer has ended: a payload of `done`.
    pub struct Transfer(p: &Params) {
        src: u64 [p.gpu_bits()] "GPU that sends its sub-image; dst itself: the background";
        dst: u64 [p.gpu_bits()] "GPU that composes it with its own";
    }

    /// A transfer is to start: a payload of `start`.
    pub struct Start(p: &Params) {
        src: u64 [p.gpu_bits()] "GPU that sends its sub-image; dst itself: the background";
        dst: u64 [p.gpu_bits()] "GPU that composes it with its own";
        cgid: u64 [p.cgid_bits] "number of the composition group";
    }
}

channels! { |p|
    FINISHED =
        Channel::input("finished", Finished::fields(p), "GPUs that are ready to compose").valid_only();
    DONE = Channel::input("done", Transfer::fields(p), "transfers that have ended").valid_only();
    START = Channel::output("start", Start::fields(p), "transfers that are to start");
    ERROR = Channel::error(
        2,
        "0 a third group of one GPU, 1 a kind that is not its group's, 2 no such GPU",
        "malformed `finished`; they change nothing",
    );
    DONE_ERROR = Channel::output(
        "done_error",
        Fields::new().with("code", 1, "0 no such transfer is under way"),
        "malformed `done`; they change nothing",
    )
    .valid_only();
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Start { src, dst, cgid } = self;
        match src == dst {
            true => write!(f, "the background to {dst} in group {cgid}"),
            false => write!(f, "{src} to {dst} in group {cgid}"),
        }
    }
}
