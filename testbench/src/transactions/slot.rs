//! A warp slot of a core: a warp, what it waits for, and the rest of its log.

use std::collections::VecDeque;

use super::partition::LogItem;
use super::warp::{Asked, Warp};

/// A warp with its traffic to and from the partitions.
pub(super) struct Slot {
    /// The warp.
    pub warp: Warp,
    /// Remaining transactions of each lane, the current one included.
    pub left: u64,
    /// Whether its core admits it.
    pub admitted: bool,
    /// The clock at which it is active again.
    pub awake: u64,
    /// Accesses that no partition has accepted.
    pub to_ask: VecDeque<Asked>,
    /// Accesses without a response yet.
    pub asked: Vec<Asked>,
    /// The unsent log for each partition.
    pub log: Vec<VecDeque<LogItem>>,
    /// Whether every transaction has committed or aborted; once the log is sent, aborted ones restart or
    /// others begin.
    pub ended: bool,
    /// The clock at which it learns of a halt for a roll-over.
    pub halts: Option<u64>,
    /// Whether it stays halted until time begins again.
    pub halted: bool,
}

impl Slot {
    /// A slot whose lanes have `left` transactions to commit, with a log in `partitions` parts.
    pub fn new(warp: Warp, left: u64, partitions: usize) -> Self {
        Self {
            warp,
            left,
            admitted: false,
            awake: 0,
            to_ask: VecDeque::new(),
            asked: Vec::new(),
            log: vec![VecDeque::new(); partitions],
            ended: false,
            halts: None,
            halted: false,
        }
    }

    /// Whether an instruction is in flight. Accepted stores delay only the end.
    pub fn waits_for_loads(&self) -> bool {
        !self.to_ask.is_empty() || self.asked.iter().any(|asked| !asked.access.store)
    }

    /// Whether all of its log was accepted.
    pub fn has_sent_log(&self) -> bool {
        self.log.iter().all(VecDeque::is_empty)
    }

    /// Whether a halting warp runs nothing and has sent its log.
    pub fn has_halted(&self) -> bool {
        self.halts.is_none() && self.asked.is_empty() && self.has_sent_log()
    }

    /// Whether it has unfinished transactions.
    pub fn is_running(&self) -> bool {
        self.admitted && !self.ended && !self.halted
    }

    /// Removes the next access to a granule without an outstanding one. Aborted lanes issue no more.
    pub fn next_to_ask(&mut self, granule_bytes: u64) -> Option<Asked> {
        self.to_ask.retain(|next| self.warp.is_running(next.lane));
        let granule = |asked: &Asked| asked.access.address / granule_bytes;
        let waits = |next: &Asked| self.asked.iter().any(|asked| granule(asked) == granule(next));
        let next = self.to_ask.iter().position(|next| !waits(next))?;
        self.to_ask.remove(next)
    }
}
