//! What the properties remember, and the rules that they assert at the ports.

use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::chosen::{Chosen, Item};
use super::due::{Due, Sum};
use super::progress::{Pending, Progress, assert_progress};
use crate::getm_commit::channels::{self, ERROR, LOG, RELEASE, WRITE};
use crate::getm_commit::params::Params;
use crate::getm_commit::rules;
use crate::properties::{Queue, Watched};

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
    /// The item on `log`.
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
    /// Codes of errors to be raised.
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
        let presented = is_new & granule_of(p, &release).eq(chosen.granule);
        let presented = presented.named("presented");

        let due = Due::new(m, p);
        let count = release.get("count");
        let released = due.oldest(count);
        let leave = count.and_where(presented);
        rules::COUNTS_RELEASED.assert(m, !presented | released.whole);
        let room = due.set(leave, log.fires(), &item);

        let written = Queue::new(m, "written", IN_FLIGHT, &written_fields());
        let accepted = write.fires() & granule_of(p, &write).eq(chosen.granule);
        let sets = chosen.in_bytes(write.get("bytes"));
        let entry = vec![sets, sets & chosen.in_data(write.get("data"))];
        let accounts = presented & released.writes;
        written.set(accepted, &Record::new(&written_fields(), entry), accounts);
        rules::RELEASE_AFTER_WRITE.assert(m, !accounts | written.any());
        let found = written.oldest();
        let as_due = found.get("sets").eq(released.sets) & found.get("value").eq(released.value);
        rules::LAST_WRITE_WINS.assert(m, !(accounts & written.any()) | as_due);

        let errors = Queue::new(m, "error", IN_FLIGHT, &code_fields());
        let entry = Record::new(&code_fields(), vec![item.code]);
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
        [write, release].map(|channel| is_region(p, channel.get("address")));
    let bytes = write.get("bytes");
    let all = bytes.to_bits().into_iter().map(|bit| bit.repeat(8)).collect::<Vec<_>>();
    let zeros = !(write.get("data") & !m.concat_low_first(&all)).any();
    let of_write = of_write & bytes.any() & zeros;
    rules::WELL_FORMED.assert(m, (!write.valid | of_write) & (!release.valid | of_release));
}

/// Whether an address is that of a region.
pub(super) fn is_region<'m>(p: &Params, address: Signal<'m>) -> Signal<'m> {
    match p.offset_bits() {
        0 => address.module().lit(1, 1),
        bits => !address.truncate(bits).any(),
    }
}

/// Number of the region of a write or a release.
fn granule_of<'m>(p: &Params, channel: &Watched<'m>) -> Signal<'m> {
    channel.get("address").slice(p.offset_bits()..p.address_bits)
}

/// What is remembered of a write of the chosen region.
fn written_fields() -> Fields {
    Fields::new().with("sets", 1, "the chosen bit is written").with("value", 1, "what with")
}

fn code_fields() -> Fields {
    Fields::new().with("code", 2, "why the item has no meaning")
}
