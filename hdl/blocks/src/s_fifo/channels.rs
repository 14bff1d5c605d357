//! The synchronization FIFO's channels, and their payloads as Rust values.

use std::fmt;

use super::params::Params;
use crate::kit::*;

/// The only code of `error_code`: an entry whose kind is reserved.
pub const RESERVED_KIND: u64 = 0;

codes! {
    /// What an entry is.
    pub enum Kind {
        /// A block that may be dirty in the write cache (3.1.1).
        Write,
        /// The marker of an atomic, which was forwarded at once (3.1.1).
        Atomic,
        /// A release marker: all that is ahead of it must go down first (3.1.3).
        Release,
    }
}

payload! {
    /// An entry: a payload of `enqueue` and of `dequeue`. It has no kind if the code is reserved.
    pub struct Entry(p: &Params) {
        kind: Option<Kind> [2] "0 write, 1 atomic, 2 release";
        block: u64 [p.block_bits] "of a write or atomic: the number of its block";
        wavefront: u64 [p.wavefront_bits] "of a release: the wavefront";
        needs_ack: bool [1] "of a release: the wavefront waits for its end";
    }
}

channels! { |p|
    ENQUEUE = Channel::input(
        "enqueue",
        Entry::fields(p),
        "entries, in the order in which the write cache accepted them",
    );
    DEQUEUE = Channel::output(
        "dequeue",
        Entry::fields(p),
        "the oldest entry, while the FIFO is full or has a release; what an entry does not say is zero",
    );
    ERROR = Channel::error(1, "0 reserved kind", "malformed entries; they change nothing");
}

impl Entry {
    /// A write of that block.
    pub fn write(block: u64) -> Self {
        Self { kind: Some(Kind::Write), block, wavefront: 0, needs_ack: false }
    }

    /// The marker of an atomic to that block.
    pub fn atomic(block: u64) -> Self {
        Self { kind: Some(Kind::Atomic), ..Self::write(block) }
    }

    /// A release of that wavefront.
    pub fn release(wavefront: u64, needs_ack: bool) -> Self {
        Self { kind: Some(Kind::Release), block: 0, wavefront, needs_ack }
    }

    /// Whether it is a release.
    pub fn is_release(&self) -> bool {
        self.kind == Some(Kind::Release)
    }

    /// The entry with zeros where it says nothing: what leaves.
    #[must_use]
    pub fn kept(&self) -> Self {
        match self.kind {
            Some(Kind::Release) => Self { block: 0, ..*self },
            _ => Self { wavefront: 0, needs_ack: false, ..*self },
        }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Entry { kind, block, wavefront, needs_ack } = self;
        match kind {
            Some(Kind::Write) => write!(f, "write of block 0x{block:x}"),
            Some(Kind::Atomic) => write!(f, "atomic of block 0x{block:x}"),
            Some(Kind::Release) => {
                let ack = if *needs_ack { "with" } else { "without" };
                write!(f, "release of wavefront {wavefront} {ack} answer")
            }
            None => write!(f, "entry of a reserved kind"),
        }
    }
}
