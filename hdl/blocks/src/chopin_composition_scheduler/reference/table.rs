//! The table of figure 6.10, and what happens to it.

use std::fmt;

use crate::chopin_composition_scheduler::channels::{Finished, Misuse, Start, Transfer};
use crate::chopin_composition_scheduler::corners;
use crate::chopin_composition_scheduler::exercise;
use crate::chopin_composition_scheduler::params::Params;
use crate::kit::*;

/// A row of the table (table 6.1): what is known of a GPU.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    cgid_bits: u32,
    /// Groups that the GPU has begun.
    group: u64,
    /// It has finished its sub-image of that group, and composes it.
    pub ready: bool,
    /// Kind of that group.
    pub transparent: bool,
    /// Whose sub-image it receives: its own number stands for the background.
    pub receiving: Option<usize>,
    /// It sends its sub-image.
    pub sending: bool,
    /// To whom its sub-image was sent: a bit a GPU.
    pub sent: u64,
    /// Whose sub-images it has composed with its own, its own bit for the background: a bit a GPU.
    pub received: u64,
    /// It has finished the next group too, of that kind.
    pub waiting: Option<bool>,
}

impl Row {
    /// The number of the composition group.
    pub fn cgid(&self) -> u64 {
        self.group % (1 << self.cgid_bits)
    }

    fn has_received(&self, src: usize) -> bool {
        self.received >> src & 1 == 1
    }

    fn begin(&mut self, transparent: bool, corners: &mut Corners) {
        self.group += 1;
        corners.count(corners::CGID_WRAP, self.cgid() == 0);
        let is_first = self.group == 1;
        corners.count(corners::OTHER_KIND_NEXT, !is_first && self.transparent != transparent);
        self.transparent = transparent;
        self.ready = true;
    }
}

/// The table.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub rows: Vec<Row>,
    /// The receiver of the last start.
    last: usize,
}

impl Table {
    pub fn new(p: &Params) -> Self {
        let rows = vec![Row { cgid_bits: p.cgid_bits, ..Row::default() }; p.gpus as usize];
        Self { last: rows.len() - 1, rows }
    }

    /// All GPUs but one.
    fn others(&self, gpu: usize) -> u64 {
        u64::MAX >> (64 - self.rows.len()) & !(1 << gpu)
    }

    pub fn finished(&mut self, finished: Finished, corners: &mut Corners) -> Result<(), Misuse> {
        let Finished { gpu, transparent } = finished;
        let gpu = gpu as usize;
        let Some(row) = self.rows.get(gpu) else {
            corners.hit(corners::ERROR_NO_SUCH_GPU);
            return Err(Misuse::NoSuchGpu);
        };
        if row.waiting.is_some() {
            corners.hit(corners::ERROR_THIRD);
            return Err(Misuse::Third);
        }
        let group = row.group + 1;
        for other in &self.rows {
            let composes = other.ready && other.group == group && other.transparent != transparent;
            let waits = other.group + 1 == group && other.waiting == Some(!transparent);
            if composes || waits {
                let corner =
                    if composes { corners::ERROR_KIND } else { corners::ERROR_KIND_WAITING };
                corners.hit(corner);
                return Err(Misuse::OtherKind);
            }
        }
        let is_busy = row.receiving.is_some() || row.sending;
        corners.count(corners::FINISHED_WHILE_COMPOSING, is_busy);
        let row = &mut self.rows[gpu];
        match row.ready {
            true => row.waiting = Some(transparent),
            false => {
                row.begin(transparent, corners);
                self.count_ready(gpu, corners);
            }
        }
        Ok(())
    }

    /// Whether that transfer was under way, and has ended now.
    pub fn done(&mut self, Transfer { src, dst }: Transfer, corners: &mut Corners) -> bool {
        let (src, dst) = (src as usize, dst as usize);
        if self.rows.get(dst).is_none_or(|row| row.receiving != Some(src)) {
            return false;
        }
        self.rows[dst].receiving = None;
        self.rows[dst].received |= 1 << src;
        if src != dst {
            self.rows[src].sending = false;
            self.rows[src].sent |= 1 << dst;
            if self.end_if_complete(src, corners) {
                corners.hit(corners::SENT_LAST);
            }
        }
        if self.end_if_complete(dst, corners) {
            corners.count(corners::BACKGROUND_LAST, src == dst);
        }
        true
    }

