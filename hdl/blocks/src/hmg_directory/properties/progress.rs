//! What happens in time: the block waits for nothing but the takers of `inv` and `resp`.

use warpsmith_rtl::{ModuleBuilder, Signal};

use crate::hmg_directory::params::Params;
use crate::hmg_directory::rules;

/// Clocks in which something must happen when everybody is willing.
const PATIENCE: u64 = 15;

/// For how many clocks until now something has been due and has not happened.
pub(super) struct Progress<'m> {
    /// `init_done`.
    pub clearing: Signal<'m>,
    /// Taking a request.
    pub refusing: Signal<'m>,
    /// Answering the oldest request.
    pub waiting: Signal<'m>,
}

/// Asserts that it happens. `pending`: a request waits, and is not answered now.
pub(super) fn assert_progress<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    (init_done, req_ready): (Signal<'m>, Signal<'m>),
    willing: Signal<'m>,
    pending: Signal<'m>,
) -> Progress<'m> {
    let after_reset = m.reg("after_reset", 1, 1).doc("The first clock after reset.");
    after_reset.set(0);
    let was_done = m.reg("was_done", 1, 0).doc("init_done was high.");
    was_done.set(init_done);
    let low_then_high = (!*after_reset | !init_done) & (!*was_done | init_done);
    rules::INIT_DONE_STAYS.assert(m, low_then_high);
    rules::READY_AFTER_INIT.assert(m, init_done | !req_ready);

    let long = 4 * u64::from(p.sets) + PATIENCE;
    let progress = Progress {
        clearing: clocks_of(m, "clearing", !init_done, long),
        refusing: clocks_of(m, "refusing", willing & init_done & !req_ready, PATIENCE),
        waiting: clocks_of(m, "waiting", willing & pending, PATIENCE),
    };
    rules::INIT_ENDS.assert(m, progress.clearing.ne(long));
    rules::TAKES_IN_TIME.assert(m, progress.refusing.ne(PATIENCE));
    rules::ANSWERS_IN_TIME.assert(m, progress.waiting.ne(PATIENCE));
    progress
}

/// For how many clocks until now `condition` has held, up to `most`.
fn clocks_of<'m>(m: &'m ModuleBuilder, name: &str, condition: Signal<'m>, most: u64) -> Signal<'m> {
    let count = m.reg(&format!("{name}_for"), u64::BITS - most.leading_zeros(), 0);
    m.when(!condition, || count.set(0)).otherwise_when(count.ne(most), || count.set(*count + 1));
    *count
}
