//! Cores: which warp issues in a clock, and when the next one can.

use super::Run;
use super::events::CoreEvent;
use super::synchronise::{Mark, Pause};
use super::texture_cache::TextureCache;
use crate::config::Config;
use crate::core::{
    Buffer, Collectors, Decoded, FrontEnd, Scheduler, Scoreboard, Sleepers, Table, Unit,
};
use crate::machine::Fault;
use crate::machine::cta::{Cta, State};
use crate::machine::profile::Stall;

/// A place for a warp.
#[derive(Debug, Default)]
pub(super) struct Slot {
    /// The CTA's place in the core, and the warp's in the CTA.
    pub(super) cta: u32,
    pub(super) warp: u32,
    pub(super) scoreboard: Scoreboard,
    /// Accesses whose answers have not come.
    pub(super) outstanding: u32,
    /// Of these, those of asynchronous copies.
    pub(super) copies: u32,
    /// What it must do before it issues again.
    pub(super) pause: Option<Pause>,
    /// It waits for an answer of memory.
    pub(super) blocked: bool,
    pub(super) at_barrier: bool,
    /// Lanes of its transaction that are told to abort, and have not.
    pub(super) aborted: u32,
    /// Its next instruction, and where that goes.
    pub(super) pc: u32,
    unit: Unit,
    /// Instructions that it has fetched.
    pub(super) buffer: Buffer,
    /// Atomics whose answers have not come.
    pub(super) atomics: u32,
    /// The policy has permitted its next instruction.
    pub(super) permitted: bool,
    /// The fault that it keeps.
    pub(super) fault: Option<Box<Fault>>,
}

/// A core.
#[derive(Debug)]
pub(super) struct Core {
    pub(super) ctas: Vec<Option<Cta>>,
    pub(super) slots: Vec<Slot>,
    /// When the CTA of each warp began.
    pub(super) ages: [u64; 64],
    /// Warps that can issue, one bit each.
    pub(super) ready: u64,
    /// Of each unit, the warps whose next instruction goes to it.
    of_unit: [u64; Unit::ALL.len()],
    sleepers: Sleepers,
    schedulers: Vec<Scheduler>,
    /// When each unit takes another instruction.
    arithmetic: Vec<u64>,
    special: Vec<u64>,
    pub(super) memory_free: u64,
    pub(super) front_end: Option<FrontEnd>,
    pub(super) collectors: Option<Collectors>,
    pub(super) texture_cache: Option<TextureCache>,
    /// The clock of the event that will look at it.
    tick: u64,
}

impl Core {
    pub(super) fn new(config: &Config, table: &Table, ctas: u32) -> Self {
        let slot = |_| {
            let mut slot = Slot::default();
            slot.scoreboard.clear(table.most_registers);
            slot
        };
        let core = &config.core;
        let scheduler = |number| Scheduler::new(core.scheduler, number, core.schedulers);
        Self {
            ctas: (0..ctas).map(|_| None).collect(),
            slots: (0..core.warps).map(slot).collect(),
            ages: [0; 64],
            ready: 0,
            of_unit: Unit::ALL.map(|unit| if unit == Unit::default() { u64::MAX } else { 0 }),
            sleepers: Sleepers::default(),
            schedulers: (0..core.schedulers).map(scheduler).collect(),
            arithmetic: vec![0; config.units.arithmetic as usize],
            special: vec![0; config.units.special as usize],
            memory_free: 0,
            front_end: core.front_end.as_ref().map(FrontEnd::new),
            collectors: core.collectors.as_ref().map(Collectors::new),
            texture_cache: core.texture_cache.as_ref().map(TextureCache::new),
            tick: u64::MAX,
        }
    }

    /// The CTA and the warp of a slot.
    #[inline]
    pub(super) fn cta_mut(&mut self, slot: u32) -> Option<(&mut Cta, usize)> {
        let Slot { cta, warp, .. } = self.slots[slot as usize];
        Some((self.ctas[cta as usize].as_mut()?, warp as usize))
    }

    /// When one of these units is free.
    #[inline]
    fn unit_free(&self, unit: Unit) -> u64 {
        let first = |units: &[u64]| units.iter().copied().min().unwrap_or(0);
        match (unit, &self.collectors) {
            (Unit::Memory, Some(collectors)) => collectors.free(unit).max(self.memory_free),
            (_, Some(collectors)) => collectors.free(unit),
            (Unit::Arithmetic, _) => first(&self.arithmetic),
            (Unit::Special, _) => first(&self.special),
            (Unit::Memory, _) => self.memory_free,
            (Unit::None, _) => 0,
        }
    }

