//! The metadata table: taken out of the circuit, with its contract in its place.

use warpsmith_rtl::library::ready_valid_properties::{
    Offers, ready_valid_properties, valid_only_properties,
};

use super::super::granule::Decided;
use super::super::monitor::Monitor;
use super::super::transaction::{access_on, release_fields, request_fields};
use super::Inside;
use crate::getm_metadata::properties::Monitor as Contract;
use crate::getm_metadata::{self, Op, Verdict};
use crate::getm_validation::channels::{self, Outcome};
use crate::kit::*;

/// States the contract of the table, of the same granule.
pub(super) fn contract<'p, 'm>(
    monitor: &Monitor<'_, 'm>,
    params: &'p getm_metadata::Params,
    probes: &Probes,
) -> Contract<'p, 'm> {
    let m = monitor.m;
    let channels = getm_metadata::channels(params);
    probes.part(m, "metadata", &channels, || {
        let contract = Contract::new(m, params, monitor.chosen.granule);
        offers_stay(m, &contract);
        contract
    })
}

/// What it offers is offered as on any channel.
fn offers_stay<'m>(m: &'m ModuleBuilder, contract: &Contract<'_, 'm>) {
    let asked = &contract.overflow_req;
    let payload = asked.payload.pack();
    let module = ready_valid_properties(payload.width(), Offers::Asserted);
    let inputs = [("valid", asked.valid), ("ready", asked.ready), ("payload", payload)];
    m.instance("overflow_req_channel", &module, &inputs);
    let module = valid_only_properties(Offers::Asserted);
    for (name, channel) in [("resp_channel", &contract.resp), ("error_channel", &contract.error)] {
        m.instance(name, &module, &[("valid", channel.valid)]);
    }
}

impl<'m> Inside<'_, 'm> {
    /// The table's requests and answers are those that are shown.
    pub(super) fn table_is_asked_as_shown(&self, contract: &Contract<'_, 'm>) {
        let monitor = self.monitor;
        let shown = &monitor.in_table;
        let after = shown.queue.after(shown.enters, &shown.entry, monitor.decided.valid);
        let mut kept = vec![contract.in_flight.in_order(), !contract.shown];
        let mut asked = contract.in_flight.entries();
        for (taken, entry) in &after {
            let entry = Decided::read(&monitor.chosen, *taken, entry);
            kept.push(match asked.next() {
                Some((asked, request)) => asked.eq(*taken) & self.is_asked(&request, &entry),
                None => !*taken,
            });
        }
        self.invariant("table_asked", &kept, "The table is asked what is shown.");

        let (truth, after) = (&contract.truth, &monitor.granule.after);
        let same = |field: &str| truth.metadata.get(field).eq(after.get(field));
        let reserved = after.get("writes").any();
        let noted = (truth.reserved.shift_right(monitor.chosen.granule)).bit(0);
        let kept = [
            same("wts"),
            same("rts"),
            same("writes"),
            !reserved | same("owner"),
            noted.eq(reserved),
        ];
        self.invariant("table_true", &kept, "What is true of the granule is true in both.");
    }

    /// Whether a request of the table is what entered, if something did.
    fn is_asked(&self, request: &Record<'m>, entry: &Decided<'m>) -> Signal<'m> {
        let Self { m, monitor, .. } = self;
        let offset = monitor.p.offset_bits();
        let op = |op: Op| m.lit(2, op as u64);
        let access = entry.store.mux(op(Op::Store), op(Op::Load));
        let other = entry.release.mux(op(Op::Release), op(Op::Clear));
        let same = |name: &str, value: Signal<'m>| request.get(name).eq(value);
        let granule = request.get("address").slice(offset..monitor.p.address_bits);
        let of_access = same("warp", entry.warp) & same("warpts", entry.warpts);
        let kept = [
            !entry.any | same("op", entry.access.mux(access, other)),
            !entry.any | entry.clear | granule.eq(entry.granule),
            !entry.access | of_access,
            !entry.any | same("tag", entry.retry),
            !entry.release | same("count", entry.count),
        ];
        all_of(m, &kept)
    }
}

