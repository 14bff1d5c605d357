//! The L1 of a core: the rows of the protocol's table, run.

use super::ReleaseConsistency;
use super::message::{Kind, Message};
use super::planted::{EVICT_OWNED, FORGET_DIRTY, NEVER_PUSH, TRUST_OWNED, WRITE_BACK_WHOLE};
use super::protocol::{Does, Event, State};
use crate::config::Config;
use crate::isa::{AccessKind, Order};
use crate::memory::{
    Bytes, Cache, Data, Intake, Misses, Shared, Victim, WHOLE, Writes, extract, gather, go_on,
    perform, write,
};
use crate::simt::Access;

/// What an L1 knows of a line.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tag {
    pub(super) owned: bool,
    /// Of an owned line: bytes that were stored here since, and how often the L1 had been emptied before. An acquire
    /// that reads others may read a release of another core, which came with the line.
    known: Bytes,
    epoch: u64,
}

/// Lanes of an access that wait for a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiter {
    access: u32,
    lanes: u32,
    /// How often the L1 had been emptied when it came: what was asked for before is too old for it.
    epoch: u64,
    /// Of a store or an atomic.
    generation: Option<bool>,
}

/// A release of a warp that waits for stores.
#[derive(Debug, Clone, Copy)]
pub(super) struct Release {
    pub(super) warp: u32,
    /// Whether dirty lines are written back.
    pub(super) flush: bool,
}

/// What came of an access in a line.
enum Applied {
    Done,
    /// It is performed at the L2.
    Sent,
    /// The line is to be asked for.
    Asks(State),
}

/// The L1 of a core.
#[derive(Debug)]
pub(super) struct L1 {
    pub(super) cache: Cache<Tag>,
    pub(super) misses: Misses<Waiter>,
    pub(super) intake: Intake,
    /// Stores and atomics that wait for their line, and releases that wait for them.
    pub(super) writes: Writes<Release>,
    pub(super) epoch: u64,
    /// Of each warp's last acquiring access: its line, and whether all its words were known.
    pub(super) acquired: [Option<(u32, bool)>; 64],
}

impl L1 {
    pub(super) fn new(config: &Config) -> Self {
        Self {
            cache: Cache::new(config.l1.bytes, config.l1.ways),
            misses: Misses::default(),
            intake: Intake::default(),
            writes: Writes::default(),
            epoch: 0,
            acquired: [None; 64],
        }
    }

    fn state(&mut self, line: u32) -> State {
        match self.cache.find(line) {
            None => State::I,
            Some(place) if self.cache.tag(place).owned => State::O,
            Some(_) => State::V,
        }
    }
}

/// What an access is to the protocol, and whether it acquires.
fn event_of(access: &Access) -> (Event, bool) {
    let is_strong = access.is_strong();
    let acquires = is_strong && matches!(access.order, Order::Acquire | Order::AcquireRelease);
    let releases = is_strong && matches!(access.order, Order::Release | Order::AcquireRelease);
    let event = match (access.kind, is_strong) {
        (AccessKind::Atomic(_), _) => Event::Atomic,
        (AccessKind::Load, false) => Event::Load,
        (AccessKind::Load, true) if acquires => Event::Acquire,
        (AccessKind::Load, true) => Event::RelaxedLoad,
        (AccessKind::Store, false) => Event::Store,
        (AccessKind::Store, true) if releases => Event::Release,
        (AccessKind::Store, true) => Event::RelaxedStore,
    };
    (event, acquires)
}

impl ReleaseConsistency {
    /// Lanes of an access come to a line; false if they must wait.
    pub(super) fn access(
        &mut self,
        shared: &mut Shared,
        access: u32,
        line: u32,
        lanes: u32,
    ) -> bool {
        let pending = shared.accesses.get(access);
        let (core, kind) = (pending.core, pending.access.kind);
        let l1 = &mut self.l1[core as usize];
        let (miss, epoch) = (l1.misses.of(line), l1.epoch);
        let mut waiter = Waiter { access, lanes, epoch, generation: None };
        let may_ask = l1.misses.count() < shared.config.l1.misses as usize;
        let applied = match miss {
            // Behind what waits: a load after a store of its thread sees it.
            Some(_) => Applied::Asks(State::V),
            None => self.apply(shared, core, line, &waiter, None),
        };
        let is_hit = matches!(applied, Applied::Done);
        if matches!(applied, Applied::Asks(_)) && miss.is_none() && !may_ask {
            return false;
        }
        let lines = &mut shared.statistics.lines;
        match kind {
            AccessKind::Load => {
                lines.loads += 1;
                let l1 = &mut shared.statistics.l1;
                *(if is_hit { &mut l1.hits } else { &mut l1.misses }) += 1;
            }
            AccessKind::Store => lines.stores += 1,
            AccessKind::Atomic(_) => lines.atomics += 1,
        }
        let Applied::Asks(ask) = applied else {
            shared.accesses.get(access).left += u32::from(!is_hit);
            return true;
        };
        shared.accesses.get(access).left += 1;
        let l1 = &mut self.l1[core as usize];
        if kind != AccessKind::Load {
            waiter.generation = l1.writes.begin(None);
        }
        match miss {
            Some(miss) => l1.misses.get(miss).waiting.push(waiter),
            None => self.get(shared, core, line, ask, vec![waiter]),
        }
        true
    }

