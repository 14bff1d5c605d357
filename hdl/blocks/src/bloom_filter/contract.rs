//! Checks at run time that do not depend on the reference. The lines of each wavefront are remembered, in sets; queries
//! move through the stages.

use std::collections::{HashSet, VecDeque};

use super::channels::{Answer, ERROR, NO_SUCH_WAVEFRONT, Op, REQ, RESP, Request};
use super::exercise::{self, LINES, RIGHT_AHEAD, TWO_AHEAD, VALID};
use super::hashes::Hashes;
use super::params::Params;
use super::{corners, rules};
use crate::kit::*;

/// Answers that may wait to be taken.
const MOST_WAITING: usize = 2;

/// Insertions by a wavefront since its last clear.
#[derive(Clone, Default)]
struct Inserted {
    lines: HashSet<u64>,
    /// Sub-array and bit of each line.
    bits: HashSet<(usize, usize)>,
    last: Option<u64>,
    /// Lines that it had inserted before that clear.
    cleared: HashSet<u64>,
}

/// A query under way.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Due {
    request: Request,
    hit: bool,
    /// Its line was inserted.
    inserted: bool,
    /// Its wavefront has inserted nothing.
    empty: bool,
}

/// A request that was accepted, and whether it is the insertion of a line that missed before.
type Accepted = Option<(Request, bool)>;

/// The run-time checks.
#[derive(Default)]
pub(super) struct BloomFilterContract {
    params: Params,
    hashes: Hashes,
    wavefronts: Vec<Inserted>,
    /// Queries in the two stages behind the first, the younger first.
    stages: [Option<Due>; 2],
    waiting: VecDeque<Due>,
    error_due: bool,
    /// Requests accepted in the last clocks with `req_ready`, the last first.
    before: [Accepted; 4],
    stalls: Stalls,
}

impl BloomFilterContract {
    pub(super) fn new(p: &Params) -> Self {
        Self {
            params: p.clone(),
            hashes: Hashes::new(p),
            wavefronts: vec![Inserted::default(); p.wavefronts as usize],
            stalls: Stalls::new(corners::STALLED),
            ..Self::default()
        }
    }

    fn check(&mut self, channels: &Channels<'_>) -> Result<(), Violation> {
        let (ready, offer, error) = (channels.at(REQ).ready, channels.at(RESP), channels.at(ERROR));
        let waiting = self.waiting.len();
        rules::TAKES_UNLESS_TWO_WAIT.require(ready == (waiting < MOST_WAITING), || {
            format!("{waiting} answers wait, ready is {}", u64::from(ready))
        })?;
        let due = std::mem::take(&mut self.error_due);
        let as_due = due == error.valid && (!due || error.payload[0] == NO_SUCH_WAVEFRONT);
        rules::ERROR_AS_DUE.require(as_due, || format!("due: {due}, raised: {}", error.valid))?;
        rules::ANSWERED_IN_TIME.require(offer.valid == (waiting > 0), || {
            format!("{waiting} answers wait, valid is {}", u64::from(offer.valid))
        })?;
        match self.waiting.front() {
            Some(due) => due.check(Answer::decode(offer.payload).hit),
            None => Ok(()),
        }
    }

    /// The bits of a line that its wavefront's lines have not.
    fn missing(&self, wavefront: usize, line: u64) -> Vec<(usize, usize)> {
        let bits = &self.wavefronts[wavefront].bits;
        self.hashes.indices(line).enumerate().filter(|bit| !bits.contains(bit)).collect()
    }

    /// An insertion, and whether its line missed before.
    fn insert(&mut self, wavefront: usize, line: u64) -> bool {
        let is_new = !self.missing(wavefront, line).is_empty();
        let inserted = &mut self.wavefronts[wavefront];
        inserted.lines.insert(line);
        inserted.bits.extend(self.hashes.indices(line).enumerate());
        inserted.last = Some(line);
        inserted.cleared.clear();
        is_new
    }

    fn clear(&mut self, wavefront: usize) {
        let inserted = &mut self.wavefronts[wavefront];
        if !inserted.lines.is_empty() {
            let cleared = std::mem::take(&mut inserted.lines);
            *inserted = Inserted { cleared, ..Inserted::default() };
        }
    }

    fn query(&self, request: Request, corners: &mut Corners) -> Due {
        let Some(inserted) = self.wavefronts.get(request.wavefront as usize) else {
            return Due { request, hit: false, inserted: false, empty: true };
        };
        let missing = self.missing(request.wavefront as usize, request.line);
        let due = Due {
            request,
            hit: missing.is_empty(),
            inserted: inserted.lines.contains(&request.line),
            empty: inserted.lines.is_empty(),
        };
        self.note(&due, &missing, corners);
        self.count_query(&due, corners);
        due
    }

    /// Notes the bits that an answer depended on.
    fn note(&self, due: &Due, missing: &[(usize, usize)], corners: &mut Corners) {
        let Request { wavefront, line, .. } = due.request;
        let inserted = &self.wavefronts[wavefront as usize];
        let inserts = |accepted: &Accepted| {
            accepted.is_some_and(|(last, _)| last.op == Op::Insert && last.wavefront == wavefront)
        };
        let behind = self.before[..2].iter().position(inserts).map(|ahead| ahead + 1);
        let mut note = |bit, value| {
            exercise::note_bit(&self.params, (wavefront, behind), bit, value, corners);
        };
        match missing {
            [] => self.hashes.indices(line).enumerate().for_each(|bit| note(bit, true)),
            [bit] if !due.empty => note(*bit, false),
            _ => {}
        }
        if due.hit || inserted.cleared.contains(&line) {
            corners.read(VALID, wavefront as usize, due.hit.into());
        }
        if let Some(last) = inserted.last.filter(|last| due.hit == (*last == line)) {
            corners.compare(LINES, last, line);
        }
    }

