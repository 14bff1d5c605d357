//! What is done next: of what waits, the first that can.

use super::Waiting;
use super::stall::Table;
use super::verdict::{Answers, Verdict};
use crate::getm_metadata::Op;
use crate::getm_validation::channels::{self, Issued};
use crate::getm_validation::params::Params;
use crate::kit::*;

/// What may happen at this clock, if there is anything to be done.
pub(super) struct May<'m> {
    /// The unit stops for a roll-over.
    pub stop: Signal<'m>,
    /// Accesses enter the table.
    pub run: Signal<'m>,
    /// The next request has no time left: it does not enter.
    pub late: Signal<'m>,
    pub answer: Signal<'m>,
    /// Accesses are answered that timestamps roll over.
    pub refuse: Signal<'m>,
    pub clear: Signal<'m>,
}

/// What happens at this clock: at most one of these.
pub(super) struct Issue<'m> {
    /// An access from `req` enters the table.
    pub request: Signal<'m>,
    /// A waiter enters the table again.
    pub retry: Signal<'m>,
    /// A release enters the table.
    pub release: Signal<'m>,
    /// The unit stops for a roll-over.
    pub stop: Signal<'m>,
    /// It did so in the last clock: `issued` shows it now.
    pub stop_shown: Signal<'m>,
    /// The table is to be cleared.
    pub clear: Signal<'m>,
    /// An access from `req` is answered that timestamps roll over.
    pub refuse_request: Signal<'m>,
    /// A waiter is answered that timestamps roll over.
    pub refuse_retry: Signal<'m>,
}

impl<'m> Issue<'m> {
    /// Chooses, and gives the table what enters it.
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        waiting: &Waiting<'m>,
        table: &Table<'m>,
        may: &May<'m>,
    ) -> Self {
        let Waiting { request, release, retry } = waiting;
        let retrying = m.reg("retry_under_way", 1, 0).doc("A retry is in the table.");
        // The first that can. A release never waits for the others, and what a unit does that has
        // stopped need not wait for what only one does that runs.
        let is_release = release.valid;
        let stop = (!is_release & may.stop).named("stops_now");
        let runs = (!is_release & !may.stop & may.run & may.answer).named("accesses_enter");
        let is_retry = (runs & retry.valid & !*retrying).named("is_retry");
        let is_request = runs & request.valid & !may.late & !is_retry;
        let is_request = is_request.named("is_request");
        // The table has nothing to say of accesses any more; verdicts on releases go first.
        let refuses = !is_release & may.refuse & may.answer & !table.output("resp_valid");
        let refuses = refuses.named("accesses_are_refused");
        let refuse_retry = (refuses & retry.valid).named("refuses_retry");
        let refuse_request = (refuses & request.valid & !retry.valid).named("refuses_request");
        let is_clear = !is_release & may.clear & !refuse_retry & !refuse_request;
        let is_clear = is_clear.named("is_clear");

        let stop_shown = m.reg("stop_shown", 1, 0).doc("The unit stopped in the last clock.");
        stop_shown.set(stop);
        let issue = Self {
            release: (is_release & table.req_ready).named("release_enters"),
            stop,
            stop_shown: *stop_shown,
            retry: (is_retry & table.req_ready).named("retry_enters"),
            request: (is_request & table.req_ready).named("request_enters"),
            refuse_retry,
            refuse_request,
            clear: (is_clear & table.req_ready).named("clear_enters"),
        };

        table.req_valid.set(is_release | is_retry | is_request | is_clear);
        let op = |op: Op| m.lit(2, op as u64);
        let access = is_retry.mux(retry.payload.pack(), request.payload.pack());
        let access = Record::unpack(retry.payload.fields(), access);
        let access = access.named("access");
        let of_access = access.get("store").mux(op(Op::Store), op(Op::Load));
        let other = is_release.mux(op(Op::Release), op(Op::Clear));
        table.set("op", (is_release | is_clear).mux(other, of_access));
        let address = is_release.mux(release.payload.get("address"), access.get("address"));
        table.set("address", address);
        table.set("warp", access.get("warp"));
        table.set("warpts", access.get("warpts"));
        table.set("count", release.payload.get("count"));
        table.set("tag", is_retry);

        // A retry leaves the stall buffer as its verdict comes.
        let verdict_comes = table.output("resp_valid") & table.output("resp_tag");
        m.when(issue.retry, || retrying.set(1)).otherwise_when(verdict_comes, || retrying.set(0));
        retry.ready.set(verdict_comes | issue.refuse_retry);
        request.ready.set(issue.request | issue.refuse_request);
        release.ready.set(issue.release);
        issue.show(m, p, waiting);
        issue
    }

    /// Accesses that are to be answered, unless they wait.
    pub fn accesses(&self) -> Signal<'m> {
        self.request | self.retry | self.refuse_request | self.refuse_retry
    }

    /// The ports of `issued`, in the clock after.
    fn show(&self, m: &'m ModuleBuilder, p: &Params, waiting: &Waiting<'m>) {
        use channels::Issue as What;
        let each = [
            (What::Request, self.request),
            (What::Retry, self.retry),
            (What::Release, self.release),
            (What::Stop, self.stop),
            (What::Clear, self.clear),
            (What::RefusedRequest, self.refuse_request),
            (What::RefusedRetry, self.refuse_retry),
        ];
        let codes = each.map(|(what, _)| m.lit(3, what as u64));
        let conditions = column(m, each.map(|(_, is_it)| is_it)).named("issued");
        let is_request = self.request | self.refuse_request;
        let is_retry = self.retry | self.refuse_retry;
        let of_access = |name: &str| {
            let [request, retry] =
                [&waiting.request, &waiting.retry].map(|stream| stream.payload.get(name));
            request.and_where(is_request) | retry.and_where(is_retry)
        };
        let released = waiting.release.payload.get("address").and_where(self.release);
        let address = of_access("address") | released;
        let granule = p.granule(address);
        let address = p.address(granule);
        let fields = Issued::fields(p);
        let rest = ["store", "warp", "warpts"].map(of_access);
        let values = [&[one_hot::select(conditions, &codes), address][..], &rest].concat();
        let valid = m.reg("shows", 1, 0);
        valid.set(conditions.any());
        m.output("issued_valid", *valid);
        for (field, value) in fields.iter().zip(values) {
            let shown = m.reg_without_reset(&format!("shown_{}", field.name), field.width);
            shown.set(value);
            m.output(&format!("issued_{}", field.name), *shown).doc(&field.doc);
        }
    }
}

// The roll-over of timestamps (4.5.2): stopped, told to go on, what is to be said.

/// Where the unit is in a roll-over.
pub(super) struct Rollover<'m> {
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
