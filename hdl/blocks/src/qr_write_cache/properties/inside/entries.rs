//! Invariants: the entries of the FIFO, from the requests that will enter to the one that drains, are those that came
//! last; and what is written through has a cause.

use super::ring::Ring;
use super::stages::Stages;
use super::{Place, Reads, Ways};
use crate::kit::*;
use crate::qr_write_cache::channels::Op;
use crate::qr_write_cache::params::Params;
use crate::qr_write_cache::properties::{Known, Monitor};
use crate::s_fifo::{self, Kind, entry_of_row, row_fields};

/// Bits of counts of entries.
pub(super) const COUNT: u32 = 6;

/// Where an entry may be.
pub(super) struct Entry<'m> {
    pub valid: Signal<'m>,
    pub entry: Record<'m>,
    /// Ways in which the block is written through as it drains, if it is dirty there.
    pub serves: Signal<'m>,
}

impl<'m> Entry<'m> {
    /// The entry that a request will be; a read will be none.
    fn of_request(m: &'m ModuleBuilder, p: &Params, place: &Place<'m>) -> Self {
        let fields = s_fifo::Entry::fields(&p.fifo());
        let is = |op: Op| place.request.get("op").eq(op as u64);
        let kind = is(Op::Release).concat(is(Op::Atomic));
        let entry = record(&fields, |field| match field.name.as_str() {
            "kind" => kind,
            name => place.request.get(name),
        });
        Self { valid: place.valid & !is(Op::Read), entry, serves: m.lit(p.ways, 0) }
    }

    pub fn is(&self, kind: Kind) -> Signal<'m> {
        self.valid & self.entry.get("kind").eq(kind as u64)
    }

    /// A release whose end is seen.
    pub fn ends(&self, p: &Params) -> Signal<'m> {
        let release = self.is(Kind::Release);
        if p.last_level { release & self.entry.get("needs_ack") } else { release }
    }
}

/// All entries, the oldest first.
pub(super) struct Entries<'m> {
    /// Two in the stages behind the FIFO, two on their way out, and the ring.
    pub inside: Vec<Entry<'m>>,
    /// Entries on their way to the ring.
    pub up: Vec<Entry<'m>>,
}

/// Entries in the pipeline stages in front of the ring.
const BEYOND_RING: usize = 4;

impl<'m> Entries<'m> {
    pub fn new(
        monitor: &Monitor<'_, 'm>,
        probes: &Probes,
        behind: [Entry<'m>; 2],
        stages: &Stages<'m>,
    ) -> Self {
        let Monitor { m, p, .. } = monitor;
        let fifo = p.fifo();
        let serves = !m.lit(p.ways, 0);
        let out = SkidBuffer::new(m, probes, "fifo.out", &row_fields(&fifo));
        let out = out.valid.into_iter().zip(&out.data);
        let out = out.map(|(valid, row)| (valid, entry_of_row(&fifo, row)));
        let ring = Ring::new(m, probes, &fifo).entries().into_iter();
        let in_fifo = out.chain(ring).map(|(valid, entry)| Entry { valid, entry, serves });
        let inside = behind.into_iter().chain(in_fifo).collect();
        let up = stages.up.iter().map(|place| Entry::of_request(m, p, place)).collect();
        Self { inside, up }
    }

    fn all(&self) -> impl DoubleEndedIterator<Item = &Entry<'m>> + ExactSizeIterator {
        let all: Vec<_> = self.inside.iter().chain(&self.up).collect();
        all.into_iter()
    }

