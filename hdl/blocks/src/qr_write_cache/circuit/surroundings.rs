//! What is outstanding around the cache: invalidations of each read cache, atomics, and releases of wavefronts.

use super::drain::{Drain, Drains};
use crate::kit::*;
use crate::qr_write_cache::channels::{self, DONE, INV_ACK, RELEASED};
use crate::qr_write_cache::params::Params;

/// Counters, and what they say at this clock.
pub(super) struct Surroundings<'m> {
    m: &'m ModuleBuilder,
    last_level: bool,
    /// Read caches that acknowledge one.
    acknowledged: Signal<'m>,
    /// Of each read cache, invalidations that it has not acknowledged.
    outstanding: Vec<Reg<'m>>,
    /// Of these, those that the release at the head waits for.
    owed: Vec<Reg<'m>>,
    /// `owed` is that of the release at the head.
    is_noted: Reg<'m>,
    /// The release at the head waits for no read cache.
    pub settled: Signal<'m>,
    /// Every read cache may have one more.
    pub inv_room: Signal<'m>,
    done: Signal<'m>,
    in_flight: Reg<'m>,
    finished: Reg<'m>,
    /// The oldest atomic has completed.
    pub completed: Signal<'m>,
    ack_valid: Reg<'m>,
    ack_wavefront: Reg<'m>,
    released: (Signal<'m>, Signal<'m>),
    /// Wavefronts that wait for the end of their release, at the first level.
    waiting: Option<Reg<'m>>,
}

impl<'m> Surroundings<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params) -> Self {
        let channels = channels::channels(p);
        let (ack_comes, acknowledged) = valid_only_input(m, &channels[INV_ACK]);
        let acknowledged = acknowledged.get("caches").and_where(ack_comes).named("acknowledged");
        let (done, _) = valid_only_input(m, &channels[DONE]);
        let (released, record) = valid_only_input(m, &channels[RELEASED]);
        let width = u32::BITS - p.invalidations.leading_zeros();
        let caches = 0..p.read_caches;
        let outstanding = caches.clone().map(|i| m.reg(&format!("outstanding{i}"), width, 0));
        let owed = caches.map(|i| m.reg_without_reset(&format!("owed{i}"), width));
        let (outstanding, owed): (Vec<_>, Vec<_>) = (outstanding.collect(), owed.collect());
        let is_noted =
            m.reg("is_noted", 1, 0).doc("The release at the head knows what it waits for.");
        let settled = *is_noted & !any_of(owed.iter().map(|owed| owed.any()));
        let inv_room = !any_of(outstanding.iter().map(|count| count.eq(p.invalidations)));
        // As many entries may be atomics: those of the FIFO, two on their way out, and two stages.
        let atomics = address_bits(p.fifo_depth + 5);
        let in_flight = m.reg("atomics_in_flight", atomics, 0);
        let finished =
            m.reg("atomics_finished", atomics, 0).doc("Completed, with an entry in the FIFO.");
        let waiting = (p.level == 1).then(|| m.reg("waiting", 1 << p.wavefront_bits, 0));
        Self {
            m,
            last_level: p.last_level,
            acknowledged,
            outstanding,
            owed,
            is_noted,
            settled: settled.named("settled"),
            inv_room: inv_room.named("inv_room"),
            done,
            in_flight,
            finished,
            completed: finished.any(),
            ack_valid: m.reg("ack_comes", 1, 0),
            ack_wavefront: m.reg_without_reset("ack_of", p.wavefront_bits),
            released: (released, record.get("wavefront")),
            waiting,
        }
    }

    /// The wavefront of a request waits for the end of its release.
    pub fn waits_for_release(&self, req: &Stream<'m>) -> Signal<'m> {
        let (m, payload) = (self.m, &req.payload);
        let Some(waiting) = self.waiting else { return m.lit(1, 0) };
        let wavefront = payload.get("wavefront");
        let waits = waiting.shift_right(wavefront).bit(0);
        let begins = req.fires() & payload.get("op").all() & payload.get("needs_ack") & !waits;
        let begins = one_hot::decode(wavefront, waiting.width()).and_where(begins);
        let ends = one_hot::decode(*self.ack_wavefront, waiting.width()).and_where(*self.ack_valid);
        waiting.set((*waiting | begins) & !ends);
        waits
    }

    pub fn update(
        &self,
        drain: &Drain<'m>,
        drains: &Drains<'m>,
        atomic: Signal<'m>,
        writes_through: Signal<'m>,
    ) {
        let m = self.m;
        let notes = (drain.is_release & !*self.is_noted).named("notes_invalidations");
        self.is_noted.set(drain.is_release & !drains.releases);
        for (cache, (outstanding, owed)) in (0u32..).zip(self.outstanding.iter().zip(&self.owed)) {
            let less = self.acknowledged.bit(cache) & outstanding.any();
            let less = less.named(&format!("acknowledges{cache}"));
            step(m, outstanding, writes_through, less);
            let left = **outstanding - less.zero_extend(owed.width());
            m.when(notes, || owed.set(left))
                .otherwise_when(less & owed.any(), || owed.set(**owed - 1));
        }
        // It may be done as it goes down.
        let done = (self.done & (self.in_flight.any() | atomic)).named("atomic_is_done");
        step(m, &self.in_flight, atomic, done);
        step(m, &self.finished, done, drains.completes);

        let (valid, wavefront) = match self.last_level {
            true => (drains.releases & drain.needs_ack, drain.wavefront),
            false => self.released,
        };
        self.ack_valid.set(valid);
        self.ack_wavefront.set(wavefront);
        m.output("ack_valid", *self.ack_valid);
        m.output("ack_wavefront", *self.ack_wavefront).doc("number of the wavefront");
    }
}

/// One more, one less, or both.
fn step<'m>(m: &'m ModuleBuilder, counter: &Reg<'m>, more: Signal<'m>, less: Signal<'m>) {
    let one = m.lit(counter.width(), 1);
    let change = less.mux(!m.lit(counter.width(), 0), one);
    m.when(more ^ less, || counter.set(**counter + change));
}
