//! Instructions that lanes of a warp execute together: votes, shuffles, reductions, matching, `bar.warp.sync`.
//!
//! An instruction waits until all lanes that it names, and which have not left the kernel, have come to it or to another with
//! the same qualifiers and names (PTX ISA, 9.7.9.6 and 9.7.13: `shfl.sync`, `vote.sync`, `match.sync`, `redux.sync`,
//! `bar.warp.sync`).

use super::access::lanes_of;
use super::alu::extreme;
use super::atomic::update;
use super::problem::Problem;
use super::registers::{Image, LANES, Lanes, Registers, Window, Word};
use super::warp::{Surroundings, Warp};
use crate::isa::{File, Operation, Reduction, Shuffle, Source, SourceIn, Target, Vote};

/// Lanes at an instruction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) operation: &'a Operation,
    pub(super) lanes: u32,
    /// Where the registers of their frame begin.
    pub(super) window: Window,
}

/// Result of an instruction in each lane: a value and a bit.
type Given = (Lanes<u32>, u32);

impl Warp {
    /// Lanes of the frame that runs.
    pub(super) fn here<'a>(&self, operation: &'a Operation, lanes: u32) -> Part<'a> {
        Part { operation, lanes, window: self.registers.window }
    }

    /// Lanes that wait for others.
    pub(super) fn waiting<'a>(&self, image: &'a Image) -> impl Iterator<Item = Part<'a>> {
        self.stack.waiting().map(|(pc, lanes, window)| {
            let operation = &image.program.code[pc as usize].operation;
            Part { operation, lanes, window }
        })
    }

    /// Executes the instruction in groups of lanes that name the same lanes, if all that they name are here.
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
        for group in &groups[..count] {
            self.execute_together(&[self.here(operation, *group)], around.image);
        }
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
        let Some(members) = members(operation) else { return Ok(Some(here)) };
        let named = self.row::<u32>(around.image, members);
        let first = here.trailing_zeros() as usize % LANES;
        match complete(named, self.stack.live(), here, first) {
            Some(group) => Ok(Some(group)),
            None => {
                let problem = Problem::LanesElsewhere { members: named[first], here };
                self.go_past(problem, here, around).map(|()| None)
            }
        }
    }

    /// Passes over lanes that are elsewhere in a lenient run.
    pub(super) fn go_past(
        &self,
        problem: Problem,
        here: u32,
        around: Surroundings,
    ) -> Result<(), Problem> {
        let Some(warnings) = around.warnings else { return Err(problem) };
        let pc = self.stack.top().map_or(0, |path| path.pc);
        warnings.pass(pc, self.identity, None, problem, here.count_ones());
        Ok(())
    }

    /// The lanes execute the instruction with others that wait at instructions like it; gives whether all that they name
    /// are there.
    pub(super) fn meet(&mut self, operation: &Operation, mask: u32, image: &Image) -> bool {
        let (parts, named) = self.complete_parts(operation, mask, image);
        if parts.is_empty() {
            return false;
        }
        let mut left = parts.iter().fold(0, |all, part| all | part.lanes);
        self.stack.go_past(left & !mask);
        while left != 0 {
            let group = named[left.trailing_zeros() as usize % LANES] & left;
            left &= !group;
            let of_group = parts.iter().map(|part| Part { lanes: part.lanes & group, ..*part });
            let parts: Vec<_> = of_group.filter(|part| part.lanes != 0).collect();
            self.execute_together(&parts, image);
        }
        true
    }

    /// Lanes here and at instructions alike, so far as all that they name are among them, and what they name; none if
    /// lanes here are not.
    fn complete_parts<'a>(
        &self,
        operation: &'a Operation,
        mask: u32,
        image: &'a Image,
    ) -> (Vec<Part<'a>>, Lanes<u32>) {
        let here = self.here(operation, mask);
        let others = self.waiting(image).filter(|other| are_alike(operation, other.operation));
        let mut parts: Vec<_> = std::iter::once(here).chain(others).collect();
        let named = self.registers.gather(&parts, image, members);
        loop {
            let (all, before) = (parts.iter().fold(0, |all, part| all | part.lanes), parts.len());
            let is_complete = |lane| complete(&named, self.stack.live(), all, lane).is_some();
            parts.retain(|part| lanes_of(part.lanes).all(is_complete));
            if parts.first().is_none_or(|first| first.lanes != mask) {
                return (Vec::new(), named);
            }
            if parts.len() == before {
                return (parts, named);
            }
        }
    }

    /// The groups of lanes that the next instruction puts in order: those that `bar.warp.sync` names alike.
    pub fn groups_in_order(&self, image: &Image) -> Vec<u32> {
        let Some((next, mask)) = self.next(image) else { return Vec::new() };
        if !matches!(next.operation, Operation::WarpSync { .. }) {
            return Vec::new();
        }
        let (parts, named) = self.complete_parts(&next.operation, mask, image);
        let all = parts.iter().fold(0, |all, part| all | part.lanes);
        let mut groups: Vec<_> = lanes_of(all).map(|lane| named[lane] & all).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// Executes an instruction in lanes that name each other.
    fn execute_together(&mut self, parts: &[Part], image: &Image) {
        let Some(first) = parts.first() else { return };
        let mask = parts.iter().fold(0, |all, part| all | part.lanes);
        let (values, bits) = given(first.operation, mask, parts, &self.registers, image);
        for part in parts {
            let (d, p) = targets(part.operation);
            self.registers.within(part.window, |registers| {
                d.into_iter().for_each(|d| registers.write(d, part.lanes, &values));
                p.into_iter().for_each(|p| registers.write_predicate(p, part.lanes, bits));
            });
        }
    }
}