    /// The entries are those that came last, and what has left the ring was due.
    pub fn state(&self, monitor: &Monitor<'_, 'm>, stages: &Stages<'m>, known: &Known<'m>) {
        let Monitor { m, p, .. } = monitor;
        let causes = &known.causes;
        let mut number = m.lit(COUNT, 0);
        let mut release_behind = m.lit(1, 0);
        let (mut same, mut kinds, mut due) = (Vec::new(), Vec::new(), Vec::new());
        for (i, entry) in self.all().enumerate().rev() {
            let Entry { valid, .. } = *entry;
            let release = entry.is(Kind::Release);
            let of_block = !release & known.stores.is(entry.entry.get("block"));
            let at = |of: Signal<'m>| of.shift_right(number).bit(0);
            same.push(!valid | at(causes.of_block).eq(of_block));
            let kept = at(causes.of_release).eq(release) & at(causes.ends).eq(entry.ends(p));
            kinds.push(!valid | (kept & !entry.entry.get("kind").all()));
            if i < BEYOND_RING {
                due.push(!valid | release | release_behind | number.ge(p.fifo_depth - 1));
            }
            release_behind = release_behind | release;
            number = number + valid.zero_extend(COUNT);
        }
        let doc = "The entries are those that came last.";
        invariant(m, "entries_of_block", all_of(m, &same), doc);
        invariant(m, "entries_of_release", all_of(m, &kinds), doc);
        invariant(m, "entries_due", all_of(m, &due), "What has left the ring was due.");
        // Wide enough for any sum.
        let width = COUNT + 1;
        let gone = count_of(causes.ends.shift_right(number).to_bits(), width);
        let gone = gone + causes.older_ends;
        let down = match p.last_level {
            true => monitor.ack.valid.zero_extend(width),
            false => count_of(stages.down.iter().map(|place| place.is(Op::Release)), width),
        };
        invariant(m, "entries_gone", gone.eq(down), "Releases that are no entries go down.");
    }

    /// Invariants: a dirty block has an entry; the youngest place and missing bytes agree with the circuit.
    pub fn causes(
        &self,
        monitor: &Monitor<'_, 'm>,
        probes: &Probes,
        known: &Known<'m>,
        (stages, reads, ways): (&Stages<'m>, &Reads<'m>, &Ways<'m>),
    ) {
        let Monitor { m, p, .. } = monitor;
        let Known { stores, causes, .. } = known;
        let first = &stages.up[0];
        let misses = reads.is_known & !reads.is_covered & stores.is(first.request.get("block"));
        let bytes = first.request.get("bytes") & !stores.after().get("bytes");
        invariant(m, "read_misses", !misses | bytes.any(), "A read that misses does so later.");
        let here = here(monitor, ways, stores.block);
        let kept = !here.any() | self.serve(known, here);
        invariant(m, "dirty_has_entry", kept, "What is dirty has an entry.");
        let (Some(dirty), Some(is_youngest)) = (causes.dirty, causes.is_youngest) else { return };
        let blocks = (0..1u64 << p.block_bits).map(|block| m.lit(p.block_bits, block));
        let all = blocks.map(|block| self::here(monitor, ways, block).any());
        let same = dirty.eq(column(m, all));
        invariant(m, "dirty_blocks", same, "The blocks that are dirty.");
        let rows = (0..p.sets)
            .map(|set| probes.row(m, "youngest", set, address_bits(p.ways)))
            .collect::<Vec<_>>();
        let sets = one_hot::decode(stores.block.truncate(p.set_bits()), p.sets);
        let way = one_hot::decode(one_hot::select(sets, &rows), p.ways);
        let kept = !(is_youngest & here.any()) | here.eq(way);
        invariant(m, "youngest", kept, "The youngest way.");
    }

    /// One of the entries inside will write the chosen block through, which is dirty in that way.
    fn serve(&self, known: &Known<'m>, way: Signal<'m>) -> Signal<'m> {
        any_of(self.inside.iter().map(|entry| serves(entry, known, way)))
    }
}

/// The entry will write the chosen block through, which is dirty in that way.
pub(super) fn serves<'m>(entry: &Entry<'m>, known: &Known<'m>, way: Signal<'m>) -> Signal<'m> {
    let of_block = known.stores.is(entry.entry.get("block"));
    entry.is(Kind::Write) & of_block & (entry.serves & way).any()
}

/// The ways in which a block is dirty.
pub(super) fn here<'m>(
    monitor: &Monitor<'_, 'm>,
    ways: &Ways<'m>,
    block: Signal<'m>,
) -> Signal<'m> {
    let Monitor { m, p, .. } = monitor;
    column(
        m,
        ways.iter().map(|sets| {
            any_of(
                (0..).zip(sets).map(|(set, (dirty, tag))| {
                    *dirty & tag.concat(m.lit(p.set_bits(), set)).eq(block)
                }),
            )
        }),
    )
}
