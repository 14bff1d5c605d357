//! The metadata table: taken out of the circuit, with its contract in its place.

use warpsmith_rtl::library::ready_valid_properties::{
    Offers, ready_valid_properties, valid_only_properties,
};
use warpsmith_rtl::library::record::Record;
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::super::in_table::Decided;
use super::super::monitor::Monitor;
use super::Inside;
use crate::getm_metadata::properties::Monitor as Contract;
use crate::getm_metadata::{self, Op};
use crate::properties::{Probes, all_of};

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
    /// What the table was asked and has answered is what is shown.
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
