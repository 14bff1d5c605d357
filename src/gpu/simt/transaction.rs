//! Transactions of a warp: where one begins, a checkpoint is taken, and lanes that abort go back to it.

use super::local::Local;
use super::problem::Problem;
use super::registers::Registers;
use super::step::Step;
use super::warp::Warp;
use crate::gpu::isa::Boundary;

/// A warp as it was where its transaction began.
#[derive(Debug)]
pub(super) struct Checkpoint {
    /// Index of the instruction that began it.
    begin: u32,
    lanes: u32,
    /// Calls above the kernel.
    depth: usize,
    registers: Registers,
    local: Local,
    carry: u32,
}

impl Warp {
    /// Lanes begin a transaction, or have come to its end.
    pub(super) fn transaction(&mut self, boundary: Boundary, lanes: u32) -> Result<Step, Problem> {
        let depth = self.calls_above_kernel();
        match (boundary, &self.checkpoint) {
            (Boundary::Begin, None) => {
                let begin = self.stack.top().map_or(0, |path| path.pc);
                let (registers, local) = (self.registers.clone(), self.local.clone());
                let carry = self.carry;
                let checkpoint = Checkpoint { begin, lanes, depth, registers, local, carry };
                self.checkpoint = Some(Box::new(checkpoint));
            }
            (Boundary::Begin, Some(_)) => return Err(Problem::InTransaction("__tx_begin")),
            (Boundary::Commit, Some(begun)) if (begun.lanes, begun.depth) == (lanes, depth) => {}
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

    /// The transaction that has come to its end is over. Lanes that aborted are taken back to its
    /// beginning and run it again; the others wait for them.
    pub fn end_transaction(&mut self, aborted: u32) {
        let Some(checkpoint) = self.checkpoint.take() else { return };
        let lanes = aborted & checkpoint.lanes;
        if lanes == 0 {
            return;
        }
        self.registers.restore(&checkpoint.registers, lanes);
        self.local.restore(&checkpoint.local, lanes);
        self.carry = self.carry & !lanes | checkpoint.carry & lanes;
        self.stack.retry(checkpoint.begin, lanes);
    }
}
