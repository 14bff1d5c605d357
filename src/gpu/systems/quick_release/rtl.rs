//! The circuits of the write cache and of its S-FIFO in their places.
//!
//! A line is two blocks of 64 bytes there: the block's bytes have a mask of one word. A load or an atomic of a line
//! is a request for each of its blocks.

use std::collections::VecDeque;
use std::fmt;

use warpsmith_blocks::block::Design;
use warpsmith_blocks::qr_write_cache::{
    ACK, DONE, DOWN, ERROR, HIT, INV, INV_ACK, Op, Params, RELEASED, REQ, Request,
};
use warpsmith_blocks::s_fifo::{self, Entry};
use warpsmith_testbench::mismatch::Mismatch;
use warpsmith_testbench::place::Place;
use warpsmith_testbench::verilator::Warning;

use super::levels::{At, Level};
use super::message::{Kind, Message};
use super::s_fifo::SFifo;
use super::write_cache::{Combining, Output, WriteCache};
use crate::gpu::config::{Config, LINE, WriteCacheConfig};
use crate::gpu::memory::{Bytes, Circuits, Data, RtlError, RtlSettings};

/// Bytes of a block, and words of its data.
const BLOCK: usize = 64;
const WORDS: usize = BLOCK / 8;
/// Bits of a warp's number in its core.
const WARP_BITS: u32 = 6;
/// Invalidations that a read cache has not acknowledged, at most; as in the block's preset `paper`.
const INVALIDATIONS: u32 = 15;

/// Clocks without a transfer after which nothing is on its way inside of a circuit: more than its stages.
const QUIET: u32 = 16;

const BLOCKS: [&str; 2] = ["qr_write_cache", "s_fifo"];

/// The levels of a machine, by number.
fn levels(config: &Config) -> impl Iterator<Item = At> {
    let cores = config.machine.cores();
    (0..cores + 2).map(move |number| At::of(number, cores))
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::L1(core) => write!(f, "l1.core{core}"),
            Self::L2 => f.write_str("l2"),
            Self::Directory => f.write_str("directory"),
        }
    }
}

/// The write cache and the S-FIFO of each level.
pub(super) fn places(config: &Config) -> Vec<String> {
    match config.write_caches {
        None => Vec::new(),
        Some(_) => BLOCKS
            .into_iter()
            .flat_map(|block| levels(config).map(move |at| format!("{block}@{at}")))
            .collect(),
    }
}

/// Bits of a block's number: of addresses of 48 bits.
const BLOCK_BITS: u32 = 42;

fn wavefront_bits(at: At, config: &Config) -> u32 {
    match at {
        At::L1(_) => WARP_BITS,
        _ => WARP_BITS + config.machine.cores().next_power_of_two().ilog2().max(1),
    }
}

/// Parameters of the write cache of a level.
fn parameters(at: At, config: &Config, cache: &WriteCacheConfig) -> Params {
    Params {
        sets: cache.bytes / BLOCK as u32 / cache.ways,
        ways: cache.ways,
        block_bytes: BLOCK as u32,
        block_bits: BLOCK_BITS,
        fifo_depth: cache.entries,
        wavefront_bits: wavefront_bits(at, config),
        level: match at {
            At::L1(_) => 1,
            At::L2 => 2,
            At::Directory => 3,
        },
        last_level: at == At::Directory,
        read_caches: at.read_caches(config),
        invalidations: INVALIDATIONS,
    }
}

/// Puts circuits in the chosen places. A write cache's circuit has its S-FIFO's in it: where both are chosen,
/// that is the one.
pub(super) fn put(
    all: &mut [Level],
    config: &Config,
    settings: &RtlSettings,
    chosen: &[bool],
) -> Result<Vec<Warning>, RtlError> {
    let (caches, fifos) = chosen.split_at(chosen.len() / BLOCKS.len());
    let mut warnings = Vec::new();
    let (mut write_caches, mut s_fifos) =
        (Vec::<Made<Params>>::new(), Vec::<Made<s_fifo::Params>>::new());
    for (((level, at), is_cache), is_fifo) in
        all.iter_mut().zip(levels(config)).zip(caches).zip(fifos)
    {
        let Some(cache) = at.config(config) else { continue };
        if *is_cache {
            let params = parameters(at, config, cache);
            let place = made(&mut write_caches, &params, settings, &mut warnings)?;
            level.write_cache = Box::new(Circuit::new(place, params, at));
        } else if *is_fifo {
            let (depth, wavefront_bits) = (cache.entries, WARP_BITS + 6);
            let params = s_fifo::Params { depth, block_bits: BLOCK_BITS, wavefront_bits };
            let place = made(&mut s_fifos, &params, settings, &mut warnings)?;
            let fifo = Box::new(FifoCircuit::new(place, at, depth));
            let is_last = at == At::Directory;
            level.write_cache =
                Box::new(Combining::new(cache, fifo, at.read_caches(config), is_last));
        }
    }
    Ok(warnings)
}

