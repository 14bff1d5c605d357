//! What the lanes of a warp do together: barriers, votes, shuffles, matching.

use super::access::lanes_of;
use super::alu::extreme;
use super::atomic::update;
use super::problem::Problem;
use super::registers::{Image, LANES, Lanes};
use super::step::{Allocation, Arrival, Print, Step};
use super::warp::{Surroundings, Waiting, Warp};
use crate::isa::{
    BarrierKind, Instruction, Logic, Operation, Reduction, Service, Shuffle, Source, SourceIn, Vote,
};

/// Barriers of a CTA.
pub const BARRIERS: u32 = 16;

impl Warp {
    /// True if all lanes that have not left the kernel are at this barrier, or leave without coming to it.
    pub(super) fn all_are_here(&mut self, mask: u32, image: &Image) -> bool {
        mask == self.stack.live() || self.let_leave(image) && mask == self.stack.live()
    }

    /// Lanes that wait where they leave the kernel do so; gives whether there are any.
    pub(super) fn let_leave(&mut self, image: &Image) -> bool {
        let code = &image.program.code;
        self.checkpoint.is_none()
            && self.stack.let_leave(|pc| {
                let next = code.get(pc as usize).filter(|next| next.guard.is_none());
                next.is_some_and(|next| matches!(next.operation, Operation::Exit))
            })
    }

    /// The lanes wait for others, and execute the instruction with them, or when those have left; gives whether they can.
    pub(super) fn set_aside(&mut self, mask: u32) -> bool {
        let can = self.stack.set_aside();
        if can {
            self.repeat(mask);
        }
        can
    }

    /// The instruction is executed later.
    pub(super) fn repeat(&mut self, mask: u32) {
        self.executed -= 1;
        self.lanes_executed -= u64::from(mask.count_ones());
    }

    /// The number of a barrier, and its threads.
    fn barrier(&self, image: &Image, mask: u32, barrier: &Operation) -> Option<(u32, Option<u32>)> {
        let Operation::Barrier { id, threads, .. } = *barrier else { return None };
        let first = mask.trailing_zeros() as usize % LANES;
        let of_first = |source: Source| self.row::<u32>(image, source)[first];
        Some((of_first(id), threads.map(of_first)))
    }

    /// The lanes that wait at other instructions which `is_it` finds alike.
    fn elsewhere(&self, image: &Image, is_it: impl Fn(&Operation, u32) -> bool) -> u32 {
        let code = &image.program.code;
        let is_it = |(pc, mask): &(u32, u32)| is_it(&code[*pc as usize].operation, *mask);
        self.stack.waiting().filter(is_it).fold(0, |all, (_, mask)| all | mask)
    }

    /// The lanes that wait at another `bar.warp.sync` of the same lanes.
    fn at_warp_syncs(&self, image: &Image, named: u32) -> u32 {
        self.elsewhere(image, |operation, mask| {
            let Operation::WarpSync { members } = *operation else { return false };
            let members = self.row::<u32>(image, members);
            lanes_of(mask).all(|lane| members[lane] == named)
        })
    }

    /// Lanes meet others at several `bar.warp.sync`; gives whether all that they name are there.
    pub(super) fn meet_elsewhere(&mut self, image: &Image, named: u32, here: u32) -> bool {
        let is_sync = self
            .next(image)
            .is_some_and(|(next, _)| matches!(next.operation, Operation::WarpSync { .. }));
        let others = if is_sync { self.at_warp_syncs(image, named) } else { 0 };
        let all_came = others != 0 && named & self.stack.live() & !(here | others) == 0;
        if all_came {
            self.stack.go_past(others);
        }
        all_came
    }

