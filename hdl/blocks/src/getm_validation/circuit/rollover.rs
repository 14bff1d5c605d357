//! The roll-over of timestamps (4.5.2): stopped, told to go on, what is to be said.

use warpsmith_rtl::library::stream::Stream;
use warpsmith_rtl::{ModuleBuilder, Reg, Signal};

use super::Waiting;
use super::answer::Answers;
use super::issue::Issue;
use super::verdict::Verdict;
use crate::getm_validation::params::Params;

/// Where the unit is in a roll-over.
pub(super) struct Rollover<'m> {
    /// The unit has stopped.
    pub is_stopped: Signal<'m>,
    /// It is to stop: told so, or the next request has no time left.
    pub stops: Signal<'m>,
    /// Accesses are refused, once those under way are answered.
    pub refuses: Signal<'m>,
    /// The next request has no time left.
    pub late: Signal<'m>,
    /// As far as it knows, it may clear the table.
    pub may_clear: Signal<'m>,
    stopped: Reg<'m>,
    /// Waiters have not been woken yet.
    to_wake: Reg<'m>,
    told_to_stop: Reg<'m>,
    told_to_go: Reg<'m>,
    /// The table is being cleared.
    clearing: Reg<'m>,
    /// To be said on `rolled`.
    says_stopped: Reg<'m>,
    says_cleared: Reg<'m>,
}

impl<'m> Rollover<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params, waiting: &Waiting<'m>) -> Self {
        let register = |name: &str, doc: &str| m.reg(name, 1, 0).doc(doc);
        let stopped = register("stopped", "The unit has stopped for a roll-over.");
        let to_wake = register("waiters_to_wake", "Waiters have not been woken yet.");
        let told_to_stop = register("told_to_stop", "Another unit rolls over.");
        let told_to_go = register("told_to_go", "Every unit has stopped: clear and go on.");
        let clearing = register("clearing", "The table is being cleared.");
        let says_stopped = register("says_stopped", "To be said on rolled: stopped.");
        let says_cleared = register("says_cleared", "To be said on rolled: cleared.");
        let request = &waiting.request;
        let late = request.payload.get("warpts").ge(p.limit());
        let late = (request.valid & late).named("late").doc("The request has no time left.");
        let silent = !*says_stopped & !*says_cleared;
        Self {
            is_stopped: *stopped,
            stops: !*stopped & silent & (*told_to_stop | late),
            late,
            refuses: *stopped & !*to_wake & !*clearing,
            may_clear: *stopped & *told_to_go & !*clearing & silent & !*to_wake,
            stopped,
            to_wake,
            told_to_stop,
            told_to_go,
            clearing,
            says_stopped,
            says_cleared,
        }
    }

    /// Every waiter is woken, to be refused: once, when no access is under way any more. Until then
    /// nothing is refused and nothing is cleared.
    pub fn wakes_all(&self, answers: &Answers<'m>) -> Signal<'m> {
        *self.to_wake & answers.quiet
    }

    /// What the unit is told, does and says.
    pub fn step(
        &self,
        m: &'m ModuleBuilder,
        roll: Stream<'m>,
        issue: &Issue<'m>,
        answers: &Answers<'m>,
        verdict: &Verdict<'m>,
    ) {
        let go = roll.payload.get("go");
        let told = roll.fires();
        roll.ready.set(!*self.told_to_go);
        m.when(issue.stop, || self.told_to_stop.set(0))
            .otherwise_when(told & !go & !*self.stopped, || self.told_to_stop.set(1));
        // A unit that has not stopped, or not shown it yet, is not to go on.
        let has_stopped = *self.stopped & !issue.stop_shown;
        m.when(verdict.ends_clear, || self.told_to_go.set(0))
            .otherwise_when(told & go & has_stopped, || self.told_to_go.set(1));
        m.when(issue.clear, || self.clearing.set(1))
            .otherwise_when(verdict.ends_clear, || self.clearing.set(0));
        let cleared = verdict.ends_clear & verdict.succeeds;
        m.when(issue.stop, || {
            self.stopped.set(1);
            self.to_wake.set(1);
        })
        .otherwise_when(cleared, || self.stopped.set(0))
        .otherwise_when(self.wakes_all(answers), || self.to_wake.set(0));

        let said = m.input("rolled_ready", 1);
        m.output("rolled_valid", *self.says_stopped | *self.says_cleared);
        m.output("rolled_go", !*self.says_stopped)
            .doc("0 the unit has stopped, 1 it is cleared and goes on");
        m.when(issue.stop_shown, || self.says_stopped.set(1))
            .otherwise_when(said, || self.says_stopped.set(0));
        m.when(cleared, || self.says_cleared.set(1))
            .otherwise_when(said, || self.says_cleared.set(0));
    }
}