/// Circuits with the same parameters, which are built once.
type Made<P> = (P, Circuits<P>);

fn made<P>(
    all: &mut Vec<Made<P>>,
    params: &P,
    settings: &RtlSettings,
    warnings: &mut Vec<Warning>,
) -> Result<Place, RtlError>
where
    P: Design + warpsmith_blocks::parameters::Parameters + Clone + PartialEq,
{
    if !all.iter().any(|(known, _)| known == params) {
        let mut circuits = Circuits::new(params.clone(), settings)?;
        warnings.append(&mut circuits.warnings);
        all.push((params.clone(), circuits));
    }
    let circuits = all.iter().find(|(known, _)| known == params).map(|(_, circuits)| circuits);
    circuits.map_or_else(|| unreachable!("it was just made"), |circuits| circuits.place(&[]))
}

/// A load or an atomic in a write cache's circuit.
#[derive(Debug)]
struct UnderWay {
    message: Message,
    /// Blocks of the line, one bit each: that are asked for, and of which nothing has been seen.
    asked: u8,
    left: u8,
    /// Bytes that hit.
    hit: Bytes,
}

/// A write cache's circuit in its place.
struct Circuit {
    place: Place,
    params: Params,
    at: At,
    /// Requests that it has not taken, each with its warp, and the last that it took.
    queue: VecDeque<(Request, u32, u32)>,
    last: Option<(Request, u32, u32)>,
    under_way: VecDeque<UnderWay>,
    /// Of each atomic that went down, its blocks.
    atomics: VecDeque<u32>,
    /// Clocks since something was offered or transferred.
    quiet: u32,
    mismatch: Option<String>,
}

impl fmt::Debug for Circuit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RTL of the write cache of {}", self.at)
    }
}

/// The data of a block of a line.
fn block_data(data: &Data, half: usize) -> [u64; WORDS] {
    let bytes = &data[half * BLOCK..(half + 1) * BLOCK];
    std::array::from_fn(|word| {
        let word = &bytes[8 * word..8 * word + 8];
        word.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
    })
}

/// Puts the data of a block in its place in a line.
fn put_block(line: &mut Data, half: usize, words: &[u64]) {
    for (word, value) in words.iter().enumerate() {
        let at = half * BLOCK + 8 * word;
        line[at..at + 8].copy_from_slice(&value.to_le_bytes());
    }
}

impl Circuit {
    fn new(place: Place, params: Params, at: At) -> Self {
        let (queue, under_way, atomics) = (VecDeque::new(), VecDeque::new(), VecDeque::new());
        let (last, quiet, mismatch) = (None, 0, None);
        Self { place, params, at, queue, last, under_way, atomics, quiet, mismatch }
    }

    fn wavefront(&self, core: u32, warp: u32) -> u64 {
        match self.at {
            At::L1(_) => warp.into(),
            _ => u64::from(core << WARP_BITS | warp),
        }
    }

    /// The core and the warp of a wavefront.
    fn warp(&self, wavefront: u64) -> (u32, u32) {
        match self.at {
            At::L1(core) => (core, wavefront as u32),
            _ => ((wavefront >> WARP_BITS) as u32, wavefront as u32 % (1 << WARP_BITS)),
        }
    }

    fn give(&mut self, channel: usize, payload: &[u64]) {
        self.quiet = 0;
        self.place.offer(channel, payload);
    }

    fn offer(&mut self, request: Request, core: u32, warp: u32) {
        self.give(REQ, &request.encode(&self.params));
        self.queue.push_back((request, core, warp));
    }