    /// Resets the row of a GPU that has composed with all others, and begins its next group.
    fn end_if_complete(&mut self, gpu: usize, corners: &mut Corners) -> bool {
        let others = self.others(gpu);
        let row = &mut self.rows[gpu];
        let due = if row.transparent { others | 1 << gpu } else { others };
        let is_complete = row.sent == others && row.received == due;
        if is_complete {
            (row.sent, row.received, row.ready) = (0, 0, false);
            if let Some(transparent) = row.waiting.take() {
                corners.hit(corners::NEXT_GROUP_ENTERED);
                row.begin(transparent, corners);
            }
        }
        is_complete
    }

    /// Whether a transfer may start.
    pub fn may_start(&self, src: usize, dst: usize) -> bool {
        let (Some(from), Some(to)) = (self.rows.get(src), self.rows.get(dst)) else { return false };
        let is_due = to.ready && to.receiving.is_none() && !to.has_received(src);
        if src == dst {
            return is_due && to.transparent && to.received == self.others(dst);
        }
        let together = from.ready && from.group == to.group && !from.sending;
        let mut between = src.min(dst) + 1..src.max(dst);
        is_due && together && (!to.transparent || between.all(|gpu| to.has_received(gpu)))
    }

    /// The start that goes first: receivers take turns, and each prefers the source that is the fewest
    /// numbers below it.
    pub fn preferred(&self) -> Option<Start> {
        let count = self.rows.len();
        let receivers = (1..=count).map(|turn| (self.last + turn) % count);
        let pairs = receivers
            .flat_map(|dst| (0..count).map(move |below| ((dst + count - below) % count, dst)));
        let mut allowed = pairs.filter(|&(src, dst)| self.may_start(src, dst));
        allowed.next().map(|(src, dst)| {
            let cgid = self.rows[dst].cgid();
            Start { src: src as u64, dst: dst as u64, cgid }
        })
    }

    pub fn start(&mut self, start: &Start) {
        let (src, dst) = (start.src as usize, start.dst as usize);
        self.rows[dst].receiving = Some(src);
        self.rows[src].sending |= src != dst;
        self.last = dst;
    }

    fn count_ready(&self, last: usize, corners: &mut Corners) {
        let group = self.rows[last].group;
        if !self.rows.iter().all(|row| row.ready && row.group == group) {
            return;
        }
        let none_ended = self.rows.iter().all(|row| row.received == 0);
        corners.count(corners::ALL_AT_ONCE, none_ended);
        let mut others = self.rows.iter().enumerate().filter(|(gpu, _)| *gpu != last);
        let composed = |(gpu, row): (usize, &Row)| {
            row.received == self.others(gpu) & !(1 << last) && row.sent == row.received
        };
        corners.count(corners::ONE_LAST, others.all(composed));
    }

    pub fn count_start(&self, start: &Start, corners: &mut Corners) {
        let (src, dst) = (start.src as usize, start.dst as usize);
        let to = &self.rows[dst];
        corners.read(exercise::CGIDS, dst, start.cgid);
        corners.count(corners::BACKGROUND_WHILE_SENDING, src == dst && to.sending);
        let other_group = |row: &Row| row.receiving.is_some() && row.group != to.group;
        corners.count(corners::TWO_GROUPS, self.rows.iter().any(other_group));
        corners.count(corners::WRAPS_BELOW, !to.transparent && src > dst);
        let neighbours = (0..self.rows.len()).filter(|&other| self.may_start(other, dst)).count();
        corners.count(corners::BOTH_NEIGHBOURS, to.transparent && neighbours == 2);
        let waits = |gpu: usize| gpu != dst && src != dst && self.may_start(src, gpu);
        corners.count(corners::SOURCE_BUSY, (0..self.rows.len()).any(waits));
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = |transparent| if transparent { "transparent" } else { "opaque" };
        match self.ready {
            true => write!(f, "{} group {}", kind(self.transparent), self.cgid())?,
            false => write!(f, "not ready, last group {}", self.cgid())?,
        }
        if let Some(src) = self.receiving {
            write!(f, ", receives from {src}")?;
        }
        let sends = if self.sending { ", sends" } else { "" };
        write!(f, "{sends}, received 0b{:b}, sent 0b{:b}", self.received, self.sent)?;
        self.waiting.map_or(Ok(()), |next| write!(f, ", has finished the next, {}", kind(next)))
    }
}