    fn get(
        &mut self,
        shared: &mut Shared,
        core: u32,
        line: u32,
        ask: State,
        mut waiters: Vec<Waiter>,
    ) {
        let l1 = &mut self.l1[core as usize];
        waiters.iter_mut().for_each(|waiter| waiter.epoch = l1.epoch);
        let miss = l1.misses.begin(line, true, waiters[0]);
        l1.misses.get(miss).waiting.extend(&waiters[1..]);
        let kind = if ask == State::O { Kind::GetO } else { Kind::GetV };
        self.fabric.send_new(shared, Message::up(kind, core, line));
    }

    /// Runs the row of an access, if its line has been granted as far as the row asks for it.
    fn apply(
        &mut self,
        shared: &mut Shared,
        core: u32,
        line: u32,
        waiter: &Waiter,
        granted: Option<State>,
    ) -> Applied {
        let pending = shared.accesses.get(waiter.access);
        let (warp, (event, acquires)) = (pending.warp, event_of(&pending.access));
        let state = self.l1[core as usize].state(line);
        let Some(row) = self.protocol.row(state, event).copied() else { return Applied::Done };
        if let Some(ask) = row.ask.filter(|ask| granted.is_none_or(|granted| granted < *ask)) {
            return Applied::Asks(ask);
        }
        if row.does == Does::AtL2 {
            self.send_atomic(shared, core, line, waiter, (row.flush, row.write_back));
            return Applied::Sent;
        }
        let trusts = self.planted.errs(TRUST_OWNED);
        let access = &mut shared.accesses.get(waiter.access).access;
        let l1 = &mut self.l1[core as usize];
        let Some(place) = l1.cache.find(line) else { return Applied::Asks(State::V) };
        if acquires {
            let tag = *l1.cache.tag(place);
            let bytes = gather(&*access, waiter.lanes, &mut [0; crate::config::LINE]);
            let is_known = tag.owned && (trusts || tag.epoch < l1.epoch || bytes & !tag.known == 0);
            let acquired = &mut l1.acquired[warp as usize];
            let others = acquired.is_none_or(|(_, is_known)| is_known);
            *acquired = Some((line, is_known && others));
        }
        let mut data = *l1.cache.data(place);
        let mut again = 0;
        let bytes = match access.kind {
            AccessKind::Load => {
                extract(access, waiter.lanes, &data);
                l1.cache.change(place, 0, false);
                return Applied::Done;
            }
            AccessKind::Store => gather(access, waiter.lanes, &mut data),
            AccessKind::Atomic(_) => {
                let [words, stored] = perform(access, waiter.lanes, &mut data);
                again = words;
                stored
            }
        };
        // What an atomic writes may continue a release of another core, which it has read.
        let known = if access.kind == AccessKind::Store { bytes } else { 0 };
        write(l1.cache.change(place, bytes, true), &data, bytes);
        l1.cache.tag(place).known |= known;
        if row.write_back {
            self.write_back(shared, core, line);
        }
        if again != 0 {
            self.will_store_again(shared, line, &data, again);
        }
        Applied::Done
    }

    /// An atomic goes to the L2, behind what is dirty of its line.
    fn send_atomic(
        &mut self,
        shared: &mut Shared,
        core: u32,
        line: u32,
        waiter: &Waiter,
        (flush, write_back): (bool, bool),
    ) {
        if flush {
            self.flush(shared, core);
        }
        if write_back {
            self.expel(shared, core, line);
        }
        let mut atomic = Message::up(Kind::Atomic, core, line);
        (atomic.token, atomic.lanes) = (waiter.access, waiter.lanes);
        self.fabric.send_new(shared, atomic);
    }

    /// Writes the dirty bytes of a line back, and keeps it.
    fn write_back(&mut self, shared: &mut Shared, core: u32, line: u32) {
        let cache = &mut self.l1[core as usize].cache;
        let Some(place) = cache.find(line) else { return };
        let (data, dirty) = (*cache.data(place), cache.cleaned(place));
        self.send_back(shared, core, line, &data, (dirty, false));
    }

    /// Writes a line back, and drops it; an owner gives it up.
    fn expel(&mut self, shared: &mut Shared, core: u32, line: u32) {
        let cache = &mut self.l1[core as usize].cache;
        let Some(place) = cache.find(line) else { return };
        let owned = cache.tag(place).owned;
        let (data, dirty) = (*cache.data(place), cache.cleaned(place));
        cache.drop_line(line);
        self.send_back(shared, core, line, &data, (dirty, owned));
    }