impl Registers {
    /// A source of each part, in its lanes.
    fn gather(
        &self,
        parts: &[Part],
        image: &Image,
        pick: impl Fn(&Operation) -> Option<Source>,
    ) -> Lanes<u32> {
        let mut all = [0; LANES];
        for part in parts {
            let Some(source) = pick(part.operation) else { continue };
            let row = u32::row_in(part.window, self, image, source);
            lanes_of(part.lanes).for_each(|lane| all[lane] = row[lane]);
        }
        all
    }

    /// Lanes in which the condition of a vote holds.
    fn gather_condition(&self, parts: &[Part], image: &Image) -> u32 {
        let holds = |part: &Part| match *part.operation {
            Operation::Vote { a, .. } | Operation::Ballot { a, .. } => {
                self.condition_in(part.window, image, a) & part.lanes
            }
            _ => 0,
        };
        parts.iter().map(holds).fold(0, |all, holds| all | holds)
    }
}

/// The lanes that an instruction names.
fn members(operation: &Operation) -> Option<Source> {
    match *operation {
        Operation::WarpSync { members }
        | Operation::Match { members, .. }
        | Operation::Redux { members, .. } => Some(members),
        Operation::Vote { members, .. }
        | Operation::Ballot { members, .. }
        | Operation::Shuffle { members, .. } => members,
        _ => None,
    }
}

/// Registers for the value and the bit that an instruction gives.
fn targets(operation: &Operation) -> (Option<Target>, Option<Target>) {
    match *operation {
        Operation::ActiveMask { d } | Operation::Redux { d, .. } | Operation::Ballot { d, .. } => {
            (Some(d), None)
        }
        Operation::Vote { p, .. } => (None, Some(p)),
        Operation::Match { d, p, .. } | Operation::Shuffle { d, p, .. } => (Some(d), p),
        _ => (None, None),
    }
}

/// Whether lanes at one instruction may meet those at another.
fn are_alike(one: &Operation, other: &Operation) -> bool {
    let have_members = members(one).is_some() && members(other).is_some();
    have_members
        && match (one, other) {
            (Operation::WarpSync { .. }, Operation::WarpSync { .. })
            | (Operation::Ballot { .. }, Operation::Ballot { .. }) => true,
            (Operation::Vote { mode: a, .. }, Operation::Vote { mode: b, .. }) => a == b,
            (Operation::Shuffle { mode: a, .. }, Operation::Shuffle { mode: b, .. }) => a == b,
            (Operation::Redux { op: a, .. }, Operation::Redux { op: b, .. }) => a == b,
            (
                Operation::Match { all: a, file: of_a, .. },
                Operation::Match { all: b, file: of_b, .. },
            ) => (a, of_a) == (b, of_b),
            _ => false,
        }
}

