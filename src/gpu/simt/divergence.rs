//! Lanes of a warp at different places take turns.

use super::problem::Problem;
use super::step::Step;
use super::warp::{Surroundings, Warp};
use crate::isa::Operation;

/// Turns in loops after which diverged lanes give way to the others of the warp.
const PATIENCE: u32 = 1 << 14;

/// The same for a loop that polls.
const POLLS: u32 = 256;

impl Warp {
    /// Lanes branch. After many turns of a loop they give way to the others, for which they may wait.
    #[inline]
    pub(super) fn branch(&mut self, taken: u32, target: u32, reconverge: u32) {
        // Those that do not take it execute it, too.
        self.lanes_executed += u64::from((self.stack.running() & !taken).count_ones());
        let is_backwards = self.stack.top().is_some_and(|path| target <= path.pc);
        if self.stack.branch(taken, target, reconverge) {
            self.follow();
        }
        if !is_backwards {
            return;
        }
        let turns = if std::mem::take(&mut self.accessed).polls() { PATIENCE / POLLS } else { 1 };
        self.turns = if self.stack.is_diverged() { self.turns + turns } else { 0 };
        if self.turns >= PATIENCE {
            self.give_way();
        }
    }

    /// Lets the other lanes go on, if there are any and the hardware can.
    pub(super) fn give_way(&mut self) {
        self.turns = 0;
        if !self.identity.is_stubborn && self.checkpoint.is_none() {
            self.stack.give_way();
            self.follow();
        }
    }

    /// Lanes whose instruction names others execute it with those that have come to one like it, or wait, or in a lenient
    /// run do without.
    #[cold]
    pub(super) fn without_others(
        &mut self,
        operation: &Operation,
        mask: u32,
        around: Surroundings,
        problem: Problem,
    ) -> Result<Step, (Option<usize>, Problem)> {
        if self.meet(operation, mask, around.image) {
            self.advance();
        } else if !self.set_aside(mask) {
            if around.warnings.is_none() {
                return Err((None, problem));
            }
            self.compute(operation, mask, around).map_err(|problem| (None, problem))?;
            self.advance();
        }
        Ok(Step::Done)
    }

    /// The lanes wait for others, and execute the instruction with them, or when those have left; gives whether they can.
    pub(super) fn set_aside(&mut self, mask: u32) -> bool {
        let can = self.checkpoint.is_none() && (self.stack.set_aside() || self.let_others_try());
        if can {
            self.follow();
            // The instruction is executed later.
            self.executed -= 1;
            self.lanes_executed -= u64::from(mask.count_ones());
        }
        can
    }

    /// Where all lanes wait, each group tries once: some may wait no more, for others have left.
    fn let_others_try(&mut self) -> bool {
        let (before, at) = self.tried;
        let before = if at == self.executed { before } else { 0 };
        let tried = before | self.stack.running();
        self.tried = (tried, self.executed);
        self.stack.let_others_try(tried)
    }

    /// Goes on with the instruction after.
    #[inline]
    pub(super) fn advance(&mut self) {
        if self.stack.advance() {
            self.follow();
        }
    }

    /// Uses the registers of the frame that runs.
    pub(super) fn follow(&mut self) {
        self.registers.window = self.stack.frame().window;
    }
}
