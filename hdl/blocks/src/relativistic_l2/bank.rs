//! The bank as a sequential program: the state table of the README, one event after the other.

use super::channels::{ArrayOp, Command, Fetch, Kind, Misuse, Op, Request, Response, RollOver};
use super::params::Params;
use super::ways::{Mshr, State, Way};

/// Outputs of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// Why the event is malformed, if it is.
    pub error: Option<Misuse>,
    /// Byte address of its block.
    pub address: u64,
    /// Commands to the array, in this order.
    pub array: Vec<Command>,
    /// Answers, in this order; each DATA and RESULT has a read or an atomic of the array, in the same order.
    pub responses: Vec<Response>,
    /// The fetch that it begins.
    pub fetch: Option<Fetch>,
    /// Transfer of `rolled`.
    pub rolled: Option<RollOver>,
}

/// The tags, times and MSHRs of the bank.
#[derive(Clone, Debug)]
pub struct Bank {
    params: Params,
    sets: Vec<Vec<Way>>,
    mshrs: Vec<Option<Mshr>>,
    /// The largest time of any block that was evicted (3.4.4).
    mnow: u64,
    /// A roll-over was wanted since the last one.
    wanted: bool,
    events: u64,
}

impl Bank {
    /// A bank without blocks.
    pub fn new(params: &Params) -> Self {
        Self {
            params: params.clone(),
            sets: vec![vec![Way::default(); params.ways as usize]; params.sets as usize],
            mshrs: vec![None; params.mshrs as usize],
            mnow: 0,
            wanted: false,
            events: 0,
        }
    }

    /// Its parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The largest time of any block that was evicted (3.4.4).
    pub fn mnow(&self) -> u64 {
        self.mnow
    }

    /// The ways of a set.
    pub fn ways(&self, set: usize) -> &[Way] {
        &self.sets[set]
    }

    /// The MSHR of that number, if it is in use.
    pub fn mshr(&self, mshr: usize) -> Option<&Mshr> {
        self.mshrs.get(mshr)?.as_ref()
    }

    /// A block is fetched.
    pub fn fetches(&self) -> bool {
        self.mshrs.iter().any(Option::is_some)
    }

    /// The way that holds a block, or is reserved for it.
    pub fn find(&self, block: u64) -> Option<&Way> {
        let (set, way) = self.place(block)?;
        Some(&self.sets[set][way])
    }

    fn place(&self, block: u64) -> Option<(usize, usize)> {
        let set = self.params.set_of(block) as usize;
        let holds = |way: &Way| way.state != State::I && way.block == block;
        Some((set, self.sets[set].iter().position(holds)?))
    }

    /// The way that a miss in that set gets: the lowest in I, else of those in V the one that was used longest ago.
    pub fn victim(&self, set: usize) -> Option<usize> {
        let ways = &self.sets[set];
        let empty = ways.iter().position(|way| way.state == State::I);
        let valid = (0..ways.len()).filter(|&way| ways[way].state == State::V);
        empty.or_else(|| valid.min_by_key(|&way| ways[way].used))
    }

    /// Another way of the set is fetched, and was used longer ago than `used`.
    pub(super) fn has_older_fetch(&self, set: usize, used: u64) -> bool {
        let is_older = |way: &Way| matches!(way.state, State::Iv | State::Iav) && way.used < used;
        self.sets[set].iter().any(is_older)
    }

    /// The MSHR that a miss gets: the lowest that is free.
    pub fn free_mshr(&self) -> Option<usize> {
        self.mshrs.iter().position(Option::is_none)
    }

    /// Why a request is malformed, if it is.
    pub fn misuse(&self, request: &Request) -> Option<Misuse> {
        let is_second = || {
            let way = self.find(self.params.block_of(request.address))?;
            let mshr = self.mshr(way.mshr).filter(|_| way.state == State::Iv)?;
            let is_own = |reader: &(u64, u64)| reader.0 == request.core;
            let is_second = request.op == Some(Op::Gets) && mshr.readers.iter().any(is_own);
            is_second.then_some(Misuse::SecondGets)
        };
        request.misuse(&self.params).or_else(is_second)
    }

    /// A request waits for its block, for an MSHR or for a way of its set.
    pub fn waits(&self, request: &Request) -> bool {
        if self.misuse(request).is_some() {
            return false;
        }
        let block = self.params.block_of(request.address);
        match self.find(block).map(|way| way.state) {
            Some(State::Iav) => true,
            Some(State::Iv) => request.op == Some(Op::Atomic),
            Some(_) => false,
            None => {
                let set = self.params.set_of(block) as usize;
                self.victim(set).is_none() || self.free_mshr().is_none()
            }
        }
    }

