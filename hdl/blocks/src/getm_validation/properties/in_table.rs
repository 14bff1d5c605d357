//! What is issued to the table and not decided, in its order.

use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::granule_of;
use super::monitor::{Chosen, Events};
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
    pub store: Signal<'m>,
    pub warp: Signal<'m>,
    pub warpts: Signal<'m>,
    pub count: Signal<'m>,
}

fn fields(p: &Params) -> Fields {
    Fields::new()
        .with("access", 1, "a load or store")
        .with("retry", 1, "of a waiter")
        .with("release", 1, "a release; else, and no access: a clear")
        .with("here", 1, "of the chosen granule")
        .with("chosen", 1, "by the chosen transaction")
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
        let here = !events.clear & granule_of(p, issued).eq(chosen.granule);
        let values = vec![
            access,
            events.retry,
            events.release,
            here,
            access & here & chosen.is_by(issued),
            issued.get("store"),
            issued.get("warp"),
            issued.get("warpts"),
            count,
        ];
        let enters = access | events.release | events.clear;
        queue.set(enters, &Record::new(&fields(p), values), decided);
        let oldest = queue.oldest();
        let bit = |name: &str| queue.any() & oldest.get(name);
        let (access, release) = (bit("access"), bit("release"));
        let next = Decided {
            any: queue.any(),
            access,
            retry: bit("retry"),
            release,
            clear: queue.any() & !access & !release,
            here: bit("here"),
            chosen: bit("chosen"),
            store: oldest.get("store"),
            warp: oldest.get("warp"),
            warpts: oldest.get("warpts"),
            count: oldest.get("count"),
        };
        Self { too_many: enters & queue.full() & !decided, queue, next }
    }
}
