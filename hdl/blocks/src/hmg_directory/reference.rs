//! The directory as a sequential program: Table I of the paper, one request after the other.

use super::channels::{ERROR, Effect, INV, Invalidation, Op, REQ, RESP, Request, Response};
use super::nodes::Nodes;
use super::params::{Params, Replacement};
use super::{corners, exercise};
use crate::kit::*;

/// A tracked block; state V of Table I. A block without an entry is in state I.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Block number: the address without the place in the block.
    block: u64,
    /// The nodes that may hold copies; never 0.
    sharers: u64,
}

#[derive(Clone, Debug)]
struct Set {
    ways: Vec<Option<Entry>>,
    recency: Recency,
}

/// The reference model.
#[derive(Clone, Debug)]
pub struct Directory {
    params: Params,
    nodes: Nodes,
    sets: Vec<Set>,
    /// The sets of the last requests, whose rows are forwarded.
    in_flight: [usize; exercise::IN_FLIGHT],
    last: Option<(Request, Effect)>,
}

impl Directory {
    /// An empty directory of the GPM and GPU of those numbers.
    pub fn new(params: &Params, self_gpm: u32, self_gpu: u32) -> Self {
        let ways = params.ways as usize;
        let set = Set { ways: vec![None; ways], recency: Recency::new(params.replacement, ways) };
        let sets = vec![set; params.sets as usize];
        let nodes = Nodes::new(params, self_gpm, self_gpu);
        Self {
            params: params.clone(),
            nodes,
            sets,
            in_flight: [usize::MAX; exercise::IN_FLIGHT],
            last: None,
        }
    }

    /// One request.
    pub fn apply(&mut self, request: &Request) -> Effect {
        self.answer(request, None)
    }

    fn answer(&mut self, request: &Request, corners: Option<&mut Corners>) -> Effect {
        let effect = match self.nodes.meaning(request) {
            Ok((op, source)) => self.perform(op, source, request.address, corners),
            Err(code) => Effect { error: Some(code), ..Effect::default() },
        };
        self.last = Some((*request, effect));
        effect
    }

    fn perform(
        &mut self,
        op: Op,
        source: u64,
        address: u64,
        corners: Option<&mut Corners>,
    ) -> Effect {
        if op == Op::Release {
            return Effect::default();
        }
        let offset_bits = self.params.offset_bits();
        let block = address >> offset_bits;
        let gpms = u64::MAX.checked_shr(64 - self.params.gpm_sharers()).unwrap_or(0);
        let index = block as usize & (self.params.sets as usize - 1);
        let set = &mut self.sets[index];
        let invalidation = |block: u64, sharers: u64| {
            (sharers != 0).then_some(Invalidation { address: block << offset_bits, sharers })
        };
        let found = set.ways.iter().position(|e| e.is_some_and(|entry| entry.block == block));
        // To be counted, if anything is. What a request sees of a set that one just before it has
        // is not what is in the RAMs.
        let mut rows = corners.and_then(|corners| {
            let is_forwarded = self.in_flight.contains(&index);
            self.in_flight.rotate_right(1);
            self.in_flight[0] = index;
            let index_bits = self.params.index_bits();
            for (way, entry) in set.ways.iter().enumerate() {
                let Some(entry) = entry else { continue };
                let differing = entry.block ^ block;
                // Rare, so that the branch is predicted.
                if differing & differing.wrapping_sub(1) == 0 {
                    let (tag, other) = (block >> index_bits, entry.block >> index_bits);
                    corners.compare_at(exercise::TAGS, way, tag, other);
                }
            }
            (!is_forwarded).then_some(Rows { corners, index, index_bits })
        });

        if let Some(way) = found {
            let entry = set.ways[way].as_mut().expect("found");
            let before = entry.sharers;
            if let Some(rows) = &mut rows {
                match op {
                    Op::Store | Op::Atomic => rows.note_hit(&self.params, way, entry, !source),
                    Op::Invalidate => rows.note_hit(&self.params, way, entry, gpms),
                    _ => {}
                }
            }
            let (after, told) = match op {
                Op::Load => (before | source, 0),
                // A local source is no sharer, so none is left: the entry goes.
                Op::Store | Op::Atomic => (source, before & !source),
                Op::Invalidate => (0, before & gpms),
                Op::Downgrade => (before & !source, 0),
                Op::Release => unreachable!("answered above"),
            };
            entry.sharers = after;
            if after == 0 {
                set.ways[way] = None;
            }
            if matches!(op, Op::Load | Op::Store | Op::Atomic) {
                set.recency.touch(way);
            }
            let response = Response { hit: true, ..Response::default() };
            return Effect { response, invalidation: invalidation(block, told), error: None };
        }

        let allocates = matches!(op, Op::Load | Op::Store | Op::Atomic) && source != 0;
        if !allocates {
            return Effect::default();
        }
        let free = set.ways.iter().position(Option::is_none);
        let way = free.unwrap_or_else(|| set.recency.evict());
        if let Some(rows) = &mut rows {
            match (free, &set.ways[way]) {
                (None, Some(victim)) => rows.note_eviction(&self.params, way, victim),
                _ => rows.note_free(way),
            }
        }
        let victim = set.ways[way].replace(Entry { block, sharers: source });
        set.recency.touch(way);
        Effect {
            response: Response { hit: false, allocated: true, evicted: victim.is_some() },
            invalidation: victim.and_then(|victim| invalidation(victim.block, victim.sharers)),
            error: None,
        }
    }
}

