//! A co-simulation of a block behind a host link with its reference.

use std::collections::VecDeque;

use rand::{RngExt, SeedableRng};
use warpsmith_blocks::block::Design;
use warpsmith_blocks::board::{BoardLayout, LOG, QUEUE_ROWS, STAMP};
use warpsmith_blocks::channel::{Channel, Direction};
use warpsmith_blocks::corners::Corners;
use warpsmith_blocks::verification::{Outcome, Partner, Reference, Stimulus, StimulusRng};
use warpsmith_rtl::words;

use super::{Board, BoardError, Line};
use crate::scoreboard::Scoreboard;

/// Bursts without a transfer after which the block counts as stuck.
const PATIENCE: u32 = 8;
/// Bursts with requests beyond those wanted, after which the block counts as stuck too.
const EXTRA: u32 = 256;
/// Times that a board is asked whether a burst is over; a burst has 2048 transfers at most.
const POLLS: u32 = 10_000;
/// Draws without a request after which none is to be had.
const DRAWS: u32 = 256;

/// What is to be run.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Number of requests.
    pub requests: u64,
    /// Seed of requests, straps and stalls.
    pub seed: u64,
    /// Of 256 clocks so many without new offers, and as many without taken answers.
    pub stalls: u8,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// Requests accepted.
    pub requests: u64,
    /// Transfers compared with the reference.
    pub compared: u64,
    /// The block's clocks from the first transfer of each burst to its last.
    pub clocks: u64,
    /// Bursts.
    pub bursts: u64,
    /// The first difference, in words.
    pub mismatch: Option<String>,
}

/// Runs requests through a board and compares every transfer with the reference.
///
/// # Errors
/// [`BoardError`]; a mismatch is no error.
pub fn run<L: Line>(
    board: &mut Board<L>,
    design: &dyn Design,
    run: &Run,
) -> Result<Ran, BoardError> {
    let layout = BoardLayout::new(design);
    let found = board.status()?.identification;
    if found != layout.identification {
        let (block, expected) = (design.name(), layout.identification);
        return Err(BoardError::OtherBlock { block, found, expected });
    }
    let mut rng = StimulusRng::seed_from_u64(run.seed);
    let straps: Vec<_> =
        design.straps().iter().map(|strap| rng.random_range(0..strap.values)).collect();
    let channels = design.channels();
    let mut session = Session {
        board,
        stimulus: design.stimulus(&straps, 0),
        partner: design.partner(),
        reference: design.reference(&straps),
        corners: Corners::new(design.corners().len(), &design.exercise()),
        scoreboard: Scoreboard::new(&channels),
        waiting: vec![VecDeque::new(); channels.len()],
        ends: vec![0; layout.queues.len()],
        left: run.requests,
        ran: Ran::default(),
        layout,
        channels,
        straps,
        rng,
        run: *run,
    };
    session.control(RESTART | CLEAR)?;
    session.control(0)?;
    session.all()?;
    Ok(session.ran)
}

const RUN: u64 = 1;
const RESTART: u64 = 2;
const CLEAR: u64 = 4;

struct Session<'b, L> {
    board: &'b mut Board<L>,
    layout: BoardLayout,
    channels: Vec<Channel>,
    straps: Vec<u64>,
    stimulus: Box<dyn Stimulus>,
    partner: Option<Box<dyn Partner>>,
    reference: Box<dyn Reference>,
    scoreboard: Scoreboard,
    corners: Corners,
    rng: StimulusRng,
    run: Run,
    /// Of each channel the payloads in its queue that the block has not taken.
    waiting: Vec<VecDeque<Vec<u64>>>,
    /// End pointers of the queues.
    ends: Vec<u16>,
    left: u64,
    ran: Ran,
}

