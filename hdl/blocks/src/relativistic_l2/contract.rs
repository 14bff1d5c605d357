//! Checks at run time that do not depend on the reference: the order of each block's stores and leases, and one answer
//! for each request. They know no sets, no ways and no times of the bank.

mod accesses;
mod blocks;

use std::collections::{HashMap, VecDeque};

use super::channels::{
    ARRAY, Action, ArrayOp, Command, DRAM, ERROR, FILLED, Fetch, Filled, ISSUED, Issued, Kind,
    Misuse, Op, REQ, RESP, ROLL, ROLLED, Request, Response, RollOver, Rolled,
};
use super::params::Params;
use super::{corners, exercise, rules};
use crate::kit::*;
use accesses::Accesses;
use blocks::Blocks;

/// A request that has been acted on, and is not answered.
#[derive(Clone, Copy, Debug)]
struct Pending {
    request: Request,
    block: u64,
    /// Events before it.
    event: u64,
}

/// The run-time checks.
pub(super) struct BankContract {
    p: Params,
    clock: u64,
    accepted: VecDeque<Request>,
    pending: Vec<Pending>,
    /// MSHRs whose fetch has left: the block, and true until its data have come.
    fetching: HashMap<u64, (u64, bool)>,
    /// Transfers of `filled`; none: of an MSHR that fetches nothing.
    fills: VecDeque<Option<u64>>,
    /// Transfers of `roll`; false: malformed.
    rolls: VecDeque<bool>,
    rolling: bool,
    /// The end of a roll-over is not told.
    stopped: bool,
    wanted: bool,
    events: u64,
    blocks: Blocks,
    accesses: Accesses,
    /// Clocks for which filled has waited for nothing but the bank.
    waited: u64,
    /// Clock, block and operation of the last request.
    last: Option<(u64, u64, Option<Op>)>,
    stalls: Stalls,
}

impl BankContract {
    pub(super) fn new(params: &Params) -> Self {
        Self {
            p: params.clone(),
            clock: 0,
            accepted: VecDeque::new(),
            pending: Vec::new(),
            fetching: HashMap::new(),
            fills: VecDeque::new(),
            rolls: VecDeque::new(),
            rolling: false,
            stopped: false,
            wanted: false,
            events: 0,
            blocks: Blocks::new(params),
            accesses: Accesses::default(),
            waited: 0,
            last: None,
            stalls: Stalls::new(corners::STALLED),
        }
    }

    fn inputs(&mut self, channels: &Channels<'_>) -> Result<(), Violation> {
        if let Some(payload) = channels.taken(REQ) {
            self.accepted.push_back(Request::decode(payload));
        }
        if let Some(payload) = channels.taken(FILLED) {
            let Filled { mshr } = Filled::decode(payload);
            let fetch = self.fetching.get_mut(&mshr).filter(|(_, asked)| *asked);
            let fetch = fetch.map(|(_, asked)| *asked = false);
            self.fills.push_back(fetch.map(|()| mshr));
        }
        if channels.taken(ROLL).is_some() {
            let is_sound = self.accepted.is_empty() || self.p.faithful;
            self.rolls.push_back(is_sound);
            self.rolling |= is_sound;
            self.stopped |= is_sound;
        }
        let [resp, array] = [RESP, ARRAY].map(|channel| channels.at(channel).ready);
        let filled = channels.at(FILLED);
        let is_asked = self.fetching.get(&filled.payload[0]).is_some_and(|(_, asked)| *asked);
        let waits = filled.valid && !filled.ready && is_asked && resp && array;
        // With the thesis's rules, fills wait for a roll-over.
        let excused = self.p.faithful && self.stopped;
        self.waited = if waits && !excused { self.waited + 1 } else { 0 };
        let most = u64::from(self.p.cores) + 4;
        rules::FILLED_IN_TIME
            .require(self.waited <= most, || format!("it has waited for {} clocks", self.waited))
    }

    /// The bank acts on an event, and raises the error that is due.
    fn issued(
        &mut self,
        issued: &Issued,
        error: Option<u64>,
        corners: &mut Corners,
    ) -> Result<(), Violation> {
        self.events += 1;
        let block = self.p.block_of(issued.address);
        let due = match issued.action {
            Action::Request => self.request(issued, block, error, corners)?,
            Action::Fill => {
                let Some(fill) = self.fills.pop_front() else {
                    return Err(rules::ISSUED_IN_ORDER.broken("a fill that has not come".into()));
                };
                let fetched = fill.and_then(|mshr| self.fetching.remove(&mshr));
                let is_right = block == fetched.map_or(0, |(block, _)| block);
                rules::FILLED_ONCE
                    .require(is_right, || format!("fill of {fetched:?}: {issued:?}"))?;
                fetched.is_none().then_some(Misuse::NothingFetched)
            }
            Action::Roll => {
                let sound = self.rolls.pop_front();
                let none = self.fetching.is_empty() && self.pending.is_empty();
                let at_rest = none || sound == Some(false) || self.p.faithful;
                rules::ROLLED_AT_REST
                    .require(sound.is_some() && at_rest, || format!("{sound:?}"))?;
                if sound == Some(true) {
                    self.rolling = false;
                    self.blocks.roll_over();
                }
                (sound == Some(false)).then_some(Misuse::RequestInside)
            }
        };
        let due = due.map(|misuse| misuse as u64);
        rules::ERROR_AS_DUE.require(due == error, || format!("{issued:?}: {error:?}, due {due:?}"))
    }

