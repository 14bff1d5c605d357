//! Where the unit is in a roll-over.

use super::Inside;
use crate::properties::Probes;

impl Inside<'_, '_> {
    /// The unit's flags are what was told, done and is to be said.
    pub(super) fn rolls_over(&self, probes: &Probes) {
        let flag = |name: &str| probes.signal(self.m, name, 1);
        let [stopped, to_wake, clearing] = ["stopped", "waiters_to_wake", "clearing"].map(flag);
        let [told_to_stop, told_to_go] = ["told_to_stop", "told_to_go"].map(flag);
        let [says_stopped, says_cleared, shown] =
            ["says_stopped", "says_cleared", "stop_shown"].map(flag);
        let monitor = self.monitor;
        let (events, roll) = (&monitor.events, &monitor.rollover);
        let runs = events.request | events.retry;
        let refuses = events.refused_request | events.refused_retry;
        let kept = [
            stopped.eq(*roll.stopped | events.stop),
            shown.eq(events.stop),
            !(*roll.stopped & events.stop),
            *roll.stopped | !(refuses | events.clear),
            !*roll.stopped | !runs,
            !to_wake | stopped,
            !told_to_stop | !stopped,
            !told_to_go | *roll.stopped,
            !shown | to_wake,
        ];
        self.invariant("stopped", &kept, "The unit has stopped, or just shows it.");
        let silent = !says_stopped & !says_cleared;
        let says = [
            says_stopped.eq(*roll.to_say[0]),
            says_cleared.eq(*roll.to_say[1]),
            !says_stopped | (*roll.stopped & !clearing),
            !says_cleared | !stopped,
            !shown | silent,
        ];
        self.invariant("says", &says, "What is to be said is said.");
        let does = told_to_stop | (told_to_go & !clearing) | events.stop | events.clear;
        self.invariant("told", &[!*roll.told | does], "What is told is remembered.");

        let clears = monitor.in_table.entries(&monitor.chosen).into_iter().map(|entry| entry.clear);
        let clears = self.number(clears.chain([events.clear]));
        let kept = [
            clears.eq(clearing.zero_extend(5)),
            !clearing | (*roll.stopped & !to_wake & told_to_go),
        ];
        self.invariant("clearing", &kept, "The table is cleared once.");

        let accesses =
            monitor.in_table.entries(&monitor.chosen).into_iter().map(|entry| entry.access);
        let accesses = self.number(accesses.chain([runs]));
        let settled = stopped & !to_wake;
        let asleep = self.stall.lines.iter().map(|line| !line.asleep());
        let mut kept: Vec<_> = asleep.map(|awake| !settled | awake).collect();
        kept.push(!settled | accesses.eq(0));
        self.invariant("settled", &kept, "After a stop nobody sleeps, and nothing is under way.");
    }
}
