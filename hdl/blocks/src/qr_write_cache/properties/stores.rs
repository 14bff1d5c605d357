//! Stores to one arbitrary block, of which one arbitrary byte is followed: accepted, merged, on their way down, gone.

use super::Monitor;
use crate::kit::*;
use crate::qr_write_cache::channels::Op;
use crate::qr_write_cache::rules;

/// Stores that are accepted and not merged, at most: in three registers, and one shown in the next clock.
const UNMERGED: u32 = 4;
/// Writes between `inv` and `down`, at most.
const ON_WAY: u32 = 4;
/// Bits of counts of either.
const COUNT: u32 = 3;

/// The chosen block.
pub(super) struct Stores<'m> {
    pub block: Signal<'m>,
    /// One-hot.
    byte: Signal<'m>,
    unmerged: Queue<'m>,
    on_way: Queue<'m>,
    /// Bytes stored since it was written through, and the byte's value.
    pub dirty: Signal<'m>,
    pub value: Signal<'m>,
    /// Invalidations until that of the block is acknowledged.
    invs_left: Reg<'m>,
    /// Events of this clock, and the store that comes in it.
    comes: Signal<'m>,
    came: Record<'m>,
    pub merges: Signal<'m>,
    pub invalidates: Signal<'m>,
    writes: Signal<'m>,
    /// Invalidations that read cache 0 has not acknowledged, with that of this clock; and whether it does one.
    invs: Signal<'m>,
    acknowledges: Signal<'m>,
}

impl<'m> Stores<'m> {
    pub fn new(monitor: &Monitor<'_, 'm>, invs: Signal<'m>, acknowledges: Signal<'m>) -> Self {
        let Monitor { m, p, down, marked, inv, .. } = monitor;
        let block = m.input("chosen_block", p.block_bits);
        let byte = match p.block_bytes {
            1 => m.lit(1, 1),
            bytes => one_hot::decode(m.input("chosen_byte", bytes.ilog2()), bytes),
        };
        let of_block = |channel: &Watched<'m>| channel.get("block").eq(block);
        let fields = Fields::new().with("bytes", p.block_bytes, "").with("value", 8, "");
        let unmerged = Queue::new(m, "unmerged", UNMERGED, &fields);
        let on_way = Queue::new(m, "on_way", ON_WAY, &fields);
        let (dirty, value) = (m.reg("block_bytes", p.block_bytes, 0), m.reg("block_value", 8, 0));
        let accepted = &monitor.accepted;
        let bytes = accepted.get("bytes");
        let stored = select_byte(byte, accepted.get("data")).and_where((bytes & byte).any());
        let new = Self {
            block,
            byte,
            dirty: *dirty,
            value: *value,
            invs_left: m.reg("block_invs_left", invs.width(), 0),
            comes: monitor.takes(Op::Store) & accepted.get("block").eq(block),
            came: Record::new(&fields, vec![bytes, stored]),
            merges: marked.valid & of_block(marked),
            invalidates: inv.valid & of_block(inv),
            writes: down.fires() & Monitor::is(down, Op::Store) & of_block(down),
            invs,
            acknowledges,
            unmerged,
            on_way,
        };
        new.state(monitor);
        let after = new.after();
        dirty.set(after.get("bytes"));
        value.set(after.get("value"));
        new
    }

    /// States the rules, and what enters and leaves the queues.
    fn state(&self, monitor: &Monitor<'_, 'm>) {
        let Monitor { m, down, .. } = monitor;
        let Self { unmerged, on_way, invalidates, writes, .. } = self;
        let now = self.now();
        let due = on_way.oldest().or_where_not(on_way.any(), &now);
        let announced = on_way.any() | *invalidates;
        rules::INVALIDATES_FIRST
            .assert(m, (!*invalidates | self.dirty.any()) & (!*writes | announced));
        let written = self.byte_of(down.get("data")).eq(due.get("value"));
        let as_due = written & down.get("bytes").eq(due.get("bytes"));
        rules::LAST_VALUES.assert(m, (!self.merges | unmerged.any()) & (!*writes | as_due));
        let at_once = *writes & !on_way.any();
        on_way.set(*invalidates & !at_once, &now, *writes & on_way.any());
        unmerged.set(self.comes, &self.came, self.merges);
        let left = self.invalidates.mux(self.invs, *self.invs_left);
        self.invs_left.set(self.one_acknowledged(left));
    }