    fn send_back(
        &mut self,
        shared: &mut Shared,
        core: u32,
        line: u32,
        data: &Data,
        (dirty, gives_up): (Bytes, bool),
    ) {
        if dirty == 0 && !gives_up {
            return;
        }
        let mut back = Message::up(Kind::WriteBack { gives_up }, core, line);
        back.bytes = if self.planted.errs(WRITE_BACK_WHOLE) { WHOLE } else { dirty };
        back.data = *data;
        self.fabric.send_new(shared, back);
    }

    /// Writes all dirty lines back that are not owned.
    pub(super) fn flush(&mut self, shared: &mut Shared, core: u32) {
        let mut dirty = Vec::new();
        let cache = &mut self.l1[core as usize].cache;
        cache.clean_where(|tag| !tag.owned, |line, data, bytes| dirty.push((line, *data, bytes)));
        for (line, data, bytes) in dirty {
            if !self.planted.errs(FORGET_DIRTY) {
                self.send_back(shared, core, line, &data, (bytes, false));
            }
        }
    }

    /// Invalidates all lines that are not owned, but for one that was just read.
    pub(super) fn empty(&mut self, shared: &mut Shared, core: u32, except: Option<u32>) {
        self.flush(shared, core);
        let l1 = &mut self.l1[core as usize];
        let dropped = l1.cache.drop_tagged(|line, tag| !tag.owned && Some(line) != except);
        l1.epoch += 1;
        *shared.statistics.coherence.emptied_lines.get_or_insert(0) += dropped;
    }

    /// A line has come: what waits for it is performed in order, until it has to be asked for again.
    pub(super) fn line_for_l1(
        &mut self,
        shared: &mut Shared,
        core: u32,
        line: u32,
        data: &Data,
        is_owned: bool,
    ) {
        let l1 = &mut self.l1[core as usize];
        let Some(miss) = l1.misses.of(line) else { return };
        let (_, waiting) = l1.misses.take(miss);
        l1.misses.end(miss, Vec::new());
        let asked_at = waiting[0].epoch;
        let victim = match l1.cache.find(line) {
            Some(place) => {
                let dirty = l1.cache.dirty(place);
                write(l1.cache.change(place, WHOLE, false), data, !dirty);
                None
            }
            None => l1.cache.fill(line, data),
        };
        if let Some(place) = l1.cache.find(line) {
            let known = l1.cache.dirty(place);
            *l1.cache.tag(place) = Tag { owned: is_owned, known, epoch: l1.epoch };
        }
        self.evicted(shared, core, victim);
        let grant = if is_owned { State::O } else { State::V };
        let mut granted = Some(grant);
        let is_old = |epoch: u64| epoch != asked_at && !is_owned;
        for (at, waiter) in waiting.iter().enumerate() {
            if is_old(waiter.epoch) && granted.take().is_some() {
                self.expel(shared, core, line);
            }
            match self.apply(shared, core, line, waiter, granted) {
                Applied::Asks(ask) => {
                    self.get(shared, core, line, ask, waiting[at..].to_vec());
                    return go_on(self, shared, core);
                }
                Applied::Done => shared.answered(waiter.access),
                Applied::Sent => {}
            }
            let ready = self.l1[core as usize].writes.end(waiter.generation);
            ready.into_iter().for_each(|release| self.release(shared, core, release));
        }
        if is_old(self.l1[core as usize].epoch) && granted.is_some() {
            self.expel(shared, core, line);
        }
        go_on(self, shared, core);
    }

    fn evicted(&mut self, shared: &mut Shared, core: u32, victim: Option<Victim<Tag>>) {
        let Some(Victim { line, dirty, data, tag }) = victim else { return };
        let state = if tag.owned { State::O } else { State::V };
        let Some(row) = self.protocol.row(state, Event::Eviction).copied() else { return };
        if row.flush {
            self.flush(shared, core);
        }
        if row.write_back && !(tag.owned && self.planted.errs(EVICT_OWNED)) {
            self.send_back(shared, core, line, &data, (dirty, tag.owned));
        }
    }

    /// The L2 asks for a line that this L1 owned.
    pub(super) fn requested(&mut self, shared: &mut Shared, core: u32, line: u32) {
        let mut answer = Message::up(Kind::WrittenBack { had: false }, core, line);
        let is_owned = self.l1[core as usize].state(line) == State::O;
        if is_owned && let Some(row) = self.protocol.row(State::O, Event::RequestWriteBack).copied()
        {
            if row.flush && !self.planted.errs(NEVER_PUSH) {
                self.flush(shared, core);
            }
            let cache = &mut self.l1[core as usize].cache;
            if let Some(place) = cache.find(line) {
                cache.tag(place).owned = row.next == State::O;
                answer.kind = Kind::WrittenBack { had: true };
                (answer.data, answer.bytes) = (*cache.data(place), cache.cleaned(place));
            }
        }
        self.fabric.send_new(shared, answer);
    }
}