    /// Comes to a barrier, with lanes that wait at others like it, unless all are to come to one instruction.
    pub(super) fn arrive(
        &mut self,
        image: &Image,
        mask: u32,
        barrier: &Operation,
    ) -> Result<Arrival, Problem> {
        let (live, here) = (self.stack.live(), mask);
        let (&Operation::Barrier { kind, is_aligned, .. }, Some((id, threads))) =
            (barrier, self.barrier(image, mask, barrier))
        else {
            return Err(Problem::DivergentBarrier { here, live });
        };
        let is_alike = |other: &Operation, mask| {
            let is_simple = |it: &Operation| {
                let kind = BarrierKind::Sync;
                matches!(it, Operation::Barrier { kind: it, is_aligned: false, .. } if *it == kind)
            };
            is_simple(other) && self.barrier(image, mask, other) == Some((id, threads))
        };
        let others = match mask != live && !is_aligned && kind == BarrierKind::Sync {
            true => self.elsewhere(image, is_alike),
            false => 0,
        };
        let mask = mask | others;
        if mask != live {
            return Err(Problem::DivergentBarrier { here, live });
        }
        self.stack.go_past(others);
        let all = threads.unwrap_or(LANES as u32);
        if id >= BARRIERS || all == 0 || !all.is_multiple_of(LANES as u32) {
            return Err(Problem::NoSuchBarrier { id, threads: all });
        }
        let (waiting, holds) = match kind {
            BarrierKind::Sync | BarrierKind::Arrive => (Waiting::Nothing, 0),
            BarrierKind::Popc(d, condition) => {
                (Waiting::Count(d), self.registers.condition(image, condition))
            }
            BarrierKind::Reduce(op, d, condition) => {
                (Waiting::Logic(op, d), self.registers.condition(image, condition))
            }
        };
        self.waiting = waiting;
        let waits = kind != BarrierKind::Arrive;
        Ok(Arrival { id, threads, waits, holds: holds & mask, lanes: mask })
    }

    /// Lets a warp that waits go on: `held` threads of `came` had a predicate that holds.
    pub fn release(&mut self, held: u32, came: u32) {
        let mask = self.stack.live();
        match std::mem::replace(&mut self.waiting, Waiting::Nothing) {
            Waiting::Nothing => {}
            Waiting::Count(d) => self.registers.write(d, mask, &[held; LANES]),
            Waiting::Logic(op, d) => {
                let holds = if op == Logic::And { held == came } else { held > 0 };
                self.registers.write_predicate(d, mask, if holds { u32::MAX } else { 0 });
            }
        }
    }

