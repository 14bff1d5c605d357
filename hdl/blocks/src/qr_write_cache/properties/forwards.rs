//! Reads and atomics: in their order, behind the stores to their block; and what a read sees.

use super::Monitor;
use super::stores::{Stores, one_less};
use crate::circuit::Held;
use crate::kit::*;
use crate::qr_write_cache::channels::Op;
use crate::qr_write_cache::rules;

/// Reads and atomics inside, at most: in three registers, one issued, and two before `down`.
const INSIDE: usize = 6;

/// Reads and atomics inside, the oldest first.
pub(super) struct Forwards<'m> {
    valid: Vec<Reg<'m>>,
    held: Vec<Held<'m>>,
    /// One has come, and it.
    comes: Signal<'m>,
    new: Record<'m>,
}

pub(super) type Entries<'m> = Vec<(Signal<'m>, Record<'m>)>;

impl<'m> Forwards<'m> {
    /// `unmerged` are the stores to any block that are not merged.
    pub fn new(monitor: &Monitor<'_, 'm>, stores: &Stores<'m>, unmerged: Signal<'m>) -> Self {
        let Monitor { m, p, accepted, marked, .. } = monitor;
        let fields = Fields::new()
            .with("op", 2, "")
            .with("block", p.block_bits, "")
            .with("bytes", p.block_bytes, "")
            .with("wavefront", p.wavefront_bits, "")
            .with("value", 8, "the chosen byte of an atomic's data")
            .with("unmerged_ahead", unmerged.width(), "stores to be merged, to any block")
            .with("is_late", 1, "a later store was merged")
            .and(stores.ahead_fields());
        let valid = (0..INSIDE).map(|i| m.reg(&format!("forward{i}_valid"), 1, 0)).collect();
        let held = (0..INSIDE).map(|i| Held::new(m, &format!("forward{i}"), &fields)).collect();
        let is_atomic = monitor.takes(Op::Atomic);
        let ahead = stores.ahead_of_new();
        let new = record(&fields, |field| match field.name.as_str() {
            "value" => stores.byte_of(accepted.get("data")).and_where(is_atomic),
            "unmerged_ahead" => one_less(unmerged, marked.valid),
            "is_late" => m.lit(1, 0),
            name if ahead.fields().position(name).is_some() => ahead.get(name),
            name => accepted.get(name),
        });
        let new = Self { valid, held, comes: is_atomic | monitor.takes(Op::Read), new };
        new.state(monitor, stores);
        new
    }

    /// Something is inside.
    pub fn any(&self) -> Signal<'m> {
        *self.valid[0]
    }

    /// One is to the chosen block, whose dirty bytes do not serve it.
    pub fn flushes(&self, stores: &Stores<'m>) -> Signal<'m> {
        any_of(self.entries().iter().map(|(valid, of)| {
            let misses = (of.get("bytes") & !stores.dirty).any();
            let is_atomic = of.get("op").eq(Op::Atomic as u64);
            *valid & stores.is(of.get("block")) & (is_atomic | misses)
        }))
    }

    pub fn entries(&self) -> Entries<'m> {
        let held = self.valid.iter().zip(&self.held);
        held.map(|(valid, held)| (**valid, held.get().clone())).collect()
    }

    /// There are no gaps, and there is room for one that comes.
    pub fn in_order(&self) -> Signal<'m> {
        let taken = column(self.new.pack().module(), self.valid.iter().map(|valid| **valid));
        !(taken & (taken + 1)).any() & !(self.comes & taken.all())
    }

    /// Requests in flight, the one that comes in this clock included.
    pub fn with_new(&self) -> Entries<'m> {
        let mut has_room = self.comes;
        let entries = self.entries().into_iter().map(|(valid, of)| {
            let enters = has_room & !valid;
            has_room = has_room & valid;
            (valid | enters, self.new.or_where_not(enters, &of))
        });
        entries.collect()
    }

    fn state(&self, monitor: &Monitor<'_, 'm>, stores: &Stores<'m>) {
        let Monitor { m, hit, down, marked, .. } = monitor;
        let entries = self.entries();
        // The first that it may be: others are the same to the ports.
        let hits = entries.iter().map(|(valid, of)| *valid & is_hit(hit, stores, of));
        let hits = one_hot::lowest(column(m, hits)).and_where(hit.valid);
        rules::READS_WHAT_WAS_STORED.assert(m, !hit.valid | hits.any());
        let after =
            entries.into_iter().map(|(valid, of)| (valid, after(stores, marked.valid, &of)));
        let left = without(m, after.collect(), hits);

        let goes = down.fires() & !Monitor::is(down, Op::Store) & !Monitor::is(down, Op::Release);
        let (is_inside, oldest) = &left[0];
        let same = ["op", "block", "bytes", "wavefront"].map(|f| down.get(f).eq(oldest.get(f)));
        let same = all_of(m, &same)
            & stores.byte_of(down.get("data")).eq(oldest.get("value"))
            & !down.get("needs_ack");
        let clear = ["stores_ahead", "is_dirty", "writes_ahead"].map(|of| !oldest.get(of).any());
        let is_behind = !stores.is(oldest.get("block")) | all_of(m, &clear);
        rules::FORWARDED_IN_ORDER.assert(m, !goes | (*is_inside & same & is_behind));
        let left = without(m, left, goes.zero_extend(INSIDE as u32));

        let mut has_room = self.comes;
        for ((valid, held), (stays, of)) in self.valid.iter().zip(&self.held).zip(left) {
            valid.set(stays | has_room);
            held.set(&of.or_where_not(stays, &self.new));
            has_room = has_room & stays;
        }
    }
}

/// Whether what `hit` shows may be this read.
fn is_hit<'m>(hit: &Watched<'m>, stores: &Stores<'m>, of: &Record<'m>) -> Signal<'m> {
    let same = ["block", "bytes", "wavefront"].map(|field| hit.get(field).eq(of.get(field)));
    let (is_dirty, value) = stores.reads(of.get("bytes"));
    let sees = is_dirty & stores.byte_of(hit.get("data")).eq(value) & !of.get("stores_ahead").any();
    let may_be = of.get("op").eq(Op::Read as u64) & !of.get("is_late");
    let [block, bytes, wavefront] = same;
    block & bytes & wavefront & may_be & (!stores.is(of.get("block")) | sees)
}

/// Next state of a followed read or atomic.
fn after<'m>(stores: &Stores<'m>, merges: Signal<'m>, of: &Record<'m>) -> Record<'m> {
    let (ahead, unmerged) = (stores.ahead_after(of), of.get("unmerged_ahead"));
    record(of.fields(), |field| match field.name.as_str() {
        "unmerged_ahead" => one_less(unmerged, merges),
        "is_late" => of.get("is_late") | (merges & !unmerged.any()),
        name if ahead.fields().position(name).is_some() => ahead.get(name),
        name => of.get(name),
    })
}

/// The entries without the one whose bit is one.
fn without<'m>(m: &'m ModuleBuilder, entries: Entries<'m>, out: Signal<'m>) -> Entries<'m> {
    let mut moves = m.lit(1, 0);
    let place = |i: usize| {
        moves = moves | out.bit(i as u32);
        let none = (m.lit(1, 0), entries[i].1.clone());
        let (next_valid, next) = entries.get(i + 1).unwrap_or(&none);
        let (valid, of) = &entries[i];
        (moves.mux(*next_valid, *valid), next.or_where_not(moves, of))
    };
    (0..entries.len()).map(place).collect()
}
