//! The contract as properties to be proven.
//!
//! One store in eight is followed, of an arbitrary residue: until it is merged, written through, acknowledged by
//! read cache 0, and has gone down; and the release that came next after it.

mod history;
mod inside;

use super::channels::Op;
use super::corners::*;
use super::params::Params;
use super::rules;
use super::{ACK, DOWN, ERROR, HIT, INV, INV_ACK, MARK_WRITTEN, RELEASED, REQ};
use crate::kit::*;

/// The module `qr_write_cache_properties`.
pub(super) fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    // Each wavefront has a bit.
    in_range("wavefront_bits", p.wavefront_bits, 1, 4)?;
    in_range("block_bits", p.block_bits, 1, 8)?;
    in_range("fifo_depth", p.fifo_depth, 2, 16)?;
    let doc = "The contract of qr_write_cache on its ports, for one store in eight, and of one wavefront.";
    let properties = Properties::new(&super::BLOCK, doc, inside, |m, probes| {
        let monitor = Monitor::new(m, p);
        let waiting = monitor.wavefront_waits();
        let outstanding = monitor.invalidations();
        let followed = monitor.follow_a_store(outstanding);
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
            monitor.inside(probes, &followed);
            let counted = probes.signal(m, "outstanding0", outstanding.width());
            let shown = monitor.inv.valid.zero_extend(outstanding.width());
            invariant(
                m,
                "outstanding",
                counted.eq(outstanding + shown),
                "Invalidations are counted.",
            );
        }
    });
    let unseen = [RELEASE_WAITS_FOR_INV, ATOMIC_DONE_LATE];
    let unseen = unseen.map(|corner| (corner, "ports do not show what a release waits for"));
    Ok(Properties { unseen: unseen.to_vec(), ..properties })
}

/// What is known of the followed store.
struct Followed<'m> {
    /// A store was accepted in the last clock: its block.
    comes: Signal<'m>,
    came: Signal<'m>,
    /// Stores accepted before it, and merged.
    accepted: Signal<'m>,
    merged: Signal<'m>,
    /// The number of the followed one.
    chosen: Signal<'m>,
    /// It is not merged.
    waits: Signal<'m>,
    block: Signal<'m>,
}

/// The ports.
struct Monitor<'p, 'm> {
    m: &'m ModuleBuilder,
    p: &'p Params,
    req: Watched<'m>,
    inv_ack: Watched<'m>,
    released: Watched<'m>,
    down: Watched<'m>,
    marked: Watched<'m>,
    inv: Watched<'m>,
    hit: Watched<'m>,
    ack: Watched<'m>,
    error: Watched<'m>,
    /// An arbitrary wavefront.
    wavefront: Signal<'m>,
}

impl<'p, 'm> Monitor<'p, 'm> {
    fn new(m: &'m ModuleBuilder, p: &'p Params) -> Self {
        let channels = super::channels(p);
        let [req, inv_ack, released, down, marked, inv, hit, ack, error] =
            [REQ, INV_ACK, RELEASED, DOWN, MARK_WRITTEN, INV, HIT, ACK, ERROR]
                .map(|index| Watched::channel(m, &channels[index]));
        let wavefront = m.input("chosen_wavefront", p.wavefront_bits);
        Self { m, p, req, inv_ack, released, down, marked, inv, hit, ack, error, wavefront }
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
        rules::ERROR_AS_DUE.assert(m, !of_chosen | as_due);
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

    /// The invalidations that read cache 0 has not acknowledged.
    fn invalidations(&self) -> Signal<'m> {
        let Self { m, p, inv, inv_ack, .. } = self;
        let width = u32::BITS - p.invalidations.leading_zeros() + 1;
        let count =
            m.reg("inv_count", width, 0).doc("Invalidations not acknowledged by read cache 0.");
        let now = *count + inv.valid.zero_extend(width);
        rules::NOT_TOO_MANY.assert(m, now.le(p.invalidations));
        let less = inv_ack.valid & inv_ack.get("caches").bit(0) & now.any();
        count.set(now - less.zero_extend(width));
        count.truncate(width - 1)
    }