/// The lanes that a lane names, if all that live are here, name the same, and it is one of them.
fn complete(named: &Lanes<u32>, live: u32, here: u32, lane: usize) -> Option<u32> {
    let group = named[lane] & live;
    let agree = group & !here == 0 && lanes_of(group).all(|other| named[other] == named[lane]);
    (agree && group & 1 << lane != 0).then_some(group)
}

fn given(
    operation: &Operation,
    mask: u32,
    parts: &[Part],
    registers: &Registers,
    image: &Image,
) -> Given {
    let row = |pick: fn(&Operation) -> Option<Source>| registers.gather(parts, image, pick);
    // In a lenient run lanes may name others than these.
    let named = || match members(operation) {
        Some(_) => row(members),
        None => [u32::MAX; LANES],
    };
    match *operation {
        Operation::ActiveMask { .. } => ([mask; LANES], 0),
        Operation::Vote { mode, .. } => {
            (([0; LANES]), vote(mode, registers.gather_condition(parts, image), mask, &named()))
        }
        Operation::Ballot { .. } => {
            let holds = registers.gather_condition(parts, image);
            (named().map(|named| holds & named), 0)
        }
        Operation::Redux { op, .. } => {
            let values = row(|operation| match *operation {
                Operation::Redux { a, .. } => Some(a),
                _ => None,
            });
            let all = lanes_of(mask).map(|lane| values[lane]);
            let result = all.reduce(|one, other| reduce(op, one, other)).unwrap_or_default();
            // Of one number, too, the magnitude is taken, and one NaN made of all.
            let result = match op {
                Reduction::Single(_) => reduce(op, result, result),
                Reduction::Integer(..) => result,
            };
            ([result; LANES], 0)
        }
        Operation::Match { all, file, .. } => {
            matched(all, mask, &values_to_match(parts, file, registers, image))
        }
        Operation::Shuffle { mode, .. } => {
            let abc = [0, 1, 2].map(|at| {
                registers.gather(parts, image, |operation| match *operation {
                    Operation::Shuffle { abc, .. } => Some(abc[at]),
                    _ => None,
                })
            });
            shuffled(mode, mask, &abc)
        }
        // What is left is `bar.warp.sync`: the lanes are together already.
        _ => ([0; LANES], 0),
    }
}

/// Lanes in which a vote holds.
fn vote(mode: Vote, holds: u32, mask: u32, named: &Lanes<u32>) -> u32 {
    let result = |lane: &usize| {
        let (holds, mask) = (holds & named[*lane], mask & named[*lane]);
        match mode {
            Vote::All => holds == mask,
            Vote::Any => holds != 0,
            Vote::Uni => holds == mask || holds == 0,
        }
    };
    lanes_of(mask).filter(result).fold(0, |all, lane| all | 1 << lane)
}

fn values_to_match(parts: &[Part], file: File, registers: &Registers, image: &Image) -> Lanes<u64> {
    let mut values = [0; LANES];
    for part in parts {
        if let Operation::Match { a, .. } = *part.operation {
            let row = registers.read_any_in(part.window, image, SourceIn { file, source: a });
            lanes_of(part.lanes).for_each(|lane| values[lane] = row[lane]);
        }
    }
    values
}

fn matched(all: bool, mask: u32, values: &Lanes<u64>) -> Given {
    let same = |lane: usize| {
        let same = lanes_of(mask).filter(|other| values[*other] == values[lane]);
        same.fold(0u32, |found, other| found | 1 << other)
    };
    let found: Lanes<u32> = std::array::from_fn(same);
    let agree = lanes_of(mask).all(|lane| found[lane] == mask);
    let everyone = if agree { mask } else { 0 };
    let result = if all { [everyone; LANES] } else { found };
    (result, if agree { u32::MAX } else { 0 })
}

fn shuffled(mode: Shuffle, mask: u32, [values, by, clamp]: &[Lanes<u32>; 3]) -> Given {
    let from: Lanes<Option<usize>> =
        std::array::from_fn(|lane| partner(mode, lane as u32, by[lane], clamp[lane]));
    // A lane that takes no part has no value to give: the lane keeps its own.
    let given = |lane: usize| from[lane].filter(|from| mask & 1 << from != 0);
    let result = std::array::from_fn(|lane| values[given(lane).unwrap_or(lane)]);
    let valid = (0..LANES).filter(|lane| from[*lane].is_some());
    (result, valid.fold(0, |all, lane| all | 1 << lane))
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