    /// A warp's instruction goes to its unit, which is busy for an interval; gives the clocks that it waits in a
    /// collector.
    #[inline]
    pub(super) fn occupy(&mut self, now: u64, slot: u32, decoded: &Decoded, table: &Table) -> u32 {
        let units = match decoded.unit {
            Unit::Arithmetic => &mut self.arithmetic[..],
            Unit::Special => &mut self.special[..],
            Unit::Memory | Unit::None => &mut [],
        };
        if let Some(collectors) = &mut self.collectors {
            let interval = (units, decoded.interval);
            let waits = collectors.collect(decoded.unit, now, slot, table.reads(decoded), interval);
            if !matches!(decoded.unit, Unit::Memory) {
                let result = now + u64::from(decoded.latency + waits);
                collectors.write(result, slot, table.writes(decoded));
            }
            return waits;
        }
        if let Some(free) = units.iter_mut().find(|free| **free <= now) {
            *free = now + u64::from(decoded.interval);
        }
        0
    }
}

impl Run<'_> {
    /// A core is looked at in a clock, unless it will be before.
    #[inline]
    pub(super) fn schedule(&mut self, core: u32, time: u64) {
        let core_state = &mut self.cores[core as usize];
        if time < core_state.tick {
            core_state.tick = time;
            self.shared.events.at(time, CoreEvent::Core(core));
        }
    }

    /// One clock of a core: each scheduler issues an instruction if it can.
    pub(super) fn tick(&mut self, core: u32) -> Result<(), Box<Fault>> {
        let now = self.shared.events.now();
        let core_state = &mut self.cores[core as usize];
        if core_state.tick != now {
            return Ok(());
        }
        core_state.tick = u64::MAX;
        core_state.ready |= core_state.sleepers.wake(now);
        let mut later = u64::MAX;
        let schedulers = core_state.schedulers.len();
        let first = if self.config.core.schedulers_rotate { now as usize } else { 0 };
        for turn in 0..schedulers {
            let at = (first + turn) % schedulers;
            let core_state = &mut self.cores[core as usize];
            let mut candidates = core_state.ready & core_state.schedulers[at].warps;
            while candidates != 0 {
                let slot = self.choose(core, at, candidates);
                let unit = self.cores[core as usize].slots[slot as usize].unit;
                let free = self.free(core, unit);
                if free <= now {
                    let core_state = &mut self.cores[core as usize];
                    core_state.schedulers[at].issued(slot);
                    core_state.ready &= !(1 << slot);
                    if let Err(fault) = self.issue(core, slot) {
                        self.faults(core, slot, fault)?;
                    }
                    break;
                }
                if self.profile.is_some() {
                    self.finds_busy(core, slot, free);
                }
                later = later.min(free);
                // What waits for the same unit waits too; a choice by chance is made for each.
                candidates &= match self.profile.is_some() || self.shared.is_perturbed() {
                    true => !(1 << slot),
                    false => !self.cores[core as usize].of_unit[unit as usize],
                };
            }
        }
        let core_state = &self.cores[core as usize];
        let next = core_state.sleepers.next(now).unwrap_or(u64::MAX);
        // Warps that wait for a unit only are looked at again when it is free.
        let ready = match core_state.ready {
            0 => u64::MAX,
            _ if later == u64::MAX => now + 1,
            _ => later.min(self.others_ready(core, now)),
        };
        let next = next.min(ready);
        if next != u64::MAX {
            self.schedule(core, next.max(now + 1));
        }
        Ok(())
    }

    #[cold]
    fn finds_busy(&mut self, core: u32, slot: u32, until: u64) {
        let now = self.shared.events.now();
        let why = match self.cores[core as usize].slots[slot as usize].unit {
            Unit::Memory => Stall::Throttle,
            _ => Stall::Unit,
        };
        if let Some(profile) = &mut self.profile {
            profile.finds_busy(core, slot, now, until, why);
        }
    }

    /// The next clock, if a warp is ready whose unit is free then.
    fn others_ready(&self, core: u32, now: u64) -> u64 {
        let core_state = &self.cores[core as usize];
        let is_ready = |unit: Unit| {
            core_state.ready & core_state.of_unit[unit as usize] != 0
                && self.free(core, unit) <= now + 1
        };
        if Unit::ALL.into_iter().any(is_ready) { now + 1 } else { u64::MAX }
    }

    #[inline]
    fn choose(&mut self, core: u32, scheduler: usize, candidates: u64) -> u32 {
        if self.shared.is_perturbed() {
            let from = self.shared.random(64);
            let after = candidates >> from << from;
            return if after == 0 { candidates } else { after }.trailing_zeros();
        }
        let core_state = &self.cores[core as usize];
        core_state.schedulers[scheduler].choose(candidates, &core_state.ages)
    }

    /// When a unit takes an instruction; never, while the L1 waits for lines or the texture cache is full.
    #[inline]
    fn free(&self, core: u32, unit: Unit) -> u64 {
        let free = self.cores[core as usize].unit_free(unit);
        match unit {
            Unit::Memory if self.texture_cache_is_full(core) => u64::MAX,
            Unit::Memory => {
                self.system.ready(self.shared, core).map_or(u64::MAX, |l1| l1.max(free))
            }
            _ => free,
        }
    }

    /// Looks at a warp's next instruction: the warp is ready, or sleeps, or waits.
    #[inline]
    pub(super) fn prepare(&mut self, core: u32, slot: u32) {
        let now = self.shared.events.now();
        let core_state = &mut self.cores[core as usize];
        let Slot { cta, warp, .. } = core_state.slots[slot as usize];
        let Some(cta) = &core_state.ctas[cta as usize] else { return };
        let (warp, state) = &cta.warps[warp as usize];
        let slot_state = &mut core_state.slots[slot as usize];
        if *state != State::Ready || slot_state.pause.is_some() {
            return;
        }
        if slot_state.aborted != 0 {
            return self.abort_lanes(core, slot);
        }
        let Some(path) = warp.paths().next() else { return };
        slot_state.pc = path.pc;
        let fetched = match &mut core_state.front_end {
            None => 0,
            Some(front_end) => {
                front_end.ready(self.caches, core, &mut slot_state.buffer, path.pc, now)
            }
        };
        let decoded = self.table.get(path.pc);
        core_state.of_unit[slot_state.unit as usize] &= !(1 << slot);
        core_state.of_unit[decoded.unit as usize] |= 1 << slot;
        slot_state.unit = decoded.unit;
        // Texels of a fetch follow one another: registers that wait for the first ones are its own.
        let ready = match warp.is_fetching() {
            true => Some(now),
            false => slot_state.scoreboard.ready(&self.table, decoded),
        };
        let waits = decoded.drains && slot_state.outstanding > 0
            || slot_state.atomics > 0 && self.config.core.atomics_block;
        let Some(ready) = ready.filter(|_| !waits) else {
            slot_state.blocked = true;
            if let Some(profile) = &mut self.profile {
                profile.waits(core, slot, Stall::Memory);
            }
            return;
        };
        slot_state.blocked = false;
        let pc = slot_state.pc;
        // After an access that orders others it is prepared twice.
        if self.has_policy && !slot_state.permitted {
            if !self.permits(core, slot) {
                return;
            }
            self.cores[core as usize].slots[slot as usize].permitted = true;
        }
        let core_state = &mut self.cores[core as usize];
        if let Some(profile) = &mut self.profile {
            let scoreboard = &core_state.slots[slot as usize].scoreboard;
            let slowest = scoreboard.slowest(&self.table, self.table.get(pc));
            profile.ready(core, slot, pc, [now, ready, fetched], slowest);
        }
        let ready = ready.max(fetched).max(now + 1);
        if ready == now + 1 {
            core_state.ready |= 1 << slot;
        } else {
            core_state.sleepers.add(slot, now, ready);
        }
        self.schedule(core, ready);
    }

    /// Lanes of a warp's transaction run no further; the others go on, or if there are none, the transaction
    /// is at its end.
    #[cold]
    fn abort_lanes(&mut self, core: u32, slot: u32) {
        let core_state = &mut self.cores[core as usize];
        let lanes = std::mem::take(&mut core_state.slots[slot as usize].aborted);
        let Some((cta, warp)) = core_state.cta_mut(slot) else { return };
        match cta.warps[warp].0.abort(lanes) {
            true => self.pause(core, slot, Pause::mark(Mark::Commit(0))),
            false => self.prepare(core, slot),
        }
    }
}
