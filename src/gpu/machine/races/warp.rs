//! Vector clocks of a warp's lanes.

use super::clock::Clock;
use crate::simt::{LANES, lanes_of};

/// Clocks of threads.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    pub(super) clock: Clock,
    /// Clocks at their last fence for their CTA, and for all.
    pub(super) fenced: [Clock; 2],
}

impl Known {
    pub(super) fn join(&mut self, other: &Self) {
        self.clock.join(&other.clock);
        self.fenced.iter_mut().zip(&other.fenced).for_each(|(own, other)| own.join(other));
    }
}

/// Lanes that know the same, but for their own times.
#[derive(Debug, Clone, Default)]
struct Group {
    lanes: u32,
    known: Known,
    /// Acquired by strong reads, to be joined at the next fence: released to the CTA, and to all.
    pending: [Clock; 2],
}

/// A warp.
#[derive(Debug)]
pub(super) struct Warp {
    cta: u32,
    /// Number of its first thread in the CTA.
    first: u32,
    /// Time of each lane now, and at its last fence for the CTA, and for all.
    times: [u32; LANES],
    fenced: [[u32; LANES]; 2],
    groups: Vec<Group>,
}

impl Warp {
    /// A warp that begins.
    pub(super) fn new(cta: u32, number: u32) -> Self {
        let all = Group { lanes: u32::MAX, ..Group::default() };
        let (times, fenced) = ([1; LANES], [[0; LANES]; 2]);
        Self { cta, first: number * LANES as u32, times, fenced, groups: vec![all] }
    }

    /// Something that moves data for a thread that knows this, as lane 0 of a warp.
    pub(super) fn agent(cta: u32, thread: u32, time: u32, known: Known) -> Self {
        let mut agent = Self { first: thread, ..Self::new(cta, 0) };
        agent.times[0] = time;
        agent.groups[0].known = known;
        agent
    }

    /// The number of its CTA.
    pub(super) fn cta(&self) -> u32 {
        self.cta
    }

    /// The number of a lane's thread in its CTA.
    pub(super) fn thread(&self, lane: usize) -> u32 {
        self.first + lane as u32
    }

    /// Time of a lane.
    pub(super) fn time(&self, lane: usize) -> u32 {
        self.times[lane]
    }

    /// The clock of a lane, without its own time.
    pub(super) fn clock(&self, lane: usize) -> &Clock {
        &self.groups[self.group(lane)].known.clock
    }

    /// The number of a lane's group.
    pub(super) fn group(&self, lane: usize) -> usize {
        self.groups.iter().position(|group| group.lanes & 1 << lane != 0).unwrap_or(0)
    }

    /// Lanes begin a new time.
    pub(super) fn advance(&mut self, lanes: u32) {
        lanes_of(lanes).for_each(|lane| self.times[lane] += 1);
    }

    /// The groups of these lanes, split off from the others.
    fn within(&mut self, lanes: u32) -> impl Iterator<Item = &mut Group> {
        for at in 0..self.groups.len() {
            let group = &mut self.groups[at];
            let others = group.lanes & !lanes;
            if others != 0 && others != group.lanes {
                let rest = Group { lanes: others, ..group.clone() };
                group.lanes &= lanes;
                self.groups.push(rest);
            }
        }
        self.groups.iter_mut().filter(move |group| group.lanes & lanes != 0)
    }

    /// A fence for the CTA (`reach` 1), or for all (2).
    pub(super) fn fence(&mut self, lanes: u32, reach: usize) {
        for Group { known, pending, .. } in self.within(lanes) {
            for pending in &mut pending[..reach] {
                known.clock.join(&std::mem::take(pending));
            }
            known.fenced[..reach].fill(known.clock.clone());
        }
        for fenced in &mut self.fenced[..reach] {
            lanes_of(lanes).for_each(|lane| fenced[lane] = self.times[lane]);
        }
        self.advance(lanes);
    }

    /// Joins what was released to the CTA (`reach` 0) or to all (1), at once or at the next fence.
    pub(super) fn acquire(&mut self, lanes: u32, reach: usize, released: &Clock, at_once: bool) {
        let is_new = |group: &Group| {
            group.lanes & lanes != 0
                && !group.known.clock.has(released)
                && (at_once || !group.pending[reach].has(released))
        };
        if self.groups.iter().any(is_new) {
            for Group { known, pending, .. } in self.within(lanes) {
                if at_once { &mut known.clock } else { &mut pending[reach] }.join(released);
            }
        }
    }

    /// The join of these lanes' clocks, with their own times.
    pub(super) fn gather(&self, lanes: u32) -> Known {
        let mut all = Known::default();
        let groups = self.groups.iter().filter(|group| group.lanes & lanes != 0);
        groups.for_each(|group| all.join(&group.known));
        let own = |times: &[u32; LANES]| {
            let times = *times;
            (0..LANES).map(move |lane| if lanes & 1 << lane == 0 { 0 } else { times[lane] })
        };
        all.clock.set(self.cta, self.first, own(&self.times));
        let fenced = all.fenced.iter_mut().zip(&self.fenced);
        fenced.for_each(|(all, times)| all.set(self.cta, self.first, own(times)));
        all
    }

    /// These lanes have met others, who know `all` together: those who wait for no fence form one group.
    pub(super) fn learn(&mut self, lanes: u32, all: &Known) {
        self.within(lanes).for_each(|group| group.known.join(all));
        let is_plain =
            |group: &Group| group.lanes & !lanes == 0 && group.pending.iter().all(Clock::is_empty);
        let Some(first) = self.groups.iter().position(is_plain) else { return };
        let mut one = self.groups.swap_remove(first);
        self.groups.retain(|group| {
            let joins = is_plain(group);
            one.lanes |= if joins { group.lanes } else { 0 };
            !joins
        });
        self.groups.push(one);
    }

    /// Joins what a lane releases to the CTA (`reach` 0) or to all (1): its clock, or that of its last fence. The clock of
    /// its group is there already if `is_joined`.
    pub(super) fn release(
        &self,
        lane: usize,
        (reach, at_once): (usize, bool),
        is_joined: bool,
        released: &mut Clock,
    ) {
        let known = &self.groups[self.group(lane)].known;
        let (clock, time) = match at_once {
            true => (&known.clock, self.times[lane]),
            false => (&known.fenced[reach], self.fenced[reach][lane]),
        };
        if !is_joined {
            released.join(clock);
        }
        if time > 0 {
            released.set(self.cta, self.first + lane as u32, std::iter::once(time));
        }
    }
}
