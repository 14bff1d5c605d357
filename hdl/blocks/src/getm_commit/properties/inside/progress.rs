//! Why what is due happens in time.

use warpsmith_rtl::Signal;

use super::super::due::one_more;
use super::super::progress::Progress;
use super::ring::Slot;
use super::{Inside, Waiting};

impl<'m> Inside<'_, 'm> {
    /// While `write` and `release` are taken, buffers become empty and regions move on.
    pub(super) fn everything_moves_on(&self) {
        let Progress { refusing, waiting, unraised, overtaken } = &self.monitor.progress;
        let full = self.ring.is_full();
        let drained = |clocks: &Signal<'m>| {
            let release = clocks.lt(1) | !self.releases[1].valid;
            let region = clocks.lt(2) | !self.leaving[1].valid;
            release & region
        };
        let Waiting { valid, item, .. } = &self.items[0];
        let is_error = *valid & item.error;
        let kept = [
            drained(refusing),
            refusing.lt(3) | !full,
            refusing.le(4),
            refusing.lt(4) | !self.items[1].valid,
        ];
        self.invariant("taken", &kept, "While regions leave, the ring has room.");
        let raised = self.monitor.error.valid;
        let kept = [
            drained(unraised),
            unraised.lt(3) | raised | is_error | !full,
            unraised.lt(4) | raised | is_error,
            unraised.lt(5) | raised,
            unraised.le(5),
        ];
        self.invariant("unraised", &kept, "An error comes to the front.");

        // The oldest region comes one place nearer to its release at each clock.
        let mut oldest = self.m.lit(1, 1);
        let mut moved = vec![drained(waiting)];
        for (region, most) in self.releases.iter().chain(&self.leaving).zip([5, 0, 4, 4, 3]) {
            moved.push(!(oldest & region.valid) | waiting.le(most));
            oldest = oldest & !region.valid;
        }
        let closes = *valid & item.ends;
        for Slot { region, is_in_window, is_open, .. } in &self.ring.in_order {
            let here = oldest & region.valid;
            moved.push(!here | waiting.le(2));
            moved.push(!(here & *is_in_window) | waiting.le(1));
            moved.push(!(here & *is_open & !closes) | !waiting.any());
            oldest = oldest & !region.valid;
        }
        moved.push(!oldest | !waiting.any());
        self.invariant("moved", &moved, "The oldest region moves on each clock.");

        // Whoever is ahead of the chosen region may yet be released before it.
        let (mut ahead, mut found) = (*overtaken, self.m.lit(1, 0));
        for region in self.regions() {
            found = found | region.here;
            ahead = (region.valid & !found).mux(one_more(ahead), ahead);
        }
        found = found | (*valid & item.here);
        ahead = (*valid & !found).mux(one_more(ahead), ahead);
        self.invariant("overtaken", &[!ahead.all()], "Older regions go before, and no others.");
    }
}
