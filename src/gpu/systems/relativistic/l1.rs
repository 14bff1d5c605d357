//! The L1 of a core: copies with leases, requested lines, and the core's logical time (table 3.3). It writes through and
//! allocates nothing for stores.

use std::collections::BTreeMap;

use slab::Slab;

use super::Relativistic;
use super::message::{Kind, Message};
use super::oracle::{Event, Part};
use super::planted::{
    ACK_WITHOUT_VERSION, DATA_WITHOUT_VERSION, FORGET_NOW, LONG_LEASE, RENEW_UNCHECKED,
};
use crate::config::{Config, LINE};
use crate::isa::AccessKind;
use crate::memory::{Cache, Data, Done, Shared, extract, gather, next_line};

/// The L1 of a core.
#[derive(Debug)]
pub(super) struct L1 {
    /// Logical time of the core.
    pub now: u64,
    /// Copies, each with the last time at which it may be read.
    copies: Cache<u64>,
    misses: BTreeMap<u32, Miss>,
    /// Lines that it has requested.
    asked: usize,
    /// Stores and atomics that are not answered, by tag.
    stores: Slab<Load>,
    /// When it takes the next line.
    free: u64,
    /// Stopped for a roll-over: takes no accesses, and requests no line again.
    pub is_closed: bool,
    ticks: u64,
}

/// A requested line.
#[derive(Debug)]
struct Miss {
    /// Logical time of its request.
    asked: u64,
    /// Loads that wait, in order.
    loads: Vec<Load>,
    /// Loads that came before the request; 0: the line is not requested.
    covered: usize,
    /// Latest time of the core's own stores to the line since the miss.
    floor: u64,
    /// The expired copy.
    copy: Option<Data>,
}

/// Lanes of an access that wait for a line, or change it.
#[derive(Debug, Clone, Copy)]
struct Load {
    access: u32,
    lanes: u32,
    turn: u64,
}

impl L1 {
    pub fn new(config: &Config) -> Self {
        Self {
            now: 0,
            copies: Cache::new(config.l1.bytes, config.l1.ways),
            misses: BTreeMap::new(),
            asked: 0,
            stores: Slab::new(),
            free: 0,
            is_closed: false,
            ticks: 0,
        }
    }

    /// All requests are answered.
    pub fn is_drained(&self) -> bool {
        self.asked == 0 && self.stores.is_empty()
    }

    /// When it takes the next access; none while it is closed or waits for lines.
    pub fn ready(&self, config: &Config) -> Option<u64> {
        let has_room = self.misses.len() < config.l1.misses as usize;
        (has_room && !self.is_closed).then_some(self.free)
    }

    /// The time of a readable copy.
    fn readable(&mut self, line: u32) -> Option<usize> {
        let place = self.copies.find(line)?;
        let lease = *self.copies.tag(place);
        if lease == 0 || lease < self.now { None } else { self.copies.hit(line) }
    }

    /// The last time at which its copy of a line may be read; 0: it has none.
    fn lease(&mut self, line: u32) -> u64 {
        self.copies.find(line).map_or(0, |place| *self.copies.tag(place))
    }
}

impl Relativistic {
    /// Takes an access. Returns the clock of the result of a load that needs no answer.
    pub(super) fn access(&mut self, shared: &mut Shared, core: u32, access: u32) -> Option<u64> {
        shared.begin(core, access);
        self.tick(shared, core);
        let pending = shared.accesses.get(access);
        let (kind, warp) = (pending.access.kind, pending.warp);
        let turn = self.oracle.as_mut().map_or(0, |oracle| oracle.turn(core, warp));
        while shared.accesses.get(access).unsent != 0 {
            let pending = shared.accesses.get(access);
            let (line, lanes) = next_line(&pending.access, pending.unsent);
            pending.unsent &= !lanes;
            let load = Load { access, lanes, turn };
            match kind {
                AccessKind::Load => self.load_line(shared, core, line, load),
                AccessKind::Store | AccessKind::Atomic(_) => {
                    self.change_line(shared, core, line, load);
                }
            }
            let l1 = &mut self.l1[core as usize];
            l1.free = l1.free.max(shared.events.now()) + 1;
        }
        if shared.accesses.get(access).left == 0 {
            return Some(self.l1[core as usize].free + u64::from(shared.config.l1.latency));
        }
        self.sent(core, warp);
        None
    }

    /// Logical time goes on with physical time, so that spinning on a copy ends (3.4.5).
    fn tick(&mut self, shared: &Shared, core: u32) {
        let ticks = shared.events.now() / u64::from(self.settings.tick_clocks);
        let l1 = &mut self.l1[core as usize];
        let passed = ticks - std::mem::replace(&mut l1.ticks, ticks);
        l1.now = (l1.now + passed * u64::from(self.settings.tick_step)).min(self.last);
    }

