//! CTAs: which core they go to, their beginning and their end.

use std::iter::StepBy;
use std::ops::Range;

use super::Run;
use crate::config::{CtaOrder, MachineConfig};
use crate::core::Buffer;
use crate::machine::cta::{Cta, State};
use crate::machine::launch::place_of_cta;
use crate::memory::Event;
use crate::simt::Identity;

/// Most CTAs of a core, to name a place of a core by one number.
const PLACES: u32 = 64;

/// Where CTAs come from.
pub(super) trait CtaSource {
    /// The number of the next CTA of a GPM.
    fn next(&mut self, gpm: u32) -> Option<u64>;

    /// CTAs that have not begun.
    fn left(&self) -> u64;
}

/// A grid: for each GPM the numbers of its CTAs that have not begun.
struct Grid(Vec<StepBy<Range<u64>>>);

impl CtaSource for Grid {
    fn next(&mut self, gpm: u32) -> Option<u64> {
        self.0[gpm as usize].next()
    }

    fn left(&self) -> u64 {
        self.0.iter().map(|ctas| ctas.size_hint().0 as u64).sum()
    }
}

/// The CTAs of a grid, spread over the GPMs of a machine.
pub(super) fn source(grid: [u32; 3], machine: &MachineConfig) -> Box<dyn CtaSource> {
    let total: u64 = grid.iter().map(|side| u64::from(*side)).product();
    let gpms = machine.gpms();
    let share = |gpm: u32| (u128::from(total) * u128::from(gpm) / u128::from(gpms)) as u64;
    let ctas = |gpm: u32| match machine.cta_order {
        CtaOrder::Contiguous => (share(gpm)..share(gpm + 1)).step_by(1),
        CtaOrder::RoundRobin => (gpm.into()..total.max(gpm.into())).step_by(gpms as usize),
    };
    Box::new(Grid((0..gpms).map(ctas).collect()))
}

impl Run<'_> {
    /// Every place of every core gets a CTA, as far as they go: cores in turn.
    pub(super) fn begin_all(&mut self) {
        let places = self.cores.first().map_or(0, |core| core.ctas.len() as u32);
        let waiting = self.ctas.left();
        for place in 0..places {
            for core in 0..self.cores.len() as u32 {
                self.begin_later(core, place);
            }
            if u64::from(place + 1) * self.cores.len() as u64 > waiting * 64 {
                break;
            }
        }
    }

    fn begin_later(&mut self, core: u32, place: u32) {
        let delay = u64::from(self.shared.random(self.config.perturbation.start + 1));
        let now = self.shared.events.now();
        self.shared.events.at(now + delay, Event::Begin(core * PLACES + place));
    }

    /// A CTA begins at a place of a core, if there is one left.
    pub(super) fn begin(&mut self, place: u32) {
        let (core, place) = (place / PLACES, place % PLACES);
        let machine = &self.config.machine;
        let Some(number) = self.ctas.next(core / machine.cores_per_gpm) else { return };
        let crate::machine::Launch { grid, block, dynamic_shared, workspace, .. } = *self.launch;
        let base = self.kernel.dynamic_shared_base;
        let shared = (core * PLACES + place) as usize;
        self.shared.flat.begin_cta(shared, self.kernel.shared_bytes, base, dynamic_shared);
        let cta = place_of_cta(number, grid);
        let cores = [core, machine.cores()];
        let identity =
            Identity { block, grid, cta, warp: 0, dynamic_shared, workspace, core: cores };
        let core_state = &mut self.cores[core as usize];
        core_state.ctas[place as usize] = Some(Cta::new(self.image, self.kernel, identity));
        let first = place * self.warps_per_cta;
        for warp in 0..self.warps_per_cta {
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
        for warp in 0..self.warps_per_cta {
            if let Some(policy) = &mut self.policy {
                policy.begins(core, first + warp);
            }
            self.prepare(core, first + warp);
        }
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
        for warp in 0..self.warps_per_cta {
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
