//! The circuit of the write cache. A line is two blocks of 64 bytes there: the block's bytes have a mask of one
//! word. A load or an atomic of a line is a request for each of its blocks.

use std::collections::VecDeque;
use std::fmt;

use warpsmith_blocks::qr_write_cache::{
    ACK, DONE, DOWN, ERROR, HIT, INV, INV_ACK, Op, Params, RELEASED, REQ, Request,
};
use warpsmith_testbench::mismatch::Mismatch;
use warpsmith_testbench::place::Place;

use super::super::message::{Kind, Message};
use super::{At, BLOCK, Output, WARP_BITS, WriteCache};
use crate::config::LINE;
use crate::memory::{Bytes, Data};

/// Words of the data of a block.
const WORDS: usize = BLOCK / 8;

/// Clocks without a transfer after which nothing is on its way inside of a circuit: more than its stages; and while its
/// S-FIFO drains, as many for each entry whose block has been written through ahead of it.
const QUIET: u32 = 8;
const ENTRY: u32 = 4;

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
pub(super) struct Circuit {
    place: Place,
    params: Params,
    at: At,
    /// Requests that it has not taken, each with its warp, and the last that it took.
    queue: VecDeque<(Request, u32, u32)>,
    last: Option<(Request, u32, u32)>,
    under_way: VecDeque<UnderWay>,
    /// Of each atomic that went down, its blocks.
    atomics: VecDeque<u32>,
    /// Releases that the S-FIFO drains for; and the clocks in which it may still drain for one that is not answered.
    draining: u32,
    drains_for: u32,
    /// Clocks since something was offered or transferred.
    quiet: u32,
    /// A reference is beside it; and expects nothing more of it.
    is_shadowed: bool,
    rests: bool,
    /// Before its first transfer it clears its memories.
    is_new: bool,
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
    pub(super) fn new(place: Place, params: Params, at: At, is_shadowed: bool) -> Self {
        let (queue, under_way, atomics) = (VecDeque::new(), VecDeque::new(), VecDeque::new());
        Self {
            place,
            params,
            at,
            queue,
            last: None,
            under_way,
            atomics,
            draining: 0,
            drains_for: 0,
            quiet: 0,
            is_shadowed,
            rests: false,
            is_new: true,
            mismatch: None,
        }
    }

    /// Clocks without a transfer after which it needs no more.
    fn enough(&self) -> u32 {
        let drained = QUIET + ENTRY * self.params.fifo_depth;
        match self.draining > 0 || !self.queue.is_empty() {
            _ if self.is_new => drained + self.params.sets * self.params.ways,
            true => drained,
            // What it may still drain, nobody waits for.
            false if self.rests => 0,
            false => QUIET,
        }
    }

    /// Takes the next request.
    fn takes(&mut self) {
        let Some((request, ..)) = self.queue.front() else { return };
        match request.op {
            Op::Release if self.params.last_level && !request.needs_ack => {
                self.drains_for = QUIET + ENTRY * self.params.fifo_depth;
            }
            Op::Release => self.draining += 1,
            _ => {}
        }
        self.last = self.queue.pop_front();
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
        (self.quiet, self.rests) = (0, false);
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
        self.drains_for = self.drains_for.saturating_sub(1);
        match transfers.is_empty() {
            true => self.quiet += 1,
            false => (self.quiet, self.is_new) = (0, false),
        }
        for (channel, payload) in transfers {
            match channel {
                REQ => self.takes(),
                INV => outputs.push(Output::Invalidate((payload[0] / 2) as u32)),
                HIT => self.found(Op::Read, &payload, Some(&payload[3..]), outputs),
                DOWN => self.went_down(&payload, outputs),
                ACK => {
                    self.draining = self.draining.saturating_sub(self.params.last_level.into());
                    let (core, warp) = self.warp(payload[0]);
                    outputs.push(Output::Released { core, warp });
                }
                _ => {}
            }
        }
        self.rests = self.is_shadowed && self.under_way.is_empty() && self.place.is_at_rest();
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
                self.draining = self.draining.saturating_sub(1);
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
        self.mismatch.is_none() && (self.quiet < self.enough() || self.drains_for > 0)
    }

    fn compared(&self) -> u64 {
        self.place.compared()
    }

    fn mismatch(&self) -> Option<&str> {
        self.mismatch.as_deref()
    }
}