    fn load_line(&mut self, shared: &mut Shared, core: u32, line: u32, load: Load) {
        shared.statistics.lines.loads += 1;
        let l1 = &mut self.l1[core as usize];
        if let Some(miss) = l1.misses.get_mut(&line) {
            shared.statistics.l1.misses += 1;
            shared.accesses.get(load.access).left += 1;
            miss.loads.push(load);
            return;
        }
        if let Some(place) = l1.readable(line) {
            shared.statistics.l1.hits += 1;
            let (data, now) = (*l1.copies.data(place), l1.now);
            let sequence = self.next_in_sequence();
            return self.loaded(shared, core, line, load, &data, [now, sequence]);
        }
        shared.statistics.l1.misses += 1;
        shared.accesses.get(load.access).left += 1;
        let lease = l1.lease(line);
        let copy = l1.copies.find(line).filter(|_| lease > 0).map(|at| *l1.copies.data(at));
        self.counts.expired_loads += u64::from(lease > 0);
        let miss = Miss { asked: 0, loads: vec![load], covered: 0, floor: 0, copy };
        l1.misses.insert(line, miss);
        self.get(shared, core, line, lease);
    }

    /// Requests a line for all loads that wait for it.
    fn get(&mut self, shared: &mut Shared, core: u32, line: u32, lease: u64) {
        let is_forgetful = self.planted.is(FORGET_NOW);
        let is_unchecked = lease > 0 && self.planted.is(RENEW_UNCHECKED);
        let l1 = &mut self.l1[core as usize];
        let now = if is_forgetful { 0 } else { l1.now };
        let Some(miss) = l1.misses.get_mut(&line) else { return };
        (miss.asked, miss.covered) = (now, miss.loads.len());
        l1.asked += 1;
        let exp = if is_unchecked { self.last - 1 } else { lease };
        let kind = Kind::Gets { exp };
        // Its answer is known by the line.
        let message = Message { kind, core, line, tag: 0, now, sequence: 0, data: [0; LINE] };
        self.fabric.send_new(shared, message);
    }

    /// A store or an atomic goes to the L2.
    fn change_line(&mut self, shared: &mut Shared, core: u32, line: u32, load: Load) {
        let pending = shared.accesses.get(load.access);
        pending.left += 1;
        let mut data = [0; LINE];
        let kind = match pending.access.kind {
            AccessKind::Store => {
                Kind::Write { bytes: gather(&pending.access, load.lanes, &mut data) }
            }
            _ => Kind::Atomic { access: load.access, lanes: load.lanes },
        };
        match kind {
            Kind::Write { .. } => shared.statistics.lines.stores += 1,
            _ => shared.statistics.lines.atomics += 1,
        }
        let (warp, pc) = (pending.warp, pending.access.pc);
        let l1 = &mut self.l1[core as usize];
        let (now, tag) = (l1.now, l1.stores.insert(load) as u32);
        if let Some(oracle) = &mut self.oracle {
            let (time, turn, read, written) = ([0; 3], load.turn, None, None);
            let event = Event { time, core, warp, turn, pc, line, read, written };
            oracle.sends([core.into(), tag.into()], event);
        }
        self.fabric.send_new(shared, Message { kind, core, line, tag, now, sequence: 0, data });
    }

    /// A load has its data, at a logical time and a place in the physical order.
    fn loaded(
        &mut self,
        shared: &mut Shared,
        core: u32,
        line: u32,
        load: Load,
        data: &Data,
        time: [u64; 2],
    ) {
        let pending = shared.accesses.get(load.access);
        extract(&mut pending.access, load.lanes, data);
        if let Some(oracle) = &mut self.oracle {
            let bytes = gather(&pending.access, load.lanes, &mut [0; LINE]);
            let (warp, pc) = (pending.warp, pending.access.pc);
            let time = [self.roll_over.count, time[0], time[1]];
            let (read, written) = (Some(Part { bytes, data: *data }), None);
            let turn = load.turn;
            oracle.events.push(Event { time, core, warp, turn, pc, line, read, written });
        }
    }

