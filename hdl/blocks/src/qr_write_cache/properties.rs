//! The contract as properties to be proven.
//!
//! Followed are an arbitrary byte of an arbitrary block, one release in four, and until it is merged one store in eight.

mod causes;
mod forwards;
mod history;
mod inside;
mod releases;
mod stores;

use super::channels::Op;
use super::corners::*;
use super::params::Params;
use super::rules;
use super::{ACK, DONE, DOWN, ERROR, HIT, INV, INV_ACK, MARK_WRITTEN, RELEASED, REQ, Request};
use crate::circuit::Held;
use crate::kit::*;
use causes::Causes;
use forwards::Forwards;
use releases::Releases;
use stores::Stores;

/// The module `qr_write_cache_properties`.
pub(super) fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    // Each wavefront has a bit.
    in_range("wavefront_bits", p.wavefront_bits, 1, 4)?;
    in_range("block_bits", p.block_bits, 1, 8)?;
    in_range("fifo_depth", p.fifo_depth, 2, 16)?;
    let doc = "The contract of qr_write_cache on its ports, for one byte of one block, and of one wavefront.";
    let properties = Properties::new(&super::BLOCK, doc, inside, |m, probes| {
        let monitor = Monitor::new(m, p);
        let waiting = monitor.wavefront_waits();
        let invs = monitor.invalidations();
        let followed = monitor.follow_a_store();
        let known = monitor.state(invs, followed);
        monitor.cover();
        monitor.cover_by_history();
        if let (Some(probes), Some(waiting)) = (probes, waiting) {
            let all = probes.signal(m, "waiting", 1 << p.wavefront_bits);
            invariant(
                m,
                "waiting",
                all.shift_right(monitor.wavefront).bit(0).eq(waiting),
                "One bit a wavefront.",
            );
        }
        if let Some(probes) = probes {
            monitor.inside(probes, &known);
            let now = known.invs.now.truncate(known.invs.now.width() - 1);
            let counted = probes.signal(m, "outstanding0", now.width());
            invariant(m, "outstanding", counted.eq(now), "Invalidations are counted.");
        }
    });
    let unseen = [RELEASE_WAITS_FOR_INV, ATOMIC_DONE_LATE];
    let unseen = unseen.map(|corner| (corner, "ports do not show what a release waits for"));
    Ok(Properties { unseen: unseen.to_vec(), ..properties })
}

/// Invalidations that read caches have not acknowledged.
struct Invs<'m> {
    /// Invalidations that read cache 0 has not acknowledged, before and after this clock.
    before: Signal<'m>,
    now: Signal<'m>,
    /// Read cache 0 acknowledges one.
    acknowledges: Signal<'m>,
    /// There are some, of any read cache.
    any: Signal<'m>,
}

/// What is known of the followed store.
struct Followed<'m> {
    /// A store was accepted in the last clock.
    comes: Signal<'m>,
    /// Stores accepted before it, and merged.
    accepted: Signal<'m>,
    merged: Signal<'m>,
    /// The number of the followed one.
    chosen: Signal<'m>,
    /// It is not merged.
    waits: Signal<'m>,
    block: Signal<'m>,
}

/// State of the monitor: invalidations, and the followed release, store and reads.
struct Known<'m> {
    invs: Invs<'m>,
    followed: Followed<'m>,
    stores: Stores<'m>,
    forwards: Forwards<'m>,
    causes: Causes<'m>,
    releases: Releases<'m>,
    /// Clocks in which nothing was seen of what is inside.
    still_for: Signal<'m>,
}

/// The ports.
struct Monitor<'p, 'm> {
    m: &'m ModuleBuilder,
    p: &'p Params,
    req: Watched<'m>,
    inv_ack: Watched<'m>,
    done: Watched<'m>,
    released: Watched<'m>,
    down: Watched<'m>,
    marked: Watched<'m>,
    inv: Watched<'m>,
    hit: Watched<'m>,
    ack: Watched<'m>,
    error: Watched<'m>,
    /// An arbitrary wavefront.
    wavefront: Signal<'m>,
    /// A request came in the last clock; it was accepted, unless it raises error now; it.
    came: Signal<'m>,
    accepts: Signal<'m>,
    accepted: Record<'m>,
}

impl<'p, 'm> Monitor<'p, 'm> {
    fn new(m: &'m ModuleBuilder, p: &'p Params) -> Self {
        let channels = super::channels(p);
        let [req, inv_ack, done, released, down, marked, inv, hit, ack, error] =
            [REQ, INV_ACK, DONE, RELEASED, DOWN, MARK_WRITTEN, INV, HIT, ACK, ERROR]
                .map(|index| Watched::channel(m, &channels[index]));
        let wavefront = m.input("chosen_wavefront", p.wavefront_bits);
        let request = Held::new(m, "came", &Request::fields(p));
        request.set(&req.payload);
        let accepted = request.get().clone();
        let came = last_clock(m, "comes", req.fires());
        let accepts = came & !error.valid;
        Self {
            m,
            p,
            req,
            inv_ack,
            done,
            released,
            down,
            marked,
            inv,
            hit,
            ack,
            error,
            wavefront,
            came,
            accepts,
            accepted,
        }
    }

