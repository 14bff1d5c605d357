//! Invariants: for how many clocks at most nothing can be seen to happen.

use super::Reads;
use super::entries::Entries;
use super::stages::Stages;
use crate::kit::*;
use crate::qr_write_cache::properties::{Known, Monitor};
use crate::s_fifo::Kind;

/// Bits of counts of clocks.
const CLOCKS: u32 = 10;
/// Clocks in which an entry of the ring passes through the places behind it, if all are empty.
const PASSES: u64 = 5;
/// Clocks until a request that has just come is decided on, if nothing is in its way.
const DECIDES: u64 = 5;

impl<'m> Entries<'m> {
    /// Each clock in which nothing is seen has brought an entry or request further.
    pub fn progress(
        &self,
        monitor: &Monitor<'_, 'm>,
        known: &Known<'m>,
        (stages, reads, is_noted): (&Stages<'m>, &Reads<'m>, Signal<'m>),
    ) {
        let Monitor { m, p, marked, inv, hit, ack, .. } = monitor;
        let clocks = |count: u64| m.lit(CLOCKS, count);
        let all = self.clocks(m, self.inside.iter().map(|entry| entry.valid).collect());
        // Those up to the oldest release.
        let mut behind = m.lit(1, 0);
        let to_release = self.inside.iter().map(|entry| {
            let is_ahead = entry.valid & !behind;
            behind = behind | entry.is(Kind::Release);
            is_ahead
        });
        let to_release = self.clocks(m, to_release.collect());
        // It is noted, and issued.
        let to_release = to_release + 2 - is_noted.zero_extend(CLOCKS);
        let most = PASSES * u64::from(p.fifo_depth) + 2 * PASSES + 2;
        let [first, _, _] = &stages.up;
        let step = reads.is_known.mux(clocks(2), reads.compares.mux(clocks(3), clocks(4)));
        let up = first.valid.mux(step, clocks(DECIDES));
        let others = all + up + clocks(most);
        let left = behind.mux(to_release, others);
        let [down, _, issued] = &stages.down;
        let seen = down.valid | marked.valid | inv.valid | hit.valid;
        let seen = if p.last_level { seen | ack.valid } else { seen };
        let left = seen.mux(clocks(0), issued.valid.mux(clocks(1), left));
        let still = known.still_for.zero_extend(CLOCKS);
        let in_time = (still + left).lt(Monitor::patience(p));
        let has_hit = reads.is_known & reads.is_covered;
        let kept = in_time & (!has_hit | !still.any());
        invariant(m, "progress", kept, "What is inside is brought further.");
    }

    /// Clocks until these entries have gone, the oldest first, if each has to wait for those ahead.
    fn clocks(&self, m: &'m ModuleBuilder, entries: Vec<Signal<'m>>) -> Signal<'m> {
        let each = entries
            .into_iter()
            .zip(1..)
            .map(|(entry, clocks): (_, u64)| m.lit(CLOCKS, clocks.min(PASSES)).and_where(entry));
        each.reduce(|a, b| a + b).expect("an entry")
    }
}
