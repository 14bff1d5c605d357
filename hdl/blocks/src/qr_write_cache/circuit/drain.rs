//! The oldest entry of the synchronization FIFO: what is done about it.

use super::Enqueue;
use super::outputs::Outputs;
use super::places::{At, Newer, Places};
use super::stage::Stage;
use super::surroundings::Surroundings;
use crate::kit::*;
use crate::qr_write_cache::params::Params;
use crate::s_fifo;

/// The entry that drains.
pub(super) struct Drain<'m> {
    pub block: Signal<'m>,
    pub wavefront: Signal<'m>,
    pub needs_ack: Signal<'m>,
    is_write: Signal<'m>,
    pub is_atomic: Signal<'m>,
    pub is_release: Signal<'m>,
    /// The way in which its block is dirty, one-hot, if it is a write.
    pub at: At<'m>,
    /// The request is to the same set.
    pub set_is_request: Signal<'m>,
    /// It is a write whose block may be dirty. It is known early: what is dirty is known late.
    may_be_dirty: Signal<'m>,
    leaves: Wire<'m>,
    last_level: bool,
}

/// What is done about it in this clock.
#[derive(Clone, Copy)]
pub(super) struct Drains<'m> {
    /// Its block is written through.
    pub writes_through: Signal<'m>,
    /// The release goes down, or ends here.
    pub releases: Signal<'m>,
    /// The atomic has completed.
    pub completes: Signal<'m>,
    /// A request cannot use the way down.
    pub takes_slot: Signal<'m>,
}

/// The FIFO, in which what the request is enters; its oldest entry, while it drains.
pub(super) fn fifo<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    enqueue: &Enqueue<'m>,
    request: &Record<'m>,
) -> Stream<'m> {
    let ready = m.wire("drain_ready", 1);
    // A store is a write, and a read does not enter.
    let op = request.get("op");
    let kind = op.bit(1).concat(op.bit(0) & !op.bit(1));
    let inputs = [
        ("enqueue_valid", *enqueue.valid),
        ("enqueue_kind", kind),
        ("enqueue_block", request.get("block")),
        ("enqueue_wavefront", request.get("wavefront")),
        ("enqueue_needs_ack", request.get("needs_ack")),
        ("dequeue_ready", *ready),
    ];
    let fifo = m.instance("fifo", &s_fifo::circuit(&p.fifo()), &inputs);
    enqueue.ready.set(fifo.output("enqueue_ready"));
    let fields = s_fifo::Entry::fields(&p.fifo());
    let payload = record(&fields, |field| fifo.output(&format!("dequeue_{}", field.name)));
    Stream { valid: fifo.output("dequeue_valid"), payload, ready }
}

impl<'m> Drain<'m> {
    /// The stage behind the FIFO: between them the tags are read.
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        entries: &Stream<'m>,
        places: &Places<'_, 'm>,
    ) -> Self {
        let next = places.lookup("next_drain", Newer::Ignored, entries);
        let stage = Stage::new(m, "drain", &next.stage.stream());
        let (block, kind) = (stage.payload.get("block"), stage.payload.get("kind"));
        let is_write = (*stage.valid & !kind.any()).named("drains_write");
        let compared = places.compare_request("drain", block);
        let matches = m.reg_without_reset("drain_match", p.ways);
        let may_be_dirty = m.reg_without_reset("may_be_dirty", 1);
        let dirty = (next.before & places.dirty(next.stage.payload.get("block"))).any();
        m.when(stage.advances, || {
            matches.set(next.after);
            may_be_dirty.set(dirty);
        })
        .otherwise(|| matches.set(places.after(Newer::Ignored, *matches, compared)));
        let way = (*matches & places.dirty(block)).and_where(is_write).named("drained");
        Self {
            block,
            wavefront: stage.payload.get("wavefront"),
            needs_ack: stage.payload.get("needs_ack"),
            is_write,
            is_atomic: (*stage.valid & kind.bit(0)).named("drains_atomic"),
            is_release: (*stage.valid & kind.bit(1)).named("drains_release"),
            at: At { set: places.set(block), way },
            set_is_request: compared.0,
            may_be_dirty: (is_write & *may_be_dirty).named("drains_dirty"),
            leaves: stage.leaves,
            last_level: p.last_level,
        }
    }

    pub fn decide(&self, outputs: &Outputs<'_, 'm>, surroundings: &Surroundings<'m>) -> Drains<'m> {
        let wants = (self.may_be_dirty & surroundings.inv_room).named("drain_writes");
        let ends = (self.is_release & surroundings.settled).named("release_is_due");
        let (takes_slot, releases) = match self.last_level {
            true => (wants, ends),
            false => (wants | ends, ends & outputs.free),
        };
        let clears = (wants & outputs.free).named("drain_clears");
        let writes_through = (self.at.way.any() & clears).named("drain_writes_through");
        let completes = (self.is_atomic & surroundings.completed).named("atomic_completes");
        let passes = self.is_write & !self.may_be_dirty;
        self.leaves.set(passes | clears | completes | releases);
        let releases = releases.named("releases");
        Drains { writes_through, releases, completes, takes_slot }
    }
}
