//! Corners that follow from what has come so far, and what has not: why a block is written through.

use super::Monitor;
use crate::kit::*;
use crate::qr_write_cache::channels::Op;
use crate::qr_write_cache::corners::*;

impl<'m> Monitor<'_, 'm> {
    pub(super) fn cover_by_history(&self) {
        let Self { m, p, req, inv, marked, down, .. } = self;
        let cover = |corner, condition| crate::properties::cover(m, *p, corner, condition);
        let ever = |name: &str, happens: Signal<'m>| {
            let happened = m.reg(name, 1, 0);
            happened.set(*happened | happens);
            *happened
        };
        let fires = |op: Op| req.fires() & Self::is(req, op);
        let leaves = |op: Op| down.fires() & Self::is(down, op);
        let [read, atomic, released] =
            [("read_ever", Op::Read), ("atomic_ever", Op::Atomic), ("released_ever", Op::Release)]
                .map(|(name, op)| ever(name, fires(op)));
        let count = m.reg("stores_ever", 5, 0);
        m.when(fires(Op::Store) & !count.all(), || count.set(*count + 1));
        let stored = count.any();
        let only_stores = !read & !atomic & !released;
        let asked = ever("asked_ever", fires(Op::Release) & req.get("needs_ack"));
        let ended = ever("ended_ever", leaves(Op::Release));

        // Of all blocks, the first that was stored to, was merged last, and was written through.
        let held = |name: &str, when: Signal<'m>, of: &Watched<'m>| {
            let block = m.reg_without_reset(name, p.block_bits);
            m.when(when, || block.set(of.get("block")));
            *block
        };
        let first = held("first_block", fires(Op::Store) & !stored, req);
        let mixed = fires(Op::Store) & stored & req.get("block").ne(first);
        let mixed = ever("mixed_ever", mixed);
        let merged = ever("merged_ever", marked.valid);
        let again = marked.valid
            & merged
            & marked.get("block").eq(held("last_block", marked.valid, marked));
        let through = ever("through_ever", inv.valid);
        let gone = held("gone_block", inv.valid & !through, inv);

        cover(COMBINED, again & !through & !inv.valid);
        cover(EVICTION, inv.valid & only_stores & count.lt(p.fifo_depth));
        let returns = marked.valid & through & marked.get("block").eq(gone);
        cover(EVICTED_BEFORE_DRAINED, returns & only_stores & count.le(p.fifo_depth));
        cover(DRAINED, inv.valid & released & !read & !atomic & count.eq(1));
        cover(FULL_WITHOUT_RELEASE, inv.valid & only_stores & !mixed);
        cover(ATOMIC_TO_DIRTY, inv.valid & atomic & !read & !released & count.eq(1));
        cover(READ_PARTIAL, inv.valid & read & !atomic & !released & count.eq(1));
        cover(ATOMIC_TO_CLEAN, leaves(Op::Atomic) & !stored);
        cover(READ_MISS, leaves(Op::Read) & !stored);
        cover(RELEASE_NOTHING_DIRTY, leaves(Op::Release) & !stored);
        let after = last_clock(m, "release_came", fires(Op::Release));
        cover(RELEASES_BACK_TO_BACK, after & fires(Op::Release) & !asked);
        let stores = fires(Op::Store) & req.get("bytes").any();
        cover(STORE_BEHIND_RELEASE, stores & released & !asked & !ended);
    }
}