/// Notes what a request reads of the rows of its set in the RAMs.
struct Rows<'c> {
    corners: &'c mut Corners,
    index: usize,
    index_bits: u32,
}

impl Rows<'_> {
    /// A hit shows the tag, and of the sharers those that are told, or are not.
    fn note_hit(&mut self, p: &Params, way: usize, entry: &Entry, shown: u64) {
        let row = self.index * exercise::used_ways(p) as usize + way;
        self.corners.read(exercise::TAG_ROWS, row, entry.block >> self.index_bits);
        self.corners.read_bits(exercise::SHARER_ROWS, row, entry.sharers, shown);
        self.corners.read_bits(exercise::VALID_ROWS, self.index, 1 << way, 1 << way);
    }

    /// An eviction shows the whole entry, that all others are valid, and that it was the victim's turn.
    fn note_eviction(&mut self, p: &Params, way: usize, victim: &Entry) {
        self.note_hit(p, way, victim, u64::MAX);
        self.corners.read(exercise::VALID_ROWS, self.index, u64::MAX);
        self.corners.read(exercise::VICTIM_ROWS, self.index, 1 << way);
        self.corners.compare(exercise::TOLD, victim.sharers, 0);
    }

    /// The lowest free way shows that those below it are valid, and that it is not.
    fn note_free(&mut self, way: usize) {
        let shown = u64::MAX >> (63 - way);
        self.corners.read_bits(exercise::VALID_ROWS, self.index, !(1 << way), shown);
    }
}

impl Reference for Directory {
    fn accept(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        assert_eq!(channel, REQ, "requests are the only input");
        let request = Request::decode(payload);
        let effect = self.answer(&request, Some(outcome.corners));
        if let Some(misuse) = effect.error {
            outcome.sink.expect(ERROR, &[misuse as u64]);
        }
        if let Some(invalidation) = effect.invalidation {
            outcome.sink.expect(INV, &invalidation.encode());
        }
        outcome.sink.expect(RESP, &effect.response.encode());
        let source = self.nodes.sharer_bit(request.source).unwrap_or(0);
        corners::count_effect(&request, source, &effect, outcome.corners);
    }

    fn state(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some((request, effect)) = &self.last {
            lines.push(format!("last request: {request}"));
            let invalidation = effect.invalidation.map(|inv| format!(", {inv}"));
            let error = effect.error.map(|misuse| format!(", error code={}", misuse as u64));
            let more = [invalidation, error].into_iter().flatten().collect::<String>();
            lines.push(format!("its effect: {}{more}", effect.response));
        }
        let offset_bits = self.params.offset_bits();
        let last_set = self.last.map(|(request, _)| {
            ((request.address >> offset_bits) % u64::from(self.params.sets)) as usize
        });
        // The set of the last request first; of large directories only that one.
        let others = (0..self.sets.len()).filter(|s| Some(*s) != last_set && self.sets.len() <= 8);
        for index in last_set.into_iter().chain(others) {
            let set = &self.sets[index];
            for (way, entry) in set.ways.iter().enumerate() {
                lines.push(match entry {
                    Some(Entry { block, sharers }) => format!(
                        "set {index} way {way}: V address=0x{:x} sharers=0b{sharers:0width$b}",
                        block << offset_bits,
                        width = self.params.sharers() as usize
                    ),
                    None => format!("set {index} way {way}: I"),
                });
            }
            lines.push(format!("set {index} recency: {:?}", set.recency));
        }
        lines
    }
}

// Replacement, naively: what the reference remembers about the use of one set.

/// What is remembered about one set.
#[derive(Clone, Debug)]
pub(super) enum Recency {
    /// For each way, when it was last used.
    Lru { last_used: Vec<u64>, now: u64 },
    /// Node 0 is the root, nodes 2i+1 and 2i+2 are below node i; false points to the lower ways.
    TreePlru { points_up: Vec<bool> },
    /// The way that makes room next.
    RoundRobin { next: usize, ways: usize },
}

impl Recency {
    pub(super) fn new(replacement: Replacement, ways: usize) -> Self {
        match replacement {
            Replacement::Lru => Recency::Lru { last_used: vec![0; ways], now: 0 },
            Replacement::TreePlru => Recency::TreePlru { points_up: vec![false; ways - 1] },
            Replacement::RoundRobin => Recency::RoundRobin { next: 0, ways },
        }
    }

    /// A load, store or atomic used the way.
    pub(super) fn touch(&mut self, way: usize) {
        match self {
            Recency::Lru { last_used, now } => {
                *now += 1;
                last_used[way] = *now;
            }
            Recency::TreePlru { points_up } => {
                // From the leaf up, every node on the way points to the other side.
                let mut node = way + points_up.len();
                while node > 0 {
                    let came_from_low = node % 2 == 1;
                    node = (node - 1) / 2;
                    points_up[node] = came_from_low;
                }
            }
            Recency::RoundRobin { .. } => {}
        }
    }

    /// The way that makes room in a full set, which is taken at its word.
    pub(super) fn evict(&mut self) -> usize {
        match self {
            Recency::Lru { last_used, .. } => {
                (0..last_used.len()).min_by_key(|&way| last_used[way]).expect("a way")
            }
            Recency::TreePlru { points_up } => {
                let mut node = 0;
                while node < points_up.len() {
                    node = 2 * node + 1 + usize::from(points_up[node]);
                }
                node - points_up.len()
            }
            Recency::RoundRobin { next, ways } => {
                let way = *next;
                *next = (way + 1) % *ways;
                way
            }
        }
    }
}
