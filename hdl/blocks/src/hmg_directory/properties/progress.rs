//! What happens in time: the block waits for nothing but the takers of `inv` and `resp`.

use warpsmith_rtl::{ModuleBuilder, Reg, Signal};

use crate::hmg_directory::params::Params;
use crate::hmg_directory::rules;

/// Clocks in which something must happen when everybody is willing.
const PATIENCE: u64 = 15;

/// The ports that progress is seen by.
pub(super) struct Flow<'m> {
    pub req_ready: Signal<'m>,
    pub init_done: Signal<'m>,
    /// Nobody holds the block up.
    pub willing: Signal<'m>,
    /// A request waits for its answer.
    pub pending: Signal<'m>,
    /// An answer is presented for the first time.
    pub answered: Signal<'m>,
}

pub(super) fn assert_progress<'m>(m: &'m ModuleBuilder, p: &Params, flow: &Flow<'m>) {
    let Flow { req_ready, init_done, willing, pending, answered } = *flow;
    let was_done = m.reg("was_done", 1, 0).doc("init_done at the last edge.");
    was_done.set(init_done);
    let fresh = m.reg("fresh", 1, 1).doc("The first clock after reset.");
    fresh.set(0);
    rules::INIT_DONE.assert(m, (!*fresh | !init_done) & (!*was_done | init_done));
    rules::READY_AFTER_INIT.assert(m, init_done | !req_ready);

    // Clearing takes a clock a row; four times as many are given.
    let long = 4 * u64::from(p.sets) + PATIENCE;
    let clearing = clocks_of(m, "clearing", !init_done, long);
    rules::INIT_ENDS.assert(m, clearing.ne(long));
    let refusing = clocks_of(m, "refusing", willing & init_done & !req_ready, PATIENCE);
    rules::TAKES_IN_TIME.assert(m, refusing.ne(PATIENCE));
    let waiting = clocks_of(m, "waiting", willing & pending & !answered, PATIENCE);
    rules::ANSWERS_IN_TIME.assert(m, waiting.ne(PATIENCE));
}

/// For how many clocks in a row `condition` has held before this one, up to `most`.
fn clocks_of<'m>(m: &'m ModuleBuilder, name: &str, condition: Signal<'m>, most: u64) -> Signal<'m> {
    let width = u64::BITS - most.leading_zeros();
    let count: Reg<'_> = m.reg(&format!("{name}_for"), width, 0);
    m.when(!condition, || count.set(0)).otherwise_when(count.ne(most), || count.set(*count + 1));
    *count
}
