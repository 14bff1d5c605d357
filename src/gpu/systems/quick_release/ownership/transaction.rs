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

/// Who wants a line.
#[derive(Debug, Clone, Copy)]
pub(super) enum Wants {
    /// A core: to itself, if it stores.
    Core { core: u32, owned: bool },
    /// The directory of the CPUs, for an access: copies may stay if it is a load.
    Probe { access: u32, stays: bool },
}

/// A request under way, or a recall to make room.
#[derive(Debug, Default)]
pub(super) struct Transaction {
    /// None for a recall.
    pub(super) wants: Option<Wants>,
    pub(super) copies: Copies,
    /// Recalls that have not been answered.
    pub(super) recalls: u32,
    /// Requests for the line that wait.
    pub(super) waiting: VecDeque<Wants>,
}