impl<L: Line> Session<'_, L> {
    fn all(&mut self) -> Result<(), BoardError> {
        let (mut idle, mut extra) = (0, 0);
        while idle < PATIENCE && extra < EXTRA {
            let finishing = self.left == 0 && idle > 0;
            extra += u32::from(finishing);
            let offered = self.refill(finishing)?;
            let rows = self.burst()?;
            if let Some(mismatch) = self.judge(&rows) {
                self.ran.mismatch = Some(mismatch);
                return Ok(());
            }
            let is_over = self.left == 0
                && self.waiting.iter().all(VecDeque::is_empty)
                && self.scoreboard.outstanding() == 0;
            match (rows.is_empty(), is_over) {
                (true, true) => return Ok(()),
                (true, false) if offered == 0 => idle += 1,
                (true, false) => {}
                (false, _) => idle = 0,
            }
        }
        self.ran.mismatch = Some(self.stuck());
        Ok(())
    }

    /// Draws requests and answers of the partner into the queues; how many. With `finishing` requests beyond those
    /// wanted are drawn too, one a channel: those on offer may wait for them.
    fn refill(&mut self, finishing: bool) -> Result<usize, BoardError> {
        let mut fresh: Vec<Vec<Vec<u64>>> = vec![Vec::new(); self.channels.len()];
        let queues = self.layout.queues.clone();
        let mut draws = 0;
        while draws < DRAWS {
            draws += 1;
            for channel in queues.iter().map(|queue| queue.channel) {
                if let Some(payload) = self.draw(channel, finishing) {
                    draws = 0;
                    self.waiting[channel].push_back(payload.clone());
                    fresh[channel].push(payload);
                }
            }
        }
        for (queue, end) in queues.iter().zip(&mut self.ends) {
            let channel = &self.channels[queue.channel];
            let row_bytes = queue.row_bytes() as usize;
            let mut rows = &fresh[queue.channel][..];
            while !rows.is_empty() {
                // The queue is a ring.
                let first = *end as usize % QUEUE_ROWS;
                let (these, rest) = rows.split_at(rows.len().min(QUEUE_ROWS - first));
                let bytes = these.iter().flat_map(|payload| {
                    pack(channel, payload, row_bytes).into_iter().rev().collect::<Vec<_>>()
                });
                let bytes: Vec<_> = bytes.collect();
                self.board.write(queue.region, first as u16, row_bytes, &bytes)?;
                *end = (*end + these.len() as u16) % (2 * QUEUE_ROWS as u16);
                rows = rest;
            }
        }
        Ok(fresh.iter().map(Vec::len).sum())
    }

    /// The next payload for a channel, if its queue has room and there is one.
    fn draw(&mut self, channel: usize, finishing: bool) -> Option<Vec<u64>> {
        let waiting = self.waiting[channel].len();
        let mut payload = vec![0; self.channels[channel].payload_words()];
        if let Some(partner) = &mut self.partner
            && partner.channels().contains(&channel)
        {
            let answers = waiting < QUEUE_ROWS && partner.answer(channel, &mut payload);
            return answers.then_some(payload);
        }
        let most = match (self.left, finishing) {
            (0, false) => 0,
            (0, true) => 1,
            _ => QUEUE_ROWS.min(self.stimulus.ahead(channel)),
        };
        let draws = waiting < most && self.stimulus.next(channel, &mut self.rng, &mut payload);
        self.left = self.left.saturating_sub(u64::from(draws));
        draws.then_some(payload)
    }

    /// Lets the block run until nothing happens or the log is full; the rows of the log.
    fn burst(&mut self) -> Result<Vec<Vec<u8>>, BoardError> {
        self.control(RUN)?;
        let mut polls = 0;
        while !self.board.status()?.quiet {
            polls += 1;
            if polls == POLLS {
                return Err(BoardError::Restless);
            }
        }
        self.control(0)?;
        let status = self.board.status()?;
        if status.overflows {
            return Err(BoardError::Overflow);
        }
        let row_bytes = self.layout.row_bytes() as usize;
        let bytes = self.board.read(LOG, row_bytes, status.rows.into())?;
        self.control(CLEAR)?;
        self.control(0)?;
        Ok(bytes.chunks(row_bytes).map(<[u8]>::to_vec).collect())
    }

    fn control(&mut self, flags: u64) -> Result<(), BoardError> {
        let mut bytes = vec![0; self.layout.control_bits as usize / 8];
        let seed = (self.run.seed & 0xFFFF).max(1);
        let stalls = u64::from(self.run.stalls);
        put(&mut bytes, 0, 40, flags | stalls << 8 | stalls << 16 | seed << 24);
        for (queue, end) in self.layout.queues.iter().zip(&self.ends) {
            put(&mut bytes, queue.end, 16, u64::from(*end));
        }
        for ((low, width), value) in self.layout.straps.iter().zip(&self.straps) {
            put(&mut bytes, *low, *width, *value);
        }
        bytes.reverse();
        self.board.write(0, 0, bytes.len(), &bytes)
    }

    /// Compares the transfers of a burst; the first difference.
    fn judge(&mut self, rows: &[Vec<u8>]) -> Option<String> {
        let clock = |row: &Vec<u8>| get(row, 0, STAMP);
        if let (Some(first), Some(last)) = (rows.first(), rows.last()) {
            self.ran.clocks += clock(last) - clock(first) + 1;
            self.ran.bursts += 1;
        }
        rows.iter().find_map(|row| {
            let happened = |channel: usize| get(row, STAMP + channel as u32, 1) == 1;
            let (inputs, outputs): (Vec<_>, Vec<_>) = (0..self.channels.len())
                .filter(|&channel| happened(channel))
                .partition(|&channel| self.channels[channel].direction == Direction::Input);
            let found = inputs.into_iter().find_map(|channel| self.accepted(channel));
            found.or_else(|| outputs.into_iter().find_map(|channel| self.compare(channel, row)))
        })
    }

    fn accepted(&mut self, channel: usize) -> Option<String> {
        let name = self.channels[channel].name;
        let Some(payload) = self.waiting[channel].pop_front() else {
            return Some(format!("`{name}` took a request that was not offered"));
        };
        let mut outcome = Outcome { sink: &mut self.scoreboard, corners: &mut self.corners };
        self.reference.accept(channel, &payload, &mut outcome);
        let is_partners = self.partner.as_ref().is_some_and(|p| p.channels().contains(&channel));
        self.ran.requests += u64::from(!is_partners);
        self.observe(channel, &payload);
        None
    }

    fn compare(&mut self, channel: usize, row: &[u8]) -> Option<String> {
        let (_, low) = *self.layout.payloads.iter().find(|(output, _)| *output == channel)?;
        let described = &self.channels[channel];
        let payload = unpack(described, row, STAMP + low);
        let mut outcome = Outcome { sink: &mut self.scoreboard, corners: &mut self.corners };
        self.reference.taken(channel, &payload, &mut outcome);
        self.ran.compared += 1;
        let unequal = self.scoreboard.observe(channel, &payload).err();
        let mismatch = unequal.map(|unequal| {
            let expected = unequal.expected.map(|expected| described.show(&expected));
            format!(
                "after {} requests, `{}`: {} was found and {} expected",
                self.ran.requests,
                described.name,
                described.show(&payload),
                expected.as_deref().unwrap_or("nothing")
            )
        });
        self.observe(channel, &payload);
        mismatch
    }

    fn observe(&mut self, channel: usize, payload: &[u64]) {
        if self.stimulus.observed() >> channel & 1 == 1 {
            self.stimulus.observe(channel, payload);
        }
        if let Some(partner) = &mut self.partner {
            partner.observe(channel, payload);
        }
    }

    fn stuck(&self) -> String {
        let waiting = self.waiting.iter().position(|waiting| !waiting.is_empty());
        let refused = waiting.map(|c| format!("`{}` is not taken", self.channels[c].name));
        let missing = || {
            let first = |c: usize| {
                let payload = self.scoreboard.first_expected(c)?;
                let channel = &self.channels[c];
                Some(format!("`{}` does not bring {}", channel.name, channel.show(&payload)))
            };
            (0..self.channels.len()).find_map(first)
        };
        let what = refused.or_else(missing).unwrap_or("no request is to be had".to_string());
        format!("after {} requests nothing happens any more: {what}", self.ran.requests)
    }
}

