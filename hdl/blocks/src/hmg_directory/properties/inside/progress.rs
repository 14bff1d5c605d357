//! Why what is due happens in time.

use super::super::progress::Progress;
use super::Inside;
use crate::properties::Probes;

impl Inside<'_, '_> {
    /// While rows are cleared there is nothing else.
    pub(super) fn clearing_is_quiet(&self, probes: &Probes) {
        let next = probes.signal(self.m, "clear_next", self.p.index_bits() + 1);
        let mut quiet: Vec<_> = self.places.all().map(|place| !place.valid).collect();
        quiet.extend(self.monitor.held.0.iter().map(|nodes| !nodes.any()));
        for (number, set) in (0u64..).zip(&self.sets.0) {
            let valid = self.ways(set).map(|way| way.valid);
            let recency = self.recency(set).map(|recency| recency.any());
            let any = valid.chain(recency).reduce(|a, b| a | b);
            quiet.push(next.le(number) | !any.expect("a way"));
        }
        let kept = next.bit(self.p.index_bits()) | self.all(&quiet);
        self.invariant("clearing", kept, "While rows are cleared there is nothing else.");
        let clearing = self.monitor.progress.clearing;
        let width = clearing.width().max(next.width());
        let each_clock = clearing.zero_extend(width).le(next.zero_extend(width));
        let kept = each_clock & next.le(u64::from(self.p.sets));
        self.invariant("cleared", kept, "A row is cleared each clock, to the last.");
    }

    /// While `inv` and `resp` are taken, buffers become empty and requests move on.
    pub(super) fn requests_move_on(&self) {
        let Progress { refusing, waiting, .. } = self.monitor.progress;
        let emptied = [refusing, waiting].map(|clocks| {
            (clocks.lt(1) | !self.answer.valid[1]) & (clocks.lt(2) | !self.effect.valid[1])
        });
        let kept = self.all(&emptied) & refusing.le(2);
        self.invariant("emptied", kept, "Second places of buffers become empty.");
        let mut oldest = self.m.lit(1, 1);
        let mut moved = Vec::new();
        for (place, ahead) in self.places.all().zip((0..8u64).rev()) {
            moved.push(!(oldest & place.valid) | waiting.le(ahead));
            oldest = oldest & !place.valid;
        }
        // With nothing to answer, nothing waits.
        moved.push(!oldest | waiting.le(0));
        self.invariant("moved", self.all(&moved), "The oldest request moves on each clock.");
    }
}
