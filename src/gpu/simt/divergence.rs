//! Lanes of a warp at different places take turns.

use super::problem::Problem;
use super::step::Step;
use super::warp::{Surroundings, Warp};
use crate::isa::Operation;

/// Turns in loops after which diverged lanes give way to the others of the warp.
const PATIENCE: u32 = 1 << 14;

/// Turns of a loop that polls after which they do.
const POLLS: u32 = 256;

impl Warp {
    /// Lanes branch. After many turns of a loop they give way to the others, for which they may wait.
    #[inline]
    pub(super) fn branch(&mut self, taken: u32, target: u32, reconverge: u32) {
        // Those that do not take it execute it, too.
        self.lanes_executed += u64::from((self.stack.running() & !taken).count_ones());
        let is_backwards = self.stack.top().is_some_and(|path| target <= path.pc);
        if self.stack.branch(taken, target, reconverge) {
            self.select_window();
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
            self.select_window();
        }
    }

    /// Executes an instruction that names lanes which are elsewhere with those at an instruction like it; else sets its
    /// lanes aside; else, in a lenient run, executes it without the others.
    #[cold]
    pub(super) fn meet_or_wait(
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
        let can = self.checkpoint.is_none() && (self.stack.set_aside() || self.resume_untried());
        if can {
            self.select_window();
            // The instruction is executed later.
            self.executed -= 1;
            self.lanes_executed -= u64::from(mask.count_ones());
        }
        can
    }

    /// Resumes a group that waits, once each where all wait: lanes that it waits for may have left the kernel.
    fn resume_untried(&mut self) -> bool {
        let (before, at) = self.tried;
        let before = if at == self.executed { before } else { 0 };
        let tried = before | self.stack.running();
        self.tried = (tried, self.executed);
        self.stack.resume_untried(tried)
    }

    /// Goes on with the instruction after.
    #[inline]
    pub(super) fn advance(&mut self) {
        if self.stack.advance() {
            self.select_window();
        }
    }

    /// Selects the register window of the frame that runs.
    pub(super) fn select_window(&mut self) {
        self.registers.window = self.stack.frame().window;
    }
}