/// A payload as bytes, the lowest first.
fn pack(channel: &Channel, payload: &[u64], bytes: usize) -> Vec<u8> {
    let mut packed = vec![0; bytes];
    let (mut low, mut word) = (0, 0);
    for field in channel.fields.iter() {
        for part in (0..field.width).step_by(64) {
            let width = (field.width - part).min(64);
            put(&mut packed, low, width, payload[word]);
            low += width;
            word += 1;
        }
    }
    packed
}

/// The payload that begins at that bit.
fn unpack(channel: &Channel, bytes: &[u8], mut low: u32) -> Vec<u64> {
    let mut payload = Vec::new();
    for field in channel.fields.iter() {
        for word in 0..words(field.width) as u32 {
            let width = (field.width - 64 * word).min(64);
            payload.push(get(bytes, low, width));
            low += width;
        }
    }
    payload
}

fn put(bytes: &mut [u8], low: u32, width: u32, value: u64) {
    for bit in 0..width {
        let at = (low + bit) as usize;
        bytes[at / 8] |= ((value >> bit & 1) as u8) << (at % 8);
    }
}

fn get(bytes: &[u8], low: u32, width: u32) -> u64 {
    (0..width).rev().fold(0, |value, bit| {
        let at = (low + bit) as usize;
        value << 1 | u64::from(bytes[at / 8] >> (at % 8) & 1)
    })
}
