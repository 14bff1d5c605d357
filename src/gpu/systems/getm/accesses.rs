//! Accesses of transactions: to the redo log, and to the validation units (4.4.1, figure 4.6).

use std::collections::{BTreeMap, VecDeque};

use warpsmith_blocks::getm_validation::{Outcome, Response};

use super::Getm;
use super::log::WORD;
use super::message::Kind;
use super::planted::{
    ABORT_IGNORED, FIRST_STORE_COMMITS, LOAD_UNVALIDATED, LOADS_HIT_L1, OWN_STORE_UNSEEN,
};
use super::warp::{Asked, Granule, State};
use crate::config::LINE;
use crate::isa::AccessKind;
use crate::memory::{Done, Shared};
use crate::simt::lanes_of;

impl Getm {
    /// An access of a warp that runs transactions. Returns the clock of the result of a load that its log has.
    pub(super) fn transactional(
        &mut self,
        shared: &mut Shared,
        core: u32,
        access: u32,
    ) -> Option<u64> {
        let pending = shared.accesses.get(access);
        let (warp, mask, pc) = (pending.warp, pending.access.mask, pending.access.pc);
        let is_load = pending.access.kind == AccessKind::Load;
        pending.unsent = 0;
        let index = self.index(core, warp);
        // Lanes that are told to abort may issue one instruction more.
        let mut lanes = mask & self.warps[index].running();
        let entries = self.settings.log_entries;
        if lanes != 0 && self.warps[index].log.rows >= entries {
            let lane = lanes.trailing_zeros();
            shared.done.push(Done::LogFull { core, warp, pc, lane, entries });
        }
        if lanes != 0 {
            let row = self.warps[index].log.add_row(&shared.accesses.get(access).access);
            self.write_log(shared, core, warp, row);
        }
        match is_load {
            true => lanes &= !self.load_from_log(shared, index, access, lanes),
            false => self.store_to_log(shared, index, access, lanes),
        }
        let mut granules = BTreeMap::<u64, (u32, u64)>::new();
        let request = &shared.accesses.get(access).access;
        let granule_bytes = u64::from(self.settings.granule_bytes);
        for lane in lanes_of(lanes) {
            let address = request.addresses[lane];
            let (lanes, words) = granules.entry(address / granule_bytes).or_default();
            let word = |address: u64| address % granule_bytes / (2 * WORD);
            *lanes |= 1 << lane;
            *words |= 1 << word(address) | 1 << word(address + u64::from(request.bytes()) - 1);
        }
        for (granule, (lanes, words)) in granules {
            let words = if is_load { 0 } else { u64::from(words.count_ones()) };
            let state = &self.warps[index];
            let asked = Asked {
                core,
                number: index as u64,
                serial: state.serial,
                warpts: state.warpts,
                address: granule * granule_bytes,
                lanes,
                access: is_load.then_some(access),
                words,
                granted: 0,
                outcome: Outcome::Success,
                timestamp: 0,
                is_decided: false,
                joined: Vec::new(),
                message: 0,
            };
            if is_load {
                shared.accesses.get(access).left += 1;
            }
            match self.lazy {
                None => self.ask(shared, asked),
                // Stores wait in the log.
                Some(_) if is_load => {
                    self.warps[index].outstanding += 1;
                    let number = self.asked.insert(asked) as u32;
                    self.load_lazily(shared, number);
                }
                Some(_) => {}
            }
        }
        self.validate_at_once(shared, index);
        let pending = shared.accesses.get(access);
        match is_load {
            true if pending.left > 0 => None,
            true => Some(self.l1[core as usize].free + u64::from(shared.config.l1.latency)),
            false => {
                shared.accesses.end(access);
                None
            }
        }
    }

    /// Lanes that have stored all that they load get it from their log; which.
    fn load_from_log(&mut self, shared: &mut Shared, index: usize, access: u32, lanes: u32) -> u32 {
        let sees = !self.planted.is(OWN_STORE_UNSEEN);
        let (unvalidated, hits) =
            (self.planted.is(LOAD_UNVALIDATED), self.planted.is(LOADS_HIT_L1));
        let mut done = 0;
        for lane in lanes_of(lanes) {
            let request = &shared.accesses.get(access).access;
            let line = (request.addresses[lane] / LINE as u64) as u32;
            let (core, _) = self.place(index);
            let cache = &self.l1[core as usize].cache;
            let held = cache.find(line).filter(|_| hits).map(|place| *cache.data(place));
            let own = sees && self.warps[index].log.has_all(request, lane);
            let data = match held {
                Some(held) => held,
                None if own || unvalidated => shared.line(line),
                None => continue,
            };
            let request = &mut shared.accesses.get(access).access;
            self.warps[index].log.load(&mut self.oracle, request, lane, &data, sees);
            done |= 1 << lane;
        }
        done
    }