    /// Acts on a request. None: it waits, and nothing has changed.
    pub fn request(&mut self, request: &Request) -> Option<Effect> {
        let block = self.params.block_of(request.address);
        let address = self.params.address_of(block);
        let error = self.misuse(request);
        let mut effect = Effect { error, address, ..Effect::default() };
        if error.is_some() {
            return Some(effect);
        }
        if self.waits(request) {
            return None;
        }
        match self.place(block) {
            Some((set, way)) => {
                match self.sets[set][way].state {
                    State::V => self.hit((set, way), request, &mut effect),
                    _ => self.merge((set, way), request, &mut effect),
                }
                self.touch(set, way);
            }
            None => {
                let set = self.params.set_of(block) as usize;
                let (way, mshr) = (self.victim(set)?, self.free_mshr()?);
                self.miss((set, way), mshr, request, &mut effect);
                self.touch(set, way);
            }
        }
        Some(effect)
    }

    fn touch(&mut self, set: usize, way: usize) {
        self.events += 1;
        self.sets[set][way].used = self.events;
    }

    /// A read lease at time `t` for the block of a way: when it ends; 0 if it is refused.
    fn grant(&mut self, (set, way): (usize, usize), t: u64, effect: &mut Effect) -> u64 {
        let p = &self.params;
        let entry = &mut self.sets[set][way];
        if t > p.limit() {
            entry.exp = p.limit();
            self.want_roll_over(effect);
            return 0;
        }
        let end = t + p.lease(entry.k);
        entry.exp = entry.exp.max(end.min(p.limit()));
        let exp = entry.exp;
        if end > p.limit() {
            self.want_roll_over(effect);
        }
        exp
    }

    /// The first lease that is clipped or refused, and the first ver at the last time, want a roll-over.
    fn want_roll_over(&mut self, effect: &mut Effect) {
        if !std::mem::replace(&mut self.wanted, true) {
            effect.rolled = Some(RollOver::Wanted);
        }
    }

    fn command(op: ArrayOp, (set, way): (usize, usize), (core, tag): (u64, u64)) -> Command {
        Command { op, set: set as u64, way: way as u64, core, tag }
    }

    /// The times of a store, or of a merged one, and its ACK.
    fn stored(&mut self, place: (usize, usize), request: &Request, ver: u64, effect: &mut Effect) {
        if ver == self.params.last() {
            self.want_roll_over(effect);
        }
        let Request { core, tag, .. } = *request;
        let is_atomic = request.op == Some(Op::Atomic);
        let (op, kind) = match is_atomic {
            true => (ArrayOp::Atomic, Kind::Result),
            false => (ArrayOp::Write, Kind::Ack),
        };
        effect.array.push(Self::command(op, place, (core, tag)));
        let address = effect.address;
        effect.responses.push(Response { kind, core, address, exp: 0, ver, tag });
    }

    /// A request to a block in V.
    fn hit(&mut self, place: (usize, usize), request: &Request, effect: &mut Effect) {
        let doublings = self.params.lease_doublings;
        let entry = self.sets[place.0][place.1];
        let Request { core, now, tag, .. } = *request;
        if request.op != Some(Op::Gets) {
            let ver = now.max(entry.ver).max(self.params.sum(entry.exp, 1));
            let entry = &mut self.sets[place.0][place.1];
            (entry.ver, entry.k, entry.dirty) = (ver, 0, true);
            self.stored(place, request, ver, effect);
            return;
        }
        let exp = self.grant(place, now.max(entry.ver), effect);
        let address = effect.address;
        if exp > 0 && request.exp > entry.ver {
            let after = doublings.min(entry.k + 1);
            self.sets[place.0][place.1].k = after;
            effect.responses.push(Response { kind: Kind::Renew, core, address, exp, ver: 0, tag });
            return;
        }
        effect.array.push(Self::command(ArrayOp::Read, place, (core, tag)));
        let data = Response { kind: Kind::Data, core, address, exp, ver: entry.ver, tag };
        effect.responses.push(data);
    }

    /// One more than mnow, at which old copies may still be read; the thesis does not add it.
    fn after(&self, time: u64) -> u64 {
        if self.params.faithful { time } else { self.params.sum(time, 1) }
    }

    /// A load or a store of a block in IV.
    fn merge(&mut self, place: (usize, usize), request: &Request, effect: &mut Effect) {
        let number = self.sets[place.0][place.1].mshr;
        let mut mshr = self.mshrs[number].take().expect("a block in IV has an MSHR");
        let Request { core, now, tag, .. } = *request;
        if request.op == Some(Op::Gets) {
            mshr.rd = mshr.rd.max(now);
            mshr.readers.push((core, tag));
        } else {
            let first = if mshr.written { mshr.ver } else { self.after(mshr.ver) };
            mshr.ver = now.max(first);
            mshr.written = true;
            self.stored(place, request, mshr.ver, effect);
        }
        self.mshrs[number] = Some(mshr);
    }

