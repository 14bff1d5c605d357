//! What the properties remember, and the rules that they assert at the ports.

use super::due::{Chosen, Due, Item, Sum, one_more};
use super::places;
use crate::circuit::byte_mask;
use crate::getm_commit::channels::{self, ERROR, LOG, RELEASE, WRITE};
use crate::getm_commit::params::Params;
use crate::getm_commit::rules;
use crate::kit::*;

/// Regions that may be written and not released, and errors that may be to be raised. Our circuit has
/// one of these, and three of those.
const IN_FLIGHT: u32 = 4;

/// The ports of the commit unit, and what is remembered of what they showed.
pub(super) struct Monitor<'p, 'm> {
    pub m: &'m ModuleBuilder,
    pub p: &'p Params,
    pub chosen: Chosen<'m>,
    pub log: Watched<'m>,
    pub write: Watched<'m>,
    pub release: Watched<'m>,
    pub error: Watched<'m>,
    pub item: Item<'m>,
    /// The release on `release` was there before.
    pub shown: Signal<'m>,
    /// A release of the chosen region is presented for the first time.
    pub presented: Signal<'m>,
    /// How many writes are released.
    pub leave: Signal<'m>,
    /// What the writes come to that it releases.
    pub released: Sum<'m>,
    pub due: Due<'m>,
    /// What the LLC has accepted for the chosen bit with each write of its region that no release
    /// has accounted for.
    pub written: Queue<'m>,
    pub errors: Queue<'m>,
    pub progress: Progress<'m>,
}

impl<'p, 'm> Monitor<'p, 'm> {
    /// Watches the ports and asserts the rules.
    pub fn new(m: &'m ModuleBuilder, p: &'p Params) -> Self {
        let channels = channels::channels(p);
        let [log, write, release, error] =
            [LOG, WRITE, RELEASE, ERROR].map(|index| Watched::channel(m, &channels[index]));
        let chosen = Chosen::new(m, p);
        let item = m.scope("log", || Item::of(m, p, &chosen, &log.payload));
        assert_well_formed(m, p, &write, &release);

        let shown = m.reg("release_shown", 1, 0).doc("The release was there before.");
        shown.set(release.waits());
        let is_new = (release.valid & !*shown).named("new_release");
        let presented = is_new & p.granule(release.get("address")).eq(chosen.granule);
        let presented = presented.named("presented");

        let due = Due::new(m, p);
        let count = release.get("count");
        let released = due.oldest(count);
        let leave = count.and_where(presented);
        rules::COUNTS_RELEASED.assert(m, !presented | released.whole);
        let room = due.set(leave, log.fires(), &item);

        let written = Queue::new(m, "written", IN_FLIGHT, &written_fields());
        let accepted = write.fires() & p.granule(write.get("address")).eq(chosen.granule);
        let sets = chosen.in_bytes(write.get("bytes"));
        let entry = vec![sets, sets & chosen.in_data(write.get("data"))];
        let accounts = presented & released.writes;
        written.set(accepted, &Record::new(&written_fields(), entry), accounts);
        rules::RELEASE_AFTER_WRITE.assert(m, !accounts | written.any());
        let found = written.oldest();
        let as_due = found.get("sets").eq(released.sets) & found.get("value").eq(released.value);
        rules::LAST_WRITE_WINS.assert(m, !(accounts & written.any()) | as_due);

        let errors = Queue::new(m, "error", IN_FLIGHT, error.payload.fields());
        let entry = Record::new(error.payload.fields(), vec![item.code]);
        errors.set(log.fires() & item.error, &entry, error.valid);
        let as_due = errors.any() & errors.oldest().get("code").eq(error.get("code"));
        rules::ERROR_AS_DUE.assert(m, !error.valid | as_due);

        let lost = (accepted & written.full()) | (log.fires() & item.error & errors.full());
        rules::WITHIN_REACH.assert(m, room & !lost);

        let pending = Pending {
            willing: write.ready & release.ready,
            refuses: !log.ready,
            unreleased: due.ended.any() | written.any(),
            ended: due.ended.any(),
            unraised: errors.any() & !error.valid,
            presented: is_new,
            here: presented,
        };
        let progress = assert_progress(m, p, &pending);
        let shown = *shown;
        Self {
            m,
            p,
            chosen,
            log,
            write,
            release,
            error,
            item,
            shown,
            presented,
            leave,
            released,
            due,
            written,
            errors,
            progress,
        }
    }
}

/// The addresses of writes and releases are those of regions; only bytes that are written have data.
fn assert_well_formed<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    write: &Watched<'m>,
    release: &Watched<'m>,
) {
    let [of_write, of_release] =
        [write, release].map(|channel| p.is_aligned(channel.get("address")));
    let bytes = write.get("bytes");
    let zeros = !(write.get("data") & !byte_mask(m, bytes)).any();
    let of_write = of_write & bytes.any() & zeros;
    rules::WELL_FORMED.assert(m, (!write.valid | of_write) & (!release.valid | of_release));
}

/// What is remembered of a write of the chosen region.
fn written_fields() -> Fields {
    Fields::new().with("sets", 1, "the chosen bit is written").with("value", 1, "what with")
}

// What happens in time: the unit waits for nothing but the takers of `write` and `release`.

/// Clocks in which something must happen while `write` and `release` are taken.
const PATIENCE: u64 = 8;

/// What has been due until now and has not happened.
pub(super) struct Progress<'m> {
    /// For how many clocks an item has not been taken.
    pub refusing: Signal<'m>,
    /// For how many clocks nothing has been released.
    pub waiting: Signal<'m>,
    /// For how many clocks no error has been raised.
    pub unraised: Signal<'m>,
    /// How many releases of other regions went before, in unary.
    pub overtaken: Signal<'m>,
}

/// What is to happen.
pub(super) struct Pending<'m> {
    /// `write` and `release` are taken.
    pub willing: Signal<'m>,
    /// No item is taken.
    pub refuses: Signal<'m>,
    /// Something that has ended, or is written, is not released.
    pub unreleased: Signal<'m>,
    /// Something of the chosen region has ended, and is not released.
    pub ended: Signal<'m>,
    /// An error is due, and not raised now.
    pub unraised: Signal<'m>,
    /// A release is presented for the first time.
    pub presented: Signal<'m>,
    /// It is of the chosen region.
    pub here: Signal<'m>,
}

pub(super) fn assert_progress<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    pending: &Pending<'m>,
) -> Progress<'m> {
    let Pending { willing, presented, .. } = *pending;
    let most = places(p) + 2;
    let overtaken = m.reg("overtaken_by", most, 0).doc("As many ones as releases went before.");
    m.when(!pending.ended | (presented & pending.here), || overtaken.set(0))
        .otherwise_when(presented, || overtaken.set(one_more(*overtaken)));
    let progress = Progress {
        refusing: *clocks_of(m, "refusing_for", PATIENCE, willing & pending.refuses),
        waiting: *clocks_of(m, "waiting_for", PATIENCE, willing & pending.unreleased & !presented),
        unraised: *clocks_of(m, "unraised_for", PATIENCE, willing & pending.unraised),
        overtaken: *overtaken,
    };
    rules::TAKES_IN_TIME.assert(m, progress.refusing.ne(PATIENCE));
    rules::RELEASES_IN_TIME.assert(m, progress.waiting.ne(PATIENCE) & !overtaken.all());
    rules::RAISES_IN_TIME.assert(m, progress.unraised.ne(PATIENCE));
    progress
}
