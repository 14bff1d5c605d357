//! The roll-over of timestamps: what the unit was told, has done and has to say.

use warpsmith_rtl::{ModuleBuilder, Reg, Signal};

use super::events::Events;
use super::in_table::Decided;
use crate::getm_metadata::Verdict;
use crate::properties::Watched;

/// Where the unit is in a roll-over.
pub(super) struct Rollover<'m> {
    /// From a stop to the clear.
    pub stopped: Reg<'m>,
    /// Told to stop, or to go on, and it has not done so.
    pub told: Reg<'m>,
    /// It is to say that it has stopped, or that it goes on.
    pub to_say: [Reg<'m>; 2],
    /// What is issued, and said, fits.
    pub as_told: Signal<'m>,
    /// Something is to be done or said.
    pub pending: Signal<'m>,
}

impl<'m> Rollover<'m> {
    pub fn new(
        m: &'m ModuleBuilder,
        (roll, rolled): (&Watched<'m>, &Watched<'m>),
        events: &Events<'m>,
        (decided, next): (&Watched<'m>, &Decided<'m>),
    ) -> Self {
        let stopped = m.reg("has_stopped", 1, 0).doc("From a stop to the clear.");
        let told = m.reg("told", 1, 0).doc("Told to stop, or to go on, and has not done so.");
        let [says_stopped, says_cleared] =
            ["stopped", "cleared"].map(|name| m.reg(&format!("to_say_{name}"), 1, 0));
        let succeeds = decided.get("verdict").eq(Verdict::Success as usize);
        let cleared = decided.valid & next.clear & succeeds;
        m.when(events.stop, || stopped.set(1)).otherwise_when(cleared, || stopped.set(0));
        // A unit that has stopped need not be told again, and no other is to go on.
        m.when(events.stop | events.clear, || told.set(0))
            .otherwise_when(roll.fires() & roll.get("go").eq(*stopped), || told.set(1));
        let go = rolled.get("go");
        m.when(events.stop, || says_stopped.set(1))
            .otherwise_when(rolled.fires() & !go, || says_stopped.set(0));
        m.when(cleared, || says_cleared.set(1))
            .otherwise_when(rolled.fires() & go, || says_cleared.set(0));

        let runs = events.request | events.retry;
        let refuses = events.refused_request | events.refused_retry;
        let in_its_time = stopped.mux(!(runs | events.stop), !(refuses | events.clear));
        let said = !rolled.valid | go.mux(*says_cleared, *says_stopped);
        Self {
            stopped,
            told,
            to_say: [says_stopped, says_cleared],
            as_told: in_its_time & said,
            pending: *told | *says_stopped | *says_cleared,
        }
    }
}
