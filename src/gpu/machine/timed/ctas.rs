//! CTAs: which core they go to, their beginning and their end.

use std::iter::StepBy;
use std::ops::Range;

use super::Run;
use super::events::CoreEvent;
use crate::config::{CtaOrder, MachineConfig};
use crate::core::{Buffer, Decoded};
use crate::machine::cta::{Cta, State};
use crate::machine::launch::{Work, place_of_cta};
use crate::machine::profile::Stall;
use crate::memory::NextCta;
use crate::simt::{Arrival, Identity};

/// Most CTAs of a core, to name the shared memory of a place by one number.
const PLACES: u32 = 64;

/// For each GPM, of each launch the numbers of its CTAs that have not begun.
pub(super) struct Grids(Vec<Vec<StepBy<Range<u64>>>>);

impl Grids {
    /// The CTAs of launches, spread over the GPMs of a machine.
    pub(super) fn new(work: &[Work], machine: &MachineConfig) -> Self {
        let gpms = machine.gpms();
        let of_gpm = |gpm: u32| {
            let ctas = |work: &Work| {
                let total = work.launch.ctas();
                let share =
                    |gpm: u32| (u128::from(total) * u128::from(gpm) / u128::from(gpms)) as u64;
                match machine.cta_order {
                    CtaOrder::Contiguous => (share(gpm)..share(gpm + 1)).step_by(1),
                    CtaOrder::RoundRobin => {
                        (gpm.into()..total.max(gpm.into())).step_by(gpms as usize)
                    }
                }
            };
            work.iter().map(ctas).collect()
        };
        Self((0..gpms).map(of_gpm).collect())
    }

    /// The next CTA of a GPM: launches in their order.
    fn next(&mut self, gpm: u32) -> Option<NextCta> {
        let mut launches = (0..).zip(&mut self.0[gpm as usize]);
        launches.find_map(|(launch, ctas)| Some(NextCta { launch, number: ctas.next()? }))
    }

    fn left(&self) -> u64 {
        self.0.iter().flatten().map(|ctas| ctas.size_hint().0 as u64).sum()
    }
}