    fn store_to_log(&mut self, shared: &mut Shared, index: usize, access: u32, lanes: u32) {
        let keeps_first = self.planted.is(FIRST_STORE_COMMITS);
        let request = &shared.accesses.get(access).access;
        for lane in lanes_of(lanes) {
            self.warps[index].log.store(&mut self.oracle, request, lane, keeps_first);
        }
    }

    /// Sends an access to its validation unit. A warp has one without an answer to a granule, since one of two
    /// could wait for what the other has reserved; a load joins another that is not decided on.
    fn ask(&mut self, shared: &mut Shared, asked: Asked) {
        let (core, address, store) = (asked.core, asked.address, asked.access.is_none());
        let warp = &mut self.warps[asked.number as usize];
        warp.outstanding += 1;
        let number = self.asked.insert(asked) as u32;
        if let Some(Granule { first, behind }) = warp.granules.get_mut(&address) {
            let first = &mut self.asked[*first as usize];
            let joins = !store && first.access.is_some() && !first.is_decided && behind.is_empty();
            match joins {
                true => first.joined.push(number),
                false => behind.push_back(number),
            }
            return;
        }
        warp.granules.insert(address, Granule { first: number, behind: VecDeque::new() });
        self.send_asked(shared, core, address, number, store);
    }

    pub(super) fn send_asked(
        &mut self,
        shared: &mut Shared,
        core: u32,
        address: u64,
        asked: u32,
        store: bool,
    ) {
        let now = shared.events.now();
        let l1 = &mut self.l1[core as usize];
        l1.free = l1.free.max(now) + 1;
        let line = (address / LINE as u64) as u32;
        let kind = match self.lazy {
            None => Kind::Validate { asked, store },
            Some(_) => Kind::Read { asked },
        };
        self.request(shared, core, line, kind, [0; LINE]);
    }

    /// A validation unit has decided: a load that succeeds reads now, in the order in which the unit decides.
    pub(super) fn answered(&mut self, shared: &mut Shared, number: u32, response: &Response) {
        let asked = &mut self.asked[number as usize];
        (asked.outcome, asked.timestamp) = (response.outcome, response.timestamp);
        let message = asked.message;
        if response.outcome == Outcome::Success {
            match asked.access {
                None => {
                    (asked.words, asked.granted) = (asked.words - 1, asked.granted + 1);
                    if asked.words > 0 {
                        let access = asked.access();
                        let partition = self.fabric.get(message).partition;
                        self.units[partition as usize].requests.push_front((number, access));
                        return;
                    }
                }
                Some(_) => {
                    for number in [&[number], &asked.joined.clone()[..]].concat() {
                        self.read(shared, number);
                    }
                }
            }
        }
        self.asked[number as usize].is_decided = true;
        let is_load = self.asked[number as usize].access.is_some();
        let message_state = self.fabric.get(message);
        let crate::memory::Port::Gpm(gpm) = message_state.ends[1] else { return };
        match is_load && response.outcome == Outcome::Success {
            true => self.look_up(shared, gpm, message),
            false => self.answer(shared, message),
        }
    }

    /// Lanes that have not aborted read memory.
    pub(super) fn read(&mut self, shared: &mut Shared, number: u32) {
        let asked = &self.asked[number as usize];
        let (address, lanes, index) = (asked.address, asked.lanes, asked.number as usize);
        let Some(access) = asked.access else { return };
        let data = shared.line((address / LINE as u64) as u32);
        let sees = !self.planted.is(OWN_STORE_UNSEEN);
        let warp = &mut self.warps[index];
        for lane in lanes_of(lanes & warp.running()) {
            let request = &mut shared.accesses.get(access).access;
            warp.log.load(&mut self.oracle, request, lane, &data, sees);
        }
    }

