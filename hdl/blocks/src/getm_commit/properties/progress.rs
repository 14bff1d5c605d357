//! What happens in time: the unit waits for nothing but the takers of `write` and `release`.

use warpsmith_rtl::{ModuleBuilder, Signal};

use super::due::one_more;
use super::places;
use crate::getm_commit::params::Params;
use crate::getm_commit::rules;

/// Clocks in which something must happen when everybody is willing.
const PATIENCE: u64 = 8;

/// What has been due until now and has not happened.
pub(super) struct Progress<'m> {
    /// For how many clocks an item has not been taken.
    pub refusing: Signal<'m>,
    /// For how many clocks nothing has been released.
    pub waiting: Signal<'m>,
    /// For how many clocks no error has been raised.
    pub unraised: Signal<'m>,
    /// As many ones as releases of other regions went before.
    pub overtaken: Signal<'m>,
}

/// What is to happen.
pub(super) struct Pending<'m> {
    /// `write` and `release` are taken.
    pub willing: Signal<'m>,
    /// No item is taken.
    pub refuses: Signal<'m>,
    /// Something that has ended, or is written, is not released.
    pub unreleased: Signal<'m>,
    /// Something of the chosen region has ended, and is not released.
    pub ended: Signal<'m>,
    /// An error is due, and not raised now.
    pub unraised: Signal<'m>,
    /// A release is presented for the first time.
    pub presented: Signal<'m>,
    /// It is of the chosen region.
    pub here: Signal<'m>,
}

/// Asserts that it happens.
pub(super) fn assert_progress<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    pending: &Pending<'m>,
) -> Progress<'m> {
    let Pending { willing, presented, .. } = *pending;
    let most = places(p) + 2;
    let overtaken = m.reg("overtaken_by", most, 0).doc("As many ones as releases went before.");
    m.when(!pending.ended | (presented & pending.here), || overtaken.set(0))
        .otherwise_when(presented, || overtaken.set(one_more(*overtaken)));
    let progress = Progress {
        refusing: clocks_of(m, "refusing", willing & pending.refuses),
        waiting: clocks_of(m, "waiting", willing & pending.unreleased & !presented),
        unraised: clocks_of(m, "unraised", willing & pending.unraised),
        overtaken: *overtaken,
    };
    rules::TAKES_IN_TIME.assert(m, progress.refusing.ne(PATIENCE));
    rules::RELEASES_IN_TIME.assert(m, progress.waiting.ne(PATIENCE) & !overtaken.all());
    rules::RAISES_IN_TIME.assert(m, progress.unraised.ne(PATIENCE));
    progress
}

/// For how many clocks until now `condition` has held, up to [`PATIENCE`].
fn clocks_of<'m>(m: &'m ModuleBuilder, name: &str, condition: Signal<'m>) -> Signal<'m> {
    let count = m.reg(&format!("{name}_for"), u64::BITS - PATIENCE.leading_zeros(), 0);
    m.when(!condition, || count.set(0))
        .otherwise_when(count.ne(PATIENCE), || count.set(*count + 1));
    *count
}
