//! Accesses between issue and answer, and answers in the response buffer, are counted.

use warpsmith_rtl::address_bits;

use super::Inside;
use crate::getm_validation::circuit::RESPONSES;
use crate::properties::Probes;

impl Inside<'_, '_> {
    /// The response buffer has a place for what is under way.
    pub(super) fn answers_are_counted(&self, probes: &Probes) {
        let (m, monitor) = (self.m, self.monitor);
        let signal = |name: &str, width| probes.signal(m, name, width);
        let bits = address_bits(RESPONSES);
        let [write, read] = ["write_pointer", "read_pointer"]
            .map(|name| signal(&format!("responses.{name}"), bits));
        let words = signal("responses.words_held", bits + 1);
        let [under_way, due] =
            ["accesses_under_way", "answers_due"].map(|name| signal(name, bits + 1));

        let events = &monitor.events;
        let shown = events.request | events.retry | events.refused_request | events.refused_retry;
        let in_table =
            monitor.in_table.entries(&monitor.chosen).into_iter().map(|entry| entry.access);
        let last = signal("answer_valid", 1);
        let accesses = self.number(in_table.chain([shown, last]));
        let kept = [
            accesses.eq(under_way),
            due.eq(under_way + words),
            due.le(RESPONSES),
            words.truncate(bits).eq(write - read),
            words.le(RESPONSES),
        ];
        self.invariant("under_way", &kept, "Accesses under way, and answers to come, are counted.");
    }
}