// What the skid buffers of `req` and `release` hold.

impl<'m> Inside<'_, 'm> {
    /// What was taken and is not issued waits in a skid buffer, or is just shown.
    pub(super) fn what_waits_is_taken(&self, probes: &Probes) {
        let (m, p, monitor) = (self.m, self.monitor.p, self.monitor);
        let events = &monitor.events;
        let granule = |address: Signal<'m>| p.granule(address);
        let place = |name: &str, width| probes.signal(m, name, width);

        let fields = channels::access_fields(p);
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

        let fields = channels::Release::fields(p);
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
        self.invariant("asked", &kept, "The chosen transaction requests once.");
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

// The clock after the table's answer.

impl Inside<'_, '_> {
    /// A verdict is on the oldest in the table, or on what is refused.
    pub(super) fn verdicts_are_on_what_entered(&self) {
        let (verdict, monitor) = (&self.verdict, self.monitor);
        let (next, events, issued) = (&monitor.in_table.next, &monitor.events, &monitor.issued);
        let decides = verdict.of_table;
        let refuses = events.refused_request | events.refused_retry;
        let kept = [
            !decides | next.any,
            verdict.on_access.eq((decides & next.access) | refuses),
            verdict.on_release.eq(decides & next.release),
            verdict.on_clear.eq(decides & next.clear),
            verdict.on_retry.eq((decides & next.access & next.retry) | events.refused_retry),
            !(decides & refuses),
        ];
        self.invariant("verdict", &kept, "A verdict is on the oldest, or on a refused access.");

        let of = |name: &str| verdict.access.get(name);
        let same =
            of("store").eq(next.store) & of("warp").eq(next.warp) & of("warpts").eq(next.warpts);
        let shown = ["store", "warp", "warpts"].map(|name| of(name).eq(issued.get(name)));
        let shown = shown[0] & shown[1] & shown[2];
        let granule = monitor.p.granule(issued.get("address")).eq(of("granule"));
        let is = |v: Verdict| verdict.verdict.eq(v as usize);
        let succeeds = is(Verdict::Success);
        let aborts = any_of([Verdict::AbortWar, Verdict::AbortWaw, Verdict::AbortRaw].map(is));
        let kept = [
            !(decides & !next.clear) | of("granule").eq(next.granule),
            !(decides & next.access) | same,
            !refuses | (granule & shown & verdict.verdict.eq(Outcome::AbortRollover as usize)),
            !refuses | !(verdict.reserved | verdict.stored),
            !(decides & next.access) | verdict.stored.eq(next.store & succeeds),
            !(decides & next.access & next.here & aborts) | verdict.timestamp.gt(of("warpts")),
        ];
        self.invariant("verdict_access", &kept, "A verdict has the fields of what it is on.");
        let after = monitor.granule.after.get("writes").any();
        let told = decides & next.here & !is(Verdict::Error);
        let kept = [!told | verdict.reserved.eq(after)];
        self.invariant("verdict_reserved", &kept, "It is known what is reserved.");

        // No access is issued that has no time left.
        let limit = monitor.p.limit();
        let mut kept = Vec::new();
        for entry in monitor.in_table.entries(&monitor.chosen) {
            kept.push(!entry.access | entry.warpts.lt(limit));
        }
        let runs = events.request | events.retry;
        kept.push(!runs | issued.get("warpts").lt(limit));
        for entry in self.stall.entries() {
            kept.push(!entry.taken | entry.access.get("warpts").lt(limit));
        }
        self.invariant("in_time", &kept, "What is issued has time left.");
        let entries = monitor.in_table.entries(&monitor.chosen).into_iter();
        let one_kind = entries.map(|entry| !(entry.access & entry.release));
        let kept: Vec<_> = one_kind.chain([monitor.in_table.queue.in_order()]).collect();
        self.invariant("in_table", &kept, "What is in the table has no gaps, and is of one kind.");
    }
}