    /// The chosen byte, if it is dirty.
    fn now(&self) -> Record<'m> {
        Record::new(self.came.fields(), vec![self.dirty, self.value])
    }

    /// Next state of the dirty byte.
    pub fn after(&self) -> Record<'m> {
        let kept = |of: Signal<'m>| of.and_where(!self.invalidates);
        let oldest = self.unmerged.oldest();
        let bytes = oldest.get("bytes").and_where(self.merges);
        let value = self.has(bytes).mux(oldest.get("value"), kept(self.value));
        Record::new(self.came.fields(), vec![kept(self.dirty) | bytes, value])
    }

    /// Neither queue has gaps, each has room for what comes, and each store has some byte.
    pub fn in_order(&self) -> Signal<'m> {
        let room = !(self.comes & self.unmerged.full()) & !(self.invalidates & self.on_way.full());
        let bytes = self.not_merged().into_iter().map(|(valid, of)| !valid | of.get("bytes").any());
        let bytes = all_of(self.block.module(), &bytes.collect::<Vec<_>>());
        self.unmerged.in_order() & self.on_way.in_order() & room & bytes
    }

    /// Invalidations until that of the block is acknowledged.
    pub fn invs_left(&self) -> Signal<'m> {
        *self.invs_left
    }

    /// The writes that have not gone down.
    pub fn writes(&self) -> Signal<'m> {
        self.on_way.count()
    }

    /// The stores that are not merged, with the one that comes; the oldest first.
    pub fn not_merged(&self) -> Vec<(Signal<'m>, Record<'m>)> {
        let none = self.block.module().lit(1, 0);
        self.unmerged.after(self.comes, &self.came, none)
    }

    /// The writes that have not gone down, with that which `inv` shows; the oldest first.
    pub fn not_down(&self) -> Vec<(Signal<'m>, Record<'m>)> {
        let none = self.block.module().lit(1, 0);
        self.on_way.after(self.invalidates, &self.now(), none)
    }

    /// Whether it is this block.
    pub fn is(&self, block: Signal<'m>) -> Signal<'m> {
        block.eq(self.block)
    }

    /// Whether another block is in its set.
    pub fn shares_set(&self, block: Signal<'m>, set_bits: u32) -> Signal<'m> {
        !self.is(block) & block.truncate(set_bits).eq(self.block.truncate(set_bits))
    }

    /// The chosen byte of data.
    pub fn byte_of(&self, data: Signal<'m>) -> Signal<'m> {
        select_byte(self.byte, data)
    }

    /// Whether the chosen byte is among these.
    pub fn has(&self, bytes: Signal<'m>) -> Signal<'m> {
        (bytes & self.byte).any()
    }

    /// Whether all of these bytes are dirty, and then the value of the chosen one if it is among them.
    pub fn reads(&self, bytes: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
        let all = !(bytes & !self.dirty).any() & !self.invalidates;
        (all, self.value.and_where(self.has(bytes)))
    }

    fn one_acknowledged(&self, of: Signal<'m>) -> Signal<'m> {
        one_less(of, self.acknowledges)
    }

    /// Fields of what must happen to the block before a request may leave that came after its stores.
    pub fn ahead_fields(&self) -> Fields {
        Fields::new()
            .with("stores_ahead", COUNT, "stores to be merged")
            .with("is_dirty", 1, "what was merged is to be written through")
            .with("writes_ahead", COUNT, "writes to go down")
            .with("invs_ahead", self.invs.width(), "invalidations to be acknowledged")
    }

    /// Stores and invalidations ahead of the request that comes in this clock.
    pub fn ahead_of_new(&self) -> Record<'m> {
        let on_way = self.on_way.count() + self.invalidates.zero_extend(COUNT);
        let left = self.invalidates.mux(self.invs, *self.invs_left);
        Record::new(
            &self.ahead_fields(),
            vec![
                one_less(self.unmerged.count(), self.merges),
                (self.dirty.any() & !self.invalidates) | self.merges,
                one_less(on_way, self.writes),
                self.one_acknowledged(left),
            ],
        )
    }

    /// Stores and invalidations ahead of a request, after this clock.
    pub fn ahead_after(&self, before: &Record<'m>) -> Record<'m> {
        let stores = before.get("stores_ahead");
        let through = self.invalidates & before.get("is_dirty");
        let all_writes = self.on_way.count() + 1;
        let writes = through.mux(all_writes, before.get("writes_ahead"));
        let invs = through.mux(self.invs, before.get("invs_ahead"));
        Record::new(
            &self.ahead_fields(),
            vec![
                one_less(stores, self.merges),
                (before.get("is_dirty") & !self.invalidates) | (self.merges & stores.any()),
                one_less(writes, self.writes),
                self.one_acknowledged(invs),
            ],
        )
    }
}

/// The byte of data whose bit is one.
fn select_byte<'m>(byte: Signal<'m>, data: Signal<'m>) -> Signal<'m> {
    let bytes: Vec<_> = (0..byte.width()).map(|i| data.slice(8 * i..8 * (i + 1))).collect();
    one_hot::select(byte, &bytes)
}

/// One less if `leaves`, and if there is one.
pub(super) fn one_less<'m>(count: Signal<'m>, leaves: Signal<'m>) -> Signal<'m> {
    count - (leaves & count.any()).zero_extend(count.width())
}
