//! Streams for the Bloom filters: few lines and wavefronts close to each other, filters that fill with lines from
//! anywhere, and every bit by itself.

use std::collections::VecDeque;

use super::channels::{Op, Request};
use super::exercise;
use super::hashes::Hashes;
use super::params::Params;
use crate::kit::*;

pub(super) const STREAMS: &[StreamInfo] = &[
    StreamInfo { name: "mixed", doc: "phases of the others, and every bit by itself" },
    StreamInfo { name: "few", doc: "few lines of few wavefronts, close to each other" },
    StreamInfo { name: "random", doc: "lines anywhere" },
];
const MIXED: usize = 0;
const FEW: usize = 1;

/// Source of the requests of a phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    /// Few lines, each of which differs from the first in one bit.
    #[default]
    Few,
    /// Lines anywhere.
    Anywhere,
    /// Each bit of each filter by itself.
    Bits,
    /// A filter until every bit is one.
    Fill,
}

/// Probabilities of a phase, of 256.
#[derive(Clone, Copy, Debug, Default)]
struct Phase {
    offer: u32,
    insert: u32,
    clear: u32,
    clear_all: u32,
    malformed: u32,
}

/// The generator.
#[derive(Default)]
pub(super) struct Traffic {
    params: Params,
    hashes: Hashes,
    stream: usize,
    kind: Kind,
    phase: Phase,
    line_neighbours: Neighbours,
    wavefront_neighbours: Neighbours,
    /// Lines of a phase; none: anywhere.
    lines: Vec<u64>,
    wavefronts: Vec<u64>,
    /// See [`exercise::apart`].
    apart: Option<Vec<u64>>,
    /// For each sub-array and each difference of two bits' numbers, lines with such bits differ so.
    moving: Vec<Vec<u64>>,
    /// The next bit of all filters to be read by itself, and of one right behind an insertion; none before the first.
    next_bit: Option<u32>,
    next_behind: Option<u32>,
    /// Requests that follow each other at once.
    script: VecDeque<Request>,
    left_in_phase: u32,
}

impl Traffic {
    pub(super) fn new(p: &Params, stream: usize) -> Self {
        let hashes = Hashes::new(p);
        let mut traffic = Self {
            params: p.clone(),
            moving: hashes.0.iter().map(|hash| lines_of_hashes(hash, p)).collect(),
            hashes,
            stream,
            line_neighbours: Neighbours::new(&exercise::lines("lines", p)),
            wavefront_neighbours: Neighbours::new(&exercise::wavefronts("wavefronts", p)),
            apart: exercise::apart(p),
            ..Self::default()
        };
        traffic.script_opening();
        traffic
    }

    fn begin_phase(&mut self, rng: &mut StimulusRng) {
        let fills = self.params.line_bits >= self.params.index_bits();
        self.kind = match (self.stream, rng.random_range(0..16)) {
            (FEW, _) | (MIXED, 0..6) => Kind::Few,
            (MIXED, 6..13) if self.apart.is_some() => Kind::Bits,
            (MIXED, 13) if fills => Kind::Fill,
            _ => Kind::Anywhere,
        };
        let count = [1, 2, 2, 3, 5][rng.random_range(0..5)];
        let pool = self.wavefront_neighbours.pool(rng, count);
        self.wavefronts =
            pool.into_iter().filter(|wavefront| self.params.has(*wavefront)).collect();
        if self.wavefronts.is_empty() {
            self.wavefronts.push(rng.random_range(0..self.params.wavefronts.into()));
        }
        self.lines.clear();
        if self.kind == Kind::Few {
            let count = [2, 2, 3, 4][rng.random_range(0..4)];
            self.lines = self.line_neighbours.pool(rng, count);
        }
        let offer = [256, 256, 256, 128, 48][rng.random_range(0..5)];
        self.phase = match self.kind {
            Kind::Few => Phase { offer, insert: 72, clear: 40, clear_all: 12, malformed: 8 },
            _ => Phase { offer, insert: 64, clear: 1, clear_all: 0, malformed: 1 },
        };
        self.left_in_phase = match self.kind {
            // A quarter of them are insertions: up to four for each bit of a sub-array.
            Kind::Anywhere => rng.random_range(16..=16 * self.params.bits),
            Kind::Fill => 1,
            _ => rng.random_range(32..=512),
        };
    }

    fn anywhere(&self, rng: &mut StimulusRng) -> u64 {
        rng.next_u64() >> (64 - self.params.line_bits)
    }

    fn line(&self, rng: &mut StimulusRng) -> u64 {
        match self.lines.len() {
            0 => self.anywhere(rng),
            count => self.lines[rng.random_range(0..count)],
        }
    }

    /// A line with that bit in a sub-array.
    fn line_with(&self, rng: &mut StimulusRng, sub_array: usize, index: u64) -> u64 {
        let line = self.anywhere(rng);
        let moves = self.hashes.0[sub_array].hash(&[line]) ^ index;
        line ^ self.moving[sub_array][moves as usize]
    }

    /// Finds whether the row of a wavefront counts that has not inserted since the reset, and leaves a line in each for
    /// the next reset.
    fn script_opening(&mut self) {
        for op in [Op::Query, Op::Insert] {
            let wavefronts = 0..u64::from(self.params.wavefronts);
            self.script.extend(wavefronts.map(|wavefront| Request { op, wavefront, line: 0 }));
        }
    }