    /// The groups of lanes that the next instruction puts in order: those that `bar.warp.sync` names alike.
    pub fn groups_in_order(&self, image: &Image) -> Vec<u32> {
        let Some((Instruction { operation: Operation::WarpSync { members }, .. }, mask)) =
            self.next(image)
        else {
            return Vec::new();
        };
        let named = self.row::<u32>(image, *members);
        let group = |lane: usize| {
            let others = self.at_warp_syncs(image, named[lane]);
            let all = named[lane] & self.stack.live() & !(mask | others) == 0;
            named[lane] & if all { mask | others } else { mask }
        };
        let mut groups: Vec<_> = lanes_of(mask).map(group).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// Votes, shuffles and the like. Lanes that name different lanes form groups of their own.
    pub(super) fn together(
        &mut self,
        operation: &Operation,
        mask: u32,
        around: Surroundings,
    ) -> Result<(), Problem> {
        // All groups are known before one does anything: the lanes may have to wait for others.
        let mut groups = [0; LANES];
        let (mut left, mut count) = (mask, 0);
        while left != 0 {
            match self.group(operation, left, around)? {
                Some(group) => {
                    (groups[count], left) = (group, left & !group);
                    count += 1;
                }
                None => (groups[0], left, count) = (mask, 0, 1),
            }
        }
        groups[..count].iter().for_each(|group| self.within(operation, *group, around.image));
        Ok(())
    }

    /// The first of the lanes, and those that execute the instruction together with it: the lanes
    /// that it names, without those that have left the kernel. All must be here, and name the same.
    /// In a lenient run there may be none: all lanes here do it, each with those that it names.
    fn group(
        &self,
        operation: &Operation,
        here: u32,
        around: Surroundings,
    ) -> Result<Option<u32>, Problem> {
        let members = match *operation {
            Operation::WarpSync { members }
            | Operation::Match { members, .. }
            | Operation::Redux { members, .. } => Some(members),
            Operation::Vote { members, .. }
            | Operation::Ballot { members, .. }
            | Operation::Shuffle { members, .. } => members,
            _ => None,
        };
        let Some(members) = members else { return Ok(Some(here)) };
        let named = self.row::<u32>(around.image, members);
        let first = here.trailing_zeros() as usize % LANES;
        let group = named[first] & self.stack.live();
        let agree = group & !here == 0 && lanes_of(group).all(|lane| named[lane] == named[first]);
        if !agree || group & 1 << first == 0 {
            let problem = Problem::LanesElsewhere { members: named[first], here };
            // The others may leave the kernel: see `Warp::step`.
            let warnings = around.warnings.filter(|_| !self.stack.can_wait());
            let warnings = warnings.ok_or_else(|| problem.clone())?;
            let pc = self.stack.top().map_or(0, |path| path.pc);
            warnings.pass(pc, self.identity, None, problem, here.count_ones());
            return Ok(None);
        }
        Ok(Some(group))
    }

    fn within(&mut self, operation: &Operation, mask: u32, image: &Image) {
        match *operation {
            Operation::ActiveMask { d } => self.registers.write(d, mask, &[mask; LANES]),
            Operation::Vote { mode, p, a, members } => {
                let holds = self.registers.condition(image, a) & mask;
                let named = members.map_or([u32::MAX; LANES], |it| *self.row(image, it));
                let result = |lane: &usize| {
                    let (holds, mask) = (holds & named[*lane], mask & named[*lane]);
                    match mode {
                        Vote::All => holds == mask,
                        Vote::Any => holds != 0,
                        Vote::Uni => holds == mask || holds == 0,
                    }
                };
                let result = lanes_of(mask).filter(result).fold(0, |all, lane| all | 1 << lane);
                self.registers.write_predicate(p, mask, result);
            }
            Operation::Redux { op, d, a, .. } => {
                let values = *self.row::<u32>(image, a);
                let all = lanes_of(mask).map(|lane| values[lane]);
                let result = all.reduce(|one, other| reduce(op, one, other)).unwrap_or_default();
                // Of one number, too, the magnitude is taken, and one NaN made of all.
                let result = match op {
                    Reduction::Single(_) => reduce(op, result, result),
                    Reduction::Integer(..) => result,
                };
                self.registers.write(d, mask, &[result; LANES]);
            }
            Operation::Ballot { d, a, members } => {
                let holds = self.registers.condition(image, a) & mask;
                let named = members.map_or([u32::MAX; LANES], |it| *self.row(image, it));
                self.registers.write(d, mask, &named.map(|named| holds & named));
            }
            Operation::Match { all, file, d, p, a, .. } => {
                let values = self.registers.read_any(image, SourceIn { file, source: a });
                let same = |lane: usize| {
                    let same = lanes_of(mask).filter(|other| values[*other] == values[lane]);
                    same.fold(0u32, |found, other| found | 1 << other)
                };
                let found: Lanes<u32> = std::array::from_fn(same);
                let agree = lanes_of(mask).all(|lane| found[lane] == mask);
                let everyone = if agree { mask } else { 0 };
                let result = if all { [everyone; LANES] } else { found };
                self.registers.write(d, mask, &result);
                if let Some(p) = p {
                    self.registers.write_predicate(p, mask, if agree { u32::MAX } else { 0 });
                }
            }
            Operation::Shuffle { mode, d, p, abc: [a, b, c], .. } => {
                let values = *self.row::<u32>(image, a);
                let (by, clamp) = (self.row::<u32>(image, b), self.row::<u32>(image, c));
                let from: Lanes<Option<usize>> =
                    std::array::from_fn(|lane| partner(mode, lane as u32, by[lane], clamp[lane]));
                // A lane that takes no part has no value to give: the lane keeps its own.
                let given = |lane: usize| from[lane].filter(|from| mask & 1 << from != 0);
                let result = std::array::from_fn(|lane| values[given(lane).unwrap_or(lane)]);
                self.registers.write(d, mask, &result);
                if let Some(p) = p {
                    let valid = (0..LANES).filter(|lane| from[*lane].is_some());
                    let valid = valid.fold(0, |all, lane| all | 1 << lane);
                    self.registers.write_predicate(p, mask, valid);
                }
            }
            // What is left is `bar.warp.sync`: the lanes are together already.
            _ => {}
        }
    }

    /// Calls of functions that the machine provides.
    pub(super) fn service(&mut self, service: Service, mask: u32) -> Result<Step, Problem> {
        let base = u64::from(self.local_base());
        let pointer = |warp: &Self, lane: usize, offset: u32| {
            let bytes = warp.local.get(lane, base + u64::from(offset), 8);
            bytes.and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes)
        };
        Ok(match service {
            Service::Transaction(boundary) => return self.transaction(boundary, mask),
            Service::Print { .. } | Service::Allocate { .. } | Service::Free { .. }
                if self.checkpoint.is_some() =>
            {
                return Err(Problem::InTransaction("printf, malloc or free"));
            }
            Service::Print { format, arguments, returned } => Step::Print(Box::new(Print {
                mask,
                format: std::array::from_fn(|lane| pointer(self, lane, format)),
                arguments: std::array::from_fn(|lane| pointer(self, lane, arguments)),
                returned: returned.map(|offset| base + u64::from(offset)),
            })),
            Service::Allocate { bytes, returned } => Step::Allocate(Box::new(Allocation {
                mask,
                given: std::array::from_fn(|lane| pointer(self, lane, bytes)),
                returned: Some(base + u64::from(returned)),
            })),
            Service::Free { address } => Step::Allocate(Box::new(Allocation {
                mask,
                given: std::array::from_fn(|lane| pointer(self, lane, address)),
                returned: None,
            })),
            Service::AssertFail { message } => {
                let lane = mask.trailing_zeros() as usize % LANES;
                Step::Assertion(lane, pointer(self, lane, message))
            }
        })
    }