    /// Handles the transfers of a clock.
    fn handle(&mut self, outputs: &mut Vec<Output>) -> Result<(), Box<Mismatch>> {
        let transfers: Vec<(usize, Vec<u64>)> =
            self.place.transfers().map(|(channel, payload)| (channel, payload.to_vec())).collect();
        self.quiet = if transfers.is_empty() { self.quiet + 1 } else { 0 };
        for (channel, payload) in transfers {
            match channel {
                REQ => self.last = self.queue.pop_front().or(self.last),
                INV => outputs.push(Output::Invalidate((payload[0] / 2) as u32)),
                HIT => self.found(Op::Read, &payload, Some(&payload[3..]), outputs),
                DOWN => self.went_down(&payload, outputs),
                ACK => {
                    let (core, warp) = self.warp(payload[0]);
                    outputs.push(Output::Released { core, warp });
                }
                _ => {}
            }
        }
        self.place.unexpected(ERROR).map_or(Ok(()), Err)
    }

    fn went_down(&mut self, payload: &[u64], outputs: &mut Vec<Output>) {
        let request = Request::decode(payload);
        let Request { op, block, bytes, wavefront, needs_ack, .. } = request;
        let (core, warp) = self.warp(wavefront);
        match op {
            Op::Store => {
                let (core, warp) = self.last.map_or((0, 0), |(_, core, warp)| (core, warp));
                let half = (block % 2) as usize;
                let mut store = Message::new(Kind::Store, core, warp);
                store.line = (block / 2) as u32;
                store.bytes = Bytes::from(bytes) << (half * BLOCK);
                put_block(&mut store.data, half, &request.data[..WORDS]);
                outputs.push(Output::Down(store));
            }
            Op::Release => {
                let release = Message::new(Kind::Release { needs_ack }, core, warp);
                outputs.push(Output::Down(release));
            }
            Op::Read | Op::Atomic => {
                self.found(op, &[block, bytes, wavefront], None, outputs);
            }
        }
    }

    /// A block of a load or an atomic has gone down, or hit with that data.
    fn found(&mut self, op: Op, of: &[u64], data: Option<&[u64]>, outputs: &mut Vec<Output>) {
        let (block, wavefront) = (of[0], of[2]);
        let (line, half) = ((block / 2) as u32, (block % 2) as usize);
        let kind = if op == Op::Read { Kind::Load } else { Kind::Atomic };
        let (core, warp) = self.warp(wavefront);
        let is_it = |it: &UnderWay| {
            let Message { kind: of_kind, line: of_line, core: c, warp: w, .. } = it.message;
            of_kind == kind && of_line == line && it.left >> half & 1 == 1 && (c, w) == (core, warp)
        };
        let Some(at) = self.under_way.iter().position(is_it) else { return };
        let it = &mut self.under_way[at];
        it.left &= !(1 << half);
        if let Some(data) = data {
            it.hit |= Bytes::from(of[1]) << (half * BLOCK);
            put_block(&mut it.message.data, half, data);
        }
        if it.left != 0 {
            return;
        }
        let Some(UnderWay { mut message, asked, hit, .. }) = self.under_way.remove(at) else {
            return;
        };
        if kind == Kind::Atomic {
            self.atomics.push_back(asked.count_ones());
        } else if message.bytes & !hit == 0 {
            outputs.push(Output::Hit(message));
            return;
        } else {
            message.have |= hit;
        }
        outputs.push(Output::Down(message));
    }
}

impl WriteCache for Circuit {
    fn request(&mut self, message: Message) {
        let Message { kind, line, bytes, ref data, core, warp, .. } = message;
        let wavefront = self.wavefront(core, warp);
        let half_bytes = |half: usize| (bytes >> (half * BLOCK)) as u64;
        let halves = (0..LINE / BLOCK).filter(|half| half_bytes(*half) != 0);
        let requests: Vec<Request> = match kind {
            Kind::Release { needs_ack } => vec![Request::release(wavefront, needs_ack)],
            _ => halves
                .clone()
                .map(|half| {
                    let block = u64::from(line) * 2 + half as u64;
                    let store =
                        Request::store(block, half_bytes(half), block_data(data, half), wavefront);
                    match kind {
                        Kind::Load => Request::read(block, half_bytes(half), wavefront),
                        Kind::Atomic => Request { op: Op::Atomic, ..store },
                        _ => store,
                    }
                })
                .collect(),
        };
        let asked = halves.fold(0, |asked, half| asked | 1 << half);
        if matches!(kind, Kind::Load | Kind::Atomic) {
            self.under_way.push_back(UnderWay { message, asked, left: asked, hit: 0 });
        }
        requests.into_iter().for_each(|request| self.offer(request, core, warp));
    }

