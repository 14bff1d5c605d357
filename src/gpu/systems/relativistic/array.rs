//! The data arrays of the banks, which obey the commands of the block.

use std::ops::Range;

use warpsmith_blocks::relativistic_l2::{ArrayOp, Command};

use super::Relativistic;
use super::message::Kind;
use super::oracle::Part;
use super::planted::{FILL_OVER_STORES, LOSE_WRITE_BACK};
use crate::config::LINE;
use crate::memory::{Bytes, Data, Shared, WHOLE, perform, write};

/// A block of the data array.
#[derive(Debug, Clone)]
pub(super) struct Block {
    line: Option<u32>,
    data: Data,
    /// Bytes that have come from DRAM or were stored.
    valid: Bytes,
    /// Bytes that DRAM does not have.
    dirty: Bytes,
    /// The host has written the line.
    is_stale: bool,
}

impl Block {
    pub const EMPTY: Self =
        Self { line: None, data: [0; LINE], valid: 0, dirty: 0, is_stale: false };

    /// Holds a line from now on.
    fn of_line(&mut self, line: u32) -> &mut Self {
        if self.line.replace(line) != Some(line) {
            (self.valid, self.dirty, self.is_stale) = (0, 0, false);
        }
        self
    }
}

impl Relativistic {
    /// A command to the data array.
    pub(super) fn access_array(&mut self, shared: &mut Shared, number: u32, command: Command) {
        let Command { op, set, way, core, tag } = command;
        let sequence = self.next_in_sequence();
        let bank = &mut self.banks[number as usize];
        let at = bank.place_of([set, way]);
        match op {
            ArrayOp::Read => {
                let data = bank.array[at].data;
                bank.reads.push_back((data, sequence));
            }
            ArrayOp::Write | ArrayOp::Atomic => {
                self.change_array(shared, number, at, [core, tag], sequence);
            }
            ArrayOp::WriteBack => {
                let Block { line, data, dirty, .. } = bank.array[at].clone();
                bank.array[at].dirty = 0;
                if let Some(line) = line.filter(|_| !self.planted.is(LOSE_WRITE_BACK)) {
                    shared.write_line(line, &data, dirty);
                }
            }
            ArrayOp::Fill => {
                let Some(line) = bank.filled.pop_front() else { return };
                let block = bank.array[at].of_line(line);
                let missing = if self.planted.is(FILL_OVER_STORES) { WHOLE } else { !block.valid };
                write(&mut block.data, &shared.line(line), missing);
                block.valid = WHOLE;
            }
        }
        self.answer_all(shared, number);
    }

    /// A store or an atomic takes effect in the data array.
    fn change_array(
        &mut self,
        shared: &mut Shared,
        number: u32,
        at: usize,
        key: [u64; 2],
        sequence: u64,
    ) {
        let bank = &mut self.banks[number as usize];
        let Some(message) = bank.waiting.remove(&key) else { return };
        let block = bank.array[at].of_line(message.line);
        let (read, written) = match message.kind {
            Kind::Atomic { access, lanes } => {
                let before = block.data;
                let access = &mut shared.accesses.get(access).access;
                let [words, stored] = perform(access, lanes, &mut block.data);
                bank.reads.push_back((before, sequence));
                (Some(Part { bytes: words, data: before }), stored)
            }
            Kind::Write { bytes } => {
                write(&mut block.data, &message.data, bytes);
                bank.stored.insert(key, sequence);
                (None, bytes)
            }
            _ => return,
        };
        block.valid |= written;
        block.dirty |= written;
        let written = Some(Part { bytes: written, data: block.data });
        if let Some(oracle) = &mut self.oracle {
            oracle.changes(key, read, written);
        }
    }

    /// Gives memory what it lacks, in no time.
    pub(super) fn write_back(&mut self, shared: &mut Shared) {
        for block in self.banks.iter_mut().flat_map(|bank| &mut bank.array) {
            if let Some(line) = block.line.filter(|_| block.dirty != 0) {
                shared.write_line(line, &block.data, block.dirty);
            }
        }
    }

    /// The host has written lines: their blocks are read from DRAM again before the next launch.
    pub(super) fn forget_blocks(&mut self, lines: &Range<u32>) {
        for block in self.banks.iter_mut().flat_map(|bank| &mut bank.array) {
            block.is_stale |= block.line.is_some_and(|line| lines.contains(&line));
        }
    }

    /// Reads blocks that the host has written from DRAM.
    pub(super) fn reload(&mut self, shared: &mut Shared) {
        for block in self.banks.iter_mut().flat_map(|bank| &mut bank.array) {
            if let Some(line) = block.line.filter(|_| std::mem::take(&mut block.is_stale)) {
                (block.data, block.dirty) = (shared.line(line), 0);
            }
        }
    }
}
