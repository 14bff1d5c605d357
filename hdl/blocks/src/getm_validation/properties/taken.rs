//! What was taken from `req` and `release`, and has not been issued.

use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::events::Events;
use super::granule_of;
use crate::getm_validation::params::Params;
use crate::properties::{Queue, Watched};

/// Requests, or releases, that are not issued. Our circuit has two, and shows one in the clock after.
const WAITING: u32 = 3;

/// What waits to be issued.
pub(super) struct Taken<'m> {
    pub requests: Queue<'m>,
    pub releases: Queue<'m>,
    /// What is issued is the next.
    pub as_taken: Signal<'m>,
    /// More is taken than can be remembered.
    pub too_many: Signal<'m>,
    /// Writes that the release that is issued is of.
    pub count: Signal<'m>,
}

/// What is remembered of a request.
pub(super) fn request_fields(p: &Params) -> Fields {
    Fields::new()
        .with("granule", p.granule_bits(), "the granule")
        .with("store", 1, "a store")
        .with("warp", p.owner_bits, "the warp")
        .with("warpts", p.timestamp_bits, "its timestamp")
}

/// The access on a channel.
pub(super) fn access_on<'m>(p: &Params, channel: &Watched<'m>) -> Record<'m> {
    let rest = ["store", "warp", "warpts"].map(|name| channel.get(name));
    Record::new(&request_fields(p), [&[granule_of(p, channel)][..], &rest].concat())
}

/// What is remembered of a release.
pub(super) fn release_fields(p: &Params) -> Fields {
    Fields::new().with("granule", p.granule_bits(), "the granule").with(
        "count",
        p.write_count_bits,
        "writes that are done with",
    )
}

impl<'m> Taken<'m> {
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        (req, release): (&Watched<'m>, &Watched<'m>),
        (issued, events): (&Watched<'m>, &Events<'m>),
    ) -> Self {
        let requests = Queue::new(m, "request", WAITING, &request_fields(p));
        let is_request = events.request | events.refused_request;
        requests.set(req.fires(), &access_on(p, req), is_request);
        let next = requests.any() & requests.oldest().pack().eq(access_on(p, issued).pack());

        let releases = Queue::new(m, "release", WAITING, &release_fields(p));
        let entry = vec![granule_of(p, release), release.get("count")];
        let entry = Record::new(&release_fields(p), entry);
        releases.set(release.fires(), &entry, events.release);
        let oldest = releases.oldest();
        let next_release = releases.any() & oldest.get("granule").eq(granule_of(p, issued));

        let lost = (requests.full() & req.fires()) | (releases.full() & release.fires());
        Self {
            as_taken: (!is_request | next) & (!events.release | next_release),
            too_many: lost,
            count: oldest.get("count"),
            requests,
            releases,
        }
    }
}
