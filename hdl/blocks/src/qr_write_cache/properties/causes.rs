//! Why the chosen block is written through: the entries of the FIFO as far as the ports tell, and which block of its
//! set came last.

use super::Monitor;
use super::forwards::Forwards;
use super::stores::{self, Stores};
use crate::kit::*;
use crate::qr_write_cache::channels::Op;
use crate::qr_write_cache::rules;

/// Entries that are followed beside those in the FIFO: on their way to it, or behind a release that has not gone down.
const AROUND_FIFO: u32 = 10;

/// Entries of the FIFO, and lines of the cache, of the chosen block.
pub(super) struct Causes<'m> {
    /// With the entry that has just come, of each from the youngest on: it is of the chosen block, it is a release, and
    /// the end of the release is seen.
    pub of_block: Signal<'m>,
    pub of_release: Signal<'m>,
    pub ends: Signal<'m>,
    /// Releases that are older than all of these.
    pub older_ends: Signal<'m>,
    /// After this clock: blocks that are dirty, and that none got its place in the set after the chosen one.
    pub dirty: Option<Signal<'m>>,
    pub is_youngest: Option<Signal<'m>>,
}

impl<'m> Monitor<'_, 'm> {
    /// States why the block may be written through; `ended` is a release.
    pub(super) fn causes(
        &self,
        stores: &Stores<'m>,
        forwards: &Forwards<'m>,
        ended: Signal<'m>,
    ) -> Causes<'m> {
        let Self { m, p, marked, .. } = self;
        let (drains, causes) = self.may_drain(stores, ended);
        let flushes = forwards.flushes(stores);
        let evicts = marked.valid & stores.shares_set(marked.get("block"), p.set_bits());
        let invalidates = stores.invalidates;
        rules::ONLY_WITH_CAUSE.assert(m, !invalidates | drains | flushes | evicts);
        if p.ways == 1 {
            return causes;
        }
        let (is_youngest, after, dirty) = self.youngest(stores);
        rules::EVICTS_OLDER.assert(m, !invalidates | drains | flushes | !is_youngest);
        Causes { dirty: Some(dirty), is_youngest: Some(after), ..causes }
    }

    /// An entry of the block may drain: the FIFO is full, or has a release behind it.
    fn may_drain(&self, stores: &Stores<'m>, ended: Signal<'m>) -> (Signal<'m>, Causes<'m>) {
        let Self { m, p, accepted, .. } = self;
        let count = p.fifo_depth + AROUND_FIFO;
        // Bit 0 is the youngest entry. What is older than all of them has as many behind it as the FIFO has room for.
        let of_block = m.reg("entry_of_block", count, 0);
        let of_release = m.reg("entry_of_release", count, 0);
        let ends = m.reg("entry_ends", count, 0).doc("A release whose end is seen.");
        let older = m.reg("older_of_block", 1, 0);
        // While it is stalled, what is clean behind it leaves, and more comes. Then what is older stays due too long.
        let older_ends = m.reg("older_ends", 6, 0);
        let release = self.takes(Op::Release);
        let enters = release | self.takes(Op::Store) | self.takes(Op::Atomic);
        let bits = [
            (&of_block, !release & stores.is(accepted.get("block"))),
            (&of_release, release),
            (&ends, self.comes_to_an_end()),
        ];
        // The oldest release leaves, with what is older.
        let below = |i: u32| (i + 1 < count).then(|| ends.slice(i + 1..count).any());
        let left = column(m, (0..count).map(|i| below(i).unwrap_or(m.lit(1, 0))));
        let is_followed = ended & !older_ends.any();
        let left = is_followed.mux(left, !m.lit(count, 0));
        let last = |of: &Reg<'m>| of.bit(count - 1) & left.bit(count - 1) & enters;
        older.set((*older & !is_followed) | last(&of_block));
        older_ends.set(stores::one_less(*older_ends, ended) + last(&ends).zero_extend(6));
        let with_new = |of: Signal<'m>, new| enters.mux(of.truncate(count - 1).concat(new), of);
        let [of_block_now, of_release_now, ends_now] = bits.map(|(entries, new)| {
            entries.set(with_new(**entries & left, new));
            with_new(**entries, new)
        });
        let mut release_behind = m.lit(1, 0);
        let mut due = *older | of_block.slice(p.fifo_depth - 1..count).any();
        for i in 0..count {
            due = due | (of_block.bit(i) & release_behind);
            release_behind = release_behind | of_release.bit(i);
        }
        let causes = Causes {
            of_block: of_block_now,
            of_release: of_release_now,
            ends: ends_now,
            older_ends: older_ends.zero_extend(7) + (ends.bit(count - 1) & enters).zero_extend(7),
            dirty: None,
            is_youngest: None,
        };
        (due.named("may_drain"), causes)
    }

    /// Whether no other block got its place in the set after the chosen one; the same after this clock; and the blocks
    /// that are dirty then.
    fn youngest(&self, stores: &Stores<'m>) -> (Signal<'m>, Signal<'m>, Signal<'m>) {
        let Self { m, p, marked, inv, .. } = self;
        let blocks = 1 << p.block_bits;
        let dirty = m.reg("dirty_blocks", blocks, 0).doc("A bit a block.");
        let bit = |of: &Watched<'m>| one_hot::decode(of.get("block"), blocks).and_where(of.valid);
        let dirty_after = (*dirty & !bit(inv)) | bit(marked);
        dirty.set(dirty_after);
        // One that begins anew as it drains keeps its place.
        let begins = (bit(marked) & !*dirty).any();
        let youngest = m.reg("is_youngest", 1, 0);
        let other = begins & stores.shares_set(marked.get("block"), p.set_bits());
        let after = (begins & stores.merges) | (*youngest & !other);
        youngest.set(after);
        (*youngest, after, dirty_after)
    }
}