    /// What `vprintf` returns in a lane.
    pub fn printed(&mut self, print: &Print, lane: usize, value: i32) {
        if let Some(place) = print.returned
            && let Some(place) = self.local.get_mut(lane, place, 4)
        {
            place.copy_from_slice(&value.to_le_bytes());
        }
    }

    /// What `malloc` returns in a lane.
    pub fn allocated(&mut self, allocation: &Allocation, lane: usize, address: u64) {
        if let Some(place) = allocation.returned
            && let Some(place) = self.local.get_mut(lane, place, 8)
        {
            place.copy_from_slice(&address.to_le_bytes());
        }
    }

    /// Bytes of a lane's local memory.
    pub fn local_bytes(&self, lane: usize, address: u64, bytes: usize) -> Option<&[u8]> {
        self.local.get(lane, address, bytes)
    }
}

/// Two values of a reduction combined.
fn reduce(op: Reduction, one: u32, other: u32) -> u32 {
    match op {
        Reduction::Integer(op, ty) => update(op, ty, one.into(), [other.into(), 0]) as u32,
        Reduction::Single(which) => {
            extreme(which, f32::from_bits(one), f32::from_bits(other)).to_bits()
        }
    }
}

/// The lane that a shuffle reads from; none outside of the segment.
fn partner(mode: Shuffle, lane: u32, b: u32, c: u32) -> Option<usize> {
    let (by, clamp, segment) = (b & 31, c & 31, c >> 8 & 31);
    let most = lane & segment | clamp & !segment;
    let least = lane & segment;
    let (from, within) = match mode {
        Shuffle::Up => (lane.wrapping_sub(by), lane >= by && lane - by >= most),
        Shuffle::Down => (lane + by, lane + by <= most),
        Shuffle::Butterfly => (lane ^ by, (lane ^ by) <= most),
        Shuffle::Index => (least | by & !segment, (least | by & !segment) <= most),
    };
    within.then_some(from as usize)
}