    /// The answer has come to the core.
    pub(super) fn decided(&mut self, shared: &mut Shared, number: u32) {
        let asked = self.asked.remove(number as usize);
        let joined = asked.joined.iter().map(|number| self.asked.remove(*number as usize));
        let joined: Vec<_> = joined.collect();
        let lanes = joined.iter().fold(asked.lanes, |lanes, joined| lanes | joined.lanes);
        let accesses = asked.access.into_iter().chain(joined.iter().filter_map(|it| it.access));
        let index = asked.number as usize;
        let warp = &mut self.warps[index];
        if asked.serial != warp.serial {
            // Its transaction has ended before, by an error that is planted.
            accesses.for_each(|access| shared.answered(access));
            return;
        }
        warp.outstanding -= 1 + joined.len() as u32;
        warp.told = warp.told.max(Some(asked.timestamp));
        let core = &mut self.cores[asked.core as usize];
        core.told = core.told.max(Some(asked.timestamp));
        self.latest = self.latest.max(asked.timestamp);
        if asked.granted > 0 {
            *warp.reserved.entry(asked.address).or_default() += asked.granted;
        }
        self.ask_next(shared, index, asked.address);
        accesses.for_each(|access| shared.answered(access));
        // After the accesses, so that the core hears of them before.
        if let Some(why) = reason(asked.outcome) {
            self.abort(shared, index, lanes, why);
        }
        self.end_if_answered(shared, index);
    }

    /// The next accesses to a granule are sent, unless their lanes have aborted: loads as one, or stores.
    fn ask_next(&mut self, shared: &mut Shared, index: usize, address: u64) {
        let warp = &mut self.warps[index];
        let running = warp.running();
        let Some(mut granule) = warp.granules.remove(&address) else { return };
        let mut first = None;
        while let Some(number) = granule.behind.pop_front() {
            let next = &mut self.asked[number as usize];
            next.lanes &= running;
            let (lanes, words, access) = (next.lanes, next.words, next.access);
            let Some(sent) = first.filter(|_| lanes != 0) else {
                match lanes {
                    0 => self.leave_unasked(shared, index, number),
                    _ => first = Some(number),
                }
                continue;
            };
            let sent: &mut Asked = &mut self.asked[sent as usize];
            match (sent.access, access) {
                (Some(_), Some(_)) => sent.joined.push(number),
                (None, None) => {
                    (sent.lanes, sent.words) = (sent.lanes | lanes, sent.words + words);
                    self.leave_unasked(shared, index, number);
                }
                _ => {
                    granule.behind.push_front(number);
                    break;
                }
            }
        }
        let Some(first) = first else { return };
        granule.first = first;
        self.warps[index].granules.insert(address, granule);
        let Asked { core, access, .. } = self.asked[first as usize];
        self.send_asked(shared, core, address, first, access.is_none());
    }

    /// An access needs no answer of its own.
    fn leave_unasked(&mut self, shared: &mut Shared, index: usize, number: u32) {
        let asked = self.asked.remove(number as usize);
        self.warps[index].outstanding -= 1;
        asked.access.into_iter().for_each(|access| shared.answered(access));
    }

    /// Lanes of a warp abort.
    pub(super) fn abort(
        &mut self,
        shared: &mut Shared,
        index: usize,
        lanes: u32,
        why: &'static str,
    ) {
        let lanes = lanes & self.warps[index].running();
        if lanes == 0 || self.planted.errs(ABORT_IGNORED) {
            return;
        }
        let (core, place) = self.place(index);
        let warp = &mut self.warps[index];
        warp.aborted |= lanes;
        *self.counts.aborts.entry(why).or_default() += u64::from(lanes.count_ones());
        if warp.state == State::Runs {
            shared.done.push(Done::Aborted { core, warp: place, lanes });
        }
    }
}

/// Why a transaction must abort, in the terms of the validation unit's README; none if it goes on.
fn reason(outcome: Outcome) -> Option<&'static str> {
    Some(match outcome {
        Outcome::Success => return None,
        Outcome::AbortFull => "FULL",
        Outcome::AbortWar => "WAR",
        Outcome::AbortWaw => "WAW",
        Outcome::AbortRaw => "RAW",
        Outcome::AbortCount => "COUNT",
        Outcome::AbortRollover => "ROLLOVER",
    })
}