    /// The oldest request: the error that is due.
    fn request(
        &mut self,
        issued: &Issued,
        block: u64,
        error: Option<u64>,
        corners: &mut Corners,
    ) -> Result<Option<Misuse>, Violation> {
        let stopped = self.rolling && !self.p.faithful;
        rules::ROLLED_AT_REST.require(!stopped, || format!("{issued:?} during a roll-over"))?;
        let Some(request) = self.accepted.pop_front() else {
            return Err(rules::ISSUED_IN_ORDER.broken("a request that has not come".into()));
        };
        let is_right = self.p.block_of(request.address) == block;
        rules::ISSUED_IN_ORDER.require(is_right, || format!("{issued:?} for {request}"))?;
        self.count(block, request.op, corners);
        if let Some(misuse) = request.misuse(&self.p) {
            return Ok(Some(misuse));
        }
        let same = |other: &Pending| {
            let both = [other.request.op, request.op] == [Some(Op::Gets); 2];
            both && other.block == block && other.request.core == request.core
        };
        if error == Some(Misuse::SecondGets as u64) {
            let is_second = self.pending.iter().any(same);
            rules::SECOND_GETS.require(is_second, || format!("{request}"))?;
            return Ok(Some(Misuse::SecondGets));
        }
        let pending = Pending { request, block, event: self.events };
        self.pending.push(pending);
        if request.op == Some(Op::Write) {
            self.accesses.store(&pending);
        }
        Ok(None)
    }

    fn count(&mut self, block: u64, op: Option<Op>, corners: &mut Corners) {
        if let Some((_, before, earlier)) = self.last.filter(|(at, ..)| at + 1 == self.clock) {
            exercise::note_blocks(before, block, corners);
            let is_same = before == block;
            corners.count(corners::BACK_TO_BACK, is_same);
            let ops = (earlier, op);
            let (gets, write) = (Some(Op::Gets), Some(Op::Write));
            corners.count(corners::STORE_BEHIND_READ, is_same && ops == (gets, write));
            corners.count(corners::READ_BEHIND_STORE, is_same && ops == (write, gets));
        }
        self.last = Some((self.clock, block, op));
    }

    fn fetch(&mut self, fetch: &Fetch) -> Result<(), Violation> {
        let [block, victim] = [fetch.address, fetch.victim].map(|a| self.p.block_of(a));
        let fetches = |block| self.fetching.values().any(|(of, _)| *of == block);
        let is_one = !fetches(block) && !self.fetching.contains_key(&fetch.mshr);
        rules::ONE_FETCH.require(is_one, || format!("{fetch:?}"))?;
        let is_free = !fetch.evict || !fetches(victim);
        rules::FETCHED_STAYS.require(is_free, || format!("{fetch:?}"))?;
        self.fetching.insert(fetch.mshr, (block, true));
        Ok(())
    }

    fn answer(&mut self, response: &Response) -> Result<(), Violation> {
        let block = self.p.block_of(response.address);
        let is_its = |pending: &Pending| {
            let Request { op, core, tag, .. } = pending.request;
            let op_fits = match response.kind {
                Kind::Data | Kind::Renew => op == Some(Op::Gets),
                Kind::Ack => op == Some(Op::Write),
                Kind::Result => op == Some(Op::Atomic),
            };
            op_fits && (core, tag, pending.block) == (response.core, response.tag, block)
        };
        let Some(at) = self.pending.iter().position(is_its) else {
            return Err(rules::ANSWERED_ONCE.broken(format!("nobody waits for {response:?}")));
        };
        let pending = self.pending.remove(at);
        self.accesses.answer(response, &pending)?;
        // The thesis's rules break these.
        if self.p.faithful { Ok(()) } else { self.blocks.answer(&self.p, response, &pending) }
    }

    fn outputs(&mut self, channels: &Channels<'_>, corners: &mut Corners) -> Result<(), Violation> {
        let error = channels.taken(ERROR).map(|payload| payload[0]);
        match channels.taken(ISSUED) {
            Some(payload) => {
                let issued = Issued::decode(payload);
                let dram = channels.at(DRAM);
                let is_fill = issued.action == Action::Fill;
                let stalled = dram.valid && !dram.ready;
                corners.count(corners::FILL_WHILE_DRAM_STALLED, is_fill && stalled);
                self.issued(&issued, error, corners)?;
            }
            None => rules::ERROR_AS_DUE.require(error.is_none(), || format!("{error:?}"))?,
        }
        if let Some(payload) = channels.taken(DRAM) {
            self.fetch(&Fetch::decode(payload))?;
        }
        if let Some(payload) = channels.taken(ARRAY) {
            let command = Command::decode(payload);
            match command.op {
                ArrayOp::Write => self.accesses.written(&command)?,
                ArrayOp::Read | ArrayOp::Atomic => self.accesses.access(&command, &self.pending)?,
                ArrayOp::WriteBack | ArrayOp::Fill => {}
            }
        }
        if let Some(payload) = channels.taken(RESP) {
            self.answer(&Response::decode(payload))?;
        }
        match channels.taken(ROLLED).map(|payload| Rolled::decode(payload).kind) {
            Some(RollOver::Wanted) => {
                let again = std::mem::replace(&mut self.wanted, true);
                rules::WANTED_ONCE.require(!again, String::new)
            }
            Some(RollOver::Cleared) => {
                (self.stopped, self.wanted) = (false, false);
                Ok(())
            }
            None => Ok(()),
        }
    }
}

impl Contract for BankContract {
    fn clock(&mut self, channels: &Channels<'_>, corners: &mut Corners) -> Result<(), Violation> {
        self.clock += 1;
        self.stalls.clock(channels, corners);
        self.inputs(channels)?;
        self.outputs(channels, corners)
    }

    fn finish(&mut self) -> Result<(), Violation> {
        let none = self.pending.is_empty() && self.accepted.is_empty();
        rules::ANSWERED_ONCE.require(none, || format!("not answered: {:?}", self.pending))?;
        self.accesses.finish()
    }
}
