//! A warp slot of a core: a warp, what it waits for, and what of its log is still to be sent.

use std::collections::VecDeque;

use super::partition::LogItem;
use super::warp::{Asked, Warp};

/// A warp, and what is on its way between it and the partitions.
pub(super) struct Slot {
    /// The warp.
    pub warp: Warp,
    /// Transactions that each of its lanes has still to commit, this one included.
    pub left: u64,
    /// Its core lets it run transactions.
    pub admitted: bool,
    /// The clock from which it does something again.
    pub awake: u64,
    /// Accesses that no partition has taken.
    pub to_ask: VecDeque<Asked>,
    /// Those whose answers it waits for.
    pub asked: Vec<Asked>,
    /// What has not been taken of its log, for each partition.
    pub log: Vec<VecDeque<LogItem>>,
    /// Every transaction has committed or aborted; those that aborted begin again, or others begin, once
    /// the log is sent.
    pub ended: bool,
    /// The clock at which it learns that it is to halt for a roll-over.
    pub halts: Option<u64>,
    /// It runs no transaction until time begins again.
    pub halted: bool,
}

impl Slot {
    /// A warp whose lanes have so many transactions to commit, and whose log is of so many parts.
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

    /// An instruction is under way. Stores that have been taken hold up nobody but the end.
    pub fn waits_for_loads(&self) -> bool {
        !self.to_ask.is_empty() || self.asked.iter().any(|asked| !asked.access.store)
    }

    /// All of its log has been taken.
    pub fn has_sent_log(&self) -> bool {
        self.log.iter().all(VecDeque::is_empty)
    }

    /// A warp that is to halt runs nothing and has sent its log.
    pub fn has_halted(&self) -> bool {
        self.halts.is_none() && self.asked.is_empty() && self.has_sent_log()
    }

    /// Runs transactions that have not ended.
    pub fn is_running(&self) -> bool {
        self.admitted && !self.ended && !self.halted
    }

    /// Takes the next access to a granule, of so many bytes, for which the warp does not wait yet. Lanes
    /// that have aborted ask no more.
    pub fn next_to_ask(&mut self, granule_bytes: u64) -> Option<Asked> {
        self.to_ask.retain(|next| self.warp.is_running(next.lane));
        let granule = |asked: &Asked| asked.access.address / granule_bytes;
        let waits = |next: &Asked| self.asked.iter().any(|asked| granule(asked) == granule(next));
        let next = self.to_ask.iter().position(|next| !waits(next))?;
        self.to_ask.remove(next)
    }
}
