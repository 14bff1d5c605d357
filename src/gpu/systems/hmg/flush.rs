//! Releases: a core waits until every store that it has made, or observed, is visible to its scope
//! and the invalidations of those stores have arrived (HMG IV-B, V-B).
//!
//! Links keep order, so a flush that follows messages along a link arrives after them. A release
//! goes from the L2 of the core to the homes, from there after the invalidations to the sharers, and
//! every step is acknowledged. Links on which nothing was sent since the last flush are skipped.

use slab::Slab;

use super::Hmg;
use super::message::{Kind, Message, Reach};
use super::variant::Coherence;
use crate::isa::Scope;
use crate::memory::{Packet, Port, Shared, Writes};
use warpsmith_blocks::hmg_directory::{Op, Source};

/// Messages that one L2 sent to each other L2, and how many of them are known to have been handled.
#[derive(Debug)]
pub(super) struct Sent {
    sent: Vec<u64>,
    flushed: Vec<u64>,
}

impl Sent {
    fn new(gpms: u32) -> Self {
        Self { sent: vec![0; gpms as usize], flushed: vec![0; gpms as usize] }
    }

    pub(super) fn sent(&mut self, to: u32) {
        self.sent[to as usize] += 1;
    }

    fn is_clean(&self, to: u32) -> bool {
        self.sent[to as usize] == self.flushed[to as usize]
    }

    fn flush(&mut self, to: u32, sequence: u64) {
        let flushed = &mut self.flushed[to as usize];
        *flushed = sequence.max(*flushed);
    }
}

/// The messages that an L2 has sent, and the writes that wait in it.
#[derive(Debug)]
pub(super) struct Progress {
    pub(super) requests: Sent,
    pub(super) invalidations: Sent,
    /// Stores and atomics that wait, and flushes that wait for them.
    pub(super) writes: Writes<u32>,
}

impl Progress {
    pub(super) fn new(gpms: u32) -> Self {
        let (requests, invalidations) = (Sent::new(gpms), Sent::new(gpms));
        Self { requests, invalidations, writes: Writes::default() }
    }
}

/// A flush at an L2.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flush {
    gpm: u32,
    reach: Reach,
    /// The requester, the token that it knows the flush by, and how many messages it had sent before.
    from: Port,
    token: u32,
    sequence: u64,
    /// Outstanding acknowledgements.
    left: u32,
}

/// Flushes in flight.
#[derive(Debug, Default)]
pub(super) struct Flushes(Slab<Flush>);

impl Flush {
    /// The flush that a message requests.
    pub(super) fn new(gpm: u32, reach: Reach, message: &Message) -> Self {
        let Message { from, token, sequence, .. } = *message;
        Self { gpm, reach, from, token, sequence, left: 0 }
    }
}

impl Flushes {
    pub(super) fn begin(&mut self, flush: Flush) -> u32 {
        self.0.insert(flush) as u32
    }

    pub(super) fn waits(&mut self, flush: u32) {
        self.get(flush).left += 1;
    }

    fn get(&mut self, flush: u32) -> &mut Flush {
        &mut self.0[flush as usize]
    }
}

impl Hmg {
    /// A flush has come to an L2: it waits for the writes that wait there.
    pub(super) fn begin_flush(
        &mut self,
        shared: &mut Shared,
        gpm: u32,
        message: u32,
        reach: Reach,
    ) {
        let flush = self.flushes.begin(Flush::new(gpm, reach, self.fabric.get(message)));
        self.fabric.end(message);
        let writes = &mut self.l2[gpm as usize].progress.writes;
        let ready = match self.variant.coherence {
            Coherence::Free => Some(flush),
            _ => writes.wait(flush),
        };
        if let Some(flush) = ready {
            self.release_directory(shared, flush);
        }
    }

    /// A write no longer waits.
    pub(super) fn write_goes_on(&mut self, gpm: u32, generation: Option<bool>) {
        let writes = &mut self.l2[gpm as usize].progress.writes;
        self.ready.extend(writes.end(generation));
    }