    fn count_query(&self, due: &Due, corners: &mut Corners) {
        let Request { wavefront, line, .. } = due.request;
        corners.count(corners::NOTHING_INSERTED, due.empty);
        corners.count(corners::FALSE_POSITIVE, due.hit && !due.inserted);
        let elsewhere = || self.wavefronts.iter().any(|other| other.last == Some(line));
        corners.count(corners::OTHER_WAVEFRONT, !due.hit && !due.empty && elsewhere());

        let behind = [corners::QUERY_1_BEHIND, corners::QUERY_2_BEHIND, corners::QUERY_3_BEHIND];
        let insertion = |accepted: &Accepted| {
            let (request, is_new) = (*accepted)?;
            let inserts = request.op == Op::Insert && request.line == line;
            inserts.then_some((request.wavefront, is_new))
        };
        for (corner, accepted) in behind.into_iter().zip(&self.before) {
            let met = due.hit && insertion(accepted) == Some((wavefront, true));
            corners.count(corner, met);
        }
        for (comparison, accepted) in [RIGHT_AHEAD, TWO_AHEAD].into_iter().zip(&self.before) {
            let Some((other, true)) = insertion(accepted) else { continue };
            if !due.empty && due.hit == (other == wavefront) {
                corners.compare(comparison, other, wavefront);
            }
        }
        let is_cleared = |op| match (self.before[0], self.before[1]) {
            (Some((clear, _)), Some((insert, _))) => {
                let inserts = insert.op == Op::Insert && insert.wavefront == wavefront;
                let clears = op == Op::ClearAll || clear.wavefront == wavefront;
                clear.op == op && clears && inserts && insert.line == line
            }
            _ => false,
        };
        corners.count(corners::CLEAR_BETWEEN, is_cleared(Op::Clear));
        corners.count(corners::CLEAR_ALL_BETWEEN, is_cleared(Op::ClearAll));
    }

    fn count(&self, request: &Request, corners: &mut Corners) {
        let all_stages = |[a, b, c, d]: [Accepted; 4]| {
            let all = a.is_some() && c.is_some() && d.is_some();
            all && b.is_some_and(|(request, _)| request.op == Op::ClearAll)
        };
        corners.count(corners::CLEAR_ALL_FULL, all_stages(self.before));
        if request.is_malformed(&self.params) {
            let corner = match request.op {
                Op::Insert => corners::NO_SUCH_INSERT,
                Op::Query => corners::NO_SUCH_QUERY,
                _ => corners::NO_SUCH_CLEAR,
            };
            corners.hit(corner);
        } else if let (Op::Insert, Some((last, _))) = (request.op, self.before[0]) {
            let same = last.wavefront == request.wavefront;
            let inserts = last.op == Op::Insert && last.line != request.line;
            corners.count(corners::INSERTS_BACK_TO_BACK, same && inserts);
            let cleared = &self.wavefronts[request.wavefront as usize].cleared;
            let clears = last.op == Op::Clear && !cleared.is_empty();
            corners.count(corners::INSERT_BEHIND_CLEAR, same && clears);
        }
    }

    /// A request is accepted: the query, if it is one, and what is remembered of it.
    fn accept(&mut self, request: Request, corners: &mut Corners) -> (Option<Due>, Accepted) {
        self.count(&request, corners);
        let Request { op, wavefront, line } = request;
        self.error_due = request.is_malformed(&self.params);
        let (mut query, mut is_new) = (None, false);
        match op {
            Op::Query => query = Some(self.query(request, corners)),
            _ if self.error_due => {}
            Op::Insert => is_new = self.insert(wavefront as usize, line),
            Op::Clear => self.clear(wavefront as usize),
            Op::ClearAll => (0..self.wavefronts.len()).for_each(|wavefront| self.clear(wavefront)),
        }
        (query, Some((request, is_new)))
    }
}

impl Due {
    fn check(&self, hit: bool) -> Result<(), Violation> {
        let shows = || format!("{}: hit is {}", self.request, u64::from(hit));
        rules::INSERTED_HITS.require(hit || !self.inserted, shows)?;
        rules::EMPTY_MISSES.require(!hit || !self.empty, shows)?;
        rules::AS_THE_BITS.require(hit == self.hit, shows)
    }
}

impl Contract for BloomFilterContract {
    fn clock(&mut self, channels: &Channels<'_>, corners: &mut Corners) -> Result<(), Violation> {
        self.check(channels)?;
        self.stalls.clock(channels, corners);
        if channels.at(RESP).fires() {
            self.waiting.pop_front();
        }
        let request = channels.taken(REQ).map(Request::decode);
        let (query, accepted) = match request {
            Some(request) => self.accept(request, corners),
            None => (None, None),
        };
        if channels.at(REQ).ready {
            let [stage1, stage2] = self.stages;
            self.waiting.extend(stage2);
            self.stages = [query, stage1];
            let [a, b, c, _] = self.before;
            self.before = [accepted, a, b, c];
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Violation> {
        let left = self.stages.iter().flatten().chain(&self.waiting).next();
        rules::ANSWERED_IN_TIME.require(left.is_none(), || {
            left.map_or(String::new(), |due| format!("{} was not answered", due.request))
        })
    }
}
