//! Why regions leave: corners that show inside only.

use warpsmith_rtl::Signal;

use super::super::corners::met;
use super::Inside;
use crate::getm_commit::corners::*;
use crate::properties::Probes;

impl<'m> Inside<'_, 'm> {
    pub(super) fn cover_why_regions_leave(&self, probes: &Probes) {
        let (m, p) = (self.m, self.p);
        let signal = |name: &str, width| probes.signal(m, name, width);
        let [takes, needs_a_slot, splits] =
            ["takes_item", "needs_a_slot", "too_many_writes"].map(|name| signal(name, 1));
        let [closes, old, oldest] =
            ["closes", "is_old", "oldest"].map(|name| signal(name, p.window));
        let open = m.concat_low_first(&self.ring.open);
        let cover = |corner, condition: Signal<'m>| met(m, p, corner, takes & condition);

        let ends = self.items[0].item.ends;
        cover(ENDED, ends & open.any());
        cover(LEAVE_TOGETHER, ends & (open & (open - 1)).any());
        cover(AGED, (old & open).any());
        cover(SPLIT, splits);
        let is_full = self.ring.in_window.eq(p.window);
        cover(PRESSED, needs_a_slot & is_full & (open & !closes & oldest).any());
        let slots = self.ring.slots.iter();
        let covered = slots.map(|slot| slot.is_in_window & slot.region.bytes.all());
        cover(COVERED, covered.reduce(|a, b| a | b).expect("a region"));
    }
}
