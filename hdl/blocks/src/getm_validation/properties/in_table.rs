//! What is issued to the table and not decided, in its order.

use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::events::{Chosen, Events};
use super::granule_of;
use super::taken::request_fields;
use crate::getm_validation::params::Params;
use crate::properties::{Queue, Watched};

/// Accesses, releases and clears in the table: as many as its stages and buffers hold, and those that
/// are shown in the clock after.
const IN_TABLE: u32 = 10;

/// What is in the table.
pub(super) struct InTable<'m> {
    pub queue: Queue<'m>,
    /// What the next verdict is on.
    pub next: Decided<'m>,
    /// Something enters at this clock.
    pub enters: Signal<'m>,
    /// What that is.
    pub entry: Record<'m>,
    /// More is issued than can be remembered.
    pub too_many: Signal<'m>,
}

/// What a verdict is on, meaningful where there is something.
pub(super) struct Decided<'m> {
    pub any: Signal<'m>,
    pub access: Signal<'m>,
    pub retry: Signal<'m>,
    pub release: Signal<'m>,
    pub clear: Signal<'m>,
    /// The access or release is of the chosen granule.
    pub here: Signal<'m>,
    /// The access to the chosen granule is by the chosen transaction.
    pub chosen: Signal<'m>,
    pub granule: Signal<'m>,
    pub store: Signal<'m>,
    pub warp: Signal<'m>,
    pub warpts: Signal<'m>,
    pub count: Signal<'m>,
}

impl<'m> Decided<'m> {
    /// Reads an entry, if there is `any`.
    pub fn read(chosen: &Chosen<'m>, any: Signal<'m>, entry: &Record<'m>) -> Self {
        let bit = |name: &str| any & entry.get(name);
        let (access, release) = (bit("access"), bit("release"));
        let here = (access | release) & entry.get("granule").eq(chosen.granule);
        Self {
            any,
            access,
            retry: bit("retry"),
            release,
            clear: any & !access & !release,
            here,
            chosen: access & here & chosen.is_by(entry),
            granule: entry.get("granule"),
            store: entry.get("store"),
            warp: entry.get("warp"),
            warpts: entry.get("warpts"),
            count: entry.get("count"),
        }
    }

    /// It as an access.
    pub fn as_access(&self, p: &Params) -> Record<'m> {
        let values = vec![self.granule, self.store, self.warp, self.warpts];
        Record::new(&request_fields(p), values)
    }
}

fn fields(p: &Params) -> Fields {
    Fields::new()
        .with("access", 1, "a load or store")
        .with("retry", 1, "of a waiter")
        .with("release", 1, "a release; else, and no access: a clear")
        .with("granule", p.granule_bits(), "of an access or a release")
        .with("store", 1, "a store")
        .with("warp", p.owner_bits, "the warp")
        .with("warpts", p.timestamp_bits, "its timestamp")
        .with("count", p.write_count_bits, "of a release: writes that are done with")
}

impl<'m> InTable<'m> {
    /// `count`: of the release that is issued.
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        chosen: &Chosen<'m>,
        (issued, events): (&Watched<'m>, &Events<'m>),
        count: Signal<'m>,
        decided: Signal<'m>,
    ) -> Self {
        let queue = Queue::new(m, "entered", IN_TABLE, &fields(p));
        let access = events.request | events.retry;
        let values = vec![
            access,
            events.retry,
            events.release,
            granule_of(p, issued),
            issued.get("store"),
            issued.get("warp"),
            issued.get("warpts"),
            count,
        ];
        let entry = Record::new(&fields(p), values);
        let enters = access | events.release | events.clear;
        queue.set(enters, &entry, decided);
        let next = Decided::read(chosen, queue.any(), &queue.oldest());
        Self { too_many: enters & queue.full() & !decided, queue, next, enters, entry }
    }

    /// All that is in the table, from the oldest on.
    pub fn entries(&self, chosen: &Chosen<'m>) -> Vec<Decided<'m>> {
        let entries = self.queue.entries();
        entries.map(|(taken, entry)| Decided::read(chosen, taken, &entry)).collect()
    }
}
