//! What the skid buffers of `req` and `release` hold.

use warpsmith_rtl::Signal;
use warpsmith_rtl::library::record::Record;

use super::super::taken::{access_on, release_fields, request_fields};
use super::Inside;
use crate::getm_validation::channels;
use crate::properties::{Probes, Queue};

impl<'m> Inside<'_, 'm> {
    /// What was taken and is not issued waits in a skid buffer, or is just shown.
    pub(super) fn what_waits_is_taken(&self, probes: &Probes) {
        let (m, p, monitor) = (self.m, self.monitor.p, self.monitor);
        let events = &monitor.events;
        let granule = |address: Signal<'m>| address.slice(p.offset_bits()..p.address_bits);
        let place = |name: &str, width| probes.signal(m, name, width);

        let fields = channels::access_fields(p, "");
        let request = |data: Signal<'m>| {
            let access = Record::unpack(&fields, data);
            let rest = ["store", "warp", "warpts"].map(|name| access.get(name));
            let values = [&[granule(access.get("address"))][..], &rest].concat();
            Record::new(&request_fields(p), values).pack()
        };
        let data = ["request.data", "request.skid_data"].map(|name| place(name, fields.width()));
        let valid = ["request.valid", "request.skid_valid"].map(|name| place(name, 1));
        let shown = events.request | events.refused_request;
        let next = Some(access_on(p, &monitor.issued).pack());
        let held = data.map(request);
        let kept = self.holds(&monitor.taken.requests, shown, next, valid, held);
        self.invariant("requests", &kept, "A request that was taken waits, or is shown.");

        let fields = channels::release_fields(p);
        let release = |data: Signal<'m>| {
            let release = Record::unpack(&fields, data);
            let values = vec![granule(release.get("address")), release.get("count")];
            Record::new(&release_fields(p), values).pack()
        };
        let data = ["written.data", "written.skid_data"].map(|name| place(name, fields.width()));
        let valid = ["written.valid", "written.skid_valid"].map(|name| place(name, 1));
        let held = data.map(release);
        let mut kept = self.holds(&monitor.taken.releases, events.release, None, valid, held);
        let oldest = monitor.taken.releases.oldest().get("granule");
        let shown = granule(monitor.issued.get("address"));
        kept.push(!events.release | oldest.eq(shown));
        self.invariant("releases", &kept, "A release that was taken waits, or is shown.");

        // One transaction is asked for once.
        let requests = &monitor.taken.requests;
        let t = &monitor.transaction;
        let mut is_asked = Vec::new();
        for (taken, entry) in requests.entries() {
            let here = entry.get("granule").eq(monitor.chosen.granule);
            is_asked.push((taken & here & monitor.chosen.is_by(&entry), entry.get("store")));
        }
        let same = is_asked.iter().map(|(is, store)| !*is | store.eq(*t.store));
        let mut kept: Vec<_> = same.collect();
        kept.push(self.number(is_asked.iter().map(|(is, _)| *is)).eq(t.asked.zero_extend(5)));
        self.invariant("asked", &kept, "The chosen transaction asks once.");
    }

    /// Whether a queue has what was shown, and then what two places hold.
    fn holds(
        &self,
        queue: &Queue<'m>,
        shown: Signal<'m>,
        next: Option<Signal<'m>>,
        valid: [Signal<'m>; 2],
        held: [Signal<'m>; 2],
    ) -> Vec<Signal<'m>> {
        let at = |older: Signal<'m>| queue.at(older).pack();
        let width = queue.count().width();
        let first = shown.zero_extend(width);
        let mut kept = vec![queue.in_order()];
        kept.extend(next.map(|next| !shown | at(self.m.lit(width, 0)).eq(next)));
        kept.push(!valid[0] | at(first).eq(held[0]));
        kept.push(!valid[1] | at(first + 1).eq(held[1]));
        let count = first + valid[0].zero_extend(width) + valid[1].zero_extend(width);
        kept.push(queue.count().eq(count));
        kept
    }
}
