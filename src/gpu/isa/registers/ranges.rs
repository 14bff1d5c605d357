//! Live ranges of the values of a function, with the holes in which they are dead.

use super::successors;
use super::values::Values;
use crate::isa::{Instruction, Operation};

/// For each value the places at which it is alive: spans, in order, of instructions before which it is.
pub(super) struct Ranges {
    pub(super) spans: Vec<Vec<[usize; 2]>>,
    /// Constants that an instruction needs in registers for itself, as memory needs addresses: place and words.
    pub(super) brief: Vec<(usize, u32)>,
    /// Places: one before each instruction, and one after the last.
    pub(super) places: usize,
}

impl Ranges {
    pub(super) fn of(code: &[Instruction], start: usize, values: &Values) -> Self {
        let blocks = blocks(code, start);
        let words = values.held.len().div_ceil(64);
        let mut alive = vec![0u64; blocks.len() * words];
        let block_at = |at: usize| blocks.partition_point(|block| block[0] <= at) - 1;
        // Backwards over the blocks until nothing changes; loops take a turn for each level.
        let mut now = vec![0u64; words];
        loop {
            let mut changed = false;
            for (block, [from, to]) in blocks.iter().enumerate().rev() {
                after(code, start, to - 1, &block_at, &alive, &mut now);
                for instruction in code[*from..*to].iter().rev() {
                    step(instruction, values, |value, lives| match lives {
                        true => now[value / 64] |= 1 << (value % 64),
                        false => now[value / 64] &= !(1 << (value % 64)),
                    });
                }
                let row = &mut alive[block * words..][..words];
                changed |= *row != *now;
                row.copy_from_slice(&now);
            }
            if !changed {
                break;
            }
        }
        let mut ranges = Self {
            spans: vec![Vec::new(); values.held.len()],
            brief: brief(code, values),
            places: code.len() + 1,
        };
        for [from, to] in &blocks {
            after(code, start, to - 1, &block_at, &alive, &mut now);
            ranges.walk(code, values, [*from, *to], &now);
        }
        ranges.spans.iter_mut().for_each(|spans| spans.sort_unstable());
        ranges
    }

    /// Adds the spans of a block at whose end these values are alive.
    fn walk(&mut self, code: &[Instruction], values: &Values, [from, to]: [usize; 2], end: &[u64]) {
        // The last place of the span that is open.
        let mut open: Vec<Option<usize>> = vec![None; values.held.len()];
        for (value, last) in open.iter_mut().enumerate() {
            *last = (end[value / 64] >> (value % 64) & 1 != 0).then_some(to - 1);
        }
        for at in (from..to).rev() {
            step(&code[at], values, |value, lives| match (lives, open[value]) {
                (true, None) => open[value] = Some(at),
                (true, Some(_)) => {}
                // What is written takes a register even if nobody reads it.
                (false, last) => {
                    open[value] = None;
                    self.spans[value].push([at + 1, last.unwrap_or(at + 1).max(at + 1)]);
                }
            });
        }
        for (value, last) in open.iter().enumerate() {
            if let Some(last) = last {
                self.spans[value].push([from, *last]);
            }
        }
    }

    /// The greatest sum of what values count that are alive at one place.
    pub(super) fn most(&self, count: impl Fn(usize) -> u32) -> u32 {
        let mut changes = vec![0i64; self.places + 2];
        for (value, spans) in self.spans.iter().enumerate() {
            for [from, to] in spans {
                changes[*from] += i64::from(count(value));
                changes[to + 1] -= i64::from(count(value));
            }
        }
        let sums = changes.iter().scan(0, |sum, change| {
            *sum += change;
            Some(*sum)
        });
        sums.max().unwrap_or(0) as u32
    }

    /// What values count that are alive before an instruction and after it.
    pub(super) fn across(&self, at: usize, count: impl Fn(usize) -> u32) -> u32 {
        let lives = |spans: &[[usize; 2]], place: usize| {
            spans.iter().any(|[from, to]| (*from..=*to).contains(&place))
        };
        let both = self.spans.iter().enumerate();
        both.filter(|(_, spans)| lives(spans, at) && lives(spans, at + 1))
            .map(|(value, _)| count(value))
            .sum()
    }
}

/// Tells which values an instruction makes begin (false) and then which ones must be alive before it (true).
fn step(instruction: &Instruction, values: &Values, mut see: impl FnMut(usize, bool)) {
    let own = |value: usize| values.used(value) == Some(value);
    instruction.registers(|register| {
        let value = values.number(register.file, register.index);
        if register.written && instruction.guard.is_none() && own(value) {
            see(value, false);
        }
    });
    instruction.registers(|register| {
        let value = values.number(register.file, register.index);
        // What makes a value that takes no register is done by those that use it.
        if !register.written && !is_left_out(instruction, values) {
            values.used(value).into_iter().for_each(|value| see(value, true));
        }
    });
}

/// Whether all that an instruction writes takes no register.
fn is_left_out(instruction: &Instruction, values: &Values) -> bool {
    let (mut written, mut left_out) = (false, true);
    instruction.registers(|register| {
        if register.written {
            let value = values.number(register.file, register.index);
            (written, left_out) = (true, left_out && values.used(value) != Some(value));
        }
    });
    written && left_out
}

/// What memory needs in registers although it is a constant elsewhere: addresses and what is stored.
fn brief(code: &[Instruction], values: &Values) -> Vec<(usize, u32)> {
    let mut all = Vec::new();
    for (at, instruction) in code.iter().enumerate() {
        let Operation::Access(_) = instruction.operation else { continue };
        instruction.registers(|register| {
            let value = values.number(register.file, register.index);
            if !register.written && values.used(value).is_none() {
                let is_wide = register.file == crate::isa::File::Wide;
                all.push((at, 1 + u32::from(is_wide)));
            }
        });
    }
    all
}

/// What is alive after the last instruction of a block.
fn after(
    code: &[Instruction],
    start: usize,
    last: usize,
    block_at: &impl Fn(usize) -> usize,
    alive: &[u64],
    now: &mut [u64],
) {
    now.fill(0);
    for next in successors(&code[last], last, start).filter(|next| *next < code.len()) {
        let row = &alive[block_at(next) * now.len()..][..now.len()];
        now.iter_mut().zip(row).for_each(|(now, row)| *now |= row);
    }
}

/// First instructions of blocks and those after them.
pub(super) fn blocks(code: &[Instruction], start: usize) -> Vec<[usize; 2]> {
    let mut first = vec![false; code.len() + 1];
    (first[0], first[code.len()]) = (true, true);
    for (at, instruction) in code.iter().enumerate() {
        if let Operation::Branch { target, .. } = instruction.operation {
            first[target as usize - start] = true;
        }
        if !matches!(instruction.operation, Operation::Call(_) | Operation::CallIndirect(_))
            && !successors(instruction, at, start).eq(std::iter::once(at + 1))
        {
            first[at + 1] = true;
        }
    }
    let starts: Vec<_> = (0..first.len()).filter(|at| first[*at]).collect();
    starts.windows(2).map(|pair| [pair[0], pair[1]]).collect()
}