    /// A few requests wait outside of the circuit.
    fn is_full(&self) -> bool {
        self.queue.len() > 2
    }

    fn acknowledged(&mut self, cache: usize) {
        self.give(INV_ACK, &[1 << cache]);
    }

    fn atomic_done(&mut self) {
        for _ in 0..self.atomics.pop_front().unwrap_or(0) {
            self.give(DONE, &[]);
        }
    }

    fn released(&mut self, core: u32, warp: u32) {
        let wavefront = self.wavefront(core, warp);
        self.give(RELEASED, &[wavefront]);
    }

    fn advance(&mut self, _: &mut Vec<Output>) {}

    fn clock(&mut self, outputs: &mut Vec<Output>) {
        let clocked = self.place.clock(|_| false);
        if let Err(mismatch) = clocked.and_then(|()| self.handle(outputs)) {
            let cause = self.last.or(self.queue.front().copied());
            let cause = cause.map_or(String::new(), |(request, core, warp)| {
                let address = request.block * BLOCK as u64;
                format!(", caused by {request}, at byte 0x{address:x}, of core {core} warp {warp}")
            });
            let (at, clock) = (self.at, mismatch.clock);
            self.mismatch =
                Some(format!("write cache of {at}, its clock {clock}{cause}: {mismatch}"));
        }
    }

    /// With nothing on its way inside, it stays as it is until something is offered.
    fn is_busy(&self) -> bool {
        self.mismatch.is_none() && self.quiet < QUIET
    }

    fn compared(&self) -> u64 {
        self.place.compared()
    }

    fn mismatch(&self) -> Option<&str> {
        self.mismatch.as_deref()
    }
}

/// An S-FIFO's circuit in its place.
struct FifoCircuit {
    place: Place,
    at: At,
    depth: usize,
    /// Entries inside, and releases among them.
    inside: VecDeque<bool>,
    left: VecDeque<Entry>,
    mismatch: Option<String>,
}

impl fmt::Debug for FifoCircuit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RTL of the S-FIFO of {}", self.at)
    }
}

impl FifoCircuit {
    fn new(place: Place, at: At, depth: u32) -> Self {
        let (inside, left) = (VecDeque::new(), VecDeque::new());
        Self { place, at, depth: depth as usize, inside, left, mismatch: None }
    }
}

impl SFifo for FifoCircuit {
    fn enqueue(&mut self, entry: Entry) {
        self.inside.push_back(entry.is_release());
        self.place.offer(s_fifo::ENQUEUE, &entry.encode());
    }

    fn next(&mut self) -> Option<Entry> {
        self.left.pop_front()
    }

    fn has_room(&self) -> bool {
        self.inside.len() < self.depth + 2
    }

    fn clock(&mut self, may_leave: bool) {
        let may_leave = may_leave && self.left.is_empty();
        let clocked = self.place.clock(|channel| channel == s_fifo::DEQUEUE && !may_leave);
        let left = self.place.transfers().filter(|(channel, _)| *channel == s_fifo::DEQUEUE);
        let left: Vec<_> = left.map(|(_, payload)| Entry::decode(payload)).collect();
        left.iter().for_each(|_| _ = self.inside.pop_front());
        self.left.extend(left);
        let expected = self.place.unexpected(s_fifo::ERROR).map_or(Ok(()), Err);
        if let Err(mismatch) = clocked.and(expected) {
            let (at, clock) = (self.at, mismatch.clock);
            self.mismatch = Some(format!("S-FIFO of {at}, its clock {clock}: {mismatch}"));
        }
    }

    /// While entries are on their way in, or are due.
    fn is_busy(&self, may_leave: bool) -> bool {
        let is_due = self.inside.len() >= self.depth || self.inside.contains(&true);
        let moves = self.place.queued(s_fifo::ENQUEUE) > 0 || is_due && may_leave;
        self.mismatch.is_none() && (moves || !self.left.is_empty() && may_leave)
    }

    fn compared(&self) -> u64 {
        self.place.compared()
    }

    fn mismatch(&self) -> Option<&str> {
        self.mismatch.as_deref()
    }
}