    /// A request to a block in I: the way is reserved, and its block makes room.
    fn miss(
        &mut self,
        place: (usize, usize),
        number: usize,
        request: &Request,
        effect: &mut Effect,
    ) {
        let Request { core, now, tag, .. } = *request;
        let mut mshr = Mshr { set: place.0, way: place.1, ..Mshr::default() };
        // Before the victim raises mnow: what an ACK tells is settled here.
        let after = self.after(self.mnow);
        (mshr.ver, mshr.rd) = match request.op {
            Some(Op::Gets) => (self.mnow, now),
            _ => (now.max(after), 0),
        };
        let victim = self.evict(place, effect);
        effect.fetch = Some(Fetch {
            address: effect.address,
            mshr: number as u64,
            evict: victim.is_some(),
            victim: victim.unwrap_or(0),
        });
        match request.op {
            Some(Op::Gets) => mshr.readers.push((core, tag)),
            Some(Op::Atomic) => {
                mshr.atomic = Some((core, tag));
                if mshr.ver == self.params.last() {
                    self.want_roll_over(effect);
                }
            }
            _ => {
                mshr.written = true;
                self.stored(place, request, mshr.ver, effect);
            }
        }
        let state = if mshr.atomic.is_some() { State::Iav } else { State::Iv };
        let block = self.params.block_of(request.address);
        self.sets[place.0][place.1] = Way { state, block, mshr: number, ..Way::default() };
        self.mshrs[number] = Some(mshr);
    }

    /// Takes the block from a way: its address, if it is to be written back.
    fn evict(&mut self, place: (usize, usize), effect: &mut Effect) -> Option<u64> {
        let victim = self.sets[place.0][place.1];
        if victim.state == State::I {
            return None;
        }
        self.mnow = self.mnow.max(victim.ver).max(victim.exp);
        victim.dirty.then(|| {
            effect.array.push(Self::command(ArrayOp::WriteBack, place, (0, 0)));
            self.params.address_of(victim.block)
        })
    }

    /// Fetched data are there.
    pub fn fill(&mut self, mshr: u64) -> Effect {
        let Some(mshr) = self.mshrs.get_mut(mshr as usize).and_then(Option::take) else {
            return Effect { error: Some(Misuse::NothingFetched), ..Effect::default() };
        };
        let place = (mshr.set, mshr.way);
        let p = &self.params;
        let entry = &mut self.sets[place.0][place.1];
        let mut effect = Effect { address: p.address_of(entry.block), ..Effect::default() };
        let is_stored = mshr.written || mshr.atomic.is_some();
        let k = if is_stored { 0 } else { p.lease_doublings };
        let faithful = p.faithful;
        entry.state = State::V;
        (entry.ver, entry.exp, entry.k, entry.dirty) = (mshr.ver, 0, k, is_stored);
        effect.array.push(Self::command(ArrayOp::Fill, place, (0, 0)));
        if let Some((core, tag)) = mshr.atomic {
            effect.array.push(Self::command(ArrayOp::Atomic, place, (core, tag)));
            let (kind, address, ver) = (Kind::Result, effect.address, mshr.ver);
            effect.responses.push(Response { kind, core, address, exp: 0, ver, tag });
        }
        if !mshr.readers.is_empty() {
            // 3.4.4: lastrd can be left out, and lastwr used instead.
            let rd = if faithful { 0 } else { mshr.rd };
            let exp = self.grant(place, mshr.ver.max(rd), &mut effect);
            self.answer_readers(place, &mshr, exp, &mut effect);
        }
        effect
    }

    /// DATA to all readers of a fetched block, the lowest core first.
    fn answer_readers(&self, place: (usize, usize), mshr: &Mshr, exp: u64, effect: &mut Effect) {
        let mut readers = mshr.readers.clone();
        readers.sort_unstable();
        let (kind, address, ver) = (Kind::Data, effect.address, mshr.ver);
        for (core, tag) in readers {
            effect.array.push(Self::command(ArrayOp::Read, place, (core, tag)));
            effect.responses.push(Response { kind, core, address, exp, ver, tag });
        }
    }

    /// A roll-over waits until no block is fetched.
    pub fn roll_waits(&self) -> bool {
        self.fetches() && !self.params.faithful
    }

    /// Sets all times to 0. None: it waits, and nothing has changed.
    pub fn roll(&mut self) -> Option<Effect> {
        if self.roll_waits() {
            return None;
        }
        for way in self.sets.iter_mut().flatten() {
            (way.ver, way.exp) = (0, 0);
        }
        for mshr in self.mshrs.iter_mut().flatten() {
            (mshr.ver, mshr.rd) = (0, 0);
        }
        (self.mnow, self.wanted) = (0, false);
        Some(Effect { rolled: Some(RollOver::Cleared), ..Effect::default() })
    }
}
