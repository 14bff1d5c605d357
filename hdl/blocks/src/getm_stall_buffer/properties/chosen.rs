//! Who waits for the chosen granule with the chosen timestamp.

use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::ideal::{Event, IdealLine};
use crate::getm_stall_buffer::params::Params;
use crate::properties::{Queue, Watched};

/// The accesses of one granule with one timestamp.
pub(super) struct Chosen<'m> {
    pub granule: Signal<'m>,
    pub warpts: Signal<'m>,
    /// They wait, in the order of their coming.
    pub waiters: Queue<'m>,
    /// One of them waited when the granule was released: nobody with a larger timestamp may leave.
    pub due: Signal<'m>,
    /// The access that was taken from `retry` last, of that granule.
    pub retried: Record<'m>,
}

/// What is remembered of an access beside granule and timestamp.
pub(super) fn waiter_fields(p: &Params) -> Fields {
    Fields::new().with("store", 1, "a store").with("warp", p.owner_bits, "the warp")
}

/// What is remembered of a retry.
fn retried_fields(p: &Params) -> Fields {
    waiter_fields(p).with("warpts", p.timestamp_bits, "the warp's timestamp")
}

impl<'m> Chosen<'m> {
    /// Remembers them. `event` is what happens to the line of the granule.
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        granule: Signal<'m>,
        line: IdealLine<'m>,
        event: Event<'m>,
        (park, retry): (&Watched<'m>, &Watched<'m>),
    ) -> Self {
        let warpts = m.input("chosen_warpts", p.timestamp_bits);
        let waiters = Queue::new(m, "waiter", p.entries, &waiter_fields(p));
        let is_chosen = |channel: &Watched<'m>| channel.get("warpts").eq(warpts);
        let fields = ["store", "warp"].map(|name| park.get(name));
        let entry = Record::new(&waiter_fields(p), fields.to_vec());
        let enters = event.parks & is_chosen(park);
        waiters.set(enters, &entry, event.leaves & is_chosen(retry));

        let due = m.reg("due", 1, 0).doc("One of the chosen waited at the release.");
        let ends = line.retrying & event.result;
        let wakes = (line.asleep() | (!line.live() & event.parks)) & event.released
            | (ends & (event.released | !event.reserved | line.again));
        m.when(event.leaves, || due.set(0))
            .otherwise_when(wakes & !line.awake, || due.set(waiters.any() | enters));

        let fields = retried_fields(p);
        let register = |name: &str, width| {
            let register = m.reg_without_reset(&format!("retried_{name}"), width);
            m.when(event.leaves, || register.set(retry.get(name)));
            *register
        };
        let retried = fields.iter().map(|field| register(&field.name, field.width)).collect();
        let retried = Record::new(&fields, retried);
        Self { granule, warpts, waiters, due: *due, retried }
    }

    /// The access on `park` is the one that was retried last.
    pub fn is_retried(&self, park: &Watched<'m>) -> Signal<'m> {
        let same =
            self.retried.fields().iter().map(|f| self.retried.get(&f.name).eq(park.get(&f.name)));
        same.reduce(|a, b| a & b).expect("fields")
    }
}
