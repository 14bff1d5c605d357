//! Where a warp is: what it waits for, and what of its log is still to be sent.

use std::collections::VecDeque;

use super::partition::{Access, LogItem};
use super::warp::Warp;

/// A warp, and what is on its way between it and the partitions.
pub(super) struct Place {
    /// The warp.
    pub warp: Warp,
    /// Transactions that it has still to commit, this one included.
    pub left: u64,
    /// The clock from which it does something again.
    pub awake: u64,
    /// The access whose answer it waits for.
    pub asked: Option<Access>,
    /// What has not been taken of its log, and by which partitions.
    pub log: VecDeque<(usize, LogItem)>,
    /// The transaction has ended, and another begins once the log is sent.
    pub ended: bool,
    /// The clock at which it learns that it is to halt for a roll-over.
    pub halts: Option<u64>,
    /// It runs no transaction until time begins again.
    pub halted: bool,
}

impl Place {
    /// A warp that has so many transactions to commit and does nothing before that clock.
    pub fn new(warp: Warp, left: u64, awake: u64) -> Self {
        Self {
            warp,
            left,
            awake,
            asked: None,
            log: VecDeque::new(),
            ended: false,
            halts: None,
            halted: false,
        }
    }

    /// A warp that is to halt runs nothing and has sent its log.
    pub fn has_halted(&self) -> bool {
        self.halts.is_none() && self.asked.is_none() && self.log.is_empty()
    }

    /// Runs a transaction that has not ended.
    pub fn is_running(&self) -> bool {
        self.left > 0 && !self.ended && !self.halted
    }
}
