//! What the directory knows of a line, and what it does about it.

use std::collections::VecDeque;

/// The L1s that have a line: its owner, or readers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Copies {
    pub(super) owner: Option<u32>,
    /// One bit for each core.
    readers: [u128; 2],
}

impl Copies {
    pub(super) fn of_owner(core: u32) -> Self {
        Self { owner: Some(core), ..Self::default() }
    }

    pub(super) fn has(&self, core: u32) -> bool {
        self.readers[core as usize / 128] >> (core % 128) & 1 == 1
    }

    pub(super) fn add(&mut self, core: u32) {
        self.readers[core as usize / 128] |= 1 << (core % 128);
    }

    pub(super) fn are_none(&self) -> bool {
        self.owner.is_none() && self.readers == [0; 2]
    }
}

/// A request under way, or a recall to make room.
#[derive(Debug, Default)]
pub(super) struct Transaction {
    /// The core that is to get the line, and whether to itself; none for a recall.
    pub(super) wants: Option<(u32, bool)>,
    pub(super) copies: Copies,
    /// Recalls that have not been answered.
    pub(super) recalls: u32,
    /// Requests for the line that wait: cores, and whether they want it to themselves.
    pub(super) waiting: VecDeque<(u32, bool)>,
}