impl Run<'_> {
    /// CTAs that have not begun.
    pub(super) fn ctas_left(&mut self) -> u64 {
        self.system.ctas().map_or_else(|| self.grids.left(), |source| source.left())
    }

    /// Every place of every core gets a CTA, as far as they go: cores in turn.
    pub(super) fn begin_all(&mut self) {
        let places = self.cores.first().map_or(0, |core| core.ctas.len() as u32);
        if let Some(source) = self.system.ctas() {
            let ctas: Vec<_> = self.work.iter().map(|work| work.launch.ctas()).collect();
            source.begin(&ctas, places);
        }
        let waiting = self.ctas_left();
        for place in 0..places {
            for core in 0..self.cores.len() as u32 {
                self.begin_later(core, place);
            }
            if u64::from(place + 1) * self.cores.len() as u64 > waiting * 64 {
                break;
            }
        }
    }

    pub(super) fn begin_later(&mut self, core: u32, place: u32) {
        let delay = u64::from(self.shared.random(self.config.perturbation.start + 1));
        let now = self.shared.events.now();
        self.shared.events.at(now + delay, CoreEvent::Begin(core, place));
    }

    /// A CTA begins at a place of a core, if there is one.
    pub(super) fn begin(&mut self, core: u32, place: u32) {
        let machine = &self.config.machine;
        let next = match self.system.ctas() {
            Some(source) => source.next(core, place),
            None => self.grids.next(core / machine.cores_per_gpm),
        };
        let Some(NextCta { launch, number }) = next else { return };
        let Work { kernel, launch: shape } = self.work[launch as usize];
        let crate::machine::Launch { grid, dynamic_shared, .. } = *shape;
        let base = kernel.dynamic_shared_base;
        let shared = (core * PLACES + place) as usize;
        self.shared.flat.begin_cta(shared, kernel.shared_bytes, base, dynamic_shared);
        let (cta, core_of) = (place_of_cta(number, grid), [core, machine.cores()]);
        let identity = Identity { launch, ..shape.identity(cta, core_of) };
        let core_state = &mut self.cores[core as usize];
        core_state.ctas[place as usize] = Some(Cta::new(self.image, kernel, identity));
        let first = place * self.warps_per_cta;
        for warp in 0..identity.warps() {
            let slot = &mut core_state.slots[(first + warp) as usize];
            (slot.cta, slot.warp) = (place, warp);
            slot.scoreboard.clear(self.table.most_registers);
            slot.buffer = Buffer::default();
            core_state.ages[(first + warp) as usize] = self.begun;
            if let Some(profile) = &mut self.profile {
                let now = self.shared.events.now();
                profile.begins(core, first + warp, now, self.table.most_registers);
            }
        }
        if let Some(trace) = self.profile.as_mut().and_then(|profile| profile.trace.as_mut()) {
            trace.begins(core, place, cta, self.shared.events.now());
        }
        self.begun += 1;
        self.running += 1;
        if let Some(policy) = self.system.policy() {
            policy.begins(core, place, first..first + identity.warps());
        }
        for warp in 0..identity.warps() {
            self.prepare(core, first + warp);
        }
    }

    /// A warp comes to a barrier.
    pub(super) fn arrive(&mut self, core: u32, slot: u32, arrival: Arrival, decoded: &Decoded) {
        let now = self.shared.events.now();
        self.let_all_go(core, slot);
        if let Some(profile) = &mut self.profile {
            profile.waits(core, slot, Stall::Barrier);
        }
        let core_state = &mut self.cores[core as usize];
        let waiting = &mut core_state.slots[slot as usize];
        let (pc, place) = (waiting.pc, waiting.cta);
        waiting.at_barrier = true;
        if let Some(front_end) = &mut core_state.front_end {
            front_end.ready(self.caches, core, &mut waiting.buffer, pc + 1, now);
        }
        waiting.scoreboard.write(&self.table, decoded, now + u64::from(decoded.latency));
        if let Some((cta, warp)) = core_state.cta_mut(slot) {
            match self.defers_barriers {
                true => cta.defer(warp, arrival, pc),
                false => cta.arrive(warp, arrival, pc),
            }
        }
        if let Some(policy) = self.system.policy().filter(|_| arrival.waits) {
            policy.waits(core, slot);
        }
        self.look_at_cta(core, place);
    }

    /// The last lanes of a warp have exited.
    pub(super) fn exit(&mut self, core: u32, slot: u32) {
        if let Some(policy) = self.system.policy() {
            policy.ends(core, slot);
        }
        let core_state = &mut self.cores[core as usize];
        if let Some((cta, warp)) = core_state.cta_mut(slot) {
            if let Some(digests) = &mut self.digests {
                digests.exits(&cta.warps[warp].0);
            }
            match self.defers_barriers {
                true => cta.leave_deferred(warp),
                false => cta.leave(warp),
            }
        }
        let place = core_state.slots[slot as usize].cta;
        if let Some(profile) = &mut self.profile {
            profile.ends(core, slot, self.shared.events.now());
        }
        self.look_at_cta(core, place);
    }

    /// After warps have come to a barrier or have ended: those that were let go on do so, and a CTA
    /// that is done makes room.
    pub(super) fn look_at_cta(&mut self, core: u32, place: u32) {
        self.progress = self.outcome.warp_instructions;
        let core_state = &mut self.cores[core as usize];
        let Some(cta) = &core_state.ctas[place as usize] else { return };
        if cta.is_done() {
            core_state.ctas[place as usize] = None;
            self.running -= 1;
            self.end = self.shared.events.now();
            if let Some(trace) = self.profile.as_mut().and_then(|profile| profile.trace.as_mut()) {
                trace.ends(core, place, self.end);
            }
            self.begin_later(core, place);
            return;
        }
        for warp in 0..cta.warps.len() as u32 {
            let slot = place * self.warps_per_cta + warp;
            let core_state = &mut self.cores[core as usize];
            let Some(cta) = &core_state.ctas[place as usize] else { return };
            let goes_on = cta.warps[warp as usize].1 == State::Ready;
            if goes_on && std::mem::take(&mut core_state.slots[slot as usize].at_barrier) {
                self.prepare(core, slot);
            }
        }
    }
}
