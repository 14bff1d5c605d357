//! The commit unit as hardware: one item of a log, one region out, at each clock.
//!
//! ```text
//! log -> buffer -> window: find the region or begin one  -- word --> data RAM ----.
//!                  oldest region, when it is closed  -- bytes, count --> sizes RAM -+-> region
//! region -> buffer -> write -> buffer -> release
//! ```
//!
//! A region has a slot in the ring from when it is begun. Its data is in RAM from the first write on;
//! what must be compared or added to is in registers as long as it is in the window, the youngest
//! slots of the ring.

mod ring;

use super::channels::{self, ERROR, Item, Kind, Misuse};
use super::params::Params;
use crate::kit::*;
pub(super) use ring::region_fields;
use ring::{Ring, Word};

/// The module `getm_commit`.
pub fn circuit(p: &Params) -> Module {
    module("getm_commit", |m| build(m, p))
}

/// An item of a log that waits to be taken.
pub(super) struct Waiting<'m> {
    /// It is well formed.
    pub valid: Signal<'m>,
    pub commits: Signal<'m>,
    /// A commit or an abort.
    pub writes: Signal<'m>,
    pub ends: Signal<'m>,
    /// Number of the region.
    pub granule: Signal<'m>,
    /// The bytes of the region that it writes.
    pub bytes: Signal<'m>,
    pub count: Signal<'m>,
}

fn build(m: &ModuleBuilder, p: &Params) {
    describe(
        m,
        "Commit unit of GETM: coalesces the logs of warps into regions, writes them to the LLC, and\n\
        releases the writes that are done with. Ren, GETM (thesis chapter 4), section 4.5.3 and\n\
        figure 4.6.\n\n\
        Channels are ready/valid: log in; write and release out, in order. A release is presented\n\
        only after its region was written. error pulses for a malformed item, which changes\n\
        nothing.",
        p,
    );
    let log = Stream::input(m, "log", &Item::fields(p));
    let log = skid_buffer::buffer(m, "item", log);
    let item = &log.payload;
    let kind = item.get("kind");
    let is = |kind_is: Kind| kind.eq(kind_is as usize);
    let writes = (is(Kind::Commit) | is(Kind::Abort)).named("is_write");
    let (is_error, code) = misuse(m, p, item, writes);

    let waiting = Waiting {
        valid: (log.valid & !is_error).named("item_waits"),
        commits: is(Kind::Commit),
        writes,
        ends: is(Kind::End),
        granule: p.granule(item.get("address")),
        bytes: bytes(m, p, item, is(Kind::Commit)),
        count: item.get("count"),
    };
    let ring = Ring::new(m, p);
    let window = ring::window(m, p, &ring, &waiting);
    let word = Word {
        written: window.takes & waiting.commits,
        slot: window.slot,
        data: item.get("data"),
        bytes: waiting.bytes,
    };
    let region = ring.regions(m, p, &word, &window.ends);
    ring::leave(m, p, region);
    let taken = (window.takes | is_error).named("item_is_taken");
    log.ready.set(taken);
    raise_errors(m, &channels::channels(p)[ERROR], "an item", &[log.valid & is_error], code);
}

/// Whether the item is malformed, and why.
fn misuse<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    item: &Record<'m>,
    writes: Signal<'m>,
) -> (Signal<'m>, Signal<'m>) {
    let reserved = item.get("kind").gt(Kind::End as usize).named("kind_is_reserved");
    let none = (writes & item.get("count").eq(0)).named("counts_no_writes");
    let misaligned = match p.word_bytes {
        1 => m.lit(1, 0),
        bytes => writes & item.get("address").truncate(bytes.ilog2()).any(),
    };
    let misaligned = misaligned.named("is_misaligned");
    let code = |misuse: Misuse| m.lit(2, misuse as u64);
    let code = reserved.mux(
        code(Misuse::ReservedKind),
        none.mux(code(Misuse::NoWrites), code(Misuse::Misaligned)),
    );
    ((reserved | none | misaligned).named("is_error"), code)
}

/// The bytes of the region that an item writes.
fn bytes<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    item: &Record<'m>,
    commits: Signal<'m>,
) -> Signal<'m> {
    let place = match p.words() {
        1 => None,
        _ => Some(item.get("address").slice(p.word_bytes.ilog2()..p.offset_bits())),
    };
    let word = |word: u32| {
        let here = place.map_or(commits, |place| {
            (commits & place.eq(word)).named(&format!("item_commits_word{word}"))
        });
        item.get("bytes").and_where(here)
    };
    column(m, (0..p.words()).map(word)).named("item_region_bytes")
}
