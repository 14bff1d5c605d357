//! What is chosen, and what `issued` shows of it and of the others.

use warpsmith_rtl::Signal;
use warpsmith_rtl::library::record::Record;

use crate::getm_validation::channels::Issue;
use crate::properties::Watched;

/// The chosen granule and transaction.
pub(super) struct Chosen<'m> {
    pub granule: Signal<'m>,
    /// The transaction is that of this warp.
    pub warp: Signal<'m>,
    /// At this timestamp.
    pub warpts: Signal<'m>,
}

impl<'m> Chosen<'m> {
    /// Whether an access is by the transaction.
    pub fn is_by(&self, access: &Record<'m>) -> Signal<'m> {
        access.get("warp").eq(self.warp) & access.get("warpts").eq(self.warpts)
    }
}

/// What is issued at this clock: one of these at most.
pub(super) struct Events<'m> {
    pub request: Signal<'m>,
    pub retry: Signal<'m>,
    pub release: Signal<'m>,
    pub stop: Signal<'m>,
    pub clear: Signal<'m>,
    pub refused_request: Signal<'m>,
    pub refused_retry: Signal<'m>,
}

impl<'m> Events<'m> {
    /// Reads `issued`.
    pub fn new(issued: &Watched<'m>) -> Self {
        let is = |what: Issue| issued.valid & issued.get("what").eq(what as usize);
        Self {
            request: is(Issue::Request),
            retry: is(Issue::Retry),
            release: is(Issue::Release),
            stop: is(Issue::Stop),
            clear: is(Issue::Clear),
            refused_request: is(Issue::RefusedRequest),
            refused_retry: is(Issue::RefusedRetry),
        }
    }
}
