//! Releases: a core waits until all that it has written, or seen written, is where its scope will
//! see it, and all invalidations of that have arrived (HMG IV-B, V-B).
//!
//! Links keep order, so a flush that follows messages along a link arrives after them. A release
//! goes from the L2 of the core to the homes, from there after the invalidations to the sharers, and
//! every step is acknowledged. Links on which nothing was sent since the last flush are left out.

use super::Hierarchy;
use super::message::{Kind, Message, Port, Reach};
use crate::gpu::coherence::{Coherence, Routing};
use crate::gpu::isa::Scope;
use warpsmith_blocks::hmg_directory::{Op, Source};

/// Messages that one L2 sent to each other, and how many of them are known to have been handled.
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

/// Stores and atomics that wait in an L2, in two generations: a flush waits for those that were
/// there when it came, however many come after.
#[derive(Debug, Default)]
pub(super) struct Writes {
    waiting: [u32; 2],
    /// The generation of those that come now.
    now: bool,
    /// Flushes that wait for the other generation, and those that wait for the one of now.
    flushes: [Vec<u32>; 2],
}

impl Writes {
    /// One waits, for the first time or again; gives its generation.
    pub(super) fn begin(&mut self, generation: Option<bool>) -> Option<bool> {
        let generation = generation.unwrap_or(self.now);
        self.waiting[usize::from(generation)] += 1;
        Some(generation)
    }
}

/// What an L2 knows of what it has sent and what waits in it.
#[derive(Debug)]
pub(super) struct Progress {
    pub(super) requests: Sent,
    pub(super) invalidations: Sent,
    pub(super) writes: Writes,
}

impl Progress {
    pub(super) fn new(gpms: u32) -> Self {
        let (requests, invalidations) = (Sent::new(gpms), Sent::new(gpms));
        Self { requests, invalidations, writes: Writes::default() }
    }
}

/// A flush at an L2.
#[derive(Debug)]
struct Flush {
    gpm: u32,
    reach: Reach,
    /// Who waits for it, by which name, and after how many of his messages.
    from: Port,
    token: u32,
    sequence: u64,
    /// Acknowledgements that have not come.
    left: u32,
}

/// Flushes under way.
#[derive(Debug, Default)]
pub(super) struct Flushes {
    all: Vec<Flush>,
    free: Vec<u32>,
}

impl Flushes {
    pub(super) fn begin(&mut self, gpm: u32, from: Port, token: u32, sequence: u64) -> u32 {
        let flush = Flush { gpm, reach: Reach::Here, from, token, sequence, left: 0 };
        match self.free.pop() {
            Some(at) => {
                self.all[at as usize] = flush;
                at
            }
            None => {
                self.all.push(flush);
                self.all.len() as u32 - 1
            }
        }
    }

    pub(super) fn waits(&mut self, flush: u32) {
        self.all[flush as usize].left += 1;
    }
}

impl Hierarchy {
    /// A flush has come to an L2: it waits for the writes that wait there.
    pub(super) fn begin_flush(&mut self, gpm: u32, message: u32, reach: Reach) {
        let it = self.messages.get(message);
        let (from, token, sequence) = (it.from, it.token, it.sequence);
        self.messages.end(message);
        let flush = self.flushes.begin(gpm, from, token, sequence);
        self.flushes.all[flush as usize].reach = reach;
        let writes = &mut self.l2[gpm as usize].progress.writes;
        if writes.waiting == [0; 2] || self.system.coherence() == Coherence::Free {
            self.release_directory(flush);
            return;
        }
        let other = usize::from(!writes.now);
        if writes.waiting[other] == 0 && writes.flushes[other].is_empty() {
            // Those of now become the ones that are waited for.
            writes.now = !writes.now;
            writes.flushes[usize::from(!writes.now)].push(flush);
        } else {
            writes.flushes[usize::from(writes.now)].push(flush);
        }
    }

    /// A write no longer waits.
    pub(super) fn write_goes_on(&mut self, gpm: u32, generation: Option<bool>) {
        let Some(generation) = generation else { return };
        let writes = &mut self.l2[gpm as usize].progress.writes;
        writes.waiting[usize::from(generation)] -= 1;
        while writes.waiting[usize::from(!writes.now)] == 0 {
            let ready = std::mem::take(&mut writes.flushes[usize::from(!writes.now)]);
            if ready.is_empty() && writes.flushes[usize::from(writes.now)].is_empty() {
                return;
            }
            writes.now = !writes.now;
            self.ready.extend(ready);
        }
    }

    /// The directory answers a release when all earlier invalidations have left.
    fn release_directory(&mut self, flush: u32) {
        let gpm = self.flushes.all[flush as usize].gpm;
        let l2 = &mut self.l2[gpm as usize];
        if l2.directory.is_none() {
            self.spread(flush);
            return;
        }
        l2.releases.push_back(flush);
        self.present(gpm, Op::Release, Source::Local, 0);
    }

    /// Flushes whose writes have been done go on.
    pub(super) fn continue_flushes(&mut self) {
        while let Some(flush) = self.ready.pop() {
            self.release_directory(flush);
        }
    }

    /// Sends a flush on after all that it is to wait for.
    pub(super) fn spread(&mut self, flush: u32) {
        let Flush { gpm, reach, .. } = self.flushes.all[flush as usize];
        let topology = self.homes.topology;
        let hierarchical = self.system.routing() == Routing::ByGpuHome;
        let has_directory = self.system.coherence() == Coherence::Directory;
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
            // What others have written, and this one may have seen, is flushed by all homes.
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
                self.flush_to(flush, gpm, other, Kind::Flush(reach), sequences.0);
            }
            if told {
                self.flush_to(flush, gpm, other, Kind::Mark(mark), sequences.1);
            }
        }
        self.finish_if_done(flush);
    }

    fn flush_to(&mut self, flush: u32, gpm: u32, other: u32, kind: Kind, sequence: u64) {
        let mut message = Message::new(kind, Port::Gpm(gpm), Port::Gpm(other));
        // The lowest bit tells which network it counts.
        let bit = u64::from(!message.is_request());
        (message.token, message.sequence) = (flush, sequence << 1 | bit);
        let message = self.messages.add(message);
        self.flushes.waits(flush);
        self.send(message);
    }

    /// An L2 has acknowledged a flush or a drop.
    pub(super) fn acknowledged(&mut self, flush: u32, from: Port, sequence: u64) {
        let it = &mut self.flushes.all[flush as usize];
        it.left -= 1;
        let gpm = it.gpm;
        if let Port::Gpm(other) = from {
            let progress = &mut self.l2[gpm as usize].progress;
            match sequence & 1 {
                0 => progress.requests.flush(other, sequence >> 1),
                _ => progress.invalidations.flush(other, sequence >> 1),
            }
        }
        self.finish_if_done(flush);
    }

    pub(super) fn finish_if_done(&mut self, flush: u32) {
        let Flush { gpm, from, token, sequence, left, .. } = self.flushes.all[flush as usize];
        if left > 0 {
            return;
        }
        self.flushes.free.push(flush);
        let mut answer = Message::new(Kind::Acknowledge, Port::Gpm(gpm), from);
        (answer.token, answer.sequence) = (token, sequence);
        let answer = self.messages.add(answer);
        self.send(answer);
    }
}