    /// A request of that kind was accepted in the last clock.
    fn takes(&self, op: Op) -> Signal<'m> {
        self.accepts & self.accepted.get("op").eq(op as u64)
    }

    /// States the rules about what is followed.
    fn state(&self, invs: Invs<'m>, followed: Followed<'m>) -> Known<'m> {
        let stores = Stores::new(self, invs.now, invs.acknowledges);
        let unmerged = followed.accepted - followed.merged;
        let forwards = Forwards::new(self, &stores, unmerged);
        let ended = self.release_ends();
        let causes = self.causes(&stores, &forwards, ended);
        let releases = self.follow_a_release(&stores, ended);
        let waits = unmerged.any() | forwards.any() | releases.inside.any() | self.req.waits();
        let withheld = self.down.waits() | invs.any | releases.atomics.in_flight.any();
        let still_for = self.moves_on(waits, withheld);
        Known { invs, followed, stores, forwards, causes, releases, still_for }
    }

    fn is(channel: &Watched<'m>, op: Op) -> Signal<'m> {
        channel.get("op").eq(op as u64)
    }

    /// Whether the chosen wavefront waits for the end of its release, and errors.
    fn wavefront_waits(&self) -> Option<Signal<'m>> {
        let Self { m, p, req, ack, error, wavefront, .. } = self;
        let is_chosen = |channel: &Watched<'m>| channel.get("wavefront").eq(*wavefront);
        let empty = Self::is(req, Op::Store) & !req.get("bytes").any();
        let of_chosen = last_clock(m, "chosen_requests", req.fires() & is_chosen(req));
        let waits = (p.level == 1).then(|| m.reg("chosen_waits", 1, 0));
        let early = waits.map_or(m.lit(1, 0), |waits| *waits);
        let due = last_clock(m, "error_due", req.fires() & (early | empty));
        let code = m.reg_without_reset("code_due", 1);
        code.set(!early);
        let as_due = error.valid.eq(due) & (!error.valid | error.get("code").eq(*code));
        rules::ERROR_AS_DUE.assert(m, (!of_chosen | as_due) & (self.came | !error.valid));
        if !p.last_level {
            let released = &self.released;
            let due = last_clock(m, "ack_due", released.valid);
            let of = m.reg_without_reset("ack_of", p.wavefront_bits);
            of.set(released.get("wavefront"));
            let same = !ack.valid | ack.get("wavefront").eq(*of);
            rules::ANSWERED_AT_ONCE.assert(m, ack.valid.eq(due) & same);
        }
        let waits = waits?;
        let begins =
            req.fires() & is_chosen(req) & Self::is(req, Op::Release) & req.get("needs_ack");
        let ends = ack.valid & is_chosen(ack);
        waits.set((*waits | begins) & !ends);
        Some(*waits)
    }

    /// The invalidations that read caches have not acknowledged.
    fn invalidations(&self) -> Invs<'m> {
        let Self { m, p, inv, inv_ack, .. } = self;
        let width = u32::BITS - p.invalidations.leading_zeros() + 1;
        let of_cache = |cache: u32| {
            let count = m
                .reg(&format!("inv_count{cache}"), width, 0)
                .doc("Invalidations that the read cache has not acknowledged.");
            let now = *count + inv.valid.zero_extend(width);
            let acknowledges = inv_ack.valid & inv_ack.get("caches").bit(cache);
            count.set(stores::one_less(now, acknowledges));
            (now, acknowledges, *count)
        };
        let all: Vec<_> = (0..p.read_caches).map(of_cache).collect();
        let kept: Vec<_> = all.iter().map(|(now, ..)| now.le(p.invalidations)).collect();
        rules::NOT_TOO_MANY.assert(m, all_of(m, &kept));
        let (now, acknowledges, before) = all[0];
        Invs { before, now, acknowledges, any: any_of(all.iter().map(|(.., count)| count.any())) }
    }

    /// Follows a store until it is merged.
    fn follow_a_store(&self) -> Followed<'m> {
        let Self { m, p, marked, .. } = self;
        let chosen = m.input("chosen_store", 3);
        let accepted = m.reg("stores_accepted", 3, 0);
        let merged = m.reg("stores_merged", 3, 0);
        let comes = self.takes(Op::Store);
        m.when(comes, || accepted.set(*accepted + 1));
        m.when(marked.valid, || merged.set(*merged + 1));
        let follows = m.reg("follows", 1, 0);
        let block = m.reg_without_reset("store_block", p.block_bits);
        let begins = comes & accepted.eq(chosen) & !*follows;
        let merges = marked.valid & merged.eq(chosen) & *follows;
        rules::MERGED_IN_ORDER.assert(m, !merges | marked.get("block").eq(*block));
        follows.set(begins | (*follows & !merges));
        m.when(begins, || block.set(self.accepted.get("block")));
        let (accepted, merged, waits, block) = (*accepted, *merged, *follows, *block);
        Followed { comes, accepted, merged, chosen, waits, block }
    }

    fn cover(&self) {
        let Self { m, p, req, inv, marked, hit, error, down, .. } = self;
        let cover = |corner, condition| crate::properties::cover(m, *p, corner, condition);
        let was = |name: &str, op: Op| last_clock(m, name, req.fires() & Self::is(req, op));
        let code = error.get("code");
        cover(EARLY_FLAG, error.valid & !code & was("stored", Op::Store));
        cover(EARLY_RELEASE, error.valid & !code & was("released", Op::Release));
        cover(NO_BYTES, error.valid & code);
        cover(READ_HIT, hit.valid);
        cover(STORE_AND_DRAIN, inv.valid & marked.valid & inv.get("block").ne(marked.get("block")));
        cover(FLAG_PUSHED, req.fires() & Self::is(req, Op::Release) & !req.get("needs_ack"));
        let limit = m.reg("inv_so_far", 4, 0);
        m.when(self.inv_ack.valid, || limit.set(0))
            .otherwise_when(inv.valid, || limit.set(*limit + 1));
        cover(INV_LIMIT, limit.eq(p.invalidations.min(7)));
        for (channel, watched) in [(REQ, req), (DOWN, down)] {
            cover_stalls(m, *p, STALLED, (channel, watched));
        }
    }
}