    /// Two lines: if the first alone is inserted, the answer to the second is that bit of the filter.
    fn lines_of_bit(&self, rng: &mut StimulusRng, bit: u32) -> Option<[u64; 2]> {
        let (sub_array, index) = ((bit / self.params.bits) as usize, bit % self.params.bits);
        let reads = self.line_with(rng, sub_array, index.into());
        Some([reads ^ self.apart.as_ref()?[sub_array], reads])
    }

    /// Reads the next bit as zero, where all other bits of its line are one, and others as one: from the RAM.
    fn script_bits(&mut self, rng: &mut StimulusRng) {
        let Params { wavefronts, .. } = self.params;
        let all = wavefronts * self.params.row_bits();
        let next = self.next_bit.unwrap_or_else(|| rng.random_range(0..all));
        // Two wavefronts by turns, so that no insertion is in a stage as its bits are read.
        let count = wavefronts.min(2);
        self.next_bit = Some((next + count) % all);
        let (mut writes, mut reads) = (Vec::new(), Vec::new());
        for bit in (next..next + count).map(|bit| bit % all) {
            let wavefront = u64::from(bit % wavefronts);
            let Some([inserted, other]) = self.lines_of_bit(rng, bit / wavefronts) else { return };
            let request = |op, line| Request { op, wavefront, line };
            writes.extend([request(Op::Clear, 0), request(Op::Insert, inserted)]);
            reads.extend([inserted, other].map(|line| request(Op::Query, line)));
        }
        if count == 1 {
            writes.extend([reads[0], reads[0]]);
        }
        // The row is the same after a clear.
        let cleared = [writes[0], reads[0]];
        self.script.extend(writes.into_iter().chain(reads));
        if rng.random_range(0..8) == 0 {
            self.script.extend(cleared);
        }
    }

    /// Queries each bit of a wavefront's row right behind its insertion.
    fn script_bits_behind(&mut self, rng: &mut StimulusRng) {
        let all = self.params.row_bits();
        let next = self.next_behind.unwrap_or_else(|| rng.random_range(0..2 * all));
        self.next_behind = Some((next + 1) % (2 * all));
        let wavefront = self.wavefronts[0];
        let Some([inserted, other]) = self.lines_of_bit(rng, next % all) else { return };
        let queried = if next < all { [inserted, other] } else { [other, inserted] };
        let queries = queried.map(|line| (Op::Query, line));
        let script = [(Op::Clear, 0), (Op::Insert, inserted)].into_iter().chain(queries);
        self.script.extend(script.map(|(op, line)| Request { op, wavefront, line }));
    }

    /// Inserts a line for each bit of a filter, and asks for some.
    fn script_fill(&mut self, rng: &mut StimulusRng) {
        let wavefront = self.wavefronts[0];
        let request = |op, line| Request { op, wavefront, line };
        let bits = u64::from(self.params.bits);
        for sub_array in 0..self.hashes.0.len() {
            for index in 0..bits {
                let line = self.line_with(rng, sub_array, index);
                self.script.push_back(request(Op::Insert, line));
            }
        }
        for _ in 0..16 {
            let line = self.anywhere(rng);
            self.script.push_back(request(Op::Query, line));
        }
        self.script.push_back(request(Op::Clear, 0));
    }

    fn request(&self, rng: &mut StimulusRng) -> Request {
        let Phase { insert, clear, clear_all, malformed, .. } = self.phase;
        let op = match rng.random_range(0..256) {
            draw if draw < insert => Op::Insert,
            draw if draw < insert + clear => Op::Clear,
            draw if draw < insert + clear + clear_all => Op::ClearAll,
            _ => Op::Query,
        };
        let numbers = 1 << self.params.wavefront_bits();
        let wavefront = match rng.random_range(0..256) < malformed {
            true => rng.random_range(self.params.wavefronts.into()..numbers),
            false => self.wavefronts[rng.random_range(0..self.wavefronts.len())],
        };
        Request { op, wavefront, line: self.line(rng) }
    }
}

/// For each hash a line, if there are as many lines as hashes.
fn lines_of_hashes(hash: &H3, p: &Params) -> Vec<u64> {
    let mut lines = vec![None; p.bits as usize];
    lines[0] = Some(0);
    for line in (0..p.line_bits).map(|bit| 1 << bit) {
        let moves = hash.hash(&[line]) as usize;
        if lines[moves].is_none() {
            let sums = |of: usize| lines[of ^ moves].map(|other| other ^ line);
            lines = (0..lines.len()).map(|of| lines[of].or_else(|| sums(of))).collect();
        }
    }
    lines.into_iter().map(|line| line.unwrap_or(0)).collect()
}

impl Stimulus for Traffic {
    fn next(&mut self, _: usize, rng: &mut StimulusRng, payload: &mut [u64]) -> bool {
        if self.script.is_empty() {
            if self.left_in_phase == 0 {
                self.begin_phase(rng);
            }
            self.left_in_phase -= 1;
            match self.kind {
                Kind::Bits if rng.random_range(0..3) == 0 => self.script_bits_behind(rng),
                Kind::Bits => self.script_bits(rng),
                Kind::Fill => self.script_fill(rng),
                _ => {}
            }
        }
        let offers = !self.script.is_empty() || rng.random_range(0..256) < self.phase.offer;
        if offers {
            let request = self.script.pop_front().unwrap_or_else(|| self.request(rng));
            payload.copy_from_slice(&request.encode());
        }
        offers
    }
}