    /// An answer of the L2 has come to a core.
    pub(super) fn take_answer(&mut self, shared: &mut Shared, message: Message) {
        let Message { kind, core, line, sequence, data, .. } = message;
        self.tick(shared, core);
        let l1 = &mut self.l1[core as usize];
        let was_full = l1.ready(&shared.config).is_none();
        match kind {
            Kind::Data { ver, exp } => {
                if !self.planted.is(DATA_WITHOUT_VERSION) {
                    l1.now = l1.now.max(ver);
                }
                self.line_for_l1(shared, core, line, exp, Some((ver, data)), sequence);
            }
            Kind::Renew { exp } => {
                self.counts.renewals += 1;
                self.line_for_l1(shared, core, line, exp, None, sequence);
            }
            Kind::Ack { ver } | Kind::Result { ver } => {
                let store = l1.stores.remove(message.tag as usize);
                self.changed(shared, core, line, ver, store);
            }
            Kind::Gets { .. } | Kind::Write { .. } | Kind::Atomic { .. } => {}
        }
        self.drained(shared);
        let l1 = &mut self.l1[core as usize];
        if was_full && l1.ready(&shared.config).is_some() {
            shared.done.push(Done::Accepts(core));
        }
    }

    /// A store or an atomic has taken effect.
    fn changed(&mut self, shared: &mut Shared, core: u32, line: u32, ver: u64, store: Load) {
        let l1 = &mut self.l1[core as usize];
        if !self.planted.is(ACK_WITHOUT_VERSION) {
            l1.now = l1.now.max(ver);
        }
        if l1.lease(line) < ver {
            l1.copies.drop_line(line);
        }
        if let Some(miss) = l1.misses.get_mut(&line) {
            miss.floor = miss.floor.max(ver);
        }
        self.answered(shared, store.access);
    }

    /// A line has come, or its copy has been renewed: it answers the loads that came before its request, and later ones
    /// if it is readable now. Otherwise it is requested again for those.
    fn line_for_l1(
        &mut self,
        shared: &mut Shared,
        core: u32,
        line: u32,
        grant: u64,
        new: Option<(u64, Data)>,
        sequence: u64,
    ) {
        let longer = if self.planted.is(LONG_LEASE) { 8 } else { 0 };
        let (longest, faithful) =
            (u64::from(self.settings.lease_max) + longer, self.settings.faithful);
        let l1 = &mut self.l1[core as usize];
        let Some(mut miss) = l1.misses.remove(&line) else { return };
        l1.asked -= 1;
        let (ver, data) = new.unwrap_or((0, miss.copy.unwrap_or([0; LINE])));
        let grant = if grant > 0 { grant + longer } else { 0 };
        let kept = if faithful { grant } else { grant.min(l1.now + longest) };
        let lease = if kept < miss.floor && !faithful { 0 } else { kept };
        l1.copies.drop_line(line);
        if lease > 0 {
            l1.copies.fill(line, &data);
            if let Some(place) = l1.copies.find(line) {
                *l1.copies.tag(place) = lease;
            }
        }
        let now = l1.now;
        let asked = miss.asked.max(ver);
        let covered = if faithful { miss.loads.len() } else { miss.covered };
        for load in miss.loads.drain(..covered) {
            self.loaded(shared, core, line, load, &data, [asked, sequence]);
            self.answered(shared, load.access);
        }
        if miss.loads.is_empty() {
            return;
        }
        if lease >= now.max(1) {
            let sequence = self.next_in_sequence();
            for load in miss.loads.drain(..) {
                self.loaded(shared, core, line, load, &data, [now, sequence]);
                self.answered(shared, load.access);
            }
            return;
        }
        (miss.covered, miss.copy) = (0, (lease > 0).then_some(data));
        let l1 = &mut self.l1[core as usize];
        l1.misses.insert(line, miss);
        // Time is about to roll over: the line is requested again behind it.
        if !l1.is_closed {
            self.counts.gets_again += 1;
            self.get(shared, core, line, lease);
        }
    }

    /// Time has rolled over: no copy may be read, and lines that loads wait for are requested again.
    pub(super) fn clear_l1(&mut self, shared: &mut Shared, core: u32) {
        let l1 = &mut self.l1[core as usize];
        (l1.now, l1.is_closed) = (0, false);
        l1.copies.drop_where(|_| true);
        let lines: Vec<_> = l1.misses.keys().copied().collect();
        for line in lines {
            let Some(miss) = self.l1[core as usize].misses.get_mut(&line) else { continue };
            miss.floor = 0;
            // With the thesis's rules requests are in flight, and a flushed copy keeps its data.
            if miss.covered == 0 {
                miss.copy = None;
                self.get(shared, core, line, 0);
            }
        }
        shared.done.push(Done::Accepts(core));
    }

    /// The host has written a line: no copy of it may be read.
    pub(super) fn forget_copies(&mut self, lines: &std::ops::Range<u32>) {
        for l1 in &mut self.l1 {
            l1.copies.drop_where(|line| lines.contains(&line));
        }
    }
}