    /// Follows a store to its end.
    fn follow_a_store(&self, outstanding: Signal<'m>) -> Followed<'m> {
        let Self { m, p, req, inv, inv_ack, down, marked, error, .. } = self;
        let chosen = m.input("chosen_store", 3);
        let accepted = m.reg("stores_accepted", 3, 0);
        let merged = m.reg("stores_merged", 3, 0);
        // What is refused raises error in the next clock: a store counts then.
        let was_store = last_clock(m, "was_store", req.fires() & Self::is(req, Op::Store));
        let block = m.reg_without_reset("store_block", p.block_bits);
        let came = m.reg_without_reset("came_block", p.block_bits);
        came.set(req.get("block"));
        let stores = was_store & !error.valid;
        m.when(stores, || accepted.set(*accepted + 1));
        m.when(marked.valid, || merged.set(*merged + 1));

        let [follows, is_merged, is_through, is_acknowledged, is_down] =
            ["follows", "is_merged", "is_through", "is_acknowledged", "is_down"]
                .map(|name| m.reg(name, 1, 0));
        let begins = stores & accepted.eq(chosen) & !*follows;
        let of_block = |channel: &Watched<'m>| channel.get("block").eq(*block);
        let merges = marked.valid & merged.eq(chosen) & *follows & !*is_merged;
        rules::LAST_VALUES.assert(m, !merges | of_block(marked));
        let through = inv.valid & of_block(inv) & *is_merged & !*is_through;
        // Invalidations up to that of the store.
        let ahead = m.reg("inv_ahead", outstanding.width() + 1, 0);
        let acknowledges = inv_ack.valid & inv_ack.get("caches").bit(0);
        let all = outstanding.zero_extend(ahead.width()) + 1;
        let left = through.mux(all, *ahead);
        let left = left - (acknowledges & left.any()).zero_extend(ahead.width());
        ahead.set(left);
        let goes_down = down.fires() & Self::is(down, Op::Store) & of_block(down);
        let earlier = m
            .reg("earlier_down", 3, 0)
            .doc("Writes of the block on their way before that of the store.");
        let on_way = inv.valid & of_block(inv) & *follows & !*is_merged;
        let earlier_now = *earlier + on_way.zero_extend(3);
        let passes = goes_down & earlier_now.any();
        earlier.set(earlier_now - passes.zero_extend(3));
        let down_now = goes_down & !earlier_now.any() & (*is_through | through);

        let released = down.fires() & Self::is(down, Op::Release);
        let ended = self.next_release(*follows, released);
        rules::WRITES_BEFORE_RELEASE.assert(m, !ended | *is_down);
        rules::RELEASE_INVALIDATES.assert(m, !ended | *is_acknowledged);
        // The writes that were on their way as the store came are not known: it is followed where there were none.
        let quiet = self.nothing_on_way();
        m.when(ended | !*follows, || {
            follows.set(begins & quiet);
            block.set(*came);
            for state in [&is_merged, &is_through, &is_acknowledged, &is_down] {
                state.set(0);
            }
            earlier.set(0);
        })
        .otherwise(|| {
            is_merged.set(*is_merged | merges);
            is_through.set(*is_through | through);
            is_acknowledged.set(*is_acknowledged | ((*is_through | through) & !left.any()));
            is_down.set(*is_down | down_now);
        });
        Followed {
            comes: stores,
            came: *came,
            accepted: *accepted,
            merged: *merged,
            chosen,
            waits: *follows & !*is_merged,
            block: *block,
        }
    }

    /// No write is between `inv` and `down`.
    fn nothing_on_way(&self) -> Signal<'m> {
        let Self { m, inv, down, .. } = self;
        let on_way = m.reg("writes_on_way", 3, 0);
        let more = inv.valid.zero_extend(3);
        let less = (down.fires() & Self::is(down, Op::Store)).zero_extend(3);
        on_way.set(*on_way + more - less);
        (*on_way + more).eq(less)
    }

    /// The first release after the store goes down.
    fn next_release(&self, follows: Signal<'m>, released: Signal<'m>) -> Signal<'m> {
        let Self { m, req, error, .. } = self;
        let came = last_clock(m, "was_release", req.fires() & Self::is(req, Op::Release));
        let width = 6;
        let inside =
            m.reg("releases_inside", width, 0).doc("Releases accepted, and not gone down.");
        let ahead = m.reg("releases_ahead", width, 0).doc("Of these, those before the store.");
        let [more, less] = [came & !error.valid, released].map(|bit| bit.zero_extend(width));
        inside.set(*inside + more - less);
        let follows_before = last_clock(m, "followed", follows);
        let ahead_now = (follows & !follows_before).mux(*inside, *ahead);
        ahead.set(ahead_now - (released & ahead_now.any()).zero_extend(width));
        follows & released & !ahead_now.any()
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
