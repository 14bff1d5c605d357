//! Transactions of a warp: where one begins, a checkpoint is taken, and lanes that abort go back to it.
//!
//! The SIMT stack is that of Kilo TM, as GETM uses it (4.5.1): the lanes of a transaction run on an
//! entry of their own, and the entry below, which all of them wait on, is where those that abort
//! begin again.

use super::local::Local;
use super::problem::Problem;
use super::registers::Registers;
use super::step::Step;
use super::warp::Warp;
use crate::isa::Boundary;

/// A warp as it was where its transaction began.
#[derive(Debug)]
pub(super) struct Checkpoint {
    /// Index of the instruction that began it.
    begin: u32,
    lanes: u32,
    /// Lanes that are told to abort: they run no further.
    aborted: u32,
    /// Calls above the kernel.
    pub(super) depth: u32,
    /// Paths below that of the transaction.
    below: usize,
    registers: Registers,
    local: Local,
    carry: u32,
}

impl Warp {
    /// Lanes begin a transaction, or have come to its end.
    pub(super) fn transaction(&mut self, boundary: Boundary, lanes: u32) -> Result<Step, Problem> {
        let depth = self.depth();
        match (boundary, &self.checkpoint) {
            (Boundary::Begin, None) => {
                let Some(path) = self.stack.top().filter(|path| path.mask == lanes) else {
                    return Err(Problem::BegunByPart);
                };
                let begin = path.pc;
                let below = self.stack.begin_transaction();
                let (registers, local) = (self.registers.clone(), self.local.clone());
                let (carry, aborted) = (self.carry, 0);
                let checkpoint =
                    Checkpoint { begin, lanes, aborted, depth, below, registers, local, carry };
                self.checkpoint = Some(Box::new(checkpoint));
            }
            (Boundary::Begin, Some(_)) => return Err(Problem::InTransaction("__tx_begin")),
            (Boundary::Commit, Some(begun))
                if (begun.lanes & !begun.aborted, begun.depth) == (lanes, depth)
                    && self.stack.is_above(begun.below) => {}
            (Boundary::Commit, _) => return Err(Problem::NotBegun),
        }
        Ok(Step::Transaction(boundary, lanes))
    }

    /// What cannot be done within a transaction is refused.
    pub(super) fn refuse_in_transaction(&self, what: &'static str) -> Result<(), Problem> {
        match self.checkpoint {
            Some(_) => Err(Problem::InTransaction(what)),
            None => Ok(()),
        }
    }

    /// Lanes of the transaction are told to abort, and run no further; gives whether none is left.
    /// Then the transaction is at its end.
    pub fn abort(&mut self, lanes: u32) -> bool {
        let Some(checkpoint) = &mut self.checkpoint else { return false };
        checkpoint.aborted |= lanes & checkpoint.lanes;
        let (aborted, all, below) = (checkpoint.aborted, checkpoint.lanes, checkpoint.below);
        if self.left != 0 {
            self.left &= !aborted;
            if self.left == 0 {
                self.advance();
            }
        }
        self.stack.drop_lanes(below, aborted);
        self.select_window();
        aborted == all
    }

    /// The transaction that has come to its end is over. Lanes that aborted are taken back to its
    /// beginning and run it again; the others wait for them. Lanes that are to keep their
    /// registers, by an error that is planted, do.
    pub fn end_transaction(&mut self, aborted: u32, keeps_registers: bool) {
        let Some(checkpoint) = self.checkpoint.take() else { return };
        let lanes = (aborted | checkpoint.aborted) & checkpoint.lanes;
        if lanes != 0 {
            if !keeps_registers {
                self.registers.restore(&checkpoint.registers, lanes);
            }
            self.local.restore(&checkpoint.local, lanes);
            self.carry = self.carry & !lanes | checkpoint.carry & lanes;
        }
        self.stack.end_transaction(checkpoint.begin, lanes, checkpoint.below);
        self.select_window();
    }
}