    /// The directory answers a release when all earlier invalidations have left.
    fn release_directory(&mut self, shared: &mut Shared, flush: u32) {
        let gpm = self.flushes.get(flush).gpm;
        let l2 = &mut self.l2[gpm as usize];
        if l2.directory.is_none() {
            self.spread(shared, flush);
            return;
        }
        l2.releases.push_back(flush);
        self.present(shared, gpm, Op::Release, Source::Local, 0);
    }

    /// Flushes whose writes have been done go on.
    pub(super) fn continue_flushes(&mut self, shared: &mut Shared) {
        while let Some(flush) = self.ready.pop() {
            self.release_directory(shared, flush);
        }
    }

    /// Sends a flush on, behind the messages that it waits for.
    pub(super) fn spread(&mut self, shared: &mut Shared, flush: u32) {
        let Flush { gpm, reach, .. } = *self.flushes.get(flush);
        let topology = shared.homes.topology;
        let hierarchical = self.variant.is_hierarchical();
        let has_directory = self.variant.coherence == Coherence::Directory;
        let (sharers, everywhere) = match reach {
            Reach::Here => (false, false),
            Reach::Release(scope) => (true, scope == Scope::Sys || !hierarchical),
            Reach::Upwards => (true, true),
            Reach::Sharers { everywhere } => (true, everywhere),
            Reach::Forwarded => (true, false),
        };
        for other in (0..topology.gpms).filter(|other| *other != gpm) {
            let same_gpu = topology.gpu(other) == topology.gpu(gpm);
            let progress = &self.l2[gpm as usize].progress;
            let written = !progress.requests.is_clean(other);
            // Stores of others that this core may have observed are flushed by all homes.
            let request = match reach {
                Reach::Release(Scope::Sys) if hierarchical && same_gpu => Some(Reach::Upwards),
                Reach::Release(Scope::Cta | Scope::Gpu) if hierarchical && !same_gpu => None,
                Reach::Release(_) if has_directory || written => {
                    Some(Reach::Sharers { everywhere })
                }
                Reach::Upwards if !same_gpu && written => Some(Reach::Sharers { everywhere: true }),
                _ => None,
            };
            let told =
                sharers && (everywhere || same_gpu) && !progress.invalidations.is_clean(other);
            let mark = match hierarchical && !same_gpu {
                true => Reach::Forwarded,
                false => Reach::Here,
            };
            let sequences = (
                progress.requests.sent[other as usize],
                progress.invalidations.sent[other as usize],
            );
            if let Some(reach) = request {
                self.flush_to(shared, flush, other, Kind::Flush(reach), sequences.0);
            }
            if told {
                self.flush_to(shared, flush, other, Kind::Mark(mark), sequences.1);
            }
        }
        self.finish_if_done(shared, flush);
    }

    fn flush_to(&mut self, shared: &mut Shared, flush: u32, other: u32, kind: Kind, sent: u64) {
        let gpm = self.flushes.get(flush).gpm;
        let mut message = Message::new(kind, Port::Gpm(gpm), Port::Gpm(other));
        // The lowest bit tells which network it counts.
        let bit = u64::from(!message.is_request());
        (message.token, message.sequence) = (flush, sent << 1 | bit);
        self.flushes.waits(flush);
        self.fabric.send_new(shared, message);
    }

    /// An L2 has acknowledged a flush or a drop.
    pub(super) fn acknowledged(&mut self, shared: &mut Shared, message: u32) {
        let Message { token: flush, from, sequence, .. } = *self.fabric.get(message);
        let Flush { gpm, left, .. } = self.flushes.get(flush);
        *left -= 1;
        let gpm = *gpm;
        if let Port::Gpm(other) = from {
            let progress = &mut self.l2[gpm as usize].progress;
            match sequence & 1 {
                0 => progress.requests.flush(other, sequence >> 1),
                _ => progress.invalidations.flush(other, sequence >> 1),
            }
        }
        self.finish_if_done(shared, flush);
    }

    pub(super) fn finish_if_done(&mut self, shared: &mut Shared, flush: u32) {
        let Flush { gpm, from, token, sequence, left, .. } = *self.flushes.get(flush);
        if left > 0 {
            return;
        }
        self.flushes.0.remove(flush as usize);
        let mut answer = Message::new(Kind::Acknowledge, Port::Gpm(gpm), from);
        (answer.token, answer.sequence) = (token, sequence);
        self.fabric.send_new(shared, answer);
    }
}
