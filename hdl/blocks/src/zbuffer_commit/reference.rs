//! The unit as a sequential program: one request after the other, in the order of their arrival.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use super::channels::{
    ACK, COLOR, Color, Depths, ERROR, Misuse, REQ, RESET, RESET_DONE, Request, ZCLEAR, ZREAD,
    ZWRITE,
};
use super::params::Params;
use super::{corners, exercise};
use crate::kit::*;

/// The reference model.
#[derive(Clone, Debug)]
pub struct ZBuffer {
    params: Params,
    /// Of each block that was written, its depths after its latest requests, the last now.
    depths: HashMap<u64, VecDeque<Vec<u64>>>,
    /// Of each block what is to be written, with the id of its request.
    colors: BTreeMap<u64, VecDeque<(Color, u64)>>,
    /// Blocks whose depths were read and not written back.
    cached: HashSet<u64>,
    last: Option<Request>,
}

/// What a request does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// Why it is malformed, if it is.
    pub error: Option<Misuse>,
    /// Of each depth of the block whether the request wins.
    pub wins: Vec<bool>,
    /// The depths with which it was compared.
    pub before: Vec<u64>,
}

impl ZBuffer {
    /// A unit whose Z-buffer was just reset.
    pub fn new(params: &Params) -> Self {
        Self {
            params: params.clone(),
            depths: HashMap::new(),
            colors: BTreeMap::new(),
            cached: HashSet::new(),
            last: None,
        }
    }

    /// One request.
    pub fn apply(&mut self, request: &Request) -> Effect {
        let p = &self.params;
        if let Err(misuse) = request.check(p) {
            return Effect { error: Some(misuse), ..Effect::default() };
        }
        let unwritten = || VecDeque::from([vec![p.largest_depth(); p.depths() as usize]]);
        let states = self.depths.entry(p.block_of(request.address)).or_insert_with(unwritten);
        let before = states.back().expect("the latest").clone();
        let mut after = before.clone();
        let mut wins = Vec::new();
        for (depth, after) in (0..p.depths()).zip(&mut after) {
            let new = request.depth[p.request_depth_of(depth) as usize];
            let valid = request.mask[p.mask_bit_of(depth) as usize] == 1;
            // Less or equal: of one wavefront's stores in a quantum the later one wins.
            let is_won = valid && p.signed(new) <= p.signed(*after);
            if is_won {
                *after = new;
            }
            wins.push(is_won);
        }
        states.push_back(after);
        // No more requests than there are entries are not done yet.
        if states.len() > p.request_entries as usize + 1 {
            states.pop_front();
        }
        Effect { error: None, wins, before }
    }

    fn request(&mut self, request: &Request, outcome: &mut Outcome<'_>) {
        let effect = self.apply(request);
        corners::count_effect(&self.params, request, &effect, outcome.corners);
        if let Some(misuse) = effect.error {
            outcome.sink.expect(ERROR, &[misuse as u64]);
            return;
        }
        exercise::count_depths(&self.params, request, &effect, outcome.corners);
        if !effect.wins.contains(&true) {
            outcome.sink.expect(ACK, &[request.id]);
            return;
        }
        let bytes = self.params.bytes() as usize / effect.wins.len();
        let mask = effect.wins.iter().flat_map(|&won| vec![u64::from(won); bytes]).collect();
        let color = Color { entry: 0, address: request.address, mask, data: request.data.clone() };
        let block = self.params.block_of(request.address);
        self.colors.entry(block).or_default().push_back((color, request.id));
    }

    /// The next color of the block goes to the L2 from that entry.
    fn color(&mut self, shown: &[u64], outcome: &mut Outcome<'_>) {
        let (entry, block) = (shown[0], self.params.block_of(shown[1]));
        let Some(colors) = self.colors.get_mut(&block) else { return };
        let (color, id) = colors.pop_front().expect("no queue is empty");
        if colors.is_empty() {
            self.colors.remove(&block);
        }
        exercise::note_kept(&self.params, entry, &color, outcome.corners);
        outcome.sink.expect(COLOR, &Color { entry, ..color }.encode());
        outcome.sink.expect(ACK, &[id]);
    }

    /// An evicted block is written back. Its latest requests may not be done.
    fn write_back(&mut self, shown: &Depths, outcome: &mut Outcome<'_>) {
        let block = self.params.block_of(shown.address);
        let Some(states) = self.depths.get(&block).filter(|_| self.cached.remove(&block)) else {
            return;
        };
        let as_shown = states.iter().find(|&depths| *depths == shown.depths);
        let depths = as_shown.or(states.back()).expect("the latest").clone();
        outcome.sink.expect(ZWRITE, &Depths { depths, ..shown.clone() }.encode(&self.params));
    }
}

impl Reference for ZBuffer {
    fn accept(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        match channel {
            REQ => {
                let request = Request::decode(&self.params, payload);
                self.request(&request, outcome);
                self.last = Some(request);
            }
            RESET => {
                outcome.sink.expect(ZCLEAR, &[]);
                outcome.sink.expect(RESET_DONE, &[]);
            }
            // It knows what the L2 has.
            _ => {}
        }
    }

    // Which block goes first is left to the circuit, and so is what the Z-cache keeps.
    fn taken(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        match channel {
            COLOR => self.color(payload, outcome),
            ZREAD if self.cached.insert(self.params.block_of(payload[1])) => {
                outcome.sink.expect(ZREAD, payload);
            }
            ZWRITE => self.write_back(&Depths::decode(&self.params, payload), outcome),
            ZCLEAR => {
                self.depths.clear();
                self.cached.clear();
            }
            _ => {}
        }
    }

    fn choose(&self) -> Option<(usize, Vec<u64>)> {
        let colors = self.colors.values().next()?;
        Some((COLOR, colors.front()?.0.encode()))
    }

    fn state(&self) -> Vec<String> {
        let last = self.last.iter().map(|request| format!("last request: {request}"));
        let block = self.last.as_ref().map(|request| self.params.block_of(request.address));
        let depths = block.and_then(|block| self.depths.get(&block));
        let depths = depths.map(|states| format!("depths of its block, the last now: {states:x?}"));
        let waiting = self.colors.values().flatten();
        let waiting = waiting.map(|(color, id)| {
            format!("to be written: request {id} to 0x{:x}, bytes {:?}", color.address, color.mask)
        });
        last.chain(depths).chain(waiting).collect()
    }
}
