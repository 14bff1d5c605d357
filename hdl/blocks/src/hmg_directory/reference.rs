//! The directory as a sequential program: Table I of the paper, one request after the other.

use super::channels::{ERROR, Effect, INV, Invalidation, Op, REQ, RESP, Request, Response};
use super::corners;
use super::nodes::Nodes;
use super::params::Params;
use super::recency::Recency;
use crate::verification::{Outcome, Reference};

/// A tracked block; state V of Table I. A block without an entry is in state I.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Block number: the address without the place in the block.
    block: u64,
    /// Who may hold copies; never 0.
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
    last: Option<(Request, Effect)>,
}

impl Directory {
    /// An empty directory of the GPM and GPU of those numbers.
    pub fn new(params: &Params, self_gpm: u32, self_gpu: u32) -> Self {
        let ways = params.ways as usize;
        let set = Set { ways: vec![None; ways], recency: Recency::new(params.replacement, ways) };
        let sets = vec![set; params.sets as usize];
        let nodes = Nodes::new(params, self_gpm, self_gpu);
        Self { params: params.clone(), nodes, sets, last: None }
    }

    /// One request.
    pub fn apply(&mut self, request: &Request) -> Effect {
        let effect = match self.nodes.meaning(request) {
            Ok((op, source)) => self.perform(op, source, request.address),
            Err(code) => Effect { error: Some(code), ..Effect::default() },
        };
        self.last = Some((*request, effect));
        effect
    }

    fn perform(&mut self, op: Op, source: u64, address: u64) -> Effect {
        if op == Op::Release {
            return Effect::default();
        }
        let offset_bits = self.params.offset_bits();
        let block = address >> offset_bits;
        let gpms = u64::MAX.checked_shr(64 - self.params.gpm_sharers()).unwrap_or(0);
        let set = &mut self.sets[block as usize & (self.params.sets as usize - 1)];
        let invalidation = |block: u64, sharers: u64| {
            (sharers != 0).then_some(Invalidation { address: block << offset_bits, sharers })
        };
        let found = set.ways.iter().position(|e| e.is_some_and(|entry| entry.block == block));

        if let Some(way) = found {
            let entry = set.ways[way].as_mut().expect("found");
            let before = entry.sharers;
            let (after, told) = match op {
                Op::Load => (before | source, 0),
                // A local source is no sharer, so nobody is left: the entry goes.
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
        let way = set.ways.iter().position(Option::is_none);
        let way = way.unwrap_or_else(|| set.recency.evict());
        let victim = set.ways[way].replace(Entry { block, sharers: source });
        set.recency.touch(way);
        Effect {
            response: Response { hit: false, allocated: true, evicted: victim.is_some() },
            invalidation: victim.and_then(|victim| invalidation(victim.block, victim.sharers)),
            error: None,
        }
    }
}

impl Reference for Directory {
    fn accept(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        assert_eq!(channel, REQ, "requests are the only input");
        let request = Request::decode(payload);
        let effect = self.apply(&request);
        if let Some(code) = effect.error {
            outcome.sink.expect(ERROR, &[code]);
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
            let error = effect.error.map(|code| format!(", error code={code}"));
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
