//! Slots for workgroups, and the wavefronts in them: what they do in a quantum.

use std::collections::VecDeque;
use std::ops::Range;

use super::log::Log;
use crate::memory::NextCta;

/// A reason that ends a wavefront's quantum (4.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Its count of instructions is that of a quantum.
    Count,
    /// An atomic on global memory, `malloc` or `free` is next.
    Atomic,
    /// A fence is next, or a release or an acquire.
    Fence,
    /// Its store buffer has no room for the store that is next.
    LogFull,
    /// `printf` is next, and its store buffer is not empty.
    Print,
    /// It waits at a barrier.
    Barrier,
    /// The wavefront has exited.
    Complete,
}

impl Reason {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Count,
        Self::Atomic,
        Self::Fence,
        Self::LogFull,
        Self::Print,
        Self::Barrier,
        Self::Complete,
    ];

    /// The counter's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Count => "quanta_ended_by_count",
            Self::Atomic => "quanta_ended_by_atomic",
            Self::Fence => "quanta_ended_by_fence",
            Self::LogFull => "quanta_ended_by_full_log",
            Self::Print => "quanta_ended_by_print",
            Self::Barrier => "quanta_ended_by_barrier",
            Self::Complete => "quanta_ended_by_completion",
        }
    }
}

/// State of a wavefront in a quantum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Turn {
    /// Exited, or an empty slot.
    #[default]
    Absent,
    Runs,
    AtBarrier,
    Ended(Reason),
    /// It keeps a fault.
    Faulty,
}

/// A wavefront's slot.
#[derive(Debug, Default)]
pub(super) struct Wavefront {
    pub turn: Turn,
    /// Instructions in this quantum, of whichever workgroup is in the slot.
    pub count: u32,
    /// Its quantum has ended at the instruction that is next, which does not end another.
    pub resumes: bool,
    /// It was refused a permit, and must be woken.
    pub waits: bool,
    /// Place of its workgroup in the core.
    pub place: u32,
    pub log: Log,
    /// Lines have been inserted in its Bloom filter.
    pub is_in_filter: bool,
}

/// State of a workgroup in a quantum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum State {
    /// There is none.
    #[default]
    Empty,
    /// One is to begin.
    Due,
    Runs,
    /// None of its wavefronts can run; its arrivals at barriers are being counted.
    Counted,
    /// Its quantum is over; these of its wavefronts, one bit each, wait at complete barriers.
    Ended(u64),
}

/// A slot for a workgroup.
#[derive(Debug, Default)]
pub(super) struct Slot {
    pub state: State,
    /// Its wavefronts' slots in the core.
    pub warps: Range<u32>,
    /// The wavefront that is permitted to access shared memory, if their order matters, and may not have issued yet.
    pub accesses: Option<u32>,
    /// Workgroups that it is to run in this quantum (4.2.2).
    pub share: VecDeque<NextCta>,
}

/// Deals workgroups to slots before a quantum: free slots get one each, and with partitioning all slots get the others
/// in turn (figure 4.4c). Without it they stay pending.
pub(super) fn deal(pending: &mut VecDeque<NextCta>, slots: &mut [Slot], partitions: bool) {
    for slot in slots.iter_mut().filter(|slot| slot.state == State::Empty) {
        let Some(next) = pending.pop_front() else { return };
        slot.share.push_back(next);
        slot.state = State::Due;
    }
    if !partitions || slots.is_empty() {
        return;
    }
    let last = slots.len();
    for (at, next) in pending.drain(..).enumerate() {
        slots[at % last].share.push_back(next);
    }
}

/// Takes back what no slot has begun, in the order of the workgroups.
pub(super) fn take_back(pending: &mut VecDeque<NextCta>, slots: &mut [Slot]) {
    let shares = slots.iter_mut().flat_map(|slot| slot.share.drain(..));
    let mut all: Vec<_> = pending.drain(..).chain(shares).collect();
    all.sort_by_key(|next| (next.launch, next.number));
    pending.extend(all);
}

#[cfg(test)]
mod tests {
    use super::{Slot, State, deal, take_back};
    use crate::memory::NextCta;

    #[test]
    fn free_slots_are_served_first_and_the_rest_goes_to_all_in_turn() {
        let cta = |number| NextCta { launch: 0, number };
        let mut pending: std::collections::VecDeque<_> = (0..6).map(cta).collect();
        let mut slots: Vec<_> = (0..3).map(|_| Slot::default()).collect();
        slots[1].state = State::Runs;
        deal(&mut pending, &mut slots, true);
        let shares: Vec<Vec<u64>> =
            slots.iter().map(|slot| slot.share.iter().map(|it| it.number).collect()).collect();
        assert_eq!(shares, [vec![0, 2, 5], vec![3], vec![1, 4]]);
        take_back(&mut pending, &mut slots);
        assert!(pending.iter().map(|next| next.number).eq(0..6));
        deal(&mut pending, &mut slots, false);
        assert_eq!(pending.len(), 6, "both free slots are due");
    }
}
